"""The task that an automaton leaves: constrained state spaces, consistency, explanations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.automata.abstraction import ActionLabel, DomainVocabulary, LabelTable, StateLabel
from gpaplan.automata.automaton import AnyAutomaton, Edge, PolicyAutomaton
from gpaplan.automata.matching import Match, RelaxedMatch
from gpaplan.display import as_record
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Decisions, Policy
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

__all__ = ["ConstrainedStateSpace", "Explanation", "PrunedAction", "Verdict", "accepts", "explain"]


def table_for(automaton: PolicyAutomaton, task: GroundTask) -> LabelTable[Any, Any]:
    """The automaton's abstraction on a task. Raises `MismatchError` if the task is of another domain,
    or was grounded with another relevance than those that the automaton was learned from."""
    automaton.check_domain(DomainVocabulary.of(task.domain), task.domain.name, f"problem '{task.problem.name}'")
    automaton.check_relevance(task)
    return automaton.full_abstraction.table(task)


class ConstrainedStateSpace(StateSpace):
    """The state space of a task under an automaton: an action exists only if an edge has it and all its outcomes.

    The constraint is computed for the states that are expanded, and for no others. With ``match="coarse"`` a state in
    which none would exist is compared again, more and more coarsely (`gpaplan.automata.matching`), and with a ``level``
    above 0 all states are compared that coarsely from the start. If the constraint is ``lenient`` it says nothing in a
    state where it would leave no action even so: there, all of them exist.
    """

    def __init__(
        self,
        task: AnyTask,
        automaton: AnyAutomaton,
        settings: SpaceSettings | None = None,
        *,
        max_outcomes: int = MAX_OUTCOMES,
        symmetry: AnySymmetry = "off",
        match: Match = "strict",
        level: int = 0,
        lenient: bool = False,
        limits: AnyLimits = None,
    ) -> None:
        settings = settings or SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes)
        self.task = task = given_task(task)
        self.automaton = automaton = PolicyAutomaton.of(task.domain, automaton)
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        classes = None if self.symmetry is None else self.symmetry.core
        self.table = table_for(automaton, task)
        self.edges = self.table.edge_set(automaton.edges)
        self.matches = automaton.levels(match)[level]
        """How states are compared with the automaton, in the order in which it is tried."""
        with named_errors(task):
            self._constrained = _core.ConstrainedSpace(
                task.core,
                settings.max_outcomes,
                self.table.core,
                self.edges,
                symmetry=classes,
                stop=stop,
                matches=[(relaxed.level, relaxed.accepts_goals) for relaxed in self.matches],
                lenient=lenient,
            )
        self.core = self._constrained
        self._vertices: dict[int, dict[StateLabel, int]] = {}
        """For each level the first vertex of each label, by its place."""

    def match_of(self, state: int) -> RelaxedMatch | None:
        """How an expanded state was matched; None if it was not."""
        number = self._constrained.match_of(state)
        return self.matches[number] if number < len(self.matches) else None

    def vertex_of(self, state: int) -> int | None:
        """The first of the automaton's vertices that an expanded state was matched with, by its place; None if
        there is none."""
        relaxed = self.match_of(state)
        if relaxed is None:
            return None
        abstraction = self.automaton.full_abstraction.levels[relaxed.level]
        if relaxed.level not in self._vertices:
            places = reversed(list(enumerate(self.automaton.vertices)))
            self._vertices[relaxed.level] = {abstraction.coarsened(label): place for place, label in places}
        return self._vertices[relaxed.level].get(abstraction.coarsened(self.table.state(self, state)))

    def most_used(self, state: int, actions: list[int]) -> list[int]:
        """Those of these actions that training used most in states that look like this one."""
        relaxed = self.match_of(state)
        if relaxed is None:
            return actions
        automaton = self.automaton.coarsened(relaxed.level)
        source = automaton.full_abstraction.coarsened(self.table.state(self, state))
        counts = [automaton.uses.get((source, self.table.action(self, state, action)), 0) for action in actions]
        return [action for action, count in zip(actions, counts, strict=True) if count == max(counts)]

    def matched(self) -> dict[str, int]:
        """How many expanded states were matched by each relaxed match, by its name; ``none`` for those by none."""
        names = [*(relaxed.name for relaxed in self.matches), "none"]
        return {name: count for name, count in zip(names, self._constrained.match_counts(), strict=False) if count}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an automaton accepts a policy, and in which state with which action it does not; truthy if accepted."""

    accepted: bool
    reason: str = ""
    """The first violation, in words."""
    state: frozenset[GroundAtom] | None = None
    action: GroundAction | None = None

    def __bool__(self) -> bool:
        return self.accepted


def accepts(automaton: PolicyAutomaton, policy: Policy | Decisions) -> Verdict:
    """Whether every transition of a policy, from the initial state on, is on an edge of the automaton."""
    if isinstance(policy, Policy):
        task = policy.task
        space = StateSpace(task, symmetry=policy.symmetry)
        actions: Mapping[int, int] = dict(enumerate(policy.column(space)))
    else:
        space = policy.space
        task = space.task
        actions = policy.decisions
    strictly = _Comparison(automaton, table_for(automaton, task), automaton.full_abstraction.matches[0])
    queue = [space.initial]
    seen = set(queue)
    for state in queue:
        action = actions.get(state, _core.NO_ACTION)
        if action in (_core.NO_ACTION, _core.GIVE_UP) or space.is_goal(state):
            continue
        pruned = strictly.pruned(space, state, action)
        if pruned is not None:
            why = "no edge" if pruned.outcome is None else f"the edge does not lead to the outcome {pruned.outcome}"
            reason = f"in {strictly.source(space, state)} the action {pruned.action}, {pruned.label}: {why}"
            return Verdict(False, reason, space.atoms(state), pruned.action)
        new = [successor for successor in space.core.successors(state, action) if successor not in seen]
        seen.update(new)
        queue += new
    return Verdict(True)


@dataclass(frozen=True, slots=True)
class PrunedAction:
    """An action that an automaton prunes in a state, its label, and the reason."""

    action: GroundAction
    label: ActionLabel
    reason: str
    outcome: StateLabel | None = None
    """If there is an edge: an outcome that is not among its targets."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, with abstract states and actions as text."""
        outcome = None if self.outcome is None else str(self.outcome)
        return as_record(self, action=str(self.action), label=str(self.label), outcome=outcome)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an automaton makes of one state: its label, the edges that apply, the actions that are kept and pruned."""

    label: StateLabel
    known: bool
    """Whether the abstract state is a vertex of the automaton, without relaxing anything."""
    match: RelaxedMatch | None
    """How the state was matched; None if it was not."""
    last_match: RelaxedMatch
    """The one that was tried last, which all that follows is about."""
    seen: StateLabel
    """The abstract state at the level of that match."""
    seen_known: bool
    """Whether that is a vertex of the automaton at the level of that match."""
    edges: tuple[Edge, ...]
    kept: tuple[GroundAction, ...]
    pruned: tuple[PrunedAction, ...]
    reasons: tuple[str, ...] = ()
    """If the automaton is of rules: for each action that is kept, why, in a sentence about the state."""

    def __str__(self) -> str:
        lines = [f"abstract state: {self.label}" + ("" if self.known else "  (not a vertex of the automaton)")]
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
        return as_record(
            self,
            label=str(self.label),
            match=None if self.match is None else self.match.name,
            last_match=self.last_match.name,
            seen=str(self.seen),
            edges=[{"action": str(edge.action), "targets": list(map(str, edge.targets))} for edge in self.edges],
            kept=list(map(str, self.kept)),
        )


def explain(
    automaton: PolicyAutomaton,
    task: GroundTask,
    atoms: Iterable[AnyAtom],
    settings: SpaceSettings | None = None,
    *,
    match: Match = "coarse",
    level: int = 0,
) -> Explanation:
    """Which edges apply in a state, which actions are kept, which are pruned and why.

    ``match`` and ``level`` are those of `ConstrainedStateSpace`.
    """
    space = StateSpace(task, settings)
    state = space.state(atoms)
    table = table_for(automaton, task)
    label = table.state(space, state)
    for relaxed in automaton.levels(match)[level]:
        comparison = _Comparison(automaton, table, relaxed)
        actions = {action: comparison.pruned(space, state, action) for action in space.core.applicable(state)}
        kept = [action for action, pruned in actions.items() if pruned is None]
        if kept:
            break
    sentences = automaton.full_abstraction.reasons(task)
    seen = comparison.source(space, state)
    return Explanation(
        label,
        label in automaton.vertices,
        relaxed if kept else None,
        relaxed,
        seen,
        seen in comparison.automaton.vertices,
        tuple(comparison.automaton.edges_from(seen)),
        tuple(map(task.action, kept)),
        tuple(pruned for pruned in actions.values() if pruned is not None),
        ()
        if sentences is None
        else tuple(sentences.why(space, state, task.action(i), table.action(space, state, i)) for i in kept),
    )


class _Comparison:
    """An automaton on a task, with one match: what the core does for the states that are expanded
    (src/core/automata/constraint.hpp), in words."""

    def __init__(self, automaton: PolicyAutomaton, table: LabelTable[Any, Any], relaxed: RelaxedMatch) -> None:
        self.automaton = automaton.coarsened(relaxed.level)
        self.table = table
        self.match = relaxed

    def source(self, space: StateSpace, state: int) -> StateLabel:
        """The abstract state as it is seen."""
        label: StateLabel = self.automaton.full_abstraction.coarsened(self.table.state(space, state))
        return label

    def pruned(self, space: StateSpace, state: int, index: int) -> PrunedAction | None:
        """Why an action is not kept; None if it is."""
        action, label = space.task.action(index), self.table.action(space, state, index)
        source, abstraction = self.source(space, state), self.automaton.full_abstraction
        targets = self.automaton.targets(source, label)
        if targets is None:
            return PrunedAction(action, label, abstraction.missing(source, label))
        for successor in space.core.successors(state, index) if abstraction.checks_outcomes else ():
            target = self.source(space, successor)
            if target not in targets and not (self.match.accepts_goals and space.is_goal(successor)):
                return PrunedAction(action, label, f"the edge does not lead to {target}", target)
        return None
