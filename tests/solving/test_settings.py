"""Settings are records that are passed whole, by name or as objects; results are said in known words."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

import pytest

from gpaplan import (
    LRTDP,
    CanonicalAbstraction,
    GroundTask,
    Limits,
    PolicyAutomaton,
    RunSettings,
    SpaceSettings,
    StateSpace,
    Status,
    TooLargeError,
    UsageError,
    _core,
    evaluate,
    ground,
    learn,
    solve,
    verify,
)
from gpaplan.benchmarks import generate
from gpaplan.solving.heuristics import HEURISTICS, AnyHeuristic, HeuristicName
from gpaplan.solving.run import solve_with
from gpaplan.solving.solvers import SOLVERS, AnySolver, SolverName
from gpaplan.statuses import Guarantee


def gripper(balls: int) -> GroundTask:
    made = generate("gripper", balls)
    return ground(made.domain, made.problem)


TASK = gripper(2)

# --- names or records ---


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_is_given_by_name_or_as_a_record(name: str) -> None:
    by_name, by_record = solve(TASK, name), solve(TASK, SOLVERS[name]())  # type: ignore[arg-type]
    assert (by_name.solver, by_name.value, by_name.expanded) == (name, by_record.value, by_record.expanded)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"solver": "lrtpd"}, r"unknown solver 'lrtpd';  did you mean 'lrtdp'\? there are vi, lao, ilao, wlao"),
        ({"solver": "x"}, r"unknown solver 'x';  there are vi, lao"),
        ({"solver": 7}, r"7 is no solver; it is a record such as LRTDP\(\) .*, or one of the names vi, lao"),
        ({"solver": LRTDP}, r"LRTDP'> is no solver; it is a record such as LRTDP\(\)"),
        ({"heuristic": "lmcutt"}, r"unknown heuristic 'lmcutt';  did you mean 'lmcut'\? there are blind, hmax"),
        ({"heuristic": 7}, r"7 is no heuristic; it is a function of a state, or one of the names blind"),
        ({"limits": 10}, r"limits are Limits\(seconds, megabytes, states\), or such limits started, not 10"),
        ({"fallback": "never"}, "unknown fallback 'never'"),
        ({"symmetry": "of"}, r"unknown symmetry 'of';  did you mean 'off'\? there are on, off, auto"),
        ({"max_outcomes": 0}, "max_outcomes must be a whole number of at least 1, not 0"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_right(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        solve(TASK, **arguments)


def test_mypy_knows_the_names_of_solvers_and_heuristics() -> None:
    """mypy, strict, finds an ignored error that is none: were the names any text, ``make types`` would fail here."""
    with pytest.raises(UsageError):
        solve(TASK, solver="lmcutt")  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        solve(TASK, heuristic="lmcutt")  # type: ignore[arg-type]


def test_an_abstraction_is_given_by_name_or_as_a_record() -> None:
    solution = solve(TASK, heuristic="lmcut")
    by_name = learn(TASK.domain, [solution], abstraction="canonical")
    assert by_name == learn(TASK.domain, [solution], abstraction=CanonicalAbstraction())
    assert learn(TASK.domain, [solution], abstraction="canonical", automaton=by_name) == by_name
    for wrong, message in (
        ("canonicl", r"unknown abstraction 'canonicl';  did you mean 'canonical'\? there are canonical"),
        (CanonicalAbstraction, "is no abstraction; it is an object with name, options, state and action"),
        (3, "3 is no abstraction"),
    ):
        with pytest.raises(UsageError, match=message):
            PolicyAutomaton.empty(TASK.domain, abstraction=wrong)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=message):
            PolicyAutomaton.from_json(by_name.to_json(), abstraction=wrong)  # type: ignore[arg-type]
    assert PolicyAutomaton.from_json(by_name.to_json(), abstraction="canonical") == by_name


# --- limits ---


def test_limits_that_run_already_are_shared() -> None:
    """Several calls under one clock: what one of them has used up the next one does not have."""
    policy = solve(TASK).policy
    stop = Limits(seconds=60).start()
    assert solve(TASK, limits=stop).status == "solved"
    assert evaluate(TASK, policy, limits=stop).proper
    assert verify(TASK, policy, limits=stop)
    spent = Limits(states=3).start()
    assert solve(gripper(4), "vi", limits=spent).status == Status.STATE_LIMIT
    assert solve(TASK, "vi", limits=spent).status == Status.STATE_LIMIT


def test_progress_of_limits_that_run_is_their_own() -> None:
    with pytest.raises(UsageError, match="give it to Limits"):
        solve(TASK, limits=Limits().start(), progress=lambda _so_far: None)


# --- records ---


def test_a_record_says_the_same_as_keywords() -> None:
    settings = RunSettings(solver="lao", heuristic="hmax", seed=3, dead_end_cost=50.0)
    settings = replace(settings, space=SpaceSettings(symmetry="on"), limits=Limits(states=10_000))
    found = solve_with(TASK, settings)
    same = solve(TASK, "lao", heuristic="hmax", seed=3, dead_end_cost=50.0, symmetry="on", limits=Limits(states=10_000))
    for name in ("status", "value", "expanded", "solver", "heuristic", "dead_end_cost", "seed", "symmetry_mode"):
        assert getattr(found, name) == getattr(same, name)
    assert found.symmetry is not None


def test_a_space_is_what_its_record_says() -> None:
    settings = SpaceSettings(symmetry="on", max_outcomes=1)
    space = StateSpace(TASK, settings)
    assert space.symmetry is not None
    with pytest.raises(TooLargeError):
        space.explore()
    assert StateSpace(TASK, replace(settings, max_outcomes=2)).explore().complete


@pytest.mark.parametrize("record", [RunSettings(), SpaceSettings()])
def test_records_do_not_change(record: Any) -> None:
    for each in dataclasses.fields(record):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, each.name, None)


# --- what solvers use and prove ---


@dataclass(frozen=True)
class Own:
    """LRTDP under another name, which declares nothing."""

    name: str = "own"
    epsilon: float = 1e-7

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        return search.lrtdp(stop)


class WithoutHeuristic(Own):
    uses_heuristic: ClassVar[bool] = False


class WithoutBound(Own):
    gives_lower_bound: ClassVar[bool] = False


def forbidden(_state: object) -> float:
    raise AssertionError("the heuristic is not to be called")


def test_a_solver_that_declares_nothing_uses_a_heuristic_and_gives_a_lower_bound() -> None:
    found = solve(TASK, Own(), heuristic="lmcut")
    assert (found.heuristic, found.guarantee) == ("lmcut", "optimal")
    assert solve(gripper(4), Own(), heuristic="ff").guarantee == "none"


@pytest.mark.parametrize("solver", ["vi", WithoutHeuristic()])
def test_a_solver_without_heuristic_is_asked_for_none(solver: Any) -> None:
    found = solve(TASK, solver, heuristic=forbidden)
    assert (found.heuristic, found.guarantee) == (None, Guarantee.OPTIMAL)


def test_nothing_is_proven_by_an_estimate_that_is_no_bound() -> None:
    found = solve(gripper(4), WithoutBound(), heuristic="lmcut")
    assert (found.status, found.guarantee) == (Status.SOLVED, Guarantee.NONE)
    assert found.lower_bound < found.value
    assert found.value == pytest.approx(solve(gripper(4), "lrtdp", heuristic="lmcut").value)


def test_what_can_be_proven_is_known_before_a_run() -> None:
    settings = RunSettings(solver="lao", heuristic="lmcut")
    assert settings.proves_optimality
    assert not replace(settings, heuristic="ff").proves_optimality
    assert replace(settings, heuristic="ff", solver="vi").proves_optimality
    assert not replace(settings, solver=WithoutBound()).proves_optimality

    def zero(_state: object) -> float:
        return 0.0

    assert not replace(settings, heuristic=zero).proves_optimality
    zero.admissible = True  # type: ignore[attr-defined]
    assert replace(settings, heuristic=zero).proves_optimality


# --- words ---


def test_statuses_and_guarantees_are_texts_from_a_list() -> None:
    found = solve(TASK, heuristic="lmcut")
    assert found.status == "solved"
    assert f"{found.status}" == "solved"
    assert isinstance(found.status, Status)
    assert isinstance(found.guarantee, Guarantee)
    assert json.loads(json.dumps(found.to_json()))["guarantee"] == "optimal"
    large = gripper(4)
    guided = solve(large, heuristic="lmcut", automaton=learn(large.domain, [solve(large, heuristic="lmcut")]))
    assert guided.guarantee is Guarantee.HIERARCHICALLY_OPTIMAL
    assert solve(gripper(8), heuristic="blind", limits=Limits(states=10)).status is Status.STATE_LIMIT


def test_the_types_of_names_are_those_of_the_tables() -> None:
    assert set(get_args(HeuristicName)) == set(HEURISTICS)
    assert set(get_args(SolverName)) == set(SOLVERS)
    assert set(get_args(AnyHeuristic)) >= {HeuristicName}, "a type checker finds a misspelt name"
    assert set(get_args(AnySolver)) >= {SolverName}
