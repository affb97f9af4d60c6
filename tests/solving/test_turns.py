"""The search under an automaton and that of the whole task take turns: what it costs, and that the answer is right."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from gpaplan import (
    GroundTask,
    Limits,
    PolicyAutomaton,
    Solution,
    StateSpace,
    _core,
    ground,
    learn,
    parse_problem,
    solve,
)
from gpaplan.automata.automaton import Edge
from gpaplan.automata.canonical import CanonicalAbstraction
from gpaplan.automata.matching import Match
from gpaplan.benchmarks import generate
from gpaplan.solving import run, turns
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.solvers import solver_of
from gpaplan.solving.turns import Side, Turns, take_turn

SOLVERS = ("vi", "lao", "ilao", "lrtdp", "soft-flares", "ssipp")
MATCH: tuple[Match, ...] = ("strict", "coarse")


# --- what it costs ---


class WorkerSolver:
    """Works in units, as many as a side needs."""

    turns = "work"

    def run(self, search: Any, stop: Any) -> str:
        search.work = min(search.needs, stop.most)
        return "" if search.work == search.needs else "work"


@dataclass
class Worker:
    needs: int
    work: int = 0
    seconds: float = 0.0

    @property
    def search(self) -> Worker:
        return self

    def done(self, measure: str) -> int:
        assert measure == "work"
        return self.work

    def run(self, solver: Any, stop: Any) -> str:
        return str(solver.run(self, stop))


@dataclass
class Clock:
    """Limits that never come, but those of a turn."""

    most: int = 10**18
    reason: str = ""

    def part(self, *, max_work: int) -> Clock:
        return Clock(max_work)


@pytest.mark.parametrize("levels", [1, 4])
@pytest.mark.parametrize("whole", [10, 10**5, 10**6, 3 * 10**6, 10**7, 10**9])
@pytest.mark.parametrize("constrained", [10, 10**5, 10**6, 3 * 10**6, 10**7, 10**9])
def test_it_takes_about_twice_the_work_of_the_better_one(constrained: int, whole: int, levels: int) -> None:
    """However the constrained work is spread over levels, of which the last one has the policy."""
    solver: Any = WorkerSolver()
    other: Any = Worker(whole)
    race = Turns(solver, lambda: other)
    done = 0
    for level in range(levels):
        side: Any = Worker(constrained // levels)
        ended, reason = race.run(solver, side, Clock(), lambda _: None)  # type: ignore[arg-type]
        assert reason == ""
        done += side.work
        assert (ended is side) or (ended is other)
        if ended is other or level == levels - 1:
            break
    alone = turns.ALONE["work"]
    assert done + other.work <= 2.3 * min(constrained, whole) + 2 * alone
    if constrained <= alone:
        assert other.work == 0


@pytest.mark.parametrize("turn", [300, 2000])
@pytest.mark.parametrize("solver", ["lrtdp", "soft-flares", "ssipp"])
def test_many_short_turns_do_what_one_long_one_does(solver: str, turn: int) -> None:
    """A trial that is stopped goes on where it was; were it to begin again, it would meet other states, and more."""
    task = task_of(1, 3, 4, 2)
    once, often = side_of(task), side_of(task)
    assert once.run(solver_of(solver), Limits().start()) == ""
    stop = Limits().start()
    taken = 1
    while not take_turn(often, solver_of(solver), "work", turn, stop):
        taken += 1
        assert taken < 1000
    assert taken > 5
    assert often.search.estimate() == pytest.approx(once.search.estimate())
    found, expected = (each.space.core.expanded_count for each in (often, once))
    assert found == pytest.approx(expected, rel=0.0 if solver == "lrtdp" else 0.1)
    assert often.search.work <= 1.1 * once.search.work + 100 * taken  # a backup or a check is made again


def side_of(task: GroundTask) -> Side:
    space, heuristic = StateSpace(task), make_heuristic("ff", task)
    search = _core.Search(
        space=space.core, heuristic=heuristic, epsilon=1e-5, dead_end_cost=math.inf, seed=0, precision=1e-6
    )
    return Side(space, heuristic, search)


FAMILIES: dict[str, tuple[list[tuple[int, ...]], tuple[int, ...]]] = {
    "keva-shah": ([(2, 1), (4, 2), (6, 3)], (9, 3)),
    "gripper": ([(1,), (2,), (3,)], (6,)),
    "delicate-can-shah": ([(2,), (3,), (4,), (5,)], (6,)),
    "schedule-ippc": ([(1, 2), (1, 3), (1, 4)], (1, 5)),
}


@pytest.mark.parametrize("match", MATCH)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_automaton_costs_much_more_than_twice_the_work(
    family: str, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever edge is missing, and with none at all: work counts abstraction and the size of what a heuristic looks
    at, so it is a measure of time."""
    alone = 2_000
    monkeypatch.setattr(turns, "ALONE", {"work": alone, "states": alone})
    sides: list[Side] = []
    make_side = run._Run._side

    def keep_side(*args: Any) -> Side:
        sides.append(make_side(*args))
        return sides[-1]

    monkeypatch.setattr(run._Run, "_side", keep_side)
    training, largest = FAMILIES[family]
    small = [ground(generate(family, *theta), relevance=False) for theta in training]
    automaton = learn(small[0].domain, [solve(each, "lao", heuristic="lmcut") for each in small])
    task = ground(generate(family, *largest), relevance=False)

    def work(given: PolicyAutomaton | None) -> tuple[int, Solution]:
        sides.clear()
        found = solve(task, automaton=given, match=match, symmetry="off")
        return sum(side.search.work for side in sides), found

    plain, best = work(None)
    edges = list(automaton.edges)
    kinds = [edges, [], *([*edges[:i], *edges[i + 1 :]] for i in range(len(edges)))]
    for kept in kinds:
        done, found = work(automaton.with_edges(kept))
        assert found.proper
        assert found.value <= 1.2 * best.value  # FF is not admissible
        assert done <= 2.6 * plain + 4 * alone


# --- that the answer is right ---


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns begin almost at once, so that small problems take them."""
    monkeypatch.setattr(turns, "ALONE", {"work": 50, "states": 5})


def task_of(*theta: int) -> GroundTask:
    made = generate("rover", *theta)
    return ground(made.domain, made.problem)


def automata(task: GroundTask) -> Iterator[tuple[str, PolicyAutomaton]]:
    good = learn(task.domain, [solve(task_of(1, 3, s, 2), "lao", heuristic="lmcut") for s in (1, 2, 3, 4)])
    yield "good", good
    yield "lacks an edge", good.with_edges(good.edges[1:])
    yield "empty", good.with_edges([])
    yield "keeps everything", good.with_edges(every_edge(task))
    made = generate("rover", 1, 3, 2, 2)
    text = made.problem_text.replace("(delivered sample0)", "(imaged objective0)")
    other = ground(made.domain, parse_problem(made.domain, text))
    yield "learned for another goal", learn(task.domain, [solve(other, "lao", heuristic="lmcut")])


def every_edge(task: GroundTask) -> Iterator[Edge]:
    space = StateSpace(task)
    space.explore()
    table = CanonicalAbstraction().on(task)
    for state in range(len(space)):
        for action, _, outcomes in space.core.transitions(state):
            targets = tuple(table.state(space, successor) for _, successor in outcomes)
            yield Edge(table.state(space, state), table.action(space, state, action), targets)


def what_is_said(found: Solution) -> tuple[object, ...]:
    return found.status, found.value, found.expanded, found.fallback, found.matching


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("match", MATCH)
@pytest.mark.parametrize("solver", SOLVERS)
def test_whatever_the_automaton_the_answer_is_right(solver: str, match: Match) -> None:
    task = task_of(1, 3, 3, 2)
    optimum = solve(task, "lao", heuristic="lmcut").value
    kinds = set()
    for kind, automaton in automata(task):
        found = [solve(task, solver, heuristic="hmax", automaton=automaton, match=match) for _ in range(2)]
        assert what_is_said(found[0]) == what_is_said(found[1]), kind
        assert (found[0].status, found[0].proper) == ("solved", True), kind
        assert found[0].value == pytest.approx(optimum), kind
        assert found[0].matching is not None
        kinds.add((found[0].fallback, found[0].matching.overtaken))
    if solver != "vi":  # it looks at its limits every 256 states only, and there are fewer
        assert {fallback for fallback, _ in kinds} == {False, True}


@pytest.mark.usefixtures("impatient")
def test_a_limit_leaves_the_better_of_both() -> None:
    task = task_of(1, 3, 3, 2)
    for kind, automaton in automata(task):
        found = solve(task, automaton=automaton, limits=Limits(states=20))
        assert found.status in ("state-limit", "solved"), kind
        assert found.proper == (found.status == "solved")


def test_a_solver_of_ones_own_runs_in_one_go() -> None:
    """It need not be able to go on where it was stopped."""
    race = Turns(object(), lambda: pytest.fail("it was begun"))  # type: ignore[arg-type]
    assert race.measure is None


def test_soft_flares_loses_no_policy_to_a_limit() -> None:
    """It goes on with backups of a policy that is closed; stopped half-way, it has that policy still."""
    task = ground(generate("delicate-can-shah", 6), relevance=False)
    whole = side_of(task)
    assert whole.run(solver_of("soft-flares"), Limits().start()) == ""
    for percent in range(85, 101):
        side = side_of(task)
        take_turn(side, solver_of("soft-flares"), "work", percent * whole.search.work // 100, Limits().start())
        report, _ = side.search.verify(Limits().start())
        assert (report.closed, report.proper) == (True, True), percent
