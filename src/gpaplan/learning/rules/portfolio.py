"""Many lists, of which the best is kept.

Which weights serve best differs from domain to domain, and only some of the lists that are learned carry to larger
problems. So several are learned, and what they are worth is seen where it matters: on the training problems exactly,
and by acting on validation problems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpaplan import _core
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.beam import Beam
from gpaplan.learning.rules.constants import (
    COMPLEXITY,
    FAILED,
    FEW_TRIALS,
    INSERTIONS,
    LENIENCE,
    REBUILDS,
    SLACK,
    VALUE_WORK,
)
from gpaplan.learning.rules.examples import FORBIDDEN, Example
from gpaplan.learning.rules.lists import ListEvaluator, ListSearch, ListSettings, ListValue, labels_of_list
from gpaplan.learning.rules.scoring import Scorer, TrialScore
from gpaplan.learning.rules.table import CodedRule, RowTable
from gpaplan.limits import WorkBudget

__all__ = ["SIMPLE_WAYS", "WAYS", "Candidate", "Improvement", "Portfolio"]

SIMPLE_WAYS = tuple(
    ListSettings(complexity, serial=serial, beam=Beam(complexity=5))
    for complexity in (3.0, 1.0)
    for serial in (False, True)
)
"""How lists are learned: of simple literals first; …"""
WAYS = (
    ListSettings(3.0, strictness=LENIENCE, rebuilds=REBUILDS),
    ListSettings(3.0, serial=True, rebuilds=REBUILDS),
)
"""… of any, from more states, where these do not do."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A list, and what it is worth."""

    rules: RuleList
    value: ListValue
    score: TrialScore

    @property
    def rates(self) -> float:
        """How often the goal is reached: on the training problems and, added to it, on the others."""
        return self.value.goal_rate + self.score.goal_rate

    @property
    def is_perfect(self) -> bool:
        """Whether the goal was reached wherever it was tried."""
        return self.rates > 2 - 1e-9

    @property
    def is_good(self) -> bool:
        """Whether it is perfect, and costs little more than the optimum on the training problems."""
        return self.is_perfect and self.value.cost_ratio <= SLACK

    @property
    def rank(self) -> tuple[float, float, int]:
        """Less is better: the goal first, then the cost, with a little for complexity."""
        missed = round(2 - self.rates, 6)
        cost = (self.score.ratio or 1.0) * min(self.value.cost_ratio, 10.0)
        return (missed, round(cost * (1 + COMPLEXITY * self.rules.complexity), 6), self.rules.complexity)


@dataclass
class Portfolio:
    """The lists so far."""

    examples: Sequence[Example]
    scorer: Scorer
    stop: _core.Stop
    budget: WorkBudget
    report: Callable[[str], None]
    best: Candidate | None = None
    known: dict[RuleList, Candidate] = field(default_factory=dict)
    values: dict[RuleList, ListValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._evaluator = ListEvaluator(self.examples, self.stop)

    def learn(self, table: RowTable, settings: ListSettings) -> None:
        """Learn a list by the regrets of examples, and improve it by what it is worth itself."""
        self.improve(table, self.search(table, settings).learn(), settings)

    def search(self, table: RowTable, settings: ListSettings) -> ListSearch:
        """By the regrets of examples."""
        regrets = table.examples.serial_regrets if settings.serial else table.examples.regrets
        strictness = settings.strictness
        regrets = [regret if regret >= FORBIDDEN else min(strictness * regret, FORBIDDEN - 1) for regret in regrets]
        return ListSearch(table, regrets, settings, self.stop, self.budget)

    def improve(self, table: RowTable, rules: Sequence[CodedRule], settings: ListSettings) -> None:
        """Improve a list by what it is worth itself."""
        self.consider(Improvement(self, table, settings, rules).run())

    def consider(self, rules: RuleList) -> Candidate:
        """Score a list, and keep it if it is the best so far."""
        if rules not in self.known:
            value, score = self.value(rules), self.scorer.score(rules)
            assert score is not None
            candidate = self.known[rules] = Candidate(rules, value, score)
            if self.best is None or candidate.rank < self.best.rank:
                self.best = candidate
                self.report(
                    f"{len(rules)} rules: goal {score.goal_rate:.0%} on validation problems, {value.goal_rate:.0%} on "
                    f"training problems, cost there {value.cost_ratio:.3f} of the optimum"
                )
        return self.known[rules]

    def value(self, rules: RuleList) -> ListValue:
        """What a list is worth on the training problems."""
        if rules not in self.values:
            self.budget.spend(VALUE_WORK * sum(len(some) for each in self.examples for some in each.choices.values()))
            self.values[rules] = self._evaluator.evaluate(rules)
        return self.values[rules]


class Improvement:
    """A list that is changed step by step, as long as that is worth it: by what it costs from all states of the
    training problems, by what acting with it costs on validation problems, and by its complexity."""

    def __init__(
        self, portfolio: Portfolio, table: RowTable, settings: ListSettings, rules: Sequence[CodedRule]
    ) -> None:
        self.portfolio, self.table, self.settings = portfolio, table, settings
        self.rules = list(rules)
        self.value = portfolio.value(table.spell_out(rules))
        self.measure = self._measure(self.rules, math.inf)

    def run(self) -> RuleList:
        """Until nothing helps."""
        while True:
            self._simplify()
            if not self._insert() and not self._move():
                return self.table.spell_out(self.rules)

    def _measure(self, rules: Sequence[CodedRule], beat: float) -> float:
        """Less is better; infinite if it cannot be less than what is to be beaten."""
        spelled = self.table.spell_out(rules)
        value = self.portfolio.value(spelled)
        known = value.excess * (1 + COMPLEXITY * spelled.complexity) ** 2
        if value.goal_rate < 1 - 1e-9:
            return known * FAILED  # larger problems need not be tried
        score = self.portfolio.scorer.score(spelled, trials=FEW_TRIALS, most=beat / known)
        return math.inf if score is None else known * score.ratio

    def _insert(self) -> bool:
        """Put in one more rule."""
        regrets = labels_of_list(self.table.examples, self.value)
        search = ListSearch(self.table, regrets, self.settings, self.portfolio.stop, self.portfolio.budget)
        found = search.insertions(self.rules, range(len(self.rules) + 1))[:INSERTIONS]
        return any(self._take([*self.rules[:place], rule, *self.rules[place:]]) for _, place, rule in found)

    def _move(self) -> bool:
        """Put a rule in another place."""
        for place, rule in enumerate(self.rules):
            others = [*self.rules[:place], *self.rules[place + 1 :]]
            moved = ([*others[:to], rule, *others[to:]] for to in range(len(self.rules)) if to != place)
            if any(self._take(rules) for rules in moved):
                return True
        return False

    def _simplify(self) -> None:
        """Take away rules, and literals of rules, the last ones first: they were found for the fewest states."""
        changed = True
        while changed:
            changed = False
            for place in reversed(range(len(self.rules))):
                before, rule, after = self.rules[:place], self.rules[place], self.rules[place + 1 :]
                if rule in self.table.given and self._is_worth_keeping([*before, *after]):
                    continue
                if self._take([*before, *after]):
                    changed = True
                    continue
                for literal in rule.literals:
                    rest = tuple(each for each in self.rules[place].literals if each != literal)
                    changed = self._take([*before, CodedRule(rule.schema, rest), *after]) or changed

    def _is_worth_keeping(self, others: list[CodedRule]) -> bool:
        """Whether the list costs no less without a rule that somebody wrote: it does not go for simplicity alone."""
        return self.portfolio.value(self.table.spell_out(others)).excess >= self.value.excess * (1 - 1e-6)

    def _take(self, rules: list[CodedRule]) -> bool:
        """Take other rules if they are better."""
        measure = self._measure(rules, self.measure)
        if measure >= self.measure * (1 - 1e-6):
            return False
        self.rules, self.value, self.measure = rules, self.portfolio.value(self.table.spell_out(rules)), measure
        return True
