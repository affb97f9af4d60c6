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
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from gpaplan import _core, interrupts
from gpaplan.display import under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.files import can_be_read
from gpaplan.limits import Limits, started
from gpaplan.settings import with_changes
from gpaplan.solving.answer import ITSELF, MOMENT, LowerBound, answer
from gpaplan.solving.heuristics import AnyHeuristic
from gpaplan.solving.portfolio import BEFORE_CERTIFICATE, Lane, Outlook, portfolio_of
from gpaplan.solving.running import FoundPolicy, Running, RunningLane, SearchFactory, Teacher, is_proven, next_round
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import SOLVERS, AnySolver
from gpaplan.spaces.state_space import StateSpace, mode_of, named_errors, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.filters import AnyFilter
    from gpaplan.automata.rules import RulePolicy

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


_WORTH_THREADS = 1_000_000
"""Work before searches run in threads, about 0.1 s (decision 0048)."""
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at the limits while they do."""


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
    of an automaton for the automaton (`AnyTask`, `AnyFilter`). The ``settings`` are those of `RunSettings` and of
    `SpaceSettings`, by name; docs/solvers.md tells more of each.

    Without a solver and a heuristic, a portfolio of searches shares the work (`gpaplan.solving.portfolio`), until the
    policy is proven optimal, or ``effort`` says that it is enough. A solver, one of `gpaplan.solving.solvers` by name
    or as a record, or one of your own, runs alone, and so does LRTDP if only a heuristic is given: one of
    `gpaplan.solving.heuristics`, or a function of a state. With a ``teacher``, and no automaton, a portfolio that has
    no policy after a moment learns from the task, and one more search goes on under that.

    Without ``dead_end_cost`` a solution is a policy that reaches the goal with probability one. If there is none the
    status is ``no-proper-policy``, `Solution.reason` says why, and the policy is one that reaches the goal with the
    largest probability there is or, where that takes too many states, a good one; the reason says which. With
    ``dead_end_cost`` one may give up in every state for that much, and the policy says where it does.

    Optimal means proven: the policy's exact cost exceeds a lower bound by at most a share of ``precision`` of it. The
    bound is that of all searches of the whole task or, where none of them gives one, the estimate of an admissible
    heuristic at the start.

    With an ``automaton``, or a filter of your own (`ActionFilter`), the task is solved under its constraint. If that
    has no proper policy, the task is solved without it, as ``fallback`` says, and `Solution.fallback` is True. If the
    automaton is a rule list whose certificate (`gpaplan.proofs.certificates`) holds of the problem, no policy need be
    searched for: unless a little work finds one, `Solution.policy` acts by the list, at a cost that is not known.

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
    run = Run(given_task(task), settings, automaton, progress, teacher)
    with under_way(f"solving {run.task.problem.name}", run.words):
        return run.run()


def _threads(settings: RunSettings) -> int:
    """How many searches may run at a time: those of a portfolio, by limits of which every thread can have its own."""
    if not settings.is_portfolio or isinstance(settings.limits, _core.Stop):
        return 1
    if settings.threads is not None:
        return settings.threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """One call of `solve`: its searches, and the rounds in which they take turns."""

    def __init__(
        self,
        task: GroundTask,
        settings: RunSettings,
        automaton: AnyFilter | None,
        progress: Progress | None,
        teacher: Teacher | None,
    ) -> None:
        self.task, self.settings = task, settings
        self.started = time.perf_counter()
        self.seconds: dict[str, float] = {}
        self.progress = progress
        limits = settings.limits
        self.max_states = getattr(limits, "states", None) or 2**64 - 1
        """What each search may expand; limits that run already count for themselves."""
        self.stop = started(
            replace(limits, states=None) if isinstance(limits, Limits) else limits,
            None if progress is None else self._show,
        )
        self.lanes: list[RunningLane] = []
        self.current: Running | None = None
        self.hopeless: Running | None = None
        """A search that has found out that no policy of the whole task is proper."""
        self.bound: LowerBound | None = None
        """The best lower bound after the last round."""
        self.outlook = Outlook()
        self.threads, self.is_parallel = _threads(settings), False
        self.searches = SearchFactory(task, settings, self.seconds, by_lane=self.threads > 1)
        self.certified: RulePolicy | None = None
        """The rule list as a policy, if its certificate holds of the task, …"""
        self.certain_after = math.inf
        """… and the work without another policy after which it is left at that."""
        plans = self._plans_without(teacher) if automaton is None else self._plans_under(automaton)
        wanted = replace(settings.space, symmetry="off") if self._is_certain() else settings.space
        self.searches.space_settings = replace(wanted, symmetry=symmetry_of(task, wanted.symmetry, self.stop))
        if mode_of(wanted.symmetry) != "off":
            self.seconds["symmetry"] = time.perf_counter() - self.started
        megabytes = getattr(limits, "megabytes", None)
        memory = 2**64 - 1 if megabytes is None else int(megabytes * 1_000_000)
        self.lanes = [RunningLane(plan, _core.Stop(memory_bytes=memory)) for plan in plans]

    def _plans_without(self, teacher: Teacher | None) -> tuple[Lane, ...]:
        """Without an automaton."""
        if teacher is None or not self.settings.is_portfolio:
            return portfolio_of(self.settings)
        self.searches.teacher = teacher
        if (known := teacher.known(self.task)) is not None:
            self.searches.filters["taught"] = known
        return portfolio_of(self.settings, is_taught=known is not None)

    def _plans_under(self, automaton: AnyFilter) -> tuple[Lane, ...]:
        from gpaplan.automata.filters import given_filter

        taken = given_filter(automaton, self.task.domain)
        self.searches.filters = {"constrained": taken, "lenient": taken}
        if taken.certificate is not None and self.settings.dead_end_cost is None:
            from gpaplan.proofs.certificates import certified_policy

            self.certified = certified_policy(taken, self.task, self.settings.seed)
        if self.certified is not None and self.settings.is_portfolio and not self.settings.is_to_prove:
            self.certain_after = BEFORE_CERTIFICATE[self.settings.effort]
        return portfolio_of(self.settings, len(taken.levels(self.settings.match)))

    def _show(self) -> None:
        if self.progress is not None and (so_far := self._so_far()) is not None:
            self.progress(so_far)

    def _so_far(self) -> SoFar | None:
        if self.current is None:
            return None
        bound = self.bound if self.is_parallel else self.searched_bound()
        value = math.inf if (best := self.best) is None else best.report.cost
        least = 0.0 if bound is None else bound.value
        return SoFar(self.current.search, self.current.space, value, min(value, least))

    def words(self) -> str:
        """What is known so far."""
        if (so_far := self._so_far()) is None:
            return "making the heuristic"
        value, bound, space = so_far.value, so_far.lower_bound, so_far.space
        cost = f"cost {value:.5g}, gap {(value - bound) / (value or 1):.1%}"
        states = f"{space.core.expanded_count:,} of {len(space):,} states expanded"
        return f"{cost if math.isfinite(value) else 'no policy so far'}, bound {bound:.5g}; {states}"

    # --- what the searches have come to ---

    @property
    def runs(self) -> list[Running]:
        """All searches that were begun."""
        return [running for lane in self.lanes for running in lane.runs]

    @property
    def work(self) -> int:
        """What all searches have done."""
        return sum(lane.work for lane in self.lanes)

    @property
    def best(self) -> FoundPolicy | None:
        """The cheapest policy that solves the task; under an automaton unless a proof is asked for."""
        found = [running.found for running in self.runs if running.found is not None and running.found.solves]
        under = [each for each in found if each.by.member.part == "constrained"]
        if under and not self.settings.is_to_prove:
            found = under
        return min(found, key=lambda each: each.report.cost, default=None)

    def searched_bound(self) -> LowerBound | None:
        """The best bound that the searches have come to, if one of them gives any."""
        bounds = [
            LowerBound(running.estimate, str(running) if lane.plan.proves or self.settings.is_portfolio else ITSELF)
            for lane in self.lanes
            for running in lane.runs
            if running.member.part == "whole" and running.bounds
        ]
        return max(bounds, key=lambda bound: bound.value, default=None)

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

    # --- rounds ---

    def run(self) -> Solution:
        """Let lanes take turns until there is enough, and say what it comes to."""
        with named_errors(self.task), ThreadPoolExecutor(self.threads) as pool:
            while not (self.stop.check() or self.stopped_by or self._is_certain()) and (turns := self._next_round()):
                for (lane, _), has_ended in zip(turns, self._take_turns(turns, pool), strict=True):
                    if has_ended and lane.running is not None:
                        self._take_in(lane, lane.running)
                self.bound = self.searched_bound()
            if not self.runs:
                self._begin_late()
            return answer(self)

    def _is_certain(self) -> bool:
        """Whether to leave it at a certificate."""
        return self.work >= self.certain_after and self.best is None

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

    def _next_round(self) -> list[tuple[RunningLane, int | None]]:
        """Whose turn it is, and for how much work; None for as much as it takes. Nobody's if there is enough."""
        best = self.best
        if self.hopeless is not None or (best is not None and self._is_enough(best)):
            return []
        left = [
            lane
            for lane in self.lanes
            if not lane.is_over and (lane.plan.share if best is None else lane.improves or lane.plan.goes_on)
        ]
        return next_round(left, self.work, best is not None) if left else []

    def _take_turns(self, turns: Sequence[tuple[RunningLane, int | None]], pool: ThreadPoolExecutor) -> list[bool]:
        """Let lanes go on, each for its work; returns of each whether its search has ended.

        Nothing that happens in a round depends on what others find in it, so it does not matter how many of them run at
        a time. A limit ends them all: this thread looks at it, and tells the others.
        """
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
            running = lane.running or self.searches.begin(lane, stop)
        except (LimitError, _core.Stopped):
            return False  # what was found so far is the answer
        if running is None:  # nothing could be learned
            lane.is_over = True
            return False
        self.current = running
        most = 2**64 - 1 if work is None else running.search.work + work
        part = stop.part(max_states=self.max_states, max_work=most)
        has_ended = running.go_on(part)
        lane.is_over = lane.lacks_states = part.reason == "states" and not stop.reason
        return has_ended

    def _take_in(self, lane: RunningLane, running: Running) -> None:
        """What a search has found that is satisfied."""
        if running.estimate == math.inf:
            if running.member.part == "whole":
                self.hopeless = running
            return lane.advance()
        with self.verifying(), suppress(_core.Stopped):
            found = running.evaluate(self.stop)
            while not found.ends:  # the solver stopped too early
                if running.search.close_policy(self.stop):
                    return None
                found = running.evaluate(self.stop)
            if found.solves and self.settings.is_portfolio:
                self.seconds.setdefault("first", time.perf_counter() - self.started)
            if not (found.solves or running.improves):
                running.found = found
                return lane.advance()
            running.take(found, self.settings.precision)
            lane.is_over = not running.improves
        return None

    @contextmanager
    def verifying(self) -> Iterator[None]:
        """Counts the time that it takes to say what policies are worth."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds["verify"] = self.seconds.get("verify", 0.0) + time.perf_counter() - begun

    def _begin_late(self) -> None:
        """A limit came before the first search could begin: there is a bound to show, perhaps."""
        member = replace(self.lanes[0].member, part="whole", heuristic="blind")
        try:
            self.searches.begin(self.lanes[0], Limits(MOMENT).start(), member)
        except (LimitError, _core.Stopped):
            raise LimitError(f"problem '{self.task.problem.name}': making the heuristic", self.stopped_by) from None
