"""Learning automata from example policies.

`learn` takes solutions of small problems (or policies from anywhere) and gives the automaton of their abstract
transitions. Where several actions are optimal the choice matters: it decides how much of one example is like another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from gpaplan import _core
from gpaplan.automata.abstraction import Abstraction, CanonicalAbstraction, StateLabel
from gpaplan.automata.automaton import Edge, PolicyAutomaton, TrainingExample
from gpaplan.automata.constrained import edge_set
from gpaplan.errors import UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Policy
from gpaplan.ppddl.syntax import Domain
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import StateSpace

__all__ = ["TIE_TOLERANCE", "Ties", "edges_of_choices", "learn"]

Ties: TypeAlias = Literal["first", "harmonize", "all"]

TIE_TOLERANCE = 1e-6
"""Actions whose values differ by less than this are equally good. Examples should be solved to a smaller epsilon."""


def learn(
    domain: Domain,
    examples: Iterable[Solution | Policy],
    *,
    abstraction: CanonicalAbstraction | Abstraction | None = None,
    ties: Ties = "harmonize",
    automaton: PolicyAutomaton | None = None,
    limits: AnyLimits = None,
) -> PolicyAutomaton:
    """The automaton of the examples, added to ``automaton`` if one is given.

    ``ties`` says which of several optimal actions an example takes: ``first`` the one with the lowest index,
    ``harmonize`` one that is in the automaton already, if there is one, ``all`` all of them. It applies to solutions
    that are proven optimal; any other solution, and every `Policy`, is taken as it is.
    """
    if ties not in ("first", "harmonize", "all"):
        raise UsageError(f"unknown way to break ties '{ties}'; it is 'first', 'harmonize' or 'all'")
    stop = started(limits)
    result = PolicyAutomaton.empty(domain, abstraction) if automaton is None else automaton
    if automaton is not None and abstraction is not None and abstraction != automaton.abstraction:
        raise UsageError("an automaton is continued with its own abstraction; leave the other one out")
    for example in examples:
        result = result.merge(_learn_one(result, example, ties, stop))
    return result


def _learn_one(automaton: PolicyAutomaton, example: Solution | Policy, ties: Ties, stop: _core.Stop) -> PolicyAutomaton:
    """The automaton of one example."""
    task = example.task if isinstance(example, Policy) else example.space.task
    space = StateSpace(task, symmetry=example.symmetry) if isinstance(example, Policy) else example.space
    if isinstance(automaton.abstraction, CanonicalAbstraction):
        choices = _choices(automaton, example, space, ties, stop)
        edges, covers = edges_of_choices(automaton.abstraction, space, choices)
    else:
        choices = _choices(automaton, example, space, "first", stop)
        edges, covers = _custom_edges(automaton.abstraction, space, choices)
    cost = None if isinstance(example, Policy) else example.value
    return PolicyAutomaton(
        automaton.domain_name,
        automaton.vocabulary,
        automaton.abstraction,
        edges,
        training=[TrainingExample(task.problem.name, len({state for state, _ in choices}), cost)],
        covers=covers,
        settings={"ties": ties},
    )


def _choices(
    automaton: PolicyAutomaton, example: Solution | Policy, space: StateSpace, ties: Ties, stop: _core.Stop
) -> list[tuple[int, int]]:
    """(state, action) of the example, by index."""
    automaton.check_domain(automaton.vocabulary.of(space.task.domain), f"problem '{space.task.problem.name}'")
    if isinstance(example, Policy):
        none = (_core.NO_ACTION, _core.GIVE_UP)
        return [(s, a) for s, a in enumerate(example.column(space)) if a not in none and not space.is_goal(s)]
    canonical = isinstance(automaton.abstraction, CanonicalAbstraction)
    if not canonical or example.guarantee != "optimal" or example.dead_end_cost is not None:
        return [(s, a) for s, a in example.decisions.items() if a != _core.GIVE_UP]
    table, edges = edge_set(automaton, space.task)
    return _core.choose_optimal_actions(example.search, ties, TIE_TOLERANCE, table.core, edges, stop)


def edges_of_choices(
    abstraction: CanonicalAbstraction, space: StateSpace, choices: Sequence[tuple[int, int]]
) -> tuple[list[Edge], dict[StateLabel, list[str]]]:
    """The edges of (state, action) pairs of a space, and a few states for each of their vertices."""
    table = abstraction.on(space.task)
    ids: dict[int, int] = {}
    examples: dict[int, list[int]] = {}

    def abstract(state: int) -> int:
        if state not in ids:
            ids[state] = table.core.evaluate(space.core, state)
            known = examples.setdefault(ids[state], [])
            if len(known) < 3:
                known.append(state)
        return ids[state]

    counts: dict[tuple[int, int, tuple[int, ...], int], int] = {}
    for state, action in choices:
        source = abstract(state)
        roles = table.core.roles(space.core, state)
        schema, arguments = space.task.core.action(action)
        key = (source, schema, tuple(roles[i] for i in arguments))
        for successor in space.core.successors(state, action):
            counts[*key, abstract(successor)] = counts.get((*key, abstract(successor)), 0) + 1
    problem = space.task.problem.name
    edges = []
    for (source, schema, role_ids, target), count in counts.items():
        label = table.action_label(schema, role_ids)
        edges.append(Edge(table.spelled(source), label, (table.spelled(target),), {problem: count}))
    covers: dict[StateLabel, list[str]] = {
        table.spelled(label): [_show(space, problem, state) for state in states] for label, states in examples.items()
    }
    return _counted(edges, problem), covers


def _custom_edges(
    abstraction: Abstraction, space: StateSpace, choices: Sequence[tuple[int, int]]
) -> tuple[list[Edge], dict[StateLabel, list[str]]]:
    task = space.task
    problem = task.problem.name
    edges = []
    covers: dict[StateLabel, list[str]] = {}

    def abstract(state: int) -> str:
        label = abstraction.state(task, space.atoms(state))
        known = covers.setdefault(label, [])
        if len(known) < 3:
            known.append(_show(space, problem, state))
        return label

    for state, action in choices:
        label = abstraction.action(task, space.atoms(state), task.action(action))
        source = abstract(state)
        edges += [
            Edge(source, label, (abstract(successor),), {problem: 1})
            for successor in space.core.successors(state, action)
        ]
    return _counted(edges, problem), covers


def _counted(edges: Iterable[Edge], problem: str) -> list[Edge]:
    """Edges with the same source and action as one, their counts added up."""
    joined: dict[tuple[object, object], Edge] = {}
    for edge in edges:
        key = (edge.source, edge.action)
        known = joined.get(key)
        total = edge.origins[problem] + (known.origins[problem] if known else 0)
        targets = (*(known.targets if known else ()), *edge.targets)
        joined[key] = Edge(edge.source, edge.action, tuple(dict.fromkeys(targets)), {problem: total})
    return list(joined.values())


def _show(space: StateSpace, problem: str, state: int) -> str:
    return f"{problem}: " + " ".join(sorted(map(str, space.atoms(state))))
