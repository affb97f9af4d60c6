"""Solving a task.

`solve` runs a solver, then checks its greedy policy with code that shares nothing with the solvers: is it closed, is it
proper, what does it cost exactly. A `Solution` says what was found and what of it is proven.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from gpaplan import _core
from gpaplan.automata.matching import Match
from gpaplan.errors import STOP_REASONS, STOPPED, LimitError
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.solving.heuristics import (
    AnyHeuristic,
    PatternDatabases,
    choice_in_words,
    is_of_patterns,
    make_heuristic,
    name_of,
)
from gpaplan.solving.proof import Proof, Prover
from gpaplan.solving.reasons import Reason, most_probable, why_improper
from gpaplan.solving.settings import Fallback, RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.solving.solvers import LRTDP, AnySolver, solver_of
from gpaplan.solving.turns import Side, Turns, measure_of, take_turn
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, mode_of, symmetry_of
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton

__all__ = ["Progress", "solve", "solve_with"]

Progress: TypeAlias = Callable[[_core.Search, StateSpace], None]
"""What is called now and then with the search under way."""

_LITTLE_WORK = 20_000
"""What pattern databases may take for nothing but a bound, on tasks with at most so many actions:"""
_MOST_ACTIONS = 30_000

_ALONE_BEFORE_PROOF = {"work": 60_000, "states": 2_500}
"""How much a search may do before those that prove begin, which must be made anyway, by what turns are counted in."""
_WORK_A_STATE = {"work": 4, "states": 1}
"""How much a search may do for each state of value iteration's turn while that proves, by what turns are counted in."""

_CHECK_SHARE = 0.03
"""The part of a time limit that may be spent after it on saying how good the policy so far is."""


def solve(
    task: GroundTask,
    solver: AnySolver | None = None,
    *,
    heuristic: AnyHeuristic = "ff",
    automaton: PolicyAutomaton | None = None,
    match: Match = "coarse",
    fallback: Fallback = "turns",
    dead_end_cost: float | None = None,
    precision: float = 1e-6,
    prove: bool = False,
    limits: AnyLimits = None,
    seed: int = 0,
    max_outcomes: int = MAX_OUTCOMES,
    symmetry: AnySymmetry = "auto",
    progress: Progress | None = None,
) -> Solution:
    """Find a policy for a task.

    The solver is one of `gpaplan.solving.solvers`, by name or as a record (default ``LRTDP()``), or one of your own;
    the heuristic is one of `gpaplan.solving.heuristics`, or a function of a state.

    Without ``dead_end_cost`` a solution is a policy that reaches the goal with probability one and, if the heuristic is
    admissible, at the least expected cost. If there is none the status is ``no-proper-policy``, `Solution.reason` says
    why, and the policy is one that reaches the goal with the largest probability there is or, where that takes too many
    states, a good one; the reason says which. With ``dead_end_cost`` one may give up in every state
    for that much, and the policy says where it does.

    Optimal means proven: the policy's exact cost exceeds a lower bound by at most a share of ``precision`` of it,
    whatever the scale of costs. With an admissible heuristic a solver that is satisfied earlier goes on until that
    holds, or a limit comes. With any other heuristic, and under an automaton, the lower bound of the whole task is the
    estimate of an admissible heuristic at the start. With ``prove`` the work goes on there: two searches of the whole
    task raise the bound, or find a better policy, until that policy is proven optimal or a limit comes
    (`gpaplan.solving.proof`). What was found before stays found: at a limit, or at Ctrl-C, it is the answer, with the
    best bound so far.

    With an ``automaton`` the task is solved under its constraint first. If that has a proper policy it is returned; if
    not, the task is solved without the constraint, and `Solution.fallback` is True. With a dead-end cost a policy
    suffices too if it gives up only where the goal is known to be out of reach. With ``match="coarse"`` a state that is
    no vertex of the automaton, or none of whose edges fits, is compared with it more coarsely, as far as it takes; with
    ``"strict"`` only to the letter, as in the paper (`gpaplan.automata.matching`).

    ``fallback`` says when the whole task is searched: with ``"turns"`` beside the constrained one as soon as that takes
    more than a moment, so that no automaton costs much more than twice the time of the faster of the two; the one that
    ends first gives the policy. With ``"full"``, as in the paper, only when the constrained search has failed, starting
    from its values. With ``"local"`` the constraint is then at first lifted only in states where it leaves no action,
    which takes far fewer states if the automaton lacks little. With ``"none"`` the whole task is never searched: the
    status is then ``no-proper-policy``.

    With ``symmetry`` ``"on"``, or ``"auto"`` where there are at least three of them, states are met up to renaming of
    interchangeable objects. That changes no value and makes the space smaller, often exponentially
    (`gpaplan.spaces.symmetry`). The policy is then kept on representatives, and gives the action of any other state by
    renaming.

    At a limit, or at Ctrl-C, the policy is the best so far, and what is known of it is said. Limits that run already
    (`Limits.start`) are shared with what else they are given to. ``progress`` is called now and then with the search
    under way.
    """
    settings = RunSettings(
        solver=LRTDP() if solver is None else solver,
        heuristic=heuristic,
        match=match,
        fallback=fallback,
        dead_end_cost=dead_end_cost,
        precision=precision,
        prove=prove,
        limits=limits,
        seed=seed,
        space=SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes),
    )
    return solve_with(task, settings, automaton, progress=progress)


def solve_with(
    task: GroundTask,
    settings: RunSettings,
    automaton: PolicyAutomaton | None = None,
    *,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Solution:
    """`solve` for those who have its settings in one record. ``waiting`` is called now and then before a search can
    begin, with what is made."""
    return _Run(task, settings).run(automaton, progress, waiting)


class _Run:
    """One call of `solve`."""

    def __init__(self, task: GroundTask, settings: RunSettings) -> None:
        self.task = task
        self.settings = settings
        self.solver = solver_of(settings.solver)
        self.penalty = math.inf if settings.dead_end_cost is None else settings.dead_end_cost
        self.fallback: bool | None = None
        self.matching: Matching | None = None
        self.is_searching = False
        self.lenient = False  # under a lenient constraint values say nothing about the whole task
        self.seconds: dict[str, float] = {}

    def _side(self, space: StateSpace, heuristic: _core.Heuristic) -> Side:
        """A new search."""
        search = _core.Search(
            space=space.core,
            heuristic=heuristic,
            epsilon=self.solver.epsilon,
            dead_end_cost=self.penalty,
            seed=self.settings.seed,
            precision=self.settings.precision,
        )
        return Side(space, heuristic, search)

    def _whole_space(self) -> StateSpace:
        return StateSpace(self.task, self.space_settings, limits=self.stop)

    def _turn_to(self, side: Side) -> None:
        """Whatever is said is of this search from now on."""
        self.space, self.heuristic, self.search = side.space, side.heuristic, side.search
        self.is_searching = True

    def run(
        self,
        automaton: PolicyAutomaton | None,
        progress: Progress | None,
        waiting: Callable[[str], None] | None = None,
    ) -> Solution:
        self.started = time.perf_counter()
        kind = "pattern databases" if is_of_patterns(self.settings.heuristic) else "the heuristic"

        def show() -> None:
            if progress is not None and self.is_searching:
                progress(self.search, self.space)
            elif waiting is not None and not self.is_searching:
                waiting(f"making {kind}")

        self.stop = stop = started(self.settings.limits, None if progress is None and waiting is None else show)
        wanted = self.settings.space
        self.space_settings = replace(wanted, symmetry=symmetry_of(self.task, wanted.symmetry, stop))
        if mode_of(wanted.symmetry) != "off":
            self.seconds["symmetry"] = time.perf_counter() - self.started
        with named_errors(self.task):
            name = self.settings.heuristic if self.settings.uses_heuristic else "blind"
            try:
                self.heuristic = make_heuristic(
                    name,
                    self.task,
                    stop,
                    dead_end_cost=self.settings.dead_end_cost,
                    symmetry=self.space_settings.symmetry,
                )
            except _core.Stopped:
                return self._nothing(stop)
            if automaton is not None:
                solution = self._constrained(automaton, stop)
            elif self.settings.prove:
                return self._with_proof(stop)
            else:
                solution = self._attempt(self._side(self._whole_space(), self.heuristic), stop)
            wants_proof = self.settings.prove and solution.status == Status.SOLVED
            if wants_proof and solution.guarantee != Guarantee.OPTIMAL and not stop.reason:
                return self._improved(solution, stop)
            return solution

    def _nothing(self, stop: _core.Stop) -> Solution:
        """What there is to say if a limit comes before the search could begin: a bound, perhaps."""
        moment = Limits(0.05).start()
        try:
            self.heuristic = make_heuristic("blind", self.task, moment)
            space = StateSpace(self.task, replace(self.space_settings, symmetry="off"), limits=moment)
        except (LimitError, _core.Stopped):
            raise LimitError(f"problem '{self.task.problem.name}': making the heuristic", stop.reason) from None
        return self._attempt(self._side(space, self.heuristic), stop, reason=stop.reason)

    def _with_proof(self, stop: _core.Stop) -> Solution:
        """The search, and then the proof; or both in turns, if the search takes more than a moment: the searches that
        prove end with a policy too, and that may be earlier."""
        side = self._side(self._whole_space(), self.heuristic)
        self._turn_to(side)
        measure = measure_of(self.solver)
        proof: Proof | None = None
        if measure is not None and not take_turn(side, self.solver, measure, _ALONE_BEFORE_PROOF[measure], stop):
            with suppress(LimitError, _core.Stopped):
                proof = Proof(self.task, self.settings, self.space_settings, stop, self._look_at)
                while not stop.check():
                    if prover := proof.round():
                        return self._by_prover(prover, side, stop)
                    self._turn_to(side)
                    if take_turn(side, self.solver, measure, _WORK_A_STATE[measure] * proof.turn, stop):
                        break
        solution = self._attempt(side, stop, reason=None if measure is None else stop.reason)
        if solution.status == Status.SOLVED and solution.guarantee != Guarantee.OPTIMAL and not stop.reason:
            return self._improved(solution, stop, proof)
        if solution.status in STOPPED and proof is not None and proof.best.lower_bound > solution.lower_bound:
            bound = min(solution.value, proof.best.lower_bound)
            gap = solution.value - bound if math.isfinite(solution.value) else None
            return replace(solution, lower_bound=bound, bound_by=str(proof.best), gap=gap)
        return solution

    def _look_at(self, prover: Prover) -> None:
        """Whatever is shown is of this search from now on."""
        self.space, self.search = prover.space, prover.search

    def _by_prover(self, prover: Prover, side: Side, stop: _core.Stop) -> Solution:
        """The policy of a search that was to prove how good another one's is, and was there first."""
        heuristic = prover.heuristic or make_heuristic("blind", self.task, stop)
        solution = self._attempt(Side(prover.space, heuristic, prover.search), stop, reason="")
        total = time.perf_counter() - self.started
        rest = total - side.seconds - self.seconds.get("symmetry", 0.0)
        seconds = solution.seconds | {"search": side.seconds, "prove": rest - self.seconds["verify"], "total": total}
        bound_by = str(prover) if solution.status == Status.SOLVED else solution.bound_by
        policy_by = str(prover) if solution.closed else solution.policy_by
        return replace(solution, bound_by=bound_by, policy_by=policy_by, seconds=seconds)

    def _constrained(self, automaton: PolicyAutomaton, stop: _core.Stop) -> Solution:
        """Algorithm 1 of the paper: the constrained task, and the full one if that has no proper policy.

        The constrained task is at first what the automaton leaves to the letter, or by coarser looks where that is
        nothing, then what ever coarser looks leave everywhere.
        """
        from gpaplan.automata.constrained import ConstrainedStateSpace
        from gpaplan.automata.matching import levels, ways_of

        match, fallback, below = self.settings.match, self.settings.fallback, self.heuristic
        turns = Turns(
            self.solver if fallback == "turns" else None,
            lambda: self._side(self._whole_space(), below),
        )
        self.fallback = False
        spent = 0.0
        for level in range(len(levels(ways_of(automaton.abstraction, match)))):
            space = ConstrainedStateSpace(
                self.task, automaton, self.space_settings, match=match, level=level, limits=stop
            )
            side = self._side(space, below)
            self._turn_to(side)
            ended, reason = turns.run(self.solver, side, stop, self._turn_to)
            spent += side.seconds
            self.fallback = ended is not side
            self.matching = Matching(match, level, space.matched(), overtaken=self.fallback)
            self.seconds.pop("whole", None)
            if self.fallback:
                self.seconds["constrained"] = spent
            elif turns.whole is not None:
                self.seconds["whole"] = turns.whole.seconds
            solution = self._attempt(ended, stop, constrained=not self.fallback, reason=reason)
            if stop.reason or solution.solves or self.fallback:
                return _cut_short(self._better_at_limit(solution, side, turns.whole, stop), stop, self.fallback)
        if fallback == "none":
            return solution
        self.fallback = True
        self.seconds.pop("whole", None)
        self.seconds["constrained"] = spent
        if fallback == "local":
            lenient = ConstrainedStateSpace(
                self.task, automaton, self.space_settings, match=match, lenient=True, limits=stop
            )
            self.lenient = True
            local = self._side(lenient, _core.bootstrap(side.search, below))
            solution = self._attempt(local, stop, constrained=True)
            if stop.reason or solution.solves:
                return _cut_short(solution, stop, whole=False)
            self.lenient = False
        whole = turns.whole
        if whole is None:
            start = below if fallback == "turns" else _core.bootstrap(side.search, below)
            whole = self._side(self._whole_space(), start)
        return self._attempt(whole, stop)

    def _better_at_limit(self, solution: Solution, side: Side, whole: Side | None, stop: _core.Stop) -> Solution:
        """At a limit in the middle of turns: what the other search has to show, if that is more."""
        if not stop.reason or solution.solves or whole is None or self.fallback:
            return solution
        self.fallback = True
        other = self._attempt(whole, stop, reason=stop.reason)
        if other.solves or (other.simulated_goal_rate or 0) > (solution.simulated_goal_rate or 0):
            return other
        self.fallback = False
        self._turn_to(side)
        return solution

    def _attempt(
        self, side: Side, stop: _core.Stop, *, constrained: bool = False, reason: str | None = None
    ) -> Solution:
        """Run the solver on a search, unless it was and stopped for some ``reason``, and say what came of it."""
        self._turn_to(side)
        if reason is None:
            reason = side.run(self.solver, stop)
        searched = time.perf_counter()
        self.seconds["search"] = side.seconds
        status = STOP_REASONS[reason].status if reason else Status.SOLVED
        report, residual = None, None
        best: list[int] | None = None
        why: Reason | None = None
        if not reason and self.search.estimate() == math.inf:
            status = Status.NO_PROPER_POLICY
            why = Reason("automaton")
            if not constrained:
                found = most_probable(self.space, stop)
                best, report, why = found.actions, found.report, why_improper(self.space, found, stop)
        elif not reason:
            status, report, residual = self._verified(stop)
            if status == Status.SOLVED and report is not None and self._goes_on(report.cost):
                return self._proven(stop, report, residual, searched)
        else:
            report, residual = self._checked_late(reason)
        rate = self._simulated() if status in STOPPED and (report is None or not report.closed) else None
        self.seconds["verify"] = time.perf_counter() - searched
        return self._solution(status, self._decisions(report, best), report, residual, rate, why)

    def _decisions(self, report: _core.PolicyReport | None, best: list[int] | None = None) -> dict[int, int]:
        """The greedy policy, or another one, on the states that it reaches."""
        reached = [] if report is None else report.reachable
        actions = self.search.actions(reached) if best is None else [best[state] for state in reached]
        return {state: action for state, action in zip(reached, actions, strict=True) if action != _core.NO_ACTION}

    def _proven(
        self, stop: _core.Stop, report: _core.PolicyReport, residual: float | None, searched: float
    ) -> Solution:
        """Go on until the policy is proven optimal; at a limit, the one that there was is what was found."""
        decisions = self._decisions(report)
        begun = time.perf_counter()
        verified = begun - searched
        if not self.search.close_gap(stop):
            status, again, rest = self._verified(stop)
            if status == Status.SOLVED and again is not None and again.cost <= report.cost:
                report, residual, decisions = again, rest, self._decisions(again)
        self.seconds["search"] += time.perf_counter() - begun
        self.seconds["verify"] = verified
        return self._solution(Status.SOLVED, decisions, report, residual, None)

    def _improved(self, solution: Solution, stop: _core.Stop, proof: Proof | None = None) -> Solution:
        """A solution with a better bound, or a better policy, as far as limits allow; ``proof`` has begun, if given."""
        begun = time.perf_counter()
        bound, bound_by = solution.lower_bound, solution.bound_by
        try:
            if proof is None:
                proof = Proof(self.task, self.settings, self.space_settings, stop, self._look_at)
            prover = proof.run(solution.value * (1 - self.settings.precision))
        except (LimitError, _core.Stopped):  # there was not even time to begin
            return solution
        if prover.lower_bound > bound:
            bound, bound_by = prover.lower_bound, str(prover)
        if prover.ended and solution.value - bound > self.settings.precision * solution.value:
            self._look_at(prover)
            status, report, residual = self._verified(stop)
            if status == Status.SOLVED and report is not None and report.cost < solution.value:
                solution = replace(
                    solution,
                    policy_by=str(prover),
                    value=report.cost,
                    estimate=self.search.estimate(),
                    residual=residual,
                    expanded=self.space.core.expanded_count,
                    generated=len(self.space),
                    policy_states=report.states,
                    space=self.space,
                    search=self.search,
                    decisions=self._decisions(report),
                )
        bound = min(bound, solution.value)
        gap = solution.value - bound
        closed = gap <= self.settings.precision * solution.value
        now = time.perf_counter()
        return replace(
            solution,
            guarantee=Guarantee.OPTIMAL if closed else solution.guarantee,
            lower_bound=bound,
            gap=gap,
            bound_by=bound_by,
            seconds=solution.seconds | {"prove": now - begun, "total": now - self.started},
        )

    def _verified(self, stop: _core.Stop) -> tuple[Status, _core.PolicyReport | None, float | None]:
        """Check the policy; if the solver stopped too early, go on until it holds or a limit comes."""
        try:
            report, residual = self.search.verify(stop)
            while not report.closed or (math.isinf(report.cost) and not report.proper):
                reason = self.search.close_policy(stop)
                if reason:
                    return STOP_REASONS[reason].status, report, residual
                report, residual = self.search.verify(stop)
        except _core.Stopped as error:
            return STOP_REASONS[error.args[0]].status, *self._checked_late(error.args[0])
        return Status.SOLVED, report, residual

    def _checked_late(self, reason: str) -> tuple[_core.PolicyReport | None, float | None]:
        """What can be said of the policy in the little time after a limit, and in less after an interrupt."""
        limits = self.settings.limits
        seconds: float = 60
        if isinstance(limits, _core.Stop):  # how long it may run is not known, but how long it did
            seconds = time.perf_counter() - self.started
        elif limits is not None:
            seconds = limits.seconds or seconds
        share = 0.1 if reason == "interrupt" else max(0.05, _CHECK_SHARE * seconds)
        try:
            return self.search.verify(Limits(share).start())
        except _core.Stopped:
            return None, None

    def _simulated(self) -> float:
        try:
            return self.search.goal_rate(trials=100, horizon=1000, seed=self.settings.seed, stop=Limits(0.05).start())
        except _core.Stopped:  # on a task so large that no trial could begin
            return 0.0

    def _solution(
        self,
        status: Status,
        decisions: dict[int, int],
        report: _core.PolicyReport | None,
        residual: float | None,
        rate: float | None,
        reason: Reason | None = None,
    ) -> Solution:
        from gpaplan.version import __version__

        value = math.inf if report is None else report.cost
        settings = self.settings
        lower_bound, bound_by = self._lower_bound(value)
        proven = status == Status.SOLVED and self._bounds() and not self._is_open(value)
        if status == Status.SOLVED and value - lower_bound <= settings.precision * value:
            guarantee = Guarantee.OPTIMAL
        else:
            guarantee = Guarantee.HIERARCHICALLY_OPTIMAL if proven else Guarantee.NONE
        self.seconds["total"] = time.perf_counter() - self.started
        return Solution(
            status=status,
            value=value,
            estimate=self.search.estimate(),
            guarantee=guarantee,
            lower_bound=lower_bound,
            bound_by=bound_by,
            gap=value - lower_bound if math.isfinite(value) else None,
            residual=residual,
            closed=report is not None and report.closed,
            proper=report is not None and report.proper,
            goal_probability=report.goal_probability if report is not None and report.closed else None,
            simulated_goal_rate=rate,
            policy_by="the search itself",
            solver=self.solver.name,
            heuristic=name_of(settings.heuristic) if settings.uses_heuristic else None,
            heuristic_choice=choice_in_words(self.heuristic) if settings.uses_heuristic else None,
            epsilon=self.solver.epsilon,
            precision=settings.precision,
            dead_end_cost=settings.dead_end_cost,
            expanded=self.space.core.expanded_count,
            generated=len(self.space),
            policy_states=0 if report is None else report.states,
            seconds=dict(self.seconds),
            fallback=self.fallback,
            matching=self.matching,
            reason=reason,
            symmetry_mode=mode_of(settings.space.symmetry),
            seed=settings.seed,
            version=__version__,
            space=self.space,
            search=self.search,
            decisions=decisions,
        )

    def _bounds(self) -> bool:
        """Whether the search's estimate is a lower bound, of the whole task or of what an automaton leaves of it."""
        admissible = not self.settings.uses_heuristic or self.heuristic.admissible
        return self.settings.gives_lower_bound and admissible and not self.lenient

    def _goes_on(self, value: float) -> bool:
        """Whether backups from the values at hand may close the gap; not if they did not start from the heuristic."""
        return self.settings.uses_heuristic and self._is_open(value)

    def _is_open(self, value: float) -> bool:
        """Whether there is a gap between the cost of the policy and the search's bound."""
        return self._bounds() and value - self.search.estimate() > self.settings.precision * value

    def _lower_bound(self, value: float) -> tuple[float, str]:
        """Of the whole task: the search's, or at least that of an admissible heuristic at the start."""
        if self._bounds() and self.fallback is not False:
            return min(value, self.search.estimate()), "the search itself"
        bound, source = self._bound_at_start()
        return min(value, self.penalty, bound), source

    def _bound_at_start(self) -> tuple[float, str]:
        """The best estimate that there is time for, and its source; after a limit there is but a moment."""
        reason = self.stop.reason
        best = 0.0, "the cheapest action"
        for heuristic, source in self._bounding():
            stop = self.stop if not reason else Limits(None if reason == "states" else 0.05).start()
            with suppress(_core.Stopped):
                made = make_heuristic(heuristic, self.task, stop, dead_end_cost=self.settings.dead_end_cost)
                bound = made.evaluate(self.space.core, self.space.initial, stop)
                if bound > best[0] * (1 + 1e-9):
                    best = bound, source
        return best

    def _bounding(self) -> Iterator[tuple[AnyHeuristic, str]]:
        """Heuristics whose estimate at the start is worth its time."""
        yield "blind", "the cheapest action"
        yield "lmcut", "LM-cut at the start"
        if self.task.core.action_count <= _MOST_ACTIONS:
            yield PatternDatabases(variables=2, work=_LITTLE_WORK, orders=4), "pattern databases at the start"


def _cut_short(solution: Solution, stop: _core.Stop, whole: bool) -> Solution:
    """What to say when a limit comes: that what an automaton leaves has no proper policy says nothing of the whole
    task, and there was no time to try that."""
    if whole or not stop.reason or solution.status != Status.NO_PROPER_POLICY:
        return solution
    return replace(solution, status=STOP_REASONS[stop.reason].status, reason=None)
