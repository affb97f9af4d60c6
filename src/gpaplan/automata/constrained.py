"""The task that an automaton leaves: constrained state spaces, consistency, explanations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gpaplan import _core
from gpaplan.automata.abstraction import ActionLabel, StateLabel, Table, Vocabulary, table_of
from gpaplan.automata.automaton import AnyAutomaton, Edge, PolicyAutomaton, given_automaton
from gpaplan.automata.matching import Match, Way, levels, ways_of
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Decisions, Policy
from gpaplan.records import as_record
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

__all__ = ["ConstrainedStateSpace", "Explanation", "PrunedAction", "Verdict", "accepts", "explain"]


def table_for(automaton: PolicyAutomaton, task: GroundTask) -> Table[Any, Any]:
    """The automaton's abstraction on a task. Raises `MismatchError` if the task is of another domain,
    or was grounded with another relevance than those that the automaton was learned from."""
    automaton.check_domain(Vocabulary.of(task.domain), task.domain.name, f"problem '{task.problem.name}'")
    automaton.check_relevance(task)
    return table_of(automaton.abstraction, task)


def edge_set(edges: Iterable[Edge], table: Table[Any, Any]) -> _core.EdgeSet:
    """Edges by the ids of a table, which may have a way of its own to make them."""
    own = getattr(table, "edge_set", None)
    if own is not None:
        made: _core.EdgeSet = own(edges)
        return made
    found = _core.EdgeSet()
    for edge in edges:
        source, action = table.state_id(edge.source), table.action_id(edge.action)
        for target in edge.targets:
            found.add(source, action, table.state_id(target))
    return found


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
        automaton = given_automaton(automaton)
        self.automaton = automaton
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        classes = None if self.symmetry is None else self.symmetry.core
        self.table = table_for(automaton, task)
        self.edges = edge_set(automaton.edges, self.table)
        self.ways = levels(ways_of(automaton.abstraction, match))[level]
        """How states are compared with the automaton, in the order in which it is tried."""
        with named_errors(task):
            self._constrained = _core.ConstrainedSpace(
                task.core,
                settings.max_outcomes,
                self.table.core,
                self.edges,
                symmetry=classes,
                stop=stop,
                ways=[(way.degree, way.accepts_goals) for way in self.ways],
                lenient=lenient,
            )
        self.core = self._constrained

    def way_of(self, state: int) -> Way | None:
        """How an expanded state was matched; None if in no way."""
        way = self._constrained.way_of(state)
        return self.ways[way] if way < len(self.ways) else None

    def matched(self) -> dict[str, int]:
        """How many expanded states were matched in each way, by its name; ``none`` for those in no way."""
        names = [*(way.name for way in self.ways), "none"]
        return {name: count for name, count in zip(names, self._constrained.way_counts(), strict=False) if count}


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
    table = table_for(automaton, task)
    queue = [space.initial]
    seen = set(queue)
    for state in queue:
        action = actions.get(state, _core.NO_ACTION)
        if action in (_core.NO_ACTION, _core.GIVE_UP) or space.is_goal(state):
            continue
        source, label = table.state(space, state), table.action(space, state, action)
        targets = automaton.targets(source, label)
        for successor in space.core.successors(state, action):
            target = table.state(space, successor)
            if targets is None or (_checks_outcomes(automaton) and target not in targets):
                what = "no edge" if targets is None else f"the edge does not lead to the outcome {target}"
                reason = f"in {source} the action {task.action(action)}, {label}: {what}"
                return Verdict(False, reason, space.atoms(state), task.action(action))
            if successor not in seen:
                seen.add(successor)
                queue.append(successor)
    return Verdict(True)


def _checks_outcomes(automaton: PolicyAutomaton) -> bool:
    """Whether an action is kept only if all its outcomes are among the targets of an edge."""
    return getattr(automaton.abstraction, "checks_outcomes", True)


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
    """Whether the abstract state is a vertex of the automaton, to the letter."""
    way: Way | None
    """In which way the state was matched; None if in none."""
    look: Way
    """The way that all that follows is about: that in which the state was matched, or else the last one tried."""
    seen: StateLabel
    """The abstract state as that way sees it."""
    seen_known: bool
    """Whether that is a vertex of the automaton as that way sees it."""
    edges: tuple[Edge, ...]
    kept: tuple[GroundAction, ...]
    pruned: tuple[PrunedAction, ...]
    reasons: tuple[str, ...] = ()
    """If the automaton is of rules: for each action that is kept, why, in a sentence about the state."""

    def __str__(self) -> str:
        lines = [f"abstract state: {self.label}" + ("" if self.known else "  (not a vertex of the automaton)")]
        if self.look.name != "strict":
            lines.append(f"matched: {self.matched}")
        if self.look.degree > 0:
            lines.append(f"compared {self.look.words}: {self.seen}")
        lines += [f"edge: {edge.action} -> {len(edge.targets)} abstract states" for edge in self.edges]
        reasons = [f": {reason}" for reason in self.reasons] or [""] * len(self.kept)
        lines += [f"kept: {action}{reason}" for action, reason in zip(self.kept, reasons, strict=True)]
        lines += [f"pruned: {each.action}: {each.reason}" for each in self.pruned]
        return "\n".join(lines)

    @property
    def matched(self) -> str:
        """How the state was matched, in words."""
        return "in no way, however coarse" if self.way is None else self.way.words

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, with abstract states and actions as text."""
        return as_record(
            self,
            label=str(self.label),
            way=None if self.way is None else self.way.name,
            look=self.look.name,
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
    table = table_for(automaton, task)
    space = StateSpace(task, settings)
    state = space.state(atoms)
    label = table.state(space, state)
    known = label in automaton.vertices
    for way in levels(ways_of(automaton.abstraction, match))[level]:
        found = _Look(automaton, table, way).at(space, state)
        if found.kept:
            return Explanation(label, known, way, way, *found)
    return Explanation(label, known, None, way, *found)


class _Found(NamedTuple):
    seen: StateLabel
    seen_known: bool
    edges: tuple[Edge, ...]
    kept: tuple[GroundAction, ...]
    pruned: tuple[PrunedAction, ...]
    reasons: tuple[str, ...]


class _Look:
    """An automaton in one way to match."""

    def __init__(self, automaton: PolicyAutomaton, table: Table[Any, Any], way: Way) -> None:
        self.automaton = automaton.coarsened(way.degree)
        self.coarsened = getattr(self.automaton.abstraction, "coarsened", lambda label: label)
        self.table = table
        self.way = way

    def at(self, space: StateSpace, state: int) -> _Found:
        source = self.coarsened(self.table.state(space, state))
        kept, pruned, reasons = [], [], []
        own_reasons = getattr(self.automaton.abstraction, "reasons", None)
        sentences = None if own_reasons is None else own_reasons(space.task)
        for index in space.core.applicable(state):
            action, label = space.task.action(index), self.table.action(space, state, index)
            targets = self.automaton.targets(source, label)
            if targets is None:
                pruned.append(PrunedAction(action, label, self.missing(source, label)))
                continue
            successors = space.core.successors(state, index) if _checks_outcomes(self.automaton) else ()
            outside = self.first_outside(space, successors, targets)
            if outside is None:
                kept.append(action)
                if sentences is not None:
                    reasons.append(sentences.why(space, state, action, label))
            else:
                pruned.append(PrunedAction(action, label, f"the edge does not lead to {outside}", outside))
        edges = tuple(self.automaton.edges_from(source))
        known = source in self.automaton.vertices
        return _Found(source, known, edges, tuple(kept), tuple(pruned), tuple(reasons))

    def missing(self, source: StateLabel, label: ActionLabel) -> str:
        """Why there is no edge, in words."""
        own = getattr(self.automaton.abstraction, "missing", None)
        return f"no edge for {label}" if own is None else own(source)

    def first_outside(
        self, space: StateSpace, successors: Iterable[int], targets: frozenset[StateLabel]
    ) -> StateLabel | None:
        """The first outcome that is not among the targets of an edge."""
        for successor in successors:
            target: StateLabel = self.coarsened(self.table.state(space, successor))
            if target not in targets and not (self.way.accepts_goals and space.is_goal(successor)):
                return target
        return None
