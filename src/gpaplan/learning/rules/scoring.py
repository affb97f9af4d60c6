"""What a rule list is worth: by acting on validation problems, many times over.

Nothing is enumerated for it, so the problems may be large. In each state one of the actions that the list keeps is
drawn. How far a trial may go is measured by an estimate of what the goal costs if nothing were ever deleted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gpaplan import _core
from gpaplan.acting.trials import estimate_of
from gpaplan.concepts.encoding import core_filter
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.constants import FAILED, FEW_TRIALS, HORIZON, OBJECT_WORK, RULE_WORK, STEP_WORK
from gpaplan.limits import WorkBudget
from gpaplan.tasks.task import GroundTask


class Trials(NamedTuple):
    """How a list acted on one problem, in so many trials."""

    problem: str
    trials: int
    goal_rate: float
    """The share of them that reached the goal."""
    mean_cost: float
    """Of the trials that reached the goal; not a number if none did."""
    horizon: int
    """The steps after which a trial ended."""


@dataclass(frozen=True, slots=True)
class TrialScore:
    """How a list acted on all validation problems that it was tried on."""

    trials: tuple[Trials, ...]
    ratio: float
    """The mean of cost divided by the estimate; a trial that missed the goal counts as `FAILED`."""

    @property
    def goal_rate(self) -> float:
        """The mean over the problems; 1 if there are none."""
        rates = [each.goal_rate for each in self.trials]
        return math.fsum(rates) / len(rates) if rates else 1.0


def act(
    task: GroundTask, rules: RuleList, *, trials: int, horizon: int, seed: int, stop: _core.Stop
) -> list[tuple[float, int, str]]:
    """(cost, steps, what ended it) of trials of a list on a problem."""
    decider = core_filter(task, rules, check=False)
    return _core.run_kept_trials(task=task.core, rules=decider, trials=trials, horizon=horizon, seed=seed, stop=stop)


class _ValidationProblem(NamedTuple):
    task: GroundTask
    estimate: float
    horizon: int

    def work(self, rules: int, steps: int) -> float:
        """To act by so many rules, for so many steps."""
        size = (1 + rules) * math.sqrt(self.task.core.action_count)
        return RULE_WORK * rules + steps * (STEP_WORK * size + OBJECT_WORK * len(self.task.objects))


class Scorer:
    """Validation problems, in ascending order of what they seem to cost; without those that are so large that all work
    there is does not suffice for a few trials of a list that leads nowhere."""

    def __init__(
        self, tasks: Iterable[GroundTask], *, trials: int, seed: int, stop: _core.Stop, budget: WorkBudget
    ) -> None:
        self._trials = trials
        self._seed = seed
        self._stop = stop
        self._budget = budget
        problems = [_measure(task, stop) for task in tasks]
        possible = [each for each in problems if each.work(1, FEW_TRIALS * each.horizon) <= budget.units]
        self._problems = sorted(possible, key=lambda each: each.estimate)

    @property
    def tasks(self) -> Sequence[GroundTask]:
        """The validation problems."""
        return [problem.task for problem in self._problems]

    def score(self, rules: RuleList, *, trials: int | None = None, most: float = math.inf) -> TrialScore | None:
        """How a list acts; None as soon as its ratio is more than ``most``.

        If the number of trials is given, problems that seem dearer than one on which it fails count as failed.
        """
        results: list[Trials] = []
        ratios: list[float] = []
        is_quick = trials is not None
        trials = trials or self._trials
        for problem in self._problems:
            if is_quick and results and results[-1].goal_rate < 1:
                ratios.append(FAILED)
                continue
            runs = act(
                problem.task,
                rules,
                trials=trials,
                horizon=problem.horizon,
                seed=self._seed,
                stop=self._stop,
            )
            if len(runs) < trials:
                raise _core.Stopped(self._stop.reason)
            steps = sum(taken for _, taken, _ in runs)
            self._budget.spend(problem.work(len(rules), steps))
            costs = [cost for cost, _, end in runs if end == "goal"]
            rate = len(costs) / len(runs)
            mean = math.fsum(costs) / len(costs) if costs else math.nan
            results.append(Trials(problem.task.problem.name, len(runs), rate, mean, problem.horizon))
            ratios.append((1 - rate) * FAILED + math.fsum(costs) / len(runs) / problem.estimate)
            if math.fsum(ratios) > most * len(self._problems):
                return None
        return TrialScore(tuple(results), math.fsum(ratios) / len(ratios) if ratios else 0.0)


def _measure(task: GroundTask, stop: _core.Stop) -> _ValidationProblem:
    """A problem with an estimate of its cost, and the horizon that follows from it."""
    estimate, cheapest = estimate_of(task, stop)
    return _ValidationProblem(task, estimate, int(max(50, HORIZON * estimate / cheapest)))
