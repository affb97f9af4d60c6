"""A member of a portfolio at work: its space, its search, what they have come to, and what its policy is worth."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from gpaplan import _core
from gpaplan.solving.heuristics import AnyHeuristic, make_heuristic, name_of
from gpaplan.solving.portfolio import LEARNING, Lane, Member, Part
from gpaplan.solving.settings import RunSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.filters import TaskFilter, TransitionFilter


_ROUND_SHARE = 4
"""A round of turns is one part in so many of all work that was done, …"""
_LEAST_ROUND = 3_000
"""… and at least so much."""
_TOWARDS_END = 4
"""The share of a search that ends when it has expanded all states is that of the states met so far that are expanded,
to this power: while most states that it expands lead to new ones, its end is far. …"""
_LEAST_SHARE = 0.2
"""… And it is at least this (decision 0048)."""

_HEURISTIC_NAMES = {"lmcut": "lmcut", "both": "pattern databases and lmcut", "patterns": "pattern databases"}


class Teacher(Protocol):
    """What learns from the task to be solved (`gpaplan.learning.teaching`)."""

    def known(self, task: GroundTask) -> TransitionFilter | None:
        """What is known of it already."""

    def learn(self, task: GroundTask, settings: RunSettings, work: int, stop: _core.Stop) -> TransitionFilter | None:
        """What is learned from it within so much work."""


@dataclass
class Running:
    """A search that can be stopped, and goes on where it was."""

    member: Member
    space: StateSpace
    heuristic: _core.Heuristic
    search: _core.Search
    seconds: float = 0.0
    ended: bool = False
    """Whether the solver is satisfied."""
    improves: bool = False
    """Whether it goes on since, until its policy is proven optimal, or does not become better."""
    found: FoundPolicy | None = None
    """The policy that it ended with, or was stopped with."""

    def go_on(self, stop: _core.Stop) -> bool:
        """Go on until the end or a limit; returns whether that is the end."""
        begun = time.perf_counter()
        try:
            if self.improves and not hasattr(self.member.solver, "improve"):
                return not self.search.close_gap(stop)
            self.ended = not self.member.solver.run(self.search, stop)
            return self.ended
        finally:
            self.seconds += time.perf_counter() - begun

    @property
    def estimate(self) -> float:
        """The solver's value of the initial state."""
        return self.search.estimate()

    @property
    def bounds(self) -> bool:
        """Whether the estimate is a lower bound of every policy's cost in its space.

        Values that start from an admissible heuristic always are bounds; others only once the solver is satisfied.
        """
        if not getattr(self.member.solver, "gives_lower_bound", True) or self.member.part == "lenient":
            return False
        return self.heuristic.admissible if self.member.uses_heuristic else self.ended

    def take(self, found: FoundPolicy, precision: float) -> None:
        """Keep a policy that solves the task unless there is a better one, and see whether there may be a still better
        one, or a gap between its cost and the bound that can be closed."""
        if self.found is None or (found.solves and found.report.cost <= self.found.report.cost):
            self.found = found
        if improve := getattr(self.member.solver, "improve", None):
            self.improves = improve(self.search)
        else:
            can_close = self.member.uses_heuristic and self.bounds and not self.improves
            self.improves = can_close and not is_proven(self.found.report.cost, self.estimate, precision)

    def evaluate(self, stop: _core.Stop) -> FoundPolicy:
        """What the greedy policy is worth. Raises ``_core.Stopped`` at a limit."""
        report, actions, residual = self.search.verify(stop)
        return FoundPolicy.of(self, report, actions, residual)

    def evaluate_explored(self, stop: _core.Stop) -> FoundPolicy:
        """The same at a limit, or what a policy is worth that does not leave what was explored, if that ends."""
        greedy = self.evaluate(stop)
        if greedy.ends:
            return greedy
        with suppress(_core.Stopped):
            explored = FoundPolicy.of(self, *self.search.explored_policy(stop))
            return explored if explored.ends else greedy
        return greedy

    @property
    def progress(self) -> float:
        """Of a search that expands all states: how many of those met it has expanded; 1 of any other."""
        return 1.0 if self.member.uses_heuristic else self.space.core.expanded_count / len(self.space)

    def shows(self) -> tuple[bool, float, float]:
        """How much there is to show when a limit comes; more is larger."""
        if self.found is None:
            return False, -math.inf, 0.0
        return self.found.ends, -self.found.report.cost, self.found.report.goal_probability

    def __str__(self) -> str:
        solver = getattr(self.member.solver, "title", self.member.solver.name)
        if self.member.part == "taught":
            solver += " under what was learned"
        states = f"{self.space.core.expanded_count:,} states" + (" up to symmetry" if self.space.symmetry else "")
        if not self.member.uses_heuristic:
            return f"{solver} on all {states}"
        is_best = name_of(self.member.heuristic) == "best"
        heuristic = _HEURISTIC_NAMES[self.heuristic.comparison[0]] if is_best else name_of(self.member.heuristic)
        return f"{solver} with {heuristic}, {states}"


@dataclass
class RunningLane:
    """A lane, how far it is, and the searches that it has begun."""

    plan: Lane
    stop: _core.Stop = field(default_factory=_core.Stop)
    """Its limits in a thread of its own."""
    granted: int = 0
    """The work that it was given so far."""
    learning: int = 0
    """Work of learning from the task."""
    at: int = 0
    """Which of its members is next or at work."""
    runs: list[Running] = field(default_factory=list)
    is_over: bool = False
    lacks_states: bool = False
    """Whether that is so since its search has expanded as many states as it may."""

    @property
    def member(self) -> Member:
        return self.plan.members[self.at]

    @property
    def running(self) -> Running | None:
        """The search at work, if it has begun."""
        return self.runs[self.at] if self.at < len(self.runs) else None

    @property
    def work(self) -> int:
        return self.learning + sum(running.search.work for running in self.runs)

    @property
    def improves(self) -> bool:
        return self.running is not None and self.running.improves

    def share(self, found: bool) -> float:
        """Of the work of a round, next to others."""
        plain = self.plan.later_share if found else self.plan.share
        return plain if self.running is None else plain * max(_LEAST_SHARE, self.running.progress**_TOWARDS_END)

    def turn(self) -> int | None:
        """Work of its next turn; None for as much as it takes. Value iteration that is stopped in its sweeps begins
        them again, so that a turn for these is as long as all before."""
        if not self.member.can_pause:
            return None
        is_to_sweep = self.running is not None and not self.member.uses_heuristic and self.running.progress == 1
        return max(self.granted - self.work, self.work * is_to_sweep)

    def advance(self) -> None:
        """The present member has not solved the task: let the next one try."""
        self.is_over = self.at + 1 == len(self.plan.members)
        self.at += not self.is_over


class SearchFactory:
    """Makes the searches of members. What they share is made once for a task: heuristics, and an automaton's."""

    def __init__(self, task: GroundTask, settings: RunSettings, seconds: dict[str, float], *, by_lane: bool) -> None:
        """How long learning takes is noted among the ``seconds``. ``by_lane`` says that lanes share nothing, since they
        may run in threads."""
        self.task, self.settings, self.space_settings, self.seconds = task, settings, settings.space, seconds
        self.filters: dict[Part, TransitionFilter] = {}
        """What leaves only a part of the task."""
        self.teacher: Teacher | None = None
        self._on_task: TaskFilter | None = None
        self._by_lane = by_lane
        self._heuristics: dict[tuple[int, str], _core.Heuristic] = {}

    def begin(self, lane: RunningLane, stop: _core.Stop, member: Member | None = None) -> Running | None:
        """Make the next search of a lane, or another one for it; None if there is none to be made. Raises `LimitError`
        or ``_core.Stopped`` at a limit."""
        member = member or lane.member
        if member.part == "taught" and not self.filters:
            assert self.teacher is not None
            begun = time.perf_counter()
            learned = self.teacher.learn(self.task, self.settings, LEARNING, stop)
            self.seconds["learn"] = time.perf_counter() - begun
            lane.learning, lane.granted = LEARNING, lane.granted + LEARNING
            if learned is None:
                return None
            self.filters["taught"] = learned
        space = self._space_of(member, stop)
        heuristic = self._heuristic(member.heuristic if member.uses_heuristic else "blind", lane, stop)
        if member.bootstraps:
            earlier = [each for each in lane.runs if each.member.part == "constrained"]
            heuristic = _core.bootstrap(earlier[-1].search, heuristic)
        search = _core.Search(space.core, heuristic, self.settings, member.solver)
        lane.runs.append(Running(member, space, heuristic, search))
        return lane.runs[-1]

    def _space_of(self, member: Member, stop: _core.Stop) -> StateSpace:
        automaton = self.filters.get(member.part)
        if automaton is None:
            return StateSpace(self.task, self.space_settings, limits=stop)
        from gpaplan.automata.filters import ConstrainedStateSpace

        self._on_task = self._on_task or automaton.on(self.task)
        return ConstrainedStateSpace(
            self.task,
            automaton,
            self.space_settings,
            on_task=self._on_task,
            match=self.settings.match,
            level=member.level,
            lenient=member.part == "lenient",
            limits=stop,
        )

    def _heuristic(self, heuristic: AnyHeuristic, lane: RunningLane, stop: _core.Stop) -> _core.Heuristic:
        key = id(lane) * self._by_lane, repr(heuristic)  # one of your own need not have a hash
        if key not in self._heuristics:
            made = make_heuristic(heuristic, self.task, stop, dead_end_cost=self.settings.dead_end_cost)
            self._heuristics[key] = made
        return self._heuristics[key]


def next_round(lanes: Sequence[RunningLane], total: int, found: bool) -> list[tuple[RunningLane, int | None]]:
    """Which of the lanes go on, and for how much work each, given what all have done and whether a policy is found;
    None for as much as it takes. Lanes that are to begin later do so, unless there is nothing else to do. A turn that
    took more than it was given, since one step of a search may be long, is made up for by waiting.
    """
    begun = [lane for lane in lanes if lane.plan.after <= total] or [min(lanes, key=lambda lane: lane.plan.after)]
    if len(begun) == 1:
        (only,) = begun
        later = [lane.plan.after - total for lane in lanes if lane is not only]
        only.granted = only.work + (min(later) if later else 0)
        return [(only, only.granted - only.work if later and only.member.can_pause else None)]
    shares = [lane.share(found) for lane in begun]
    work = max(_LEAST_ROUND, total // _ROUND_SHARE) / sum(shares)
    while True:
        for lane, share in zip(begun, shares, strict=True):
            lane.granted += 1 + int(work * share)
        if turns := [lane for lane in begun if lane.granted > lane.work]:
            return [(lane, lane.turn()) for lane in turns]


@dataclass(frozen=True)
class FoundPolicy:
    """A policy, and all that is true of it: nothing that is said of a policy comes from elsewhere."""

    by: Running
    report: _core.PolicyReport
    decisions: dict[int, int] = field(repr=False)
    """The policy by indices: an action, or ``_core.GIVE_UP``, for each state that it reaches, if it has one there."""
    residual: float | None = None
    """The largest Bellman residual on these states."""

    @classmethod
    def of(
        cls, by: Running, report: _core.PolicyReport, actions: Sequence[int], residual: float | None = None
    ) -> FoundPolicy:
        """By its action in each state that it reaches."""
        taken = zip(report.reachable, actions, strict=True)
        return cls(by, report, {state: action for state, action in taken if action != _core.NO_ACTION}, residual)

    @property
    def ends(self) -> bool:
        """Whether it is defined wherever it leads, and leads to the goal or, at the dead-end cost, to an end."""
        return self.report.closed and (self.report.proper or math.isfinite(self.report.cost))

    @cached_property
    def solves(self) -> bool:
        """Whether there is no reason to look elsewhere: in what an automaton leaves of a task, giving up is fine only
        where the goal is out of reach."""
        if not self.ends or self.by.member.part == "whole":
            return self.ends
        return self.report.proper or gives_up_only_in_dead_ends(self.by.space, self.decisions)


def gives_up_only_in_dead_ends(space: StateSpace, decisions: dict[int, int]) -> bool:
    """Whether the goal is known to be out of reach wherever a policy gives up."""
    heuristic = make_heuristic("hmax", space.task)
    ends = (state for state, action in decisions.items() if action == _core.GIVE_UP)
    return all(heuristic.evaluate(space.core, state) == math.inf for state in ends)


def is_proven(value: float, bound: float, precision: float) -> bool:
    """Whether a cost exceeds a lower bound of it by no more than a share of ``precision``."""
    return value - bound <= precision * value
