"""Many lists, of which the best is kept.

Which training states, weights and literals serve best differs from domain to domain, and only some of the lists that
are learned carry to larger problems. So many are learned, and what they are worth is seen where it matters: on the
training problems exactly, and by acting on validation problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gpaplan import _core
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.beam import BEAM, Beam
from gpaplan.learning.rules.constants import COMPLEXITY, VALUE_WORK
from gpaplan.learning.rules.lists import (
    ListSettings,
    ListValue,
    decide,
    evaluate_list,
    labels_of_list,
    learn_list,
)
from gpaplan.learning.rules.scoring import Scorer, TrialScore
from gpaplan.learning.rules.table import CodedRule, RowTable
from gpaplan.limits import WorkBudget

__all__ = ["Attempt", "Candidate", "Portfolio", "attempts"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a list is learned from, and how."""

    optimal: bool
    """Only from states that optimal actions lead to, or from all that are reached without losing the goal."""
    settings: ListSettings
    smallest: int = 0
    """So many of the smallest examples are left out."""


_STRICT = ListSettings().strictness
_WAYS = (  # only states of optimal actions; strictness; what complexity weighs; share
    (False, _STRICT[2:], 0.01, 0.0),
    (False, _STRICT, 0.03, 0.0),
    (True, _STRICT, 0.01, 0.0),
    (True, _STRICT[2:], 0.03, 0.0),
    (False, _STRICT, 0.03, 1.0),
    (False, _STRICT, 0.03, 0.3),
    (False, _STRICT[2:], 0.03, 0.0),
    (True, _STRICT, 0.01, 1.0),
    (False, _STRICT, 0.01, 0.3),
    (False, _STRICT, 0.01, 0.0),
    (True, _STRICT[2:], 0.06, 0.0),
    (False, _STRICT, 0.003, 0.0),
)


def attempts(examples: int) -> Iterator[Attempt]:
    """What to try with so many examples, in this order: the first few are as different as they can be."""
    for beam, leave_out in ((BEAM, 0), (BEAM, examples // 2), (Beam(width=6, complexity=4), 0)):
        for optimal, strictness, complexity, share in _WAYS:
            yield Attempt(optimal, ListSettings(beam, strictness, complexity, share), leave_out)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A list that was learned, and what it is worth."""

    coded: tuple[CodedRule, ...]
    rules: RuleList
    training_rate: float
    """The mean probability of the goal on the training problems."""
    training_ratio: float
    """The mean of the cost there, divided by the optimum."""
    score: TrialScore
    complexity: int

    @property
    def rates(self) -> float:
        """How often the goal is reached: on the training problems and, added to it, on the others."""
        return self.training_rate + self.score.goal_rate

    @property
    def is_perfect(self) -> bool:
        """Whether the goal was reached wherever it was tried."""
        return self.training_rate > 1 - 1e-9 and self.score.goal_rate == 1.0

    @property
    def rank(self) -> tuple[float, float, int]:
        """Less is better: the goal first, then the cost, with a little for complexity."""
        missed = round(2 - self.rates, 6)
        cost = (self.score.ratio or 1.0) * min(self.training_ratio, 10.0)
        return (missed, round(cost * (1 + COMPLEXITY * self.complexity), 6), self.complexity)


@dataclass
class Portfolio:
    """The lists learned so far from one table."""

    table: RowTable
    scorer: Scorer
    stop: _core.Stop
    budget: WorkBudget
    report: Callable[[str], None]
    best: Candidate | None = None
    tried: int = 0
    known: set[tuple[CodedRule, ...]] = field(default_factory=set)

    def try_attempt(self, attempt: Attempt) -> Candidate | None:
        """Learn a list by optimal values, and another by what the first is worth; the better one, if it is new."""
        examples = self.table.examples
        sizes = sorted(range(len(examples.examples)), key=lambda n: (len(examples.examples[n].choices), n))
        active = examples.region(optimal=attempt.optimal, only=sizes[attempt.smallest :])
        found: list[Candidate] = []
        value: ListValue | None = None
        for _ in range(2):
            regrets = examples.regrets if value is None else labels_of_list(examples, value)
            rules = tuple(learn_list(self.table, active, regrets, attempt.settings, self.stop, self.budget))
            value = evaluate_list(examples, decide(self.table, rules).kept, self.stop)
            self.budget.spend(VALUE_WORK * len(examples.rows))
            candidate = self.consider(rules, value)
            if candidate is not None:
                found.append(candidate)
        return min(found, key=lambda each: each.rank, default=None)

    def consider(self, coded: tuple[CodedRule, ...], value: ListValue) -> Candidate | None:
        """Score a list, and keep it if it is the best so far. None if it is known already, or surely is not."""
        if coded in self.known:
            return None
        self.known.add(coded)
        self.tried += 1
        candidate = self.scored(coded, value, beat=0.0 if self.best is None else self.best.rates)
        if candidate is not None and (self.best is None or candidate.rank < self.best.rank):
            self.best = candidate
            self.report(
                f"{len(coded)} rules: goal {candidate.score.goal_rate:.0%} on validation problems, "
                f"cost {candidate.training_ratio:.3f} of the optimum on training problems"
            )
        return candidate

    def scored(
        self, coded: tuple[CodedRule, ...], value: ListValue | None = None, *, beat: float = 0.0
    ) -> Candidate | None:
        """What a list is worth; None if its goal rates cannot add up to ``beat``."""
        examples = self.table.examples
        if value is None:
            value = evaluate_list(examples, decide(self.table, coded).kept, self.stop)
        rates = value.goal_rates(examples)
        training = sum(rates) / len(rates) if rates else 1.0
        rules = self.table.spell_out(coded)
        score = self.scorer.score(rules, beat=beat - training)
        if score is None:
            return None
        ratio = value.cost_ratio(examples)
        complexity = self.table.complexity(coded)
        return Candidate(coded, rules, training, ratio, score, complexity)
