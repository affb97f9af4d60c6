"""Why there is no proper policy: in words, as data, and right."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from gpaplan import Limits, Solution, StateSpace, _core, load, solve
from gpaplan.solving import reasons
from gpaplan.tasks.task import GroundTask
from tests import oracles
from tests.chains import Row
from tests.decision_processes import Process, process_task, random_process
from tests.examples import examples
from tests.paths import DOMAINS
from tests.spaces.test_dead_ends import reaching_states

LAMPS = """
(define (domain lamps) (:requirements :negative-preconditions) (:predicates (left) (right) (lit))
  (:action go :precondition (left) :effect (and (right) (not (left))))
  (:action back :precondition (right) :effect (and (left) (not (right)))))
(define (problem one) (:domain lamps) (:init (left))
  (:goal {goal}))
"""


def improper(task: GroundTask, limits: Limits | None = None) -> tuple[Solution, reasons.Reason]:
    solution = solve(task, heuristic="lmcut", symmetry="off", limits=limits)
    assert solution.status == "no-proper-policy"
    assert solution.reason is not None
    return solution, solution.reason


def test_a_part_of_the_goal_is_out_of_reach() -> None:
    solution, reason = improper(load(LAMPS.format(goal="(and (right)\n    (lit))")))
    assert (reason.kind, reason.goal_probability, solution.goal_probability) == ("goal-part", 0, 0)
    assert [part.text for part in reason.goal_parts] == ["(lit)"]
    assert str(reason) == "The goal cannot be reached: this part of it is out of reach: <string>:7: (lit)."
    assert "give up at once, at the cost D" in reason.advice


def test_each_part_can_be_reached_and_not_all_of_them() -> None:
    _, reason = improper(load(LAMPS.format(goal="(and (left) (right))")))
    assert (reason.kind, reason.goal_probability, reason.goal_parts) == ("goal", 0, ())
    assert "although no part of it is known to be out of reach by itself" in str(reason)


def test_no_goal() -> None:
    _, reason = improper(load(DOMAINS / "no-goal.ppddl"))
    assert (reason.kind, str(reason)) == ("no-goal", "The problem has no goal, so no state is one.")


def jumping() -> GroundTask:
    """A step that is safe, and then one of two jumps: the better one fails in a quarter of all cases."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    one = Fraction(1)
    rows = {
        0: [Row(one, {1: one})],
        1: [Row(one, {2: half, 3: half}), Row(one, {2: 1 - quarter, 3: quarter / 2, 4: quarter / 2})],
    }
    return process_task(Process(rows, frozenset({2})))


def test_chance_is_shown_by_an_action_and_a_state() -> None:
    solution, reason = improper(jumping())
    assert (reason.kind, reason.proven) == ("chance", True)
    assert reason.goal_probability == pytest.approx(0.75)
    assert (str(reason.action), list(map(str, reason.state or ()))) == ("(a1-1)", ["(at1)"])
    assert reason.probability == pytest.approx(0.25)
    assert list(map(str, reason.trajectory)) == ["(a0-0)", "(a1-1)"]
    for words in ("probability of reaching it is 0.75", "(a1-1), after 1 step", "with probability 0.25", "(at1)"):
        assert words in str(reason)
    assert "--dead-end-cost D" in reason.advice
    record = solution.to_json()["reason"]
    assert json.loads(json.dumps(record)) == record
    assert (record["action"], record["text"], record["advice"]) == ("(a1-1)", str(reason), reason.advice)
    assert pickle.loads(pickle.dumps(solution)).reason == reason


def test_where_there_is_a_proper_policy_there_is_no_reason() -> None:
    assert solve(load(DOMAINS / "dead-end.ppddl")).reason is None
    assert solve(jumping(), dead_end_cost=100).reason is None


@examples(80)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 30), hidden=st.booleans())
def test_random_processes(seed: int, size: int, hidden: bool) -> None:
    task = process_task(random_process(seed, size), hidden=hidden)
    solution = solve(task, heuristic="lmcut", symmetry="off")
    reason = solution.reason
    assert (reason is None) == (solution.status != "no-proper-policy")
    if reason is None:
        return
    space = StateSpace(task)
    space.explore()
    best = oracles.largest_goal_probability(space)
    assert reason.goal_probability == solution.goal_probability == pytest.approx(best, abs=1e-9)
    reaching = reaching_states(space)
    assert (reason.kind == "chance") == (space.initial in reaching)
    if reason.state is not None:
        (taken,) = (each for each in space.transitions(space.state(reason.state)) if each.action == reason.action)
        lost = sum(each.probability for each in taken.outcomes if each.state not in reaching)
        assert reason.probability == pytest.approx(lost)
        assert lost > 0


def test_a_probability_is_exact_however_rarely_a_loop_is_left() -> None:
    """Value iteration would need billions of sweeps: each moves the values by a billionth."""
    rare = Fraction(1, 10**9)
    one = Fraction(1)
    loop = {1: 1 - 4 * rare, 2: 3 * rare, 3: rare}
    rows = {0: [Row(one, loop), Row(one, {2: Fraction(1, 2), 3: Fraction(1, 2)})], 1: [Row(one, {0: one})]}
    _, reason = improper(process_task(Process(rows, frozenset({2}))))
    assert reason.kind == "chance"
    assert reason.goal_probability == pytest.approx(0.75, rel=1e-12)
    assert str(reason.action) == "(a0-0)"


def test_a_limit_of_states_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "MOST_STATES", 1)
    one, half = Fraction(1), Fraction(1, 2)
    rows = {state: [Row(one, {state + 1: half, 3000: half})] for state in range(2000)}
    _, reason = improper(process_task(Process(rows, frozenset({2000}))))
    assert (reason.kind, reason.goal_probability, reason.proven) == ("unknown", None, False)
    assert "too many states" in str(reason)
    assert "--dead-end-cost D" in reason.advice


def test_where_the_best_is_not_proven_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_arguments: object) -> None:
        raise _core.Stopped("states")

    monkeypatch.setattr(_core, "maximise_goal_probability", stopped)
    solution, reason = improper(jumping())
    assert (reason.kind, reason.proven, reason.stopped_by) == ("chance", False, "states")
    assert reason.goal_probability == solution.goal_probability == pytest.approx(0.75)
    assert "the best one found reaches it with probability 0.75 (no better one is ruled out" in str(reason)
