"""Problems of the library unified-planning, as problems of gpaplan.

    from unified_planning.shortcuts import *
    from gpaplan import ground, solve
    from gpaplan.interop.unified_planning import from_unified_planning

    converted = from_unified_planning(problem)
    solution = solve(ground(converted))
    plan = converted.plan(solution.policy)

What a problem uses is asked of its ``kind``, which names every feature; one that is not among `FEATURES` is refused by
that name, with the compiler of unified-planning that removes it where there is one. The rest is written as PDDL by
unified-planning itself, and read here.

It needs the package unified-planning (``pip install gpaplan[unified-planning]``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpaplan.errors import Diagnostic, UnsupportedError, UsageError
from gpaplan.policies.policy import Policy
from gpaplan.ppddl import Domain, Problem, parse_task
from gpaplan.traces.trials import record_trials

try:
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLWriter
    from unified_planning.model import Problem as UnifiedProblem
    from unified_planning.plans import ActionInstance, SequentialPlan
except ModuleNotFoundError as error:
    if error.name is None or not error.name.startswith("unified_planning"):
        raise
    raise ImportError(
        "gpaplan.interop.unified_planning needs the package unified-planning; install gpaplan[unified-planning]",
        name="unified_planning",
    ) from None

__all__ = ["FEATURES", "ConvertedProblem", "from_unified_planning"]

_FEATURES = """
    ACTION_BASED FLAT_TYPING HIERARCHICAL_TYPING NEGATIVE_CONDITIONS DISJUNCTIVE_CONDITIONS EQUALITIES
    EXISTENTIAL_CONDITIONS UNIVERSAL_CONDITIONS CONDITIONAL_EFFECTS FORALL_EFFECTS PLAN_LENGTH ACTIONS_COST
    STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS FLUENTS_IN_BOOLEAN_ASSIGNMENTS INT_NUMBERS_IN_ACTIONS_COST
    REAL_NUMBERS_IN_ACTIONS_COST STATIC_FLUENTS_IN_ACTIONS_COST
"""
FEATURES = frozenset(_FEATURES.split())
"""The features of a problem's ``kind`` that `from_unified_planning` takes."""

_COMPILERS = {
    "OBJECT_FLUENTS": "USERTYPE_FLUENTS_REMOVING",
    "STATE_INVARIANTS": "STATE_INVARIANTS_REMOVING",
    "TRAJECTORY_CONSTRAINTS": "TRAJECTORY_CONSTRAINTS_REMOVING",
}


@dataclass(frozen=True)
class ConvertedProblem:
    """A problem of unified-planning with its domain and problem for gpaplan: `gpaplan.ground` takes it as it is."""

    source: UnifiedProblem
    """The problem that was converted."""
    domain: Domain
    """Its fluents and actions, as a domain of PPDDL."""
    problem: Problem
    """Its objects, initial values, goals and metric, as a problem of that domain."""
    writer: PDDLWriter
    """It knows which names it gave to the actions and objects of the source."""

    def plan(self, policy: Policy) -> SequentialPlan:
        """The actions that the policy of this problem takes, as a plan of unified-planning.

        Raises `UsageError` if the policy does not lead to the goal.
        """
        trial = record_trials(policy.task, policy, horizon=len(policy) + 1).trials[0]
        if trial.end != "goal":
            raise UsageError(f"the policy does not lead to the goal of problem '{self.problem.name}': {trial.end}")
        return SequentialPlan(
            [
                ActionInstance(
                    self.writer.get_item_named(step.action.schema),
                    [self.writer.get_item_named(each) for each in step.action.arguments],
                )
                for step in trial.steps
            ]
        )


def from_unified_planning(problem: UnifiedProblem, *, domain_name: str = "unified-planning") -> ConvertedProblem:
    """A classical problem of unified-planning as a domain and a problem of gpaplan.

    unified-planning has no domains, and so the domain's name is given. Problems with the same fluents and actions, in
    the same order, have the same domain, as learning from several of them asks for.

    It takes what `FEATURES` has: typed objects, Boolean fluents, all connectives and quantifiers, conditional and
    quantified effects, and as a metric none, the length of the plan, or action costs that are numbers or static
    fluents. Without a metric of costs every action costs 1. Raises `UnsupportedError`, one finding a feature, for
    anything else, and `UsageError` for what is no problem of unified-planning.
    """
    if not isinstance(problem, UnifiedProblem):
        raise UsageError(f"from_unified_planning takes a Problem of unified-planning, not a {type(problem).__name__}")
    findings = []
    for feature in sorted(problem.kind.features - FEATURES):
        compiler = _COMPILERS.get(feature)
        hint = f"its compiler of the kind {compiler} removes it" if compiler else None
        findings.append(_finding(problem, f"the feature {feature} of unified-planning is not supported", hint))
    if findings:
        raise UnsupportedError(findings)
    metrics = problem.quality_metrics
    if len(metrics) > 1:
        raise UnsupportedError([_finding(problem, "more than one quality metric is not supported")])
    minimised = [each for each in metrics if each.is_minimize_action_costs()]
    if any(each.get_action_cost(action) is None for each in minimised for action in problem.actions):
        message = "an action without a cost, where costs are minimised, is not supported"
        raise UnsupportedError([_finding(problem, message)])
    writer = PDDLWriter(problem, rewrite_bool_assignments=True)
    try:
        parsed = parse_task(writer.get_domain(), writer.get_problem())
    except UPException as error:
        raise UnsupportedError([_finding(problem, str(error))]) from None
    domain = replace(parsed.domain, name=domain_name)
    return ConvertedProblem(problem, domain, replace(parsed.problem, domain_name=domain_name), writer)


def _finding(problem: UnifiedProblem, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(message, context=(f"problem '{problem.name or ''}'",), hint=hint)
