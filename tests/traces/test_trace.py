"""Traces: what is kept of trials, and everything that can be wrong with a file of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gpaplan import (
    DataError,
    GroundAction,
    GroundAtom,
    GroundTask,
    LimitError,
    Limits,
    Policy,
    StateSpace,
    Trace,
    UsageError,
    ground,
    record_trials,
    simulate,
    solve,
)
from gpaplan.benchmarks import generate
from gpaplan.cli import main
from gpaplan.traces.trace import Trial, TrialStep
from tests.chains import Row, Rows, policy_of, task_of
from tests.policies.test_policy import HALF, gripper, one_ball
from tests.policy_automata import learned

EXPECTED = """\
{
  "format": "gpaplan trace",
  "version": 1,
  "domain": "gripper",
  "problem": "gripper-1",
  "cost_mode": "unit",
  "automaton": null,
  "trials": [
    {"seed": 5, "end": "goal", "cost": 3.0, "initial": ["(ball-in ball0 room-a)", "(free left)", "(free right)", \
"(robot-in room-a)"], "steps": [
      {"action": "(pick ball0 room-a left)", "cost": 1.0, "added": ["(held ball0 left)"], \
"deleted": ["(ball-in ball0 room-a)", "(free left)"], "source": "policy"},
      {"action": "(move room-a room-b)", "cost": 1.0, "added": ["(robot-in room-b)"], \
"deleted": ["(robot-in room-a)"], "source": "policy"},
      {"action": "(drop ball0 room-b left)", "cost": 1.0, "added": ["(ball-in ball0 room-b)", "(free left)"], \
"deleted": ["(held ball0 left)"], "source": "policy"}
    ]}
  ]
}
"""


def carried() -> Trace:
    """A trial of the policy for one ball in which the gripper never misses."""
    task, policy = one_ball()
    trials = record_trials(task, policy, trials=50, seed=5).trials
    return Trace("gripper", "gripper-1", "unit", (next(each for each in trials if len(each.steps) == 3),))


def check(task: GroundTask, trial: Trial) -> None:
    """Every step of a trial is one that the task allows."""
    space = StateSpace(task)
    states = list(trial.states())
    assert states[0] == space.atoms(space.initial)
    assert len(states) == len(trial.steps) + 1
    for before, step, after in zip(states[:-1], trial.steps, states[1:], strict=True):
        found = {each.action: each for each in space.transitions(space.state(before))}[step.action]
        assert step.cost == pytest.approx(found.cost)
        assert after in {space.atoms(outcome.state) for outcome in found.outcomes}
        assert set(step.added) == after - before
        assert set(step.deleted) == before - after
    assert (trial.end == "goal") == space.is_goal(space.state(states[-1]))


def test_a_trace_is_written_one_step_a_line(tmp_path: Path) -> None:
    trace = carried()
    assert trace.to_text() == EXPECTED
    path = tmp_path / "trace.json"
    path.write_text("old")
    trace.write(path)
    assert path.read_text(encoding="utf-8") == EXPECTED
    assert os.listdir(tmp_path) == ["trace.json"]
    assert Trace.read(path) == trace
    assert Trace.from_json(trace.to_json()) == trace
    assert repr(trace) == "Trace('gripper-1': 1 trial, 3 steps)"


def test_everything_that_is_known_of_a_step_comes_back() -> None:
    step = TrialStep(GroundAction("go", ("a",)), 0.1, (GroundAtom("at"),), (), "search", "why “not”", "v3", 1 / 3, 2.5)
    automaton = learned("gripper", 1)
    trace = Trace("d", "p", "metric", (Trial(2**64 - 1, frozenset(), (step,), "limit", 0.1),), automaton)
    again = Trace.from_json(trace.to_json())
    assert again == trace
    assert again.automaton == automaton


@pytest.mark.parametrize("symmetry", ["off", "on"])
@pytest.mark.parametrize(("name", "size"), [("gripper", 4), ("delicate-can", 5), ("delicate-can-shah", 6)])
def test_the_trials_kept_are_those_of_the_simulation(name: str, size: int, symmetry: Any) -> None:
    """Also with symmetry, where the core goes from representative to representative, and the trace does not."""
    benchmark = generate(name, size)
    task = ground(benchmark.domain, benchmark.problem, relevance=False)
    policy = solve(task, symmetry=symmetry).policy
    trace = record_trials(task, policy, trials=30, horizon=12, seed=3)
    simulation = simulate(task, policy, trials=30, horizon=12, seed=3)
    ends = [trial.end for trial in trace.trials]
    assert ends.count("goal") / 30 == simulation.goal_rate
    costs = [trial.cost if trial.end == "goal" else max(trial.cost, 12) for trial in trace.trials]
    assert sum(costs) / 30 == pytest.approx(simulation.mean_cost)
    for trial in trace.trials:
        check(task, trial)
    if symmetry == "on":
        assert policy.symmetry is not None
        symmetric = policy.symmetry
        assert any(state != symmetric.representative(state) for trial in trace.trials for state in trial.states())


def test_the_random_policy_is_recorded_too() -> None:
    task = gripper(2)
    trace = record_trials(task, trials=20, horizon=30, seed=1)
    assert {step.source for trial in trace.trials for step in trial.steps} == {"random"}
    for trial in trace.trials:
        check(task, trial)
        assert trial.cost == len(trial.steps) == 30 or trial.end == "goal"


def test_giving_up_and_being_undefined_end_a_trial() -> None:
    rows: Rows = {0: Row(HALF, {1: HALF, 2: HALF}), 1: "give-up", 2: "goal"}
    task = task_of(rows)
    trace = record_trials(task, policy_of(task, rows, dead_end_cost=12.5), trials=40)
    assert {(trial.end, trial.cost) for trial in trace.trials} == {("goal", 0.5), ("give-up", 13.0)}
    trial = record_trials(task, Policy(task, {})).trials[0]
    assert (trial.end, trial.cost, trial.steps) == ("undefined", 0, ())


def test_bad_numbers_and_limits() -> None:
    task = gripper(2)
    with pytest.raises(UsageError, match="trials must be a whole number of at least 1, not 0"):
        record_trials(task, trials=0)
    with pytest.raises(LimitError, match="the time limit"):
        record_trials(gripper(40), horizon=2**31, limits=Limits(0.01))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(format="gpaplan policy"), 'format: must be "gpaplan trace"'),
        (lambda r: r.update(version=2), "version: 2 is newer"),
        (lambda r: r.pop("trials"), "trials: is missing"),
        (lambda r: r.update(extra=1), "unknown key 'extra'"),
        (lambda r: r.update(cost_mode="euro"), 'cost_mode: "euro" is not known'),
        (lambda r: r.update(automaton={}), "automaton.format: is missing"),
        (lambda r: r.update(automaton={"format": "x", "version": 1}), 'automaton.format: must be "gpaplan policy auto'),
        (lambda r: r["trials"][0].update(end="bored"), 'trials[0].end: "bored" is not known here'),
        (lambda r: r["trials"][0].update(cost=-1), "trials[0].cost: must be a number from 0, not -1"),
        (lambda r: r["trials"][0].update(seed=-1), "trials[0].seed: must be a whole number from 0, not -1"),
        (lambda r: r["trials"][0].update(initial=["()"]), "trials[0].initial[0]: '()' is not an atom or action"),
        (lambda r: r["trials"][0].update(initial=["(a)", "(A)"]), "trials[0].initial: an atom occurs twice"),
        (lambda r: r["trials"][0]["steps"][1].update(action=3), "trials[0].steps[1].action: must be an action such"),
        (lambda r: r["trials"][0]["steps"][1].update(action=""), "trials[0].steps[1].action: '' is not an atom or"),
        (lambda r: r["trials"][0]["steps"][1].pop("added"), "trials[0].steps[1].added: is missing"),
        (
            lambda r: r["trials"][0]["steps"][1].update(added=["(free right)"]),
            "trials[0].steps[1].added: the atom (free right) holds already",
        ),
        (
            lambda r: r["trials"][0]["steps"].pop(0),
            "trials[0].steps[1].added: the atom (free left) holds already",
        ),
        (
            lambda r: r["trials"][0]["steps"][1].update(deleted=["(no-such a)"]),
            "trials[0].steps[1].deleted: the atom (no-such a) does not hold before",
        ),
    ],
)
def test_faults_of_files_are_told_with_their_place(change: Any, message: str, tmp_path: Path) -> None:
    record = carried().to_json()
    change(record)
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Trace.read(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    with pytest.raises(DataError, match="<data>"):
        Trace.from_json(record)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", '{"format": NaN}', "[" * 10_000])
def test_what_is_no_trace_at_all(text: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError):
        Trace.read(path)


def test_simulate_writes_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark = generate("gripper", 2)
    domain, problem = benchmark.write(tmp_path)
    policy = tmp_path / "policy.json"
    task = ground(benchmark.domain, benchmark.problem)
    solve(task).policy.write(policy)
    for which, count, kept in ((policy, 30, 20), (policy, 3, 3), ("random", 5, 5)):
        file = tmp_path / "trace.json"
        command = ["simulate", str(domain), str(problem), "--policy", str(which), "--trials", str(count)]
        with pytest.raises(SystemExit) as ended:
            main([*command, "--trace", str(file), "--json"])
        assert ended.value.code == 0
        record = json.loads(capsys.readouterr().out)
        assert record["trace"] == str(file)
        trials = Trace.read(file).trials
        assert len(trials) == kept
        if kept == count:
            assert sum(max(each.cost, 0 if each.end == "goal" else 100) for each in trials) / count == pytest.approx(
                record["mean_cost"]
            )
    with pytest.raises(SystemExit) as ended:
        main([*command, "--trace", str(tmp_path / "no" / "trace.json")])
    assert ended.value.code == 31
