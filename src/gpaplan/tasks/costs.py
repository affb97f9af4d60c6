"""Which costs a problem has: 1 for each action, or those of its ``:metric``.

``auto``, the default, lets the metric decide. It is taken where least expected cost is what it asks for: if it
minimises the total cost, or maximises a reward that actions only decrease, each of them. Everything else is solved with
unit costs, and `Costs` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.tasks.task import GroundTask

TaskCost: TypeAlias = Literal["unit", "metric"]
"""What the actions of a task cost: 1 each, or what the problem's ``:metric`` says."""

CostMode: TypeAlias = Literal["auto", "unit", "metric"]
"""The costs to ground a problem with; ``auto``: those of its ``:metric`` if that asks for the least cost, else 1."""


class Costs(NamedTuple):
    """The costs of a task: ``str(costs)`` is such as ``unit: the problem has no :metric``."""

    mode: TaskCost
    """``"unit"`` or ``"metric"``."""
    reason: str = ""
    """Why they are not those of the metric; empty if they are."""

    def __str__(self) -> str:
        return f"{self.mode}: {self.reason}" if self.reason else self.mode


NO_METRIC = Costs("unit", "the problem has no :metric")
"""What most problems have."""


def costs_asked_for(domain: syntax.Domain, problem: syntax.Problem) -> Costs:
    """What ``auto`` means for a problem."""
    metric = problem.metric
    if metric is None:
        return NO_METRIC
    if metric.quantity == "total-cost":
        return Costs("metric")  # a metric that maximises it is refused when it is read
    if metric.direction == "minimize":
        return Costs("unit", "the metric minimises a reward")
    if problem.goal_reward is not None:
        return Costs("unit", "the metric weighs costs against a reward for the goal")
    for schema in domain.schemas:
        changes = [change for change in _changes(schema.effect) if change.quantity == "reward"]
        if not changes or any(_may_increase(change, problem) for change in changes):
            does = "increases" if changes else "leaves as it is"
            return Costs("unit", f"the metric maximises a reward, which action '{schema.name}' {does}")
    return Costs("metric")


def costs_of(task: GroundTask) -> Costs:
    """The costs that a task has been grounded with."""
    if task.cost == "metric":
        return Costs("metric")
    asked = costs_asked_for(task.domain, task.problem)
    return asked if asked.reason else Costs("unit", "not those of the metric, as asked for")


def check_same_costs(tasks: Iterable[tuple[str, str]]) -> None:
    """Raise `UsageError` unless all of these, (problem, cost), are of one cost mode: what is learned from mixed costs
    is consistent with none of them."""
    first: tuple[str, str] | None = None
    for name, cost in tasks:
        first = first or (name, cost)
        if cost != first[1]:
            raise UsageError(
                f"the problems do not have the same costs: by their metrics '{first[0]}' has {first[1]} costs and "
                f"'{name}' has {cost} costs; choose one with --cost unit or --cost metric"
            )


def _changes(effect: syntax.Effect) -> Iterator[syntax.Change]:
    """All changes of a quantity in an effect."""
    match effect:
        case syntax.Change():
            yield effect
        case syntax.AndEffect():
            for each in effect.effects:
                yield from _changes(each)
        case syntax.ForAllEffect() | syntax.When():
            yield from _changes(effect.effect)
        case syntax.Probabilistic():
            for outcome in effect.outcomes:
                yield from _changes(outcome.effect)
        case _:
            pass


def _may_increase(change: syntax.Change, problem: syntax.Problem) -> bool:
    """Whether a change makes a quantity larger, in any state."""
    amount = change.amount
    if isinstance(amount, syntax.Number):
        amounts = [amount.value]
    else:
        amounts = [each.value for each in problem.values if each.term.function == amount.function]
    return any(value > 0 if change.direction == "increase" else value < 0 for value in amounts)
