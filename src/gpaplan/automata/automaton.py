"""Generalized policy automata.

A `PolicyAutomaton` is a set of hyperedges: from an abstract state, by an abstract action, to a set of abstract states.
It is what is left of example policies when the names and numbers of objects are forgotten. Two automata are merged by
joining the targets of edges with the same source and action, so examples can be added at any time and in any order.

    automaton = learn(domain, solutions)
    automaton.write("gripper.gpa.json")
    solve(task, automaton=PolicyAutomaton.read("gripper.gpa.json"))

`gpaplan.automata.automaton_file` says how it looks in a file, `gpaplan.automata.page` how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gpaplan import _core
from gpaplan.automata.canonical import (
    Abstraction,
    ActionLabel,
    AnyAbstraction,
    StateLabel,
    abstraction_of,
    full_abstraction,
    identity,
)
from gpaplan.automata.filters import (
    AnyFilter,
    RelaxedMatch,
    TaskFilter,
    TrainingExample,
    TransitionFilter,
    given_filter,
)
from gpaplan.errors import MismatchError, UsageError, misplaced
from gpaplan.ppddl.syntax import Domain, DomainVocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.explanation import Explanation, Nearness


@dataclass(frozen=True, slots=True)
class Edge:
    """A hyperedge: in `source` the action may be taken if all that can come of it is among `targets`."""

    source: StateLabel
    action: ActionLabel
    targets: tuple[StateLabel, ...]
    origins: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How many concrete transitions of each training problem it was learned from."""


class PolicyAutomaton(TransitionFilter):
    """A generalized policy automaton. `merge` makes new ones; an automaton itself never changes."""

    noun = "automaton"
    nothing_fits = "the automaton is empty"

    def __init__(
        self,
        domain_name: str,
        vocabulary: DomainVocabulary,
        abstraction: Abstraction,
        edges: Iterable[Edge] = (),
        *,
        training: Iterable[TrainingExample] = (),
        covers: Mapping[StateLabel, Iterable[str]] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(domain_name, vocabulary, training=training, settings=settings)
        self.abstraction = abstraction
        self.kind = abstraction.name
        self.full_abstraction = full_abstraction(abstraction)
        """The same, as automata use it."""
        joined: dict[tuple[StateLabel, ActionLabel], tuple[set[StateLabel], dict[str, int]]] = {}
        for edge in edges:
            targets, origins = joined.setdefault((edge.source, edge.action), (set(), {}))
            targets.update(edge.targets)
            for problem, count in edge.origins.items():
                origins[problem] = max(count, origins.get(problem, 0))
        self.edges: tuple[Edge, ...] = tuple(
            Edge(source, action, tuple(sorted(targets, key=str)), dict(sorted(origins.items())))
            for (source, action), (targets, origins) in sorted(joined.items(), key=lambda item: [*map(str, item[0])])
        )
        """In a fixed order, that of their texts."""
        self.covers = {label: tuple(sorted(set(states))[:3]) for label, states in (covers or {}).items()}
        """For each vertex a few concrete training states that it stands for, as text."""
        self._coarsened: dict[int, PolicyAutomaton] = {}

    @classmethod
    def empty(cls, domain: Domain, *, abstraction: AnyAbstraction | None = None) -> PolicyAutomaton:
        """An automaton for a domain that allows nothing."""
        return cls(domain.name, DomainVocabulary.of(domain), abstraction_of(abstraction))

    @cached_property
    def vertices(self) -> tuple[StateLabel, ...]:
        """The abstract states of all edges, in a fixed order."""
        return tuple(sorted({e.source for e in self.edges} | {t for e in self.edges for t in e.targets}, key=str))

    @property
    def abstraction_record(self) -> dict[str, Any]:
        """The abstraction as files have it."""
        return identity(self.abstraction)

    @property
    def sizes(self) -> dict[str, int]:
        """How many vertices and edges there are, and no rules."""
        return {"vertices": len(self.vertices), "edges": len(self.edges), "rules": 0}

    @property
    def size_words(self) -> str:
        """The same in words."""
        return f"{len(self.vertices)} vertices, {len(self.edges)} edges"

    @cached_property
    def _targets(self) -> dict[tuple[StateLabel, ActionLabel], frozenset[StateLabel]]:
        return {(edge.source, edge.action): frozenset(edge.targets) for edge in self.edges}

    def targets(self, source: StateLabel, action: ActionLabel) -> frozenset[StateLabel] | None:
        """The targets of an edge, or None if there is no such edge."""
        return self._targets.get((source, action))

    def edges_from(self, source: StateLabel) -> Iterator[Edge]:
        """The edges of a vertex."""
        return (edge for edge in self.edges if edge.source == source)

    def __len__(self) -> int:
        return len(self.edges)

    def __eq__(self, other: object) -> bool:
        """The same edges for the same domain and abstraction, wherever they came from."""
        if not isinstance(other, PolicyAutomaton):
            return NotImplemented
        return (
            self.vocabulary == other.vocabulary
            and identity(self.abstraction) == identity(other.abstraction)
            and self._targets == other._targets
        )

    def __hash__(self) -> int:
        return hash((self.domain_name, len(self.edges)))

    # --- merging ---

    def _merged(self, other: PolicyAutomaton, **origin: Any) -> PolicyAutomaton:
        """Both sets of edges, those with the same source and action joined."""
        mine, theirs = identity(self.abstraction), identity(other.abstraction)
        if mine != theirs:
            part = next(key for key in mine if mine[key] != theirs[key])
            shown = f"{part} {mine[part]} and {theirs[part]}"
            raise MismatchError(f"automata of different abstractions cannot be merged: {shown}")
        covers = _joined((*self.covers.items(), *other.covers.items()))
        return self.with_edges((*self.edges, *other.edges), covers=covers, **origin)

    def with_edges(self, edges: Iterable[Edge], **origin: Any) -> PolicyAutomaton:
        """An automaton of the same domain and abstraction with other edges, and with the training, covers and settings
        that are given.
        """
        return PolicyAutomaton(self.domain_name, self.vocabulary, self.abstraction, edges, **origin)

    # --- using it, at abstraction levels (gpaplan.automata.filters) ---

    @property
    def all_matches(self) -> tuple[RelaxedMatch, ...]:
        """How a state can be compared with it; matches that see what others saw are left out."""
        levels = self.full_abstraction.levels
        new = [number for number, each in enumerate(levels) if each not in levels[:number]]
        return tuple(each for each in self.full_abstraction.matches if each.level in new)

    def on(self, task: GroundTask) -> AutomatonFilter:
        """The automaton on the states of a task."""
        self.check_task(task)
        return AutomatonFilter(task, self)

    def coarsened(self, level: int) -> PolicyAutomaton:
        """The automaton at an abstraction level: an index into the ``levels`` of its abstraction, 0 for itself.

        Vertices that are then equal are one, with the edges of all. An abstraction of your own has no levels.
        """
        levels = self.full_abstraction.levels
        if not 0 <= level < len(levels):
            raise UsageError(f"the abstraction '{self.abstraction.name}' has {len(levels)} levels, from 0 on")
        if level == 0:
            return self
        if level not in self._coarsened:
            coarser: Any = levels[level]
            label: Callable[[StateLabel], StateLabel] = coarser.coarsened
            edges = [Edge(label(e.source), e.action, tuple(map(label, e.targets)), e.origins) for e in self.edges]
            covers = _joined((label(vertex), states) for vertex, states in self.covers.items())
            origin: dict[str, Any] = {"training": self.training, "covers": covers, "settings": self.settings}
            self._coarsened[level] = PolicyAutomaton(self.domain_name, self.vocabulary, coarser, edges, **origin)
        return self._coarsened[level]

    def nearness(self, explanation: Explanation, action: GroundAction | None) -> Nearness:
        """The vertex that is nearest to a state, and what the two differ in."""
        from gpaplan.automata.explanation import nearness

        return nearness(self.coarsened(explanation.last_match.level), explanation, action)

    def count_new(self, before: PolicyAutomaton) -> int:
        """How many edges ``before`` does not have, or has with other targets."""
        return sum(before.targets(e.source, e.action) != frozenset(e.targets) for e in self.edges)

    # --- files and pictures ---

    def to_text(self) -> str:
        """The automaton as its file has it; equal automata of equal origin give equal text."""
        from gpaplan.automata.automaton_file import write_automaton

        return write_automaton(self)

    def summary(self) -> str:
        """A few lines for people."""
        from gpaplan.automata.page import summary

        return summary(self)

    def to_dot(self) -> str:
        """The automaton in the language of Graphviz."""
        from gpaplan.automata.page import to_dot

        return to_dot(self)

    def to_svg(self) -> str:
        """The automaton as a picture that stands still: text, which a notebook shows as the picture."""
        from gpaplan.automata.page import to_svg

        return to_svg(self)

    def to_html(self, *, level: int = 0) -> str:
        """One self-contained page that shows the automaton as a graph to be explored.

        The page has a switch for the abstraction levels, and opens at the one that is given.
        """
        from gpaplan.automata.page import to_html

        return to_html(self, level)

    def graph_data(self) -> dict[str, Any]:
        """The graph for a page, as plain data."""
        from gpaplan.automata.page import graph_data

        return graph_data(self, "")

    @property
    def formats(self) -> dict[str, Callable[[], str]]:
        """How it can be shown, besides ``html``."""
        return {**super().formats, "dot": self.to_dot, "svg": self.to_svg}


class AutomatonFilter(TaskFilter):
    """An automaton on the states of one task: its edges by number, and what it makes of a state, in words.

    Whether an action is kept is found in the core (src/core/automata/constraint.hpp), and there alone.
    """

    def __init__(self, task: GroundTask, automaton: PolicyAutomaton) -> None:
        self.task, self.automaton = task, automaton
        self.table = automaton.full_abstraction.table(task)
        """The labels of states and actions, by number."""
        self.edges = self.table.edge_set(automaton.edges)
        self._vertices: dict[int, dict[int, int]] = {}

    def core(self, matches: Sequence[RelaxedMatch], *, lenient: bool = False) -> _core.Constraint:
        """The constraint that the automaton puts on the task."""
        pairs = [(each.level, each.accepts_goals) for each in matches]
        return _core.Constraint(self.task.core, self.table.core, self.edges, pairs, lenient)

    def _seen(self, space: StateSpace, state: int, last: RelaxedMatch) -> tuple[dict[str, Any], Callable[..., Any]]:
        """The vertex, and the edges; of an action whether there is no edge or an outcome too many."""
        automaton, label = self.automaton.coarsened(last.level), self.table.state(space, state)
        source = automaton.full_abstraction.coarsened(label)
        edges = tuple(automaton.edges_from(source))

        def refused(action: int, end: int) -> tuple[Any, ...]:
            label = self.table.action(space, state, action)
            if end == _core.NO_ACTION:
                return label, f"no edge for {label}"
            outcome = automaton.full_abstraction.coarsened(self.table.state(space, end))
            return label, f"the edge does not lead to {outcome}", outcome

        known = label in self.automaton.vertices, source in automaton.vertices
        return {"label": label, "known": known[0], "seen": source, "seen_known": known[1], "edges": edges}, refused

    def vertex_of(self, space: StateSpace, state: int, match: RelaxedMatch) -> int | None:
        """The first of the vertices that the state is matched with."""
        core = self.table.core
        return self._vertices_at(match.level).get(core.coarsened(core.state(space.core, state), match.level))

    def _vertices_at(self, level: int) -> dict[int, int]:
        if level not in self._vertices:
            places = reversed(list(enumerate(self.automaton.vertices)))
            ids = ((self.table.core.coarsened(self.table.state_id(label), level), place) for place, label in places)
            self._vertices[level] = dict(ids)
        return self._vertices[level]


def _joined(covers: Iterable[tuple[StateLabel, Iterable[str]]]) -> dict[StateLabel, set[str]]:
    """All states of each vertex."""
    found: dict[StateLabel, set[str]] = {}
    for label, states in covers:
        found.setdefault(label, set()).update(states)
    return found


def given_automaton(given: AnyFilter) -> PolicyAutomaton:
    """The automaton that is meant; a rule list or a filter of your own is none."""
    found = given_filter(given)
    if not isinstance(found, PolicyAutomaton):
        raise misplaced(found, "automaton", "pass what learn gives from solutions, or grow(…).automaton")
    return found
