"""Random small planning tasks, as syntax trees.

`tasks()` draws a domain and a problem in which every feature of the language may meet every other: types with a
hierarchy and `either`, constants, quantifiers, and the effects `and`, `when`, `forall` and `probabilistic` in each
other. Each tree is well-typed: an argument's type is a subtype of the type the predicate asks for, every variable is
in scope, and none hides another. Tasks stay tiny, and the number of joint outcomes of an action is at most
`MOST_OUTCOMES`, so that everything about them can be enumerated.

Trees are built from the top down, with what is in scope at hand: nothing is filtered out afterwards. The first choice
is everywhere the simplest one, so that a failing task shrinks to a readable one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Literal, TypeVar

from hypothesis import strategies as st

from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Constant,
    Delete,
    Domain,
    Effect,
    EffectOutcome,
    Equals,
    Exists,
    Expression,
    ForAll,
    ForAllEffect,
    Formula,
    Function,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    Or,
    Predicate,
    Probabilistic,
    Problem,
    Schema,
    Term,
    TypeDeclaration,
    TypedName,
    Variable,
    When,
)
from tests.reference import Interpreter

MOST_OUTCOMES = 64

DEEPEST_EFFECT = 3

REQUIREMENTS = (":adl", ":probabilistic-effects", ":rewards", ":action-costs")

DISTRIBUTIONS = tuple(
    tuple(Fraction(probability) for probability in text.split())
    for text in (
        "1/2", "1", "0", "1/3", "1/2 1/2", "1/3 2/3", "0 1", "1/4 1/2", "0.9 0.1", "0.94", "1/3 1/3 1/3",
        "1/10 2/10 3/10", "1/7 0 2/7",
    )
)  # fmt: skip
"""The probabilities of a `probabilistic` effect; most of them leave something over."""

AMOUNTS = tuple(Fraction(text) for text in ("1", "0", "2", "1/2", "3.25"))

Symbol = TypeVar("Symbol", Predicate, Function)


def tasks() -> st.SearchStrategy[tuple[Domain, Problem]]:
    """A domain and a problem of it."""
    return _tasks()


# --- what is in scope --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scope:
    """What a formula or an effect may speak about, and how large the task's parts are."""

    supertypes: dict[str, frozenset[str]]
    """Each type's supertypes, itself and ``object`` among them."""
    objects: tuple[TypedName, ...]
    """All objects of the task, whether or not they may be named here."""
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    terms: tuple[TypedName, ...] = ()
    """The variables and objects that may be arguments here."""

    def fits(self, term: TypedName, parameter: TypedName) -> bool:
        """Whether each type the term may have is a subtype of a type of the parameter."""
        return all(not self.supertypes[name].isdisjoint(parameter.types) for name in term.types)

    def candidates(self, parameter: TypedName) -> list[TypedName]:
        return [term for term in self.terms if self.fits(term, parameter)]

    def usable(self, symbols: tuple[Symbol, ...]) -> list[Symbol]:
        """The predicates or functions for whose every parameter there is an argument."""
        return [symbol for symbol in symbols if all(self.candidates(each) for each in symbol.parameters)]

    def members(self, parameters: tuple[TypedName, ...]) -> list[tuple[str, ...]]:
        """The tuples of objects that the parameters can stand for."""
        fitting = [[each.name for each in self.objects if self.fits(each, parameter)] for parameter in parameters]
        return list(product(*fitting))

    def naming(self, terms: tuple[TypedName, ...]) -> _Scope:
        return replace(self, terms=self.terms + terms)


@st.composite
def _typed_variables(draw: st.DrawFn, scope: _Scope, least: int, most: int) -> tuple[TypedName, ...]:
    """New variables, with names that nothing in scope has."""
    first = sum(term.name.startswith("?") for term in scope.terms)
    count = draw(st.integers(least, most))
    return tuple(TypedName(f"?v{first + index}", draw(_types(scope))) for index in range(count))


def _types(scope: _Scope) -> st.SearchStrategy[tuple[str, ...]]:
    """One type, or an `either` of two."""
    names = sorted(scope.supertypes)
    one = st.sampled_from([(name,) for name in names])
    two = st.sampled_from(
        [(left, right) for left in names for right in names if "object" not in (left, right) and left != right]
    )
    return st.one_of(one, one, two)


@st.composite
def _arguments(draw: st.DrawFn, scope: _Scope, parameters: tuple[TypedName, ...]) -> tuple[Term, ...]:
    chosen = [draw(st.sampled_from(scope.candidates(parameter))) for parameter in parameters]
    return tuple(Variable(term.name) if term.name.startswith("?") else Constant(term.name) for term in chosen)


@st.composite
def _atoms(draw: st.DrawFn, scope: _Scope) -> Atom:
    predicate = draw(st.sampled_from(scope.usable(scope.predicates)))
    return Atom(predicate.name, draw(_arguments(scope, predicate.parameters)))


# --- formulas ----------------------------------------------------------------------------------------------------


@st.composite
def _formulas(draw: st.DrawFn, scope: _Scope, depth: int) -> Formula:
    kinds = ["atom", "negated atom", "atom"] if scope.usable(scope.predicates) else []
    kinds += ["truth"]
    if scope.terms:
        kinds += ["equality"]
    if depth > 0:
        kinds += ["and", "or", "not", "imply", "forall", "exists"]
    kind = draw(st.sampled_from(kinds))
    inner = _formulas(scope, depth - 1)
    match kind:
        case "atom":
            return draw(_atoms(scope))
        case "negated atom":
            return Not(draw(_atoms(scope)))
        case "equality":
            anything = TypedName("?any")
            left, right = draw(_arguments(scope, (anything, anything)))
            return Equals(left, right)
        case "and":
            return And(tuple(draw(st.lists(inner, max_size=3))))
        case "or":
            return Or(tuple(draw(st.lists(inner, max_size=3))))
        case "not":
            return Not(draw(inner))
        case "imply":
            return Imply(draw(inner), draw(inner))
        case "forall" | "exists":
            variables = draw(_typed_variables(scope, 1, 2))
            body = draw(_formulas(scope.naming(variables), depth - 1))
            return ForAll(variables, body) if kind == "forall" else Exists(variables, body)
    return And()


# --- effects -----------------------------------------------------------------------------------------------------


def _joint_outcomes(effect: Effect, scope: _Scope) -> int:
    """At most how many joint outcomes the effect has."""
    match effect:
        case AndEffect(effects):
            count = 1
            for part in effects:
                count *= _joint_outcomes(part, scope)
            return count
        case ForAllEffect(parameters, body):
            copies: int = _joint_outcomes(body, scope) ** len(scope.members(parameters))
            return copies
        case When(_, body):
            return _joint_outcomes(body, scope)
        case Probabilistic(outcomes):
            return sum(_joint_outcomes(outcome.effect, scope) for outcome in outcomes) + 1
    return 1


@st.composite
def _effects(draw: st.DrawFn, scope: _Scope, depth: int, most: int) -> Effect:
    """An effect with at most `most` joint outcomes."""
    kinds = ["add", "delete"] if scope.usable(scope.predicates) else []
    if depth < DEEPEST_EFFECT or not kinds:
        kinds = [*kinds, *kinds, "delete and add", "change", "nothing"] if kinds else ["change", "nothing"]
    if depth > 0:
        kinds += ["and", "when", "forall"]
        if most > 1:
            kinds += ["probabilistic", "probabilistic", "independent"]
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "add":
            return Add(draw(_atoms(scope)))
        case "delete":
            return Delete(draw(_atoms(scope)))
        case "delete and add":
            atom = draw(_atoms(scope))
            return AndEffect((Add(atom), Delete(atom)))
        case "change":
            return draw(_changes(scope))
        case "and":
            return draw(_conjunctions(scope, depth, most))
        case "when":
            return When(draw(_formulas(scope, 1)), draw(_effects(scope, depth - 1, most)))
        case "forall":
            variables = draw(_typed_variables(scope, 1, 1))
            each = _root(most, len(scope.members(variables)))
            return ForAllEffect(variables, draw(_effects(scope.naming(variables), depth - 1, each)))
        case "probabilistic":
            return draw(_choices(scope, depth, most))
        case "independent":
            return AndEffect(tuple(draw(_choices(scope, depth, _root(most, 2))) for _ in range(2)))
    return AndEffect()


@st.composite
def _conjunctions(draw: st.DrawFn, scope: _Scope, depth: int, most: int) -> AndEffect:
    parts: list[Effect] = []
    for _ in range(draw(st.integers(0, 3))):
        parts.append(draw(_effects(scope, depth - 1, most)))
        most //= _joint_outcomes(parts[-1], scope)
    return AndEffect(tuple(parts))


@st.composite
def _choices(draw: st.DrawFn, scope: _Scope, depth: int, most: int) -> Effect:
    fitting = [distribution for distribution in DISTRIBUTIONS if len(distribution) < most]
    if not fitting:
        return AndEffect()
    distribution = draw(st.sampled_from(fitting))
    each = (most - 1) // len(distribution)
    return Probabilistic(
        tuple(EffectOutcome(probability, draw(_effects(scope, depth - 1, each))) for probability in distribution)
    )


@st.composite
def _changes(draw: st.DrawFn, scope: _Scope) -> Change:
    directions: list[Literal["increase", "decrease"]] = ["increase", "decrease"]
    quantities: list[Literal["total-cost", "reward"]] = ["total-cost", "reward"]
    direction = draw(st.sampled_from(directions))
    quantity = draw(st.sampled_from(quantities))
    amount: Expression = Number(draw(st.sampled_from(AMOUNTS)))
    functions = scope.usable(scope.functions)
    constant = draw(st.booleans())
    if functions and not constant:
        function = draw(st.sampled_from(functions))
        amount = FunctionTerm(function.name, draw(_arguments(scope, function.parameters)))
    return Change(direction, quantity, amount)


def _root(most: int, copies: int) -> int:
    """The largest number of outcomes of which so many independent copies have at most `most` together."""
    count = 1
    while (count + 1) ** max(copies, 1) <= most:
        count += 1
    return count


# --- domains and problems ----------------------------------------------------------------------------------------


@st.composite
def _type_declarations(draw: st.DrawFn) -> tuple[TypeDeclaration, ...]:
    """Two or three types, each below ``object``, one earlier type, or two of them."""
    declarations: list[TypeDeclaration] = []
    for index in range(draw(st.integers(2, 3))):
        earlier = [(declaration.name,) for declaration in declarations]
        pairs = [("t0", "t1")] if index == 2 else []
        declarations.append(TypeDeclaration(f"t{index}", draw(st.sampled_from([("object",), *earlier, *pairs]))))
    return tuple(declarations)


def _supertypes(declarations: tuple[TypeDeclaration, ...]) -> dict[str, frozenset[str]]:
    above = {"object": frozenset({"object"})}
    for declaration in declarations:
        above[declaration.name] = frozenset({declaration.name}).union(*(above[name] for name in declaration.parents))
    return above


@st.composite
def _parameters(draw: st.DrawFn, scope: _Scope, arity: int) -> tuple[TypedName, ...]:
    wide_or_narrow = st.one_of(st.just(("object",)), _types(scope))
    return tuple(TypedName(f"?x{index}", draw(wide_or_narrow)) for index in range(arity))


@st.composite
def _schemas(draw: st.DrawFn, scope: _Scope, name: str) -> Schema:
    parameters = draw(_typed_variables(scope, 0, 3))
    inner = scope.naming(parameters)
    precondition = draw(_formulas(inner, 2)) if draw(st.booleans()) else And()
    first = draw(_effects(inner, DEEPEST_EFFECT, MOST_OUTCOMES))
    second = draw(_effects(inner, DEEPEST_EFFECT - 1, MOST_OUTCOMES // _joint_outcomes(first, scope)))
    return Schema(name, parameters, precondition, AndEffect((first, second)) if draw(st.booleans()) else first)


def _ground(scope: _Scope, name: str, parameters: tuple[TypedName, ...]) -> list[Atom]:
    return [Atom(name, tuple(map(Constant, arguments))) for arguments in scope.members(parameters)]


@st.composite
def _with_goals(draw: st.DrawFn, domain: Domain, problem: Problem) -> Problem:
    """The problem with its goal, one that is false at the start more often than not, or no goal."""
    kind = draw(st.sampled_from(["unmet", "unmet", "unmet", "any", "none"]))
    interpreter = Interpreter(domain, problem)
    if kind == "none":
        return replace(problem, goal=None)
    if kind == "unmet" and problem.goal is not None and interpreter.is_goal(interpreter.initial_state()):
        return replace(problem, goal=Not(problem.goal))
    return problem


@st.composite
def _tasks(draw: st.DrawFn) -> tuple[Domain, Problem]:
    types = draw(_type_declarations())
    scope = _Scope(_supertypes(types), ())
    one_type = st.sampled_from([(name,) for name in sorted(scope.supertypes)])
    count = draw(st.integers(2, 4))
    constant_count = draw(st.integers(0, 2))
    named = tuple(
        TypedName(f"c{index}" if index < constant_count else f"o{index}", draw(one_type)) for index in range(count)
    )
    constants, objects = named[:constant_count], named[constant_count:]
    arities = draw(st.lists(st.sampled_from([1, 0, 2, 1, 2, 3]), min_size=2, max_size=4))
    scope = replace(scope, objects=named, terms=constants)
    scope = replace(
        scope,
        predicates=tuple(
            Predicate(f"p{index}", draw(_parameters(scope, arity))) for index, arity in enumerate(arities)
        ),
        functions=tuple(
            Function(f"f{arity}", draw(_parameters(scope, arity))) for arity in range(draw(st.integers(0, 2)))
        ),
    )
    schemas = tuple(draw(_schemas(scope, f"a{index}")) for index in range(draw(st.integers(1, 3))))
    domain = Domain("random", REQUIREMENTS, types, constants, scope.predicates, scope.functions, schemas)

    atoms = [atom for each in scope.predicates for atom in _ground(scope, each.name, each.parameters)]
    init = draw(st.lists(st.sampled_from(atoms), unique=True, max_size=8)) if atoms else []
    terms = [atom for each in scope.functions for atom in _ground(scope, each.name, each.parameters)]
    values = [
        FunctionValue(FunctionTerm(each.predicate, each.arguments), draw(st.sampled_from(AMOUNTS))) for each in terms
    ]
    metrics = [None, Metric("minimize", "total-cost"), Metric("maximize", "reward")]
    problem = Problem(
        name="random-problem",
        domain_name=domain.name,
        objects=objects,
        init=tuple(init),
        values=tuple(values),
        goal=draw(_formulas(scope.naming(objects), 2)),
        metric=draw(st.sampled_from(metrics)),
    )
    return domain, draw(_with_goals(domain, problem))
