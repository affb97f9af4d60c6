"""Showing automata: as a page and a picture, whose data is as `gpaplan.pages.graph` takes it, as text, for Graphviz."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.canonical import ActionLabel, StateLabel, facts_of
from gpaplan.automata.filters import Relevance, TransitionFilter
from gpaplan.display import SvgText, counted
from gpaplan.pages import graph

_ABOUT = (
    "Each box is an abstract state: what is left of a state when the names and numbers of objects are forgotten. "
    "An action may be taken in a box if all it can lead to is among its arrows. Click one for its details."
)
_EMPTY = (
    "This automaton is empty: it allows no action yet. Learn one from solved problems (gpaplan learn) and it will be "
    "drawn here."
)


def to_html(automaton: PolicyAutomaton, level: int = 0) -> str:
    """The whole page, which opens at an abstraction level. The same automaton gives the same text."""
    return graph.to_html(page_data(automaton, level))


def to_svg(automaton: PolicyAutomaton) -> SvgText:
    """The automaton as a picture that stands still, for notebooks, papers and hosts that run no scripts."""
    return graph.to_svg(graph_data(automaton, ""), f"{automaton.domain_name}: policy automaton")


def page_data(automaton: PolicyAutomaton, level: int = 0) -> dict[str, Any]:
    """What is on the page, as plain data."""
    matches = {each.level: each for each in reversed(automaton.levels("coarse")[0])}
    levels = sorted(matches)
    seen = automaton.coarsened(level).abstraction  # a level that sees what an earlier one saw is shown as that one
    return {
        "title": automaton.domain_name,
        "name": f"{automaton.domain_name}: policy automaton",
        "about": _ABOUT,
        "empty": _EMPTY,
        "unlisted": "Relations that are not listed hold for nothing.",
        "training": list(map(str, automaton.training)),
        "level": [automaton.coarsened(each).abstraction for each in levels].index(seen),
        "levels": [graph_data(automaton.coarsened(each), matches[each].words) for each in levels],
    }


def graph_data(automaton: PolicyAutomaton, words: str) -> dict[str, Any]:
    """The graph of an automaton. Vertices and edges are referred to by their places."""
    place = {label: index for index, label in enumerate(automaton.vertices)}
    sources = {edge.source for edge in automaton.edges}
    reached = {target for edge in automaton.edges for target in edge.targets if target != edge.source}
    abstraction = _abstraction(automaton)
    return {
        "words": words,
        "counts": [
            counted(len(automaton.vertices), "abstract state"),
            counted(len(automaton.edges), "edge"),
            abstraction,
            f"learned from {counted(len(automaton.training), 'problem')}",
        ],
        "terms": [
            ["Abstraction", abstraction],
            *([str(key), str(value)] for key, value in sorted(automaton.settings.items())),
        ],
        "vertices": [
            {
                "facts": describe_vertex(label),
                **_kind(label, sources, reached),
                "sections": [_covers(automaton.covers.get(label, ()))],
            }
            for label in automaton.vertices
        ],
        "edges": [
            _edge(edge, [place[target] for target in edge.targets], place[edge.source]) for edge in automaton.edges
        ],
    }


def _abstraction(automaton: PolicyAutomaton) -> str:
    options = ", ".join(f"{key}={value}" for key, value in automaton.abstraction.options.items())
    return automaton.abstraction.name + (f" ({options})" if options else "")


def _kind(label: StateLabel, sources: set[StateLabel], reached: set[StateLabel]) -> dict[str, Any]:
    final, initial = label not in sources, label not in reached
    kind = "no action from here: like a goal" if final else "no action leads here: like a start" if initial else ""
    return {"marks": ["final"] * final + ["initial"] * initial, "kind": kind}


def _covers(states: tuple[str, ...]) -> dict[str, Any]:
    note = "At most three are recorded." if states else "None is recorded."
    return {"heading": "Training states that it covers", "items": list(states), "note": note}


def _edge(edge: Edge, targets: list[int], source: int) -> dict[str, Any]:
    schema, roles = _spelled(edge.action)
    roles_of = {"heading": f"Arguments of {schema}"}
    origins = [f"{problem}: {counted(count, 'transition')}" for problem, count in edge.origins.items()]
    learned = {"heading": "Learned from", "items": origins}
    return {
        "source": source,
        "action": str(edge.action),
        "label": schema,
        "schema": schema,
        "targets": targets,
        "chances": [],
        "sections": [
            *([{**roles_of, "items": [f"an object that is {role}" for role in roles]}] if roles else []),
            learned if origins else {**learned, "note": "Nothing is recorded."},
        ],
    }


def _spelled(action: ActionLabel) -> tuple[str, list[str]]:
    return (action, []) if isinstance(action, str) else (action.schema, [str(role) for role in action.roles])


# --- as text, and for Graphviz ---


_RELEVANCE: dict[Relevance, str] = {
    "on": "what the goals of training cannot depend on was dropped",
    "off": "what the goals of training cannot depend on was kept",
    "either": "the goals of training can depend on everything",
}


def summary(automaton: PolicyAutomaton) -> str:
    """What an automaton is made of."""
    fan_out = Counter(edge.source for edge in automaton.edges)
    targets = sum(len(edge.targets) for edge in automaton.edges)
    schemas = Counter(str(edge.action).split("(", 1)[0] for edge in automaton.edges)
    widest = max(fan_out.values(), default=0)
    lines = [
        f"automaton for domain '{automaton.domain_name}'",
        f"  vertices     {len(automaton.vertices)}",
        f"  edges        {len(automaton.edges)}  ({targets} targets; at most {widest} from one vertex)",
        "  by schema    " + ", ".join(f"{name} {count}" for name, count in sorted(schemas.items())),
        f"  abstraction  {_abstraction(automaton)}",
        *origin_lines(automaton),
    ]
    return "\n".join(lines)


def origin_lines(given: TransitionFilter) -> list[str]:
    """What a filter was learned from, a line each."""
    training = [f"  {'' if i else 'training':<12} {each}" for i, each in enumerate(given.training)]
    return [f"  relevance    {given.relevance}: {_RELEVANCE[given.relevance]}", *training]


def describe_vertex(label: StateLabel) -> list[str]:
    """An abstract state in words, a line for each fact."""
    return [fact.words for fact in facts_of(label)]


def to_dot(automaton: PolicyAutomaton) -> str:
    """The automaton in the language of Graphviz: boxes are abstract states, with a double line where no action is left;
    rounded boxes are hyperedges."""
    number = {label: index for index, label in enumerate(automaton.vertices)}
    sources = {edge.source for edge in automaton.edges}
    lines = [f"digraph {_quoted(automaton.domain_name)} {{", "  node [shape=box, fontsize=10];"]
    for label, index in number.items():
        text = "\\l".join(_escaped(line) for line in describe_vertex(label)) + "\\l"
        lines.append(f'  v{index} [label="{text}"{"" if label in sources else ", peripheries=2"}];')
    for index, edge in enumerate(automaton.edges):
        lines.append(
            f"  e{index} [label={_quoted(str(edge.action))}, style=rounded, fontsize=8, height=0, margin=0.05];"
        )
        lines.append(f"  v{number[edge.source]} -> e{index} [arrowhead=none];")
        lines += [f"  e{index} -> v{number[target]};" for target in edge.targets]
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Text as Graphviz reads it inside quotes: no escapes, no entities, no control characters."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return shown.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
