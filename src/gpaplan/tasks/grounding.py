"""Grounding: from a domain and a problem to a `GroundTask`.

`encode` turns the syntax tree into the integer form that the C++ grounder reads (names resolved, types expanded to
lists of objects, conditions in negation normal form, probabilities and costs as numbers); the grounder does the joins.
"""

from __future__ import annotations

from typing import Literal

from gpaplan import _core
from gpaplan.errors import CostError, Diagnostic, InputError, LimitError, TooLargeError
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.encode import Encoding, encode
from gpaplan.tasks.task import GroundTask

__all__ = ["MAX_ACTIONS", "ground"]

MAX_ACTIONS = 20_000_000
"""Ground actions beyond which `ground` refuses a task, unless told otherwise."""

CostMode = Literal["unit", "metric"]


def ground(
    domain: Domain,
    problem: Problem,
    *,
    cost: CostMode = "unit",
    max_actions: int = MAX_ACTIONS,
    limits: AnyLimits = None,
) -> GroundTask:
    """Ground a problem.

    ``cost="unit"`` makes every action cost 1; ``cost="metric"`` takes the costs from the problem's ``:metric``, where
    ``maximize (reward)`` makes a decrease of the reward a cost.

    Raises `TooLargeError` if there are more than ``max_actions`` ground actions, `CostError` if an action's cost is not
    positive, `InputError` if a cost function has no value where it is needed, and `LimitError` at a limit.
    """
    encoding = encode(domain, problem, cost)
    try:
        core = _core.ground(**encoding.arguments, max_actions=max_actions, stop=started(limits))
    except _core.TaskTooLarge:
        raise TooLargeError(
            f"problem '{problem.name}': grounding gives more than {max_actions:,} actions (the limit max-actions); "
            "use a smaller problem, or bind the actions' parameters more tightly by their preconditions"
        ) from None
    except _core.MissingValue as error:
        raise _missing_value(encoding, problem, *error.args) from None
    except _core.Stopped as error:
        raise LimitError("grounding", error.args[0]) from None
    task = GroundTask(domain, problem, encoding.objects, cost, core)
    if cost == "metric":
        _check_costs(task)
    return task


def _missing_value(
    encoding: Encoding, problem: Problem, function: int, arguments: list[int], schema: int
) -> InputError:
    domain = encoding.domain
    term = " ".join([domain.functions[function].name, *(encoding.objects[i] for i in arguments)])
    return InputError(
        [
            Diagnostic(
                f"the initial state gives no value to ({term})",
                problem.span,
                (f"problem '{problem.name}'",),
                f"action '{domain.schemas[schema].name}' takes its cost from it; add (= ({term}) NUMBER) to :init",
            )
        ]
    )


def _check_costs(task: GroundTask) -> None:
    wrong: dict[str, tuple[str, float]] = {}
    for index, bound in task.core.non_positive_costs():
        action = task.action(index)
        wrong.setdefault(action.schema, (str(action), bound))
    if wrong:
        lines = [f"  {example} costs {bound:g}" for example, bound in wrong.values()]
        raise CostError(
            f"problem '{task.problem.name}': with costs from the metric every action must have a positive cost, but\n"
            + "\n".join(lines)
            + "\n  add a cost to these actions, or use unit costs"
        )
