"""Generalized policy automata.

A `PolicyAutomaton` is a set of hyperedges: from an abstract state, by an abstract action, to a set of abstract states.
It is what is left of example policies when the names and numbers of objects are forgotten. Two automata are merged by
joining the targets of edges with the same source and action, so examples can be added at any time and in any order.

    automaton = learn(domain, solutions)
    automaton.write("gripper.gpa.json")
    solve(task, automaton=PolicyAutomaton.read("gripper.gpa.json"))

`gpaplan.automata.automaton_file` says how it looks in a file, `gpaplan.automata.drawing` how it is shown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gpaplan.automata.abstraction import (
    Abstraction,
    ActionFilter,
    ActionLabel,
    DomainVocabulary,
    FilterAbstraction,
    StateLabel,
    full_abstraction,
    identity,
)
from gpaplan.automata.canonical import AnyAbstraction, abstraction_of
from gpaplan.automata.matching import Match, RelaxedMatch, by_level, matches_of
from gpaplan.display import html_frame
from gpaplan.errors import MismatchError, UsageError, misplaced
from gpaplan.ppddl.syntax import Domain

if TYPE_CHECKING:
    from gpaplan.automata.constrained import Explanation, Verdict
    from gpaplan.policies.policy import Decisions, Policy
    from gpaplan.tasks.task import AnyAtom, GroundTask

__all__ = ["AnyAutomaton", "Edge", "PolicyAutomaton", "Relevance", "TrainingExample", "given_automaton", "relevance_of"]

Relevance: TypeAlias = Literal["on", "off", "either"]
"""Whether what a goal cannot depend on was dropped, or kept, or there was nothing of that kind."""


def relevance_of(task: GroundTask) -> Relevance:
    """What an automaton that is learned from a task says of it."""
    if not task.has_irrelevant_parts:
        return "either"
    return "on" if task.relevance else "off"


@dataclass(frozen=True, slots=True)
class Edge:
    """A hyperedge: in `source` the action may be taken if all that can come of it is among `targets`."""

    source: StateLabel
    action: ActionLabel
    targets: tuple[StateLabel, ...]
    origins: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How many concrete transitions of each training problem it was learned from."""


class TrainingExample(NamedTuple):
    """A problem that an automaton was learned from."""

    problem: str
    states: int
    """States of its policy, goals not counted."""
    cost: float | None
    """The expected cost of its policy, where known."""
    symmetry: bool = False
    """Whether the states are counted up to symmetry of interchangeable objects."""


class PolicyAutomaton:
    """A generalized policy automaton. `merge` makes new ones; an automaton itself never changes."""

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
        self.domain_name = domain_name
        self.vocabulary = vocabulary
        self.abstraction = abstraction
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
            for (source, action), (targets, origins) in sorted(joined.items(), key=lambda item: _text(item[0]))
        )
        """In a fixed order, that of their texts."""
        self.training = tuple(sorted(set(training), key=_order))
        self.covers = {label: tuple(sorted(set(states))[:3]) for label, states in (covers or {}).items()}
        """For each vertex a few concrete training states that it stands for, as text."""
        self.settings = dict(settings or {})
        """What learning was asked for, such as ``ties`` and ``cost``; lists where examples differ."""
        self._coarsened: dict[int, PolicyAutomaton] = {}

    @classmethod
    def of(cls, domain: Domain, given: AnyAutomaton) -> PolicyAutomaton:
        """What is given, if it is an automaton; a filter of your own as one, for a domain."""
        if isinstance(given, type) or not isinstance(given, ActionFilter):
            return given_automaton(given)
        abstraction = FilterAbstraction(given)
        edge = Edge("any state", "kept", ("any state",))
        return cls(domain.name, DomainVocabulary.of(domain), abstraction, [edge], settings={"relevance": "either"})

    @classmethod
    def empty(cls, domain: Domain, *, abstraction: AnyAbstraction | None = None) -> PolicyAutomaton:
        """An automaton for a domain that allows nothing."""
        return cls(domain.name, DomainVocabulary.of(domain), abstraction_of(abstraction))

    @cached_property
    def vertices(self) -> tuple[StateLabel, ...]:
        """The abstract states of all edges, in a fixed order."""
        return tuple(sorted({e.source for e in self.edges} | {t for e in self.edges for t in e.targets}, key=str))

    @property
    def cost_modes(self) -> tuple[str, ...]:
        """``"unit"``, ``"metric"`` or both: the costs of the examples. Empty where that was not recorded."""
        modes = self.settings.get("cost", ())
        return (modes,) if isinstance(modes, str) else tuple(modes)

    @property
    def relevance(self) -> Relevance:
        """Whether the problems of the examples were grounded without what their goals cannot depend on.

        ``"on"`` or ``"off"``, or ``"either"`` where all of it matters.
        """
        found: Relevance = self.settings.get("relevance", "either")
        return found

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

    def __repr__(self) -> str:
        return f"PolicyAutomaton({self.domain_name!r}: {len(self.vertices)} vertices, {len(self.edges)} edges)"

    # --- merging ---

    def merge(self, other: PolicyAutomaton) -> PolicyAutomaton:
        """Both sets of edges, those with the same source and action joined."""
        self.check_domain(other.vocabulary, other.domain_name, "the other automaton")
        mine, theirs = identity(self.abstraction), identity(other.abstraction)
        alike = mine != theirs and mine["name"] == theirs["name"]
        both = self.full_abstraction.merged(other.full_abstraction) if alike else None
        if both is not None:
            pair = (self, other)
            one, two = (
                each._under_abstraction(both, each.full_abstraction.labels_in(both).__getitem__) for each in pair
            )
            return one.merge(two)
        if mine != theirs:
            part = next(key for key in mine if mine[key] != theirs[key])
            shown = f"{part} {mine[part]} and {theirs[part]}"
            raise MismatchError(f"automata of different abstractions cannot be merged: {shown}")
        relevance = {each.relevance for each in (self, other)} - {"either"}
        if len(relevance) > 1:
            raise MismatchError(
                "automata learned with and without relevance cannot be merged: their states speak of different atoms; "
                "learn one of them again (--relevance on or off, in Python ground(…, relevance=…))"
            )
        settings = _joined_settings(self.settings, other.settings)
        settings["relevance"] = next(iter(relevance), "either")
        return self.with_edges(
            (*self.edges, *other.edges),
            training=(*self.training, *other.training),
            covers=_joined((*self.covers.items(), *other.covers.items())),
            settings=settings,
        )

    __or__ = merge

    def _under_abstraction(
        self, abstraction: Any, label: Callable[[Any], Any], action: Callable[[Any], Any] | None = None, *more: Edge
    ) -> PolicyAutomaton:
        """The same automaton by another abstraction, given what it calls states and, if in another way, actions."""
        action = action or label
        edges = [Edge(label(e.source), action(e.action), tuple(map(label, e.targets)), e.origins) for e in self.edges]
        covers = _joined((label(vertex), states) for vertex, states in self.covers.items())
        origin: dict[str, Any] = {"training": self.training, "covers": covers, "settings": self.settings}
        return PolicyAutomaton(self.domain_name, self.vocabulary, abstraction, [*edges, *more], **origin)

    def with_edges(self, edges: Iterable[Edge], **origin: Any) -> PolicyAutomaton:
        """An automaton of the same domain and abstraction with other edges, and with the training, covers and settings
        that are given.
        """
        return PolicyAutomaton(self.domain_name, self.vocabulary, self.abstraction, edges, **origin)

    # --- abstraction levels (gpaplan.automata.matching) ---

    def levels(self, match: Match) -> tuple[tuple[RelaxedMatch, ...], ...]:
        """How states are matched with it, level by level."""
        return by_level(matches_of(self.full_abstraction, match))

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
            coarser = levels[level]
            more = coarser.coarser_edges()
            self._coarsened[level] = self._under_abstraction(coarser, coarser.coarsened, lambda action: action, *more)
        return self._coarsened[level]

    @cached_property
    def uses(self) -> dict[tuple[StateLabel, ActionLabel], int]:
        """How many transitions of the training policies were on each edge, by its source and action."""
        return {(edge.source, edge.action): sum(edge.origins.values()) for edge in self.edges}

    def count_new(self, before: PolicyAutomaton) -> int:
        """How many edges ``before`` does not have, or has with other targets."""
        return sum(before.targets(e.source, e.action) != frozenset(e.targets) for e in self.edges)

    def check_domain(self, vocabulary: DomainVocabulary, name: str, what: str) -> None:
        """Raise `MismatchError` with the differences unless the vocabulary, of a domain of this name, is that of this
        automaton.
        """
        differences = self.vocabulary.differences(vocabulary)
        if differences:
            learned = f"the automaton was learned for domain '{self.domain_name}', and {what} is of domain '{name}'"
            if name == self.domain_name:
                learned = f"the automaton was learned for another version of domain '{name}' than {what} has"
            raise MismatchError(f"{learned}\n(- the automaton's, + the other's):\n" + "\n".join(differences))

    def check_relevance(self, task: GroundTask) -> None:
        """Raise `MismatchError` unless the states of a task speak of what those of this automaton do."""
        grounded = "either" if self.relevance == "either" else relevance_of(task)
        if grounded not in ("either", self.relevance):
            raise MismatchError(
                f"the automaton was learned with relevance {self.relevance}, and problem '{task.problem.name}' is "
                f"grounded with relevance {grounded}: their states speak of different atoms; ground the problem as the "
                f"others were (--relevance {self.relevance}, in Python relevance={self.relevance == 'on'}), or learn "
                "again"
            )

    # --- using it (gpaplan.automata.constrained) ---

    def accepts(self, policy: Policy | Decisions) -> Verdict:
        """Whether a policy is consistent with the automaton, and if not, its first violation."""
        from gpaplan.automata.constrained import accepts

        return accepts(self, policy)

    def explain(self, task: GroundTask, state: Iterable[AnyAtom], *, match: Match = "coarse") -> Explanation:
        """Which edges apply in a state, which actions are kept, which are pruned and why."""
        from gpaplan.automata.constrained import explain

        return explain(self, task, state, match=match)

    # --- files and pictures ---

    def to_text(self) -> str:
        """The automaton as its file has it; equal automata of equal origin give equal text."""
        from gpaplan.automata.automaton_file import write_automaton

        return write_automaton(self)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `from_json` takes it."""
        record: dict[str, Any] = json.loads(self.to_text())
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any], *, abstraction: AnyAbstraction | None = None) -> PolicyAutomaton:
        """The automaton of what `to_json` gave, checked like that of a file."""
        from gpaplan.automata.automaton_file import automaton_of
        from gpaplan.data import parse_json

        plain = parse_json(json.dumps(record), "<data>", "an automaton")
        return automaton_of(plain, "<data>", None if abstraction is None else abstraction_of(abstraction))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the automaton to a file, which appears as a whole or not at all."""
        from gpaplan.files import written_whole

        with written_whole(path) as file:
            file.write(self.to_text())

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, abstraction: AnyAbstraction | None = None) -> PolicyAutomaton:
        """Read an automaton. Everything in it is checked; nothing in it is executed.

        An automaton of an abstraction of your own needs that abstraction again.
        """
        from gpaplan.automata.automaton_file import read_automaton

        return read_automaton(path, None if abstraction is None else abstraction_of(abstraction))

    def summary(self) -> str:
        """A few lines for people."""
        from gpaplan.automata.drawing import summary

        return summary(self)

    def to_dot(self) -> str:
        """The automaton in the language of Graphviz."""
        from gpaplan.automata.drawing import to_dot

        return to_dot(self)

    def to_svg(self) -> str:
        """The automaton as a picture that stands still: text, which a notebook shows as the picture."""
        from gpaplan.automata.picture import to_svg

        return to_svg(self)

    def to_html(self, *, level: int = 0) -> str:
        """One self-contained page that shows the automaton as a graph to be explored.

        The page has a switch for the abstraction levels, and opens at the one that is given.
        """
        from gpaplan.automata.page import to_html

        return to_html(self, level)

    def to_networkx(self) -> Any:
        """A multigraph with an edge for each target of each hyperedge. Needs the package networkx."""
        try:
            import networkx  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise UsageError("to_networkx needs the package networkx; install gpaplan[graphs]") from None
        graph = networkx.MultiDiGraph(domain=self.domain_name)
        for label in self.vertices:
            graph.add_node(str(label), label=label)
        for number, edge in enumerate(self.edges):
            for target in edge.targets:
                graph.add_edge(str(edge.source), str(target), key=number, action=str(edge.action), edge=edge)
        return graph

    def _repr_html_(self) -> str:
        """In a notebook: the page in a frame."""
        return html_frame(self.to_html(), repr(self))


AnyAutomaton: TypeAlias = PolicyAutomaton | ActionFilter | str | os.PathLike[str]
"""What prunes: an automaton, the file of one, or, where a task is at hand, a filter of your own."""


def _text(key: tuple[StateLabel, ActionLabel]) -> tuple[str, str]:
    return str(key[0]), str(key[1])


def _order(example: TrainingExample) -> tuple[str, int, float, bool]:
    return example.problem, example.states, -1.0 if example.cost is None else example.cost, example.symmetry


def _joined(covers: Iterable[tuple[StateLabel, Iterable[str]]]) -> dict[StateLabel, set[str]]:
    """All states of each vertex."""
    found: dict[StateLabel, set[str]] = {}
    for label, states in covers:
        found.setdefault(label, set()).update(states)
    return found


def _joined_settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of both; where they differ, the list of all values, whichever came first."""
    joined = {**one, **other}
    for key in one.keys() & other.keys():
        if one[key] != other[key]:
            values = [v for each in (one[key], other[key]) for v in (each if isinstance(each, list) else [each])]
            joined[key] = sorted({repr(value): value for value in values}.values(), key=repr)
    return joined


def given_automaton(given: AnyAutomaton) -> PolicyAutomaton:
    """The automaton that is meant."""
    if isinstance(given, str | os.PathLike):
        return PolicyAutomaton.read(given)
    if not isinstance(given, PolicyAutomaton):
        wanted = "pass what learn, grow(…).automaton or PolicyAutomaton.read gives, or an object with a method keeps"
        raise misplaced(given, "automaton", wanted)
    return given
