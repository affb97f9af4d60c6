"""The edges of example policies.

`automaton_of` takes solutions of small problems (or policies from anywhere) and gives the automaton of their abstract
transitions. Where several actions are optimal the choice matters: it decides how much of one example is like another.

Usually an example is an optimal policy. It shows what is best; but the states that it visits may be many, and what it
does may depend on much that need not matter. With ``examples="safe"`` an example is everything that is *safe*: all
actions, in all states that such actions reach, after which the goal can still be reached with probability one. Such an
automaton leads nowhere by itself, it only avoids dead ends; what makes a policy of it is `prune`, ``keep="proper"``,
which leaves the fewest choices with which the goal is still reached on all problems that it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from gpaplan import _core
from gpaplan.automata.automaton import Edge, PolicyAutomaton, given_automaton
from gpaplan.automata.canonical import (
    Abstraction,
    AnyAbstraction,
    CanonicalAbstraction,
    StateLabel,
    abstraction_of,
    full_abstraction,
)
from gpaplan.automata.filters import AnyFilter, TrainingExample, relevance_of
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import TIE_TOLERANCE
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Policy, unfolded_if_small
from gpaplan.ppddl.syntax import Domain
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.solution import Solution
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.statuses import Guarantee
from gpaplan.tasks.task import GroundTask

Examples: TypeAlias = Literal["optimal", "safe"]
"""What a problem teaches: an optimal policy, or everything that is safe."""
Ties: TypeAlias = Literal["first", "harmonize", "all"]
"""Which of several optimal actions an example takes; see `gpaplan.learn`."""


def automaton_of(
    domain: Domain,
    examples: Iterable[Solution | Policy],
    *,
    abstraction: AnyAbstraction | None = None,
    ties: Ties = "harmonize",
    automaton: PolicyAutomaton | None = None,
    limits: AnyLimits = None,
) -> PolicyAutomaton:
    """The automaton of the examples, added to ``automaton`` if one is given. Where an example gives up it teaches
    nothing."""
    if ties not in _core.tie_names():
        raise UsageError(f"unknown way to break ties '{ties}'; it is 'first', 'harmonize' or 'all'")
    stop = started(limits)
    result = starting_from(automaton, domain, abstraction)
    try:
        for example in examples:
            result = result.merge(_learn_one(result, example, ties, stop))
    except _core.Stopped as error:
        raise LimitError("learning", error.args[0]) from None
    return result


def starting_from(automaton: AnyFilter | None, domain: Domain, abstraction: AnyAbstraction | None) -> PolicyAutomaton:
    """The automaton that is added to: the one given, or an empty one. The abstraction of either is said only once."""
    if automaton is None:
        return PolicyAutomaton.empty(domain, abstraction=abstraction)
    automaton = given_automaton(automaton)
    if abstraction is not None and abstraction_of(abstraction) != automaton.abstraction:
        raise UsageError("an automaton is continued with its own abstraction; leave the other one out")
    return automaton


def _learn_one(automaton: PolicyAutomaton, example: Solution | Policy, ties: Ties, stop: _core.Stop) -> PolicyAutomaton:
    """The automaton of one example."""
    task = example.task if isinstance(example, Policy) else example.space.task
    space, choices = _choices(automaton, example, ties, stop)
    edges, covers = edges_of_choices(automaton.abstraction, space, choices)
    cost = None if isinstance(example, Policy) else example.value
    states = len({state for state, _ in choices})
    training = [TrainingExample(task.problem.name, states, cost, space.symmetry is not None)]
    settings: dict[str, Any] = {"cost": example.cost if isinstance(example, Policy) else task.cost, "ties": ties}
    if example.dead_end_cost is not None:
        settings["dead_end_cost"] = example.dead_end_cost
    settings["relevance"] = relevance_of(task)
    return automaton.with_edges(edges, training=training, covers=covers, settings=settings)


def _choices(
    automaton: PolicyAutomaton, example: Solution | Policy, ties: Ties, stop: _core.Stop
) -> tuple[StateSpace, list[tuple[int, int]]]:
    """(state, action) of the example, by index, and the space whose states these are."""
    on_task = automaton.on(example.task if isinstance(example, Policy) else example.space.task)
    if isinstance(example, Policy):
        space = StateSpace(example.task, symmetry=example.symmetry)
        none = (_core.NO_ACTION, _core.GIVE_UP)
        return space, [(s, a) for s, a in enumerate(example.column(space)) if a not in none and not space.is_goal(s)]
    if example.guarantee != Guarantee.OPTIMAL:
        return example.space, [(s, a) for s, a in example.decisions.items() if a != _core.GIVE_UP]
    space, search = example.space, example.search
    if ties != "all" and isinstance(automaton.abstraction, CanonicalAbstraction):
        space, search = _told_apart(example, stop)
    chosen = _core.choose_optimal_actions(search, ties, TIE_TOLERANCE, on_task.table.core, on_task.edges, stop)
    return space, chosen


def _told_apart(example: Solution, stop: _core.Stop) -> tuple[StateSpace, _core.Search]:
    """The states of an example, as they are, and their values; up to symmetry where there are too many of them.

    Which of several optimal actions is taken depends on their names. So ties are broken in the states themselves, and
    what is learned does not depend on whether an example was solved up to symmetry. Only an abstraction of one's own is
    asked about representatives, here as in a search: it may see names.
    """
    if example.symmetry is None or unfolded_if_small(example.policy, stop).symmetry is not None:
        return example.space, example.search
    task = example.space.task
    space = StateSpace(task, max_outcomes=2**32)  # as many as the search has met
    values = _core.representative_values(example.search, task.core)
    return space, _core.Search(space.core, values, example)


def edges_of_choices(
    abstraction: Abstraction, space: StateSpace, choices: Sequence[tuple[int, int]]
) -> tuple[list[Edge], dict[StateLabel, list[str]]]:
    """The edges of (state, action) pairs of a space, and a few states for each of their vertices."""
    table = full_abstraction(abstraction).table(space.task)
    ids: dict[int, int] = {}
    examples: dict[int, list[int]] = {}

    def abstract(state: int) -> int:
        if state not in ids:
            ids[state] = table.core.state(space.core, state)
            known = examples.setdefault(ids[state], [])
            if len(known) < 3:
                known.append(state)
        return ids[state]

    counts: dict[tuple[int, int], dict[int, int]] = {}
    for state, action in choices:
        targets = counts.setdefault((abstract(state), table.core.action(space.core, state, action)), {})
        for successor in space.core.successors(state, action):
            targets[abstract(successor)] = targets.get(abstract(successor), 0) + 1
    problem = space.task.problem.name
    edges = [
        Edge(
            table.state_label(source),
            table.action_label(action),
            tuple(table.state_label(target) for target in targets),
            {problem: sum(targets.values())},
        )
        for (source, action), targets in counts.items()
    ]
    covers: dict[StateLabel, list[str]] = {
        table.state_label(label): [_show(space, problem, state) for state in states]
        for label, states in examples.items()
    }
    return edges, covers


def _show(space: StateSpace, problem: str, state: int) -> str:
    return f"{problem}: " + " ".join(sorted(map(str, space.atoms(state))))


# --- all that is safe ---


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
    search = _core.Search(space.core, heuristic)
    with named_errors(space.task):
        search.mark_dead_ends()
    lost = {state for state in range(len(space)) if search.value(state) == math.inf}
    found: list[tuple[int, int]] = []
    queue = [] if space.initial in lost else [space.initial]
    seen = set(queue)
    for state in queue:
        for action, _, outcomes in () if space.is_goal(state) else space.core.transitions(state):
            successors = dict.fromkeys(successor for _, successor in outcomes)
            if lost.isdisjoint(successors):
                found.append((state, action))
                queue += [successor for successor in successors if successor not in seen]
                seen.update(successors)
    return found
