"""How good a policy is, exactly: the equations of its Markov chain say with which probability it reaches the goal, and
at what expected cost. `gpaplan.traces.trials` follows a policy by chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gpaplan import _core
from gpaplan.display import Shown, under_way
from gpaplan.errors import UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import AnyPolicy, Policy, State, given_policy
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace, named_errors
from gpaplan.tasks.grounding import AnyTask, given_task


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
    given_up = math.inf if given_up is None else given_up
    with named_errors(task, "the evaluation"):
        found = _core.evaluate_policy(space.core, policy.column(space), given_up, stop)
    open_state = None if found.closed else space.atoms(found.first_open)
    return Evaluation(found.closed, found.proper, found.cost, found.goal_probability, found.states, open_state)


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


def cost_of_giving_up(policy: Policy | None, given: float | None) -> float | None:
    """What giving up costs: as given, else as the policy says."""
    if given is not None and not (given > 0 and math.isfinite(given)):
        raise UsageError(f"the dead-end cost must be a positive number, not {given}")
    return policy.dead_end_cost if given is None and policy is not None else given
