"""Why an automaton fails on a problem.

A constrained problem without a proper policy has a state that is reached, is no goal, and where every action is pruned
(*stuck*); or states that are never left (a *trap*). If there is a proper policy and it costs more than the optimum, an
optimal policy takes somewhere an action that is pruned (*costly*). A `Counterexample` shows that state as it is, its
abstract state, the vertex of the automaton that is nearest to it, and in what the two differ. If the abstract state is
such a vertex itself, an edge is there but not for all outcomes: then an outcome is compared with the edge's targets.

Where states were matched as coarsely as it takes (`gpaplan.automata.matching`), all of that is said of the match
with which the state was matched or, if it was not, of the most relaxed one: what it forgives is never the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpaplan import _core
from gpaplan.automata.abstraction import StateLabel, facts_of
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.constrained import ConstrainedStateSpace, Explanation, explain
from gpaplan.automata.matching import Match
from gpaplan.automata.rules import NO_RULE
from gpaplan.display import as_record
from gpaplan.errors import LimitError
from gpaplan.learning.constants import MOST_STATES
from gpaplan.limits import AnyLimits, started
from gpaplan.solving.solution import Solution
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

__all__ = ["Counterexample", "Difference", "differences", "find_counterexample", "nearest_vertex"]

_KINDS = ("role", "flag", "relation", "label")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two abstract states differ, as it is here and there; what is not there is ``none``."""

    kind: str
    """``role``, ``flag`` or ``relation``; ``label`` for an abstraction of your own."""
    what: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.kind} {self.what}: {self.here} here, {self.there} there"

    def to_json(self) -> dict[str, Any]:
        """The difference as plain data."""
        return as_record(self)


@dataclass(frozen=True)
class Counterexample:
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
    nearest: StateLabel | None
    """The vertex nearest to the abstract state among those that have edges; None if there are none."""
    differences: tuple[Difference, ...]
    """In what the abstract state differs from it."""
    outcome: StateLabel | None = None
    """Where an edge is there: the outcome of a pruned action that is not among the edge's targets."""
    nearest_target: StateLabel | None = None
    """The target of the edge that is nearest to that outcome."""
    outcome_differences: tuple[Difference, ...] = ()
    """In what the two differ."""
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
        if self.nearest is None:
            why = "the automaton is empty"
        elif self.explanation.label == NO_RULE and not self.explanation.kept:
            why = "no rule fits any action there"
        elif self.outcome is not None:
            why = "the automaton has an edge for such an action, but not to all that can come of it here: an outcome "
            why += f"differs from what was learned in {_listed(self.outcome_differences)}"
        elif not self.explanation.seen_known:
            why = "nothing was learned for such a state: it differs from the nearest one that the automaton knows in "
            why += _listed(self.differences)
        elif self.explanation.reasons:
            why = f"what is kept there is kept by {self.explanation.reasons[0]}"
        elif not self.explanation.edges:
            why = "such states were met in learning, but only as outcomes: no edge leaves them"
        else:
            why = "such states were met in learning, but other actions were taken there"
        return f"The automaton did not suffice: {where}, {self.headline}. The reason{compared}: {why}."

    def __str__(self) -> str:
        lines = [f"{self.problem}: {self.headline}"]
        up_to = "  (up to symmetry)" if self.symmetry else ""
        lines.append(f"  state           {' '.join(map(str, self.state))}{up_to}")
        known = "" if self.explanation.known else "  (not a vertex)"
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
        if self.nearest is None:
            lines.append("  nearest vertex  there is none: the automaton is empty")
        elif self.differences and self.explanation.label != NO_RULE:
            lines.append(f"  nearest vertex  {self.nearest}")
            lines += [f"  differs in      {each}" for each in self.differences]
        if self.outcome is not None:
            lines.append(f"  outcome         {self.outcome}")
            lines.append(f"  nearest target  {self.nearest_target}")
            lines += [f"  differs in      {each}" for each in self.outcome_differences]
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
            "nearest": None if self.nearest is None else str(self.nearest),
            "differences": [each.to_json() for each in self.differences],
            "outcome": None if self.outcome is None else str(self.outcome),
            "nearest_target": None if self.nearest_target is None else str(self.nearest_target),
            "outcome_differences": [each.to_json() for each in self.outcome_differences],
            "matched": self.matched,
            "last_match": self.explanation.last_match.name,
            "seen": str(self.explanation.seen),
            "text": self.sentence,
        }


def find_counterexample(
    automaton: PolicyAutomaton,
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
    case = _Case(automaton, task, settings, match, level, up_to=space.symmetry is not None)
    stuck = _first_stuck(space, optimum, stop)
    if stuck is not None:
        return case.counterexample("stuck", space.atoms(stuck))
    if optimum is not None and optimum.solves:
        departure = _first_departure(case.plain_space(), optimum, stop)
        if departure is not None:
            return case.counterexample("trap" if failed else "costly", *departure)
        if not failed:
            return None
    return case.counterexample("trap", space.atoms(space.initial))


def _first_stuck(space: ConstrainedStateSpace, optimum: Solution | None, stop: _core.Stop) -> int | None:
    """The first state, breadth first, that is no goal, has applicable actions, and keeps none of them.

    A state that every policy may leave for such a state only by chance is not told apart: what matters is that it can
    be reached. States known to be hopeless without the automaton come last.
    """
    queue = [space.initial]
    seen = set(queue)
    hopeless: int | None = None
    for state in queue:
        if stop.check():
            raise LimitError("looking for the reason", stop.reason)
        if space.is_goal(state):
            continue
        transitions = space.core.transitions(state)
        if not transitions and space.core.applicable(state):
            if optimum is None or not _is_hopeless(space, state, optimum):
                return state
            hopeless = state if hopeless is None else hopeless
        for _, _, outcomes in transitions:
            for _, successor in outcomes:
                if successor not in seen and len(seen) < MOST_STATES:
                    seen.add(successor)
                    queue.append(successor)
    return hopeless


def _is_hopeless(space: StateSpace, state: int, optimum: Solution) -> bool:
    """Whether the search without the automaton knows that the goal cannot be reached for sure from a state."""
    same = optimum.space.core.intern(space.core.atoms(state))
    return optimum.search.is_dead_end(same)


def _first_departure(
    space: ConstrainedStateSpace, optimum: Solution, stop: _core.Stop
) -> tuple[frozenset[GroundAtom], GroundAction] | None:
    """The first state, breadth first, in which a policy takes an action that is pruned, and that action."""
    queue = [optimum.space.initial]
    seen = set(queue)
    for state in queue:
        if stop.check():
            raise LimitError("looking for the reason", stop.reason)
        action = optimum.decisions.get(state, _core.NO_ACTION)
        if action in (_core.NO_ACTION, _core.GIVE_UP) or optimum.space.is_goal(state):
            continue
        same = space.core.intern(optimum.space.core.atoms(state))
        if action not in [kept for kept, _, _ in space.core.transitions(same)]:
            return optimum.space.atoms(state), space.task.action(action)
        for successor in optimum.space.core.successors(state, action):
            if successor not in seen:
                seen.add(successor)
                queue.append(successor)
    return None


@dataclass(frozen=True)
class _Case:
    """What is explained: an automaton on a task, and how states are compared with it."""

    automaton: PolicyAutomaton
    task: GroundTask
    settings: SpaceSettings
    match: Match
    level: int
    up_to: bool

    @property
    def _of_this_very_state(self) -> SpaceSettings:
        return replace(self.settings, symmetry="off")

    def plain_space(self) -> ConstrainedStateSpace:
        """What the automaton leaves of the task, with states as they are and not up to symmetry."""
        return ConstrainedStateSpace(
            self.task, self.automaton, self._of_this_very_state, match=self.match, level=self.level
        )

    def counterexample(
        self, kind: str, atoms: Iterable[GroundAtom], action: GroundAction | None = None
    ) -> Counterexample:
        """A state, and what the match that was tried last makes of it."""
        state = tuple(sorted(atoms, key=str))
        explanation = explain(
            self.automaton, self.task, state, self._of_this_very_state, match=self.match, level=self.level
        )
        automaton = self.automaton.coarsened(explanation.last_match.level)
        nearest = nearest_vertex(automaton, explanation.seen)
        found = () if nearest is None else differences(explanation.seen, nearest)
        outcome, target = _nearest_target(automaton, explanation, action)
        return Counterexample(
            self.task.problem.name,
            kind,
            state,
            action,
            explanation,
            nearest,
            found,
            outcome,
            target,
            () if outcome is None or target is None else differences(outcome, target),
            at_start=sorted(self.task.atom_indices(state)) == self.task.core.initial_atoms,
            symmetry=self.up_to,
            matched=None if self.match == "strict" else explanation.matched,
        )


def _listed(found: Sequence[Difference]) -> str:
    """The first differences in a line."""
    return "; ".join(map(str, found[:3])) + (f"; and {len(found) - 3} more" if len(found) > 3 else "")


def _nearest_target(
    automaton: PolicyAutomaton, explanation: Explanation, action: GroundAction | None
) -> tuple[StateLabel | None, StateLabel | None]:
    """The outcome of a pruned action that has an edge, and the target of that edge that is nearest to it.

    The automaton is the one that the explanation's last match compares with.
    """
    pairs = []
    for each in explanation.pruned:
        outcome = each.outcome
        if outcome is None or (action is not None and each.action != action):
            continue
        targets = sorted(automaton.targets(explanation.seen, each.label) or (), key=str)
        pairs += [(len(differences(outcome, target)), outcome, target) for target in targets]
    if not pairs:
        return None, None
    _, outcome, target = min(pairs, key=lambda pair: pair[0])
    return outcome, target


def nearest_vertex(automaton: PolicyAutomaton, label: StateLabel) -> StateLabel | None:
    """The vertex with edges that differs least from an abstract state; the first of them in the automaton's order."""
    sources = list(dict.fromkeys(edge.source for edge in automaton.edges))
    return min(sources, key=lambda vertex: len(differences(label, vertex)), default=None)


def differences(here: StateLabel, there: StateLabel) -> tuple[Difference, ...]:
    """In what two abstract states differ: roles and how many play them, flags, relations; or their labels."""
    mine, theirs = ({(fact.kind, fact.what): fact.value for fact in facts_of(label)} for label in (here, there))
    found = []
    for kind, what in sorted({*mine, *theirs}, key=lambda fact: (_KINDS.index(fact[0]), fact[1])):
        none = "false" if kind == "flag" else "none"
        pair = mine.get((kind, what), none), theirs.get((kind, what), none)
        if pair[0] != pair[1]:
            found.append(Difference(kind, what, *pair))
    return tuple(found)
