"""How results show themselves: in one line, in a notebook, and as tables of pandas."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from gpaplan import (
    Actor,
    Limits,
    Policy,
    StateSpace,
    Trace,
    UsageError,
    display,
    evaluate,
    find_dead_ends,
    ground,
    grow,
    instances_of_generator,
    prune,
    record_trials,
    simulate,
    solve,
    verify,
)
from gpaplan.benchmarks import generate
from gpaplan.display import counted, html_table
from gpaplan.experiments.report import write_report
from tests import experiment_records
from tests.policy_automata import HOSTILE, learned

BENCHMARK = generate("gripper", 3)
TASK = ground(BENCHMARK.domain, BENCHMARK.problem)
SOLUTION = solve(TASK)
POLICY = SOLUTION.policy


class Tags(HTMLParser):
    """The elements of a text, all of them closed, and the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


SHOWN: dict[str, Callable[[], Any]] = {
    "task": lambda: TASK,
    "solution": lambda: SOLUTION,
    "policy": lambda: POLICY,
    "evaluation": lambda: evaluate(TASK, POLICY),
    "verification": lambda: verify(TASK, Policy(TASK, {})),
    "simulation": lambda: simulate(TASK, POLICY),
    "growth": lambda: grow(instances_of_generator("gripper", "1..3")),
    "pruning": lambda: prune(instances_of_generator("gripper", "1..2"), learned("gripper", 1, 2)),
}


@pytest.mark.parametrize("name", SHOWN)
def test_results_show_themselves_in_a_line_and_as_a_short_table(name: str) -> None:
    result = SHOWN[name]()
    assert "\n" not in repr(result)
    assert len(repr(result)) < 350
    text = result._repr_html_()
    assert set(Tags(text).tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert "table" in Tags(text).tags
    assert len(text) < 6000


def test_the_lines() -> None:
    assert repr(TASK.domain) == "Domain('gripper': 4 predicates, 3 schemas)"
    assert repr(TASK.problem) == f"Problem('gripper-3' of 'gripper': 7 objects, {len(TASK.problem.init)} initial atoms)"
    assert repr(SOLUTION) == f"Solution('gripper-3': solved, expected cost 9.75, guarantee {SOLUTION.guarantee})"
    assert repr(solve(TASK, limits=Limits(1e-9))).startswith("Solution('gripper-3': time-limit, no closed policy")


def test_what_the_tables_say() -> None:
    cells = Tags(SOLUTION._repr_html_()).cells
    assert cells[cells.index("expected cost") + 1] == "9.75"
    cells = Tags(verify(TASK, Policy(TASK, {}))._repr_html_()).cells
    assert cells[cells.index("reason") + 1].startswith("it leads to a state where it has no applicable action")
    assert cells[cells.index("goal probability") + 1] == "0"
    cells = Tags(simulate(TASK, "random", trials=50, horizon=20)._repr_html_()).cells
    assert cells[cells.index("trials") + 1] == "50"


def test_a_long_table_is_cut() -> None:
    benchmark = generate("delicate-can", 6)
    policy = solve(ground(benchmark.domain, benchmark.problem)).policy
    cells = Tags(policy._repr_html_()).cells
    assert len(cells) == 2 + 2 * 10 + 1
    assert cells[-1] == f"… and {len(policy) - 10} more"


def test_names_are_escaped() -> None:
    text = html_table(HOSTILE, [(HOSTILE, HOSTILE)], (HOSTILE, ""))
    assert set(Tags(text).tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert HOSTILE not in text
    trace = Trace(HOSTILE, HOSTILE, "unit", ())
    assert Tags(trace._repr_html_()).tags == ["iframe"]


def test_a_report_shows_what_the_automaton_is_worth(tmp_path: Any) -> None:
    report = write_report(experiment_records.paper_like(("gripper",), runs=1), tmp_path)
    assert "\n" not in repr(report)
    assert len(repr(report)) < 400
    assert "what the automaton is worth" in Tags(report._repr_html_()).cells


def test_counting() -> None:
    assert [counted(n, "edge") for n in (0, 1, 2000)] == ["0 edges", "1 edge", "2,000 edges"]
    assert counted(2, "vertex", "vertices") == "2 vertices"


# --- pandas ---


def test_a_policy_as_a_table() -> None:
    policy = solve(TASK, symmetry="off").policy
    frame = policy.to_pandas()
    assert list(frame.columns) == ["state", "action", "value"]
    assert len(frame) == len(policy)
    for state, action, value in frame.itertuples(index=False):
        atoms = [f"({each.strip(' ()')})" for each in state.split(")") if each.strip()]
        assert str(policy.action(atoms)) == action
        assert value == pytest.approx(policy.explain(atoms).cost)


def test_the_values_of_a_policy_on_representatives() -> None:
    policy = solve(TASK, symmetry="on").policy
    assert max(policy.to_pandas().value) == pytest.approx(solve(TASK).value)


def test_results_without_a_page_of_their_own_show_themselves() -> None:
    atoms = TASK.initial_state
    explained = POLICY.explain()._repr_html_()
    assert explained.startswith("<pre>")
    assert "The policy takes" in explained
    assert "<th" in Actor(TASK).decide(atoms)._repr_html_()
    assert "<th" in find_dead_ends(StateSpace(TASK))._repr_html_()


def test_a_simulation_as_a_table() -> None:
    simulation = simulate(TASK, "random", trials=200, horizon=40)
    frame = simulation.to_pandas()
    assert list(frame.columns) == ["cost", "steps", "end"]
    assert len(frame) == 200
    assert frame.cost.mean() == pytest.approx(simulation.mean_cost)
    assert frame.cost.std() == pytest.approx(simulation.sd_cost)
    assert (frame.end == "goal").mean() == pytest.approx(simulation.goal_rate)
    assert "results" not in simulation.to_json()
    assert len(repr(simulation)) < 200


def test_a_trace_as_a_table() -> None:
    trace = record_trials(TASK, POLICY, trials=3)
    frame = trace.to_pandas()
    assert len(frame) == sum(len(trial.steps) for trial in trace.trials)
    for number, trial in enumerate(trace.trials, 1):
        part = frame[frame.trial == number]
        assert list(part.step) == list(range(1, len(trial.steps) + 1))
        assert list(part.action) == [str(step.action) for step in trial.steps]
        assert part.total.iloc[-1] == pytest.approx(trial.cost)
        assert list(part.added) == [[str(atom) for atom in step.added] for step in trial.steps]
    assert set(frame.source) == {"policy"}


def test_without_pandas_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for show in (POLICY.to_pandas, simulate(TASK, trials=2).to_pandas, record_trials(TASK).to_pandas):
        with pytest.raises(UsageError, match=r"pip install 'gpaplan\[pandas\]'"):
            show()


def test_nothing_imports_pandas_unless_asked() -> None:
    script = (
        "import sys, gpaplan; [getattr(gpaplan, name) for name in gpaplan.__all__]; import gpaplan.display; "
        "print('pandas' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]


# --- what is under way ---


class Screen:
    """Where lines are shown, and whoever waits for one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        monkeypatch.setattr(display, "_screen", lambda: self.lines.put)
        monkeypatch.setattr(display, "_PATIENCE", 0.0)
        monkeypatch.setattr(display, "_BETWEEN", 0.001)

    def wait_for(self, words: str) -> None:
        while not self.lines.get(timeout=60).endswith(words):
            pass


def test_what_is_under_way_is_shown_with_what_is_known_and_then_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)
    with display.under_way("learning"):
        screen.wait_for(" s  learning")
        display.note("1 of 2")
        screen.wait_for(" s  learning: 1 of 2")
        with display.under_way("solving", lambda: "cost 3"):
            screen.wait_for("learning: 1 of 2; solving")
            Limits().start().check()
            screen.wait_for("learning: 1 of 2; solving: cost 3")
        screen.wait_for(" s  learning: 1 of 2")
        with display.hidden():
            last = [screen.lines.get() for _ in range(screen.lines.qsize())][-1]
            assert last == ""
    display.note("nobody asks")
    assert all("nobody" not in line for line in screen.lines.queue)


def test_threads_that_help_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)

    def help_out() -> None:
        with display.under_way("a part"):
            display.note("half of it")

    with display.under_way("learning"):
        helper = threading.Thread(target=help_out)
        helper.start()
        helper.join()
        screen.wait_for(" s  learning")
    assert all("part" not in line for line in screen.lines.queue)


def test_nothing_is_shown_where_nobody_looks(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display, "_PATIENCE", 0.0)
    with display.under_way("learning"):
        Limits().start().check()
    assert capfd.readouterr() == ("", "")


def test_a_terminal_that_was_closed_meanwhile_ends_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal:
        os.close(ours)
        monkeypatch.setattr(sys, "stderr", terminal)
        display._show_on_terminal("1 s  solving")
        monkeypatch.undo()
