"""The page that shows an automaton: its data, put into the skeleton of ``gpaplan/pages`` with its style and scripts.

Names in an automaton may come from anybody. They enter the page in one place only, as JSON in which every character
that means something to HTML is escaped; the scripts (where things are placed; what is drawn and what happens on a
click) show them as text, never as markup.
"""

from __future__ import annotations

import json
from typing import Any

from gpaplan.automata.abstraction import ActionLabel, facts_of
from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.pages import assemble

__all__ = ["page_data", "to_html"]


def to_html(automaton: PolicyAutomaton) -> str:
    """The whole page. The same automaton gives the same text."""
    return assemble("automaton.html", data=_embedded(page_data(automaton)))


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
            [
                each.problem,
                f"{each.states} up to renaming" if each.symmetry else str(each.states),
                None if each.cost is None else f"{each.cost:g}",
            ]
            for each in automaton.training
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


def _embedded(data: dict[str, Any]) -> str:
    """JSON for the inside of a script element: ASCII, without any character that could end it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
