"""Rules scored in the core, against counting row by row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from gpaplan import _core
from gpaplan.learning.rules.beam import Beam, find_rule
from gpaplan.learning.rules.table import RowTable, SchemaRows
from gpaplan.limits import WorkBudget

REGRETS = [0.0, 0.125, 0.5, 1.0, 3.25, 17.0, 40.0, _core.FORBIDDEN]


@dataclass
class Rows:
    """Rows as a person would write them down: of each row its state, its regret, and the columns that hold."""

    states: list[int]
    regrets: list[float]
    columns: list[list[bool]]
    complexities: list[int]
    losses: list[float]

    def core(self) -> _core.RuleRows:
        columns = [
            sum(1 << row for row, holds in enumerate(column) if holds).to_bytes(len(self.states) // 8 + 1, "little")
            for column in self.columns
        ]
        rows = _core.RuleRows(self.states, columns, self.complexities)
        rows.set_regrets(self.regrets)
        rows.set_losses(self.losses)
        return rows

    def fitting(self, rule: tuple[int, ...]) -> list[int]:
        return [
            row
            for row, state in enumerate(self.states)
            if self.losses[state] > 0 and all(self.columns[code // 2][row] != bool(code % 2) for code in rule)
        ]

    def score(self, rule: tuple[int, ...], weight: float) -> tuple[float, int, float]:
        """The score, the states covered and the mean regret; regrets beyond what is told apart count as less."""
        rows = self.fitting(rule)
        covered = {self.states[row] for row in rows}
        losses = math.fsum(min(self.losses[state], 31.875) for state in covered)
        counted = [
            regret if regret >= _core.FORBIDDEN else min(regret, 31.875)
            for regret in (self.regrets[row] for row in rows)
        ]
        regret = math.fsum(counted) / len(counted) if counted else 0.0
        complexity = sum(self.complexities[code // 2] for code in rule)
        return losses - len(covered) * regret - weight * complexity, len(covered), regret


@st.composite
def rows(draw: st.DrawFn, most_rows: int = 150, most_columns: int = 6) -> Rows:
    size = draw(st.integers(1, most_rows))
    steps = draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size))
    states = [sum(steps[: row + 1]) for row in range(size)]
    columns = draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), max_size=most_columns))
    return Rows(
        states,
        draw(st.lists(st.sampled_from(REGRETS), min_size=size, max_size=size)),
        columns,
        sorted(draw(st.lists(st.integers(1, 5), min_size=len(columns), max_size=len(columns)))),
        draw(
            st.lists(st.sampled_from([0.0, 0.125, 2.0, 16.0, 50.0]), min_size=states[-1] + 1, max_size=states[-1] + 1)
        ),
    )


WEIGHTS = st.sampled_from([0.0, 0.3, 3.0])


@given(rows(), WEIGHTS, st.data())
def test_the_score_of_a_rule_is_counted_row_by_row(given_rows: Rows, weight: float, data: st.DataObject) -> None:
    codes = range(2 * len(given_rows.columns))
    rule = tuple(data.draw(st.lists(st.sampled_from(codes), max_size=3, unique=True))) if codes else ()
    core = given_rows.core()
    schema = SchemaRows("only", range(len(given_rows.states)), [], given_rows.complexities, core)
    assert core.fitting(list(rule)) == given_rows.fitting(rule)
    found = schema.score(rule, weight)
    score, covered, regret = given_rows.score(rule, weight)
    assert (found.states, found.rows) == (covered, len(given_rows.fitting(rule)))
    assert found.regret == pytest.approx(regret)
    assert found.score == pytest.approx(score)


@given(rows(), WEIGHTS, st.integers(1, 4))
def test_the_best_extensions_are_the_best(given_rows: Rows, weight: float, most: int) -> None:
    everything = given_rows.fitting(())
    by_rows: dict[tuple[int, ...], float] = {}  # what is kept: the best score
    for code in range(2 * len(given_rows.columns)):
        kept = tuple(given_rows.fitting((code,)))
        if kept and len(kept) < len(everything):
            score = given_rows.score((code,), weight)[0]
            by_rows[kept] = max(score, by_rows.get(kept, -math.inf))
    schema = SchemaRows("only", range(len(given_rows.states)), [], given_rows.complexities, given_rows.core())
    found = schema.extend((), weight, beat=-math.inf, columns=100, most=most, stop=_core.Stop())
    assert [each.score for each in found] == pytest.approx(sorted(by_rows.values(), reverse=True)[:most])


@given(rows(most_rows=12, most_columns=4), WEIGHTS)
def test_a_wide_beam_finds_the_best_of_all_rules(given_rows: Rows, weight: float) -> None:
    """With a beam that holds everything the search is exhaustive, whatever it leaves out because of a bound."""
    table = RowTable.__new__(RowTable)
    table.schemas = [SchemaRows("only", range(len(given_rows.states)), [], given_rows.complexities, given_rows.core())]
    found = find_rule(table, Beam(width=1000, literals=3), weight, _core.Stop(), WorkBudget(60))
    codes = range(2 * len(given_rows.columns))
    rules = [rule for size in range(4) for rule in combinations(codes, size) if given_rows.fitting(rule)]
    best = max((given_rows.score(rule, weight)[0] for rule in rules), default=0.0)
    if best <= 0:
        assert found is None
        return
    assert found is not None
    assert found.score == pytest.approx(best) == given_rows.score(found.rule.literals, weight)[0]


def test_rows_of_a_state_lie_side_by_side() -> None:
    with pytest.raises(ValueError, match="side by side"):
        _core.RuleRows([1, 0], [], [])
    with pytest.raises(ValueError, match="complexity"):
        _core.RuleRows([0, 1], [b"\0"], [])
