"""Why a policy does what it does in a state: what each applicable action costs if the policy is followed afterwards.

The cost of an action in a state is the Q-value under the policy: what the action costs by itself, and then what the
policy costs from each outcome on. The latter solve the equations of the policy's Markov chain, so they are exact. An
action may lead to states that the policy does not cover, at once or later. There an admissible heuristic (LM-cut)
stands for what is to come, and the cost is a lower bound: whatever is done in these states, it does not cost less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from gpaplan import _core
from gpaplan.display import Shown, as_record
from gpaplan.policies.evaluation import cost_of_giving_up
from gpaplan.policies.policy import Policy, State, show_state
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace, named_errors
from gpaplan.tasks.task import AnyAtom, GroundAction
from gpaplan.tasks.variables import StateVariable, find_variables, show_changes

_Kind: TypeAlias = Literal["action", "give-up", "goal", "uncovered"]
SAME = 1e-9
"""Costs that differ by no more than this share of them are called the same."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an applicable action is worth under a policy: its cost, and whether that is exact."""

    action: GroundAction
    taken: bool
    """Whether it is the one that the policy takes."""
    cost: float
    """The expected cost of taking it and following the policy from then on (its Q-value): infinite if that may never
    reach the goal, and a lower bound unless it is exact."""
    exact: bool
    goal_probability: float | None
    """With which the goal is reached if it is taken; None where it leads to states that the policy does not cover."""
    difference: float | None
    """How much more it costs than what the policy does; at least that much unless exact. None where the policy decides
    nothing, or has no finite and exact cost."""

    @property
    def verdict(self) -> str:
        """How it compares with what the policy does, in words; empty where the policy decides nothing."""
        if self.taken:
            return "taken"
        if math.isinf(self.cost):
            return _chance(self.goal_probability) or "may never reach the goal"
        if self.difference is None:
            return _chance(self.goal_probability)
        size = f"{abs(self.difference):.6g}"
        if abs(self.difference) <= SAME * max(1.0, abs(self.cost)):
            return "as good" if self.exact else "as good, or worse"
        if self.difference > 0:
            return f"worse by {size}" if self.exact else f"worse by at least {size}"
        return f"better by {size}" if self.exact else "not known: it leads to states that the policy does not cover"

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; an infinite cost is None."""
        return as_record(self, verdict=self.verdict)

    def show_cost(self) -> str:
        """The cost for people: ``≥`` marks a lower bound."""
        return _show_cost(self.cost, self.exact)


@dataclass(frozen=True, slots=True)
class OutcomeWords:
    """An outcome of an action in words: with which probability, and what it changes."""

    probability: float
    changes: tuple[str, ...]
    """A variable at a time: ``at rover0: waypoint1 → waypoint2``. Empty if nothing changes."""
    successor: int = field(repr=False, compare=False)
    """The state that it leads to, in the space that was asked."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return as_record(self, "successor")

    def __str__(self) -> str:
        what = "; ".join(self.changes) or "nothing changes"
        return what if self.probability >= 1 else f"{100 * self.probability:.4g} %: {what}"


@dataclass(frozen=True, slots=True)
class PolicyExplanation(Shown):
    """What a policy does in a state, at what cost, whether that is exact, and all that it could do there.

    Made by `Policy.explain`.
    """

    state: State
    """The fluent atoms that hold."""
    decision: _Kind
    """Whether the policy has an action here, gives up, has nothing left to do, or does not say what to do."""
    action: GroundAction | None
    """What the policy takes, if it takes one."""
    cost: float
    """The expected cost of the policy from this state on; a lower bound unless it is exact."""
    exact: bool
    goal_probability: float | None
    """With which the policy reaches the goal from here; None where it leads to states that it does not cover."""
    actions: tuple[ActionValue, ...]
    """All applicable actions, the cheapest first."""
    outcomes: tuple[OutcomeWords, ...] = ()
    """What the action that is taken may change, the likeliest first."""

    @property
    def summary(self) -> str:
        """What the policy does, in a sentence or two."""
        match self.decision:
            case "goal":
                return "The goal is reached: nothing is left to do."
            case "uncovered" if math.isinf(self.cost):
                return "The goal cannot be reached from this state: it is a dead end."
            case "uncovered":
                return "The policy does not cover this state, and takes no action."
            case "give-up" if math.isinf(self.cost):
                return "The policy gives up, and does not reach the goal."
            case "give-up":
                return f"The policy gives up, at a cost of {_show_cost(self.cost, self.exact)}."
        text = f"The policy takes {self.action}"
        if math.isinf(self.cost):
            text += ", and may never reach the goal"
        elif self.exact:
            text += f", at an expected cost of {self.cost:.6g} from here"
        else:
            text += f", at an expected cost of at least {self.cost:.6g}; it leads to states that it does not cover"
        chance = _chance(self.goal_probability)
        text += f"; it {chance}." if chance else "."
        better = next((each for each in self.actions if each.verdict.startswith("better")), None)
        return text if better is None else f"{text} It is not optimal: {better.action} is {better.verdict}."

    def __str__(self) -> str:
        lines = [f"state: {show_state(self.state)}", self.summary, *(f"  {each}" for each in self.outcomes)]
        name = max((len(str(each.action)) for each in self.actions), default=0)
        cost = max((len(each.show_cost()) for each in self.actions), default=0)
        rows = (f"  {each.action!s:<{name}}  {each.show_cost():>{cost}}  {each.verdict}" for each in self.actions)
        return "\n".join([*lines, *map(str.rstrip, rows)])

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; infinite costs are None."""
        return as_record(self, summary=self.summary)


def _show_cost(cost: float, exact: bool) -> str:
    text = "infinite" if math.isinf(cost) else f"{cost:.6g}"
    return text if exact else f"≥ {text}"


def _chance(probability: float | None) -> str:
    if probability is None or probability >= 1:
        return ""
    return f"reaches the goal with probability {probability:.6g}"


class _Value(NamedTuple):
    """What is to come, as the core says it."""

    cost: float
    exact: bool
    goal_probability: float | None


def explain(
    policy: Policy, atoms: Iterable[AnyAtom] | None, dead_end_cost: float | None, max_outcomes: int, stop: _core.Stop
) -> PolicyExplanation:
    """What `Policy.explain` gives."""
    task = policy.task
    given_up = cost_of_giving_up(policy, dead_end_cost)
    here = StateSpace(task, max_outcomes=max_outcomes, limits=stop)  # the states themselves, whatever the policy's are
    state = here.initial if atoms is None else here.state(atoms)
    with named_errors(task):
        transitions = here.core.transitions(state)
        values = _values(policy, here, given_up, max_outcomes, stop)
    decision = policy.decision(tuple(here.core.atoms(state)))
    options = [(action, _value_of(cost, outcomes, values)) for action, cost, outcomes in transitions]
    taken = next((value for action, value in options if action == decision), None)
    current = values[state] if taken is None else taken
    is_known = decision == _core.GIVE_UP or taken is not None
    basis = current.cost if is_known and current.exact and math.isfinite(current.cost) else None
    actions = [
        ActionValue(
            action=task.action(action),
            taken=action == decision,
            cost=value.cost,
            exact=value.exact,
            goal_probability=value.goal_probability,
            difference=None if basis is None else value.cost - basis,
        )
        for action, value in options
    ]
    kind: _Kind = "uncovered" if taken is None else "action"
    if here.is_goal(state) or decision == _core.GIVE_UP:
        kind = "goal" if here.is_goal(state) else "give-up"
    found = next((outcomes for action, _, outcomes in transitions if taken is not None and action == decision), [])
    return PolicyExplanation(
        outcomes=outcome_words(here, state, found, find_variables(task, limits=stop) if found else ()),
        state=here.atoms(state),
        decision=kind,
        action=None if taken is None else task.action(decision),
        cost=current.cost,
        exact=current.exact,
        goal_probability=current.goal_probability,
        actions=tuple(
            sorted(actions, key=lambda each: (float(f"{each.cost:.9g}"), not each.taken))
        ),  # the last digits vary
    )


def outcome_words(
    space: StateSpace, state: int, outcomes: Iterable[tuple[float, int]], variables: Sequence[StateVariable]
) -> tuple[OutcomeWords, ...]:
    """The outcomes of an action in a state, each a probability and a state of the space, in words; likeliest first."""
    before = space.atoms(state)
    likely = sorted(((p, after) for p, after in outcomes if p > 0), key=lambda each: (-each[0], each[1]))
    return tuple(OutcomeWords(p, show_changes(variables, before, space.atoms(after)), after) for p, after in likely)


def costs_of(policy: Policy, stop: _core.Stop) -> list[float]:
    """What the policy costs from each of its states on; a lower bound where it leads to states without an action."""
    return [each.cost for each in _values(policy, None, cost_of_giving_up(policy, None), MAX_OUTCOMES, stop)]


def _values(
    policy: Policy, here: StateSpace | None, dead_end_cost: float | None, max_outcomes: int, stop: _core.Stop
) -> list[_Value]:
    """What the policy is worth from each state of a space, or from its own; these may be representatives."""
    space = StateSpace(policy.task, max_outcomes=max_outcomes, symmetry=policy.symmetry, limits=stop)
    column = policy.column(space)
    own = (space.core.intern_representative(indices) for indices in policy.decisions)
    states = list(own) if here is None else space.core.intern_all(here.core)
    dead_end_cost = math.inf if dead_end_cost is None else dead_end_cost
    heuristic = _core.Heuristic(policy.task.core, "lmcut", stop)
    found = _core.evaluate_states(space.core, column, states, heuristic, dead_end_cost, stop)
    return [_Value(cost, exact or math.isinf(cost), min(1.0, goal) if exact else None) for cost, goal, exact in found]


def _value_of(cost: float, outcomes: Iterable[tuple[float, int]], values: list[_Value]) -> _Value:
    """The mean of what comes of an action, and what it costs by itself."""
    ahead = [(probability, values[state]) for probability, state in outcomes if probability > 0]
    total = cost + math.fsum(probability * value.cost for probability, value in ahead)
    goals = [(probability, value.goal_probability) for probability, value in ahead]
    known = [probability * goal for probability, goal in goals if goal is not None]
    chance = min(1.0, math.fsum(known)) if len(known) == len(ahead) else None
    return _Value(total, math.isinf(total) or all(value.exact for _, value in ahead), chance)
