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
``{"label": text, "covers": […]}``, actions are texts, and there are no roles. One vertex or edge a line, in a fixed order:
the same automaton gives the same bytes.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from typing import Any

from gpaplan.abstraction import (
    AbstractAction,
    Abstraction,
    AbstractState,
    ActionLabel,
    CanonicalAbstraction,
    Role,
    StateLabel,
    Vocabulary,
)
from gpaplan.automaton import Edge, PolicyAutomaton, TrainingExample
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
        if os.path.getsize(path) > MAX_BYTES:
            raise DataError(f"larger than {MAX_BYTES // 2**20} MiB; this is not an automaton", name)
        with open(path, encoding="utf-8") as file:
            record = json.load(file, parse_constant=_refuse_constant)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DataError("not a text file", name) from None
    except RecursionError:
        raise DataError("nested too deeply; this is not an automaton", name) from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"not JSON: {error.msg}; the file was cut off or edited", name, line=error.lineno, column=error.colno
        ) from None
    except ValueError as error:
        raise DataError(str(error), name) from None
    return _Reader(name).automaton(record, abstraction)


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not allowed as a number")


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
        return value

    def strings(self, value: Any, place: str) -> tuple[str, ...]:
        return tuple(self.typed(each, f"{place}[{i}]", str) for i, each in enumerate(self.typed(value, place, list)))

    def index(self, value: Any, place: str, size: int) -> int:
        if not 0 <= self.typed(value, place, int) < size:
            raise self.fail(place, f"is {value}, but there are only {size}")
        return int(value)

    def automaton(self, record: Any, abstraction: Abstraction | None) -> PolicyAutomaton:
        if self.get(record, "", "format", str) != FORMAT:
            raise self.fail("format", f"is not '{FORMAT}'")
        version = self.get(record, "", "version", int)
        if version != VERSION:
            newer = "; it was written by a newer gpaplan: upgrade" if version > VERSION else ""
            raise self.fail("version", f"is {version}, this program reads {VERSION}{newer}")
        vocabulary = self.vocabulary(self.get(record, "", "vocabulary", dict))
        chosen = self.abstraction(self.get(record, "", "abstraction", dict), abstraction)
        roles = [Role(self.strings(r, f"roles[{i}]")) for i, r in enumerate(self.get(record, "", "roles", list))]
        labels: list[StateLabel] = []
        covers: dict[StateLabel, tuple[str, ...]] = {}
        for i, each in enumerate(self.get(record, "", "vertices", list)):
            label = self.vertex(each, f"vertices[{i}]", roles, vocabulary, isinstance(chosen, CanonicalAbstraction))
            if label in covers:
                raise self.fail(f"vertices[{i}]", "is listed twice")
            labels.append(label)
            covers[label] = self.strings(each.get("covers", []), f"vertices[{i}].covers")
        edges = [
            self.edge(each, f"edges[{i}]", labels, roles, vocabulary)
            for i, each in enumerate(self.get(record, "", "edges", list))
        ]
        return PolicyAutomaton(
            self.get(record, "", "domain", str),
            vocabulary,
            chosen,
            edges,
            training=[self.example(e, f"training[{i}]") for i, e in enumerate(self.get(record, "", "training", list))],
            covers=covers,
            settings=self.get(record, "", "settings", dict),
        )

    def vocabulary(self, record: Any) -> Vocabulary:
        def counted(key: str) -> tuple[tuple[str, int], ...]:
            result = []
            for i, pair in enumerate(self.get(record, "vocabulary", key, list)):
                place = f"vocabulary.{key}[{i}]"
                if len(self.typed(pair, place, list)) != 2:
                    raise self.fail(place, "must be a name and a number")
                result.append((self.typed(pair[0], place, str), self.typed(pair[1], place, int)))
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
            if (given.name, given.options) != (name, options):
                raise self.fail("abstraction", f"is '{name}' {options}, not '{given.name}' {given.options}")
            return given
        if name != "canonical":
            raise self.fail("abstraction.name", f"is '{name}': give that abstraction to PolicyAutomaton.read")
        unknown = set(options) - {"goals"}
        if unknown:
            raise self.fail("abstraction.options", f"has the unknown option '{min(unknown)}'")
        return CanonicalAbstraction(self.get(options, "abstraction.options", "goals", bool))

    def vertex(self, record: Any, place: str, roles: list[Role], vocabulary: Vocabulary, canonical: bool) -> StateLabel:
        if not canonical:
            return str(self.get(record, place, "label", str))
        counted = []
        for i, pair in enumerate(self.get(record, place, "roles", list)):
            where = f"{place}.roles[{i}]"
            if len(self.typed(pair, where, list)) != 2 or pair[1] not in ("one", "many"):
                raise self.fail(where, "must be the place of a role and 'one' or 'many'")
            counted.append((roles[self.index(pair[0], where, len(roles))], str(pair[1])))
        own = {role for role, _ in counted}
        arity = dict(vocabulary.predicates)
        relations = []
        for i, triple in enumerate(self.get(record, place, "relations", list)):
            where = f"{place}.relations[{i}]"
            if len(self.typed(triple, where, list)) != 3 or triple[2] not in ("some", "all"):
                raise self.fail(where, "must be a predicate, a list of roles, and 'some' or 'all'")
            places = self.typed(triple[1], where, list)
            if arity.get(self.typed(triple[0], where, str)) != len(places) or len(places) < 2:
                raise self.fail(where, f"'{triple[0]}' is no predicate with {len(places)} arguments")
            tuple_roles = tuple(roles[self.index(each, where, len(roles))] for each in places)
            if not own.issuperset(tuple_roles):
                raise self.fail(where, "relates a role that the vertex does not have")
            relations.append((str(triple[0]), tuple_roles, str(triple[2])))
        flags = self.strings(self.get(record, place, "flags", list), f"{place}.flags")
        return AbstractState(tuple(sorted(counted)), tuple(sorted(flags)), tuple(sorted(relations)))

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
                raise self.fail(f"{place}.action", f"'{given[0]}' is no schema with {len(given[1])} parameters")
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
            if self.typed(count, f"{place}.origins.{problem}", int) < 1:
                raise self.fail(f"{place}.origins.{problem}", "must be at least 1")
        return Edge(source, action, targets, origins)

    def example(self, record: Any, place: str) -> TrainingExample:
        cost = self.get(record, place, "cost", (int, float, type(None)))
        if cost is not None and not math.isfinite(cost):
            raise self.fail(f"{place}.cost", "must be finite")
        return TrainingExample(self.get(record, place, "problem", str), self.get(record, place, "states", int), cost)


_KINDS: dict[type | Callable[..., Any], str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    type(None): "null",
}
