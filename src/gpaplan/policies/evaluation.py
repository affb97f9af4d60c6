"""How good a policy is: exactly, or by trials.

`evaluate` solves the equations of the policy's Markov chain: with which probability it reaches the goal, at what
expected cost. `simulate` follows a policy by chance. Its outcomes are drawn effect by effect, so it works where
planning would have to enumerate too many joint outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from gpaplan import _core
from gpaplan.display import Shown, as_record, data_frame, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.files import can_be_read
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import AnyPolicy, Policy, State, given_policy
from gpaplan.settings import Settings, setting
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace, named_errors
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundTask

DrawnTrial: TypeAlias = tuple[float, int, str, list[tuple[int, float, list[int], list[int]]]]
"""Of a trial: its cost, its number of steps, what ended it; and if it is kept, of each step the action, its cost, and
the atoms added and deleted, by index."""


@dataclass(frozen=True, slots=True)
class Evaluation(Shown):
    """What is true of a policy from the initial state. Cost and goal_probability are exact."""

    closed: bool
    """Whether it has an applicable action, or gives up, in every state that it reaches and that is no goal."""
    proper: bool
    """Whether it reaches the goal with probability 1."""
    cost: float
    """The expected cost; infinite unless the goal is reached, or given up, with probability 1."""
    goal_probability: float
    states: int
    """How many states it reaches, goals included."""
    open_state: State | None = field(default=None, repr=False)
    """A state that it reaches and where it is undefined, unless it is closed."""

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain data; an infinite cost is None."""
        return as_record(self, open_state=None if self.open_state is None else sorted(map(str, self.open_state)))


@under_way("evaluating")
def evaluate(
    task: AnyTask,
    policy: AnyPolicy,
    *,
    dead_end_cost: float | None = None,
    max_outcomes: int = MAX_OUTCOMES,
    limits: AnyLimits = None,
) -> Evaluation:
    """The exact goal probability and expected cost of a policy, by solving its linear equations.

    Giving up costs ``dead_end_cost``, which is the policy's own unless given, and infinite if it has none. Raises
    `LimitError` at a limit. A policy of a search up to symmetry is evaluated up to the same symmetry, and the states of
    the result are representatives; `Policy.unfolded` gives the policy to be evaluated on the states themselves.
    """
    task = given_task(task)
    policy = given_policy(task, policy)
    given_up = cost_of_giving_up(policy, dead_end_cost)
    policy = policy.for_task(task)
    stop = started(limits)
    space = StateSpace(task, max_outcomes=max_outcomes, symmetry=policy.symmetry, limits=stop)
    with named_errors(task):
        try:
            report = _core.evaluate_policy(
                space.core, policy.column(space), math.inf if given_up is None else given_up, stop
            )
        except _core.Stopped as error:
            raise LimitError("the evaluation", error.args[0]) from None
    return Evaluation(
        closed=report.closed,
        proper=report.proper,
        cost=report.cost,
        goal_probability=report.goal_probability,
        states=report.states,
        open_state=None if report.closed else space.atoms(report.first_open),
    )


@dataclass(frozen=True, slots=True)
class Verification(Shown):
    """Whether a policy solves its task, and the evaluation that says so; truthy if it holds."""

    holds: bool
    reason: str
    """Why not, in words; empty if it holds."""
    evaluation: Evaluation

    def __bool__(self) -> bool:
        return self.holds


@under_way("checking the policy")
def verify(task: AnyTask, policy: AnyPolicy, *, limits: AnyLimits = None) -> Verification:
    """Check that a policy is defined wherever it leads and reaches the goal with probability one.

    Nothing of a solver is used for it. A policy with a dead-end cost may give up instead of reaching the goal.
    """
    task = given_task(task)
    policy = given_policy(task, policy)
    found = evaluate(task, policy, limits=limits)
    reason = ""
    if found.open_state is not None:
        state = " ".join(sorted(map(str, found.open_state))) or "(no fluent atom holds)"
        reason = f"it leads to a state where it has no applicable action: {state}"
    elif not found.proper and not (policy.dead_end_cost is not None and math.isfinite(found.cost)):
        reason = f"it reaches the goal only with probability {found.goal_probability:g}"
    return Verification(not reason, reason, found)


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
        return as_record(self, "results")

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
    limits: AnyLimits = None,
) -> Simulation:
    """Run trials of a policy from the initial state.

    The policy ``"random"`` draws each applicable action with equal probability. A trial ends at a goal, where the
    policy gives up or is undefined, in a state without applicable actions, or after ``horizon`` steps.

    A trial that gives up costs what it spent and ``dead_end_cost``, which is the policy's own unless given. Every other
    trial that misses the goal costs what it spent, and at least the horizon (with unit costs: the horizon); so does one
    that gives up where no dead-end cost is known.
    """
    task = given_task(task)
    policy = policy_or_random(task, policy)
    given_up = cost_of_giving_up(policy, dead_end_cost)
    stop = started(limits)
    rows = draw_trials(
        task, policy, trials=trials, horizon=horizon, seed=seed, dead_end_cost=dead_end_cost, kept=0, stop=stop
    )
    complete = {"goal"} if given_up is None else {"goal", "give-up"}
    results = [
        TrialResult(cost if end in complete else max(cost, float(horizon)), steps, end) for cost, steps, end, _ in rows
    ]
    return Simulation.of(results, horizon=horizon, seed=seed, stopped_by=stop.reason)


def mean_of(values: Sequence[float]) -> float:
    """The mean of numbers; of none, no number."""
    return math.fsum(values) / len(values) if values else math.nan


def draw_trials(
    task: GroundTask,
    policy: Policy | Literal["random"],
    *,
    trials: int,
    horizon: int,
    seed: int,
    dead_end_cost: float | None,
    kept: int,
    stop: _core.Stop,
) -> list[DrawnTrial]:
    """The trials as the core draws them; none if a limit comes before the first has ended."""
    TrialSettings(trials=trials, horizon=horizon, seed=seed)  # refuses what cannot be
    plan: dict[str, Any] = {"trials": trials, "horizon": horizon, "seed": seed, "kept": kept, "stop": stop}
    given_up = cost_of_giving_up(policy, dead_end_cost) or 0.0
    try:
        with named_errors(task):
            if not isinstance(policy, Policy):
                return _core.run_random_trials(task=task.core, **plan)
            policy = policy.for_task(task)
            space = StateSpace(task, symmetry=policy.symmetry, limits=stop)
            actions = policy.column(space)
            return _core.run_policy_trials(space=space.core, policy=actions, dead_end_cost=given_up, **plan)
    except LimitError:  # before the first trial
        return []


def policy_or_random(task: GroundTask, given: AnyPolicy | Literal["random"]) -> Policy | Literal["random"]:
    """The policy that is meant, or the one that draws."""
    if isinstance(given, str):
        check_is_policy(given)
    return "random" if given == "random" else given_policy(task, given)


def check_is_policy(given: str) -> None:
    """Raise `UsageError` for what is neither a file nor the name of the built-in policy."""
    if given != "random" and not can_be_read(given):
        raise UsageError(f"unknown policy '{given}'; it is no file, and the built-in policy is 'random'")


def cost_of_giving_up(policy: Policy | Literal["random"], given: float | None) -> float | None:
    """What giving up costs: as given, else as the policy says."""
    if given is not None and not (given > 0 and math.isfinite(given)):
        raise UsageError(f"the dead-end cost must be a positive number, not {given}")
    return policy.dead_end_cost if given is None and isinstance(policy, Policy) else given
