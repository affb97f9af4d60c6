"""Trials of a policy by chance: what they cost, and what happened in them.

Outcomes are drawn effect by effect, so trials can be run where planning would have to enumerate too many joint
outcomes. The core draws them, and tells of every step of those that are kept what it changed. With symmetry it goes
from representative to representative; the permutations that were made on the way are undone here, so that a trial is
one of the task itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self, TypeAlias, cast

from gpaplan import _core
from gpaplan.display import Shown, as_record, data_frame, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.files import can_be_read
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.evaluation import cost_of_giving_up
from gpaplan.policies.policy import AnyPolicy, Policy, given_policy
from gpaplan.settings import Settings, setting
from gpaplan.spaces.state_space import StateSpace, Symmetry, named_errors
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAtom, GroundTask
from gpaplan.traces.trace import Trace, Trial, TrialEnd, TrialStep

Path: TypeAlias = "list[tuple[int, float, list[int], list[int]]]"
"""The steps of a trial as the core has them: an action, its cost, the atoms added, the atoms deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSettings(Settings):
    """How trials are run: how many, for how many steps at most, and by which random numbers."""

    trials: int = setting(100, "How many trials to run.", least=1, most=2**31, is_whole=True, metavar="N")
    horizon: int = setting(
        100, "End a trial after this many steps.", least=1, most=2**32 - 1, is_whole=True, metavar="N"
    )
    seed: int = setting(0, "Seed of the trials.", least=0, most=2**64 - 1, is_whole=True, metavar="N")


class TrialResult(NamedTuple):
    """What is kept of each trial of a simulation: its cost, how many steps it took, and its end."""

    cost: float
    """As it counts: at least the horizon if the goal was missed."""
    steps: int
    end: str
    """``goal``, ``horizon``, ``dead-end``, ``give-up`` or ``undefined``."""


@dataclass(frozen=True, slots=True)
class Simulation(Shown):
    """The trials of a policy: how many, up to which horizon, drawn with which seed; the mean and the standard deviation
    (with n - 1) of their costs, mean_cost and sd_cost; and goal_rate, the share of them that reached the goal."""

    trials: int
    horizon: int
    mean_cost: float
    sd_cost: float
    goal_rate: float
    seed: int
    stopped_by: str = ""
    """``""`` if all trials asked for were run, else the limit that came first."""
    results: tuple[TrialResult, ...] = field(default=(), repr=False)
    """Trial by trial."""
    trace: Trace | None = field(default=None, compare=False, repr=False)
    """The trials that were kept."""

    @classmethod
    def of(cls, results: Sequence[TrialResult], **others: Any) -> Self:
        """What trials come to; ``others`` are the fields that they do not say."""
        number, mean = len(results), mean_of([each.cost for each in results])
        spread = math.fsum((each.cost - mean) ** 2 for each in results)
        return cls(
            trials=number,
            mean_cost=mean,
            sd_cost=math.sqrt(spread / (number - 1)) if number > 1 else 0.0,
            goal_rate=sum(each.end == "goal" for each in results) / number if number else math.nan,
            results=tuple(results),
            **others,
        )

    def to_json(self) -> dict[str, Any]:
        """The simulation as plain data, without its single trials; what cannot be known without a trial is None."""
        return as_record(self, "results", "trace")

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``, a row a trial: ``cost``, ``steps`` and ``end``."""
        return data_frame(TrialResult._fields, self.results)


@under_way("running trials")
def simulate(
    task: AnyTask,
    policy: AnyPolicy | Literal["random"] = "random",
    *,
    trials: int = 100,
    horizon: int = 100,
    seed: int = 0,
    dead_end_cost: float | None = None,
    kept: int = 0,
    limits: AnyLimits = None,
) -> Simulation:
    """Run trials of a policy from the initial state.

    The policy ``"random"`` draws each applicable action with equal probability. A trial ends at a goal, where the
    policy gives up or is undefined, in a state without applicable actions, or after ``horizon`` steps. The first
    ``kept`` trials are kept as a trace.

    A trial that gives up costs what it spent and ``dead_end_cost``, which is the policy's own unless given. Every other
    trial that misses the goal costs what it spent, and at least the horizon (with unit costs: the horizon); so does one
    that gives up where no dead-end cost is known.
    """
    TrialSettings(trials=trials, horizon=horizon, seed=seed)  # refuses what cannot be
    task = given_task(task)
    if isinstance(policy, str):
        check_is_policy(policy)
    followed = None if policy == "random" else given_policy(task, policy).for_task(task)
    given_up = cost_of_giving_up(followed, dead_end_cost)
    stop = started(limits)
    plan: dict[str, Any] = {"trials": trials, "horizon": horizon, "seed": seed, "kept": min(kept, trials), "stop": stop}
    try:
        with named_errors(task):
            if followed is None:
                rows = _core.run_random_trials(task=task.core, **plan)
            else:
                space = StateSpace(task, symmetry=followed.symmetry, limits=stop)
                actions = followed.column(space)
                cost = given_up or 0.0
                rows = _core.run_policy_trials(space=space.core, policy=actions, dead_end_cost=cost, **plan)
    except LimitError:  # before the first trial
        rows = []
    complete = {"goal"} if given_up is None else {"goal", "give-up"}
    results = [
        TrialResult(cost if end in complete else max(cost, float(horizon)), steps, end) for cost, steps, end, _ in rows
    ]
    told = ((cost, cast("TrialEnd", end), path) for cost, _, end, path in rows[:kept])
    trace = _trace(task, followed, seed, told) if kept else None
    return Simulation.of(results, horizon=horizon, seed=seed, stopped_by=stop.reason, trace=trace)


def record_trials(
    task: AnyTask,
    policy: AnyPolicy | Literal["random"] = "random",
    *,
    trials: int = 1,
    horizon: int = 100,
    seed: int = 0,
    dead_end_cost: float | None = None,
    limits: AnyLimits = None,
) -> Trace:
    """Run trials of a policy and keep every step of them. They are the first trials of `simulate` with the same seed.

    Raises `LimitError` if a limit comes before the first trial has ended; else the trace has those that have.
    """
    plan: dict[str, Any] = {"trials": trials, "horizon": horizon, "seed": seed, "dead_end_cost": dead_end_cost}
    found = simulate(task, policy, **plan, kept=trials, limits=limits)
    if found.trace is None or not found.trials:
        raise LimitError("the simulation", found.stopped_by)
    return found.trace


def mean_of(values: Sequence[float]) -> float:
    """The mean of numbers; of none, no number."""
    return math.fsum(values) / len(values) if values else math.nan


def check_is_policy(given: str) -> None:
    """Raise `UsageError` for what is neither a file nor the name of the built-in policy."""
    if given != "random" and not can_be_read(given):
        raise UsageError(f"unknown policy '{given}'; it is no file, and the built-in policy is 'random'")


# --- from the core's trials to those of the task, by name ---


def _trace(task: GroundTask, policy: Policy | None, seed: int, rows: Iterable[tuple[float, TrialEnd, Path]]) -> Trace:
    symmetry = None if policy is None else policy.symmetry
    space = StateSpace(task)
    initial, atoms = space.atoms(space.initial), space.core.atoms(space.initial)
    source = "random" if policy is None else "policy"
    trials = []
    for cost, end, path in rows:
        steps = path if symmetry is None else _path_of_states(symmetry, atoms, path)
        named = (
            TrialStep(task.action(action), paid, _named(task, added), _named(task, deleted), source)
            for action, paid, added, deleted in steps
        )
        trials.append(Trial(seed, initial, tuple(named), end, cost))
    return Trace(task.domain.name, task.problem.name, task.cost, tuple(trials))


def _named(task: GroundTask, indices: Iterable[int]) -> tuple[GroundAtom, ...]:
    return tuple(task.atoms[index] for index in indices)


def _path_of_states(symmetry: Symmetry, initial: list[int], path: Path) -> Path:
    """A trial among representatives as one among the states themselves."""
    permutation = symmetry.permutation(initial)
    found: Path = []
    for action, cost, added, deleted in path:
        changes = sorted(permutation.back(added)), sorted(permutation.back(deleted))
        found.append((permutation.to_state(action), cost, *changes))
        if added or deleted:
            successor = sorted(set(permutation.representative).difference(deleted).union(added))
            permutation = symmetry.permutation(successor).after(permutation)
    return found
