"""What a filter makes of one state: which actions it keeps and prunes and why, and how far the state is from what it
knows: the nearest vertex, or the nearest target, and the differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpaplan.automata.canonical import ActionLabel, StateLabel, facts_of
from gpaplan.display import Shown, as_record
from gpaplan.tasks.task import GroundAction

if TYPE_CHECKING:
    from gpaplan.automata.automaton import Edge, PolicyAutomaton
    from gpaplan.automata.filters import RelaxedMatch


@dataclass(frozen=True, slots=True)
class PrunedAction(Shown):
    """An action that is pruned in a state, its label, and the reason."""

    action: GroundAction
    label: ActionLabel
    reason: str
    outcome: StateLabel | None = None
    """If there is an edge: an outcome that is not among its targets."""


@dataclass(frozen=True, slots=True)
class Explanation(Shown):
    """What a filter makes of one state: its label, the edges that apply, the actions that are kept and pruned."""

    label: StateLabel
    known: bool
    """Whether that is known from training, without relaxing anything: a vertex, or that a rule decides."""
    match: RelaxedMatch | None
    """How the state was matched; None if it was not."""
    last_match: RelaxedMatch
    """The one that was tried last, which all that follows is about."""
    seen: StateLabel
    """The label at the level of that match."""
    seen_known: bool
    """Whether that is known at the level of that match."""
    kept: tuple[GroundAction, ...]
    pruned: tuple[PrunedAction, ...]
    edges: tuple[Edge, ...] = ()
    """Of an automaton: those that leave from there."""
    reasons: tuple[str, ...] = ()
    """Of rules: for each action that is kept, why, in a sentence about the state."""

    def __str__(self) -> str:
        lines = [f"abstract state: {self.label}" + ("" if self.known else "  (not known)")]
        if self.last_match.name != "strict":
            lines.append(f"matched: {self.matched}")
        if self.last_match.level > 0:
            lines.append(f"compared {self.last_match.words}: {self.seen}")
        lines += [f"edge: {edge.action} -> {len(edge.targets)} abstract states" for edge in self.edges]
        reasons = [f": {reason}" for reason in self.reasons] or [""] * len(self.kept)
        lines += [f"kept: {action}{reason}" for action, reason in zip(self.kept, reasons, strict=True)]
        lines += [f"pruned: {each.action}: {each.reason}" for each in self.pruned]
        return "\n".join(lines)

    @property
    def matched(self) -> str:
        """How the state was matched, in words."""
        return "at no level, however coarse" if self.match is None else self.match.words

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, with abstract states and actions as text."""
        return as_record(self, edges=[{"action": edge.action, "targets": edge.targets} for edge in self.edges])


# --- nearness ---

_KINDS = ("role", "flag", "relation", "label")


@dataclass(frozen=True, slots=True)
class Difference(Shown):
    """One thing in which two abstract states differ, as it is here and there; what is not there is ``none``."""

    kind: str
    """``role``, ``flag`` or ``relation``; ``label`` for an abstraction of your own."""
    what: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.kind} {self.what}: {self.here} here, {self.there} there"


@dataclass(frozen=True, slots=True)
class Nearness:
    """What an automaton knows that is nearest to a state, and to an outcome of an action that has an edge."""

    vertex: StateLabel | None = None
    """The vertex that is nearest to the abstract state among those that have edges; None if there are none."""
    differences: tuple[Difference, ...] = ()
    """In what the abstract state differs from it."""
    outcome: StateLabel | None = None
    """Where an edge is there: the outcome of a pruned action that is not among the edge's targets."""
    target: StateLabel | None = None
    """The target of the edge that is nearest to that outcome."""
    outcome_differences: tuple[Difference, ...] = ()
    """In what the two differ."""


def nearness(automaton: PolicyAutomaton, explanation: Explanation, action: GroundAction | None) -> Nearness:
    """Of what the last match of an explanation has seen, by the automaton at its level.

    With an ``action``, outcomes are those of that one.
    """
    nearest = nearest_vertex(automaton, explanation.seen)
    if nearest is None:
        return Nearness()
    pairs = []
    for each in explanation.pruned:
        outcome = each.outcome
        if outcome is None or (action is not None and each.action != action):
            continue
        targets = sorted(automaton.targets(explanation.seen, each.label) or (), key=str)
        pairs += [(len(differences(outcome, target)), outcome, target) for target in targets]
    found = Nearness(nearest, differences(explanation.seen, nearest))
    if not pairs:
        return found
    _, outcome, target = min(pairs, key=lambda pair: pair[0])
    return Nearness(nearest, found.differences, outcome, target, differences(outcome, target))


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
