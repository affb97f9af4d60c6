"""The dead ends of a state space.

    dead_ends = find_dead_ends(StateSpace(task))
    print(dead_ends.count, dead_ends.action)

A dead end is a state from which the goal cannot be reached at all, whatever is done and whatever comes of it. From
other states it can, and still there may be no policy that reaches it with probability one.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpaplan import _core
from gpaplan.display import Shown
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.grounding import AnyTask
from gpaplan.tasks.task import GroundAction, GroundAtom


@dataclass(frozen=True, slots=True)
class DeadEnds(Shown):
    """How many states of a space are dead ends, and which action leads into the first one.

    With symmetry, states are counted and named up to symmetry of interchangeable objects.
    """

    count: int
    """States from which the goal cannot be reached."""
    without_proper_policy: int
    """States from which no policy reaches the goal with probability one; dead ends are among them."""
    goal_states: int
    """States where the goal holds."""
    initial: bool
    """Whether the initial state is a dead end."""
    state: tuple[GroundAtom, ...] | None = None
    """The first state, breadth first, that is no dead end and has an action that may lead into one; None if no action
    does."""
    action: GroundAction | None = None
    """That action."""
    probability: float | None = None
    """With which it leads into dead ends."""
    dead_end: tuple[GroundAtom, ...] | None = None
    """The first one that it leads into."""


def find_dead_ends(space: StateSpace | AnyTask, *, limits: AnyLimits = None) -> DeadEnds:
    """The dead ends among the states reachable from the initial one, all of which are expanded for it.

    Raises `LimitError` at a limit.
    """
    stop = started(limits)
    space = space if isinstance(space, StateSpace) else StateSpace(space, limits=stop)
    if not space.explore(limits=stop).complete:
        raise LimitError("counting dead ends", stop.reason)
    with named_errors(space.task, "counting dead ends"):
        found, improper, goals = _core.find_dead_ends(space.core, stop)
    dead = set(found)
    counts = (len(dead), improper, goals, space.initial in dead)
    for state in range(len(space)) if dead else ():
        for action, _, outcomes in space.core.transitions(state) if state not in dead else ():
            into = [(chance, end) for chance, end in outcomes if end in dead and chance > 0]
            if into:
                entry, end = (tuple(sorted(space.atoms(each), key=str)) for each in (state, into[0][1]))
                return DeadEnds(*counts, entry, space.task.action(action), sum(chance for chance, _ in into), end)
    return DeadEnds(*counts)
