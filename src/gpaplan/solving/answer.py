"""The one exit: where a `Solution` is made, and checked before anybody sees it.

All that is said of a policy is read off the one evaluation that came with it (`FoundPolicy`), and nothing replaces the
policy afterwards. What is said of the whole task is a lower bound and where it comes from. `contradictions` compares
the two, and what else must agree: a contradiction is a bug in gpaplan, and is not shown as an answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import NamedTuple

from gpaplan.display import plain
from gpaplan.errors import ContradictionError
from gpaplan.solving.heuristics import choice_in_words, name_of
from gpaplan.solving.reasons import Reason
from gpaplan.solving.running import FoundPolicy, Running, is_proven
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.spaces.symmetry import mode_of
from gpaplan.statuses import Guarantee, Status
from gpaplan.version import __version__

ITSELF = "the search itself"
"""Whose policy or bound it is, if it is that of the search that was asked for."""
_ROUNDING = 1e-9
"""Costs that differ by a smaller share than this may be the same."""


class LowerBound(NamedTuple):
    """No policy of the whole task costs less; and where that comes from, in words."""

    value: float
    source: str


class Circumstances(NamedTuple):
    """How an answer came about."""

    settings: RunSettings
    first: Running
    """The search that was asked for; of a portfolio, the one that found the policy."""
    policy_by: str
    fallback: bool | None
    matching: Matching | None
    seconds: dict[str, float]
    reason: Reason | None = None


def answer(
    status: Status, by: Running, found: FoundPolicy | None, bound: LowerBound, circumstances: Circumstances
) -> Solution:
    """The solution that a policy, found by a search, and a bound amount to; ``found`` is None if there is no policy.

    Raises `ContradictionError` if it contradicts itself.
    """
    settings, first = circumstances.settings, circumstances.first
    report = None if found is None else found.report
    value = math.inf if report is None else report.cost
    closed = report is not None and report.closed
    lower_bound = min(bound.value, value) if bound.value <= value * (1 + _ROUNDING) else bound.value
    solution = Solution(
        status=status,
        value=value,
        estimate=by.estimate,
        guarantee=_guarantee(status, by, value, lower_bound, settings.precision),
        lower_bound=lower_bound,
        bound_by=bound.source,
        gap=value - lower_bound if math.isfinite(value) else None,
        residual=None if found is None else found.residual,
        closed=closed,
        proper=report is not None and report.proper,
        goal_probability=None if report is None else report.goal_probability,
        policy_by=circumstances.policy_by,
        solver=first.member.solver.name,
        heuristic=name_of(first.member.heuristic) if first.member.uses_heuristic else None,
        heuristic_choice=choice_in_words(first.heuristic) if first.member.uses_heuristic else None,
        epsilon=first.member.solver.epsilon,
        precision=settings.precision,
        dead_end_cost=settings.dead_end_cost,
        expanded=by.space.core.expanded_count,
        generated=len(by.space),
        policy_states=0 if report is None else report.states,
        seconds=circumstances.seconds,
        fallback=circumstances.fallback,
        matching=circumstances.matching,
        reason=circumstances.reason,
        symmetry_mode=mode_of(settings.space.symmetry),
        seed=settings.seed,
        version=__version__,
        space=by.space,
        search=by.search,
        decisions={} if found is None else found.decisions,
    )
    if wrong := list(contradictions(solution)):
        raise ContradictionError(solution.space.task.problem.name, wrong, _evidence(solution, settings))
    return solution


def _guarantee(status: Status, by: Running, value: float, lower_bound: float, precision: float) -> Guarantee:
    if status != Status.SOLVED:
        return Guarantee.NONE
    if is_proven(value, lower_bound, precision):
        return Guarantee.OPTIMAL
    within = by.bounds and is_proven(value, by.estimate, precision)
    return Guarantee.HIERARCHICALLY_OPTIMAL if within and by.member.part == "constrained" else Guarantee.NONE


def contradictions(said: Solution) -> Iterator[str]:
    """What of a solution contradicts the rest of it, in words; nothing, unless gpaplan has a bug."""
    value, bound, probability = said.value, said.lower_bound, said.goal_probability
    if not bound <= value:
        yield f"the lower bound {bound!r} exceeds the cost {value!r}"
    if said.gap != (value - bound if math.isfinite(value) else None):
        yield f"the gap {said.gap!r} is not the distance from {bound!r} to {value!r}"
    if said.closed and probability is None:
        yield "the policy is closed, and its goal probability is not known"
    if said.proper != (probability == 1):
        yield f"the policy is {'' if said.proper else 'not '}proper, and its goal probability is {probability!r}"
    if probability is not None and not 0 <= probability <= 1:
        yield f"the goal probability is {probability!r}"
    if math.isfinite(value) and not said.closed:
        yield f"the policy is not closed, and its cost is {value!r}"
    if math.isfinite(value) and not said.proper and said.dead_end_cost is None:
        yield f"the policy may miss the goal, and its cost is {value!r}"
    if said.status == Status.SOLVED and not (said.proper or math.isfinite(value)):
        yield "the status is solved, and the policy does not end"
    if said.status == Status.NO_PROPER_POLICY and (said.proper or said.reason is None):
        yield f"there is no proper policy, the policy is {'' if said.proper else 'not '}proper, and why: {said.reason}"
    if said.guarantee != Guarantee.NONE and said.status != Status.SOLVED:
        yield f"the policy is {said.guarantee}, and the status {said.status}"
    if said.guarantee == Guarantee.OPTIMAL and not is_proven(value, bound, said.precision):
        yield f"the policy is optimal, and its cost {value!r} is above the lower bound {bound!r}"
    if not len(said.decisions) <= said.policy_states:
        yield f"the policy decides in {len(said.decisions)} states, and reaches {said.policy_states}"


def _evidence(said: Solution, settings: RunSettings) -> str:
    """What a report of the bug needs besides the task."""
    asked = {name: getattr(settings, name) for name in ("match", "fallback", "effort", "prove")}
    return json.dumps(plain({**said.to_json(), **asked, "limits": str(settings.limits)}))
