"""Selecting the cheapest literals that tell good rows from bad ones, compared with trying all selections."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpaplan import _core
from gpaplan.learning.rules import learner, separation
from gpaplan.learning.rules.learner import learn_rules
from gpaplan.learning.rules.separation import select_literals
from tests.examples import examples
from tests.learning.rules.test_learn_rules import task_of

Instance = tuple[list[int], list[int], list[int], list[int]]


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Columns, what each costs, and which rows are good and bad."""
    rows = draw(st.integers(2, 12))
    columns = draw(st.lists(st.integers(0, (1 << rows) - 1), max_size=8))
    complexities = [draw(st.integers(1, 6)) for _ in columns]
    sides = [draw(st.sampled_from(["good", "bad", "neither"])) for _ in range(rows)]
    good, bad = ([row for row, side in enumerate(sides) if side == name] for name in ("good", "bad"))
    return columns, complexities, good, bad


def separated(columns: list[int], literals: tuple[int, ...], good: list[int], bad: list[int]) -> set[tuple[int, int]]:
    """The pairs of a good and a bad row that differ in one of the literals."""
    return {
        (one, other)
        for one in good
        for other in bad
        if any((columns[each] >> one ^ columns[each] >> other) & 1 for each in literals)
    }


def least_complexity(instance: Instance) -> int:
    """Of the selections that separate all that can be separated, by trying them all."""
    columns, complexities, good, bad = instance
    numbers = range(len(columns))
    everything = separated(columns, tuple(numbers), good, bad)
    return min(
        sum(complexities[each] for each in some)
        for size in range(len(columns) + 1)
        for some in combinations(numbers, size)
        if separated(columns, some, good, bad) == everything
    )


@examples(100)
@given(instances())
def test_a_selection_separates_all_pairs_at_the_least_complexity(instance: Instance) -> None:
    columns, complexities, good, bad = instance
    found = select_literals(columns, complexities, good, bad)
    everything = separated(columns, tuple(range(len(columns))), good, bad)
    assert separated(columns, found.literals, good, bad) == everything
    assert found.alike == len(good) * len(bad) - len(everything)
    assert found.is_cheapest
    assert sum(complexities[each] for each in found.literals) == least_complexity(instance)


@examples(100)
@given(instances(), st.sampled_from([{"most_pairs": 1}, {"seconds": 0.0}]))
def test_what_the_program_has_no_room_or_time_for_is_separated_greedily(
    instance: Instance, bound: dict[str, float]
) -> None:
    columns, complexities, good, bad = instance
    found = select_literals(columns, complexities, good, bad, **bound)  # type: ignore[arg-type]
    everything = separated(columns, tuple(range(len(columns))), good, bad)
    assert separated(columns, found.literals, good, bad) == everything
    if found.is_cheapest:
        assert sum(complexities[each] for each in found.literals) == least_complexity(instance)


def test_of_equally_complex_selections_the_first_literals_are_taken() -> None:
    assert select_literals([0b01, 0b10, 0b01], [2, 2, 2], [0], [1]).literals == (0,)
    assert select_literals([0b01, 0b10, 0b01], [2, 2, 1], [0], [1]).literals == (2,)


def test_a_stop_is_heeded() -> None:
    stop = _core.Stop()
    stop.interrupt()
    with pytest.raises(_core.Stopped):
        select_literals([0b01], [1], [0], [1], stop=stop)


def learn_triangle() -> learner.RuleLearning:
    training = [task_of("triangle-tireworld", 1), task_of("triangle-tireworld", 2)]
    effort = learner.RuleEffort(few_attempts=1, attempts=1, rounds=0, concepts=200)
    return learn_rules(training[0].domain, training, [task_of("triangle-tireworld", 3)], seconds=600, effort=effort)


def test_without_scipy_learning_goes_on_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "is_available", lambda: False)
    learning = learn_triangle()
    assert not learning.separated
    assert "Exact separation was not tried, since SciPy is not installed (gpaplan[rules])." in learning.note


def test_where_the_goal_may_be_lost_exact_separation_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counting(columns: list[int], *rest: object, **settings: object) -> separation.Selection:
        calls.append(len(columns))
        return select_literals(columns, *rest, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr("gpaplan.learning.rules.portfolio.select_literals", counting)
    learning = learn_triangle()
    assert calls
    assert "SciPy" not in learning.note
    calls.clear()
    gripper = [task_of("gripper", 1), task_of("gripper", 2)]
    learn_rules(gripper[0].domain, gripper, [task_of("gripper", 3)], seconds=600)
    assert not calls
