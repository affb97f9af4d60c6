"""Automata as files: versioned, readable JSON, checked on reading.

    {
      "format": "gpaplan policy automaton", "version": 1,
      "domain": "gripper",
      "vocabulary": {"types": […], "constants": […], "predicates": [["robot-in", 1], …], "schemas": [["move", 2], …]},
      "abstraction": {"name": "canonical", "options": {"goals": false}},
      "settings": {"ties": "harmonize"},
      "training": [{"problem": "gripper-3", "states": 24, "cost": 9.75}, …],
      "roles": [["ball"], ["free", "hand"], …],
      "vertices": [{"roles": [[0, "many"], …], "flags": […], "relations": [["ball-in", [0, 2], "all"], …],
                    "covers": ["gripper-3: (ball-in ball0 room-a) …"]}, …],
      "edges": [{"source": 0, "action": ["pick", [0, 2, 1]], "targets": [0, 3], "origins": {"gripper-3": 24}}, …]
    }

Roles and vertices are referred to by their places in these lists. With an abstraction of your own, vertices are
``{"label": text, "covers": […]}``, actions are texts, and there are no roles. One vertex or edge a line, in a fixed
order: the same automaton gives the same bytes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from gpaplan.automata.abstraction import (
    AbstractAction,
    Abstraction,
    AbstractState,
    ActionLabel,
    Role,
    StateLabel,
    Vocabulary,
)
from gpaplan.automata.automaton import Edge, PolicyAutomaton, TrainingExample
from gpaplan.automata.canonical import CanonicalAbstraction
from gpaplan.errors import DataError, UsageError

FORMAT = "gpaplan policy automaton"
VERSION = 1
MAX_BYTES = 256 * 1024 * 1024

# --- writing ---------------------------------------------------------------------------------------------------------


def write_automaton(automaton: PolicyAutomaton) -> str:
    """The text of an automaton's file."""
    roles = sorted({role for label in automaton.vertices for role in _roles_of(label)} | _action_roles(automaton))
    role_at = {role: index for index, role in enumerate(roles)}
    vertex_at = {label: index for index, label in enumerate(automaton.vertices)}
    vocabulary = automaton.vocabulary
    head = {
        "format": FORMAT,
        "version": VERSION,
        "domain": automaton.domain_name,
        "vocabulary": {
            "types": vocabulary.types,
            "constants": vocabulary.constants,
            "predicates": vocabulary.predicates,
            "schemas": vocabulary.schemas,
        },
        "abstraction": {"name": automaton.abstraction.name, "options": automaton.abstraction.options},
        "settings": dict(sorted(automaton.settings.items())),
    }
    training = [{"problem": each.problem, "states": each.states, "cost": each.cost} for each in automaton.training]
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
    lines = [f"  {_dump(key)}: {_dump(value)}" for key, value in head.items()]
    for key, items in (
        ("training", training),
        ("roles", [role.features for role in roles]),
        ("vertices", vertices),
        ("edges", edges),
    ):
        body = ",\n    ".join(map(_dump, items))
        lines.append(f"  {_dump(key)}: [\n    {body}\n  ]" if items else f"  {_dump(key)}: []")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _roles_of(label: StateLabel) -> set[Role]:
    return set() if isinstance(label, str) else {role for role, _ in label.roles}


def _action_roles(automaton: PolicyAutomaton) -> set[Role]:
    return {role for e in automaton.edges if not isinstance(e.action, str) for role in e.action.roles}


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


def read_automaton(path: str | os.PathLike[str], abstraction: Abstraction | None) -> PolicyAutomaton:
    """Read and check a file."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}") from None
    return parse_automaton(data, name, abstraction)


def parse_automaton(data: bytes, name: str, abstraction: Abstraction | None) -> PolicyAutomaton:
    """Check the text of a file; messages speak of it by the name."""
    return _Reader(name).automaton(_parse(data, name), abstraction)


def _parse(data: bytes, file: str) -> Any:
    """The text as JSON, without what JSON does not have (NaN, Infinity) and without repeated keys."""

    def refuse_constant(text: str) -> float:
        raise DataError(f"{text} is not a number that JSON has", file)

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"the key {_show(repeated)} occurs twice in one object", file)
        return record

    if len(data) > MAX_BYTES:
        raise DataError(f"larger than {MAX_BYTES // 2**20} MiB; this is not an automaton", file)
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=refuse_constant, object_pairs_hook=collect)
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start}); this is not an automaton", file) from None
    except RecursionError:
        raise DataError("nested too deeply; this is not an automaton", file) from None
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}; the file was cut off or edited"
        raise DataError(message, file, line=error.lineno, column=error.colno) from None
    except ValueError as error:
        raise DataError(f"not JSON: {error}", file) from None


def _show(value: object, most: int = 60) -> str:
    """A value of the file for a message, in ASCII."""
    text = json.dumps(value)
    return text if len(text) <= most else f"{text[:most]} …"


def _is_writable(value: Any) -> bool:
    """Whether data can be written as JSON again: no infinite numbers, no halves of characters."""
    try:
        _dump(value).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _is_feature(name: str, vocabulary: Vocabulary, abstraction: CanonicalAbstraction, *, of_state: bool) -> bool:
    """Whether objects, or the state as a whole, can have a feature of this name (see gpaplan.automata.abstraction)."""
    every = dict(vocabulary.predicates)
    arity = {predicate: count for predicate, count in every.items() if predicate not in abstraction.ignore}
    if abstraction.goals and name[:1] in ("@", "!"):
        predicate, _, place = name[1:].rpartition("/")
        known = arity.get(predicate, -1)
        if of_state:
            return known == 0 and place == "0"
        return len(place) < 10 and place.isdecimal() and place == str(int(place)) and 1 <= int(place) <= known
    if of_state:
        return arity.get(name) == 0
    if name.startswith("="):
        return name[1:] in vocabulary.constants
    if name.endswith(":type"):
        return name[:-5] in vocabulary.types and every.get(name[:-5]) == 1
    return name in vocabulary.types or arity.get(name) == 1


class _Reader:
    """Turns plain data into an automaton; every complaint names its place."""

    def __init__(self, file: str) -> None:
        self._file = file

    def fail(self, place: str, message: str) -> DataError:
        return DataError(message, self._file, place)

    def get(self, record: Any, place: str, key: str, kind: type | tuple[type, ...]) -> Any:
        where = f"{place}.{key}" if place else key
        if not isinstance(record, dict):
            raise self.fail(place or "the file", "must be an object")
        if key not in record:
            raise self.fail(where, "is missing")
        return self.typed(record[key], where, kind)

    def typed(self, value: Any, place: str, kind: type | tuple[type, ...]) -> Any:
        if isinstance(value, bool) and kind is not bool:
            raise self.fail(place, "must not be a truth value")
        if not isinstance(value, kind):
            names = " or ".join(_KINDS[each] for each in (kind if isinstance(kind, tuple) else (kind,)))
            raise self.fail(place, f"must be {names}")
        if isinstance(value, str) and not _is_writable(value):
            raise self.fail(place, "is not Unicode text")
        return value

    def strings(self, value: Any, place: str) -> tuple[str, ...]:
        return tuple(self.typed(each, f"{place}[{i}]", str) for i, each in enumerate(self.typed(value, place, list)))

    def index(self, value: Any, place: str, size: int) -> int:
        if not 0 <= self.typed(value, place, int) < size:
            raise self.fail(place, f"is {_show(value)}, but there are only {size}")
        return int(value)

    def automaton(self, record: Any, abstraction: Abstraction | None) -> PolicyAutomaton:
        if self.get(record, "", "format", str) != FORMAT:
            raise self.fail("format", f"is not '{FORMAT}'")
        version = self.get(record, "", "version", int)
        if version != VERSION:
            newer = "; it was written by a newer gpaplan: upgrade" if version > VERSION else ""
            raise self.fail("version", f"is {_show(version)}, this program reads {VERSION}{newer}")
        vocabulary = self.vocabulary(self.get(record, "", "vocabulary", dict))
        chosen = self.abstraction(self.get(record, "", "abstraction", dict), abstraction)
        self.check_ignored(chosen, vocabulary)
        roles = [
            Role(self.features(each, f"roles[{i}]", vocabulary, chosen, of_state=False))
            for i, each in enumerate(self.get(record, "", "roles", list))
        ]
        labels: list[StateLabel] = []
        covers: dict[StateLabel, tuple[str, ...]] = {}
        for i, each in enumerate(self.get(record, "", "vertices", list)):
            label = self.vertex(each, f"vertices[{i}]", roles, vocabulary, chosen)
            if label in covers:
                raise self.fail(f"vertices[{i}]", "is listed twice")
            labels.append(label)
            covers[label] = self.strings(each.get("covers", []), f"vertices[{i}].covers")
        edges = [
            self.edge(each, f"edges[{i}]", labels, roles, vocabulary)
            for i, each in enumerate(self.get(record, "", "edges", list))
        ]
        first: dict[tuple[StateLabel, ActionLabel], int] = {}
        for i, edge in enumerate(edges):
            if first.setdefault((edge.source, edge.action), i) != i:
                raise self.fail(
                    f"edges[{i}]", f"has the source and the action of edges[{first[edge.source, edge.action]}]"
                )
        settings = self.get(record, "", "settings", dict)
        if not _is_writable(settings):
            raise self.fail("settings", "has a number or a text that JSON cannot have")
        return PolicyAutomaton(
            self.get(record, "", "domain", str),
            vocabulary,
            chosen,
            edges,
            training=[self.example(e, f"training[{i}]") for i, e in enumerate(self.get(record, "", "training", list))],
            covers=covers,
            settings=settings,
        )

    def features(
        self,
        value: Any,
        place: str,
        vocabulary: Vocabulary,
        abstraction: CanonicalAbstraction | Abstraction,
        *,
        of_state: bool,
    ) -> tuple[str, ...]:
        """The names of features, each once, ascending."""
        names = self.strings(value, place)
        canonical = abstraction if isinstance(abstraction, CanonicalAbstraction) else CanonicalAbstraction()
        for i, name in enumerate(names):
            if not _is_feature(name, vocabulary, canonical, of_state=of_state):
                whose = "of a state" if of_state else "of objects"
                raise self.fail(f"{place}[{i}]", f"{_show(name)} is no feature {whose} in this vocabulary")
        if len(set(names)) < len(names):
            raise self.fail(place, "has a feature twice")
        return tuple(sorted(names))

    def vocabulary(self, record: Any) -> Vocabulary:
        def counted(key: str) -> tuple[tuple[str, int], ...]:
            result = []
            for i, pair in enumerate(self.get(record, "vocabulary", key, list)):
                place = f"vocabulary.{key}[{i}]"
                if len(self.typed(pair, place, list)) != 2:
                    raise self.fail(place, "must be a name and a number")
                if self.typed(pair[1], place, int) < 0:
                    raise self.fail(place, "must not have a negative number")
                result.append((self.typed(pair[0], place, str), int(pair[1])))
            if len(dict(result)) < len(result):
                raise self.fail(f"vocabulary.{key}", "has a name twice")
            return tuple(result)

        return Vocabulary(
            self.strings(self.get(record, "vocabulary", "types", list), "vocabulary.types"),
            self.strings(self.get(record, "vocabulary", "constants", list), "vocabulary.constants"),
            counted("predicates"),
            counted("schemas"),
        )

    def abstraction(self, record: Any, given: Abstraction | None) -> CanonicalAbstraction | Abstraction:
        name = self.get(record, "abstraction", "name", str)
        options = self.get(record, "abstraction", "options", dict)
        if given is not None:
            if (given.name, json.loads(_dump(given.options))) != (name, options):
                shown = f"{_show(name)} with {_show(options)}, not {_show(given.name)} with {_show(given.options)}"
                raise self.fail("abstraction", f"is {shown}")
            return given
        if name != "canonical":
            raise self.fail("abstraction.name", f"is {_show(name)}: give that abstraction to PolicyAutomaton.read")
        unknown = set(options) - {"goals", "ignore"}
        if unknown:
            raise self.fail("abstraction.options", f"has the unknown option {_show(min(unknown))}")
        ignore = self.strings(options.get("ignore", []), "abstraction.options.ignore")
        return CanonicalAbstraction(self.get(options, "abstraction.options", "goals", bool), ignore)

    def check_ignored(self, abstraction: CanonicalAbstraction | Abstraction, vocabulary: Vocabulary) -> None:
        known = dict(vocabulary.predicates)
        for i, name in enumerate(abstraction.ignore if isinstance(abstraction, CanonicalAbstraction) else ()):
            if name not in known:
                raise self.fail(f"abstraction.options.ignore[{i}]", f"{_show(name)} is no predicate of the vocabulary")

    def vertex(
        self,
        record: Any,
        place: str,
        roles: list[Role],
        vocabulary: Vocabulary,
        abstraction: CanonicalAbstraction | Abstraction,
    ) -> StateLabel:
        if not isinstance(abstraction, CanonicalAbstraction):
            return str(self.get(record, place, "label", str))
        counted = self.counts(record, place, roles)
        own = {role for role, _ in counted}
        relations = self.relations(record, place, roles, vocabulary, own, abstraction.ignore)
        given = self.get(record, place, "flags", list)
        flags = self.features(given, f"{place}.flags", vocabulary, abstraction, of_state=True)
        return AbstractState(tuple(sorted(counted)), flags, tuple(sorted(relations)))

    def counts(self, record: Any, place: str, roles: list[Role]) -> list[tuple[Role, str]]:
        counted = []
        for i, pair in enumerate(self.get(record, place, "roles", list)):
            where = f"{place}.roles[{i}]"
            if len(self.typed(pair, where, list)) != 2 or pair[1] not in ("one", "many"):
                raise self.fail(where, "must be the place of a role and 'one' or 'many'")
            counted.append((roles[self.index(pair[0], where, len(roles))], str(pair[1])))
        if len(dict(counted)) < len(counted):
            raise self.fail(f"{place}.roles", "has a role twice")
        return counted

    def relations(
        self,
        record: Any,
        place: str,
        roles: list[Role],
        vocabulary: Vocabulary,
        own: set[Role],
        ignore: tuple[str, ...],
    ) -> list[tuple[str, tuple[Role, ...], str]]:
        arity = {name: count for name, count in vocabulary.predicates if name not in ignore}
        relations = []
        for i, triple in enumerate(self.get(record, place, "relations", list)):
            where = f"{place}.relations[{i}]"
            if len(self.typed(triple, where, list)) != 3 or triple[2] not in ("some", "all"):
                raise self.fail(where, "must be a predicate, a list of roles, and 'some' or 'all'")
            places = self.typed(triple[1], where, list)
            if arity.get(self.typed(triple[0], where, str)) != len(places) or len(places) < 2:
                raise self.fail(where, f"{_show(triple[0])} is no predicate with {len(places)} arguments")
            tuple_roles = tuple(roles[self.index(each, where, len(roles))] for each in places)
            if not own.issuperset(tuple_roles):
                raise self.fail(where, "relates a role that the vertex does not have")
            relations.append((str(triple[0]), tuple_roles, str(triple[2])))
        if len({(name, between) for name, between, _ in relations}) < len(relations):
            raise self.fail(f"{place}.relations", "relates the same roles twice")
        return relations

    def edge(
        self, record: Any, place: str, labels: list[StateLabel], roles: list[Role], vocabulary: Vocabulary
    ) -> Edge:
        source = labels[self.index(self.get(record, place, "source", int), f"{place}.source", len(labels))]
        given = self.get(record, place, "action", (str, list))
        action: ActionLabel
        if isinstance(given, str):
            action = given
        else:
            if len(given) != 2 or not isinstance(given[0], str) or not isinstance(given[1], list):
                raise self.fail(f"{place}.action", "must be a schema and a list of roles")
            if dict(vocabulary.schemas).get(given[0]) != len(given[1]):
                raise self.fail(f"{place}.action", f"{_show(given[0])} is no schema with {len(given[1])} parameters")
            action = AbstractAction(
                given[0], tuple(roles[self.index(each, f"{place}.action", len(roles))] for each in given[1])
            )
        if isinstance(action, str) != isinstance(source, str):
            raise self.fail(f"{place}.action", "does not fit the abstraction")
        places = self.get(record, place, "targets", list)
        if not places:
            raise self.fail(f"{place}.targets", "is empty")
        targets = tuple(labels[self.index(each, f"{place}.targets", len(labels))] for each in places)
        origins = self.get(record, place, "origins", dict)
        for problem, count in origins.items():
            self.typed(problem, f"{place}.origins", str)
            if self.typed(count, f"{place}.origins.{problem}", int) < 1:
                raise self.fail(f"{place}.origins.{problem}", "must be at least 1")
        return Edge(source, action, targets, origins)

    def example(self, record: Any, place: str) -> TrainingExample:
        cost = self.get(record, place, "cost", (int, float, type(None)))
        if cost is not None and not (-sys.float_info.max <= cost <= sys.float_info.max):
            raise self.fail(f"{place}.cost", "must be finite")
        if self.get(record, place, "states", int) < 0:
            raise self.fail(f"{place}.states", "must not be negative")
        return TrainingExample(self.get(record, place, "problem", str), record["states"], cost)


_KINDS: dict[type | Callable[..., Any], str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    type(None): "null",
}
