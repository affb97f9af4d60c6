"""The one exit: where a `Solution` is made, and checked before anybody sees it.

All that is said of a policy is read off the one evaluation that came with it (`FoundPolicy`), and nothing replaces the
policy afterwards. What is said of the whole task is a lower bound and where it comes from. `contradictions` compares
the two, and what else must agree: a contradiction is a bug in gpaplan, and is not shown as an answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from gpaplan.display import plain
from gpaplan.errors import ContradictionError
from gpaplan.solving.heuristics import choice_in_words, name_of
from gpaplan.solving.reasons import Reason
from gpaplan.solving.running import FoundPolicy, Running, is_proven
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.spaces.state_space import mode_of
from gpaplan.statuses import Guarantee, Status
from gpaplan.version import __version__

if TYPE_CHECKING:
    from gpaplan.automata.rule_policy import RulePolicy

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
    certified: RulePolicy | None = None
    """The policy that acts by the automaton, if a certificate says that it is proper."""


def answer(
    status: Status, by: Running, found: FoundPolicy | None, bound: LowerBound, circumstances: Circumstances
) -> Solution:
    """The solution that a policy, found by a search, and a bound amount to; ``found`` is None if there is no policy, or
    if it is a rule list by certificate: that is proper, and its cost is not known.

    Raises `ContradictionError` if it contradicts itself.
    """
    settings, first = circumstances.settings, circumstances.first
    report = None if found is None else found.report
    by_certificate = status == Status.SOLVED and found is None and circumstances.certified is not None
    unknown = math.nan if by_certificate else math.inf
    uses_heuristic = first.member.uses_heuristic and not by_certificate
    value = unknown if report is None else report.cost
    lower_bound = min(bound.value, value) if bound.value <= value * (1 + _ROUNDING) else bound.value
    solution = Solution(
        status=status,
        value=value,
        estimate=lower_bound if by_certificate else by.estimate,
        guarantee=_guarantee(status, by, value, lower_bound, settings.precision),
        lower_bound=lower_bound,
        bound_by=bound.source,
        gap=value - lower_bound if math.isfinite(value) else None,
        residual=None if found is None else found.residual,
        closed=by_certificate if report is None else report.closed,
        proper=by_certificate if report is None else report.proper,
        goal_probability=(1.0 if by_certificate else None) if report is None else report.goal_probability,
        policy_by="the certificate" if by_certificate else circumstances.policy_by,
        solver="certificate" if by_certificate else first.member.solver.name,
        heuristic=name_of(first.member.heuristic) if uses_heuristic else None,
        heuristic_choice=choice_in_words(first.heuristic) if uses_heuristic else None,
        epsilon=first.member.solver.epsilon,
        precision=settings.precision,
        dead_end_cost=settings.dead_end_cost,
        expanded=by.space.core.expanded_count,
        generated=len(by.space),
        policy_states=(None if by_certificate else 0) if report is None else report.states,
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
        certified=circumstances.certified,
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
    if math.isnan(value) != (said.policy_states is None) or (math.isnan(value) and said.certificate is None):
        yield f"the cost is {value!r}, the states are {said.policy_states}, and the certificate is {said.certificate}"
    if bound > value:
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
    if said.status == Status.NO_PROPER_POLICY and said.certificate is not None:
        yield "there is no proper policy, and a certificate says that there is one"
    if said.status == Status.NO_PROPER_POLICY and (said.proper or said.reason is None):
        yield f"there is no proper policy, the policy is {'' if said.proper else 'not '}proper, and why: {said.reason}"
    if said.guarantee != Guarantee.NONE and said.status != Status.SOLVED:
        yield f"the policy is {said.guarantee}, and the status {said.status}"
    if said.guarantee == Guarantee.OPTIMAL and not is_proven(value, bound, said.precision):
        yield f"the policy is optimal, and its cost {value!r} is above the lower bound {bound!r}"
    if len(said.decisions) > (said.policy_states or 0):
        yield f"the policy decides in {len(said.decisions)} states, and reaches {said.policy_states}"


def _evidence(said: Solution, settings: RunSettings) -> str:
    """What a report of the bug needs besides the task."""
    asked = {name: getattr(settings, name) for name in ("match", "fallback", "effort", "prove")}
    return json.dumps(plain({**said.to_json(), **asked, "limits": str(settings.limits)}))
