"""Why a task has no proper policy, in words and as data.

Either the goal cannot be reached at all, because of one of its parts or because no reachable state has all of them; or
it can, but every policy may miss it. Then the policy that misses it least is found, and with it an action, and the
state in which it takes it, after which the goal may be out of reach for good. Where that takes too many states, a
search with a high dead-end cost finds a policy that is good, if not proven to be the best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Literal, TypeAlias

from gpaplan import _core
from gpaplan.display import as_record
from gpaplan.errors import STOP_REASONS, LimitError
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.running import FoundPolicy, Running
from gpaplan.solving.solvers import LRTDP
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.goal import GoalPart, goal_parts
from gpaplan.tasks.task import GroundAction, GroundAtom

MOST_STATES = 200_000
"""So many states more than the search has expanded may be expanded to find the policy that misses the goal least."""
_PENALTY = 1000
"""Where that is too few: a dead end then costs so many times what the heuristic makes of the initial state …"""
_EPSILON = 1e-7
"""… and the search is satisfied with a residual of this share of it."""

ReasonKind: TypeAlias = Literal["no-goal", "goal-part", "goal", "chance", "automaton", "unknown"]
"""What a `Reason` is about; see there."""

_GIVING_UP = (
    "With --dead-end-cost D (dead_end_cost=D) one may give up in every state, at the cost D. The answer is then a "
    "policy with the least expected cost where every miss costs D: the larger D, the more it does to reach the goal."
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why no policy reaches the goal with probability one. ``str(reason)`` says it in words."""

    kind: ReasonKind
    """``no-goal``: the problem has none. ``goal-part``: parts of the goal are out of reach. ``goal``: no reachable
    state satisfies all of it. ``chance``: it can be reached, but every policy may miss it. ``automaton``: that is so
    for what an automaton leaves of the task. ``unknown``: a limit came before this was known."""
    goal_probability: float | None = None
    """That of the policy found; None if there is none."""
    proven: bool = True
    """Whether no policy has a larger one."""
    goal_parts: tuple[GoalPart, ...] = ()
    """The parts of the goal that are out of reach."""
    state: tuple[GroundAtom, ...] | None = None
    """For ``chance``: the last state that is no dead end on the likeliest trajectory of the best policy to one."""
    action: GroundAction | None = None
    """What the policy does there."""
    probability: float | None = None
    """With which that leads to states where the policy gives up; if that is ``proven``, the goal is out of reach
    there."""
    trajectory: tuple[GroundAction, ...] = ()
    """The actions on that trajectory, the last one included. With symmetry each is that of a representative."""
    stopped_by: str = ""
    """For ``unknown``, and where nothing is ``proven``: ``time``, ``memory``, ``interrupt`` or ``states``."""

    def __str__(self) -> str:
        match self.kind:
            case "no-goal":
                return "The problem has no goal, so no state is one."
            case "goal-part":
                one = "this part of it is" if len(self.goal_parts) == 1 else "these parts of it are"
                return f"The goal cannot be reached: {one} out of reach: {'; '.join(map(str, self.goal_parts))}."
            case "goal":
                return (
                    "The goal cannot be reached: no reachable state satisfies it, although no part of it is known to "
                    "be out of reach by itself."
                )
            case "chance":
                return self._chance()
            case "automaton":
                return "Under the automaton no policy reaches the goal with probability one (--explain says where)."
        how_likely = f"How probable the goal is at best is not known: {self._limit}."
        return f"No policy reaches the goal with probability one. {how_likely}"

    @property
    def _limit(self) -> str:
        if self.stopped_by == "states":
            return "that takes too many states"
        return f"{STOP_REASONS[self.stopped_by].name} came first"

    def _chance(self) -> str:
        goal = _shown(self.goal_probability)
        if self.proven:
            best = f"the largest probability of reaching it is {goal}. With a policy that attains it,"
            end = "a state from which the goal cannot be reached"
        else:
            best = f"the best one found reaches it with probability {goal} (no better one is ruled out: {self._limit})."
            best += " With that policy"
            end = "a state where it gives up"
        atoms = " ".join(map(str, self.state or ())) or "(no fluent atom)"
        return (
            f"Every policy may miss the goal: {best} the likeliest way to miss it is {self.action}, "
            f"{_after(len(self.trajectory) - 1)}: with probability {_shown(self.probability)} it leads to {end}. "
            f"It is taken where these hold: {atoms}."
        )

    @property
    def advice(self) -> str:
        """What can be done: what a dead-end cost would mean here; empty where it would mean nothing."""
        if self.kind == "automaton":
            return ""
        if self.goal_probability == 0:
            return "With --dead-end-cost D (dead_end_cost=D) the answer would be to give up at once, at the cost D."
        return _GIVING_UP

    def to_json(self) -> dict[str, Any]:
        """The reason as plain data, in words too."""
        own = {
            "state": None if self.state is None else list(map(str, self.state)),
            "action": None if self.action is None else str(self.action),
            "trajectory": list(map(str, self.trajectory)),
            "stopped_by": self.stopped_by or None,
        }
        return {**as_record(self, **own), "text": str(self), "advice": self.advice or None}


def _shown(probability: float | None) -> str:
    """A probability that is neither 0 nor 1, to six digits."""
    text = f"{probability:.6g}"
    return "more than 0.999999" if text == "1" else text


def _after(steps: int) -> str:
    return "the first step" if steps == 0 else f"after {steps} step{'s' if steps > 1 else ''}"


def most_probable(by: Running, stop: _core.Stop) -> tuple[FoundPolicy | None, str]:
    """A policy that reaches the goal with the largest probability or, where that takes too many states, a good one; and
    what came before it was proven to be the best, ``""`` if it is."""
    space, stopped_by = by.space, ""
    try:
        try:
            actions = _core.maximise_goal_probability(space.core, _capped(space, stop))
        except _core.Stopped as error:
            if (stopped_by := error.args[0]) != "states":
                return None, stopped_by
            return _search(by, _capped(space, stop)), stopped_by
        report = _core.evaluate_policy(space.core, actions, math.inf, stop)
    except _core.Stopped as error:
        return None, stopped_by or error.args[0]
    return FoundPolicy.of(by, report, [actions[state] for state in report.reachable]), ""


def _capped(space: StateSpace, stop: _core.Stop) -> _core.Stop:
    return stop.part(max_states=space.core.expanded_count + MOST_STATES)


def _search(by: Running, stop: _core.Stop) -> FoundPolicy | None:
    """A policy that is cheap if a dead end is expensive; None if it is not found within the limits."""
    space = by.space
    heuristic = make_heuristic("ff", space.task, stop)
    cost = _PENALTY * heuristic.evaluate(space.core, space.initial)
    search = _core.Search(space.core, heuristic, epsilon=_EPSILON * cost, dead_end_cost=cost)
    if LRTDP().run(search, stop):
        return None
    report, actions_there, _ = search.verify(stop)
    taken = dict(zip(report.reachable, actions_there, strict=True))
    actions = [taken.get(state, _core.NO_ACTION) for state in range(len(space))]
    found = _core.evaluate_policy(space.core, actions, math.inf, stop)
    is_good = found.closed and found.goal_probability > 0
    return FoundPolicy.of(by, found, [taken[state] for state in found.reachable]) if is_good else None


def _outcomes(space: StateSpace, state: int, decisions: Mapping[int, int]) -> list[tuple[float, int]]:
    return next((ends for action, _, ends in space.core.transitions(state) if action == decisions.get(state)), [])


def _likeliest_miss(space: StateSpace, decisions: Mapping[int, int], stop: _core.Stop) -> list[int]:
    """The likeliest trajectory to a state where the policy gives up, without that state; nothing at a limit."""
    before: dict[int, int] = {}
    queue = [(0.0, space.initial, space.initial)]  # the length of a step is the negative logarithm of its probability
    while queue and not stop.check():
        length, state, earlier = heappop(queue)
        if state in before:
            continue
        before[state] = earlier
        if decisions.get(state) == _core.GIVE_UP:
            trajectory = [earlier]
            while trajectory[-1] != space.initial:
                trajectory.append(before[trajectory[-1]])
            return trajectory[::-1]
        for chance, end in _outcomes(space, state, decisions):
            if chance > 0:
                heappush(queue, (length - math.log(chance), end, state))
    return []


def why_improper(space: StateSpace, best: FoundPolicy | None, stopped_by: str, stop: _core.Stop) -> Reason:
    """Why a task has no proper policy, given the most probable one, or what came before that was found."""
    if space.task.problem.goal is None:
        return Reason("no-goal", 0.0)
    try:
        parts = tuple(part for part in goal_parts(space.task, limits=stop) if not part.reachable)
    except LimitError:
        return Reason("unknown", None, proven=False, stopped_by=stop.reason)
    if parts:
        return Reason("goal-part", 0.0, goal_parts=parts)
    if best is None:
        return Reason("unknown", None, proven=False, stopped_by=stopped_by)
    if best.decisions[space.initial] == _core.GIVE_UP:
        return Reason("goal", 0.0)
    probability = best.report.goal_probability
    states = _likeliest_miss(space, best.decisions, stop)
    if not states:
        return Reason("unknown", probability, proven=not stopped_by, stopped_by=stop.reason)
    trajectory = tuple(space.task.action(best.decisions[state]) for state in states)
    last = _outcomes(space, states[-1], best.decisions)
    return Reason(
        "chance",
        probability,
        proven=not stopped_by,
        state=tuple(sorted(space.atoms(states[-1]), key=str)),
        action=trajectory[-1],
        probability=sum(chance for chance, end in last if best.decisions.get(end) == _core.GIVE_UP),
        trajectory=trajectory,
        stopped_by=stopped_by,
    )
