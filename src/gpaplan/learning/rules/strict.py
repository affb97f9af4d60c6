"""What a rule list leaves of a task, strictly: only actions exist that the list keeps."""

from __future__ import annotations

import math
from typing import NamedTuple

from gpaplan import _core
from gpaplan.concepts.encoding import core_abstraction
from gpaplan.concepts.rules import RuleList
from gpaplan.limits import AnyLimits, started
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.settings import MAX_OUTCOMES
from gpaplan.spaces.state_space import named_errors
from gpaplan.spaces.symmetry import symmetry_of
from gpaplan.tasks.task import GroundTask

__all__ = ["StrictSolution", "constrained_space", "solve_strictly"]


class StrictSolution(NamedTuple):
    """What came of solving a task under a rule list, without fallback."""

    status: str
    """``solved``, ``no-proper-policy``, or the limit that came first: ``time``, ``memory``, ``interrupt``,
    ``states``."""
    cost: float
    """Of the policy found, exactly; infinite if it may miss the goal."""
    expanded: int
    """States."""


def constrained_space(task: GroundTask, rules: RuleList, stop: _core.Stop) -> _core.StateSpace:
    """The states of a task in which only actions exist that a list keeps.

    What a list says does not depend on the names of interchangeable objects, so that states are met up to these.
    """
    abstraction = core_abstraction(task, rules, stop)
    edges = _core.EdgeSet()
    for rule in range(len(rules.rules)):
        edges.add(rule, rule, 0)  # to rules it does not matter what comes of an action
    symmetry = symmetry_of(task, "auto", stop)
    classes = None if symmetry is None else symmetry.core
    return _core.ConstrainedSpace(task.core, MAX_OUTCOMES, abstraction, edges, symmetry=classes, stop=stop)


def solve_strictly(task: GroundTask, rules: RuleList, *, limits: AnyLimits = None) -> StrictSolution:
    """The best policy among those that only take actions that a list keeps, by LRTDP."""
    stop = started(limits)
    try:
        with named_errors(task):
            space = constrained_space(task, rules, stop)
            heuristic = make_heuristic("lmcut", task, stop)
            search = _core.Search(space=space, heuristic=heuristic, epsilon=1e-6, dead_end_cost=math.inf, seed=0)
            if search.lrtdp(stop, 1 << 62):
                return StrictSolution(stop.reason, math.inf, space.expanded_count)
            report, _, _ = search.verify(stop)
    except _core.Stopped as error:
        return StrictSolution(error.args[0], math.inf, 0)
    return StrictSolution("solved" if report.proper else "no-proper-policy", report.cost, space.expanded_count)
