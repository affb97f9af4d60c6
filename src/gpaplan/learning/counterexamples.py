"""Why an automaton fails on a problem.

A constrained problem without a proper policy has a state that is reached, is no goal, and where every action is pruned
(*stuck*); or states that are never left (a *trap*). If there is a proper policy and it costs more than the optimum, an
optimal policy takes somewhere an action that is pruned (*costly*). A `Counterexample` shows that state as it is, its
abstract state, the vertex of the automaton that is nearest to it, and in what the two differ. If the abstract state is
such a vertex itself, an edge is there but not for all outcomes: then an outcome is compared with the edge's targets.

Where states were matched as coarsely as it takes (`gpaplan.automata.filters`), all of that is said of the match
with which the state was matched or, if it was not, of the most relaxed one: what it forgives is never the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpaplan import _core
from gpaplan.automata.explanation import Difference, Explanation, Nearness
from gpaplan.automata.filters import ConstrainedStateSpace, Match, TransitionFilter
from gpaplan.display import Shown
from gpaplan.errors import LimitError
from gpaplan.learning.constants import MOST_STATES
from gpaplan.limits import AnyLimits, started
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import SpaceSettings
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask


@dataclass(frozen=True)
class Counterexample(Shown):
    """A state of a problem that shows why an automaton does not suffice, with an explanation of what is pruned."""

    problem: str
    kind: str
    """``stuck``, ``trap`` or ``costly``."""
    state: tuple[GroundAtom, ...]
    action: GroundAction | None
    """An action that is pruned: for ``costly`` the optimal one; for ``trap`` what a policy without the automaton does,
    if there is one."""
    explanation: Explanation
    """What the automaton makes of the state, by `Explanation.last_match`; so is all that follows."""
    near: Nearness
    """What the automaton knows that is nearest to the state; nothing if it is empty, or a rule list."""
    nothing_fits: str = ""
    """What there is to say in that case, if nothing is kept."""
    at_start: bool = False
    """Whether it is the initial state."""
    symmetry: bool = False
    """Whether the state is reached only up to symmetry of interchangeable objects."""
    matched: str | None = None
    """How the state was matched, in words; None where only strict matching was asked for."""

    @property
    def headline(self) -> str:
        """What is wrong, in a few words."""
        if self.kind == "costly":
            return f"the optimal action {self.action} is pruned"
        if self.kind == "stuck":
            return f"every action is pruned ({len(self.explanation.pruned)} of them)"
        if self.action is not None:
            return f"the actions that are kept may miss the goal, and {self.action}, which would not, is pruned"
        return "the actions that are kept never lead to the goal"

    @property
    def sentence(self) -> str:
        """What is wrong and why, as one would say it."""
        where = "already in the initial state" if self.at_start else "in a state that it leads to"
        compared = "" if self.matched is None else f", with states compared {self.explanation.last_match.words}"
        if self.explanation.reasons:
            why = f"what is kept there is kept by {self.explanation.reasons[0]}"
        elif self.near.vertex is None:
            why = self.nothing_fits
        elif self.near.outcome is not None:
            why = "the automaton has an edge for such an action, but not to all that can come of it here: an outcome "
            why += f"differs from what was learned in {_listed(self.near.outcome_differences)}"
        elif not self.explanation.seen_known:
            why = "nothing was learned for such a state: it differs from the nearest one that the automaton knows in "
            why += _listed(self.near.differences)
        elif not self.explanation.edges:
            why = "such states were met in learning, but only as outcomes: no edge leaves them"
        else:
            why = "such states were met in learning, but other actions were taken there"
        return f"The automaton did not suffice: {where}, {self.headline}. The reason{compared}: {why}."

    def __str__(self) -> str:
        lines = [f"{self.problem}: {self.headline}"]
        up_to = "  (up to symmetry)" if self.symmetry else ""
        lines.append(f"  state           {' '.join(map(str, self.state))}{up_to}")
        known = "" if self.explanation.known or self.near.vertex is None else "  (not a vertex)"
        lines.append(f"  abstract state  {self.explanation.label}{known}")
        if self.matched is not None:
            lines.append(f"  matched         {self.matched}")
        if self.explanation.last_match.level > 0:
            known = "" if self.explanation.seen_known else "  (not a vertex)"
            lines.append(f"  compared        {self.explanation.last_match.words}: {self.explanation.seen}{known}")
        for action, reason in list(zip(self.explanation.kept, self.explanation.reasons, strict=False))[:3]:
            lines.append(f"  kept            {action}: {reason}")
        for each in self.explanation.pruned[:3]:
            reason = each.reason if each.outcome is None else "an outcome is not among the targets of the edge"
            lines.append(f"  pruned          {each.action}: {reason}")
        if len(self.explanation.pruned) > 3:
            lines.append(f"                  and {len(self.explanation.pruned) - 3} more")
        if self.near.vertex is None and not self.explanation.kept:
            lines.append(f"  reason          {self.nothing_fits}")
        elif self.near.differences:
            lines.append(f"  nearest vertex  {self.near.vertex}")
            lines += [f"  differs in      {each}" for each in self.near.differences]
        if self.near.outcome is not None:
            lines.append(f"  outcome         {self.near.outcome}")
            lines.append(f"  nearest target  {self.near.target}")
            lines += [f"  differs in      {each}" for each in self.near.outcome_differences]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The counterexample as plain data."""
        return {
            "problem": self.problem,
            "kind": self.kind,
            "state": list(map(str, self.state)),
            "symmetry": self.symmetry,
            "action": None if self.action is None else str(self.action),
            "abstract_state": str(self.explanation.label),
            "is_vertex": self.explanation.known,
            "kept": list(map(str, self.explanation.kept)),
            "pruned": [{"action": str(each.action), "reason": each.reason} for each in self.explanation.pruned],
            "nearest": None if self.near.vertex is None else str(self.near.vertex),
            "differences": [each.to_json() for each in self.near.differences],
            "outcome": None if self.near.outcome is None else str(self.near.outcome),
            "nearest_target": None if self.near.target is None else str(self.near.target),
            "outcome_differences": [each.to_json() for each in self.near.outcome_differences],
            "matched": self.matched,
            "last_match": self.explanation.last_match.name,
            "seen": str(self.explanation.seen),
            "text": self.sentence,
        }


def find_counterexample(
    automaton: TransitionFilter,
    task: GroundTask,
    optimum: Solution | None = None,
    settings: SpaceSettings | None = None,
    *,
    failed: bool = False,
    match: Match = "strict",
    level: int = 0,
    limits: AnyLimits = None,
) -> Counterexample | None:
    """Why the automaton does not suffice for a task, or None if no reason is found.

    With an ``optimum`` (a solution without the automaton) stuck states that are hopeless anyway are passed over, and an
    automaton that suffices at a higher cost is explained too. If it ``failed``, it is known not to suffice at all.
    ``match`` and ``level`` are how states were compared with it, as `Matching` says. Raises `LimitError` at a limit.
    """
    settings = settings or SpaceSettings()
    stop = started(limits)
    space = ConstrainedStateSpace(task, automaton, settings, match=match, level=level)
    as_they_are = replace(settings, symmetry="off")

    def shown(kind: str, atoms: Iterable[GroundAtom], action: GroundAction | None = None) -> Counterexample:
        """A state, and what the match that was tried last makes of it."""
        state = tuple(sorted(atoms, key=str))
        explanation = automaton.explain(task, state, match=match, level=level, settings=as_they_are)
        return Counterexample(
            task.problem.name,
            kind,
            state,
            action,
            explanation,
            automaton.nearness(explanation, action),
            automaton.nothing_fits,
            at_start=sorted(task.atom_indices(state)) == task.core.initial_atoms,
            symmetry=space.symmetry is not None,
            matched=None if match == "strict" else explanation.matched,
        )

    stuck = _first_stuck(space, optimum, stop)
    if stuck is not None:
        return shown("stuck", space.atoms(stuck))
    if optimum is not None and optimum.solves:
        plain = ConstrainedStateSpace(task, automaton, as_they_are, match=match, level=level)
        departure = _first_departure(plain, optimum, stop)
        if departure is not None:
            return shown("trap" if failed else "costly", *departure)
        if not failed:
            return None
    return shown("trap", space.atoms(space.initial))


def _breadth_first(
    initial: int, successors: Callable[[int], Iterable[int]], stop: _core.Stop, most: float = math.inf
) -> Iterator[int]:
    """The states that can be reached, each before what it leads to."""
    queue, seen = [initial], {initial}
    for state in queue:
        if stop.check():
            raise LimitError("looking for the reason", stop.reason)
        yield state
        for successor in successors(state):
            if successor not in seen and len(seen) < most:
                seen.add(successor)
                queue.append(successor)


def _first_stuck(space: ConstrainedStateSpace, optimum: Solution | None, stop: _core.Stop) -> int | None:
    """The first state, breadth first, that is no goal, has applicable actions, and keeps none of them.

    A state that every policy may leave for such a state only by chance is not told apart: what matters is that it can
    be reached. States known to be hopeless without the automaton come last.
    """

    def successors(state: int) -> list[int]:
        if space.is_goal(state):
            return []
        return [successor for _, _, outcomes in space.core.transitions(state) for _, successor in outcomes]

    hopeless: int | None = None
    for state in _breadth_first(space.initial, successors, stop, MOST_STATES):
        if space.is_goal(state) or space.core.transitions(state) or not space.core.applicable(state):
            continue
        if optimum is None or not optimum.search.is_dead_end(optimum.space.core.intern(space.core.atoms(state))):
            return state
        hopeless = state if hopeless is None else hopeless
    return hopeless


def _first_departure(
    space: ConstrainedStateSpace, optimum: Solution, stop: _core.Stop
) -> tuple[frozenset[GroundAtom], GroundAction] | None:
    """The first state, breadth first, in which a policy takes an action that is pruned, and that action."""
    whole = optimum.space

    def action_in(state: int) -> int | None:
        action = optimum.decisions.get(state, _core.NO_ACTION)
        return None if action in (_core.NO_ACTION, _core.GIVE_UP) or whole.is_goal(state) else action

    def successors(state: int) -> Iterable[int]:
        action = action_in(state)
        return () if action is None else whole.core.successors(state, action)

    for state in _breadth_first(whole.initial, successors, stop):
        action = action_in(state)
        same = space.core.intern(whole.core.atoms(state))
        if action is not None and action not in [kept for kept, _, _ in space.core.transitions(same)]:
            return whole.atoms(state), space.task.action(action)
    return None


def _listed(found: Sequence[Difference]) -> str:
    """The first differences in a line."""
    return "; ".join(map(str, found[:3])) + (f"; and {len(found) - 3} more" if len(found) > 3 else "")
