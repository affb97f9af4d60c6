"""Validating an automaton on problems that it was not learned from.

Each problem is solved under the automaton, without fallback, and, within the budget, without the automaton. A
`Validation` says whether the automaton sufficed, what the policy costs next to the optimum, and what it saved. Where
automata are compared they act as well, also on problems that are too large for a search; a `ValidationScore` sums up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gpaplan import interrupts
from gpaplan.acting.trials import estimate_of, simulate_acting
from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.automata.filters import AnyFilter, TransitionFilter, given_filter
from gpaplan.display import as_record, counted
from gpaplan.errors import LimitError
from gpaplan.learning.constants import (
    ACTING_HORIZON,
    ACTING_STATES,
    DEARER,
    EASY,
    HALF,
    LARGE,
    POWER,
    SEARCHED,
    SHARE,
    TRIALS,
)
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, is_worse
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import AnyTask
from gpaplan.tasks.task import GroundTask

__all__ = ["Acted", "Kept", "Row", "Validation", "ValidationScore", "act_on", "kept_of", "validate"]


@dataclass(frozen=True)
class Validation:
    """What an automaton is worth on one problem: the instance, the cost of the policy found, and states expanded."""

    instance: Instance
    status: str
    """``sufficed``, ``failed`` (no proper policy under the automaton), or the limit that came first."""
    cost: float | None
    cost_without: float | None
    """Of the policy found from scratch, within the budget."""
    optimum: float | None
    """The same, if it is proven optimal."""
    expanded: int
    expanded_without: int | None
    """The same without the automaton."""
    counterexample: Counterexample | None
    """Why the automaton failed, if it did."""
    seconds: float
    """Of the search with the automaton."""
    seconds_without: float | None
    """Of the search without it."""
    symmetry: bool = False
    """Whether states are counted up to symmetry."""

    @property
    def sufficed(self) -> bool:
        """Whether there was a proper policy under the automaton."""
        return self.status == "sufficed"

    @property
    def reference(self) -> float | None:
        """The optimal cost, found or in closed form."""
        return self.optimum if self.optimum is not None else self.instance.known_cost

    @property
    def optimal(self) -> bool | None:
        """Whether the cost is the optimal one; None if that is not known."""
        if self.cost is None or self.reference is None:
            return None
        return not is_worse(self.cost, self.reference)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**self.instance.to_json(), **as_record(self, "instance", optimal=self.optimal)}


def validate(
    instances: Iterable[Instance | AnyTask],
    automaton: AnyFilter,
    *,
    solving: Solving | None = None,
    compare: bool = True,
    explain: bool = True,
) -> list[Validation]:
    """Solve problems with an automaton and, if ``compare``, without it. At a limit, the rows so far are returned."""
    automaton = given_filter(automaton)
    solving = solving or Solving()
    rows: list[Validation] = []
    try:
        for instance in given_instances(instances):
            if solving.out_of_time:
                break
            rows.append(_validate_one(automaton, instance, solving, compare, explain))
    except KeyboardInterrupt:
        interrupts.taken()
        solving.stopped_by = Status.INTERRUPTED
    except LimitError as error:
        solving.stopped_by = error.reason.status
    return rows


def _validate_one(
    automaton: TransitionFilter, instance: Instance, solving: Solving, compare: bool, explain: bool
) -> Validation:
    task = instance.task(limits=solving.limits())
    started = time.perf_counter()
    guided = solving.solve(task, automaton)
    seconds = time.perf_counter() - started
    sufficed = guided.status == Status.SOLVED and guided.solves
    failed = guided.status in (Status.NO_PROPER_POLICY, Status.SOLVED)
    status = "sufficed" if sufficed else "failed" if failed else guided.status
    started = time.perf_counter()
    plain = solving.solve(task) if compare and not solving.out_of_time else None
    seconds_without = time.perf_counter() - started
    if plain is not None and plain.status != Status.SOLVED:
        plain = None
    counterexample = None
    if explain and status == "failed" and not solving.out_of_time:
        counterexample = find_counterexample(automaton, task, plain, solving.settings.space, failed=True)
    return Validation(
        instance,
        status,
        guided.value if sufficed else None,
        None if plain is None else plain.value,
        plain.value if plain is not None and plain.guarantee == Guarantee.OPTIMAL else None,
        guided.expanded,
        None if plain is None else plain.expanded,
        counterexample,
        seconds,
        None if plain is None else seconds_without,
        guided.symmetry is not None,
    )


# --- acting ---


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of a few trials of acting on a problem."""

    goal_rate: float
    """The share of the trials that reached the goal."""
    cost: float
    """The mean cost; a trial that missed the goal counts as the horizon."""
    searched: float
    """The share of the decisions that the automaton left to a search of the whole task."""

    def to_json(self) -> dict[str, Any]:
        """The trials as plain data."""
        return as_record(self)


def act_on(
    task: GroundTask,
    automaton: TransitionFilter | None,
    *,
    trials: int = TRIALS,
    dead_end_cost: float | None = None,
    seed: int = 0,
    limits: Limits | None = None,
) -> Acted:
    """Act on a problem a few times.

    A decision looks at few states, so that it is the automaton that decides and not the look-ahead, which would solve
    small problems anyway.
    """
    estimate = estimate_of(task, started(limits))
    done = simulate_acting(
        task,
        automaton,
        trials=trials,
        horizon=int(max(50, ACTING_HORIZON * estimate.cost / estimate.cheapest)),
        seed=seed,
        limits=limits,
        solver=SSiPP(steps=10, max_states=ACTING_STATES),
        dead_end_cost=dead_end_cost,
    )
    if done.stopped_by:
        raise LimitError("acting", done.stopped_by)
    searched = done.sources.get("search", 0) / max(1, done.decisions)
    return Acted(done.goal_rate, done.mean_cost, searched)


# --- what is kept ---


class Kept(NamedTuple):
    """Of all states of a problem, up to symmetry, how many are reached under an automaton; and its objects."""

    kept: int
    states: int
    objects: int


def kept_of(task: GroundTask, automaton: TransitionFilter, *, limits: AnyLimits = None) -> Kept | None:
    """What an automaton keeps of a problem; None if the problem is too large to be walked through."""
    settings = SpaceSettings(symmetry="auto")
    counts = []
    for space in (
        StateSpace(task, settings),
        ConstrainedStateSpace(task, automaton, settings, match=RunSettings().match),
    ):
        found = space.explore(max_states=LARGE, limits=limits)
        if not found.complete:
            return None
        counts.append(found.states)
    return Kept(counts[1], counts[0], len(task.objects))


# --- the validation score ---


@dataclass(frozen=True, slots=True)
class Row:
    """How an automaton does on one problem: in a search, if there was one, and in acting."""

    problem: str
    objects: int
    search: Validation | None
    acted: Acted
    acted_without: Acted
    """The same without an automaton."""
    best: float | None
    """The least cost known: the optimum, or the best that any search or acting came to; None if nothing did."""

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
        states = {} if self.search is None else {"states": self.search.expanded if self.search.sufficed else None}
        plain = {} if self.search is None else {"plain_states": self.search.expanded_without}
        record = as_record(self, "search", acted=self.acted.to_json(), acted_without=self.acted_without.to_json())
        return {**record, "ratio": self.ratio, "failure": self.failure, **states, **plain}


@dataclass(frozen=True, slots=True)
class ValidationScore:
    """How an automaton does on problems that it was not learned from, in all."""

    rows: tuple[Row, ...]
    kept: tuple[Kept, ...] = ()
    """Of these problems and those that it was learned from, where they are small enough to be walked through."""

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
        return math.fsum(row.acted.goal_rate for row in self.rows) / len(self.rows)

    @property
    def ratio(self) -> float:
        """The mean of the costs of acting next to the least known."""
        return math.fsum(row.ratio for row in self.rows) / len(self.rows)

    @property
    def searched(self) -> float:
        """The mean share of decisions that it left to a search of the whole task."""
        return math.fsum(row.acted.searched for row in self.rows) / len(self.rows)

    @property
    def share(self) -> float | None:
        """Of the states of the largest problem that was walked through, those that are reached under it."""
        largest = max(self.kept, key=lambda each: each.states, default=None)
        return None if largest is None else largest.kept / largest.states

    @property
    def growth(self) -> float | None:
        """How the states kept grow with those of the problems: by this power. None if sizes hardly differ."""
        points = [(math.log(each.states), math.log(each.kept)) for each in self.kept]
        if not points or max(points)[0] < min(points)[0] + math.log(4):
            return None
        middle = [math.fsum(each) / len(points) for each in zip(*points, strict=True)]
        spread = math.fsum((x - middle[0]) ** 2 for x, _ in points)
        return math.fsum((x - middle[0]) * (y - middle[1]) for x, y in points) / spread

    @property
    def prunes(self) -> bool:
        """Whether it keeps little of the largest problem, or less and less of larger ones; or there is next to nothing
        to prune, as where symmetry leaves a handful of states for each object."""
        if self.share is None or all(each.states <= EASY * each.objects for each in self.kept):
            return True
        return self.share <= SHARE or (self.share <= HALF and self.growth is not None and self.growth <= POWER)

    @property
    def carries(self) -> bool:
        """Whether nothing fails, neither in a search under it nor in acting."""
        return not any(row.failure for row in self.rows)

    @property
    def suffices(self) -> bool:
        """Whether it is good enough to look for nothing else: it prunes, and it carries."""
        return self.prunes and self.carries

    @property
    def is_worth_having(self) -> bool:
        """Whether acting with it is no worse than without: the goal is reached more often, or as often at the cost."""
        rate = math.fsum(row.acted_without.goal_rate for row in self.rows) / len(self.rows)
        ratios = [row.acted.cost / row.acted_without.cost for row in self.rows if row.acted_without.cost]
        return (-round(self.goal_rate, 6), math.fsum(ratios)) <= (-round(rate, 6), 1.05 * len(ratios))

    def beats(self, other: ValidationScore) -> bool:
        """Whether it is better: the goal counts first, then the cost, what is left to search, and where no policy is
        left; if these are about the same it must keep at most half of the states."""

        def rank(score: ValidationScore) -> tuple[float, ...]:
            failures = round(score.failures / max(1, len(score._searches)), 1)
            dear, searched = score.ratio > DEARER, round(score.searched, 1)
            return round(1 - score.goal_rate, 2), float(dear), searched, failures, round(score.ratio, 1)

        def size(score: ValidationScore) -> float:
            return math.fsum(math.log(each.kept) for each in score.kept) / max(1, len(score.kept))

        if rank(self) != rank(other):
            return rank(self) < rank(other)
        return size(self) <= size(other) + math.log(HALF)

    @property
    def words(self) -> str:
        """The same in a few words."""
        count, share = len(self.rows), self.share
        parts = []
        if self._searches:
            number = len(self._searches)
            parts.append(f"suffices on {number - self.failures} of {counted(number, 'problem')}")
        if share is not None:
            parts.append(f"keeps {100 * share:.3g} % of the states of the largest")
        parts.append(f"acting reaches the goal in {self.goal_rate:.0%} of the trials on {counted(count, 'problem')}")
        parts.append(f"at {self.ratio:.2f} times the least known cost")
        if self.searched > SEARCHED:
            parts.append(f"{self.searched:.0%} of the decisions are left to search")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The score as plain data."""
        return {
            "failures": self.failures,
            "share": self.share,
            "growth": self.growth,
            "goal_rate": self.goal_rate,
            "cost_ratio": self.ratio,
            "searched": self.searched,
            "problems": [row.to_json() for row in self.rows],
        }
