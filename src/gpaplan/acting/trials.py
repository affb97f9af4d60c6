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
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from gpaplan import _core, interrupts
from gpaplan.acting.actor import Actor, Decision
from gpaplan.automata.filters import AnyFilter, given_filter
from gpaplan.display import as_record, note, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.policies.policy import AnyPolicy, given_policy
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.state_space import SpaceSettings, StateSpace
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAtom, GroundTask
from gpaplan.traces.trace import Trace, Trial, TrialEnd, TrialStep
from gpaplan.traces.trials import Simulation, TrialResult, TrialSettings, mean_of

_HORIZON = 10
"""A trial ends after so many times the estimated cost, counted in the cheapest actions; …"""
_LEAST_HORIZON = 100
"""… and not before so many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActingSimulation(Simulation):
    """The trials of an actor, and what its decisions took. A trial that misses the goal costs what it spent, and at
    least the horizon."""

    decisions: int
    """In all trials."""
    milliseconds: float
    """Of a decision, on average."""
    slowest: float
    """The milliseconds of the slowest decision."""
    sources: dict[str, int]
    """How many actions each source decided: ``policy``, ``automaton``, ``search``."""

    @property
    def goal_interval(self) -> tuple[float, float]:
        """Where the probability of reaching the goal lies, with a confidence of 95 % (Wilson's interval)."""
        return wilson_interval(self.ends.get("goal", 0), self.trials)

    @property
    def goal_cost(self) -> float:
        """The mean cost of the trials that reached the goal."""
        return mean_of([each.cost for each in self.results if each.end == "goal"])

    @property
    def mean_steps(self) -> float:
        """Of a trial."""
        return mean_of([each.steps for each in self.results])

    @property
    def ends(self) -> dict[str, int]:
        """How many trials ended in each way."""
        return dict(sorted(Counter(each.end for each in self.results).items()))

    def to_json(self) -> dict[str, Any]:
        """The simulation as plain data, without its trials; what cannot be known without a trial is None."""
        derived = {"goal_interval": self.goal_interval, "goal_cost": self.goal_cost, "mean_steps": self.mean_steps}
        return as_record(self, "results", "trace", **derived, ends=self.ends)


@under_way("acting")
def simulate_acting(
    task: AnyTask,
    automaton: AnyFilter | None = None,
    policy: AnyPolicy | None = None,
    *,
    trials: int = 100,
    horizon: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    kept: int = 0,
    limits: Limits | None = None,
    **options: Any,
) -> ActingSimulation:
    """Run trials of an actor from the initial state. The ``options`` are those of `Actor`.

    Without a ``horizon`` one is chosen from the problem. ``jobs`` of them act side by side. The first ``kept`` trials
    are kept as a trace. At a limit, or at Ctrl-C, the trials that have ended count.
    """
    TrialSettings(trials=trials, horizon=1 if horizon is None else horizon, seed=seed)  # refuses what cannot be
    if not 1 <= jobs <= 1024:
        raise UsageError(f"jobs must be from 1 to 1024, not {jobs}")
    task = given_task(task)
    if horizon is None:
        horizon = choose_horizon(task, limits)
    automaton = None if automaton is None else given_filter(automaton, task.domain)
    policy = None if policy is None else given_policy(task, policy)
    jobs = min(jobs, trials)
    workers: list[_Worker] = []
    stopped_by = ""

    def report() -> None:
        ended = [result for worker in workers for result, *_ in list(worker.ended.values())]
        reached = sum(each.end == "goal" for each in ended)
        note(f"{len(ended)} of {trials} trials ended, {reached} at the goal")

    try:
        while len(workers) < jobs:
            stop = (limits or Limits()).start()
            actor = Actor(task, automaton, policy, **{"seed": seed, **options}, limits=stop)
            workers.append(_Worker(actor, stop, range(len(workers), trials, jobs), seed, horizon, kept))
        if jobs == 1:
            workers[0].run(report)
        else:
            _side_by_side(workers, report)
    except KeyboardInterrupt:
        interrupts.taken()
        stopped_by = "interrupt"
    except LimitError:
        if not workers:
            raise
    stopped_by = stopped_by or next((worker.stop.reason for worker in workers if worker.stop.reason), "")
    ended = [worker.ended[number] for number in range(trials) for worker in workers if number in worker.ended]
    seconds = [each for *_, decided in ended for _, each in decided]
    sources = Counter(source for *_, decided in ended for source, _ in decided)
    trials_kept = tuple(trial for _, trial, _ in ended if trial is not None)
    recorded = automaton if automaton is not None and automaton.has_file else None
    return ActingSimulation.of(
        [result for result, *_ in ended],
        horizon=horizon,
        seed=seed,
        decisions=len(seconds),
        milliseconds=1e3 * mean_of(seconds) if seconds else 0.0,
        slowest=1e3 * max(seconds, default=0.0),
        sources=dict(sorted(sources.items())),
        stopped_by=stopped_by,
        trace=Trace(task.domain.name, task.problem.name, task.cost, trials_kept, recorded) if kept else None,
    )


def _side_by_side(workers: list[_Worker], report: Callable[[], None]) -> None:
    """Run in threads; the core lets go of the interpreter lock. Ctrl-C comes to the main thread, which tells them."""
    pool = ThreadPoolExecutor(len(workers))
    futures = {pool.submit(worker.run) for worker in workers}
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


class _Worker:
    """An actor and the trials of some numbers."""

    def __init__(self, actor: Actor, stop: _core.Stop, numbers: range, seed: int, horizon: int, kept: int) -> None:
        self.actor, self.stop, self.numbers = actor, stop, numbers
        self.seed, self.horizon, self.kept = seed, horizon, kept
        self.world = _core.World(actor.task.core, 0, stop=stop)
        self.ended: dict[int, tuple[TrialResult, Trial | None, list[tuple[str, float]]]] = {}
        """Of each trial also who decided its actions, and in how many seconds."""
        self.is_over = False

    def run(self, report: Callable[[], None] = lambda: None) -> None:
        """Run the trials, one after the other."""
        for number in self.numbers:
            if self.is_over:
                return
            self.ended[number] = self.run_trial(number)
            report()

    def run_trial(self, number: int) -> tuple[TrialResult, Trial | None, list[tuple[str, float]]]:
        seed = random.Random(f"{self.seed} {number}").getrandbits(63)
        self.world.reseed(seed)
        self.world.reset()
        self.actor.begin()
        initial = self.world.atoms()
        steps: list[TrialStep] = []
        decided: list[tuple[str, float]] = []
        cost = 0.0
        end: TrialEnd | None = None
        while end is None:
            if self.is_over or self.stop.check():
                raise LimitError("the simulation", self.stop.reason or "interrupt")
            state = self.world.atoms()
            begun = time.perf_counter()
            decision = self.actor.choose(tuple(state))
            spent = time.perf_counter() - begun
            if decision.index is None:
                end = "goal" if decision.source == "goal" else "give-up" if decision.source == "give-up" else "dead-end"
            elif len(decided) == self.horizon:
                end = "horizon"
            else:
                decided.append((decision.source, spent))
                step_cost = self.world.step(decision.index)
                cost += step_cost
                if number < self.kept:
                    steps.append(self.step(decision, state, step_cost, spent))
        trial = None
        if number < self.kept:
            trial = Trial(seed, frozenset(self.named(initial)), tuple(steps), end, cost)
        given_up = self.actor.settings.dead_end_cost if end == "give-up" else None
        missed = max(cost, float(self.horizon)) if given_up is None else cost + given_up
        return TrialResult(cost if end == "goal" else missed, len(decided), end), trial, decided

    def step(self, decision: Decision, before: list[int], cost: float, seconds: float) -> TrialStep:
        """What is kept of a step."""
        assert decision.action is not None
        after = set(self.world.atoms())
        return TrialStep(
            decision.action,
            cost,
            self.named(after.difference(before)),
            self.named(set(before) - after),
            source=decision.source,
            reason=self.actor.reason_of(decision, tuple(before)),
            vertex=self.actor.vertex_of(decision),
            value=decision.value,
            milliseconds=round(1e3 * seconds, 3),
        )

    def named(self, atoms: Iterable[int]) -> tuple[GroundAtom, ...]:
        return tuple(self.actor.task.atoms[index] for index in sorted(atoms))


def estimate_of(task: GroundTask, stop: _core.Stop) -> tuple[float, float]:
    """What a problem costs if nothing were ever deleted, and the least cost of an action of the initial state."""
    space = StateSpace(task, SpaceSettings(symmetry="off"), limits=stop)
    cost = _core.Search(space.core, make_heuristic("ff", task, stop)).value(space.initial)
    if not 0 < cost < math.inf:
        cost = 1.0 if cost == 0 else 10.0 * len(task.objects)
    try:
        return cost, min((each for _, each, _ in space.core.transitions(space.initial)), default=1.0)
    except _core.TooManyOutcomes:
        return cost, 1.0


def choose_horizon(
    task: GroundTask, limits: AnyLimits = None, *, times: int = _HORIZON, least: int = _LEAST_HORIZON
) -> int:
    """After how many steps to end a trial of which nobody knows how long it takes: so many times the estimated cost,
    counted in the cheapest actions, and at least so many."""
    cost, cheapest = estimate_of(task, started(limits))
    return int(max(least, times * cost / cheapest))


def wilson_interval(successes: int, number: int) -> tuple[float, float]:
    """Where a probability lies with a confidence of 95 %, given how often something happened in so many trials."""
    if number == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    share = successes / number
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return max(0.0, middle - half), min(1.0, middle + half)
