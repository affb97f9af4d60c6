"""Many lists, of which the best is kept.

Which weights serve best differs from domain to domain, and only some of the lists that are learned carry to larger
problems. So several are learned, and what they are worth is seen where it matters: on the training problems exactly,
and by acting on validation problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpaplan import _core
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.beam import Beam
from gpaplan.learning.rules.constants import COMPLEXITY, IMPROVEMENTS, SLACK, VALUE_WORK
from gpaplan.learning.rules.examples import Example
from gpaplan.learning.rules.lists import ListSearch, ListSettings, ListValue, evaluate_list, labels_of_list
from gpaplan.learning.rules.scoring import Scorer, TrialScore
from gpaplan.learning.rules.table import CodedRule, RowTable
from gpaplan.limits import WorkBudget

__all__ = ["Candidate", "Portfolio"]

SHALLOW, DEEP = Beam(complexity=5), Beam()
WAYS = tuple(ListSettings(complexity, beam=beam) for beam in (SHALLOW, DEEP) for complexity in (1.0, 0.3, 3.0))
"""How lists are learned: of simple literals first."""


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
    tried: int = 0
    known: dict[RuleList, Candidate | None] = field(default_factory=dict)

    def learn(self, table: RowTable, settings: ListSettings, start: Candidate | None = None) -> None:
        """Learn a list by optimal values, or from another one, and improve it by what it is worth itself."""
        regrets: Sequence[float] = table.examples.regrets
        coded: list[CodedRule] = []
        value: ListValue | None = None
        if start is not None:
            coded, value = table.encode(start.rules), start.value
            regrets = labels_of_list(table.examples, value)
        for _ in range(IMPROVEMENTS + 1):
            coded = ListSearch(table, regrets, settings, self.stop, self.budget).learn(coded)
            rules = table.spell_out(coded)
            if rules in self.known:
                return
            before, value = value, self._value(rules)
            self.consider(rules, value)
            if before is not None and value.loss >= before.loss:
                return
            regrets = labels_of_list(table.examples, value)

    def consider(self, rules: RuleList, value: ListValue | None = None) -> Candidate | None:
        """Score a list, and keep it if it is the best so far. None if it surely is not."""
        if rules in self.known:
            return self.known[rules]
        self.tried += 1
        value = value or self._value(rules)
        score = self.scorer.score(rules, beat=0.0 if self.best is None else self.best.rates - value.goal_rate)
        candidate = self.known[rules] = None if score is None else Candidate(rules, value, score)
        if candidate is not None and (self.best is None or candidate.rank < self.best.rank):
            self.best = candidate
            self.report(
                f"{len(rules)} rules: goal {candidate.score.goal_rate:.0%} on validation problems, "
                f"{value.goal_rate:.0%} on training problems, cost there {value.cost_ratio:.3f} of the optimum"
            )
        return candidate

    def _value(self, rules: RuleList) -> ListValue:
        self.budget.spend(VALUE_WORK * sum(len(some) for each in self.examples for some in each.choices.values()))
        return evaluate_list(self.examples, rules, self.stop)
