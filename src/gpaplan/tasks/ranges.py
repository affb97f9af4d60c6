"""Numbers that leave the range of doubles, as errors with their place.

Every number of a text is exact, and each by itself fits a double, or the text is refused. Sums of costs, products of
probabilities and expected costs may still leave the range. What then comes out is no answer, so it is said.
"""

from __future__ import annotations

import sys

from gpaplan.errors import Diagnostic, OutOfRangeError
from gpaplan.tasks.task import GroundAction, GroundTask


def out_of_range(task: GroundTask, quantity: str, action: GroundAction | None) -> OutOfRangeError:
    """The error for a ``"cost"`` or a ``"probability"`` of an action, or for the cost of a policy if there is none."""
    problem = task.problem
    context = (f"problem '{problem.name}'",)
    largest = f"the largest double, {sys.float_info.max:.2g}"
    larger_unit = "count costs in a larger unit, or use unit costs (--cost unit)"
    if action is None:
        reached = "the policy reaches the goal with probability 1, but its expected cost is more than"
        hint = larger_unit if task.cost == "metric" else None
        metric = problem.metric if task.cost == "metric" else None
        span = problem.span if metric is None else metric.span
        return OutOfRangeError([Diagnostic(f"{reached} {largest}", span, context, hint)])
    span = next(schema.span for schema in task.domain.schemas if schema.name == action.schema)
    if quantity == "cost":
        return OutOfRangeError([Diagnostic(f"action {action} costs more than {largest}", span, context, larger_unit)])
    joint = f"an outcome of action {action} has a probability of less than the least double, {sys.float_info.min:.2g}"
    hint = "it is a product of independent effects; leave out the rarest of them"
    return OutOfRangeError([Diagnostic(joint, span, context, hint)])
