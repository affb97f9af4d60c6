"""The public checks let good solvers, heuristics and abstractions pass, and say what is wrong with bad ones."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from gpaplan import CanonicalAbstraction, GroundAction, GroundAtom, GroundTask, _core, ground
from gpaplan.benchmarks import generate
from gpaplan.solving.solvers import SOLVERS, make_solver
from gpaplan.testing import check_abstraction, check_heuristic, check_solver

# --- solvers ---


@pytest.mark.parametrize("name", list(SOLVERS))
def test_the_built_in_solvers_pass(name: str) -> None:
    check_solver(make_solver(name, 1e-7), optimal=name != "soft-flares")


@dataclass(frozen=True)
class OneBackup:
    """Stops at once: `solve` closes its policy, whatever it costs."""

    name: str = "one-backup"
    epsilon: float = 1e-5

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        search.backup(search.initial)
        return search.close_policy(stop)


@dataclass(frozen=True)
class NeverLooks:
    """Does not look at the limits."""

    name: str = "never-looks"
    epsilon: float = 1e-7

    def run(self, search: _core.Search, stop: _core.Stop) -> str:  # noqa: ARG002
        stopped = search.lrtdp(_core.Stop())
        if search.evaluation_count > 10_000:  # a large task: make sure that it takes long on a fast machine too
            until = time.thread_time() + 2
            while time.thread_time() < until:
                pass
        return stopped


@dataclass(frozen=True)
class Moody:
    """Another solver each time."""

    calls: Any = field(default_factory=itertools.count)
    name: str = "moody"
    epsilon: float = 1e-7

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        return search.value_iteration(stop) if next(self.calls) % 2 else search.lrtdp(stop)


def test_what_is_wrong_with_a_solver_is_said() -> None:
    with pytest.raises(AssertionError, match=r"on '.*': with heuristic \w+ the policy costs .*; value iteration finds"):
        check_solver(OneBackup())
    with pytest.raises(AssertionError, match="two runs with the same seed differ"):
        check_solver(Moody())
    with pytest.raises(AssertionError, match=r"with a limit of 0\.2 s it ran for .*; call stop\.check"):
        check_solver(NeverLooks())


# --- heuristics ---


@pytest.mark.parametrize("name", ["blind", "hmax", "hadd", "ff", "lmcut"])
def test_the_built_in_heuristics_pass(name: str) -> None:
    check_heuristic(name)  # type: ignore[arg-type]


def gripper(balls: int) -> GroundTask:
    made = generate("gripper", balls)
    return ground(made.domain, made.problem)


class BallsLeft:
    """What each ball that is not where it belongs costs at least, times a factor."""

    admissible = True

    def __init__(self, factor: float = 1) -> None:
        self.factor = factor

    def __call__(self, state: frozenset[GroundAtom]) -> float:
        waiting = sum(atom.predicate == "ball-in" and atom.arguments[1] == "room-a" for atom in state)
        held = sum(atom.predicate == "held" for atom in state)
        return self.factor * (2.25 * waiting + held)


class OfTask:
    """Sees the task: how many goal atoms are not true."""

    admissible = True

    def __init__(self, task: GroundTask) -> None:
        self.wanted = set(task.goal_atoms)

    def __call__(self, state: frozenset[GroundAtom]) -> float:
        return len(self.wanted - state)


def test_good_heuristics_pass() -> None:
    check_heuristic(BallsLeft(), tasks=[gripper(1), gripper(3)])
    check_heuristic(lambda state: float(len(state)))
    check_heuristic("goals left", for_task=OfTask)  # type: ignore[arg-type]


def test_what_is_wrong_with_a_heuristic_is_said() -> None:
    tasks = [gripper(2)]
    calls = itertools.count()
    with pytest.raises(AssertionError, match=r"on 'gripper-2': in the state \{.*but the optimal expected cost is"):
        check_heuristic(BallsLeft(factor=1.5), tasks=tasks)
    wrong: list[tuple[Any, str]] = [
        (lambda state: -1.0 * len(state), "it must be at least 0"),
        (lambda state: "many", "which is no number"),  # noqa: ARG005
        (lambda state: float("nan"), "it must be at least 0"),  # noqa: ARG005
        (lambda state: float("inf"), "infinity, but the goal can be reached"),  # noqa: ARG005
        (lambda state: next(calls), "another number when it is called again"),  # noqa: ARG005
    ]
    for heuristic, message in wrong:
        with pytest.raises(AssertionError, match=message):
            check_heuristic(heuristic, tasks=tasks)


# --- abstractions ---


class Counting:
    """How many atoms of each predicate hold; the schema of an action and how often its objects occur."""

    name = "counting"
    options: dict[str, Any] = {"most": (3, 5)}  # noqa: RUF012

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:
        counts = {each.name: 0 for each in task.domain.predicates}
        for atom in atoms:
            counts[atom.predicate] += 1
        return " ".join(f"{name}:{count}" for name, count in sorted(counts.items()))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:  # noqa: ARG002
        uses = [sum(name in atom.arguments for atom in atoms) for name in action.arguments]
        return f"{action.schema} {uses}"


class Naming(Counting):
    name = "naming"

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:  # noqa: ARG002
        return " ".join(sorted(map(str, atoms)))


class NamingActions(Counting):
    name = "naming actions"

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:  # noqa: ARG002
        return str(action)


class Fickle(Counting):
    name = "fickle"
    calls = itertools.count()

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:  # noqa: ARG002
        return str(next(self.calls) // 7)


class Numbers(Counting):
    name = "numbers"

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> Any:  # noqa: ARG002
        return len(atoms)


class Unwritable(Counting):
    name = "unwritable"
    options: dict[str, Any] = {"set": {1, 2}}  # noqa: RUF012


def test_good_abstractions_pass() -> None:
    check_abstraction(CanonicalAbstraction())
    check_abstraction(CanonicalAbstraction(goals=True))
    check_abstraction(Counting())


@pytest.mark.parametrize(
    ("abstraction", "message"),
    [
        (Naming(), r"other names for the objects change the label of the state \{.*labels must not depend on names"),
        (NamingActions(), r"other names for the objects change the label of the action \(.*\) in the state"),
        (Fickle(), "the label of the state"),
        (Numbers(), r"gives a state the label \d+, which is no text"),
        (Unwritable(), "the abstraction's options cannot be written as JSON"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_is_wrong_with_an_abstraction_is_said(abstraction: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_abstraction(abstraction)
