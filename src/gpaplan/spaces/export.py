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
from collections.abc import Iterable, Iterator
from decimal import Decimal

from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits
from gpaplan.spaces.state_space import StateSpace

__all__ = ["FORMATS", "explored", "write_drn", "write_prism"]

_EXACT = decimal.Context(prec=1200, traps=[decimal.Inexact])
"""Enough for every sum of doubles between 5e-324 and 1."""


def explored(space: StateSpace, *, limits: AnyLimits = None) -> StateSpace:
    """The space, with everything reachable expanded. Raises `LimitError` at a limit."""
    exploration = space.explore(limits=limits)
    if not exploration.complete:
        raise LimitError("the export", exploration.stopped_by)
    return space


def exact_decimals(probabilities: Iterable[float]) -> list[str]:
    """The numbers as decimals whose sum is one."""
    numbers = [Decimal(repr(probability)) for probability in probabilities]
    largest = max(range(len(numbers)), key=numbers.__getitem__)
    others = Decimal(0)
    for index, number in enumerate(numbers):
        if index != largest:
            others = _EXACT.add(others, number)
    numbers[largest] = _EXACT.subtract(Decimal(1), others)
    return [str(number.normalize(_EXACT)) if number != 1 else "1" for number in numbers]


def _shortest(number: float) -> str:
    return repr(number).removesuffix(".0")


# --- Storm's explicit format ---


def write_drn(space: StateSpace) -> Iterator[str]:
    """The lines of a DRN file; the space must be explored.

    An action is named after its schema and arguments, such as ``pick(ball0,room-a,left)``.
    """
    core = space.core
    still = sum(core.action_count(state) == 0 for state in range(len(space)))
    if space.task.dropped:
        yield f"// dropped: {space.task.dropped}\n"
    yield from ("@type: MDP\n", "@parameters\n\n", "@reward_models\ncost\n")
    yield from (f"@nr_states\n{len(space)}\n", f"@nr_choices\n{core.pair_count + still}\n", "@model\n")
    for state in range(len(space)):
        labels = (" init" if state == space.initial else "") + (" goal" if space.is_goal(state) else "")
        yield f"state {state} [0]{labels}\n"
        transitions = space.transitions(state)
        for transition in transitions:
            schema, arguments = transition.action
            yield f"\taction {schema}({','.join(arguments)}) [{_shortest(transition.cost)}]\n"
            targets = sorted(transition.outcomes, key=lambda outcome: outcome.state)
            for target, probability in zip(targets, exact_decimals(o.probability for o in targets), strict=True):
                yield f"\t\t{target.state} : {probability}\n"
        if not transitions:
            yield f"\taction stay() [{0 if space.is_goal(state) else 1}]\n\t\t{state} : 1\n"


# --- the PRISM language ---


def write_prism(space: StateSpace) -> Iterator[str]:
    """The lines of a PRISM file; the space must be explored.

    Commands are labelled ``a`` and the index of the action; its name is a comment of the reward.
    """
    core = space.core
    task = space.task
    states = range(len(space))
    goals = [state for state in states if space.is_goal(state)]
    stuck = any(not space.is_goal(state) and core.action_count(state) == 0 for state in states)
    costs: dict[int, dict[float, list[int]]] = {}
    kind = "states" if space.symmetry is None else "states up to symmetry of interchangeable objects"
    yield f"// {task.domain.name} / {task.problem.name}: {len(space)} {kind}\n"
    if task.dropped:
        yield f"// dropped: {task.dropped}\n"
    yield "mdp\n\nmodule task\n"
    yield f"  s : [0..{max(len(space) - 1, 1)}] init {space.initial};\n"
    for state in states:
        transitions = core.transitions(state)
        for action, cost, outcomes in transitions:
            costs.setdefault(action, {}).setdefault(cost, []).append(state)
            probabilities = exact_decimals(probability for probability, _ in outcomes)
            updates = (f"{p} : (s'={target})" for p, (_, target) in zip(probabilities, outcomes, strict=True))
            yield f"  [a{action}] s={state} -> {' + '.join(updates)};\n"
        if not transitions:
            yield f"  [{'stay' if space.is_goal(state) else 'stuck'}] s={state} -> true;\n"
    yield "endmodule\n\n"
    yield f'label "goal" = {_is_one_of(goals)};\n\nrewards "cost"\n'
    if stuck:
        yield "  [stuck] true : 1;\n"
    for action in sorted(costs):
        name = task.action(action)
        if len(costs[action]) == 1:
            yield f"  [a{action}] true : {_shortest(*costs[action])}; // {name}\n"
            continue
        for cost, where in costs[action].items():
            yield f"  [a{action}] {_is_one_of(where)} : {_shortest(cost)}; // {name}\n"
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
