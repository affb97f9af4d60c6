"""Showing automata: as text and for Graphviz. (`gpaplan.automata.page` is the page to be explored.)"""

from __future__ import annotations

from collections import Counter

from gpaplan.automata.abstraction import StateLabel, facts_of
from gpaplan.automata.automaton import PolicyAutomaton, Relevance
from gpaplan.automata.rules import Concepts
from gpaplan.concepts.words import rule_in_words
from gpaplan.display import counted

__all__ = ["describe_vertex", "rules_in_words", "summary", "to_dot"]


_RELEVANCE: dict[Relevance, str] = {
    "on": "what the goals of training cannot depend on was dropped",
    "off": "what the goals of training cannot depend on was kept",
    "either": "the goals of training can depend on everything",
}


def summary(automaton: PolicyAutomaton) -> str:
    """What an automaton is made of."""
    rules = rules_in_words(automaton)
    options = "" if rules else ", ".join(f"{key}={value}" for key, value in automaton.abstraction.options.items())
    fan_out = Counter(edge.source for edge in automaton.edges)
    targets = sum(len(edge.targets) for edge in automaton.edges)
    schemas = Counter(
        str(edge.action).split(": ")[1].rstrip(":") if rules else str(edge.action).split("(", 1)[0]
        for edge in automaton.edges
    )
    widest = max(fan_out.values(), default=0)
    lines = [
        f"automaton for domain '{automaton.domain_name}'",
        f"  vertices     {len(automaton.vertices)}",
        f"  edges        {len(automaton.edges)}  ({targets} targets; at most {widest} from one vertex)",
        "  by schema    " + ", ".join(f"{name} {count}" for name, count in sorted(schemas.items())),
        f"  abstraction  {automaton.abstraction.name}" + (f" ({options})" if options else ""),
        f"  relevance    {automaton.relevance}: {_RELEVANCE[automaton.relevance]}",
    ]
    for number, example in enumerate(automaton.training):
        cost = "" if example.cost is None else f", expected cost {example.cost:g}"
        up_to = " up to symmetry" if example.symmetry else ""
        name = "training" if number == 0 else ""
        lines.append(f"  {name:<12} {example.problem}: {example.states} states{up_to}{cost}")
    if rules and automaton.settings.get("note"):
        lines.append(f"  known        {automaton.settings['note']}")
    for name, rule, words, uses in rules:
        lines += ["", f"  {name:<12} {words}", f"  {'':<12} {rule}", f"  {'':<12} {_uses(uses)}"]
    return "\n".join(lines)


def rules_in_words(automaton: PolicyAutomaton) -> list[tuple[str, str, str, int]]:
    """Of an automaton that is rule lists, each rule: what it is called, how it is written, the same in words, and how
    many transitions of the training problems it had. Empty for any other."""
    abstraction = automaton.abstraction
    if not isinstance(abstraction, Concepts):
        return []
    arities = dict(automaton.vocabulary.predicates)
    uses: Counter[str] = Counter()
    for edge in automaton.edges:
        uses[str(edge.action)] += sum(edge.origins.values())
    return [
        (number, str(rule), rule_in_words(rule, arities), uses[f"{number}: {rule}"])
        for number, rule in abstraction.numbered()
    ]


def _uses(count: int) -> str:
    return f"used in {counted(count, 'transition')} of training" if count else "not used in training"


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
