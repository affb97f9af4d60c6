"""From the syntax tree back to PPDDL text that a person can read.

Parsing the text gives the tree it was written from. The tree is first turned into nested lists of words, which are
then laid out: what fits on a line stays on it, everything else is broken into indented lines.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gpaplan.ppddl import syntax
from gpaplan.ppddl.expressions import number_text
from gpaplan.ppddl.syntax import Domain, Problem

_WIDTH = 100  # characters of a line

_Words: TypeAlias = "str | list[_Words]"


def write_domain(domain: Domain) -> str:
    """A domain as PPDDL text."""
    sections: list[str] = []
    if domain.requirements:
        sections.append(f"(:requirements {' '.join(domain.requirements)})")
    if domain.types:
        declared = [syntax.TypedName(each.name, each.parents) for each in domain.types]
        sections.append(_section(":types", _typed_runs(declared)))
    if domain.constants:
        sections.append(_section(":constants", _typed_runs(domain.constants)))
    if domain.predicates:
        sections.append(
            _section(":predicates", (write_signature(each.name, each.parameters) for each in domain.predicates))
        )
    functions = [write_signature(each.name, each.parameters) for each in domain.functions]
    changes = (change for schema in domain.schemas for change in syntax.within(schema.effect, syntax.Change))
    if any(change.quantity == "total-cost" for change in changes):
        functions.append("(total-cost)")
    if functions:
        sections.append(_section(":functions", functions))
    sections.extend(_schema(schema) for schema in domain.schemas)
    return _define(f"(domain {domain.name})", sections)


def write_problem(problem: Problem) -> str:
    """A problem as PPDDL text."""
    sections = [f"(:domain {problem.domain_name})"]
    if problem.requirements:
        sections.append(f"(:requirements {' '.join(problem.requirements)})")
    if problem.objects:
        sections.append(_section(":objects", _typed_runs(problem.objects)))
    facts = [_flat(_words(atom)) for atom in problem.init]
    facts += [f"(= {_flat(_words(each.term))} {number_text(each.value)})" for each in problem.values]
    sections.append(_section(":init", facts))
    if problem.goal is not None:
        sections.append(_lay_out([":goal", _words(problem.goal)], 2))
    if problem.goal_probability is not None:
        sections.append(f"(:goal-probability {number_text(problem.goal_probability)})")
    if problem.goal_reward is not None:
        sections.append(f"(:goal-reward {number_text(problem.goal_reward)})")
    if problem.metric is not None:
        sections.append(f"(:metric {problem.metric.direction} ({problem.metric.quantity}))")
    return _define(f"(problem {problem.name})", sections)


def write_formula(formula: syntax.Formula) -> str:
    """A formula as PPDDL text, on one line."""
    return _flat(_words(formula))


# --- layout ------------------------------------------------------------------------------------------------------


def _define(header: str, sections: Sequence[str]) -> str:
    return "\n  ".join((f"(define {header}", *sections)) + ")\n"


def _section(head: str, lines: Iterable[str]) -> str:
    listed = list(lines)
    flat = f"({' '.join((head, *listed))})"
    if len(flat) + 2 <= _WIDTH and len(listed) <= 3:
        return flat
    return "\n    ".join((f"({head}", *map(_wrapped, listed))) + ")"


def _wrapped(line: str) -> str:
    """A line of a section, broken between words where it is too long."""
    if len(line) + 5 <= _WIDTH:
        return line
    parts = textwrap.wrap(line, _WIDTH - 7, break_long_words=False, break_on_hyphens=False)
    return "\n      ".join(parts)


def _flat(words: _Words) -> str:
    return words if isinstance(words, str) else f"({' '.join(map(_flat, words))})"


def _lay_out(words: _Words, indent: int, lead: int = 0) -> str:
    """The text of nested words, which begins `lead` characters after the indentation of its line.

    Where it does not fit, its parts are indented two more than the line it begins on.
    """
    flat = _flat(words)
    if isinstance(words, str) or indent + lead + len(flat) < _WIDTH or len(words) < 2:
        return flat
    kept = 2 if words[0] in ("forall", "exists", "when", "increase", "decrease") else 1
    lines = ["(" + " ".join(map(_flat, words[:kept]))]
    rest = words[kept:]
    if words[0] == "probabilistic":
        for probability, effect in zip(map(_flat, rest[::2]), rest[1::2], strict=True):
            lines.append(f"{probability} {_lay_out(effect, indent + 2, len(probability) + 1)}")
    else:
        lines += [_lay_out(each, indent + 2) for each in rest]
    return ("\n" + " " * (indent + 2)).join(lines) + ")"


# --- declarations ------------------------------------------------------------------------------------------------


def _type(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _typed_runs(names: Sequence[syntax.TypedName]) -> list[str]:
    """Typed names, one text for each run of the same type; types are left out where all are ``object``."""
    runs: list[tuple[tuple[str, ...], list[str]]] = []
    for each in names:
        if not runs or runs[-1][0] != each.types:
            runs.append((each.types, []))
        runs[-1][1].append(each.name)
    if all(types == ("object",) for types, _ in runs):
        return [" ".join(run) for _, run in runs]
    return [f"{' '.join(run)} - {_type(types)}" for types, run in runs]


def write_signature(name: str, parameters: Sequence[syntax.TypedName]) -> str:
    """A name with its parameters, as it is declared: ``(on ?x ?y - block)``."""
    return f"({' '.join((name, *_typed_runs(parameters)))})"


def _schema(schema: syntax.Schema) -> str:
    lines = [f"(:action {schema.name}"]
    if schema.parameters:
        lines.append(f":parameters ({' '.join(_typed_runs(schema.parameters))})")
    if schema.precondition != syntax.And():
        lines.append(f":precondition {_lay_out(_words(schema.precondition), 4, 14)}")
    lines.append(f":effect {_lay_out(_words(schema.effect), 4, 8)})")
    return "\n    ".join(lines)


# --- formulas and effects ----------------------------------------------------------------------------------------


_WORDS = {kind: word for table in (syntax.FORMULAS, syntax.EFFECTS) for word, kind in table.items()}


def _words(node: syntax.Node) -> list[_Words]:
    """A node as the words between its parentheses."""
    match node:
        case syntax.Atom(name, arguments) | syntax.FunctionTerm(name, arguments):
            return [name, *(argument.name for argument in arguments)]
        case syntax.Equals(left, right):
            return ["=", left.name, right.name]
        case syntax.Add(atom):
            return _words(atom)
        case syntax.ForAll(parameters, body) | syntax.Exists(parameters, body) | syntax.ForAllEffect(parameters, body):
            return [_WORDS[type(node)], f"({' '.join(_typed_runs(parameters))})", _words(body)]
        case syntax.Probabilistic(outcomes):
            pairs = ((number_text(outcome.probability), _words(outcome.effect)) for outcome in outcomes)
            return ["probabilistic", *(word for pair in pairs for word in pair)]
        case syntax.Change(direction, quantity, amount):
            shown = number_text(amount.value) if isinstance(amount, syntax.Number) else _words(amount)
            return [direction, [quantity], shown]
    return [_WORDS[type(node)], *map(_words, node.parts())]
