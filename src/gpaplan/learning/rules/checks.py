"""What a rule list does on problems, for whoever writes rules: where it is stuck, lost or dear, and what never fires.

All states that the list leads to are walked through, if they are not too many. If it always leads to the goal, its cost
is exact: that of drawing one of the kept actions in each state.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.automata.rules import RuleFilter
from gpaplan.display import Shown, as_record
from gpaplan.learning.rules.closure import Walk
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.policies.policy import show_state
from gpaplan.solving.run import solve
from gpaplan.spaces.state_space import named_errors
from gpaplan.tasks.task import GroundTask

__all__ = ["RuleCheck", "RuleFailure", "check_rules"]

_STATES = 20_000
"""States of a problem that are walked through, and that a search for the optimum may expand: about a second."""


@dataclass(frozen=True, slots=True)
class RuleFailure:
    """The shortest way on which a list fails."""

    kind: str
    """``stuck`` where no rule fits, ``lost`` where the goal cannot be reached any more by what the list keeps."""
    actions: tuple[str, ...]
    """From the initial state on, if chance will have it."""
    state: str
    """The atoms that hold there."""

    def __str__(self) -> str:
        way = f"after {', '.join(self.actions)}" if self.actions else "at the very start"
        why = "no rule fits" if self.kind == "stuck" else "what the list keeps never leads to the goal"
        return f"{self.kind} {way}: {why}, where these hold: {self.state}"


@dataclass(frozen=True, slots=True)
class RuleCheck(Shown):
    """What a list does on one problem."""

    problem: str
    states: int
    """That the list leads to, as far as they were walked through."""
    complete: bool
    """Whether these are all."""
    failures: tuple[RuleFailure, ...]
    """The nearest state in which it is stuck, and the nearest in which it is lost, if it is."""
    cost: float | None
    """Of drawing one of the kept actions in each state, exactly; None if it fails, or not all states are known."""
    least: float
    """No policy costs less."""
    uses: dict[str, int]
    """In how many states each rule decides, by the rule's name."""

    @property
    def verdict(self) -> str:
        """All of it but the rules, in a sentence."""
        walked = f"{self.states:,} states"
        if self.failures:
            return "fails: " + "; ".join(map(str, self.failures))
        if not self.complete:
            return f"no failure on the first {walked}; there are more"
        assert self.cost is not None
        more = f", at most {self.cost / self.least - 1:.0%} above the optimum" if self.least else ""
        return f"always leads to the goal ({walked}), at an expected cost of {self.cost:.6g}{more}"

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return as_record(self, verdict=self.verdict, failures=[as_record(each) for each in self.failures])


def check_rules(rules: RuleFilter, tasks: Sequence[GroundTask], *, limits: AnyLimits = None) -> list[RuleCheck]:
    """What a list does on each of some problems."""
    return [_check(rules, task, started(limits)) for task in tasks]


def _check(rules: RuleFilter, task: GroundTask, stop: _core.Stop) -> RuleCheck:
    space = ConstrainedStateSpace(task, rules, symmetry="auto", limits=stop)
    explored = space.explore(max_states=_STATES, limits=stop)
    with named_errors(task):
        walk = Walk(space.core)
    decided = (state for state, kept in enumerate(walk.kept) if kept)
    uses = Counter(each.name for state in decided for each in space.filter.deciding(space, state))  # type: ignore[attr-defined]
    failures = _failures(space, walk)
    cost = None
    if explored.complete and not failures:
        with named_errors(task):
            _, costs = _core.evaluate_choices(space.core, walk.kept, math.inf, stop)
        cost = costs[space.initial]
    best = solve(task, limits=Limits(states=_STATES))
    return RuleCheck(
        task.problem.name, explored.states, explored.complete, failures, cost, best.lower_bound, dict(uses)
    )


def _failures(space: ConstrainedStateSpace, walk: Walk) -> tuple[RuleFailure, ...]:
    """The nearest state of each kind."""
    is_lost, is_stuck = set(walk.lost), set(walk.stuck)
    lost = [state for state in walk.order if state in is_lost]
    stuck = [state for state in lost if state in is_stuck]
    ways = {"stuck": stuck, "lost": [] if stuck and _leads(walk, lost[0], is_stuck) else lost}
    return tuple(_failure(space, walk, kind, found[0]) for kind, found in ways.items() if found)


def _leads(walk: Walk, state: int, stuck: set[int]) -> bool:
    """Whether the nearest lost state is lost because the list is stuck behind it."""
    met = dict.fromkeys([state])
    for each in (queue := [state]):
        queue += [after for after in walk.successors[each] if after not in met]
        met |= dict.fromkeys(walk.successors[each])
    return not stuck.isdisjoint(met)


def _failure(space: ConstrainedStateSpace, walk: Walk, kind: str, state: int) -> RuleFailure:
    shown = show_state(space.atoms(state))
    actions = [walk.parents[each][1] for each in walk.back(state) if each in walk.parents]
    return RuleFailure(kind, tuple(str(space.task.action(each)) for each in reversed(actions)), shown)
