"""The one exit: what the searches of a run come to, made into a `Solution`, which is checked before anybody sees it.

All that is said of a policy is read off the one evaluation that came with it (`FoundPolicy`), and nothing replaces the
policy afterwards. What is said of the whole task is a lower bound and where it comes from. `contradictions` compares
the two, and what else must agree: a contradiction is a bug in gpaplan, and is not shown as an answer.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from gpaplan import _core
from gpaplan.display import plain
from gpaplan.errors import STOP_REASONS, ContradictionError
from gpaplan.limits import Limits
from gpaplan.solving.heuristics import AnyHeuristic, PatternDatabases, choice_in_words, make_heuristic, name_of
from gpaplan.solving.portfolio import MOST_ACTIONS
from gpaplan.solving.reasons import Reason, most_probable, why_improper
from gpaplan.solving.running import FoundPolicy, Running, is_proven
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.spaces.state_space import mode_of
from gpaplan.statuses import Guarantee, Status
from gpaplan.version import __version__

if TYPE_CHECKING:
    from gpaplan.solving.run import Run

ITSELF = "the search itself"
"""Whose policy or bound it is, if it is that of the search that was asked for."""
MOMENT = 0.05
"""Seconds that whatever must be done after a limit may take at least."""
_CHECK_SHARE = 0.03
"""The part of the time so far that may be spent after a limit on saying how good the policy so far is."""
_LITTLE_WORK = 20_000
"""Transitions that pattern databases may look at for nothing but a bound (decision 0048)."""
_ROUNDING = 1e-9
"""Costs that differ by a smaller share than this may be the same."""


class LowerBound(NamedTuple):
    """No policy of the whole task costs less; and where that comes from, in words."""

    value: float
    source: str


def answer(run: Run) -> Solution:
    """What a run comes to. Raises `ContradictionError` if that contradicts itself."""
    if (best := run.best) is not None:
        best = _improved(run, best)
        return _solution(run, Status.SOLVED, best.by, best)
    if run.hopeless is not None:
        with run.verifying():
            likeliest, stopped_by = most_probable(run.hopeless, run.stop)
            reason = why_improper(run.hopeless.space, likeliest, stopped_by, run.stop)
        return _solution(run, Status.NO_PROPER_POLICY, run.hopeless, likeliest, reason)
    if run.certified is not None:
        return _solution(run, Status.SOLVED, run.runs[0], None)
    if run.stopped_by:
        by = _at_limit(run)
        return _solution(run, STOP_REASONS[run.stopped_by].status, by, by.found)
    by = run.lanes[0].runs[-1]  # under the automaton, and there is to be no other
    if by.found is not None:
        return _solution(run, Status.SOLVED, by, by.found)
    return _solution(run, Status.NO_PROPER_POLICY, by, None, Reason("automaton"))


# --- which policy it is ---


def _improved(run: Run, best: FoundPolicy) -> FoundPolicy:
    """The best policy for the states that its search has explored, unless more or less is asked for. Weighted LAO*
    leaves many states that its last policy does not use."""
    bound, settings = run.searched_bound(), run.settings
    proven = bound is not None and is_proven(best.report.cost, bound.value, settings.precision)
    if proven or settings.effort == "first" or not settings.is_portfolio or run.stopped_by == "memory":
        return best
    stop = _after_limit(run) if run.stopped_by else run.stop
    with suppress(_core.Stopped):
        explored = FoundPolicy.of(best.by, *best.by.search.explored_policy(stop))
        return explored if explored.solves and explored.report.cost < best.report.cost else best
    return best


def _at_limit(run: Run) -> Running:
    """The search that has most to show when a limit comes: what can be said of the policies in a little time. It grows
    with the states, so the search that has met the fewest comes first."""
    stopped = [running for running in run.runs if running.found is not None or not running.ended] or run.runs
    stop = _after_limit(run)
    with run.verifying():
        for running in sorted(stopped, key=lambda each: len(each.space)):
            if running.found is not None:
                continue
            with suppress(_core.Stopped):
                # A policy of what was explored takes memory to find.
                evaluate = running.evaluate if run.stopped_by == "memory" else running.evaluate_explored
                running.found = evaluate(stop)
    return max(stopped, key=Running.shows)


def _after_limit(run: Run) -> _core.Stop:
    """How long one may take after a limit to say how good the policy so far is. After a limit of states that is until
    another limit comes, so that the same is found each time."""
    if run.stopped_by == "states" and not run.stop.reason:
        return run.stop
    so_far = time.perf_counter() - run.started
    seconds = min(1.0, so_far / 10) if run.stopped_by == "interrupt" else _CHECK_SHARE * so_far
    return Limits(max(MOMENT, seconds)).start()


# --- the bound ---


def _lower_bound(run: Run) -> LowerBound:
    """Of the whole task: the searches', or at least that of an admissible heuristic at the start."""
    if run.hopeless is not None:
        return LowerBound(math.inf, ITSELF)
    found = run.searched_bound() or _bound_at_start(run)
    penalty = run.settings.dead_end_cost
    return found if penalty is None else found._replace(value=min(penalty, found.value))


def _bound_at_start(run: Run) -> LowerBound:
    """The best estimate that there is time for, and its source; after a limit there is but a moment."""
    reason = run.stopped_by
    bounding: list[tuple[AnyHeuristic, str]] = [("blind", "the cheapest action"), ("lmcut", "LM-cut at the start")]
    if run.task.core.action_count <= MOST_ACTIONS:
        bounding.append((PatternDatabases(variables=2, work=_LITTLE_WORK, orders=4), "pattern databases at the start"))
    best = LowerBound(0.0, "the cheapest action")
    space = run.runs[0].space
    for heuristic, source in bounding:
        stop = run.stop if not reason else Limits(None if reason == "states" else MOMENT).start()
        with suppress(_core.Stopped):
            made = make_heuristic(heuristic, run.task, stop, dead_end_cost=run.settings.dead_end_cost)
            bound = made.evaluate(space.core, space.initial, stop)
            if bound > best.value * (1 + 1e-9):
                best = LowerBound(bound, source)
    return best


# --- what is said of them ---


def _solution(
    run: Run, status: Status, by: Running, found: FoundPolicy | None, reason: Reason | None = None
) -> Solution:
    settings, bound = run.settings, _lower_bound(run)
    first = by if settings.is_portfolio else run.runs[0]
    is_certified = status == Status.SOLVED and found is None
    uses_heuristic = first.member.uses_heuristic and not is_certified
    of_policy = _of_policy(run, found, by, is_certified)
    value = of_policy["value"]
    lower_bound = min(bound.value, value) if bound.value <= value * (1 + _ROUNDING) else bound.value
    solution = Solution(
        **of_policy,
        **_of_automaton(run, by, is_certified),
        status=status,
        estimate=lower_bound if is_certified else by.estimate,
        guarantee=_guarantee(status, by, value, lower_bound, settings.precision),
        lower_bound=lower_bound,
        bound_by=bound.source,
        gap=value - lower_bound if math.isfinite(value) else None,
        heuristic=name_of(first.member.heuristic) if uses_heuristic else None,
        heuristic_choice=choice_in_words(first.heuristic) if uses_heuristic else None,
        solver="certificate" if is_certified else first.member.solver.name,
        epsilon=first.member.solver.epsilon,
        precision=settings.precision,
        dead_end_cost=settings.dead_end_cost,
        expanded=by.space.core.expanded_count,
        generated=len(by.space),
        reason=reason,
        symmetry_mode=mode_of(settings.space.symmetry),
        seed=settings.seed,
        version=__version__,
        space=by.space,
        search=by.search,
    )
    if wrong := list(contradictions(solution)):
        raise ContradictionError(solution.space.task.problem.name, wrong, _evidence(solution, settings))
    return solution


def _of_policy(run: Run, found: FoundPolicy | None, by: Running, is_certified: bool) -> dict[str, Any]:
    """What a `Solution` says of the policy. One by certificate is proper, and its cost is not known."""
    report = None if found is None else found.report
    unknown = math.nan if is_certified else math.inf
    is_closed = is_certified if report is None else report.closed
    is_of_search = run.settings.is_portfolio or any(by in lane.runs for lane in run.lanes if lane.plan.proves)
    source = str(by) if is_of_search and is_closed else ITSELF
    return {
        "value": unknown if report is None else report.cost,
        "residual": None if found is None else found.residual,
        "closed": is_closed,
        "proper": is_certified if report is None else report.proper,
        "goal_probability": (1.0 if is_certified else None) if report is None else report.goal_probability,
        "policy_states": (None if is_certified else 0) if report is None else report.states,
        "policy_by": "the certificate" if is_certified else source,
        "decisions": {} if found is None else found.decisions,
    }


def _of_automaton(run: Run, by: Running, is_certified: bool) -> dict[str, Any]:
    """What a `Solution` says of the automaton, and where the time went."""
    under = [running for running in run.runs if running.member.part == "constrained"]
    fallback, matching = False if is_certified else None, None
    if under and not is_certified:
        sufficed = any(running.found is not None and running.found.solves for running in under)
        fallback = not sufficed and by.member.part != "constrained"
        overtaken = fallback and not run.stopped_by and not all(running.ended for running in under)
        space: Any = under[-1].space  # a ConstrainedStateSpace
        matching = Matching(run.settings.match, under[-1].member.level, space.matched(), overtaken)
    seconds = _time(run, under, fallback)
    return {"fallback": fallback, "matching": matching, "certified": run.certified, "seconds": seconds}


def _time(run: Run, under: list[Running], fallback: bool | None) -> dict[str, float]:
    """Where the time went; see `Solution.seconds`."""
    proving = [running for lane in run.lanes if lane.plan.proves for running in lane.runs]
    constrained, prove, every = (sum(each.seconds for each in runs) for runs in (under, proving, run.runs))
    whole = every - constrained - prove
    seconds = dict(run.seconds)
    if fallback:
        seconds["constrained"] = constrained
    elif fallback is False and whole:
        seconds["whole"] = whole
    seconds["search"] = constrained if fallback is False else whole
    seconds["verify"] = seconds.pop("verify", 0.0)  # in the order in which things were done
    if proving:
        seconds["prove"] = prove
    return seconds | {"total": time.perf_counter() - run.started}


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
