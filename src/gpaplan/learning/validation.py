"""How automata do on problems that they were not learned from, in searches and in acting, and which does better.

A problem is searched if it is small enough, under the automaton and without; on all of them a few trials act. A
`ProblemScore` is what came of one problem, a `ValidationScore` of all.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gpaplan import _core
from gpaplan.acting.trials import choose_horizon, simulate_acting
from gpaplan.automata.filters import ConstrainedStateSpace, TransitionFilter
from gpaplan.display import as_record, counted, note
from gpaplan.errors import LimitError
from gpaplan.learning.constants import (
    ACTING_HORIZON,
    ACTING_STATES,
    DEARER,
    EXACT,
    FEW_TRIALS,
    HALF,
    LARGE,
    LESS_OFTEN,
    LONGEST_TRIAL,
    SEARCHED,
    SMALL,
    STATES,
    TRIALS,
    TWICE,
)
from gpaplan.learning.growth import Validation, validate_one
from gpaplan.learning.instances import instance_of_task
from gpaplan.learning.solving import Solving, optimal_cost, plain_limits
from gpaplan.limits import started
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.state_space import SpaceSettings, StateSpace
from gpaplan.tasks.task import GroundTask

__all__ = ["Acted", "HeldOutProblems", "ProblemScore", "ValidationScore", "Walked"]


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of a few trials of acting on a problem."""

    trials: int
    reached: int
    """So many of them reached the goal."""
    cost: float
    """The mean cost; a trial that missed the goal counts as the horizon."""
    searched: float
    """The share of the decisions that the automaton left to a search of the whole task."""

    @property
    def goal_rate(self) -> float:
        """The share of the trials that reached the goal."""
        return self.reached / self.trials

    def to_json(self) -> dict[str, Any]:
        """The trials as plain data."""
        return as_record(self, goal_rate=self.goal_rate)


class Walked(NamedTuple):
    """What an automaton leaves of a problem that is small enough to be walked through."""

    states: int
    """Of the problem, up to symmetry."""
    kept: int
    """Of these, those that are reached under the automaton."""
    drawn: float | None
    """The expected cost of drawing one of the actions that are kept in each state, next to the optimum; infinite where
    that may miss the goal, and None where too many states are kept to know."""


@dataclass(frozen=True, slots=True)
class ProblemScore:
    """How an automaton does on one problem: in a search, if there was one, and in acting."""

    problem: str
    objects: int
    search: Validation | None
    acted: Acted
    acted_without: Acted
    """The same without an automaton."""
    best: float | None
    """The least cost known: the optimum, or the best that any search or acting came to; None if nothing did."""
    drawn_cost: float | None = None
    """The mean cost of drawing one of the actions that are kept in each state, in a few trials; None where the problem
    is small enough to know it exactly (`Walked`)."""

    @property
    def drawn(self) -> float:
        """What drawing costs next to the least known, as far as trials tell."""
        return 1.0 if self.best is None or self.drawn_cost is None else self.drawn_cost / self.best

    @property
    def ratio(self) -> float:
        """The cost of acting next to the least known."""
        return 1.0 if self.best is None else self.acted.cost / self.best

    @property
    def failure(self) -> str:
        """What is wrong, in a word: ``""`` if nothing is."""
        if self.acted.goal_rate < 1:
            return "misses the goal"
        if self.ratio > DEARER:
            return "dear"
        if self.search is not None and not self.search.sufficed:
            return "no policy within it"
        return "left to search" if self.acted.searched > SEARCHED else ""

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        record = {**as_record(self, "search"), "ratio": self.ratio, "failure": self.failure}
        if self.search is None:
            return record
        states = self.search.expanded if self.search.sufficed else None
        return {**record, "states": states, "plain_states": self.search.expanded_without}


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(1, len(values))


@dataclass(frozen=True, slots=True)
class ValidationScore:
    """How an automaton does on problems that it was not learned from, in all."""

    rows: tuple[ProblemScore, ...]
    walked: tuple[Walked, ...] = ()
    """Of these problems and those that it was learned from, those that are small enough to be walked through."""

    @property
    def _searches(self) -> list[Validation]:
        return [row.search for row in self.rows if row.search is not None]

    @property
    def failures(self) -> int:
        """On how many problems a search under it finds no proper policy."""
        return sum(not each.sufficed for each in self._searches)

    @property
    def goal_rate(self) -> float:
        """The mean over the problems."""
        return _mean([row.acted.goal_rate for row in self.rows])

    @property
    def goal_rate_without(self) -> float:
        """The same without an automaton."""
        return _mean([row.acted_without.goal_rate for row in self.rows])

    @property
    def ratio(self) -> float:
        """The mean of the costs of acting next to the least known."""
        return _mean([row.ratio for row in self.rows])

    @property
    def searched(self) -> float:
        """The mean share of decisions that it left to a search of the whole task."""
        return _mean([row.acted.searched for row in self.rows])

    @property
    def share(self) -> float | None:
        """Of the states of the largest problem that was walked through, those that are reached under it."""
        largest = max(self.walked, key=lambda each: each.states, default=None)
        return None if largest is None else largest.kept / largest.states

    @property
    def drawn(self) -> float:
        """What drawing costs on the problem where it costs most, next to the optimum or the least known."""
        exact = [each.drawn for each in self.walked if each.drawn is not None]
        return max([*exact, *(row.drawn for row in self.rows)], default=1.0)

    @property
    def decides(self) -> bool:
        """Whether it says what to do, so that there is little left to choose. On small problems looking ahead makes up
        for what an automaton leaves open; on large ones nothing does. Drawing tells the two apart at any size."""
        return self.drawn <= TWICE

    @property
    def carries(self) -> bool:
        """Whether nothing fails, neither in a search under it nor in acting."""
        return not any(row.failure for row in self.rows)

    @property
    def suffices(self) -> bool:
        """Whether it is good enough to look for nothing else: it decides, and it carries."""
        return self.decides and self.carries

    @property
    def is_worth_having(self) -> bool:
        """Whether acting with it is not worse than without: the goal is reached about as often, and not at a far higher
        cost. Of few trials no more can be said."""
        rate = self.goal_rate_without
        dearer = _mean([row.acted.cost / row.acted_without.cost for row in self.rows if row.acted_without.cost])
        return self.goal_rate > rate or (self.goal_rate >= rate - LESS_OFTEN and dearer <= DEARER)

    def beats(self, other: ValidationScore) -> bool:
        """Whether it is better: the goal counts first, then what drawing costs, the cost of acting, what is left to
        search, and where no policy is left; if these are about the same it must keep at most half of the states."""

        def rank(score: ValidationScore) -> tuple[float, ...]:
            failures = round(score.failures / max(1, len(score._searches)), 1)
            dear, searched = score.ratio > DEARER, round(score.searched, 1) * (score.searched > SEARCHED)
            drawn = round(max(score.drawn, DEARER), 1)
            return round(1 - score.goal_rate, 2), drawn, float(dear), searched, failures, round(score.ratio, 1)

        if rank(self) != rank(other):
            return rank(self) < rank(other)
        sizes = [_mean([math.log(each.kept) for each in score.walked]) for score in (self, other)]
        return sizes[0] <= sizes[1] + math.log(HALF)

    @property
    def words(self) -> str:
        """The same in a few words."""
        share, number = self.share, len(self._searches)
        parts = [f"suffices on {number - self.failures} of {counted(number, 'problem')}"] if number else []
        if share is not None:
            parts.append(f"keeps {100 * share:.3g} % of the states of the largest")
        problems, trials = counted(len(self.rows), "problem"), sum(row.acted.trials for row in self.rows)
        reached = sum(row.acted.reached for row in self.rows)
        parts.append(f"acting reaches the goal in {reached} of {counted(trials, 'trial')} on {problems}")
        if all(row.best is not None for row in self.rows):
            parts.append(f"at {max(1.0, self.ratio):.2f} times the least known cost")
        if not self.decides:
            parts.append("it leaves open what to do")
        if self.searched > SEARCHED:
            parts.append(f"{self.searched:.0%} of the decisions are left to search")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The score as plain data."""
        return {
            "failures": self.failures,
            "share": self.share,
            "drawn": self.drawn if math.isfinite(self.drawn) else None,
            "goal_rate": self.goal_rate,
            "cost_ratio": self.ratio,
            "searched": self.searched,
            "problems": [row.to_json() for row in self.rows],
        }


@dataclass
class HeldOutProblems:
    """The problems that are held out: those that are searched and acted on, and larger ones, only acted on."""

    searched: Sequence[GroundTask]
    acted: Sequence[GroundTask]
    settings: RunSettings
    plain: dict[str, Solution] = field(default_factory=dict)
    """The searches without an automaton, which are made once."""
    without: dict[str, Acted] = field(default_factory=dict)
    """Acting without one."""
    best: dict[str, float] = field(default_factory=dict)
    """The least cost of each problem that anybody came to."""
    walks: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The states and the optimal cost of each small problem; no states if it is too large."""

    def score(self, automaton: TransitionFilter, learned_from: Sequence[GroundTask] = ()) -> ValidationScore:
        """How an automaton does on these problems, compared as coarsely as it takes."""
        settings = RunSettings(solver="lrtdp", dead_end_cost=self.settings.dead_end_cost)
        budget = replace(plain_limits(self.settings), states=STATES)
        solving = Solving(budget, settings, cache=self.plain)
        rows = []
        for task in self._tried():
            name, search = task.problem.name, None
            note(f"trying what was learned on {name}")
            if task in self.searched:
                search = validate_one(automaton, instance_of_task(task), solving, explain=False)
                self._note(name, search.cost_without, exact=search.optimum is not None)
                self._note(name, search.cost)
            if name not in self.without:
                self.without[name] = self.act(task, None)
            acted = self.act(task, automaton)
            for trials in (acted, self.without[name]):
                self._note(name, trials.cost if trials.goal_rate == 1 else None)
            walk = self.walk(task, automaton) if task in self.searched else None
            drawn = self._draw(task, automaton) if walk is None or walk.drawn is None else None
            rows.append(ProblemScore(name, len(task.objects), search, acted, self.without[name], None, drawn))
        walked = [self.walk(task, automaton) for task in (*learned_from, *self.searched)]
        return self.updated(ValidationScore(tuple(rows), tuple(each for each in walked if each is not None)))

    def _tried(self) -> list[GroundTask]:
        """All of them but for those on which trials take too long, if there are others."""
        whole = [*self.searched, *self.acted]
        return [each for each in whole if self._horizon(each) * each.core.action_count <= LONGEST_TRIAL] or whole

    def _horizon(self, task: GroundTask) -> int:
        """After how many steps trials end."""
        return choose_horizon(task, plain_limits(self.settings), times=ACTING_HORIZON, least=50)

    def updated(self, score: ValidationScore) -> ValidationScore:
        """A score next to the best that is known by now."""
        return replace(score, rows=tuple(replace(row, best=self.best.get(row.problem)) for row in score.rows))

    def _note(self, name: str, cost: float | None, *, exact: bool = False) -> None:
        """Take note of what a problem may cost. Means of few trials are not below an optimum, but for luck."""
        if cost is not None and name not in self.plain:
            self.best[name] = min(cost, self.best.get(name, cost))
        elif cost is not None and (exact or name not in self.best):
            self.best[name] = cost

    def act(self, task: GroundTask, automaton: TransitionFilter | None) -> Acted:
        """Act on a problem a few times. A decision looks at few states, so that it is the automaton that decides and
        not the look-ahead, which would solve small problems anyway."""
        limits = plain_limits(self.settings)
        done = simulate_acting(
            task,
            automaton,
            trials=FEW_TRIALS if task in self.acted else TRIALS,
            horizon=self._horizon(task),
            seed=self.settings.seed,
            limits=limits,
            solver=SSiPP(steps=10, max_states=ACTING_STATES),
            dead_end_cost=self.settings.dead_end_cost,
        )
        if done.stopped_by:
            raise LimitError("acting", done.stopped_by)
        reached, searched = done.ends.get("goal", 0), done.sources.get("search", 0)
        return Acted(done.trials, reached, done.mean_cost, searched / max(1, done.decisions))

    def _draw(self, task: GroundTask, automaton: TransitionFilter) -> float:
        """The mean cost of a few trials that draw one of the actions that are kept in each state. One that misses the
        goal counts as the horizon."""
        stop = started(self.settings.limits)
        space = ConstrainedStateSpace(task, automaton, match=RunSettings().match, limits=stop)
        horizon = self._horizon(task)
        chance, costs = random.Random(self.settings.seed), []
        for _ in range(TRIALS):
            state, cost = space.initial, 0.0
            for _ in range(horizon):
                kept = () if space.is_goal(state) else space.core.transitions(state)
                if not kept:
                    break
                if stop.check():
                    raise LimitError("acting", stop.reason)
                _, price, outcomes = kept[chance.randrange(len(kept))]
                cost += price
                (state,) = chance.choices([each for _, each in outcomes], [each for each, _ in outcomes])
            costs.append(cost if space.is_goal(state) else max(cost, float(horizon)))
        return _mean(costs)

    def walk(self, task: GroundTask, automaton: TransitionFilter) -> Walked | None:
        """What an automaton leaves of a problem; None if the problem is too large to be walked through."""
        settings, stop = SpaceSettings(symmetry="auto"), started(self.settings.limits)
        worst = self.settings.dead_end_cost or math.inf
        if task.problem.name not in self.walks:
            space = StateSpace(task, settings, limits=stop)
            whole = space.explore(max_states=LARGE, limits=stop).complete
            self.walks[task.problem.name] = (len(space), optimal_cost(space, worst, stop)) if whole else (0, 0.0)
        states, optimum = self.walks[task.problem.name]
        guided = ConstrainedStateSpace(task, automaton, settings, match=RunSettings().match, limits=stop)
        if not states or not guided.explore(max_states=LARGE, limits=stop).complete:
            return None
        if len(guided) > SMALL or not 0 < optimum < worst:
            return Walked(states, len(guided), None)
        kept = [[action for action, _, _ in guided.core.transitions(state)] for state in range(len(guided))]
        goals, costs = _core.evaluate_choices(guided.core, kept, worst, stop)
        misses = math.isinf(worst) and goals[guided.initial] < 1 - EXACT
        return Walked(states, len(guided), math.inf if misses else costs[guided.initial] / optimum)
