"""Roles or rules: which of two automata is taken.

Canonical abstraction, which sees the roles of objects, is tried first. Where it fails on validation problems, or keeps
more than a tenth of the states that a search without it expands (if these are a thousand or more), rules over concepts
are learned as well, and the better one is taken. Without validation problems the largest problem is held out, where
that is worth while: both are learned from the others and compared on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import MANY, RULE_SECONDS, SHARE, STATES, TRIED
from gpaplan.learning.edges import Ties, automaton_of
from gpaplan.learning.growth import Growth
from gpaplan.learning.instances import Instance, instance_of_task
from gpaplan.learning.rules.automaton import learn_rule_automaton
from gpaplan.learning.rules.outcome import RuleLearning
from gpaplan.learning.solving import TRAINING, Budget, Solving, solve_to_optimality
from gpaplan.learning.validation import ValidationScore, better, validate
from gpaplan.limits import Limits
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.costs import check_same_costs
from gpaplan.tasks.task import GroundTask

__all__ = ["Choice", "Learning", "Progress", "learn_problems", "rules_after_growth"]

Progress: TypeAlias = Callable[[str], None]
"""What is called with a line of text now and then."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How automata of roles and of rules do on the problems to choose by, and which was taken."""

    roles: ValidationScore
    rules: ValidationScore | None = None
    """None if none were learned."""
    taken: Literal["canonical", "concepts"] = "canonical"
    held_out: str = ""
    """The problem that was held out to choose by, if one was."""
    refusal: str = ""
    """Why no rules were learned, if they could not be."""

    def to_json(self) -> dict[str, Any]:
        """How each of them does, as plain data."""
        return {"canonical": self.roles.to_json()} | ({"concepts": self.rules.to_json()} if self.rules else {})


@dataclass(frozen=True, slots=True)
class Learning:
    """An automaton that was learned from problems, and how it was chosen."""

    automaton: PolicyAutomaton
    solutions: tuple[Solution, ...] = ()
    """Of the problems, where roles were learned."""
    rules: RuleLearning | None = None
    """The rules that were learned, taken or not."""
    choice: Choice | None = None
    """None if there was nothing to choose by."""
    solving_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Comparison:
    """How automata are compared: on which problems, and within which time rules are learned."""

    validation: Sequence[GroundTask]
    settings: RunSettings
    seconds: float
    progress: Progress
    plain: dict[str, Solution] = field(default_factory=dict)
    """The searches without an automaton, which are made once."""

    def score(self, automaton: PolicyAutomaton) -> ValidationScore:
        """How an automaton does on the validation problems, compared as coarsely as it takes."""
        limits = self.settings.limits
        whole = (limits.seconds, limits.megabytes) if isinstance(limits, Limits) else (None, None)
        settings = RunSettings(dead_end_cost=self.settings.dead_end_cost)
        solving = Solving(Budget(STATES, *whole), settings, cache=self.plain)
        rows = []
        for task in self.validation:
            self.progress(f"trying the automaton on {task.problem.name}")
            rows += validate([instance_of_task(task)], automaton, solving=solving, explain=False)
        if solving.stopped_by:
            raise LimitError("learning", solving.stopped_by)
        return ValidationScore(tuple(rows))

    def rules(self, tasks: Sequence[GroundTask]) -> tuple[PolicyAutomaton, RuleLearning]:
        """Rules that are learned from problems, and chosen by how they act on the validation problems."""
        return learn_rule_automaton(
            tasks,
            self.validation,
            seconds=self.seconds,
            seed=self.settings.seed,
            dead_end_cost=self.settings.dead_end_cost,
            progress=self.progress,
            limits=self.settings.limits,
        )


def learn_problems(
    tasks: Sequence[GroundTask],
    validation: Sequence[GroundTask] = (),
    *,
    abstraction: AnyAbstraction | None = "auto",
    ties: Ties = "harmonize",
    automaton: PolicyAutomaton | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Learning:
    """Learn from problems as `gpaplan.learn` does; what comes with the automaton says how it was chosen.

    So many problems are solved at a time (``jobs``). ``progress`` is called with a line of text now and then.
    """
    check_same_costs((task.problem.name, task.cost) for task in (*tasks, *validation))
    comparison = _Comparison(validation, settings, seconds, progress)
    if automaton is not None and abstraction == "auto":
        abstraction = "concepts" if automaton.abstraction.name == "concepts" else None
    if abstraction == "concepts":
        learned, rules = comparison.rules(tasks)
        return Learning(learned if automaton is None else automaton.merge(learned), rules=rules)
    may_change = abstraction == "auto"
    started = time.perf_counter()
    solutions: list[Solution] = []
    for solution in solve_to_optimality(tasks, settings, jobs=min(jobs, len(tasks))):
        solutions.append(solution)
        comparison.progress(f"{len(solutions)} of {len(tasks)} problems solved")
    solving_seconds = time.perf_counter() - started

    def of_roles(examples: Sequence[Solution]) -> PolicyAutomaton:
        roles = None if may_change else abstraction
        return automaton_of(tasks[-1].domain, examples, abstraction=roles, ties=ties, automaton=automaton)

    found = Learning(of_roles(solutions), tuple(solutions), solving_seconds=solving_seconds)
    if validation:
        return _chosen(found, Choice(comparison.score(found.automaton)), tasks, comparison, may_change=may_change)
    held_out = _largest(solutions) if may_change else None
    if held_out is None:
        return found
    others = [solution for solution in solutions if solution is not held_out]
    apart = replace(comparison, validation=[held_out.space.task])
    choice = Choice(apart.score(of_roles(others)), held_out=held_out.space.task.problem.name)
    if choice.roles.is_small:
        return found
    return _chosen(found, choice, [each.space.task for each in others], apart, may_change=True)


def _chosen(
    found: Learning, choice: Choice, tasks: Sequence[GroundTask], comparison: _Comparison, *, may_change: bool
) -> Learning:
    """What was found; or rules from these problems, if that may be, roles do not suffice, and rules do better."""
    if choice.roles.suffices or not may_change:
        return replace(found, choice=choice)
    try:
        automaton, rules = comparison.rules(tasks)
    except (LimitError, UsageError) as error:
        return replace(found, choice=replace(choice, refusal=str(error)))
    score = comparison.score(automaton)
    if better(choice.roles, score):
        return replace(found, rules=rules, choice=replace(choice, rules=score))
    return replace(found, automaton=automaton, rules=rules, choice=replace(choice, rules=score, taken="concepts"))


def _largest(solutions: Sequence[Solution]) -> Solution | None:
    """The solution of the problem with the most objects; None if no other has fewer."""
    sizes = [len(solution.space.task.objects) for solution in solutions]
    largest = max(solutions, key=lambda each: (len(each.space.task.objects), each.expanded))
    return largest if min(sizes) < max(sizes) else None


def rules_after_growth(
    growth: Growth, checks: Sequence[Instance], solving: Solving, *, must: bool, progress: Progress = lambda _: None
) -> Learning | None:
    """Rules next to what was grown, and the better of both; None where what was grown is good enough.

    It is if it kept at most a tenth of the states of the last large problem, and if it suffices on the ``checks``, the
    problems that are given for validation. If they ``must`` be, rules are learned and taken anyway.
    """
    limits = solving.limits(states=False)
    seconds = min(RULE_SECONDS, limits.seconds or RULE_SECONDS)
    given = [each.task(limits=limits) for each in checks]
    settings = replace(solving.settings, limits=limits)
    comparison = _Comparison(given, settings, seconds, progress)
    roles = comparison.score(growth.automaton)
    if not must and roles.suffices and _prunes(growth):
        return None
    tasks = [step.instance.task(limits=limits) for step in growth.steps if step.outcome != "unsolvable"]
    try:
        if not given:
            comparison = replace(comparison, validation=tasks[-TRIED:])
            roles = comparison.score(growth.automaton)
        automaton, rules = comparison.rules(tasks)
        score = comparison.score(automaton)
    except (LimitError, UsageError):
        if must:
            raise
        return None
    if must or better(score, roles):
        return Learning(automaton, rules=rules, choice=Choice(roles, score, "concepts"))
    return Learning(growth.automaton, rules=rules, choice=Choice(roles, score))


def _prunes(growth: Growth) -> bool:
    """Whether at most a tenth of the states of the last large problem were kept."""
    large = [step for step in growth.steps if step.needed_nothing and (step.expanded_without or 0) >= MANY]
    return not large or large[-1].expanded <= SHARE * (large[-1].expanded_without or 0)
