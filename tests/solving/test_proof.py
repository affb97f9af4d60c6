"""A bound for every answer, and `prove`, which goes on until it is met."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpaplan import GroundTask, Limits, Solution, StateSpace, _core, evaluate, ground, learn, load, solve
from gpaplan.benchmarks import generate
from gpaplan.solving import portfolio, running
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.solvers import SolverName
from gpaplan.spaces.state_space import SymmetryMode
from tests.floats import at_most, near

DETOUR = """
(define (domain d) (:requirements :probabilistic-effects) (:predicates (start) (left) (right) (goal))
  (:action road :precondition (start) :effect (probabilistic {luck} (and (not (start)) (goal))))
  (:action detour :precondition (start) :effect (and (not (start)) (left)))
  (:action l :precondition (left) :effect (and (not (left)) (right)))
  (:action r :precondition (right) :effect (and (not (right)) (goal))))
(define (problem p) (:domain d) (:init (start)) (:goal (goal)))
"""


def benchmark(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


def begin_to_prove_after(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the search that was asked for; turns are as short."""
    lanes = tuple(replace(lane, after=after) for lane, after in zip(portfolio._PROVERS, (work, 2 * work), strict=True))
    monkeypatch.setattr(portfolio, "_PROVERS", lanes)
    monkeypatch.setattr(portfolio, "ALONE", 0)
    monkeypatch.setattr(running, "_LEAST_ROUND", work)


def is_consistent(found: Solution) -> bool:
    """Whether the numbers of a solution and its policy agree."""
    return (
        found.gap == pytest.approx(found.value - found.lower_bound)
        and evaluate(found.space.task, found.policy).cost == pytest.approx(found.value)
        and (found.policy_states or 0) >= len(found.decisions) > 0
    )


def test_a_bound_of_the_whole_task_comes_with_every_answer() -> None:
    found = solve(benchmark("gripper", 4), heuristic="ff")
    assert found.guarantee == "none"
    assert 0 < found.lower_bound < found.value
    assert found.bound_by in ("LM-cut at the start", "pattern databases at the start")
    proven = solve(benchmark("gripper", 4), heuristic="lmcut")
    assert proven.guarantee == "optimal"
    assert proven.bound_by == "the search itself"


@pytest.mark.parametrize("symmetry", ["on", "off"])
def test_the_gap_is_closed(symmetry: SymmetryMode) -> None:
    task = benchmark("gripper", 4)
    found = solve(task, heuristic="ff", prove=True, symmetry=symmetry)
    assert found.guarantee == "optimal"
    assert found.value == pytest.approx(solve(task, heuristic="lmcut").value)
    assert found.lower_bound == pytest.approx(found.value)
    assert found.bound_by.startswith("value iteration on all ")
    assert found.seconds["prove"] > 0
    assert is_consistent(found)


IN_TURNS = [("gripper", (4,)), ("rover", (1, 3, 2, 2)), ("triangle-tireworld", (2,)), ("blocksworld-towers", (4, 1))]


@pytest.mark.parametrize(("name", "theta"), IN_TURNS)
@pytest.mark.parametrize("solver", ["lrtdp", "ilao", "soft-flares"])
@pytest.mark.parametrize("first_turn", [40, 2000])
def test_search_and_proof_in_turns(
    name: str, theta: tuple[int, ...], solver: SolverName, first_turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little each may do before it is the other's turn, the policy is optimal, and is known to be."""
    begin_to_prove_after(first_turn, monkeypatch)
    task = benchmark(name, *theta)
    found = solve(task, solver, prove=True)
    assert found.guarantee == "optimal"
    assert found.value == pytest.approx(solve(task, "vi").value, rel=1e-6)
    assert is_consistent(found)
    assert sum(found.seconds[part] for part in ("search", "prove", "verify")) <= found.seconds["total"] + 1e-3


def test_in_turns_too_it_is_said_that_there_is_no_proper_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    begin_to_prove_after(5, monkeypatch)
    task = load("""
        (define (domain d) (:requirements :probabilistic-effects) (:predicates (at-0) (at-1) (at-2) (lost) (goal))
          (:action a :precondition (at-0) :effect (and (not (at-0)) (at-1)))
          (:action b :precondition (at-1) :effect (and (not (at-1)) (at-2)))
          (:action c :precondition (at-2) :effect (and (not (at-2)) (probabilistic 1/2 (goal) 1/2 (lost)))))
        (define (problem p) (:domain d) (:init (at-0)) (:goal (goal)))""")
    found = solve(task, heuristic="blind", prove=True)
    assert found.status == "no-proper-policy"
    assert found.goal_probability == pytest.approx(0.5)
    with_penalty = solve(task, heuristic="blind", prove=True, dead_end_cost=10)
    assert with_penalty.guarantee == "optimal"
    assert with_penalty.value == pytest.approx(3 + 10 / 2)


def test_a_limit_in_the_middle_of_turns_leaves_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    begin_to_prove_after(4, monkeypatch)
    task = benchmark("rover", 1, 4, 4, 2)
    found = solve(task, prove=True, symmetry="off", limits=Limits(states=10))
    assert found.status == "state-limit"
    assert found.guarantee == "none"
    assert found.lower_bound > 0
    assert at_most(found.lower_bound, solve(task, "vi").value, 1e-6)


def test_a_worse_policy_is_replaced() -> None:
    """An automaton learned where the road is bad allows the detour only, and here the road is good."""
    bad, good = load(DETOUR.format(luck="1/10")), load(DETOUR.format(luck="1/2"))
    automaton = learn(bad.domain, [solve(bad, heuristic="hmax")])
    held = solve(good, heuristic="hmax", automaton=automaton)
    assert (held.value, held.guarantee) == (near(3), "hierarchically-optimal")
    found = solve(good, heuristic="hmax", automaton=automaton, prove=True)
    assert (found.value, found.guarantee) == (near(2), "optimal")
    assert found.lower_bound == pytest.approx(2)
    assert found.fallback is False
    assert is_consistent(found)


def test_giving_up_is_part_of_the_proof() -> None:
    found = solve(load(DETOUR.format(luck="1/10")), heuristic="ff", dead_end_cost=2.5, prove=True)
    assert (found.value, found.guarantee) == (near(2.5), "optimal")


def test_at_a_limit_the_policy_and_the_best_bound_stay() -> None:
    task = benchmark("delivery", 3, 16, 3, 2, 1)
    found = solve(task, "wlao")
    held = solve(task, "wlao", prove=True, limits=Limits(states=found.expanded + 10))
    assert (held.status, held.value, held.guarantee) == ("solved", found.value, "none")
    assert at_most(found.lower_bound, held.lower_bound)
    assert held.lower_bound < held.value
    assert is_consistent(held)


def test_a_limit_of_states_is_each_searchs_own() -> None:
    """Value iteration expands fast: what it may not expand any more others may."""
    task = benchmark("delivery", 3, 16, 3, 2, 1)
    few = solve(task, effort="first", limits=Limits(states=300))
    assert (few.status, few.proper) == ("solved", True)
    assert few.policy_by.startswith("weighted LAO*")
    assert solve(task, "vi", limits=Limits(states=300)).status == "state-limit"


def test_what_is_proven_already_is_not_proven_again() -> None:
    found = solve(benchmark("gripper", 3), heuristic="lmcut", prove=True)
    assert found.guarantee == "optimal"
    assert "prove" not in found.seconds


def test_where_there_is_no_proper_policy_there_is_nothing_to_prove() -> None:
    found = solve(load(DETOUR.format(luck="1/10").replace("(:goal (goal))", "(:goal (and (left) (goal)))")), prove=True)
    assert (found.status, found.guarantee) == ("no-proper-policy", "none")


def test_a_part_of_the_limits_stops_with_the_whole() -> None:
    whole = Limits(states=10).start()
    part = whole.part(max_states=5)
    space = StateSpace(benchmark("gripper", 3), symmetry="off")
    search = _core.Search(
        space=space.core,
        heuristic=make_heuristic("blind", space.task),
        epsilon=1e-5,
        dead_end_cost=float("inf"),
        seed=0,
    )
    assert search.lao_star(part) == "states"
    assert (part.reason, whole.reason) == ("states", "")
    assert search.lao_star(whole.part(max_states=50)) == "states"
    assert whole.reason == "states"
    assert whole.part(max_states=1000).check() == "states"
