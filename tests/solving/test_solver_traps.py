"""Cases in which a solver is easily wrong; each one has been seen in a program of the kind."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from gpaplan import Limits, Solution, evaluate, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.solving.heuristics import HeuristicName
from gpaplan.solving.solvers import LRTDP, SOLVERS, SolverName, make_solver
from gpaplan.tasks.task import GroundAtom, GroundTask
from tests.chains import Row
from tests.decision_processes import Process, process_task
from tests.floats import near
from tests.triangle_tireworld import triangle_tireworld

HEURISTICS = ("blind", "hmax", "lmcut", "pdb", "ff")
ALL = [(solver, heuristic) for solver in SOLVERS for heuristic in (HEURISTICS if solver != "vi" else ("blind",))]
ONE = Fraction(1)
every_solver = pytest.mark.parametrize(("solver", "heuristic"), ALL)


def solved(
    task: GroundTask, solver: SolverName, heuristic: HeuristicName, dead_end_cost: float | None = None
) -> Solution:
    """Within a minute, or the status says so."""
    limits = Limits(seconds=60)
    return solve(task, make_solver(solver), heuristic=heuristic, dead_end_cost=dead_end_cost, limits=limits)


@every_solver
def test_a_dead_end_that_is_recognised_late(solver: SolverName, heuristic: HeuristicName) -> None:
    """A parent that is labelled solved before its child turns out to be dead gives 2 instead of 6.25."""
    solution = solved(triangle_tireworld(1), solver, heuristic)
    assert (solution.status, solution.proper) == ("solved", True)
    assert solution.value == near(6.25) or (solver == "wlao" and solution.value > 6.25)


def implicit_dead_end() -> GroundTask:
    """One may wander about for ever in two of the states; a shortcut leads there in one of two cases."""
    half = Fraction(1, 2)
    wander = {2: [Row(ONE, {3: ONE})], 3: [Row(ONE, {2: half, 3: half})]}
    start = {0: [Row(ONE, {1: half, 2: half}), Row(Fraction(10), {1: ONE})]}
    return process_task(Process(start | wander, frozenset({1})), hidden=True)


@every_solver
def test_the_residual_is_capped_like_the_backup(solver: SolverName, heuristic: HeuristicName) -> None:
    """Else the residual of a state in an implicit dead end never gets small, and nothing above it is labelled."""
    for dead_end_cost, value in ((None, 10), (4, 3), (15, 8.5), (500, 10)):
        solution = solved(implicit_dead_end(), solver, heuristic, dead_end_cost)
        assert solution.status == "solved"
        assert solution.value == pytest.approx(value, abs=1e-4), dead_end_cost


@every_solver
def test_the_start_is_a_goal(solver: SolverName, heuristic: HeuristicName) -> None:
    task = process_task(Process({0: [Row(ONE, {1: ONE})]}, frozenset({0})))
    for dead_end_cost in (None, 5):
        solution = solved(task, solver, heuristic, dead_end_cost)
        assert (solution.status, solution.value, solution.estimate, solution.proper) == ("solved", 0, 0, True)
        assert len(solution.policy) == 0


@every_solver
def test_a_trap_is_no_way_to_the_goal(solver: SolverName, heuristic: HeuristicName) -> None:
    """All actions lead into a loop: no policy is proper, and the goal is reached in one of three cases."""
    third = Fraction(1, 3)
    loop = {2: [Row(ONE, {3: ONE})], 3: [Row(ONE, {4: ONE})], 4: [Row(ONE, {2: ONE}), Row(ONE, {3: ONE})]}
    task = process_task(Process({0: [Row(ONE, {1: third, 2: 2 * third})], **loop}, frozenset({1})), hidden=True)
    solution = solved(task, solver, heuristic)
    assert (solution.status, solution.value, solution.guarantee) == ("no-proper-policy", math.inf, "none")
    assert solution.goal_probability == pytest.approx(1 / 3, rel=1e-12)
    assert evaluate(task, solution.policy).goal_probability == solution.goal_probability


@every_solver
def test_the_goal_is_out_of_reach(solver: SolverName, heuristic: HeuristicName) -> None:
    for actions in ({}, {0: [Row(ONE, {0: ONE})]}, {0: [Row(ONE, {2: ONE})], 2: [Row(ONE, {0: ONE})]}):
        solution = solved(process_task(Process(actions, frozenset({1}))), solver, heuristic)
        assert (solution.status, solution.goal_probability) == ("no-proper-policy", 0)
        penalised = solved(process_task(Process(actions, frozenset({1}))), solver, heuristic, 7)
        assert (penalised.status, penalised.value, penalised.goal_probability) == ("solved", near(7), 0)


@every_solver
def test_a_dead_end_is_never_risked(solver: SolverName, heuristic: HeuristicName) -> None:
    """Neither for its improbability nor for the price of the way around."""
    rare = Fraction(1, 1_000_000)
    start = [Row(ONE, {1: 1 - rare, 2: rare}), Row(Fraction(1000), {1: ONE})]
    solution = solved(process_task(Process({0: start}, frozenset({1})), hidden=True), solver, heuristic)
    assert (solution.status, solution.value, solution.proper) == ("solved", near(1000), True)


@pytest.mark.parametrize(
    ("solver", "bits"), [("vi", 18), ("lrtdp", 17), ("soft-flares", 17), ("ilao", 12), ("lao", 11)]
)
def test_a_deep_graph(solver: SolverName, bits: int) -> None:
    """Up to 262,143 steps one after the other: recursion as deep as the graph would crash.

    The heuristic knows the cost. LAO* and improved LAO* still walk the whole way for each step that they add to it.
    """

    def left(state: frozenset[GroundAtom]) -> float:
        return float(2**bits - 1 - sum(2 ** int(atom.predicate.removeprefix("b")) for atom in state))

    solution = solve(counter(bits), make_solver(solver), heuristic=left, limits=Limits(seconds=120))
    assert (solution.status, solution.value, solution.policy_states) == ("solved", 2**bits - 1, 2**bits)


def counter(bits: int) -> GroundTask:
    """Counts up to the largest number, one by one; the goal is the last one."""
    actions = [
        f"(:action count{i} :precondition (and (not (b{i})) {' '.join(f'(b{j})' for j in range(i))})"
        f" :effect (and (b{i}) {' '.join(f'(not (b{j}))' for j in range(i))}))"
        for i in range(bits)
    ]
    names = " ".join(f"(b{i})" for i in range(bits))
    parsed = parse_task(
        f"(define (domain counter) (:requirements :adl) (:predicates {names}) {' '.join(actions)})"
        f"(define (problem counter-{bits}) (:domain counter) (:init) (:goal (and {names})))"
    )
    return ground(parsed.domain, parsed.problem)


@every_solver
def test_many_outcomes(solver: SolverName, heuristic: HeuristicName) -> None:
    """Eight coins have 256 joint outcomes; one throws until all show heads, those that do are kept."""
    coins = range(8)
    names = " ".join(f"(heads{i})" for i in coins)
    throws = " ".join(f"(probabilistic 1/2 (heads{i}))" for i in coins)
    parsed = parse_task(
        f"(define (domain coins) (:requirements :adl :probabilistic-effects) (:predicates {names})"
        f" (:action throw :effect (and {throws})))"
        f"(define (problem eight) (:domain coins) (:init) (:goal (and {names})))"
    )
    solution = solved(ground(parsed.domain, parsed.problem), solver, heuristic)
    # The largest of eight geometric numbers: the sum over k of the probability that it exceeds k.
    expected = sum(1 - (1 - 0.5**k) ** len(coins) for k in range(200))
    assert solution.value == pytest.approx(expected, rel=1e-12)


@every_solver
def test_fractions_that_overflow_32_bits(solver: SolverName, heuristic: HeuristicName) -> None:
    """The probabilities' common denominator has more than 64 bits."""
    primes = (4294967291, 4294967279, 4294967231)
    parts = " ".join(f"(probabilistic {prime - 1}/{prime} (done{i}))" for i, prime in enumerate(primes))
    goal = " ".join(f"(done{i})" for i in range(3))
    parsed = parse_task(
        f"(define (domain primes) (:requirements :adl :probabilistic-effects) (:predicates {goal})"
        f" (:action try :effect (and {parts})))"
        f"(define (problem three) (:domain primes) (:init) (:goal (and {goal})))"
    )
    solution = solved(ground(parsed.domain, parsed.problem), solver, heuristic)
    assert solution.status == "solved"
    assert solution.value == pytest.approx(1 + sum(1 / prime for prime in primes), rel=1e-15, abs=1e-15)


@every_solver
def test_a_trial_does_not_linger(solver: SolverName, heuristic: HeuristicName) -> None:
    """Both states of a loop are nearly always stayed in, and the way out is rare: trials that draw each step take
    10^10 of them before they know that there is none."""
    rare = Fraction(1, 100_000)
    loop = {
        0: [Row(ONE, {0: 1 - rare, 2: rare})],
        2: [Row(ONE, {2: 1 - 2 * rare, 0: rare, 3: rare})],
        3: [Row(ONE, {0: ONE})],
    }
    solution = solved(process_task(Process(loop, frozenset({1}))), solver, heuristic)
    assert (solution.status, solution.goal_probability) == ("no-proper-policy", 0)


def test_what_is_labelled_stays_as_it_is() -> None:
    """A backup of a labelled state may turn to an equal action without labels, and nothing is proven any more."""
    made = generate("schedule", 1, 7)
    task = ground(made.domain, made.problem)
    found = solve(task, LRTDP(epsilon=1e-8), heuristic="lmcut")
    assert found.guarantee == "optimal"
    assert found.value == pytest.approx(21 / 0.94)
    assert found.residual is not None
    assert found.residual <= 1e-8
