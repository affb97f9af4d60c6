"""What ``gpaplan check`` says of a domain without a problem."""

from __future__ import annotations

from typing import Any

from gpaplan.ppddl import syntax
from gpaplan.ppddl.writer import write_signature
from gpaplan.tasks.goal import changed_predicates


def describe_domain(domain: syntax.Domain) -> dict[str, Any]:
    """What a domain contains, as ``--json`` prints it."""
    changing = changed_predicates(domain)
    return {
        "status": "ok",
        "domain": domain.name,
        "problem": None,
        "requirements": list(domain.requirements),
        "types": {each.name: list(each.parents) for each in domain.types},
        "constants": {each.name: list(each.types) for each in domain.constants},
        "predicates": {
            each.name: {"declared": write_signature(each.name, each.parameters), "changes": each.name in changing}
            for each in domain.predicates
        },
        "functions": [write_signature(each.name, each.parameters) for each in domain.functions],
        "schemas": [write_signature(each.name, each.parameters) for each in domain.schemas],
    }


def domain_rows(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The same for people."""
    types = [name + _supertype_words(parents) for name, parents in record["types"].items()]
    constants = [name + _supertype_words(of) for name, of in record["constants"].items()]
    changing, fixed = (
        [each["declared"] for each in record["predicates"].values() if each["changes"] == changes]
        for changes in (True, False)
    )
    rows = [
        ("types", ", ".join(types)),
        ("constants", ", ".join(constants)),
        ("predicates", "\n".join(changing)),
        ("never changed", "\n".join(fixed)),
        ("functions", "\n".join(record["functions"])),
        ("actions", "\n".join(record["schemas"]) or "none"),
    ]
    return [(name, text) for name, text in rows if text]


def _supertype_words(types: list[str]) -> str:
    return "" if types == ["object"] else f" - {' or '.join(types)}"
