"""One rule, by beam search.

For each schema the search begins with the rule without literals, and adds one literal after the other; of the rules of
as many literals it goes on with the best few. The core scores all rules of one literal more at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpaplan import _core
from gpaplan.learning.rules.table import CodedRule, RowTable, SchemaRows

__all__ = ["Beam", "FoundRule", "find_rule"]


@dataclass(frozen=True, slots=True)
class Beam:
    """How wide the search is, how many literals a rule may have, how complex each of them."""

    width: int = 4
    literals: int = 4
    complexity: int = 6


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule, and what it is worth among the states that are still to be covered."""

    rule: CodedRule
    score: float
    states: int
    """That it covers."""
    regret: float
    """The mean of the actions that it keeps."""


def find_rule(
    table: RowTable, beam: Beam, *, regret: float, complexity: float, states: int, stop: _core.Stop
) -> FoundRule | None:
    """The rule of the highest score; None if no action of an active state is left.

    ``regret`` and ``complexity`` are what these weigh, ``states`` how many are still to be covered.
    """
    best: FoundRule | None = None
    for number, schema in enumerate(table.schemas):
        for found in _search(schema, number, beam, regret, complexity, states, stop):
            if best is None or found.score > best.score:
                best = found
    return best


def _search(
    schema: SchemaRows, number: int, beam: Beam, regret: float, complexity: float, states: int, stop: _core.Stop
) -> list[FoundRule]:
    """The best rule about a schema for each number of literals."""
    weights = {"regret": regret, "complexity": complexity, "states": states}
    start = schema.core.score([], **weights)
    if start.states == 0:
        return []
    columns = schema.columns_up_to(beam.complexity)
    results = [FoundRule(CodedRule(number), start.score, start.states, start.regret)]
    rules: list[tuple[int, ...]] = [()]
    for _ in range(beam.literals):
        candidates: dict[int, tuple[tuple[int, ...], _core.RuleScore]] = {}
        for rule in rules:
            for found in schema.core.extend(list(rule), **weights, columns=columns, most=beam.width, stop=stop):
                known = candidates.get(found.mark)
                if known is None or found.score > known[1].score:
                    candidates[found.mark] = ((*rule, found.literal), found)
        if not candidates:
            break
        ranked = sorted(candidates.values(), key=lambda each: (-each[1].score, each[0]))[: beam.width]
        rules = [rule for rule, _ in ranked]
        top, found = ranked[0]
        results.append(FoundRule(CodedRule(number, top), found.score, found.states, found.regret))
    return results
