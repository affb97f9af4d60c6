"""All small problems like those that a list was learned from: where it fails, it has something to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpaplan import _core
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import LimitError, UsageError
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.ppddl import syntax
from gpaplan.proofs.enumeration import goals_by_size, object_counts
from gpaplan.proofs.examples import common_conditions
from gpaplan.solving.run import solve
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundTask

_GOAL_WORK = 50_000
"""What a goal counts, besides the states that the rules lead to: its task is grounded, and may be solved."""
_MOST_OBJECTS = 5
"""Of a type, where the work is what ends the enumeration."""
_MOST_STATES = 3_000
"""Of a problem of which it is asked whether it has a proper policy."""


def smallest_failure(
    rules: RuleList, tasks: Sequence[GroundTask], *, work: int, limits: AnyLimits = None
) -> tuple[GroundTask | None, str]:
    """A smallest problem like these that has a proper policy and on which a rule list fails under random choice, as far
    as the counted work goes; or on what the list does not fail, in words, empty if that is not known.

    Of the initial states of a goal only the first on which the list fails is looked at: there may be others.
    """
    domain, problems = tasks[0].domain, [task.problem for task in tasks]
    stop = started(limits).part(max_work=work)
    looked_at, spent, complete, clean = 0, 0, "", True
    try:
        conditions = common_conditions(domain, problems)
        least, most = object_counts(domain, problems, {"": _MOST_OBJECTS})
        for size, found in goals_by_size(rules, domain, conditions, most, least, stop):
            for one in found:
                looked_at, spent = looked_at + one.problems, spent + 16 * one.states + _GOAL_WORK
                if one.random.first is not None:
                    clean = False
                    task = _like(tasks[0], one.random.first.problem, spent)
                    if solve(task, "vi", limits=Limits(states=_MOST_STATES)).proper:
                        return task, ""
                if spent > work:
                    raise _core.Stopped("work")
            if clean and looked_at:
                complete = f"on all {looked_at:,} problems like these with up to {sum(size.values())} objects"
    except UsageError:  # goals that are no conjunctions, and the like
        return None, ""
    except _core.Stopped as error:
        if error.args[0] != "work":
            raise LimitError("looking at all problems", error.args[0]) from None
    return None, complete if clean else ""


def _like(task: GroundTask, problem: syntax.Problem, number: int) -> GroundTask:
    """A problem, grounded as a task was, with a name of its own."""
    named = replace(problem, name=f"{task.problem.name}-counterexample-{number}")
    return ground(task.domain, named, cost=task.cost, relevance=task.relevance)  # type: ignore[arg-type]
