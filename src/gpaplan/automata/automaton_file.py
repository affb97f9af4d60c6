"""Automata as files: versioned, readable JSON, checked on reading.

    {
      "format": "gpaplan policy automaton", "version": 2,
      "domain": "gripper",
      "vocabulary": {"types": […], "constants": […], "predicates": [["robot-in", 1], …], "schemas": [["move", 2], …]},
      "abstraction": {"name": "canonical", "version": 1, "options": {"goals": false}},
      "settings": {"cost": "unit", "relevance": "either", "ties": "harmonize"},
      "training": [{"problem": "gripper-3", "states": 24, "cost": 9.75}, …],
      "roles": [["ball"], ["free", "hand"], …],
      "vertices": [{"roles": [[0, "many"], …], "flags": […], "relations": [["ball-in", [0, 2], "all"], …],
                    "covers": ["gripper-3: (ball-in ball0 room-a) …"]}, …],
      "edges": [{"source": 0, "action": ["pick", [0, 2, 1]], "targets": [0, 3], "origins": {"gripper-3": 24}}, …]
    }

Roles and vertices are referred to by their places in these lists. With an abstraction of your own, vertices are
``{"label": text, "covers": […]}``, actions are texts, and there are no roles.
One vertex or edge a line, in a fixed order: the same automaton gives the same bytes.

``settings``: ``cost`` is the cost mode of the examples, ``ties`` how ties were broken, ``dead_end_cost`` what giving up
cost, if it was allowed; where examples differed, the list of all values. ``relevance`` is ``on`` if what goals cannot
depend on was dropped, ``off`` if it was kept, and ``either`` if there was nothing of that kind; in older files, which
do not say it, it was kept. Files of version 1, which have neither the abstraction's version (it is 1) nor ``cost``,
are read as well.

The files of rules (`gpaplan.automata.rule_file`) begin alike, and what is the same is here.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import asdict

from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.canonical import (
    AbstractAction,
    Abstraction,
    AbstractState,
    ActionLabel,
    AnyAbstraction,
    CanonicalAbstraction,
    Counts,
    Extents,
    Role,
    StateLabel,
    abstraction_of,
    identity,
)
from gpaplan.automata.filters import Relevance, TrainingExample, TransitionFilter
from gpaplan.data import Checker, Count, check_format, show, typed
from gpaplan.display import dump_json, json_lines
from gpaplan.ppddl.syntax import DomainVocabulary
from gpaplan.tasks.grounding import TaskCost

FORMAT = "gpaplan policy automaton"
VERSION = 2
RULES_FORMAT = "gpaplan rules"

T = TypeVar("T")

_MOST_PARAMETERS = 10_000  # of a predicate or schema

# --- writing ---------------------------------------------------------------------------------------------------------


def write_automaton(automaton: PolicyAutomaton) -> str:
    """The text of an automaton's file."""
    labels = [label for edge in automaton.edges for label in (edge.source, edge.action, *edge.targets)]
    roles = sorted({role for label in labels for role in _roles_of(label)})
    role_at = {role: index for index, role in enumerate(roles)}
    vertex_at = {label: index for index, label in enumerate(automaton.vertices)}
    vertices = [
        {**_vertex(label, role_at), "covers": list(automaton.covers.get(label, ()))} for label in automaton.vertices
    ]
    edges = [
        {
            "source": vertex_at[edge.source],
            "action": _action(edge.action, role_at),
            "targets": [vertex_at[target] for target in edge.targets],
            "origins": dict(edge.origins),
        }
        for edge in automaton.edges
    ]
    lists: dict[str, list[Any]] = {"roles": [role.features for role in roles], "vertices": vertices, "edges": edges}
    return text_of(automaton, FORMAT, VERSION, {"abstraction": automaton.abstraction_record}, lists)


def text_of(
    given: TransitionFilter, kind: str, version: int, head: Mapping[str, Any], lists: Mapping[str, Iterable[Any]]
) -> str:
    """The text of a file: what comes first on a line each, and lists, an item a line."""
    first = {
        "format": kind,
        "version": version,
        "domain": given.domain_name,
        "vocabulary": dataclasses.asdict(given.vocabulary),
        **head,
        "settings": dict(sorted(given.settings.items())),
    }
    whole = {"training": map(_example, given.training), **lists}
    return "".join(json_lines(first, **{name: map(dump_json, items) for name, items in whole.items()}))


def _example(example: TrainingExample) -> dict[str, Any]:
    record = example._asdict()
    return record if example.symmetry else {key: record[key] for key in record if key != "symmetry"}


def _roles_of(label: StateLabel | ActionLabel) -> Iterable[Role]:
    if isinstance(label, AbstractAction):
        return label.roles
    return () if isinstance(label, str) else (role for role, _ in label.roles)


def _vertex(label: StateLabel, role_at: dict[Role, int]) -> dict[str, Any]:
    if isinstance(label, str):
        return {"label": label}
    return {
        "roles": [[role_at[role], count] for role, count in label.roles],
        "flags": list(label.flags),
        "relations": [[name, [role_at[role] for role in roles], value] for name, roles, value in label.relations],
    }


def _action(label: ActionLabel, role_at: dict[Role, int]) -> Any:
    return label if isinstance(label, str) else [label.schema, [role_at[role] for role in label.roles]]


# --- reading ---------------------------------------------------------------------------------------------------------

Ties = Literal["first", "harmonize", "all"]
CanonicalAction = Annotated[tuple[str, list[int]], Meta(description="a schema and a list of roles")]
Targets = Annotated[list[int], Meta(min_length=1, description="a list of at least one vertex")]


class _Settings(Struct):
    """Those that mean something here; there may be others."""

    ties: Ties | list[Ties] = []
    cost: TaskCost | list[TaskCost] = []
    dead_end_cost: float | list[float] = []
    relevance: Relevance = "off"


class _Example(Struct):
    problem: str
    states: Count
    cost: float | None
    symmetry: bool = False


class Head(Struct):
    """How a file begins."""

    domain: str
    vocabulary: DomainVocabulary
    settings: dict[str, Any]
    training: list[_Example]


class FilterReader(Checker):
    """Checks what an automaton's file and one of rules have in common."""

    def __init__(self, file: str, head: Head) -> None:
        super().__init__(file)
        self.head = head
        self.vocabulary = head.vocabulary
        typed(head.settings, _Settings, file, "settings")
        for key in ("predicates", "schemas"):
            pairs = getattr(self.vocabulary, key)
            for i, (_, arity) in enumerate(pairs):
                if not 0 <= arity <= _MOST_PARAMETERS:
                    self.fail(f"vocabulary.{key}[{i}]", f"must have a number from 0 to {_MOST_PARAMETERS:,}")
            if len(dict(pairs)) < len(pairs):
                self.fail(f"vocabulary.{key}", "has a name twice")

    def check_counts(self, counts: dict[str, Any], place: str) -> None:
        """Whether something was met at least once in each problem that is named."""
        for problem, count in counts.items():
            if type(count) is not int or count < 1:
                self.fail(f"{place}.{problem}", f"must be a whole number from 1, not {show(count)}")

    @property
    def origin(self) -> dict[str, Any]:
        """What the filter was learned from."""
        training = [TrainingExample(each.problem, each.states, each.cost, each.symmetry) for each in self.head.training]
        return {"training": training, "settings": {"relevance": "off", **self.head.settings}}


class _Abstraction(Struct):
    name: str
    options: dict[str, Any]
    version: Annotated[int, Meta(ge=1)] = 1


class _CanonicalOptions(Struct, forbid_unknown_fields=True):
    goals: bool
    ignore: tuple[str, ...] = ()
    counts: Counts = "one-many"
    relations: Extents = "all-some"
    types: bool = True


class _Head(Head):
    abstraction: _Abstraction


class _NamedVertex(Struct):
    label: str
    covers: tuple[str, ...] = ()


class _CanonicalVertex(Struct):
    roles: list[tuple[int, Literal["one", "many", "some"]]]
    flags: list[str]
    relations: list[tuple[str, list[int], Literal["some", "all", "any"]]]
    covers: tuple[str, ...] = ()


Vertex = TypeVar("Vertex", _NamedVertex, _CanonicalVertex)
Action = TypeVar("Action", str, CanonicalAction)


class _Edge(Struct, Generic[Action]):
    source: int
    action: Action
    targets: Targets
    origins: dict[str, Any]


class _Body(Struct, Generic[Vertex, Action]):
    roles: list[list[str]]
    vertices: list[Vertex]
    edges: list[_Edge[Action]]


def automaton_of(record: object, name: str, abstraction: Abstraction | None) -> PolicyAutomaton:
    """Check what a file holds; messages speak of it by the name."""
    check_format(record, FORMAT, VERSION, name, "an automaton")
    head = typed(record, _Head, name)
    reader = _Reader(name, head)
    chosen = reader.abstraction(head.abstraction, abstraction)
    labels: list[StateLabel]
    actions: list[ActionLabel]
    if isinstance(chosen, CanonicalAbstraction):
        body: Any = typed(record, _Body[_CanonicalVertex, CanonicalAction], name)
        of_objects, of_state = map(frozenset, chosen.features(head.vocabulary))
        found = (reader.features(each, f"roles[{i}]", of_objects, "of objects") for i, each in enumerate(body.roles))
        roles = [Role(each) for each in found]
        for i, each in enumerate(body.vertices):
            each.flags = list(reader.features(each.flags, f"vertices[{i}].flags", of_state, "of a state"))
        labels = [reader.vertex(each, f"vertices[{i}]", roles, chosen) for i, each in enumerate(body.vertices)]
        actions = [reader.action(each.action, f"edges[{i}].action", roles) for i, each in enumerate(body.edges)]
    else:
        body = typed(record, _Body[_NamedVertex, str], name)
        labels = [each.label for each in body.vertices]
        actions = [each.action for each in body.edges]
    if len(set(labels)) < len(labels):
        twice = next(i for i, label in enumerate(labels) if label in labels[:i])
        reader.fail(f"vertices[{twice}]", "is listed twice")
    return PolicyAutomaton(
        head.domain,
        head.vocabulary,
        chosen,
        reader.edges(body.edges, labels, actions),
        covers={label: each.covers for label, each in zip(labels, body.vertices, strict=True)},
        **reader.origin,
    )


class _Reader(FilterReader):
    """Checks what is an automaton's own."""

    def abstraction(self, record: _Abstraction, given: Abstraction | None) -> Abstraction:
        if given is not None:
            wanted = json.loads(dump_json(identity(given)))
            if wanted != asdict(record):
                mine, theirs = (
                    f"{show(each['name'])} with {show(each['options'])}, version {each['version']}"
                    for each in (asdict(record), wanted)
                )
                self.fail("abstraction", f"is {mine}, not {theirs}")
            return given
        if record.name != "canonical":
            self.fail("abstraction.name", f"is {show(record.name)}: give that abstraction to PolicyAutomaton.read")
        options = typed(record.options, _CanonicalOptions, self.file, "abstraction.options")
        known = dict(self.vocabulary.predicates)
        for i, name in enumerate(options.ignore):
            if name not in known:
                self.fail(f"abstraction.options.ignore[{i}]", f"{show(name)} is no predicate of the vocabulary")
        chosen = CanonicalAbstraction(**asdict(options))
        self.check_version(record, chosen)
        return chosen

    def check_version(self, record: _Abstraction, known: Abstraction) -> None:
        newest = identity(known)["version"]
        if record.version > newest:
            message = f"{record.version} is newer than the version {newest} known here; use a newer gpaplan"
            self.fail("abstraction.version", message)

    def features(self, names: list[str], place: str, known: Iterable[str], whose: str) -> tuple[str, ...]:
        """The names of features, each once, ascending."""
        for i, name in enumerate(names):
            if name not in known:
                self.fail(f"{place}[{i}]", f"{show(name)} is no feature {whose} in this vocabulary")
        if len(set(names)) < len(names):
            self.fail(place, "has a feature twice")
        return tuple(sorted(names))

    def pick(self, items: Sequence[T], index: int, place: str) -> T:
        """What a file refers to by its place in a list."""
        if not 0 <= index < len(items):
            self.fail(place, f"is {show(index)}, but there are only {len(items)}")
        return items[index]

    def vertex(
        self, record: _CanonicalVertex, place: str, roles: list[Role], abstraction: CanonicalAbstraction
    ) -> AbstractState:
        counts = {self.pick(roles, index, f"{place}.roles[{i}]"): n for i, (index, n) in enumerate(record.roles)}
        self.check_words(f"{place}.roles", [n for _, n in record.roles], abstraction.counts == "presence", "some")
        if len(counts) < len(record.roles):
            self.fail(f"{place}.roles", "has a role twice")
        arity = {name: count for name, count in self.vocabulary.predicates if name not in abstraction.ignore}
        extents = [value for *_, value in record.relations]
        self.check_words(f"{place}.relations", extents, abstraction.relations == "presence", "any")
        if record.relations and abstraction.relations == "none":
            self.fail(f"{place}.relations", "must be empty: the abstraction sees no relations")
        relations = {}
        for i, (name, indices, value) in enumerate(record.relations):
            where = f"{place}.relations[{i}]"
            if arity.get(name) != len(indices) or len(indices) < 2:
                self.fail(where, f"{show(name)} is no predicate with {len(indices)} arguments")
            between = tuple(self.pick(roles, index, where) for index in indices)
            if not counts.keys() >= set(between):
                self.fail(where, "relates a role that the vertex does not have")
            relations[name, between] = value
        if len(relations) < len(record.relations):
            self.fail(f"{place}.relations", "relates the same roles twice")
        return AbstractState(
            tuple(sorted(counts.items())),
            tuple(record.flags),
            tuple(sorted((name, between, value) for (name, between), value in relations.items())),
        )

    def check_words(self, place: str, words: Sequence[str], is_presence: bool, presence: str) -> None:
        """Whether numbers are said exactly where the abstraction sees them."""
        for i, word in enumerate(words):
            if (word == presence) != is_presence:
                self.fail(f"{place}[{i}]", f"says {show(word)}, which this abstraction does not")

    def action(self, given: tuple[str, list[int]], place: str, roles: list[Role]) -> AbstractAction:
        schema, indices = given
        if dict(self.vocabulary.schemas).get(schema) != len(indices):
            self.fail(place, f"{show(schema)} is no schema with {len(indices)} parameters")
        return AbstractAction(schema, tuple(self.pick(roles, index, place) for index in indices))

    def edges(self, records: Sequence[_Edge[Any]], labels: list[StateLabel], actions: list[ActionLabel]) -> list[Edge]:
        first: dict[tuple[StateLabel, ActionLabel], int] = {}
        edges = []
        for i, (record, action) in enumerate(zip(records, actions, strict=True)):
            source = self.pick(labels, record.source, f"edges[{i}].source")
            targets = tuple(self.pick(labels, index, f"edges[{i}].targets") for index in record.targets)
            self.check_counts(record.origins, f"edges[{i}].origins")
            if first.setdefault((source, action), i) != i:
                self.fail(f"edges[{i}]", f"has the source and the action of edges[{first[source, action]}]")
            edges.append(Edge(source, action, targets, record.origins))
        return edges


def filter_of(record: object, name: str, abstraction: AnyAbstraction | None) -> TransitionFilter:
    """Check what a file holds; messages speak of it by the name."""
    if holds_rules(record):
        from gpaplan.automata.rule_file import rules_of

        return rules_of(record, name)
    return automaton_of(record, name, None if abstraction is None else abstraction_of(abstraction))


def holds_rules(record: object) -> bool:
    """Whether what a file holds is meant to be rules, which were an automaton's abstraction once."""
    if not isinstance(record, dict):
        return False
    abstraction = record.get("abstraction")
    is_old = isinstance(abstraction, dict) and abstraction.get("name") == "concepts"
    return record.get("format") == RULES_FORMAT or is_old
