"""Trials of an actor: how often, at what cost and how fast it reaches the goal.

    result = simulate_acting(task, automaton, trials=100, horizon=1000)
    result.goal_rate, result.goal_interval, result.mean_cost

A trial starts in the initial state. It ends at a goal, in a dead end that the actor recognises, where it gives up, or
after ``horizon`` steps. Several actors can act side by side, in threads, each in every n-th trial; the outcomes of a
trial depend on the seed and on its number alone.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from gpaplan import _core, interrupts
from gpaplan.acting.chooser import Choice, Chooser
from gpaplan.automata.automaton import AnyAutomaton, PolicyAutomaton, given_automaton
from gpaplan.errors import LimitError, UsageError
from gpaplan.limits import Limits
from gpaplan.policies.evaluation import TrialSettings
from gpaplan.policies.policy import AnyPolicy, Policy, given_policy
from gpaplan.records import as_record
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAtom, GroundTask
from gpaplan.traces.trace import Trace, Trial, TrialEnd, TrialStep

__all__ = ["ActingSimulation", "simulate_acting", "wilson_interval"]


@dataclass(frozen=True, slots=True)
class ActingSimulation:
    """What came of trials: how many, up to which horizon, drawn with which seed; the mean and the standard deviation
    (with n - 1) of their costs, mean_cost and sd_cost; and goal_rate, the share of them that reached the goal."""

    trials: int
    horizon: int
    seed: int
    mean_cost: float
    """Of all trials; one that misses the goal costs what it spent, and at least the horizon."""
    sd_cost: float
    goal_rate: float
    goal_interval: tuple[float, float]
    """Where the probability of reaching the goal lies, with a confidence of 95 % (Wilson's interval)."""
    goal_cost: float
    """The mean cost of the trials that reached the goal."""
    mean_steps: float
    """Of a trial."""
    decisions: int
    """In all trials."""
    milliseconds: float
    """Of a decision, on average."""
    slowest: float
    """The milliseconds of the slowest decision."""
    sources: dict[str, int]
    """How many actions each source decided: ``policy``, ``automaton``, ``search``."""
    ends: dict[str, int]
    """How many trials ended in each way."""
    stopped_by: str = ""
    """``""`` if all trials asked for were run, else the limit that came first."""
    trace: Trace | None = field(default=None, compare=False, repr=False)
    """The trials that were kept."""

    def to_json(self) -> dict[str, Any]:
        """The simulation as plain data, without the trace; what cannot be known without a trial is None."""
        record = as_record(self)
        del record["trace"]
        return record


def simulate_acting(
    task: AnyTask,
    automaton: AnyAutomaton | None = None,
    policy: AnyPolicy | None = None,
    *,
    trials: int = 100,
    horizon: int = 100,
    seed: int = 0,
    jobs: int = 1,
    kept: int = 0,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> ActingSimulation:
    """Run trials of an actor from the initial state. The ``options`` are those of `Actor`.

    ``jobs`` of them act side by side. The first ``kept`` trials are kept as a trace. ``progress`` is called with the
    number of trials that have ended and of those that reached the goal. At a limit, or at Ctrl-C, the trials that have
    ended count.
    """
    TrialSettings(trials=trials, horizon=horizon, seed=seed)  # refuses what cannot be
    if not 1 <= jobs <= 1024:
        raise UsageError(f"jobs must be from 1 to 1024, not {jobs}")
    task = given_task(task)
    automaton = None if automaton is None else given_automaton(automaton)
    policy = None if policy is None else given_policy(task, policy)
    jobs = min(jobs, trials)
    report = progress or (lambda _done, _reached: None)
    limits = limits or Limits()
    workers: list[_Worker] = []
    stopped_by = ""
    try:
        while len(workers) < jobs:
            workers.append(_Worker(task, automaton, policy, limits, (seed, horizon, kept), options))
        todo = [range(number, trials, jobs) for number in range(jobs)]
        if jobs == 1:
            workers[0].run(todo[0], lambda: report(*_done(workers)))
        else:
            _side_by_side(workers, todo, lambda: report(*_done(workers)))
    except KeyboardInterrupt:
        interrupts.taken()
        stopped_by = "interrupt"
    except LimitError:
        if not workers:
            raise
    stopped_by = stopped_by or next((worker.stop.reason for worker in workers if worker.stop.reason), "")
    return _summary(task, automaton, workers, options.get("dead_end_cost"), (horizon, seed, kept), stopped_by)


def _side_by_side(workers: list[_Worker], todo: list[range], report: Callable[[], None]) -> None:
    """Run in threads; the core lets go of the interpreter lock. Ctrl-C comes to the main thread, which tells them."""
    pool = ThreadPoolExecutor(len(workers))
    futures = {pool.submit(worker.run, numbers) for worker, numbers in zip(workers, todo, strict=True)}
    try:
        while futures:
            interrupts.check()
            done, futures = wait(futures, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            report()
    finally:
        for worker in workers:
            worker.is_over = True
            if futures:
                worker.stop.interrupt()
        pool.shutdown(wait=True)


@dataclass(slots=True)
class _Ended:
    """A trial that has ended."""

    number: int
    cost: float
    steps: int
    end: TrialEnd
    trial: Trial | None


class _Worker:
    """An actor and its trials."""

    def __init__(
        self,
        task: GroundTask,
        automaton: PolicyAutomaton | None,
        policy: Policy | None,
        limits: Limits,
        plan: tuple[int, int, int],
        options: dict[str, Any],
    ) -> None:
        self.task = task
        self.seed, self.horizon, self.kept = plan
        self.stop = limits.start()
        self.chooser = Chooser(task, automaton, policy, **{"seed": self.seed, **options}, limits=self.stop)
        self.world = _core.World(task.core, 0, stop=self.stop)
        self.ended: list[_Ended] = []
        self.sources: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.is_over = False

    def run(self, numbers: range, report: Callable[[], None] = lambda: None) -> None:
        """Run the trials of these numbers."""
        for number in numbers:
            if self.is_over:
                return
            self.ended.append(self.one(number))
            report()

    def one(self, number: int) -> _Ended:
        seed = random.Random(f"{self.seed} {number}").getrandbits(63)
        self.world.reseed(seed)
        self.world.reset()
        self.chooser.begin()
        initial = self.world.atoms()
        steps: list[TrialStep] | None = [] if number < self.kept else None
        cost, taken = 0.0, 0
        end: TrialEnd | None = None
        while end is None:
            if self.is_over or self.stop.check():
                raise LimitError("the simulation", self.stop.reason or "interrupt")
            state = self.world.atoms()
            begun = time.perf_counter()
            choice = self.chooser.choose(tuple(state))
            spent = time.perf_counter() - begun
            if choice.action is None:
                end = "goal" if choice.source == "goal" else "give-up" if choice.source == "give-up" else "dead-end"
            elif taken == self.horizon:
                end = "horizon"
            else:
                self.sources[choice.source] += 1
                self.seconds.append(spent)
                price = self.world.step(choice.action)
                cost += price
                taken += 1
                if steps is not None:
                    steps.append(self.step(choice, state, price, spent))
        trial = None
        if steps is not None:
            trial = Trial(seed, frozenset(self.task.atoms[i] for i in initial), tuple(steps), end, cost)
        return _Ended(number, cost, taken, end, trial)

    def step(self, choice: Choice, before: list[int], cost: float, seconds: float) -> TrialStep:
        """What is kept of a step."""
        assert choice.action is not None
        after = set(self.world.atoms())
        return TrialStep(
            self.task.action(choice.action),
            cost,
            self.named(after.difference(before)),
            self.named(set(before) - after),
            source=choice.source,
            reason=self.chooser.reason_of(choice, tuple(before)),
            vertex=self.chooser.vertex_of(choice),
            value=choice.value,
            milliseconds=round(1e3 * seconds, 3),
        )

    def named(self, atoms: set[int]) -> tuple[GroundAtom, ...]:
        return tuple(self.task.atoms[index] for index in sorted(atoms))


def _done(workers: list[_Worker]) -> tuple[int, int]:
    ended = [each for worker in workers for each in list(worker.ended)]
    return len(ended), sum(each.end == "goal" for each in ended)


def _summary(
    task: GroundTask,
    automaton: PolicyAutomaton | None,
    workers: list[_Worker],
    dead_end_cost: float | None,
    plan: tuple[int, int, int],
    stopped_by: str,
) -> ActingSimulation:
    horizon, seed, kept = plan
    ended = sorted((each for worker in workers for each in worker.ended), key=lambda each: each.number)
    costs = []
    for each in ended:
        if each.end == "give-up" and dead_end_cost is not None:
            costs.append(each.cost + dead_end_cost)
        else:
            costs.append(each.cost if each.end == "goal" else max(each.cost, float(horizon)))
    reached = [each for each in ended if each.end == "goal"]
    seconds = [each for worker in workers for each in worker.seconds]
    sources: Counter[str] = sum((worker.sources for worker in workers), Counter())
    mean = _mean(costs)
    spread = math.fsum((cost - mean) ** 2 for cost in costs)
    kept_trials = tuple(each.trial for each in ended if each.trial is not None)
    trace = Trace(task.domain.name, task.problem.name, task.cost, kept_trials, automaton) if kept else None
    return ActingSimulation(
        trials=len(ended),
        horizon=horizon,
        seed=seed,
        mean_cost=mean,
        sd_cost=math.sqrt(spread / (len(costs) - 1)) if len(costs) > 1 else 0.0,
        goal_rate=len(reached) / len(ended) if ended else math.nan,
        goal_interval=wilson_interval(len(reached), len(ended)),
        goal_cost=_mean([each.cost for each in reached]),
        mean_steps=_mean([float(each.steps) for each in ended]),
        decisions=len(seconds),
        milliseconds=1e3 * _mean(seconds) if seconds else 0.0,
        slowest=1e3 * max(seconds, default=0.0),
        sources=dict(sorted(sources.items())),
        ends=dict(sorted(Counter(str(each.end) for each in ended).items())),
        stopped_by=stopped_by,
        trace=trace,
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def wilson_interval(successes: int, number: int) -> tuple[float, float]:
    """Where a probability lies with a confidence of 95 %, given how often something happened in so many trials."""
    if number == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    share = successes / number
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return max(0.0, middle - half), min(1.0, middle + half)
