"""What a solved problem contributes to an automaton.

Usually that is an optimal policy. It shows what is best; but the states that it visits may be many, and what it does
may depend on much that need not matter. With ``examples="safe"`` an example is everything that is *safe*: all actions,
in all states that such actions reach, after which the goal can still be reached with probability one. Such an automaton
leads nowhere by itself, it only avoids dead ends; what makes a policy of it is `prune` with ``keep="proper"``, which
leaves the fewest choices with which the goal is still reached on all problems that it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias

from gpaplan import _core
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.filters import TrainingExample, relevance_of
from gpaplan.learning.edges import edges_of_choices
from gpaplan.limits import AnyLimits, started
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.task import GroundTask

Examples: TypeAlias = Literal["optimal", "safe"]
"""What a problem teaches: an optimal policy, or everything that is safe."""


def learn_safe(
    automaton: PolicyAutomaton,
    task: GroundTask,
    settings: SpaceSettings | None = None,
    *,
    max_states: int | None,
    limits: AnyLimits = None,
) -> PolicyAutomaton | None:
    """The automaton with all safe actions of a task added; None if the task has too many states."""
    space = StateSpace(task, settings)
    choices = safe_actions(space, max_states=max_states, limits=limits)
    if choices is None:
        return None
    edges, covers = edges_of_choices(automaton.abstraction, space, choices)
    states = len({state for state, _ in choices})
    training = [TrainingExample(task.problem.name, states, None, space.symmetry is not None)]
    learned = {"examples": "safe", "relevance": relevance_of(task)}
    return automaton.merge(automaton.with_edges(edges, training=training, covers=covers, settings=learned))


def safe_actions(
    space: StateSpace, *, max_states: int | None = None, limits: AnyLimits = None
) -> list[tuple[int, int]] | None:
    """(state, action) for all actions that are safe, in the states that safe actions reach from the initial one.

    None if the space has more than ``max_states`` states, or a limit comes.
    """
    stop = started(limits)
    if not space.explore(max_states=max_states, limits=stop).complete:
        return None
    heuristic = make_heuristic("blind", space.task)
    search = _core.Search(space=space.core, heuristic=heuristic, epsilon=1e-6, dead_end_cost=math.inf, seed=0)
    with named_errors(space.task):
        search.mark_dead_ends()
    values = [search.value(state) for state in range(len(space))]
    if values[space.initial] == math.inf:
        return []
    return list(_walk(space, values))


def _walk(space: StateSpace, values: list[float]) -> Iterable[tuple[int, int]]:
    queue = [space.initial]
    seen = set(queue)
    for state in queue:
        if space.is_goal(state):
            continue
        for action, _, outcomes in space.core.transitions(state):
            successors = [successor for _, successor in outcomes]
            if any(values[successor] == math.inf for successor in successors):
                continue
            yield state, action
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    queue.append(successor)
