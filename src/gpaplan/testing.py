"""Checks for solvers, heuristics and abstractions of your own.

    from gpaplan.testing import check_abstraction, check_heuristic, check_solver

    check_solver(MySolver())
    check_heuristic(my_heuristic, tasks=tasks)
    check_abstraction(MyAbstraction())

Each runs a battery on small tasks: problems of the five benchmark domains, one with dead ends that a policy must avoid,
and, for solvers, one without a proper policy. Nothing is returned; what is wrong is an `AssertionError` that says on
which task, in which state, and what was expected. It takes a few seconds.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.canonical import (
    Abstraction,
    ActionLabel,
    AnyAbstraction,
    StateLabel,
    abstraction_of,
    full_abstraction,
)
from gpaplan.benchmarks import generate
from gpaplan.errors import UsageError
from gpaplan.learning.loop import learn
from gpaplan.limits import Limits
from gpaplan.policies.policy import show_state
from gpaplan.solving.heuristics import AnyHeuristic, Heuristic, PatternDatabases, is_admissible
from gpaplan.solving.run import solve
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import LRTDP, AnySolver, ValueIteration
from gpaplan.spaces.state_space import StateSpace
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import ground, load
from gpaplan.tasks.task import GroundTask

__all__ = ["check_abstraction", "check_heuristic", "check_solver"]

_SIZES = {
    "gripper": (2,),
    "rover": (1, 3, 1, 2),
    "schedule": (1, 2),
    "keva": (4, 2),
    "delicate-can": (3,),
}

_BRIDGES = """
(define (domain bridges)
  (:requirements :typing :probabilistic-effects)
  (:types place)
  (:predicates (at ?p - place) (road ?p ?q - place) (bridge ?p ?q - place))
  (:action drive :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q))
    :effect (and (not (at ?p)) (at ?q)))
  (:action cross :parameters (?p ?q - place) :precondition (and (at ?p) (bridge ?p ?q))
    :effect (and (not (at ?p)) (probabilistic 0.9 (at ?q)))))
(define (problem bridges-1) (:domain bridges) (:objects a b c d - place)
  (:init (at a) (bridge a d) (road a b) (road b c) (bridge b d) {road})
  (:goal (at d)))
"""
"""Crossing a bridge may be the end; the way around is longer. Without the road from c it is the only way."""


@cache
def _tasks() -> tuple[GroundTask, ...]:
    return (*(_benchmark(name, 0) for name in _SIZES), _bridges("(road c d)"))


def _benchmark(name: str, seed: int) -> GroundTask:
    return ground(generate(name, *_SIZES[name], seed=seed))


def _bridges(road: str) -> GroundTask:
    return load(_BRIDGES.replace("{road}", road))


def _optimal(task: GroundTask) -> Solution:
    return solve(task, ValueIteration(epsilon=1e-9))


def _expect(holds: bool, task: GroundTask, message: str) -> None:
    if not holds:
        raise AssertionError(f"on '{task.problem.name}': {message}")


_ANY_GAP = 1 - 1e-9
"""The precision with which `solve` does not go on where a solver left off: what it found is what is checked."""

# --- solvers ---------------------------------------------------------------------------------------------------------


def check_solver(solver: AnySolver, *, optimal: bool = True) -> None:
    """Check that a solver finds proper policies, at the least cost if ``optimal``, and keeps limits.

    Raises `AssertionError` if not. It is run with admissible heuristics and with one that is not, under an automaton,
    where there is no proper policy, and with next to no time.
    """
    for task in _tasks():
        optimum = _optimal(task).value
        for heuristic in ("blind", "lmcut", "ff"):
            found = solve(task, solver, heuristic=heuristic, precision=_ANY_GAP)
            _check_found(found, task, heuristic, optimum, optimal and heuristic != "ff")
        again = solve(task, solver, heuristic="lmcut", precision=_ANY_GAP)
        once = solve(task, solver, heuristic="lmcut", precision=_ANY_GAP)
        same = (again.value, again.expanded, again.decisions) == (once.value, once.expanded, once.decisions)
        _expect(
            same, task, "two runs with the same seed differ; take random numbers from a generator with a fixed seed"
        )
        automaton = learn(task.domain, [_optimal(task).policy])
        found = solve(task, solver, heuristic="lmcut", automaton=automaton, precision=_ANY_GAP)
        _expect(found.fallback is False, task, "no policy was found under an automaton that allows an optimal one")
        _check_found(found, task, "lmcut, under an automaton", optimum, optimal)
    _check_hopeless(solver)
    _check_limit(solver)


def _check_found(found: Solution, task: GroundTask, heuristic: str, optimum: float, exact: bool) -> None:
    how = f"with heuristic {heuristic} "
    _expect(found.status == Status.SOLVED, task, f"{how}the status is '{found.status}', not 'solved'")
    _expect(found.proper, task, f"{how}the policy does not reach the goal with probability one")
    slack = 4 * found.epsilon * (1 + optimum / task.core.cheapest_action()) + 1e-9
    _expect(
        not exact or found.value <= optimum + slack,
        task,
        f"{how}the policy costs {found.value:.9g}; value iteration finds {optimum:.9g}",
    )


def _check_hopeless(solver: AnySolver) -> None:
    task = _bridges("")
    found = solve(task, solver, heuristic="blind", limits=Limits(seconds=60))
    _expect(
        found.status == Status.NO_PROPER_POLICY,
        task,
        f"no policy reaches the goal with probability one, but the status is '{found.status}'; states that cannot "
        "reach the goal must get the value infinity (mark_dead_ends)",
    )


def _check_limit(solver: AnySolver) -> None:
    task = ground(generate("gripper", 11))
    begun = time.thread_time()  # not the clock on the wall: the machine may have other work
    solve(task, solver, heuristic="blind", limits=Limits(seconds=0.2), symmetry="off")
    seconds = time.thread_time() - begun
    _expect(seconds < 1.5, task, f"with a limit of 0.2 s it ran for {seconds:.1f} s; call stop.check() now and then")


# --- heuristics ------------------------------------------------------------------------------------------------------


def check_heuristic(
    heuristic: AnyHeuristic,
    *,
    tasks: Sequence[GroundTask] | None = None,
    for_task: Callable[[GroundTask], Heuristic] | None = None,
) -> None:
    """Check that a heuristic gives sane estimates, and that it is admissible if it says so.

    Raises `AssertionError` if not. ``tasks`` are small tasks that it is made for, all of whose states can be
    enumerated; without them it is tried on built-in ones. A heuristic that depends on the task is made by ``for_task``;
    then the first argument only names it.
    """
    for task in _tasks() if tasks is None else tasks:
        function = heuristic if for_task is None else for_task(task)
        admissible = is_admissible(function)
        if not isinstance(function, str | PatternDatabases):
            _check_estimates(function, admissible, task)
        _check_solving(function, admissible, task)


def _check_estimates(function: Heuristic, admissible: bool, task: GroundTask) -> None:
    optimal = _optimal(task)
    space = optimal.space
    for state, value in enumerate(optimal.search.values()):
        atoms = space.atoms(state)
        where = f"in the state {show_state(atoms)} the heuristic gives"
        estimate: Any = function(atoms)
        _expect(isinstance(estimate, int | float), task, f"{where} {estimate!r}, which is no number")
        _expect(estimate >= 0, task, f"{where} {estimate}; it must be at least 0")
        _expect(estimate == function(atoms), task, f"{where} another number when it is called again")
        _expect(
            math.isfinite(estimate) or optimal.search.is_hopeless(state),
            task,
            f"{where} infinity, but the goal can be reached from there",
        )
        if admissible and value >= 0 and not space.is_goal(state):
            _expect(
                estimate <= value + 1e-6 * (1 + value),
                task,
                f"{where} {estimate:.9g}, but the optimal expected cost is {value:.9g}: it is not admissible",
            )
        if admissible and space.is_goal(state):
            _expect(estimate == 0, task, f"{where} {estimate:.9g}, but that is a goal state: it is not admissible")


def _check_solving(function: AnyHeuristic, admissible: bool, task: GroundTask) -> None:
    found = solve(task, LRTDP(), heuristic=function)
    optimum = _optimal(task)
    _expect(found.status == optimum.status, task, f"LRTDP ends with '{found.status}', not '{optimum.status}'")
    if admissible and found.status == Status.SOLVED:
        _expect(
            found.guarantee == Guarantee.OPTIMAL and found.value <= optimum.value * (1 + 1e-3),
            task,
            f"LRTDP finds a policy of cost {found.value:.9g}, value iteration one of {optimum.value:.9g}",
        )


# --- abstractions ----------------------------------------------------------------------------------------------------


def check_abstraction(abstraction: AnyAbstraction) -> None:
    """Check that an abstraction gives equal labels to what differs in names only, and that automata work with it.

    Raises `AssertionError` if not. It is tried on problems of the five benchmark domains, each with two sets of names.
    """
    abstraction = abstraction_of(abstraction)
    _check_identity(abstraction)
    try:
        _check_labels(abstraction)
    except UsageError as error:
        raise AssertionError(str(error)) from None


def _check_labels(abstraction: Abstraction) -> None:
    for name in _SIZES:
        task, renamed = _benchmark(name, 0), _benchmark(name, 1)
        for mine, theirs, where in _labels(abstraction, task, renamed):
            _expect(
                mine == theirs,
                task,
                f"other names for the objects change the label of {where} from {str(mine)!r} to {str(theirs)!r}; "
                "labels must not depend on names",
            )
        for once, again, where in _labels(abstraction, task, task):
            _expect(once == again, task, f"the label of {where} was {str(once)!r}, and {str(again)!r} when asked again")
        _check_automaton(abstraction, task)


def _check_identity(abstraction: Abstraction) -> None:
    name: Any = abstraction.name
    if not isinstance(name, str) or not name:
        raise AssertionError(f"the abstraction's name is {name!r}; it must be a text")
    try:
        again = json.loads(json.dumps(abstraction.options))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"the abstraction's options cannot be written as JSON: {error}") from None
    if not isinstance(again, dict):
        raise AssertionError(f"the abstraction's options are {abstraction.options!r}; they must be a dict")


def _labels(
    abstraction: Abstraction, task: GroundTask, other: GroundTask
) -> Iterator[tuple[StateLabel | ActionLabel, StateLabel | ActionLabel, str]]:
    """Pairs of labels of corresponding states and actions: tasks of the same structure have the same numbers."""
    spaces = StateSpace(task), StateSpace(other)
    for space in spaces:
        space.explore()
    mine, theirs = (full_abstraction(abstraction).table(space.task) for space in spaces)
    for state in range(0, len(spaces[0]), max(1, len(spaces[0]) // 100)):
        where = f"the state {show_state(spaces[0].atoms(state))}"
        yield mine.state(spaces[0], state), theirs.state(spaces[1], state), where
        for action in spaces[0].core.applicable(state):
            what = f"the action {task.action(action)} in {where}"
            yield mine.action(spaces[0], state, action), theirs.action(spaces[1], state, action), what


def _check_automaton(abstraction: Abstraction, task: GroundTask) -> None:
    """An automaton of an optimal policy accepts it, solves its own example at its cost, and comes back from a file."""
    optimal = _optimal(task)
    automaton = learn(task.domain, [optimal.policy], abstraction=abstraction)
    verdict = automaton.accepts(optimal.policy)
    _expect(bool(verdict), task, f"the automaton of a policy does not accept it: {verdict.reason}")
    found = solve(task, heuristic="lmcut", automaton=automaton)
    solved = found.fallback is False and found.value <= optimal.value * (1 + 1e-4)
    _expect(
        solved, task, f"under the automaton of its optimal policy it costs {found.value:.9g}, not {optimal.value:.9g}"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "automaton.json")
        automaton.write(path)
        again = PolicyAutomaton.read(path, abstraction=abstraction)
        _expect(again == automaton, task, "the automaton is another one when read again")
