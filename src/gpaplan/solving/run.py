"""Solving a task: runs a portfolio of searches (`gpaplan.solving.portfolio`) and gives its best policy and best bound.

A search ends with a policy that is checked by code that shares nothing with the solvers: is it closed, is it proper,
what does it cost exactly. The best policy and the best lower bound go out by one door (`gpaplan.solving.answer`), which
makes the `Solution` of them.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from gpaplan import _core, interrupts
from gpaplan.display import under_way
from gpaplan.errors import STOP_REASONS, LimitError, UsageError
from gpaplan.files import can_be_read
from gpaplan.limits import Limits, started
from gpaplan.settings import with_changes
from gpaplan.solving.answer import ITSELF, Circumstances, LowerBound, answer
from gpaplan.solving.heuristics import AnyHeuristic, PatternDatabases, is_of_patterns, make_heuristic
from gpaplan.solving.portfolio import ALONE, BEFORE_TEACHING, Member, Outlook, portfolio_of
from gpaplan.solving.reasons import Reason, most_probable, why_improper
from gpaplan.solving.running import FoundPolicy, Running, RunningLane, is_proven, next_round
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.solving.solvers import SOLVERS, AnySolver
from gpaplan.spaces.state_space import StateSpace, mode_of, named_errors, symmetry_of
from gpaplan.statuses import Status
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.filters import AnyFilter, TaskFilter, TransitionFilter
    from gpaplan.automata.rule_policy import RulePolicy

__all__ = ["Progress", "SoFar", "Teacher", "solve", "solve_with"]


class SoFar(NamedTuple):
    """How far a run is."""

    search: _core.Search
    """The search under way, …"""
    space: StateSpace
    """… and its state space."""
    value: float
    """The exact cost of the best policy, infinite if there is none so far."""
    lower_bound: float
    """No policy costs less."""


Progress: TypeAlias = Callable[[SoFar], None]
"""What is called now and then."""


class Teacher(Protocol):
    """What learns from the task to be solved (`gpaplan.learning.teaching`)."""

    def known(self, task: GroundTask) -> TransitionFilter | None:
        """What is known of it already."""

    def learn(self, task: GroundTask, settings: RunSettings, work: int, stop: _core.Stop) -> TransitionFilter | None:
        """What is learned from it within so much work."""


_LITTLE_WORK = 20_000
"""What pattern databases may take for nothing but a bound, on tasks with at most so many actions:"""
_MOST_ACTIONS = 30_000
"""Nor is anything learned from larger ones: a trial on them may take longer than all searches."""

_BEFORE_CERTIFICATE = 2_000_000
"""Work for the cost of a policy that is proper by certificate, with the effort ``balanced``: about 0.2 s."""
_WORTH_THREADS = 1_000_000
"""Work before searches run in threads: about 0.1 s."""
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at the limits while they do."""
_CHECK_SHARE = 0.03
"""The part of a time limit that may be spent after it on saying how good the policy so far is."""
_MOMENT = 0.05
"""Seconds that whatever must be done after a limit may take at least."""


def solve(
    task: AnyTask,
    solver: AnySolver | None = None,
    *,
    heuristic: AnyHeuristic | None = None,
    automaton: AnyFilter | None = None,
    progress: Progress | None = None,
    teacher: Teacher | None = None,
    **settings: Any,
) -> Solution:
    """Find a policy for a task.

    Files are taken for what they hold: one with a domain and a problem, or a pair of files, for the task, and the file
    of an automaton for the automaton (`AnyTask`, `AnyFilter`).

    Without a solver and a heuristic, a portfolio of searches shares the work (`gpaplan.solving.portfolio`). It ends
    when the policy is proven optimal, or when ``effort`` says that it is enough: at the ``"first"`` policy;
    ``"balanced"``, when a proof is not likely to come soon; never before it is ``"proven"``, for which ``prove`` is
    another word. A solver, one of `gpaplan.solving.solvers` by name or as a record, or one of your own, runs alone, and
    so does LRTDP if only a heuristic is given: one of `gpaplan.solving.heuristics`, or a function of a state. All other
    settings are those of `RunSettings` and of `SpaceSettings`, by name.

    With a ``teacher``, and no automaton, a portfolio that has no policy after a moment learns from the task, and one
    more search goes on under that. Its policy counts like any other's, and no guarantee changes.

    Without ``dead_end_cost`` a solution is a policy that reaches the goal with probability one. If there is none the
    status is ``no-proper-policy``, `Solution.reason` says why, and the policy is one that reaches the goal with the
    largest probability there is or, where that takes too many states, a good one; the reason says which. With
    ``dead_end_cost`` one may give up in every state for that much, and the policy says where it does.

    Optimal means proven: the policy's exact cost exceeds a lower bound by at most a share of ``precision`` of it,
    whatever the scale of costs. A solver alone with an admissible heuristic that is satisfied earlier goes on until
    that holds, or a limit comes. With any other heuristic, and under an automaton, its lower bound of the whole task is
    the estimate of an admissible heuristic at the start; with ``prove`` two searches of the whole task raise the bound,
    or find a better policy, until that is proven optimal or a limit comes. What was found before stays found: at a
    limit, or at Ctrl-C, it is the answer, with the best bound so far.

    With an ``automaton``, or a filter of your own (`ActionFilter`), the task is solved under its constraint first. If
    that has a proper policy it is returned; if not, the task is solved without the constraint, and `Solution.fallback`
    is True. With a dead-end cost a policy suffices too if it gives up only where the goal is known to be out of reach.
    With ``match="coarse"`` a state that is no vertex of the automaton, or none of whose edges fits, is compared with it
    more coarsely, as far as it takes; with ``"strict"`` only exactly, as in the paper
    (`gpaplan.automata.filters`).

    If the automaton is a rule list whose certificate (`gpaplan.proofs.certificates`) holds of the problem, no policy
    need be searched for: `Solution.policy` acts by the list, and `Solution.certificate` says what is proven of it. Its
    cost is not known. With the effort ``"first"`` that is the answer; with ``"balanced"`` unless a little work finds a
    policy and its cost; with ``"proven"`` only at a limit.

    ``fallback`` says when the whole task is searched: with ``"turns"`` beside the constrained one as soon as that takes
    more than a moment, so that no automaton costs much more than twice the time of the faster of the two; the one that
    ends first gives the policy. With ``"full"``, as in the paper, only when the constrained search has failed, starting
    from its values. With ``"local"`` the constraint is then at first lifted only in states where it leaves no action,
    which takes far fewer states if the automaton lacks little. With ``"none"`` the whole task is not searched unless
    there is a policy to prove: without one the status is then ``no-proper-policy``.

    With ``symmetry`` ``"on"``, or ``"auto"`` where there are at least three of them, states are met up to symmetry of
    interchangeable objects. That changes no value and makes the space smaller, often exponentially
    (`gpaplan.spaces.state_space`). The policy is then kept on representatives, and gives the action of any other state
    by symmetry.

    At a limit, or at Ctrl-C, the policy is the best so far, and what is known of it is said. Limits that run already
    (`Limits.start`) are shared with what else they are given to. ``progress`` is called now and then with what is known
    so far (`SoFar`).
    """
    if isinstance(solver, os.PathLike) or (isinstance(solver, str) and solver not in SOLVERS and can_be_read(solver)):
        raise UsageError(f"solve takes one task, and a solver;  pass load('{task}', '{solver}'), or the two as a pair")
    chosen = with_changes(RunSettings(), solver=solver, heuristic=heuristic, **settings)
    return solve_with(task, chosen, automaton, progress=progress, teacher=teacher)


def solve_with(
    task: AnyTask,
    settings: RunSettings,
    automaton: AnyFilter | None = None,
    *,
    progress: Progress | None = None,
    teacher: Teacher | None = None,
) -> Solution:
    """`solve` for those who have its settings in one record."""
    run = _Run(given_task(task), settings, automaton, progress, teacher)
    with under_way(f"solving {run.task.problem.name}", run.words):
        return run.run()


def _threads(settings: RunSettings) -> int:
    """How many searches may run at a time: those of a portfolio, by limits of which every thread can have its own."""
    if not settings.is_portfolio or isinstance(settings.limits, _core.Stop):
        return 1
    if settings.threads is not None:
        return settings.threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Run:
    """One call of `solve`."""

    def __init__(
        self,
        task: GroundTask,
        settings: RunSettings,
        automaton: AnyFilter | None,
        progress: Progress | None,
        teacher: Teacher | None,
    ) -> None:
        self.task, self.settings = task, settings
        self.automaton: TransitionFilter | None = None
        self.on_task: TaskFilter | None = None
        self.certified: RulePolicy | None = None
        self.lanes: list[RunningLane] = []
        self.started = time.perf_counter()
        if automaton is not None:
            from gpaplan.automata.filters import given_filter

            self.automaton = given_filter(automaton, task.domain)
            if self.automaton.certificate is not None and settings.dead_end_cost is None:
                from gpaplan.proofs.certificates import certified_policy

                self.certified = certified_policy(self.automaton, task, settings.seed)
        self.progress = progress
        self.current: Running | None = None
        limits = settings.limits
        self.max_states = getattr(limits, "states", None) or 2**64 - 1
        """What each search may expand; limits that run already count for themselves."""
        self.stop = started(
            replace(limits, states=None) if isinstance(limits, Limits) else limits,
            None if progress is None else self._show,
        )
        self.seconds: dict[str, float] = {}
        self.verifying = 0.0
        self.heuristics: dict[tuple[int, str], _core.Heuristic] = {}
        self.bound: LowerBound | None = None
        """The best lower bound after the last round."""
        self.outlook = Outlook()
        self.hopeless: Running | None = None
        """A search that has found out that no policy of the whole task is proper."""
        self.learning, self.work_before = 0, 0
        """Work of learning from the task, and all that was done before the present round."""
        wanted = replace(settings.space, symmetry="off") if self._is_certain() else settings.space
        self.space_settings = replace(wanted, symmetry=symmetry_of(task, wanted.symmetry, self.stop))
        if mode_of(wanted.symmetry) != "off":
            self.seconds["symmetry"] = time.perf_counter() - self.started
        self.threads = _threads(settings)
        self.is_parallel = False
        megabytes = getattr(settings.limits, "megabytes", None)
        memory = 2**64 - 1 if megabytes is None else int(megabytes * 1_000_000)
        can_learn = settings.is_portfolio and self.automaton is None and task.core.action_count <= _MOST_ACTIONS
        self.teacher = teacher if can_learn else None
        self.taught = None if self.teacher is None else self.teacher.known(task)
        teaching = None if self.teacher is None else BEFORE_TEACHING if self.taught is None else ALONE
        lanes = portfolio_of(settings, self._levels(), teaching)
        self.lanes += [RunningLane(lane, _core.Stop(memory_bytes=memory)) for lane in lanes]

    def _levels(self) -> int:
        return 0 if self.automaton is None else len(self.automaton.levels(self.settings.match))

    def _show(self) -> None:
        if self.progress is not None and (so_far := self._so_far()) is not None:
            self.progress(so_far)

    def _so_far(self) -> SoFar | None:
        if self.current is None:
            return None
        bound = self.bound if self.is_parallel else self._searched_bound()
        value = math.inf if (best := self.best) is None else best.report.cost
        least = 0.0 if bound is None else bound.value
        return SoFar(self.current.search, self.current.space, value, min(value, least))

    def words(self) -> str:
        """What is known so far."""
        if (so_far := self._so_far()) is None:
            patterns = is_of_patterns(self.settings.first_heuristic)
            return f"making {'pattern databases' if patterns else 'the heuristic'}"
        value, bound, space = so_far.value, so_far.lower_bound, so_far.space
        cost = f"cost {value:.5g}, gap {(value - bound) / (value or 1):.1%}"
        states = f"{space.core.expanded_count:,} of {len(space):,} states expanded"
        return f"{cost if math.isfinite(value) else 'no policy so far'}, bound {bound:.5g}; {states}"

    # --- the searches ---

    @property
    def runs(self) -> list[Running]:
        """All searches that were begun."""
        return [running for lane in self.lanes for running in lane.runs]

    @property
    def best(self) -> FoundPolicy | None:
        """The cheapest policy that solves the task; under an automaton unless a proof is asked for."""
        found = [running.found for running in self.runs if running.found is not None and running.found.solves]
        under = [each for each in found if each.by.member.part == "constrained"]
        if under and not self.settings.is_to_prove:
            found = under
        return min(found, key=lambda each: each.report.cost, default=None)

    def run(self) -> Solution:
        with named_errors(self.task), ThreadPoolExecutor(self.threads) as pool:
            while not (self.stop.check() or self.stopped_by or self._is_certain()) and (turns := self._next_round()):
                for (lane, _), has_ended in zip(turns, self._take_turns(turns, pool), strict=True):
                    if has_ended and lane.running is not None:
                        self._take_in(lane, lane.running)
                self.bound = self._searched_bound()
            if not self.runs:
                self._begin_late()
            return self._answer()

    def _is_certain(self) -> bool:
        """Whether to leave it at a certificate, by the effort that was asked for."""
        if self.certified is None or not self.settings.is_portfolio or self.settings.is_to_prove:
            return False
        return self.settings.effort == "first" or (self.work > _BEFORE_CERTIFICATE and self.best is None)

    def _next_round(self) -> list[tuple[RunningLane, int | None]]:
        """Whose turn it is, and for how much work; None for as much as it takes. Nobody's if there is enough."""
        best = self.best
        if self.hopeless is not None or (best is not None and self._is_enough(best)):
            return []
        left = [
            lane
            for lane in self.lanes
            if not lane.is_over and (not lane.plan.waits if best is None else lane.improves or lane.plan.goes_on)
        ]
        return next_round(left, self.work, best is not None) if left else []

    def _take_turns(self, turns: Sequence[tuple[RunningLane, int | None]], pool: ThreadPoolExecutor) -> list[bool]:
        """Let lanes go on, each for its work; returns of each whether its search has ended.

        Nothing that happens in a round depends on what others find in it, so it does not matter how many of them run at
        a time. A limit ends them all: this thread looks at it, and tells the others.
        """
        self.work_before = self.work
        if self.threads == 1 or len(turns) == 1 or self.work < _WORTH_THREADS:
            return [self._take_turn(lane, work, self.stop) for lane, work in turns]
        self.is_parallel = True
        futures = [pool.submit(self._take_turn, lane, work, lane.stop) for lane, work in turns]
        while not all(future.done() for future in futures):
            try:
                wait(futures, _BETWEEN_LOOKS)
                self.stop.check()
            except KeyboardInterrupt:
                interrupts.taken()
                self.stop.interrupt()
                self.stop.check()
            for lane in self.lanes if self.stop.reason else ():
                lane.stop.interrupt()
        self.is_parallel = False
        return [future.result() for future in futures]

    def _take_turn(self, lane: RunningLane, work: int | None, stop: _core.Stop) -> bool:
        try:
            if lane.plan.is_taught and self.taught is None:
                self._learn(lane, stop)
            if lane.is_over:
                return False
            running = lane.running or self._begin(lane, stop)
        except (LimitError, _core.Stopped):
            return False  # what was found so far is the answer
        self.current = running
        most = 2**64 - 1 if work is None else running.search.work + work
        part = stop.part(max_states=self.max_states, max_work=most)
        has_ended = running.go_on(part)
        lane.is_over = lane.lacks_states = part.reason == "states" and not stop.reason
        return has_ended

    def _learn(self, lane: RunningLane, stop: _core.Stop) -> None:
        """Learn from the task, for as much work as all searches have done; if nothing comes of it, that was that."""
        assert self.teacher is not None
        begun = time.perf_counter()
        self.taught = self.teacher.learn(self.task, self.settings, self.work_before, stop)
        self.learning = self.work_before
        lane.is_over = self.taught is None
        self.seconds["learn"] = time.perf_counter() - begun

    @property
    def stopped_by(self) -> str:
        """The limit that came, if any."""
        if self.settings.work is not None and self.work >= self.settings.work:
            return "states"
        for stop in (self.stop, *(lane.stop for lane in self.lanes)):
            if stop.reason:
                return stop.reason
        lacks_states = any(lane.lacks_states for lane in self.lanes)
        return "states" if lacks_states and all(lane.is_over for lane in self.lanes) else ""

    @property
    def work(self) -> int:
        """What all searches have done."""
        return self.learning + sum(lane.work for lane in self.lanes)

    def _is_enough(self, best: FoundPolicy) -> bool:
        """Whether to leave it at a policy, by the effort that was asked for."""
        if self.settings.effort == "first":
            return True
        if not (self.settings.is_portfolio or self.settings.is_to_prove):
            return False  # a solver alone goes on as long as it can make its gap smaller
        bound, cost = self.bound, best.report.cost
        if bound is not None and is_proven(cost, bound.value, self.settings.precision):
            return True
        if self.settings.is_to_prove or bound is None:
            return False
        return self.outlook.is_dim(self.work, cost / bound.value if bound.value else math.inf)

    def _begin(self, lane: RunningLane, stop: _core.Stop) -> Running:
        """Make the next search of a lane. Raises `LimitError` or ``_core.Stopped`` at a limit."""
        member = lane.member
        space = self._space_of(member, stop)
        heuristic = self._heuristic(member.heuristic if member.uses_heuristic else "blind", lane, stop)
        if member.bootstraps:
            earlier = [each for each in lane.runs if each.member.part == "constrained"]
            heuristic = _core.bootstrap(earlier[-1].search, heuristic)
        lane.runs.append(self._running(member, space, heuristic))
        return lane.runs[-1]

    def _running(self, member: Member, space: StateSpace, heuristic: _core.Heuristic) -> Running:
        search = _core.Search(space.core, heuristic, self.settings, member.solver)
        return Running(member, space, heuristic, search)

    def _begin_late(self) -> None:
        """A limit came before the first search could begin: there is a bound to show, perhaps."""
        moment = Limits(_MOMENT).start()
        try:
            heuristic = make_heuristic("blind", self.task, moment)
            space = StateSpace(self.task, replace(self.space_settings, symmetry="off"), limits=moment)
        except (LimitError, _core.Stopped):
            raise LimitError(f"problem '{self.task.problem.name}': making the heuristic", self.stopped_by) from None
        lane = self.lanes[0]
        lane.runs.append(self._running(replace(lane.member, part="whole"), space, heuristic))

    def _space_of(self, member: Member, stop: _core.Stop) -> StateSpace:
        automaton = self.taught if member.part == "taught" else self.automaton
        if automaton is None or member.part == "whole":
            return StateSpace(self.task, self.space_settings, limits=stop)
        from gpaplan.automata.filters import ConstrainedStateSpace

        self.on_task = self.on_task or automaton.on(self.task)
        return ConstrainedStateSpace(
            self.task,
            automaton,
            self.space_settings,
            on_task=self.on_task,
            match=self.settings.match,
            level=member.level,
            lenient=member.part == "lenient",
            limits=stop,
        )

    def _heuristic(self, heuristic: AnyHeuristic, lane: RunningLane, stop: _core.Stop) -> _core.Heuristic:
        """Each heuristic is made once for a task, or once for each search that may run in a thread of its own."""
        key = id(lane) * (self.threads > 1), repr(heuristic)  # one of your own need not have a hash
        if key not in self.heuristics:
            self.heuristics[key] = make_heuristic(heuristic, self.task, stop, dead_end_cost=self.settings.dead_end_cost)
        return self.heuristics[key]

    # --- what they come to ---

    def _take_in(self, lane: RunningLane, running: Running) -> None:
        """What a search has found that is satisfied."""
        if running.estimate == math.inf:
            if running.member.part == "whole":
                self.hopeless = running
            return lane.advance()
        found = self._verified(running)
        if found is None:  # a limit came first
            return None
        if found.solves and self.settings.is_portfolio:
            self.seconds.setdefault("first", time.perf_counter() - self.started)
        if not (found.solves or running.improves):
            running.found = found
            return lane.advance()
        running.take(found, self.settings.precision)
        lane.is_over = not running.improves
        return None

    def _verified(self, running: Running) -> FoundPolicy | None:
        """The policy of a search, which goes on until that ends if the solver stopped too early; None at a limit."""
        begun = time.perf_counter()
        try:
            found = running.evaluate(self.stop)
            while not found.ends:
                if running.search.close_policy(self.stop):
                    return None
                found = running.evaluate(self.stop)
            return found
        except _core.Stopped:
            return None
        finally:
            self.verifying += time.perf_counter() - begun

    def _at_limit(self) -> Running:
        """The search that has most to show when a limit comes: what can be said of the policies in a little time."""
        begun = time.perf_counter()
        stopped = [running for running in self.runs if running.found is not None or not running.ended] or self.runs
        seconds = self._seconds_after_limit() / len(stopped)
        for running in stopped:
            if running.found is not None:
                continue
            with suppress(_core.Stopped):
                # A policy of what was explored takes memory to find.
                evaluate = running.evaluate if self.stopped_by == "memory" else running.evaluate_explored
                running.found = evaluate(Limits(seconds).start())
        self.verifying += time.perf_counter() - begun
        return max(stopped, key=Running.shows)

    def _seconds_after_limit(self) -> float:
        """How long one may take after a limit to say how good the policy so far is; less after an interrupt."""
        limits = self.settings.limits
        seconds: float = 60
        if isinstance(limits, _core.Stop):  # how long it may run is not known, but how long it did
            seconds = time.perf_counter() - self.started
        elif limits is not None:
            seconds = limits.seconds or seconds
        return 0.1 if self.stopped_by == "interrupt" else max(_MOMENT, _CHECK_SHARE * seconds)

    # --- the answer ---

    def _answer(self) -> Solution:
        if (best := self.best) is not None:
            best = self._improved(best)
            return self._say(Status.SOLVED, best.by, best)
        if self.hopeless is not None:
            return self._say_hopeless(self.hopeless)
        if self.certified is not None:
            return self._say(Status.SOLVED, self.runs[0], None)
        if self.stopped_by:
            by = self._at_limit()
            return self._say(STOP_REASONS[self.stopped_by].status, by, by.found)
        by = self.lanes[0].runs[-1]  # under the automaton, and there is to be no other
        if by.found is not None:
            return self._say(Status.SOLVED, by, by.found)
        return self._say(Status.NO_PROPER_POLICY, by, None, Reason("automaton"))

    def _improved(self, best: FoundPolicy) -> FoundPolicy:
        """The best policy for the states that its search has explored, unless more or less is asked for. Weighted LAO*
        leaves many states that its last policy does not use."""
        bound, settings = self._searched_bound(), self.settings
        proven = bound is not None and is_proven(best.report.cost, bound.value, settings.precision)
        if proven or settings.effort == "first" or not settings.is_portfolio or self.stopped_by == "memory":
            return best
        stop = Limits(self._seconds_after_limit()).start() if self.stopped_by else self.stop
        with suppress(_core.Stopped):
            explored = FoundPolicy.of(best.by, *best.by.search.explored_policy(stop))
            return explored if explored.solves and explored.report.cost < best.report.cost else best
        return best

    def _say_hopeless(self, by: Running) -> Solution:
        begun = time.perf_counter()
        likeliest = most_probable(by.space, self.stop)
        reason = why_improper(by.space, likeliest, self.stop)
        self.verifying += time.perf_counter() - begun
        found = None
        if likeliest.actions is not None and likeliest.report is not None:
            found = FoundPolicy.of(by, likeliest.report, [likeliest.actions[s] for s in likeliest.report.reachable])
        return self._say(Status.NO_PROPER_POLICY, by, found, reason)

    def _say(self, status: Status, by: Running, found: FoundPolicy | None, reason: Reason | None = None) -> Solution:
        proving = [running for lane in self.lanes if lane.plan.proves for running in lane.runs]
        under = [running for running in self.runs if running.member.part == "constrained"]
        matching, fallback = None, None
        if under:
            sufficed = any(running.found is not None and running.found.solves for running in under)
            fallback = not sufficed and by.member.part != "constrained"
            overtaken = fallback and not self.stopped_by and not all(running.ended for running in under)
            matching = self._matching(under[-1], overtaken)
        if found is None and self.certified is not None:
            matching, fallback = None, False
        is_closed = found is not None and found.report.closed
        circumstances = Circumstances(
            settings=self.settings,
            first=by if self.settings.is_portfolio else self.runs[0],
            policy_by=str(by) if (by in proving or self.settings.is_portfolio) and is_closed else ITSELF,
            fallback=fallback,
            matching=matching,
            seconds=self._time(proving, under, fallback),
            reason=reason,
            certified=self.certified,
        )
        return answer(status, by, found, self._lower_bound(), circumstances)

    def _matching(self, last: Running, overtaken: bool) -> Matching:
        from gpaplan.automata.filters import ConstrainedStateSpace

        assert isinstance(last.space, ConstrainedStateSpace)
        return Matching(self.settings.match, last.member.level, last.space.matched(), overtaken)

    def _time(self, proving: list[Running], under: list[Running], fallback: bool | None) -> dict[str, float]:
        """Where the time went; see `Solution.seconds`."""
        constrained, prove, every = (sum(each.seconds for each in runs) for runs in (under, proving, self.runs))
        seconds, whole = self.seconds, every - constrained - prove
        if fallback:
            seconds["constrained"] = constrained
        elif fallback is False and whole:
            seconds["whole"] = whole
        seconds["search"] = constrained if fallback is False else whole
        seconds["verify"] = self.verifying
        if proving:
            seconds["prove"] = prove
        seconds["total"] = time.perf_counter() - self.started
        return seconds

    # --- bounds ---

    def _lower_bound(self) -> LowerBound:
        """Of the whole task: the searches', or at least that of an admissible heuristic at the start."""
        if self.hopeless is not None:
            return LowerBound(math.inf, ITSELF)
        found = self._searched_bound() or self._bound_at_start()
        penalty = self.settings.dead_end_cost
        return found if penalty is None else found._replace(value=min(penalty, found.value))

    def _searched_bound(self) -> LowerBound | None:
        """The best bound that the searches have come to, if one of them gives any."""
        bounds = [
            LowerBound(running.estimate, str(running) if lane.plan.proves or self.settings.is_portfolio else ITSELF)
            for lane in self.lanes
            for running in lane.runs
            if running.member.part == "whole" and running.bounds
        ]
        return max(bounds, key=lambda bound: bound.value, default=None)

    def _bound_at_start(self) -> LowerBound:
        """The best estimate that there is time for, and its source; after a limit there is but a moment."""
        reason = self.stopped_by
        best = LowerBound(0.0, "the cheapest action")
        space = self.runs[0].space
        for heuristic, source in self._bounding():
            stop = self.stop if not reason else Limits(None if reason == "states" else _MOMENT).start()
            with suppress(_core.Stopped):
                made = make_heuristic(heuristic, self.task, stop, dead_end_cost=self.settings.dead_end_cost)
                bound = made.evaluate(space.core, space.initial, stop)
                if bound > best.value * (1 + 1e-9):
                    best = LowerBound(bound, source)
        return best

    def _bounding(self) -> Iterator[tuple[AnyHeuristic, str]]:
        """Heuristics whose estimate at the start is worth its time."""
        yield "blind", "the cheapest action"
        yield "lmcut", "LM-cut at the start"
        if self.task.core.action_count <= _MOST_ACTIONS:
            yield PatternDatabases(variables=2, work=_LITTLE_WORK, orders=4), "pattern databases at the start"
