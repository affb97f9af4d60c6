"""Literals and rules that are not needed.

A rule, or a literal of one, is dropped if the list is worth as much without it, on the training and on the validation
problems. The last rules go first: they were found for the fewest states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpaplan.learning.rules.constants import SLACK
from gpaplan.learning.rules.portfolio import Candidate, Portfolio
from gpaplan.learning.rules.table import CodedRule

__all__ = ["simplify"]


def simplify(portfolio: Portfolio, candidate: Candidate, holds: Callable[[Candidate], bool]) -> Candidate:
    """The candidate with fewer literals and rules, as long as something else ``holds`` of it."""
    shrunk = True
    while shrunk:
        shrunk = False
        for coded in _smaller(candidate.coded):
            portfolio.tried += 1
            found = portfolio.scored(coded, beat=candidate.rates)
            if found is not None and _is_as_good(found, candidate) and holds(found):
                candidate = found
                shrunk = True
                break
    return candidate


def _is_as_good(simpler: Candidate, candidate: Candidate) -> bool:
    return (
        simpler.rank[0] <= candidate.rank[0]
        and simpler.score.ratio <= candidate.score.ratio * SLACK
        and simpler.training_ratio <= candidate.training_ratio * SLACK
    )


def _smaller(rules: tuple[CodedRule, ...]) -> Iterator[tuple[CodedRule, ...]]:
    """All lists that have one rule or one literal less."""
    for place in reversed(range(len(rules))):
        yield (*rules[:place], *rules[place + 1 :])
    for place in reversed(range(len(rules))):
        rule = rules[place]
        for dropped in range(len(rule.literals)):
            literals = (*rule.literals[:dropped], *rule.literals[dropped + 1 :])
            yield (*rules[:place], CodedRule(rule.schema, literals), *rules[place + 1 :])
