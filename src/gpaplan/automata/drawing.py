"""Showing automata: as text and for Graphviz. (`gpaplan.automata.page` is the page to be explored.)"""

from __future__ import annotations

from collections import Counter

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.canonical import StateLabel, facts_of
from gpaplan.automata.filters import Relevance, TransitionFilter

_RELEVANCE: dict[Relevance, str] = {
    "on": "what the goals of training cannot depend on was dropped",
    "off": "what the goals of training cannot depend on was kept",
    "either": "the goals of training can depend on everything",
}


def summary(automaton: PolicyAutomaton) -> str:
    """What an automaton is made of."""
    options = ", ".join(f"{key}={value}" for key, value in automaton.abstraction.options.items())
    fan_out = Counter(edge.source for edge in automaton.edges)
    targets = sum(len(edge.targets) for edge in automaton.edges)
    schemas = Counter(str(edge.action).split("(", 1)[0] for edge in automaton.edges)
    widest = max(fan_out.values(), default=0)
    lines = [
        f"automaton for domain '{automaton.domain_name}'",
        f"  vertices     {len(automaton.vertices)}",
        f"  edges        {len(automaton.edges)}  ({targets} targets; at most {widest} from one vertex)",
        "  by schema    " + ", ".join(f"{name} {count}" for name, count in sorted(schemas.items())),
        f"  abstraction  {automaton.abstraction.name}" + (f" ({options})" if options else ""),
        *origin_lines(automaton),
    ]
    return "\n".join(lines)


def origin_lines(given: TransitionFilter) -> list[str]:
    """What a filter was learned from, a line each."""
    lines = [f"  relevance    {given.relevance}: {_RELEVANCE[given.relevance]}"]
    for number, example in enumerate(given.training):
        cost = "" if example.cost is None else f", expected cost {example.cost:g}"
        up_to = " up to symmetry" if example.symmetry else ""
        name = "training" if number == 0 else ""
        lines.append(f"  {name:<12} {example.problem}: {example.states} states{up_to}{cost}")
    return lines


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
