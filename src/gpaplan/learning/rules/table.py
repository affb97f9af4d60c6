"""The rows that rules are learned from, schema by schema, as bits in the core."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from gpaplan import _core
from gpaplan.concepts.expressions import Literal
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.learning.rules.examples import Examples

__all__ = ["CodedRule", "RowTable", "SchemaRows"]


class CodedRule(NamedTuple):
    """A rule by numbers: of its schema in a table, and of its literals (2n, or 2n + 1 if literal n is negated)."""

    schema: int
    literals: tuple[int, ...] = ()


class SchemaRows(NamedTuple):
    """The rows of one schema: which of all rows they are, the literals, how complex these are, and their bits."""

    name: str
    rows: Sequence[int]
    literals: Sequence[Literal]
    complexities: Sequence[int]
    core: _core.RuleRows

    def columns_up_to(self, complexity: int) -> int:
        """How many literals are at most so complex; they come in ascending order."""
        return bisect_right(self.complexities, complexity)

    def score(self, rule: Sequence[int], complexity: float) -> _core.RuleScore:
        """What a rule is worth, given by its literals."""
        return self.core.score(list(rule), complexity=complexity)

    def extend(
        self, rule: Sequence[int], complexity: float, *, beat: float, columns: int, most: int, stop: _core.Stop
    ) -> list[_core.RuleScore]:
        """The best rules of one literal more (src/core/automata/rule_rows.hpp)."""
        return self.core.extend(list(rule), complexity=complexity, beat=beat, columns=columns, most=most, stop=stop)


def _schema_rows(
    name: str, rows: Sequence[int], literals: Sequence[Literal], columns: Sequence[bytes], states: Sequence[int]
) -> SchemaRows:
    complexities = [literal.complexity for literal in literals]
    core = _core.RuleRows([states[row] for row in rows], columns, complexities)
    return SchemaRows(name, rows, literals, complexities, core)


class RowTable:
    """All rows of some examples, and the literals of a pool on them."""

    def __init__(self, examples: Examples, pool: Pool) -> None:
        self.examples = examples
        self.pool = pool
        self.schemas = [
            _schema_rows(name, found.rows, found.literals, found.columns, examples.place)
            for name, found in pool.schemas.items()
        ]
        self.given: dict[CodedRule, Rule] = {}
        """Rules that people wrote: they stay as they are. One that no number can be given to has a schema below 0."""

    def give(self, rules: RuleList) -> list[CodedRule]:
        """Rules by number, all of them; they are spelled out as they are."""
        coded = [
            next(iter(self.encode(RuleList((rule,)))), CodedRule(-1 - place)) for place, rule in enumerate(rules.rules)
        ]
        self.given |= dict(zip(coded, rules.rules, strict=True))
        return coded

    def set_regrets(self, regrets: Sequence[float]) -> None:
        """Of all rows."""
        for schema in self.schemas:
            schema.core.set_regrets([regrets[row] for row in schema.rows])

    def set_losses(self, losses: Sequence[float]) -> None:
        """Of each training state: what it loses without the rule that is looked for; nothing if that cannot decide."""
        for schema in self.schemas:
            schema.core.set_losses(losses)

    def fitting(self, rule: CodedRule) -> list[int]:
        """Those of all rows that are of states with a loss and fit a rule."""
        if rule.schema < 0:
            return []
        schema = self.schemas[rule.schema]
        return [schema.rows[row] for row in schema.core.fitting(list(rule.literals))]

    def complexity(self, rules: Iterable[CodedRule]) -> int:
        """Of rules: one for each rule, and that of the literals."""
        return sum(
            1 + sum(self.schemas[rule.schema].complexities[code // 2] for code in rule.literals) for rule in rules
        )

    def spell_out(self, rules: Iterable[CodedRule]) -> RuleList:
        """Rules by name."""
        return RuleList(tuple(self.given.get(rule) or self._rule(rule) for rule in rules))

    def encode(self, rules: RuleList) -> list[CodedRule]:
        """Rules by number, as far as they fit any row; literals that hold on all rows are left out."""
        numbers = {schema.name: number for number, schema in enumerate(self.schemas)}
        found = (self._encode(numbers[rule.schema], rule) for rule in rules.rules if rule.schema in numbers)
        return [rule for rule in found if rule is not None]

    def _encode(self, number: int, rule: Rule) -> CodedRule | None:
        """None if the rule fits no row, or has a literal that is not among the columns."""
        rows = self.pool.schemas[rule.schema]
        every = (1 << len(rows.rows)) - 1
        codes = []
        for literal in rule.literals:
            column = int.from_bytes(self.pool.column(rule.schema, replace(literal, negated=False)), "little")
            if column == (0 if literal.negated else every):
                continue
            known = self._codes[number]
            code = known[column] if column in known else known.get(every ^ column, -2) ^ 1
            if code < 0:
                return None
            codes.append(code ^ literal.negated)
        return CodedRule(number, tuple(codes))

    @cached_property
    def _codes(self) -> list[dict[int, int]]:
        """Of each schema, the code of each column."""
        return [
            {int.from_bytes(column, "little"): 2 * index for index, column in enumerate(found.columns)}
            for found in self.pool.schemas.values()
        ]

    def _rule(self, rule: CodedRule) -> Rule:
        schema = self.schemas[rule.schema]
        literals = [
            schema.literals[code // 2] if code % 2 == 0 else schema.literals[code // 2].negation()
            for code in rule.literals
        ]
        return Rule(schema.name, tuple(literals))
