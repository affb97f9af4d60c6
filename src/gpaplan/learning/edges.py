"""The edges of example policies.

`automaton_of` takes solutions of small problems (or policies from anywhere) and gives the automaton of their abstract
transitions. Where several actions are optimal the choice matters: it decides how much of one example is like another.
"""

from __future__ import annotations

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
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import StateSpace
from gpaplan.statuses import Guarantee

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
