"""The page that shows an automaton: one HTML file that needs nothing else, neither a library nor a network.

Its parts are readable files in ``gpaplan/pages``: the skeleton, the style, and two scripts (where things are placed;
what is drawn and what happens on a click). Here they are put together with the automaton's data.

Names in an automaton may come from anybody. They enter the page in one place only, as JSON in which every character
that means something to HTML is escaped; the scripts show them as text, never as markup. A content security policy names
the style and the scripts by their hashes, so that nothing else is run or fetched even if a name found a way out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from typing import Any

from gpaplan.automata.abstraction import ActionLabel, facts_of
from gpaplan.automata.automaton import Edge, PolicyAutomaton

__all__ = ["page_data", "render"]


def render(automaton: PolicyAutomaton) -> str:
    """The whole page. The same automaton gives the same text."""
    style, layout, script = _part("automaton.css"), _part("layout.js"), _part("automaton.js")
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(layout)} {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "style": style,
        "data": _embedded(page_data(automaton)),
        "layout": layout,
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("automaton.html"))


def page_data(automaton: PolicyAutomaton) -> dict[str, Any]:
    """What the scripts need to know, as plain data. Vertices and edges are referred to by their places."""
    place = {label: index for index, label in enumerate(automaton.vertices)}
    facts: dict[tuple[str, str], int] = {}
    vertices = [
        {
            "facts": [facts.setdefault((str(fact), fact.words), len(facts)) for fact in facts_of(label)],
            "covers": list(automaton.covers.get(label, ())),
        }
        for label in automaton.vertices
    ]
    options = ", ".join(f"{key}={value}" for key, value in automaton.abstraction.options.items())
    return {
        "domain": automaton.domain_name,
        "abstraction": automaton.abstraction.name + (f" ({options})" if options else ""),
        "settings": [[str(key), str(value)] for key, value in sorted(automaton.settings.items())],
        "training": [
            [each.problem, each.states, None if each.cost is None else f"{each.cost:g}"] for each in automaton.training
        ],
        "facts": [list(fact) for fact in facts],
        "vertices": vertices,
        "edges": [
            _edge(edge, [place[target] for target in edge.targets], place[edge.source]) for edge in automaton.edges
        ],
    }


def _edge(edge: Edge, targets: list[int], source: int) -> dict[str, Any]:
    schema, roles = _spelled(edge.action)
    return {
        "source": source,
        "action": str(edge.action),
        "schema": schema,
        "roles": roles,
        "targets": targets,
        "origins": [[problem, count] for problem, count in edge.origins.items()],
    }


def _spelled(action: ActionLabel) -> tuple[str, list[str]]:
    return (action, []) if isinstance(action, str) else (action.schema, [str(role) for role in action.roles])


def _part(name: str) -> str:
    return resources.files("gpaplan").joinpath("pages", name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    """How a content security policy names an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(data: dict[str, Any]) -> str:
    """JSON for the inside of a script element: ASCII, without any character that could end it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
