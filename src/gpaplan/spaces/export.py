"""The reachable Markov decision process in the formats of model checkers.

`write_drn` gives Storm's explicit format, `write_prism` the PRISM language (one module with one integer variable).
States are numbered in the order of a breadth-first search; up to symmetry they are representatives. Both formats have
the labels ``init`` and ``goal`` and the rewards ``cost``; goal states are absorbing at no cost, and a state without
applicable actions stays where it is at a cost of 1 a step. So the least expected cost is ``Rmin=? [F "goal"]`` and the
largest goal probability ``Pmax=? [F "goal"]``.

Where the task has dropped what its goal cannot depend on, a comment at the top says what.

Probabilities are decimal numbers that sum to exactly one: each is the shortest that means its double, except that the
largest of an action takes up what rounding left.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits
from gpaplan.spaces.state_space import StateSpace

__all__ = ["FORMATS", "explored", "write_drn", "write_prism"]

_EXACT = decimal.Context(prec=1200, traps=[decimal.Inexact])
"""Enough for every sum of doubles between 5e-324 and 1."""
_STATE, _SUCCESSOR = "\1", "\2"
"""What stands for them in the form of a transition (``_core.StateSpace.written``)."""
_AT_A_TIME = 10_000
"""States that are written before the next ones are looked at: their text takes a few megabytes."""


def explored(space: StateSpace, *, limits: AnyLimits = None) -> StateSpace:
    """The space, with everything reachable expanded. Raises `LimitError` at a limit."""
    exploration = space.explore(limits=limits)
    if not exploration.complete:
        raise LimitError("the export", exploration.stopped_by)
    return space


def exact_decimals(probabilities: Sequence[float]) -> list[str]:
    """The numbers as decimals whose sum is one."""
    numbers = [Decimal(repr(probability)) for probability in probabilities]
    largest = max(range(len(numbers)), key=numbers.__getitem__)
    others = Decimal(0)
    for index, number in enumerate(numbers):
        if index != largest:
            others = _EXACT.add(others, number)
    numbers[largest] = _EXACT.subtract(Decimal(1), others)
    return [str(number.normalize(_EXACT)) if number != 1 else "1" for number in numbers]


def _written(space: StateSpace, form: Callable[[int, float, Sequence[float]], str]) -> Iterator[tuple[int, str]]:
    """Each state and its transitions, by the form of those with this action, this cost and these probabilities."""
    for first in range(0, len(space), _AT_A_TIME):
        yield from enumerate(space.core.written(first, min(first + _AT_A_TIME, len(space)), form), first)


def _shortest(number: float) -> str:
    return repr(number).removesuffix(".0")


# --- Storm's explicit format ---


def write_drn(space: StateSpace) -> Iterator[str]:
    """The lines of a DRN file; the space must be explored.

    An action is named after its schema and arguments, such as ``pick(ball0,room-a,left)``.
    """
    still = sum(space.core.action_count(state) == 0 for state in range(len(space)))
    if space.task.dropped:
        yield f"// dropped: {space.task.dropped}\n"
    yield from ("@type: MDP\n", "@parameters\n\n", "@reward_models\ncost\n")
    yield from (f"@nr_states\n{len(space)}\n", f"@nr_choices\n{space.core.pair_count + still}\n", "@model\n")

    def choice(action: int, cost: float, probabilities: Sequence[float]) -> str:
        schema, arguments = space.task.action(action)
        targets = "".join(f"\t\t{_SUCCESSOR} : {probability}\n" for probability in exact_decimals(probabilities))
        return f"\taction {schema}({','.join(arguments)}) [{_shortest(cost)}]\n{targets}"

    for state, choices in _written(space, choice):
        labels = (" init" if state == space.initial else "") + (" goal" if space.is_goal(state) else "")
        stay = f"\taction stay() [{0 if space.is_goal(state) else 1}]\n\t\t{state} : 1\n"
        yield f"state {state} [0]{labels}\n{choices or stay}"


# --- the PRISM language ---


def write_prism(space: StateSpace) -> Iterator[str]:
    """The lines of a PRISM file; the space must be explored.

    Commands are labelled ``a`` and the index of the action; its name is a comment of the reward.
    """
    task = space.task
    goals = [state for state in range(len(space)) if space.is_goal(state)]
    costs: dict[int, set[float]] = {}
    stuck = False

    def command(action: int, cost: float, probabilities: Sequence[float]) -> str:
        costs.setdefault(action, set()).add(cost)
        updates = (f"{probability} : (s'={_SUCCESSOR})" for probability in exact_decimals(probabilities))
        return f"  [a{action}] s={_STATE} -> {' + '.join(updates)};\n"

    kind = "states" if space.symmetry is None else "states up to symmetry of interchangeable objects"
    yield f"// {task.domain.name} / {task.problem.name}: {len(space)} {kind}\n"
    if task.dropped:
        yield f"// dropped: {task.dropped}\n"
    yield "mdp\n\nmodule task\n"
    yield f"  s : [0..{max(len(space) - 1, 1)}] init {space.initial};\n"
    for state, commands in _written(space, command):
        stuck = stuck or not (commands or space.is_goal(state))
        yield commands or f"  [{'stay' if space.is_goal(state) else 'stuck'}] s={state} -> true;\n"
    yield "endmodule\n\n"
    yield f'label "goal" = {_is_one_of(goals)};\n\nrewards "cost"\n'
    if stuck:
        yield "  [stuck] true : 1;\n"
    where: dict[int, dict[float, list[int]]] = {action: {} for action in costs if len(costs[action]) > 1}
    for state in range(len(space)) if where else ():
        for action, cost, _ in space.core.transitions(state):
            if action in where:
                where[action].setdefault(cost, []).append(state)
    for action in sorted(costs):
        for cost in where.get(action, costs[action]):
            condition = _is_one_of(where[action][cost]) if action in where else "true"
            yield f"  [a{action}] {condition} : {_shortest(cost)}; // {task.action(action)}\n"
    yield "endrewards\n"


def _is_one_of(states: list[int]) -> str:
    """A condition on the variable; runs of neighbours are written as ranges."""
    runs: list[list[int]] = []
    for state in states:
        if runs and runs[-1][1] == state - 1:
            runs[-1][1] = state
        else:
            runs.append([state, state])
    return " | ".join(f"s={low}" if low == high else f"(s>={low} & s<={high})" for low, high in runs) or "false"


FORMATS = {"drn": write_drn, "prism": write_prism}
"""By the names that the command line has for them."""
