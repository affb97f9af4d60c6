"""The one exit: whatever is said of a policy is that policy's, and what contradicts itself is not said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpaplan import Limits, Solution, evaluate, ground, load, solve
from gpaplan._core import GIVE_UP
from gpaplan.benchmarks import generate
from gpaplan.errors import ContradictionError
from gpaplan.solving import answer
from gpaplan.solving.answer import contradictions
from gpaplan.solving.solvers import SolverName
from gpaplan.statuses import Guarantee, Status
from tests.fuzzing import SOLVERS

TASK = ground(generate("gripper", 2))


def test_an_answer_agrees_with_itself() -> None:
    for found in (solve(TASK), solve(TASK, heuristic="lmcut"), solve(TASK, limits=Limits(states=2))):
        assert list(contradictions(found)) == []


CONTRADICTIONS: list[dict[str, Any]] = [
    {"lower_bound": 1e9},
    {"gap": 3.0},
    {"goal_probability": 0.5},
    {"goal_probability": None},
    {"goal_probability": 1.5},
    {"proper": False},
    {"closed": False},
    {"value": float("inf"), "gap": None, "proper": False, "goal_probability": 0.5},
    {"status": Status.NO_PROPER_POLICY},
    {"status": Status.TIME_LIMIT},
    {"lower_bound": 1.0, "gap": 6.5},
    {"policy_states": 0},
]


@pytest.mark.parametrize("wrong", CONTRADICTIONS, ids=str)
def test_a_contradiction_is_seen(wrong: dict[str, Any]) -> None:
    found = solve(TASK, heuristic="lmcut")
    assert found.guarantee == Guarantee.OPTIMAL
    assert list(contradictions(replace(found, **wrong)))


def test_a_contradiction_is_our_bug_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "contradictions", lambda said: iter([f"{said.solver} is no solver"]))
    with pytest.raises(ContradictionError, match=r"bug in gpaplan.*report") as caught:
        solve(TASK, "lrtdp")
    assert caught.value.exit_code == 70
    evidence = json.loads(caught.value.evidence)
    assert (evidence["solver"], evidence["seed"], evidence["prove"]) == ("lrtdp", 0, False)


STALE = {
    "stale-proper-true": ("lrtdp", 4.75, 0.5),
    "stale-goal-probability": ("lao", 4.0, 1.0),
}
FILES = Path(__file__).parents[1] / "regression/reproducers"


@pytest.mark.parametrize("name", STALE)
def test_what_is_said_is_of_the_policy_that_the_proof_has_found(name: str) -> None:
    solver, cost, probability = STALE[name]
    task = load(FILES / f"{name}.ppddl", cost="metric")
    found = solve(task, solver, heuristic="hadd", dead_end_cost=7, prove=True)  # type: ignore[arg-type]
    assert (found.value, found.goal_probability, found.proper) == (cost, probability, probability == 1)
    worth = evaluate(task, found.policy)
    assert (worth.goal_probability, worth.proper) == (probability, probability == 1)


def struck(solver: SolverName, looks: int, **settings: Any) -> Solution:
    """What is found if the time limit comes after so many looks at it."""
    stop = Limits().start()
    stop.strike_after(looks)
    return solve(ground(generate("triangle-tireworld", 2)), solver, limits=stop, **settings)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("penalty", [None, 8.0])
def test_a_limit_at_any_moment_leaves_no_false_bound(solver: SolverName, penalty: float | None) -> None:
    """A state that was not backed up has no value: it is neither a dead end nor known to be dear."""
    optimum = solve(ground(generate("triangle-tireworld", 2)), "vi", dead_end_cost=penalty).value
    statuses = set()
    for looks in [*range(60), *range(60, 2000, 97)]:
        found = struck(solver, looks, heuristic="hmax", dead_end_cost=penalty, symmetry="off")
        assert found.lower_bound <= optimum * (1 + 1e-9), looks
        assert found.value >= optimum * (1 - 1e-9), looks
        assert found.status in ("time-limit", "solved")
        statuses.add(found.status)
    assert "time-limit" in statuses


@pytest.mark.parametrize(
    ("name", "theta"), [("triangle-tireworld", (5,)), ("cosanostra", (9,)), ("zenotravel", (8, 6, 3, 1))]
)
@pytest.mark.parametrize("work", [500, 10_000])
def test_where_one_may_give_up_there_is_a_closed_policy_at_every_limit(
    name: str, theta: tuple[int, ...], work: int
) -> None:
    found = solve(ground(generate(name, *theta)), dead_end_cost=200.0, work=work, effort="proven")
    assert found.status == "state-limit"
    assert found.closed
    assert found.lower_bound <= found.value <= 200.0


def test_with_no_time_left_one_gives_up_at_once() -> None:
    """An interrupt leaves no time to look at what was explored."""
    search = solve(ground(generate("triangle-tireworld", 3)), "vi", dead_end_cost=5.0).search
    stop = Limits().start()
    stop.interrupt()
    report, actions, _ = search.explored_policy(stop)
    assert (report.closed, report.cost, report.states) == (True, 5.0, 1)
    assert actions == [GIVE_UP]
