"""Rule lists as files: versioned, readable JSON, checked on reading.

    {
      "format": "gpaplan rules", "version": 1,
      "domain": "gripper",
      "vocabulary": {"types": […], "constants": […], "predicates": [["robot-in", 1], …], "schemas": [["move", 2], …]},
      "settings": {"cost": "unit", "note": "…", "relevance": "either"},
      "training": [{"problem": "gripper-3", "states": 24, "cost": 9.75}, …],
      "rules": [
        {"schema": "pick", "if": ["(not (related ?b ?r @ball-in))"], "transitions": {"gripper-3": 24},
         "examples": ["gripper-3: (ball-in ball0 room-a) …"]},
        …
      ]
    }

A rule a line, in order; if there are several lists, each rule says by ``list``, a number from 1, of which it is. What
training shows of a rule are its ``transitions`` in each problem, and ``examples``, a few states in which it decides.

Rules of which something is proven for problems of every size (docs/proofs.md) have a ``certificate``: the claim, also
in words, and hashes of the domain and of the rules; and lists: the ``conditions`` of the class, the measures of the
``rank``, the ``steps`` by which it falls with each rule, the measures of the ``bound`` on the cost with their weights,
and in ``proofs``, of each obligation, the numbers of the conditions that it is proven from.

Older files held rules as the options of an automaton's abstraction, ``concepts``. They are read as well.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from gpaplan.automata.automaton_file import RULES_FORMAT, FilterReader, Head, text_of
from gpaplan.automata.rules import RuleFilter, RuleUse
from gpaplan.concepts.rules import RuleList
from gpaplan.data import check_format, show, typed
from gpaplan.errors import UsageError

VERSION = 1
_PROVEN = ("conditions", "rank", "steps", "bound", "proofs")
"""The lists of a certificate."""


def write_rules(given: RuleFilter) -> str:
    """The text of a file of rules."""
    entries = [
        {
            **({"list": number} if len(given.lists) > 1 else {}),
            "schema": rule.schema,
            "if": list(map(str, rule.literals)),
            "transitions": dict(sorted(use.transitions.items())),
            "examples": list(use.examples),
        }
        for number, (rules, uses) in enumerate(given.uses.items(), 1)
        for rule, use in zip(rules.rules, uses, strict=True)
    ]
    proven = dict(given.certificate or {})
    lists = {"rules": entries, **{name: proven.pop(name, []) for name in _PROVEN if given.certificate is not None}}
    head = {} if given.certificate is None else {"certificate": proven}
    return text_of(given, RULES_FORMAT, VERSION, head, lists)


class _Entry(Struct, rename={"literals": "if", "number": "list"}, forbid_unknown_fields=True):
    schema: str
    literals: list[str]
    transitions: dict[str, Any] = {}
    examples: list[str] = []
    number: Annotated[int, Meta(ge=1)] = 1


class _Rules(Struct):
    rules: Annotated[list[_Entry], Meta(min_length=1)]
    certificate: dict[str, Any] | None = None
    conditions: list[str] = []
    rank: list[str] = []
    steps: list[dict[str, Any]] = []
    bound: list[dict[str, str]] = []
    proofs: list[list[int]] = []


class _OldOptions(Struct, forbid_unknown_fields=True):
    rules: list[dict[str, Any]]
    also: list[list[dict[str, Any]]] = []


class _OldAbstraction(Struct):
    options: _OldOptions


class _OldVertex(Struct):
    label: str
    covers: list[str] = []


class _OldEdge(Struct):
    action: str
    origins: dict[str, int]


class _OldAutomaton(Struct):
    abstraction: _OldAbstraction
    vertices: list[_OldVertex]
    edges: list[_OldEdge]


def rules_of(record: Any, name: str) -> RuleFilter:
    """Check what a file of rules holds."""
    if record["format"] != RULES_FORMAT:
        record = _renewed(typed(record, _OldAutomaton, name), record)
    check_format(record, RULES_FORMAT, VERSION, name, "rules")
    reader = FilterReader(name, typed(record, Head, name))
    whole = typed(record, _Rules, name)
    entries = whole.rules
    schemas = dict(reader.vocabulary.schemas)
    lists: dict[int, list[_Entry]] = {}
    for i, entry in enumerate(entries):
        if entry.schema not in schemas:
            reader.fail(f"rules[{i}].schema", f"{show(entry.schema)} is no schema of the vocabulary")
        reader.check_counts(entry.transitions, f"rules[{i}].transitions")
        lists.setdefault(entry.number, []).append(entry)
    found = {}
    for own in lists.values():
        try:
            rules = RuleList.from_json([{"schema": each.schema, "if": each.literals} for each in own])
        except UsageError as error:
            reader.fail("rules", str(error))
        found[rules] = [RuleUse(each.transitions, tuple(each.examples)) for each in own]
    filter_ = RuleFilter(reader.head.domain, reader.vocabulary, found, **reader.origin)
    if whole.certificate is None:
        return filter_
    return filter_.certified({**whole.certificate, **{each: getattr(whole, each) for each in _PROVEN}})


def _renewed(old: _OldAutomaton, record: dict[str, Any]) -> dict[str, Any]:
    """What a file of today would hold: a rule's uses were at the edges of its action, examples at the vertex."""
    lists = [old.abstraction.options.rules, *old.abstraction.options.also]
    examples = {each.label: each.covers for each in old.vertices}
    entries = []
    for number, own in enumerate(lists, 1):
        for place, rule in enumerate(own, 1):
            called = f"rule {number}.{place}" if len(lists) > 1 else f"rule {place}"
            origins = [each.origins for each in old.edges if each.action.startswith(f"{called}:")]
            uses = {problem: count for each in origins for problem, count in each.items()}
            entries.append(
                {**rule, "transitions": uses, "examples": examples.get(f"{called} decides", []), "list": number}
            )
    return {**record, "format": RULES_FORMAT, "version": VERSION, "rules": entries}
