"""Searches that take turns, under an automaton and of the whole task: what it costs, and that the answer is right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
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
from gpaplan.automata.filters import Match
from gpaplan.benchmarks import generate
from gpaplan.solving import portfolio, run
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.portfolio import Lane, Member, Outlook, portfolio_of
from gpaplan.solving.run import SoFar
from gpaplan.solving.running import Running, RunningLane, SearchFactory, next_round
from gpaplan.solving.settings import Effort, RunSettings
from gpaplan.solving.solvers import LRTDP, SolverName, ValueIteration, solver_of

SOLVERS = ("vi", "lao", "ilao", "lrtdp", "soft-flares", "ssipp")
MATCH: tuple[Match, ...] = ("strict", "coarse")


# --- what it costs ---


@dataclass
class Worker:
    """A search that needs so much work."""

    needs: int
    work: int = 0
    progress: float = 1.0

    @property
    def search(self) -> Worker:
        return self


def lanes_of(*needs: list[int], after: Sequence[int]) -> list[RunningLane]:
    """Lanes of searches that have begun, of members that need so much work."""
    member = Member(solver=LRTDP(), heuristic="ff")
    return [
        RunningLane(Lane((member,) * len(own), begins), runs=[Worker(each) for each in own])  # type: ignore[misc]
        for own, begins in zip(needs, after, strict=True)
    ]


@pytest.mark.parametrize("levels", [1, 4])
@pytest.mark.parametrize("whole", [10, 10**6, 10**7, 10**9])
@pytest.mark.parametrize("constrained", [10, 10**6, 10**7, 10**9])
def test_it_takes_about_twice_the_work_of_the_better_one(constrained: int, whole: int, levels: int) -> None:
    """However the constrained work is spread over levels, of which the last one has the policy."""
    alone = portfolio.ALONE
    lanes = lanes_of([constrained // levels] * levels, [whole], after=[0, alone])
    while not any(lane.is_over for lane in lanes):
        for lane, work in next_round(lanes, sum(lane.work for lane in lanes), False):
            running: Any = lane.running
            running.work = running.needs if work is None else min(running.needs, running.work + work)
            if running.work == running.needs:
                lane.advance()
    assert sum(lane.work for lane in lanes) <= 2.5 * min(constrained, whole) + 2 * alone
    if constrained <= alone:
        assert lanes[1].work == 0


@pytest.mark.parametrize("lanes", [2, 3, 5])
def test_each_lane_has_its_share_whatever_the_others_do(lanes: int) -> None:
    """The shortest of many searches ends after no more than its work times their number, and a turn of each."""
    for shortest in range(lanes):
        needs = [[10**6 if lane == shortest else 10**9] for lane in range(lanes)]
        running = lanes_of(*needs, after=[0] * lanes)
        while running[shortest].work < 10**6:
            for lane, work in next_round(running, sum(each.work for each in running), False):
                assert work is not None
                search: Any = lane.running
                search.work = min(search.needs, search.work + work)
        assert sum(each.work for each in running) <= 1.6 * lanes * 10**6


def test_shares_follow_what_is_found_and_how_far_a_search_is() -> None:
    """A lane that has found a policy steps back, and so does one that meets far more states than it expands."""
    finder, prover = lanes_of([10**9], [10**9], after=[0, 0])
    finder.plan = replace(finder.plan, later_share=0.25)

    def parts(found: bool) -> list[float]:
        finder.granted = prover.granted = 0
        turns = [work for _, work in next_round([finder, prover], 10**8, found)]
        return [work / sum(filter(None, turns)) for work in turns if work is not None]

    assert parts(False) == pytest.approx([1 / 2, 1 / 2], abs=1e-6)
    assert parts(True) == pytest.approx([1 / 5, 4 / 5], abs=1e-6)
    worker: Any = prover.running
    for progress, share in ((0.8, 0.8**4), (0.1, 0.2)):
        worker.progress = progress
        assert parts(False) == pytest.approx([1 / (1 + share), share / (1 + share)], abs=1e-6)


def test_sweeps_over_all_states_take_as_long_as_finding_them() -> None:
    """Value iteration that is stopped in its sweeps begins them again."""
    sweeping, other = lanes_of([10**9], [10**9], after=[0, 0])
    sweeping.plan = replace(sweeping.plan, members=(Member(solver=ValueIteration(), heuristic="blind"),))
    search: Any = sweeping.running
    search.work = sweeping.granted = 10**6
    assert [work for _, work in next_round([sweeping, other], 10**6, False)] == [10**6, 125_001]
    search.progress = 0.99
    assert next(work for _, work in next_round([sweeping, other], 10**6, False)) != 10**6


def test_who_takes_more_than_its_turn_waits() -> None:
    """One estimate of a large task may take longer than many turns."""
    slow, other = lanes_of([10**9], [10**9], after=[0, 0])
    for _ in range(60):
        for lane, work in next_round([slow, other], slow.work + other.work, False):
            assert work is not None
            search: Any = lane.running
            search.work += max(10**6, work) if lane is slow else work
    assert other.work > 10**6
    assert slow.work <= 1.5 * other.work + 10**6


@pytest.mark.parametrize("effort", ["first", "balanced", "proven"])
@pytest.mark.parametrize("theta", [("triangle-tireworld", 3), ("delivery", 3, 9, 2, 1, 1), ("zenotravel", 3, 2, 2, 1)])
def test_threads_do_not_change_the_answer(
    theta: tuple[str, *tuple[int, ...]], effort: Effort, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_WORTH_THREADS", 0)
    task = ground(generate(*theta))
    answers = [solve(task, effort=effort, threads=threads).to_json() for threads in (1, 2, 3)]
    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1] == answers[2]


def test_a_limit_ends_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_WORTH_THREADS", 0)
    found = solve(ground(generate("cosanostra", 20)), prove=True, threads=2, limits=Limits(seconds=0.2))
    assert found.status == "time-limit"


def test_patience_grows_with_the_gap() -> None:
    """A policy that may be ten times as dear as the optimum is worth ten times the work, if the gap does not shrink."""

    def patience(ratio: float, work: int = 1000) -> int:
        outlook = Outlook()
        while not outlook.is_dim(work, ratio):
            work += work // 4
        return work

    least, longer = patience(1.1), patience(11)
    assert portfolio.LEAST_PATIENCE <= least <= 2 * portfolio.LEAST_PATIENCE
    assert 5 * least < longer < 20 * least
    assert 10**8 < patience(1.1, 10**8) < 2 * 10**8


def test_a_gap_that_shrinks_is_worth_waiting_for() -> None:
    outlook, work, ratio = Outlook(), 10**6, 1000.0
    while ratio > 1.001:
        assert not outlook.is_dim(work, ratio)
        work, ratio = 2 * work, ratio**0.5


def test_weighted_lao_star_finds_better_policies_with_smaller_weights() -> None:
    task = ground(generate("zenotravel", 3, 2, 2, 1))
    first, last = (solve(task, "wlao", effort=effort) for effort in ("first", "balanced"))
    least = solve(task, "vi").value
    assert least * (1 - 1e-9) <= last.value < first.value


@pytest.mark.parametrize(("name", "theta"), [("cosanostra", (9,)), ("triangle-tireworld", (4,))])
def test_improved_lao_star_leaves_states_where_nothing_has_changed(name: str, theta: tuple[int, ...]) -> None:
    """Of a state there are 13 and 19 backups where each walk backs up all of them."""
    found = solve(ground(generate(name, *theta)), "ilao", heuristic="best", dead_end_cost=500.0)
    assert found.guarantee == "optimal"
    assert found.search.backup_count < 8 * found.expanded


def test_progress_tells_cost_and_bound() -> None:
    seen: list[SoFar] = []
    found = solve(ground(generate("zenotravel", 4, 4, 2, 1)), progress=seen.append)
    assert seen
    for before, after in pairwise(
        [*((each.value, each.lower_bound) for each in seen), (found.value, found.lower_bound)]
    ):
        assert before[1] <= before[0]
        assert before[0] >= after[0] * (1 - 1e-9)


@pytest.mark.parametrize("turn", [300, 2000])
@pytest.mark.parametrize("solver", ["lrtdp", "soft-flares", "ssipp"])
def test_many_short_turns_do_what_one_long_one_does(solver: SolverName, turn: int) -> None:
    """A trial that is stopped goes on where it was; were it to begin again, it would meet other states, and more."""
    task = task_of(1, 3, 4, 2)
    once, often = running_on(task, solver), running_on(task, solver)
    assert once.go_on(Limits().start())
    stop = Limits().start()
    taken = 1
    while not often.go_on(stop.part(max_work=often.search.work + turn)):
        taken += 1
        assert taken < 1000
    assert taken > 5
    assert often.search.estimate() == pytest.approx(once.search.estimate())
    found, expected = (each.space.core.expanded_count for each in (often, once))
    assert found == pytest.approx(expected, rel=0.0 if solver == "lrtdp" else 0.1)
    assert often.search.work <= 1.1 * once.search.work + 100 * taken  # a backup or a check is made again


def running_on(task: GroundTask, solver: SolverName) -> Running:
    space, heuristic = StateSpace(task), make_heuristic("ff", task)
    search = _core.Search(
        space=space.core, heuristic=heuristic, epsilon=1e-5, dead_end_cost=math.inf, seed=0, precision=1e-6
    )
    return Running(Member(solver=solver_of(solver), heuristic="ff"), space, heuristic, search)


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
    monkeypatch.setattr(portfolio, "ALONE", alone)
    running: list[Running] = []
    make = SearchFactory.begin

    def keep(*args: Any) -> Running:
        begun = make(*args)
        assert begun is not None
        running.append(begun)
        return begun

    monkeypatch.setattr(SearchFactory, "begin", keep)
    training, largest = FAMILIES[family]
    small = [ground(generate(family, *theta), relevance=False) for theta in training]
    automaton = learn(small[0].domain, [solve(each, "lao", heuristic="lmcut") for each in small])
    task = ground(generate(family, *largest), relevance=False)

    def work(given: PolicyAutomaton | None) -> tuple[int, Solution]:
        running.clear()
        found = solve(task, "lrtdp", automaton=given, match=match, symmetry="off")
        return sum(each.search.work for each in running), found

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
    monkeypatch.setattr(portfolio, "ALONE", 50)


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
    table = CanonicalAbstraction().table(task)
    for state in range(len(space)):
        for action, _, outcomes in space.core.transitions(state):
            targets = tuple(table.state(space, successor) for _, successor in outcomes)
            yield Edge(table.state(space, state), table.action(space, state, action), targets)


def what_is_said(found: Solution) -> tuple[object, ...]:
    return found.status, found.value, found.expanded, found.fallback, found.matching


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("match", MATCH)
@pytest.mark.parametrize("solver", SOLVERS)
def test_whatever_the_automaton_the_answer_is_right(solver: SolverName, match: Match) -> None:
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
        found = solve(task, "lrtdp", automaton=automaton, limits=Limits(states=20))
        assert found.status in ("state-limit", "solved"), kind
        assert found.proper or found.status != "solved"


class OneGo:
    """A solver of one's own: it need not be able to go on where it was stopped."""

    name, epsilon = "one-go", 1e-5

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        return search.lao_star(stop)


@pytest.mark.usefixtures("impatient")
def test_a_solver_of_ones_own_runs_in_one_go() -> None:
    (constrained, _) = (
        RunningLane(lane) for lane in portfolio_of(RunSettings(solver=OneGo(), fallback="turns"), levels=1)
    )
    assert next_round([constrained], 0, False) == [(constrained, None)]
    task = task_of(1, 3, 3, 2)
    for kind, automaton in automata(task):
        assert solve(task, OneGo(), automaton=automaton).proper, kind
