"""One rule list: rule after rule, until every training state is covered.

At first only rules of little regret are taken; when there are none left, the regret weighs less and less. The list is
then evaluated exactly: in a state the first rule that fits some action decides, and one of the actions that fit it is
drawn. Labelled by the list's own values instead of the optimal ones, the rows say how to act if one goes on as the list
does; a second list, learned from these labels, fits its own habits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.learning.rules.beam import BEAM, Beam, find_rule
from gpaplan.learning.rules.constants import WORST
from gpaplan.learning.rules.examples import FORBIDDEN, ExampleChoice, ExampleRow, Examples
from gpaplan.learning.rules.table import CodedRule, RowTable, Weights
from gpaplan.limits import WorkBudget

__all__ = ["ListDecisions", "ListSettings", "ListValue", "decide", "evaluate_list", "labels_of_list", "learn_list"]


@dataclass(frozen=True, slots=True)
class ListSettings:
    """How one list is learned."""

    beam: Beam = BEAM
    strictness: tuple[float, ...] = (20.0, 8.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.003)
    """What a unit of mean regret weighs against the share of states covered, from the first rules to the last."""
    complexity: float = 0.01
    """The same for a unit of complexity."""
    share: float = 0.0
    """Once fewer than this share of all states are left, rules are weighed as if so many were: a rule for the few is
    then worth no more than it was at the beginning."""


def learn_list(
    table: RowTable,
    active: Sequence[int],
    regrets: Sequence[float],
    settings: ListSettings,
    stop: _core.Stop,
    budget: WorkBudget,
) -> list[CodedRule]:
    """A list that decides about all active states."""
    table.set_regrets(regrets)
    left = bytearray(active)
    least = int(settings.share * sum(left))
    rules: list[CodedRule] = []
    level = 0
    while any(left):
        table.set_active(left)
        weights = Weights(settings.strictness[level], settings.complexity, max(sum(left), least))
        found = find_rule(table, settings.beam, weights, stop, budget)
        if found is None:
            break
        if found.score <= 0 and level + 1 < len(settings.strictness):
            level += 1
            continue
        rules.append(found.rule)
        for row in table.fitting(found.rule):
            left[table.examples.place[row]] = 0
    return rules


@dataclass(frozen=True, slots=True)
class ListDecisions:
    """What a list does in the training states."""

    deciding: list[int | None]
    """The rule that decides about each training state, by its place in the list; None if none fits."""
    kept: list[int]
    """The rows that are kept."""


def decide(table: RowTable, rules: Iterable[CodedRule]) -> ListDecisions:
    """Who decides about all training states, active or not."""
    left = bytearray(b"\1") * len(table.examples.states)
    deciding: list[int | None] = [None] * len(left)
    kept: list[int] = []
    for number, rule in enumerate(rules):
        table.set_active(left)
        rows = table.fitting(rule)
        kept += rows
        for row in rows:
            place = table.examples.place[row]
            deciding[place] = number
            left[place] = 0
    return ListDecisions(deciding, kept)


@dataclass(frozen=True, slots=True)
class ListValue:
    """What a list is worth on the examples that are whole; None for the others."""

    goals: list[Sequence[float] | None]
    """The probability of the goal, by example and state."""
    costs: list[Sequence[float] | None]
    """The expected cost."""

    def goal_rates(self, examples: Examples) -> list[float]:
        """From the initial state of each example that is whole."""
        return [
            goals[example.space.initial]
            for example, goals in zip(examples.examples, self.goals, strict=True)
            if goals is not None
        ]

    def cost_ratio(self, examples: Examples) -> float:
        """The mean, over examples that are whole, of the cost from the initial state divided by the optimum."""
        ratios = [
            costs[example.space.initial] / example.values[example.space.initial]
            for example, costs in zip(examples.examples, self.costs, strict=True)
            if costs is not None and example.values[example.space.initial] > 0
        ]
        return math.fsum(ratios) / len(ratios) if ratios else 1.0


def evaluate_list(examples: Examples, kept: Iterable[int], stop: _core.Stop) -> ListValue:
    """The exact value of drawing one of the kept rows in each state."""
    actions: list[list[list[int]]] = [[[] for _ in range(len(example.space))] for example in examples.examples]
    for index in kept:
        row = examples.rows[index]
        actions[row.example][row.state].append(row.action)
    value = ListValue([], [])
    for example, chosen in zip(examples.examples, actions, strict=True):
        goals: Sequence[float] | None = None
        costs: Sequence[float] | None = None
        if example.whole:
            goals, costs = _core.evaluate_choices(example.space.core, chosen, example.dead_end_cost, stop)
        value.goals.append(goals)
        value.costs.append(costs)
    return value


def labels_of_list(examples: Examples, value: ListValue) -> list[float]:
    """The regret of each row if one goes on as the list does: above the best row of its state.

    Where an action may change nothing it is tried until it does. Rows of examples that are not whole keep the regrets
    that they have by optimal values.
    """
    regrets = list(examples.regrets)
    bests: dict[int, float] = {}  # by training state
    costs_of_rows: list[float | None] = []
    for index, (row, choice) in enumerate(zip(examples.rows, examples.choices, strict=True)):
        cost = None if regrets[index] >= FORBIDDEN else _cost_of_choice(examples, value, row, choice)
        costs_of_rows.append(cost)
        if cost is not None:
            place = examples.place[index]
            bests[place] = min(bests.get(place, math.inf), cost)
    for index, cost in enumerate(costs_of_rows):
        if cost is not None:
            regrets[index] = min(FORBIDDEN - 1, cost - bests[examples.place[index]])
    return regrets


def _cost_of_choice(examples: Examples, value: ListValue, row: ExampleRow, choice: ExampleChoice) -> float | None:
    """In units of the cheapest action; None if nothing is known of it."""
    example, costs = examples.examples[row.example], value.costs[row.example]
    stays = math.fsum(probability for probability, after in choice.outcomes if after == row.state)
    if costs is None or stays > 1 - 1e-12:
        return None
    onward = math.fsum(
        probability * min(costs[after], example.values[after] + WORST * example.unit)
        for probability, after in choice.outcomes
        if after != row.state
    )
    return (choice.cost + onward) / (1 - stays) / example.unit
