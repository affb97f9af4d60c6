"""Learning an automaton: from solutions and policies as they are, or from problems that are solved for it.

learn(domain, [solve(task, heuristic="lmcut"), …])            # what the solutions do
learn(domain, ["gripper-2.ppddl", "gripper-3.ppddl"])         # what `gpaplan learn` does
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias, overload

from gpaplan.automata.automaton import PolicyAutomaton, given_automaton
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import AnyFilter, TransitionFilter, given_filter
from gpaplan.errors import UsageError
from gpaplan.learning.constants import RULE_SECONDS
from gpaplan.learning.edges import Ties, automaton_of
from gpaplan.learning.instances import Instance
from gpaplan.learning.loop import learn_problems
from gpaplan.learning.solving import TRAINING
from gpaplan.limits import AnyLimits
from gpaplan.policies.policy import Policy
from gpaplan.ppddl import Domain, Problem, Source
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.grounding import AnyDomain, given_domain, ground, load
from gpaplan.tasks.task import GroundTask

__all__ = ["AnyProblem", "Ties", "learn"]

AnyProblem: TypeAlias = GroundTask | Instance | Problem | Source
"""A problem of a domain: ground, to be grounded, parsed, or a file."""


@overload
def learn(
    domain: AnyDomain,
    examples: Iterable[Solution | Policy] | Solution | Policy,
    *,
    abstraction: AnyAbstraction | None = "auto",
    validate: Iterable[AnyProblem] = (),
    ties: Ties = "harmonize",
    automaton: AnyFilter | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    limits: AnyLimits = None,
) -> PolicyAutomaton: ...


@overload
def learn(
    domain: AnyDomain,
    examples: Iterable[AnyProblem],
    *,
    abstraction: AnyAbstraction | None = "auto",
    validate: Iterable[AnyProblem] = (),
    ties: Ties = "harmonize",
    automaton: AnyFilter | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    limits: AnyLimits = None,
) -> TransitionFilter: ...


def learn(
    domain: AnyDomain,
    examples: Iterable[Solution | Policy | AnyProblem] | Solution | Policy,
    *,
    abstraction: AnyAbstraction | None = "auto",
    validate: Iterable[AnyProblem] = (),
    ties: Ties = "harmonize",
    automaton: AnyFilter | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    limits: AnyLimits = None,
) -> TransitionFilter:
    """The automaton of the examples, or rules, added to ``automaton`` if one is given.

    Examples are solutions and policies, or problems, which are solved by the ``settings`` first. ``ties`` says which of
    several optimal actions an example takes: ``first`` the one with the lowest index, ``harmonize`` one that is in the
    automaton already, if there is one, ``all`` all of them. It applies to solutions that are proven optimal; any other
    solution, and every `Policy`, is taken as it is. Where an example gives up it teaches nothing.

    The ``abstraction`` is an object, ``"canonical"`` (the roles of objects), ``"concepts"`` (rules over derived
    features, for which there are so many ``seconds``), or ``"auto"``: roles, unless they do not suffice on the problems
    to ``validate`` with, or prune too little there, and rules do better. Without such problems the largest example is
    held out for that. From solutions and policies only roles are learned. Limits are those of each problem, or of all
    of it if their clock runs already.
    """
    ready: list[Solution | Policy] = []
    problems: list[AnyProblem] = []
    for each in [examples] if isinstance(examples, Solution | Policy) else examples:
        if isinstance(each, Solution | Policy):
            ready.append(each)
        else:
            problems.append(each)
    checks = list(validate)
    domain = given_domain(domain)
    before = None if automaton is None else given_filter(automaton)
    if ready and problems:
        raise UsageError("the examples are solutions and problems: solve the problems first, or give only problems")
    if ready and (abstraction == "concepts" or checks):
        raise UsageError("rules are learned from problems, and chosen by others: give problems, and not solutions")
    if ready:
        roles = None if abstraction == "auto" else abstraction
        old = None if before is None else given_automaton(before)
        return automaton_of(domain, ready, abstraction=roles, ties=ties, automaton=old, limits=limits)
    if not problems:
        raise UsageError("there is nothing to learn from: give solutions, policies or problems of the domain")
    return learn_problems(
        [_grounded(domain, each, limits) for each in problems],
        [_grounded(domain, each, limits) for each in checks],
        abstraction=abstraction,
        ties=ties,
        automaton=before,
        settings=replace(settings, limits=limits),
        seconds=seconds,
    ).automaton


def _grounded(domain: Domain, problem: AnyProblem, limits: AnyLimits) -> GroundTask:
    if isinstance(problem, Instance):
        return problem.task(limits=limits)
    if isinstance(problem, Problem):
        return ground(domain, problem, limits=limits)
    return problem if isinstance(problem, GroundTask) else load(domain, problem, limits=limits)
