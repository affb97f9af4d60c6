"""Grounding: from a domain and a problem to a `GroundTask`.

    task = load("domain.ppddl", "problem.ppddl")
    task = ground(parse_task("domain.ppddl", "problem.ppddl"))  # the same in two steps

`encode` turns the syntax tree into the integer form that the C++ grounder reads (documented in
src/core/grounding/lifted.hpp): names are resolved, types become lists of objects, negation is pushed down to the atoms,
an implication becomes a disjunction, and the probability that a `probabilistic` leaves over becomes an outcome without
effect, computed exactly. Objects are numbered in declaration order, the domain's constants first. Each quantified
variable of a schema gets a number of its own, after the parameters. The grounder does the joins.

Actions cost 1 each, or what the problem's ``:metric`` says. ``auto``, the default, takes the metric where it asks for
the least expected cost: if it minimises the total cost, or maximises a reward that actions only decrease, each of them.
Everything else is solved with unit costs, and `Costs` says why.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from gpaplan import _core
from gpaplan._core import LiftedKind
from gpaplan.display import under_way
from gpaplan.errors import (
    CostError,
    Diagnostic,
    InputError,
    LimitError,
    OutOfRangeError,
    TooLargeError,
    UsageError,
    misplaced,
)
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import (
    Domain,
    ParsedTask,
    Problem,
    Source,
    WarningHandler,
    parse_domain,
    parse_problem,
    parse_task,
    syntax,
)
from gpaplan.ppddl.check import TypeHierarchy
from gpaplan.tasks.task import GroundAction, GroundTask

TaskCost: TypeAlias = Literal["unit", "metric"]
"""What the actions of a task cost: 1 each, or what the problem's ``:metric`` says."""

CostMode: TypeAlias = Literal["auto", "unit", "metric"]
"""The costs to ground a problem with; ``auto``: those of its ``:metric`` if that asks for the least cost, else 1."""


class Costs(NamedTuple):
    """The costs of a task: ``str(costs)`` is such as ``unit: the problem has no :metric``."""

    mode: TaskCost
    """``"unit"`` or ``"metric"``."""
    reason: str = ""
    """Why they are not those of the metric; empty if they are."""

    def __str__(self) -> str:
        return f"{self.mode}: {self.reason}" if self.reason else self.mode


NO_METRIC = Costs("unit", "the problem has no :metric")
"""What most problems have."""


def costs_asked_for(domain: syntax.Domain, problem: syntax.Problem) -> Costs:
    """What ``auto`` means for a problem."""
    metric = problem.metric
    if metric is None:
        return NO_METRIC
    if metric.quantity == "total-cost":
        return Costs("metric")  # a metric that maximises it is refused when it is read
    if metric.direction == "minimize":
        return Costs("unit", "the metric minimises a reward")
    if problem.goal_reward is not None:
        return Costs("unit", "the metric weighs costs against a reward for the goal")
    for schema in domain.schemas:
        changes = [each for each in syntax.within(schema.effect, syntax.Change) if each.quantity == "reward"]
        if not changes or any(_may_increase(change, problem) for change in changes):
            does = "increases" if changes else "leaves as it is"
            return Costs("unit", f"the metric maximises a reward, which action '{schema.name}' {does}")
    return Costs("metric")


def costs_of(task: GroundTask) -> Costs:
    """The costs that a task has been grounded with."""
    if task.cost == "metric":
        return Costs("metric")
    asked = costs_asked_for(task.domain, task.problem)
    return asked if asked.reason else Costs("unit", "not those of the metric, as asked for")


def check_same_costs(tasks: Iterable[tuple[str, str]]) -> None:
    """Raise `UsageError` unless all of these, (problem, cost), are of one cost mode: what is learned from mixed costs
    is consistent with none of them."""
    first: tuple[str, str] | None = None
    for name, cost in tasks:
        first = first or (name, cost)
        if cost != first[1]:
            raise UsageError(
                f"the problems do not have the same costs: by their metrics '{first[0]}' has {first[1]} costs and "
                f"'{name}' has {cost} costs; choose one with --cost unit or --cost metric"
            )


def _may_increase(change: syntax.Change, problem: syntax.Problem) -> bool:
    """Whether a change makes a quantity larger, in any state."""
    amount = change.amount
    if isinstance(amount, syntax.Number):
        amounts = [amount.value]
    else:
        amounts = [each.value for each in problem.values if each.term.function == amount.function]
    return any(value > 0 if change.direction == "increase" else value < 0 for value in amounts)


MAX_ACTIONS = 20_000_000
"""Ground actions beyond which `ground` refuses a task, unless told otherwise."""


@runtime_checkable
class Pair(Protocol):
    """A domain and a problem in one: what `parse_task` returns, or `gpaplan.benchmarks.generate`."""

    @property
    def domain(self) -> Domain:
        """The domain, parsed."""

    @property
    def problem(self) -> Problem:
        """The problem, parsed."""


AnyTask: TypeAlias = GroundTask | Pair | Source | tuple[Source | Domain, Source | Problem]
"""A task, or what one is made of: a domain and a problem in one, a file that holds both, or the two as a pair."""
AnyDomain: TypeAlias = Domain | Pair | GroundTask | Source
"""A domain, or what has one: a task, or a file."""


def given_task(given: AnyTask, **settings: Any) -> GroundTask:
    """The task that is meant; what is no task yet is loaded and ground, as `load` and `ground` do it."""
    if isinstance(given, GroundTask):
        return given
    if isinstance(given, Pair):
        return ground(given, **settings)
    if isinstance(given, str | os.PathLike):
        return load(given, **settings)
    if isinstance(given, tuple | list) and len(given) == 2:
        domain, problem = given
        if isinstance(problem, Problem):
            return ground(given_domain(domain), problem, **settings)
        if isinstance(domain, str | os.PathLike | Domain) and isinstance(problem, str | os.PathLike):
            return load(domain, problem, **settings)
    raise misplaced(given, "task", "pass load(domain, problem), or the two files as a pair")


def given_domain(given: AnyDomain) -> Domain:
    """The domain that is meant: itself, that of a task, or of a file."""
    if isinstance(given, str | os.PathLike):
        return parse_domain(given)
    domain = given if isinstance(given, Domain) else getattr(given, "domain", None)
    if not isinstance(domain, Domain):
        raise misplaced(given, "domain", "pass task.domain, parse_domain(file), or the file")
    return domain


@under_way("grounding")
def ground(
    domain: Domain | Pair,
    problem: Problem | None = None,
    *,
    cost: CostMode = "auto",
    relevance: bool = True,
    max_actions: int = MAX_ACTIONS,
    limits: AnyLimits = None,
) -> GroundTask:
    """Ground a problem of a domain; the two may come in one, as `parse_task` returns them.

    ``cost="unit"`` makes every action cost 1; ``cost="metric"`` takes the costs from the problem's ``:metric``, where
    ``maximize (reward)`` makes a decrease of the reward a cost. ``cost="auto"`` takes them from the metric if it asks
    for the least cost (`gpaplan.tasks.grounding`), and is ``"unit"`` otherwise; `GroundTask.cost` says which.

    With ``relevance`` the atoms and actions that the goal can never depend on are dropped (docs/reductions.md); the
    optimal values stay what they are. `GroundTask.dropped_atoms` and `GroundTask.dropped_actions` name them.

    Raises `TooLargeError` if there are more than ``max_actions`` ground actions, `CostError` if an action's cost is not
    positive, `OutOfRangeError` if no double holds it, `InputError` if a cost function has no value where it is needed,
    and `LimitError` at a limit.
    """
    if problem is None and isinstance(domain, Pair):
        problem, domain = domain.problem, domain.domain
    if not isinstance(domain, Domain) or not isinstance(problem, Problem):
        raise UsageError("ground takes a domain and a problem, both parsed; load takes files")
    if cost == "auto":
        cost = costs_asked_for(domain, problem).mode
    encoding = encode(domain, problem, cost)
    try:
        core = _core.ground(**encoding.arguments, relevance=relevance, max_actions=max_actions, stop=started(limits))
    except _core.TaskTooLarge:
        raise TooLargeError(
            f"problem '{problem.name}': grounding gives more than {max_actions:,} actions (the limit max-actions); "
            "use a smaller problem, or bind the actions' parameters more tightly by their preconditions"
        ) from None
    except _core.MissingValue as error:
        raise _missing_value(encoding, problem, *error.args) from None
    except _core.Stopped as error:
        raise LimitError("grounding", error.args[0]) from None
    task = GroundTask(domain, problem, encoding.objects, cost, core, relevance=relevance)
    if cost == "metric":
        _check_costs(task)
    return task


def load(
    domain: Source | Domain,
    problem: Source | None = None,
    problem_name: str | None = None,
    *,
    cost: CostMode = "auto",
    relevance: bool = True,
    max_actions: int = MAX_ACTIONS,
    limits: AnyLimits = None,
    on_warning: WarningHandler | None = None,
) -> GroundTask:
    """Read, check and ground a problem: from two files, from one that holds both, or of a domain parsed before.

    What is wrong with the files is raised as by `parse_task`, what is wrong with the rest as by `ground`. Warnings go
    to ``on_warning``.
    """
    stop = started(limits)
    if not isinstance(domain, Domain):
        parsed = parse_task(domain, problem, problem_name, limits=stop)
        if on_warning is not None:
            for warning in parsed.warnings:
                on_warning(warning)
    elif problem is not None:
        parsed = ParsedTask(domain, parse_problem(domain, problem, problem_name, limits=stop, on_warning=on_warning))
    else:
        raise UsageError(f"load was given the domain '{domain.name}', and no problem of it")
    return ground(parsed, cost=cost, relevance=relevance, max_actions=max_actions, limits=stop)


def _missing_value(
    encoding: Encoding, problem: Problem, function: int, arguments: list[int], schema: int
) -> InputError:
    domain = encoding.domain
    term = " ".join([domain.functions[function].name, *(encoding.objects[i] for i in arguments)])
    return InputError(
        [
            Diagnostic(
                f"the initial state gives no value to ({term})",
                problem.span,
                (f"problem '{problem.name}'",),
                f"action '{domain.schemas[schema].name}' takes its cost from it; add (= ({term}) NUMBER) to :init, "
                "or use unit costs (--cost unit)",
            )
        ]
    )


def _check_costs(task: GroundTask) -> None:
    wrong: dict[str, tuple[str, float]] = {}
    for index, bound in task.core.wrong_costs():
        action = task.action(index)
        if not math.isfinite(bound):
            raise out_of_range(task, "cost", action)
        wrong.setdefault(action.schema, (str(action), bound))
    if wrong:
        lines = [f"  {example} costs {bound:g}" for example, bound in wrong.values()]
        raise CostError(
            f"problem '{task.problem.name}': with costs from the metric every action must have a positive cost, but\n"
            + "\n".join(lines)
            + '\n  add a cost to these actions, or use unit costs (--cost unit, in Python cost="unit")'
        )


def out_of_range(task: GroundTask, quantity: str, action: GroundAction | None) -> OutOfRangeError:
    """The error for a ``"cost"`` or a ``"probability"`` of an action, or for the cost of a policy if there is none."""
    problem = task.problem
    context = (f"problem '{problem.name}'",)
    largest = f"the largest double, {sys.float_info.max:.2g}"
    larger_unit = "count costs in a larger unit, or use unit costs (--cost unit)"
    if action is None:
        reached = "the policy reaches the goal with probability 1, but its expected cost is more than"
        hint = larger_unit if task.cost == "metric" else None
        metric = problem.metric if task.cost == "metric" else None
        span = problem.span if metric is None else metric.span
        return OutOfRangeError([Diagnostic(f"{reached} {largest}", span, context, hint)])
    span = next(schema.span for schema in task.domain.schemas if schema.name == action.schema)
    if quantity == "cost":
        return OutOfRangeError([Diagnostic(f"action {action} costs more than {largest}", span, context, larger_unit)])
    joint = f"an outcome of action {action} has a probability of less than the least double, {sys.float_info.min:.2g}"
    hint = "it is a product of independent effects; leave out the rarest of them"
    return OutOfRangeError([Diagnostic(joint, span, context, hint)])


# --- the syntax tree as integers ---

_Visible: TypeAlias = Mapping[str, int]
"""The variables that may be used at some place, by number."""


def supertypes(domain: syntax.Domain) -> dict[str, frozenset[str]]:
    """Each type of a domain with itself and everything above it; every type is below ``object``."""
    types = TypeHierarchy(domain.types)
    names = dict.fromkeys((*types.parents, *(each for parents in types.parents.values() for each in parents)))
    return {name: frozenset({"object", *types.above(name)}) for name in names}


def declared_objects(domain: syntax.Domain, problem: syntax.Problem) -> dict[str, frozenset[str]]:
    """Every object in declaration order, constants first, with all its types (supertypes included)."""
    above = supertypes(domain)
    objects: dict[str, frozenset[str]] = {}
    for declared in (*domain.constants, *problem.objects):
        types = frozenset().union(*(above.get(name, frozenset({name, "object"})) for name in declared.types))
        objects[declared.name] = objects.get(declared.name, frozenset()) | types
    return objects


@dataclass
class Encoding:
    """The arguments of ``_core.ground`` but for its limits, and the objects' names by index."""

    domain: syntax.Domain
    objects: tuple[str, ...]
    arguments: dict[str, Any] = field(default_factory=dict)


class _Encoder:
    def __init__(self, domain: syntax.Domain, problem: syntax.Problem, metric: syntax.Metric | None) -> None:
        self.domain = domain
        self.metric = metric
        self.types = declared_objects(domain, problem)
        self.objects = {name: index for index, name in enumerate(self.types)}
        self.predicates = {predicate.name: index for index, predicate in enumerate(domain.predicates)}
        self.functions = {function.name: index for index, function in enumerate(domain.functions)}
        self.numbers: dict[Fraction, int] = {}
        """Exact; the core sees the nearest doubles."""
        self.ranges: dict[tuple[str, ...], int] = {}
        """The types of variables."""
        self.variables: list[int] = []
        """The range of each variable of the schema, or goal, at hand."""

    def number(self, value: Fraction) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def declare(self, parameters: Iterable[syntax.TypedName], outer: _Visible) -> _Visible:
        """What is visible where variables are declared: these, numbered, and the outer ones."""
        inner = dict(outer)
        for parameter in parameters:
            inner[parameter.name] = len(self.variables)
            self.variables.append(self.ranges.setdefault(parameter.types, len(self.ranges)))
        return inner

    def terms(self, terms: Sequence[syntax.Term], visible: _Visible) -> list[int]:
        objects = self.objects
        return [~visible[each.name] if isinstance(each, syntax.Variable) else objects[each.name] for each in terms]

    # --- formulas ---

    def formula(self, formula: syntax.Formula, visible: _Visible, negated: bool = False) -> list[int]:
        match formula:
            case syntax.Atom():
                kind = LiftedKind.NOT_ATOM if negated else LiftedKind.ATOM
                return [kind, self.predicates[formula.predicate], *self.terms(formula.arguments, visible)]
            case syntax.Equals():
                kind = LiftedKind.NOT_EQUAL if negated else LiftedKind.EQUAL
                return [kind, *self.terms((formula.left, formula.right), visible)]
            case syntax.Not():
                return self.formula(formula.operand, visible, not negated)
            case syntax.And() | syntax.Or():
                return self.junction(formula.operands, isinstance(formula, syntax.And) != negated, visible, negated)
            case syntax.Imply():
                operands = (syntax.Not(formula.premise), formula.conclusion)
                return self.junction(operands, negated, visible, negated)
            case syntax.ForAll() | syntax.Exists():
                quantifier = LiftedKind.FORALL if isinstance(formula, syntax.ForAll) != negated else LiftedKind.EXISTS
                first, inner = len(self.variables), self.declare(formula.parameters, visible)
                quantified = [word for number in range(first, len(self.variables)) for word in (quantifier, number)]
                return quantified + self.formula(formula.body, inner, negated)

    def junction(
        self, operands: Sequence[syntax.Formula], conjunctive: bool, visible: _Visible, negated: bool
    ) -> list[int]:
        kind = LiftedKind.CONJUNCTION if conjunctive else LiftedKind.DISJUNCTION
        return [kind, len(operands), *chain.from_iterable(self.formula(each, visible, negated) for each in operands)]

    # --- effects ---

    def effect(self, effect: syntax.Effect, visible: _Visible) -> list[int]:
        match effect:
            case syntax.Add() | syntax.Delete():
                kind = LiftedKind.ADD if isinstance(effect, syntax.Add) else LiftedKind.REMOVE
                return [kind, self.predicates[effect.atom.predicate], *self.terms(effect.atom.arguments, visible)]
            case syntax.AndEffect():
                parts = [self.effect(each, visible) for each in effect.effects]
                return [LiftedKind.CONJUNCTION, len(parts), *chain.from_iterable(parts)]
            case syntax.ForAllEffect():
                first, inner = len(self.variables), self.declare(effect.parameters, visible)
                numbers = range(first, len(self.variables))
                body = self.effect(effect.effect, inner)
                return [word for number in numbers for word in (LiftedKind.FORALL, number)] + body
            case syntax.When():
                return [LiftedKind.WHEN, *self.formula(effect.condition, visible), *self.effect(effect.effect, visible)]
            case syntax.Probabilistic():
                return self.probabilistic(effect, visible)
            case syntax.Change():
                return self.change(effect, visible)

    def probabilistic(self, effect: syntax.Probabilistic, visible: _Visible) -> list[int]:
        outcomes: list[tuple[Fraction, syntax.Effect]] = [
            (outcome.probability, outcome.effect) for outcome in effect.outcomes if outcome.probability > 0
        ]
        left = 1 - sum((probability for probability, _ in outcomes), Fraction(0))
        if float(left) > 0:
            outcomes.append((left, syntax.AndEffect()))
        code = [LiftedKind.PROBABILISTIC, len(outcomes)]
        for probability, outcome in outcomes:
            code += [self.number(probability), *self.effect(outcome, visible)]
        return code

    def change(self, effect: syntax.Change, visible: _Visible) -> list[int]:
        if self.metric is None or effect.quantity != self.metric.quantity:
            return [LiftedKind.CONJUNCTION, 0]
        sign = 1 if (effect.direction == "increase") == (self.metric.direction == "minimize") else -1
        if isinstance(effect.amount, syntax.Number):
            return [LiftedKind.COST, self.number(sign * effect.amount.value)]
        terms = self.terms(effect.amount.arguments, visible)
        return [LiftedKind.COST_FUNCTION, self.functions[effect.amount.function], sign, *terms]

    # --- the whole ---

    def schema(self, schema: syntax.Schema) -> tuple[int, list[int], list[int], list[int]]:
        self.variables = []
        visible = self.declare(schema.parameters, {})
        precondition = self.formula(schema.precondition, visible)
        effect = self.effect(schema.effect, visible)
        return len(schema.parameters), self.variables, precondition, effect

    def members(self) -> list[list[int]]:
        """The objects of each range."""
        return [[i for i, own in enumerate(self.types.values()) if not own.isdisjoint(types)] for types in self.ranges]


def encode(domain: syntax.Domain, problem: syntax.Problem, cost: str) -> Encoding:
    """Encode a checked domain and problem; ``cost`` is ``"unit"`` or ``"metric"``."""
    if cost not in ("unit", "metric"):
        raise UsageError(f"unknown cost mode '{cost}'; it is 'auto', 'unit' or 'metric'")
    if cost == "metric" and problem.metric is None:
        raise UsageError(
            f"problem '{problem.name}' has no :metric to take costs from; "
            "add (:metric minimize (total-cost)), or use unit costs (--cost unit)"
        )
    encoder = _Encoder(domain, problem, problem.metric if cost == "metric" else None)
    no_goal = syntax.Or()  # false: no state is a goal
    goal = encoder.formula(no_goal if problem.goal is None else problem.goal, {})
    goal_variables = encoder.variables
    schemas = [encoder.schema(schema) for schema in domain.schemas]
    atoms = [[encoder.predicates[atom.predicate], *encoder.terms(atom.arguments, {})] for atom in problem.init]
    terms = [(each.term.function, encoder.terms(each.term.arguments, {}), each.value) for each in problem.values]
    values = [[encoder.functions[name], *objects, encoder.number(value)] for name, objects, value in terms]
    arguments = {
        "object_count": len(encoder.objects),
        "predicate_arities": [len(predicate.parameters) for predicate in domain.predicates],
        "function_arities": [len(function.parameters) for function in domain.functions],
        "domains": encoder.members(),
        "initial_atoms": atoms,
        "numbers": list(map(float, encoder.numbers)),
        "function_values": values,
        "schemas": schemas,
        "goal_variable_domains": goal_variables,
        "goal": goal,
        "action_cost": 1.0 if cost == "unit" else 0.0,
    }
    return Encoding(domain, tuple(encoder.objects), arguments)
