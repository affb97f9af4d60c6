"""All small problems like those that a list was learned from: where it fails, it has something to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpaplan.concepts.rules import RuleList
from gpaplan.limits import AnyLimits, Limits
from gpaplan.ppddl import Problem
from gpaplan.proofs import enumeration
from gpaplan.solving.run import solve
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundTask

_MOST_STATES = 3_000
"""Of a problem of which it is asked whether it has a proper policy."""


def smallest_failure(
    rules: RuleList, tasks: Sequence[GroundTask], *, work: int, limits: AnyLimits = None
) -> tuple[GroundTask | None, str]:
    """A smallest problem like these that has a proper policy and on which a rule list fails under random choice, as far
    as the counted work goes; or on what the list does not fail, in words, empty if that is not known."""
    first, problems = tasks[0], [task.problem for task in tasks]
    number = sum("-counterexample-" in each.name for each in problems) + 1

    def like_the_first(problem: Problem) -> GroundTask:
        named = replace(problem, name=f"{first.problem.name}-counterexample-{number}")
        return ground(first.domain, named, cost=first.cost, relevance=first.relevance)  # type: ignore[arg-type]

    def has_policy(problem: Problem) -> bool:
        return solve(like_the_first(problem), "vi", limits=Limits(states=_MOST_STATES)).proper

    found, words = enumeration.smallest_failure(
        rules, first.domain, problems, work=work, limits=limits, accept=has_policy
    )
    return None if found is None else like_the_first(found.problem), words
