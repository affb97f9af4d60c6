"""Problems of the library unified-planning, as problems of gpaplan.

    from unified_planning.shortcuts import *
    from gpaplan import ground, solve
    from gpaplan.interop.unified_planning import from_unified_planning

    converted = from_unified_planning(problem)
    solution = solve(ground(converted))
    plan = converted.plan(solution.policy)

What a problem uses is asked of its ``kind``, which names every feature; one that is not among `FEATURES` is refused by
that name, with the compiler of unified-planning that removes it where there is one. The rest maps node by node to the
syntax tree of PPDDL. Names are written in lower case, as PPDDL has them, and told apart where that makes two the same.

It needs the package unified-planning (``pip install gpaplan[unified-planning]``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gpaplan.errors import Diagnostic, UnsupportedError, UsageError
from gpaplan.policies.policy import Policy
from gpaplan.ppddl import Domain, Problem, syntax
from gpaplan.ppddl.terms import RESERVED
from gpaplan.traces.recording import record_trials

try:
    from unified_planning.model import Problem as UnifiedProblem
    from unified_planning.model.fluent import get_all_fluent_exp
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
    names: dict[str, str]
    """For each name of an action or object here its name in the source."""

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
                    self.source.action(self.names[step.action.schema]),
                    [self.source.object(self.names[each]) for each in step.action.arguments],
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
    _refuse(problem, sorted(problem.kind.features - FEATURES))
    return _Conversion(problem).result(domain_name)


def _refuse(problem: UnifiedProblem, features: Iterable[str]) -> None:
    findings = []
    for feature in features:
        compiler = _COMPILERS.get(feature)
        hint = f"its compiler of the kind {compiler} removes it" if compiler else None
        findings.append(_finding(problem, f"the feature {feature} of unified-planning is not supported", hint))
    if findings:
        raise UnsupportedError(findings)


def _finding(problem: UnifiedProblem, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(message, context=(f"problem '{problem.name or ''}'",), hint=hint)


class _Names:
    """Names as PPDDL writes them, by the names of unified-planning; no two are the same."""

    def __init__(self, reserved: Iterable[str] = RESERVED) -> None:
        self.taken = set(reserved)
        self.by_source: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        known = self.by_source.get(name)
        if known is not None:
            return known
        text = re.sub(r"[^a-z0-9_-]", "-", name.lower())
        text = first = text if re.match("[a-z]", text) else f"x{text}"
        count = 1
        while text in self.taken:
            count += 1
            text = f"{first}-{count}"
        self.taken.add(text)
        self.by_source[name] = text
        return text


class _Conversion:
    """One problem on its way. Nodes of unified-planning have no types for checkers, and so they are of any type."""

    def __init__(self, source: UnifiedProblem) -> None:
        self.source = source
        types = list(source.user_types)
        roots = {each.name for each in types if each.father is None}
        self.types = _Names(() if roots == {"object"} else ("object",))
        self.symbols = _Names((*RESERVED, "total-cost", "reward"))  # fluents, actions and objects
        self.variables = _Names(())
        self.metric = self._metric()
        self.mentioned: set[str] = set()

    def result(self, domain_name: str) -> ConvertedProblem:
        source = self.source
        domain_name = _Names(())(domain_name)
        schemas = tuple(self._schema(each) for each in source.actions)
        constants = frozenset(self.mentioned)  # by actions
        goal = self._conjunction(source.goals)
        booleans = [each for each in source.fluents if each.type.is_bool_type()]
        functions = self._cost_fluents()
        domain = Domain(
            domain_name,
            (":adl", ":action-costs") if self.metric is not None else (":adl",),
            tuple(self._type_declarations()),
            tuple(self._object(each) for each in source.all_objects if each.name in constants),
            predicates=tuple(syntax.Predicate(self.symbols(f.name), self._parameters(f.signature)) for f in booleans),
            functions=tuple(syntax.Function(self.symbols(f.name), self._parameters(f.signature)) for f in functions),
            schemas=schemas,
        )
        problem = Problem(
            _Names(())(source.name or "problem"),
            domain_name,
            objects=tuple(self._object(each) for each in source.all_objects if each.name not in constants),
            init=tuple(self._atom(node) for f in booleans for node, value in self._values(f) if value.is_true()),
            values=tuple(
                syntax.FunctionValue(self._function_term(node), Fraction(value.constant_value()))
                for f in functions
                for node, value in self._values(f)
            ),
            goal=goal,
            metric=None if self.metric is None else syntax.Metric("minimize", "total-cost"),
        )
        return ConvertedProblem(source, domain, problem, {new: old for old, new in self.symbols.by_source.items()})

    def _unsupported(self, what: str) -> UnsupportedError:
        return UnsupportedError([_finding(self.source, f"{what} is not supported")])

    # --- types, objects and values ---

    def _type_declarations(self) -> Iterable[syntax.TypeDeclaration]:
        for each in self.source.user_types:
            name = self.types(each.name)
            if name != "object":
                parent = "object" if each.father is None else self.types(each.father.name)
                yield syntax.TypeDeclaration(name, (parent,))

    def _type(self, given: Any) -> tuple[str, ...]:
        if not given.is_user_type():
            raise self._unsupported(f"the type {given} of a parameter")
        return (self.types(given.name),)

    def _object(self, given: Any) -> syntax.TypedName:
        return syntax.TypedName(self.symbols(given.name), self._type(given.type))

    def _parameters(self, given: Iterable[Any]) -> tuple[syntax.TypedName, ...]:
        return tuple(syntax.TypedName(f"?{self.variables(each.name)}", self._type(each.type)) for each in given)

    def _values(self, fluent: Any) -> Iterable[tuple[Any, Any]]:
        for node in get_all_fluent_exp(self.source, fluent):
            yield node, self.source.initial_value(node)

    # --- costs ---

    def _metric(self) -> Any:
        """The metric, if it has costs of actions; None where each action costs 1."""
        metrics = self.source.quality_metrics
        if len(metrics) > 1:
            raise self._unsupported("more than one quality metric")
        return metrics[0] if metrics and metrics[0].is_minimize_action_costs() else None

    def _cost_fluents(self) -> list[Any]:
        """The static fluents that costs are taken from, in the order in which they are declared."""
        nodes = [] if self.metric is None else [self.metric.get_action_cost(each) for each in self.source.actions]
        used = {node.fluent().name for node in nodes if node is not None and node.is_fluent_exp()}
        return [each for each in self.source.fluents if each.name in used]

    def _cost(self, action: Any) -> syntax.Effect:
        node = self.metric.get_action_cost(action)
        if node is None:
            raise self._unsupported(f"action '{action.name}' without a cost where the metric is the cost of actions")
        if node.is_fluent_exp():
            return syntax.Change("increase", "total-cost", self._function_term(node))
        if node.is_int_constant() or node.is_real_constant():
            return syntax.Change("increase", "total-cost", syntax.Number(Fraction(node.constant_value())))
        raise self._unsupported(f"the cost {node} of action '{action.name}', neither a number nor a static fluent,")

    def _function_term(self, node: Any) -> syntax.FunctionTerm:
        return syntax.FunctionTerm(self.symbols(node.fluent().name), self._terms(node.args))

    # --- actions ---

    def _schema(self, action: Any) -> syntax.Schema:
        effects = [self._effect(each) for each in action.effects]
        if self.metric is not None:
            effects.append(self._cost(action))
        return syntax.Schema(
            self.symbols(action.name),
            self._parameters(action.parameters),
            self._conjunction(action.preconditions),
            syntax.AndEffect(tuple(effects)),
        )

    def _effect(self, effect: Any) -> syntax.Effect:
        """An assignment; of a formula it is made where the formula holds, and undone where it does not."""
        if not (effect.is_assignment() and effect.fluent.type.is_bool_type()):
            raise self._unsupported(f"the effect {effect}")
        atom = self._atom(effect.fluent)
        made: syntax.Effect
        if effect.value.is_bool_constant():
            made = syntax.Add(atom) if effect.value.is_true() else syntax.Delete(atom)
        else:
            value = self._formula(effect.value)
            made = syntax.AndEffect(
                (syntax.When(value, syntax.Add(atom)), syntax.When(syntax.Not(value), syntax.Delete(atom)))
            )
        if effect.is_conditional():
            made = syntax.When(self._formula(effect.condition), made)
        return syntax.ForAllEffect(self._parameters(effect.forall), made) if effect.is_forall() else made

    # --- formulas ---

    def _conjunction(self, nodes: Sequence[Any]) -> syntax.Formula:
        return self._formula(nodes[0]) if len(nodes) == 1 else syntax.And(tuple(map(self._formula, nodes)))

    def _formula(self, node: Any) -> syntax.Formula:
        if node.is_forall() or node.is_exists():
            quantifier = syntax.ForAll if node.is_forall() else syntax.Exists
            return quantifier(self._parameters(node.variables()), self._formula(node.arg(0)))
        if node.is_fluent_exp():
            return self._atom(node)
        if node.is_equals():
            left, right = self._terms(node.args)
            return syntax.Equals(left, right)
        if node.is_bool_constant():
            return syntax.And() if node.is_true() else syntax.Or()
        return self._connective(node)

    def _connective(self, node: Any) -> syntax.Formula:
        if not (node.is_and() or node.is_or() or node.is_not() or node.is_implies() or node.is_iff()):
            raise self._unsupported(f"the condition {node}")
        operands = tuple(self._formula(each) for each in node.args)
        if node.is_and():
            return syntax.And(operands)
        if node.is_or():
            return syntax.Or(operands)
        if node.is_not():
            return syntax.Not(operands[0])
        left, right = operands
        if node.is_implies():
            return syntax.Imply(left, right)
        return syntax.And((syntax.Imply(left, right), syntax.Imply(right, left)))

    def _atom(self, node: Any) -> syntax.Atom:
        if not node.fluent().type.is_bool_type():
            raise self._unsupported(f"the fluent {node} in a condition")
        return syntax.Atom(self.symbols(node.fluent().name), self._terms(node.args))

    def _terms(self, nodes: Sequence[Any]) -> tuple[syntax.Term, ...]:
        return tuple(self._term(each) for each in nodes)

    def _term(self, node: Any) -> syntax.Term:
        if node.is_object_exp():
            self.mentioned.add(node.object().name)
            return syntax.Constant(self.symbols(node.object().name))
        if node.is_parameter_exp():
            return syntax.Variable(f"?{self.variables(node.parameter().name)}")
        if node.is_variable_exp():
            return syntax.Variable(f"?{self.variables(node.variable().name)}")
        raise self._unsupported(f"the argument {node}")
