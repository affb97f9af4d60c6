"""One rule list: rules that together lose little on training states, and what the list is worth.

A list loses, in each state, the mean regret of the actions that it keeps, and as much where no rule fits as if it were
lost there; its complexity counts too. Rules are added to its end until all states are covered. Then exceptions are put
in before them, and rules that are worth less than they cost removed, as long as that helps.

The list is then evaluated exactly: in a state the first rule that fits some action decides, and one of the actions that
fit it is drawn. Labelled by the list's own values instead of the optimal ones, the rows say how to act if one goes on
as the list does: which rule to put in next.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gpaplan import _core
from gpaplan.concepts.encoding import core_filter
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.learning.rules.beam import BEAM, Beam, find_rule
from gpaplan.learning.rules.constants import LOST, REBUILT, SAME, STRICTNESS, WORST
from gpaplan.learning.rules.examples import FORBIDDEN, Example, ExampleChoice, Examples
from gpaplan.learning.rules.table import CodedRule, RowTable
from gpaplan.limits import WorkBudget

__all__ = ["ListEvaluator", "ListSearch", "ListSettings", "ListValue", "failing_states", "labels_of_list"]


@dataclass(frozen=True, slots=True)
class ListSettings:
    """How one list is learned."""

    complexity: float = 1.0
    """What a unit of complexity weighs against the losses of all states together."""
    uncovered: float = 16.0
    """The loss of a state in which no rule fits."""
    serial: bool = False
    """Whether one goal is to be reached after the other."""
    strictness: float = STRICTNESS
    """So many times a regret weighs by optimal values."""
    rebuilds: int = 0
    """So often a part of the list is taken away and found again."""
    beam: Beam = BEAM


class Insertion(NamedTuple):
    """A rule for a place of a list, and what it is worth there."""

    gain: float
    place: int
    rule: CodedRule


class ListSearch:
    """The search for a list that loses little on the states of a table: the sum, over these, of the mean regret of the
    actions that are kept, and what its complexity weighs."""

    def __init__(
        self,
        table: RowTable,
        regrets: Sequence[float],
        settings: ListSettings,
        stop: _core.Stop,
        budget: WorkBudget,
    ) -> None:
        self.table, self.regrets, self.settings, self.stop, self.budget = table, regrets, settings, stop, budget
        self.weight = settings.complexity
        self._losses: dict[CodedRule, dict[int, float]] = {}
        table.set_regrets(regrets)

    def learn(self, start: Iterable[CodedRule] = ()) -> list[CodedRule]:
        """A list: rules are added to its end, then put in and removed where that helps."""
        found = list(start)
        while (rule := self._find(self._open(found), {})) is not None:
            found.append(rule)
        improved = True
        while improved:
            improved = False
            for place in reversed(range(len(found) + 1)):
                improved = self._remove(found, place) or self._insert(found, [place]) or improved
        return self.rebuild(found)

    def rebuild(self, rules: list[CodedRule]) -> list[CodedRule]:
        """Take away some rules that follow each other, and put others in their place one by one, again and again; what
        loses no more stays."""
        chance = random.Random(len(rules))
        least = self._objective(rules)
        for _ in range(self.settings.rebuilds if rules else 0):
            size = chance.randint(1, min(REBUILT, len(rules)))
            place = chance.randrange(len(rules) - size + 1)
            others = [*rules[:place], *rules[place + size :]]
            for more in range(size + 2):
                if not self._insert(others, range(place, place + more + 1)):
                    break
            for each in reversed(range(len(others))):
                self._remove(others, each)
            objective = self._objective(others)
            if others and objective <= least:
                rules, least = others, objective
        return rules

    def _objective(self, rules: Sequence[CodedRule]) -> float:
        """What a list loses, and what its complexity weighs."""
        losses = self._loss(self._open(()), rules)
        uncovered = self.settings.uncovered * (len(self.table.examples.states) - len(losses))
        return math.fsum(losses.values()) + uncovered + self.weight * self.table.complexity(rules)

    def _insert(self, rules: list[CodedRule], places: Iterable[int]) -> bool:
        """Put one more rule in the place where it is worth most; whether that helps."""
        found = self.insertions(rules, places)
        if not found or found[0].gain <= self.weight:
            return False
        rules.insert(found[0].place, found[0].rule)
        return True

    def insertions(self, rules: Sequence[CodedRule], places: Iterable[int]) -> list[Insertion]:
        """The best rule for each of these places; those that promise most first."""
        found: list[Insertion] = []
        for place in places:
            open_states = self._open(rules[:place])
            losses = self._loss(open_states, rules[place:])
            rule = self._find(open_states, losses)
            if rule is not None:
                found.append(Insertion(self._gain(rule, open_states, losses), place, rule))
        return sorted(found, key=lambda each: (-each.gain, each.place))

    def _remove(self, rules: list[CodedRule], place: int) -> bool:
        """Remove the rule of a place unless it is worth what it costs; whether it was."""
        if place == len(rules):
            return False
        open_states = self._open(rules[:place])
        losses = self._loss(open_states, rules[place + 1 :])
        if self._gain(rules[place], open_states, losses) > self.weight:  # a rule costs as much by itself
            return False
        del rules[place]
        return True

    def _find(self, open_states: bytearray, losses: Mapping[int, float]) -> CodedRule | None:
        """The best rule for these states, of which the others lose so much; what is not named is not covered."""
        if not any(open_states):
            return None
        uncovered = self.settings.uncovered
        self.table.set_losses(
            [max(losses.get(state, uncovered), 1e-9) if is_open else 0.0 for state, is_open in enumerate(open_states)]
        )
        found = find_rule(self.table, self.settings.beam, self.weight, self.stop, self.budget)
        return None if found is None else found.rule

    def losses_of(self, rule: CodedRule) -> dict[int, float]:
        """The mean regret of a rule in each state that it covers."""
        if rule not in self._losses:
            self.table.set_losses([1.0] * len(self.table.examples.states))
            sums: dict[int, tuple[float, int]] = {}
            for row in self.table.fitting(rule):
                place = self.table.examples.place[row]
                total, count = sums.get(place, (0.0, 0))
                sums[place] = total + self.regrets[row], count + 1
            self._losses[rule] = {place: total / count for place, (total, count) in sums.items()}
        return self._losses[rule]

    def _open(self, rules: Sequence[CodedRule]) -> bytearray:
        """The states in which none of the rules decides."""
        left = bytearray(b"\1") * len(self.table.examples.states)
        for rule in rules:
            for state in self.losses_of(rule):
                left[state] = 0
        return left

    def _loss(self, open_states: bytearray, rules: Sequence[CodedRule]) -> dict[int, float]:
        """What rules lose in the states that they decide about."""
        found: dict[int, float] = {}
        for rule in rules:
            for state, loss in self.losses_of(rule).items():
                if open_states[state] and state not in found:
                    found[state] = loss
        return found

    def _gain(self, rule: CodedRule, open_states: bytearray, losses: Mapping[int, float]) -> float:
        """What a rule is worth in a place, as the search counts it."""
        uncovered = self.settings.uncovered
        mine = {state: loss for state, loss in self.losses_of(rule).items() if open_states[state]}
        won = math.fsum(losses.get(state, uncovered) - loss for state, loss in mine.items())
        return won - self.weight * (self.table.complexity([rule]) - 1)


@dataclass(frozen=True, slots=True)
class ExampleValue:
    """What a list does in the states of an example, and what that is worth."""

    deciding: dict[int, int]
    """The rule that decides, by state; a number beyond all rules if none does."""
    kept: dict[int, Sequence[int]]
    goals: Sequence[float]
    """The probability of the goal, by state."""
    costs: Sequence[float]


@dataclass(frozen=True, slots=True)
class ListValue:
    """What a list is worth on examples that have all states of their problems, in all. There are many lists: what each
    does in each state is found again if somebody asks."""

    evaluator: ListEvaluator
    rules: RuleList
    goal_rate: float
    """The mean, from the initial states."""
    cost_ratio: float
    """The mean of the cost from the initial state divided by the optimum."""
    excess: float
    """The mean of the cost from all states divided by the optimum from there."""

    def by_example(self) -> list[tuple[Example, ExampleValue]]:
        """What it does in each state of each example; a limit that was met does not matter."""
        return self.evaluator.by_example(self.rules, _core.Stop())


class ListEvaluator:
    """What lists are worth on examples, exactly; what each rule fits is found once."""

    def __init__(self, examples: Sequence[Example], stop: _core.Stop) -> None:
        self.examples = examples
        self._stop = stop
        self._fits: dict[Rule, list[dict[int, Sequence[int]]]] = {}

    def _fitting(self, rule: Rule) -> list[dict[int, Sequence[int]]]:
        """Of each example, the actions that a rule fits, by state."""
        if rule not in self._fits:
            found: list[dict[int, Sequence[int]]] = []
            for example in self.examples:
                decide, space = core_filter(example.task, RuleList((rule,)), check=False).decide, example.space.core
                fitting = ((state, decide(space, state)[1]) for state in example.choices)
                found.append({state: actions for state, actions in fitting if actions})
            self._fits[rule] = found
        return self._fits[rule]

    def evaluate(self, rules: RuleList) -> ListValue:
        """The value of drawing one of the actions that a list keeps in each state."""
        rates, ratios, excess = [], [], []
        for example, value in self.by_example(rules, self._stop):
            first = example.space.initial
            rates.append(value.goals[first])
            ratios += [value.costs[first] / example.values[first]] if example.values[first] > 0 else []
            costs = (min(value.costs[state], example.values[state] + LOST * example.unit) for state in example.choices)
            excess.append(math.fsum(costs) / math.fsum(example.values[state] for state in example.choices))
        return ListValue(self, rules, _mean(rates), _mean(ratios) if ratios else 1.0, _mean(excess))

    def by_example(self, rules: RuleList, stop: _core.Stop) -> list[tuple[Example, ExampleValue]]:
        """What a list does in each state of each example, and what that is worth."""
        values = []
        for number, example in enumerate(self.examples):
            deciding: dict[int, int] = dict.fromkeys(example.choices, len(rules))
            kept: dict[int, Sequence[int]] = dict.fromkeys(example.choices, ())
            for place, rule in reversed(list(enumerate(rules.rules))):
                fitting = self._fitting(rule)[number]
                kept |= fitting
                deciding |= dict.fromkeys(fitting, place)
            every = [kept.get(state, ()) for state in range(len(example.space))]
            goals, costs = _core.evaluate_choices(example.space.core, every, example.dead_end_cost, stop)
            values.append((example, ExampleValue(deciding, kept, goals, costs)))
        return values


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def regrets_of_list(example: Example, value: ExampleValue, state: int) -> list[float]:
    """The regret of each choice of a state if one goes on as the list does: above the best one.

    Where an action may change nothing it is tried until it does.
    """
    choices = example.choices[state]
    regrets = [example.regret(state, choice) for choice in choices]
    costs = [
        None if regret >= FORBIDDEN else _cost_of_choice(example, value.costs, state, choice)
        for regret, choice in zip(regrets, choices, strict=True)
    ]
    best = min((cost for cost in costs if cost is not None), default=0.0)
    return [
        regret if cost is None else min(FORBIDDEN - 1, cost - best) for regret, cost in zip(regrets, costs, strict=True)
    ]


def _cost_of_choice(example: Example, costs: Sequence[float], state: int, choice: ExampleChoice) -> float | None:
    """In units of the cheapest action; None if nothing is known of it."""
    stays = math.fsum(probability for probability, after in choice.outcomes if after == state)
    if stays > 1 - 1e-12:
        return None
    onward = math.fsum(
        probability * min(costs[after], example.values[after] + WORST * example.unit)
        for probability, after in choice.outcomes
        if after != state
    )
    return (choice.cost + onward) / (1 - stays) / example.unit


def labels_of_list(examples: Examples, value: ListValue) -> list[float]:
    """The regret of each row if one goes on as the list does; of examples beyond those that it has a value on, for one
    who reaches one goal after the other."""
    found: list[float] = []
    values = [each for _, each in value.by_example()]
    for number, state in examples.states:
        example = examples.examples[number]
        is_valued = number < len(values)
        found += regrets_of_list(example, values[number], state) if is_valued else example.serial_regrets(state)
    return found


def failing_states(value: ListValue, most: int) -> dict[tuple[int, int], float]:
    """The states, by example, where going on as the list does is worst next to the best choice there."""
    losses: dict[tuple[int, int], float] = {}
    for number, (example, found) in enumerate(value.by_example()):
        reached = _reached(example, found)
        for state, choices in example.choices.items():
            regrets = regrets_of_list(example, found, state)
            kept = [
                regret for choice, regret in zip(choices, regrets, strict=True) if choice.action in found.kept[state]
            ]
            loss = math.fsum(kept) / len(kept) if kept else FORBIDDEN
            if loss > SAME:
                losses[number, state] = loss if state in reached else loss * 1e-3
    return dict(sorted(losses.items(), key=lambda each: -each[1])[:most])


def _reached(example: Example, value: ExampleValue) -> set[int]:
    """The states that a list leads to."""
    queue = [example.space.initial]
    reached = set(queue)
    for state in queue:
        for choice in example.choices.get(state, ()):
            if choice.action in value.kept[state]:
                for _, after in choice.outcomes:
                    if after not in reached:
                        reached.add(after)
                        queue.append(after)
    return reached
