"""What training shows of a rule list that was learned or written: how often each rule is used, and where it decides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gpaplan.automata.filters import ConstrainedStateSpace, TrainingExample, relevance_of
from gpaplan.automata.rules import AnyRules, RuleFilter, RuleUse
from gpaplan.learning.rules.constants import SHOWN_STATES
from gpaplan.learning.rules.learner import learn_rules
from gpaplan.learning.rules.outcome import RuleLearning
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.task import GroundTask

_EXAMPLES = 3
"""So many states of a rule are kept."""


def learn_rule_filter(
    training: Sequence[GroundTask], validation: Sequence[GroundTask] = (), **how: Any
) -> tuple[RuleFilter, RuleLearning]:
    """The rules that `learn_rules` finds, and what is known of these."""
    domain = training[-1].domain
    found = learn_rules(domain, training, validation, **how)
    names = {each.problem for each in found.training}
    rules = recorded_rules(
        domain,
        found.rule_list,
        [task for task in training if task.problem.name in names],
        training=[
            TrainingExample(each.problem, each.states, each.cost if math.isfinite(each.cost) else None)
            for each in found.training
        ],
        note=found.note,
    )
    return rules, found


def recorded_rules(
    domain: Domain,
    rules: AnyRules,
    tasks: Sequence[GroundTask] = (),
    *,
    training: Iterable[TrainingExample] = (),
    note: str = "",
    limits: AnyLimits = None,
) -> RuleFilter:
    """Rules, with the states of some problems in which each rule decides, and how often it is used there.

    ``training`` are the problems that they were learned from, ``note`` says what is known of them; both go into the
    file.
    """
    stop = started(limits)
    bare = RuleFilter.of(domain, rules)
    uses = [RuleUse()] * len(bare)
    for task in tasks:
        space = ConstrainedStateSpace(task, bare, symmetry="auto", limits=stop)
        uses = [old.joined(new) for old, new in zip(uses, _uses(space, bare), strict=True)]
    settings: dict[str, Any] = {"cost": tasks[0].cost} if tasks else {}
    relevance = {relevance_of(task) for task in tasks} - {"either"}
    settings["relevance"] = relevance.pop() if len(relevance) == 1 else "either"
    if note:
        settings["note"] = note
    (own,) = bare.lists
    return RuleFilter(bare.domain_name, bare.vocabulary, {own: uses}, training=training, settings=settings)


def _uses(space: ConstrainedStateSpace, rules: RuleFilter) -> Iterator[RuleUse]:
    """What one problem shows of each rule."""
    on_task, name = rules.on(space.task), space.task.problem.name
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for state, outcomes in _walk(space):
        (rule,) = on_task.deciding(space, state)
        counts[rule.name] += outcomes
        known = examples.setdefault(rule.name, [])
        if len(known) < _EXAMPLES:
            known.append(f"{name}: " + " ".join(sorted(map(str, space.atoms(state)))))
    for each in rules.named():
        yield RuleUse({name: counts[each.name]} if counts[each.name] else {}, tuple(examples.get(each.name, ())))


def _walk(space: ConstrainedStateSpace) -> Iterator[tuple[int, int]]:
    """The states that rules lead to and in which they keep something, the first ones of a large problem, and how many
    outcomes what is kept has."""
    queue, met, kept = [space.initial], {space.initial}, 0
    for state in queue:
        if kept > SHOWN_STATES or space.is_goal(state):
            continue
        transitions = space.transitions(state)
        kept += len(transitions)
        for _, _, outcomes in transitions:
            new = dict.fromkeys(successor for _, successor in outcomes if successor not in met)
            met.update(new)
            queue += new
        if transitions:
            yield state, sum(len(outcomes) for _, _, outcomes in transitions)
