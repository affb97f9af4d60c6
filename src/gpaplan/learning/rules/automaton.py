"""The automaton of a rule list that was learned or written: its edges, with what training shows of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gpaplan.automata.automaton import Edge, PolicyAutomaton, TrainingExample, relevance_of
from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.automata.rules import AnyRules, rule_automaton
from gpaplan.learning.edges import edges_of_choices
from gpaplan.learning.rules.constants import SHOWN_STATES
from gpaplan.learning.rules.learner import learn_rules
from gpaplan.learning.rules.outcome import RuleLearning
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.task import GroundTask

__all__ = ["automaton_of_rules", "learn_rule_automaton"]


def learn_rule_automaton(
    training: Sequence[GroundTask], validation: Sequence[GroundTask] = (), **how: Any
) -> tuple[PolicyAutomaton, RuleLearning]:
    """The automaton of rules that `learn_rules` finds, and what is known of these."""
    domain = training[-1].domain
    found = learn_rules(domain, training, validation, **how)
    names = {each.problem for each in found.training}
    automaton = automaton_of_rules(
        domain,
        found.rule_list,
        [task for task in training if task.problem.name in names],
        training=[TrainingExample(each.problem, each.states, each.cost) for each in found.training],
        note=found.note,
    )
    return automaton, found


def automaton_of_rules(
    domain: Domain,
    rules: AnyRules,
    tasks: Sequence[GroundTask] = (),
    *,
    training: Iterable[TrainingExample] = (),
    note: str = "",
    limits: AnyLimits = None,
) -> PolicyAutomaton:
    """The automaton of rules, with the states of some problems in which each rule decides, and what comes of it there.

    ``training`` are the problems that it was learned from, ``note`` says what is known of it; both go into its file.
    """
    stop = started(limits)
    bare = rule_automaton(domain, rules)
    edges: list[Edge] = []
    covers: dict[Any, list[str]] = {}
    for task in tasks:
        space = ConstrainedStateSpace(task, bare, symmetry="auto", limits=stop)
        found, states = edges_of_choices(bare.abstraction, space, _choices(space))
        edges += found
        for label, examples in states.items():
            covers.setdefault(label, []).extend(examples)
    seen = {edge.action for edge in edges}
    settings: dict[str, Any] = {"cost": tasks[0].cost} if tasks else {}
    relevance = {relevance_of(task) for task in tasks} - {"either"}
    settings["relevance"] = relevance.pop() if len(relevance) == 1 else "either"
    if note:
        settings["note"] = note
    return bare.with_edges(
        [*edges, *(edge for edge in bare.edges if edge.action not in seen)],
        training=training,
        covers=covers,
        settings=settings,
    )


def _choices(space: ConstrainedStateSpace) -> list[tuple[int, int]]:
    """(state, action) of what the rules keep in the states that they lead to, the first ones of a large problem."""
    queue, met = [space.initial], {space.initial}
    choices: list[tuple[int, int]] = []
    for state in queue:
        if len(choices) > SHOWN_STATES or space.is_goal(state):
            continue
        for action, _, outcomes in space.transitions(state):
            choices.append((state, space.task.action_index(action)))
            for _, successor in outcomes:
                if successor not in met:
                    met.add(successor)
                    queue.append(successor)
    return choices
