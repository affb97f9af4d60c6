"""Literals and rules that are not needed.

A rule, or a literal of one, is dropped if the list reaches the goal as often without it, and costs at most a tenth more
than it did at first, on the training and on the validation problems. The last rules go first: they were found for the
fewest states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.learning.rules.constants import SLACK
from gpaplan.learning.rules.portfolio import Candidate, Portfolio

__all__ = ["simplify"]


def simplify(portfolio: Portfolio, candidate: Candidate, holds: Callable[[Candidate], bool]) -> Candidate:
    """The candidate with fewer literals and rules, as long as something else ``holds`` of it."""
    best = candidate
    shrunk = True
    while shrunk:
        shrunk = False
        for rules in _smaller(candidate.rules):
            found = portfolio.consider(rules)
            if found is not None and _is_as_good(found, best) and holds(found):
                candidate = found
                shrunk = True
                break
    return candidate


def _is_as_good(simpler: Candidate, candidate: Candidate) -> bool:
    return (
        simpler.rank[0] <= candidate.rank[0]
        and simpler.score.ratio <= candidate.score.ratio * SLACK
        and simpler.value.cost_ratio <= candidate.value.cost_ratio * SLACK
    )


def _smaller(rules: RuleList) -> Iterator[RuleList]:
    """All lists that have one rule or one literal less."""
    every = rules.rules
    for place in reversed(range(len(every))):
        yield RuleList((*every[:place], *every[place + 1 :]))
    for place in reversed(range(len(every))):
        rule = every[place]
        for dropped in range(len(rule.literals)):
            literals = (*rule.literals[:dropped], *rule.literals[dropped + 1 :])
            yield RuleList((*every[:place], Rule(rule.schema, literals), *every[place + 1 :]))
