"""One rule, by beam search.

For each schema the search begins with the rule without literals, and adds one literal after the other; of the rules of
as many literals it goes on with the best few. The core scores all rules of one literal more at once. What cannot become
better than the best rule so far, whatever is added to it, is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpaplan import _core
from gpaplan.learning.rules.constants import COLUMN_ROWS, COLUMN_WORK
from gpaplan.learning.rules.table import CodedRule, RowTable, SchemaRows
from gpaplan.limits import WorkBudget

__all__ = ["BEAM", "Beam", "FoundRule", "find_rule"]


@dataclass(frozen=True, slots=True)
class Beam:
    """How wide the search is, how many literals a rule may have, how complex each of them."""

    width: int = 4
    literals: int = 4
    complexity: int = 12


BEAM = Beam()
"""Unless told otherwise."""


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule, and what it is worth."""

    rule: CodedRule
    score: float


def find_rule(table: RowTable, beam: Beam, complexity: float, stop: _core.Stop, budget: WorkBudget) -> FoundRule | None:
    """The rule of the highest score; None if none is worth anything."""
    best: FoundRule | None = None
    for number, schema in enumerate(table.schemas):
        best = _search(schema, number, beam, complexity, best, stop, budget)
    return best


def _search(
    schema: SchemaRows,
    number: int,
    beam: Beam,
    complexity: float,
    best: FoundRule | None,
    stop: _core.Stop,
    budget: WorkBudget,
) -> FoundRule | None:
    """The best rule about a schema, if it is better than the best so far."""
    start = schema.score((), complexity)
    if start.states == 0:
        return best
    columns = schema.columns_up_to(beam.complexity)
    level: list[tuple[tuple[int, ...], _core.RuleScore]] = [((), start)]
    for depth in range(beam.literals + 1):
        top, found = level[0]
        if found.score > (0.0 if best is None else best.score):
            best = FoundRule(CodedRule(number, top), found.score)
        if depth == beam.literals:
            break
        beat = 0.0 if best is None else best.score
        candidates: dict[int, tuple[tuple[int, ...], _core.RuleScore]] = {}
        for rule, known in level:
            # More literals cover no more states, so that without its regret a rule is as good as what can come of it.
            if known.score + known.states * known.regret <= beat:
                continue
            budget.spend(COLUMN_WORK * columns * (len(schema.rows) / 64 + COLUMN_ROWS))
            for each in schema.extend(rule, complexity, beat=beat, columns=columns, most=beam.width, stop=stop):
                other = candidates.get(each.mark)
                if other is None or each.score > other[1].score:
                    candidates[each.mark] = ((*rule, each.literal), each)
        if not candidates:
            break
        level = sorted(candidates.values(), key=lambda each: (-each[1].score, each[0]))[: beam.width]
    return best
