"""From domains, rule lists and conditions to logic: the part that proofs rest on.

There is one translation and two universes. In a `Finite` one there are some objects, quantifiers are written out, and
what comes out is a truth value if all atoms have one (tests compare it with an interpreter), else a formula of
propositions. In the `Full` one objects are unknown, in any number, and what comes out is first-order logic
for Z3. Only quantifiers, equality, closures and distances differ.

A `State` says of each atom whether it holds; that of a `Successor` is that of the state before it, changed by one
outcome of an action: what is added holds, and what held and is not deleted. The marks ``@`` and ``!`` mean what they
mean in rules. The goal is a conjunction of atoms: all that is asked for holds.

In the full universe closures and distances are functions of which true things are said (`Full.closure`,
`Full.distance`), not all there is to say. So what is proven is true; what is true may fail to be proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.rules import Rule
from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.tasks.encode import supertypes
from gpaplan.tasks.goal import changed_predicates

__all__ = ["Finite", "Full", "Outcome", "State", "Translator", "Vocabulary", "outcomes_of"]

Formula: TypeAlias = Any
"""A truth value, or a formula of Z3."""


class Thing(NamedTuple):
    """An object, or what stands for one, and its sort."""

    sort: str
    term: Any


Binding: TypeAlias = Mapping[str, Thing]


def conj(parts: Iterable[Formula]) -> Formula:
    """A conjunction; of truth values one."""
    found = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            found.append(part)
    if not found:
        return True
    import z3

    return found[0] if len(found) == 1 else z3.And(*found)


def disj(parts: Iterable[Formula]) -> Formula:
    """A disjunction."""
    return neg(conj(map(neg, parts)))


def neg(part: Formula) -> Formula:
    """A negation."""
    if part is True or part is False:
        return not part
    import z3

    return part.arg(0) if z3.is_not(part) else z3.Not(part)


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """An implication."""
    return disj((neg(premise), conclusion))


# --- vocabulary ---


@dataclass(frozen=True)
class Vocabulary:
    """The sorts of a domain, and of which sort the arguments of its predicates are.

    The types directly below ``object`` are the sorts; if something is of type ``object``, or of one of several of
    them, there is one sort of all objects. A type that is no sort is a predicate of one argument that never changes.
    """

    domain: syntax.Domain

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @cache  # noqa: B019
    def sort_of(self, types: tuple[str, ...]) -> str:
        """The sort of what is of one of these types."""
        if self.sorts == ["object"]:
            return "object"
        return next(root for root in self.sorts if root in self.above[types[0]])

    def sort_of_object(self, name: str, types: frozenset[str]) -> str:
        """The one sort of an object with all its types; `UsageError` if there is none, or several."""
        found = [sort for sort in self.sorts if sort in types]
        if len(found) != 1:
            raise UsageError(
                f"object '{name}' is not of one of the types {', '.join(self.sorts)}, which proofs tell apart"
            )
        return found[0]

    @property
    def above(self) -> dict[str, frozenset[str]]:
        """Each type, and what is above it."""
        return _supertypes(self.domain)

    @property
    def sorts(self) -> list[str]:
        """All sorts."""
        return _sorts(self.domain)

    @cache  # noqa: B019
    def signature(self, predicate: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The sort and the types of each argument."""
        declared = next(each for each in self.domain.predicates if each.name == predicate)
        return tuple((self.sort_of(each.types), each.types) for each in declared.parameters)

    @cache  # noqa: B019
    def is_unary(self, name: str) -> bool:
        """Whether there is a predicate of this name with one argument."""
        return any(each.name == name and len(each.parameters) == 1 for each in self.domain.predicates)

    @property
    def fluent(self) -> set[str]:
        """The predicates that actions change."""
        return changed_predicates(self.domain)


@cache
def _supertypes(domain: syntax.Domain) -> dict[str, frozenset[str]]:
    return supertypes(domain)


@cache
def _sorts(domain: syntax.Domain) -> list[str]:
    above = _supertypes(domain)
    roots = [name for name in above if name != "object" and above[name] == {name, "object"}]

    def sorted_out(types: tuple[str, ...]) -> bool:
        return len({root for name in types for root in roots if root in above[name]}) == 1 and all(
            len([root for root in roots if root in above[name]]) == 1 for name in types
        )

    used = [each.types for predicate in domain.predicates for each in predicate.parameters]
    used += [each.types for schema in domain.schemas for each in schema.parameters]
    used += [each.types for each in domain.constants]
    return roots if roots and all(map(sorted_out, used)) else ["object"]


# --- universes ---


class Finite:
    """Some objects, by sort, with all their types."""

    def __init__(self, vocabulary: Vocabulary, objects: Mapping[str, frozenset[str]]) -> None:
        self.vocabulary = vocabulary
        self.types = objects
        self.things: dict[str, list[Thing]] = {sort: [] for sort in vocabulary.sorts}
        for name, types in objects.items():
            sort = vocabulary.sort_of_object(name, types)
            self.things[sort].append(Thing(sort, name))

    def exists(self, sort: str, body: Test) -> Formula:
        return disj(body(each) for each in self.things[sort])

    def forall(self, sort: str, body: Test) -> Formula:
        return conj(body(each) for each in self.things[sort])

    def equal(self, one: Thing, other: Thing) -> Formula:
        return one == other

    def bindings(self, parameters: Sequence[syntax.TypedName]) -> list[Binding]:
        """All values of parameters."""
        ranges = [self.things[self.vocabulary.sort_of(each.types)] for each in parameters]
        return [dict(zip((each.name for each in parameters), values, strict=True)) for values in product(*ranges)]

    def constant(self, name: str) -> Thing:
        return next(each for things in self.things.values() for each in things if each.term == name)

    def is_of(self, thing: Thing, type_name: str) -> Formula:
        return type_name in self.types[thing.term]

    def closure(self, _key: str, sort: str, step: Step) -> Step:
        """Whether one or more steps lead from one thing to another."""
        things = self.things[sort]
        reached = {(x, y): step(x, y) for x in things for y in things}
        for middle in things:
            reached = {
                (x, y): disj((way, conj((reached[x, middle], reached[middle, y])))) for (x, y), way in reached.items()
            }
        return lambda x, y: reached[x, y]

    def distance(self, _key: str, sort: str, inside: Test, step: Step, _road: str) -> Distance:
        """How far it is from a thing to one inside: whether it is at most 0, 1, 2, … steps."""
        things = self.things[sort]
        near = {each: inside(each) for each in things}
        within = {each: [near[each]] for each in things}
        for _ in things[1:]:
            near = {x: disj([near[x], *(conj((step(x, y), near[y])) for y in things)]) for x in things}
            for each in things:
                within[each].append(near[each])
        return within.__getitem__

    def less(self, one: Any, other: Any) -> Formula:
        """Whether a distance is less than another."""
        return disj(conj((near, neg(far))) for near, far in zip(one, other, strict=True))

    def at_most(self, one: Any, other: Any) -> Formula:
        """Whether it is at most the other."""
        return conj(implies(far, near) for near, far in zip(one, other, strict=True))


class Full:
    """Any objects, of each sort at least one. `axioms` are what is true of closures and distances."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        import z3

        self.z3 = z3
        self.vocabulary = vocabulary
        self.sorts = {sort: z3.DeclareSort(sort) for sort in vocabulary.sorts}
        self.axioms: list[Formula] = []
        self.connected: set[str] = set()
        """Relations, by their text, that connect all objects of their sort."""
        self.positions: dict[str, list[Callable[[Any], Any]]] = {sort: [] for sort in self.sorts}
        """By sort: applications that say where something is, at which the next step of a shortest way is looked for."""
        self._closures: dict[str, Any] = {}
        self._distances: dict[str, tuple[str, str, Any, Any, Test]] = {}
        self._fresh = 0
        self._constants: dict[str, Thing] = {}
        for declared in vocabulary.domain.constants:
            self._constants[declared.name] = self.thing(vocabulary.sort_of(declared.types), declared.name)
        for sort in self.sorts:
            own = [each.term for each in self._constants.values() if each.sort == sort]
            if len(own) > 1:
                self.axioms.append(z3.Distinct(*own))

    def thing(self, sort: str, name: str) -> Thing:
        """A constant of the logic."""
        return Thing(sort, self.z3.Const(name, self.sorts[sort]))

    def bindings(self, parameters: Sequence[syntax.TypedName]) -> list[Binding]:
        """Unknown values of parameters."""
        return [{each.name: self.thing(self.vocabulary.sort_of(each.types), each.name) for each in parameters}]

    def _variable(self, sort: str) -> Thing:
        self._fresh += 1
        return self.thing(sort, f"variable {self._fresh}")  # no object and no parameter has a space in its name

    def exists(self, sort: str, body: Test) -> Formula:
        variable = self._variable(sort)
        inner = body(variable)
        return inner if isinstance(inner, bool) else self.z3.Exists([variable.term], inner)

    def forall(self, sort: str, body: Test) -> Formula:
        variable = self._variable(sort)
        inner = body(variable)
        return inner if isinstance(inner, bool) else self.z3.ForAll([variable.term], inner)

    def equal(self, one: Thing, other: Thing) -> Formula:
        if one.sort != other.sort:
            return False
        return True if one.term.eq(other.term) else one.term == other.term

    def constant(self, name: str) -> Thing:
        return self._constants[name]

    def is_of(self, thing: Thing, type_name: str) -> Formula:
        if type_name in (thing.sort, "object"):
            return True
        if thing.sort not in self.vocabulary.above[type_name]:
            return False
        return self.z3.Function(f"{type_name}:type", self.sorts[thing.sort], self.z3.BoolSort())(thing.term)

    def closure(self, key: str, sort: str, step: Step) -> Step:
        """A relation that has the steps, is transitive, and of which each pair begins and ends with a step."""
        z3 = self.z3
        if key not in self._closures:
            own = self.sorts[sort]
            self._closures[key] = way = z3.Function(f"plus {key}", own, own, z3.BoolSort())

            def holds(x: Thing, y: Thing) -> Formula:
                return way(x.term, y.term)

            def each_pair(x: Thing, y: Thing) -> Formula:
                first = self.exists(sort, lambda z: conj((step(x, z), holds(z, y))))
                last = self.exists(sort, lambda z: conj((holds(x, z), step(z, y))))
                return conj((implies(step(x, y), holds(x, y)), implies(holds(x, y), disj((step(x, y), first))),
                             implies(holds(x, y), disj((step(x, y), last)))))  # fmt: skip

            self.axioms.append(self.forall(sort, lambda x: self.forall(sort, lambda y: each_pair(x, y))))
            x, y, z = (self._variable(sort).term for _ in range(3))
            self.axioms.append(z3.ForAll([x, y, z], z3.Implies(z3.And(way(x, y), way(y, z)), way(x, z))))
        found = self._closures[key]
        return lambda x, y: found(x.term, y.term) if x.sort == y.sort == sort else False

    def distance(self, key: str, sort: str, inside: Test, step: Step, road: str) -> Distance:
        """A number and whether it is finite; ``road`` names the steps if these are the same in all states."""
        if key not in self._distances:
            own, z3 = self.sorts[sort], self.z3
            number = z3.Function(f"distance {key}", own, z3.IntSort())
            finite = z3.Function(f"finite {key}", own, z3.BoolSort())
            before = list(self._distances.values())
            self._distances[key] = (sort, road, number, finite, inside)
            self._describe(sort, road, number, finite, inside, step, key)
            for its_sort, its_road, its_number, its_finite, its_inside in before:
                if its_sort == sort and road and its_road == road:
                    self._compare(sort, (number, finite, inside), (its_number, its_finite, its_inside))
                    self._compare(sort, (its_number, its_finite, its_inside), (number, finite, inside))
        _, _, number, finite, _ = self._distances[key]
        return lambda x: (number(x.term), finite(x.term))

    def _describe(
        self, sort: str, road: str, number: Any, finite: Any, inside: Test, step: Step, key: str
    ) -> None:  # fmt: skip
        z3 = self.z3
        x, y = self._variable(sort), self._variable(sort)
        d, f = number(x.term), finite(x.term)
        self.axioms.append(z3.ForAll([x.term], z3.And(d >= 0, inside(x) == z3.And(f, d == 0)), patterns=[d]))
        if not isinstance(step(x, y), bool):
            closer = z3.Implies(
                z3.And(step(x, y), finite(y.term)), z3.And(f, number(x.term) <= number(y.term) + 1)
            )  # fmt: skip
            self.axioms.append(z3.ForAll([x.term, y.term], closer))
        following = z3.Function(f"next {key}", self.sorts[sort], self.sorts[sort])
        after = Thing(sort, following(x.term))
        goes = z3.And(step(x, after), finite(after.term), number(after.term) == d - 1)
        patterns = [position(x.term) for position in self.positions[sort]]
        self.axioms.append(z3.ForAll([x.term], z3.Implies(z3.And(f, d > 0), goes), patterns=patterns))
        if road in self.connected:
            self.axioms.append(implies(self.exists(sort, inside), self.forall(sort, lambda each: finite(each.term))))

    def _compare(self, sort: str, one: tuple[Any, Any, Test], other: tuple[Any, Any, Test]) -> None:
        """Where there is more inside it is not farther."""
        z3 = self.z3
        (number, finite, inside), (its_number, its_finite, its_inside) = one, other
        x = self._variable(sort).term
        part = self.forall(sort, lambda each: implies(inside(each), its_inside(each)))
        nearer = z3.ForAll(
            [x], z3.Implies(finite(x), z3.And(its_finite(x), its_number(x) <= number(x))), patterns=[number(x)]
        )
        self.axioms.append(implies(part, nearer))

    def less(self, one: Any, other: Any) -> Formula:
        return self.z3.And(one[1], self.z3.Or(self.z3.Not(other[1]), one[0] < other[0]))

    def at_most(self, one: Any, other: Any) -> Formula:
        return self.z3.Or(self.z3.Not(other[1]), self.z3.And(one[1], one[0] <= other[0]))


Test: TypeAlias = Callable[[Thing], Formula]
Step: TypeAlias = Callable[[Thing, Thing], Formula]
Distance: TypeAlias = Callable[[Thing], Any]
Universe: TypeAlias = Finite | Full


# --- states, and what actions do ---


class State:
    """Says of each atom whether it holds; its name tells it from others of the same universe."""

    def __init__(self, name: str, holds: Callable[[str, tuple[Thing, ...]], Formula]) -> None:
        self.name = name
        self.holds = holds
        """Of a predicate, perhaps with an ``@`` in front, and its arguments."""


def unknown_state(universe: Universe) -> State:
    """A state of which nothing is known: atoms are propositions, or predicates of the logic."""
    import z3

    def holds(predicate: str, arguments: tuple[Thing, ...]) -> Formula:
        if isinstance(universe, Finite):
            return z3.Bool(" ".join((predicate, *(each.term for each in arguments))))
        sorts = [universe.sorts[sort] for sort, _ in universe.vocabulary.signature(predicate.removeprefix("@"))]
        name = predicate.replace("@", "goal ")  # in SMT-LIB no name begins with an @
        return z3.Function(name, *sorts, z3.BoolSort())(*(each.term for each in arguments))

    def at(name: str, sort: str, term: Any) -> Formula:
        return holds(name, (Thing(sort, term),))

    if isinstance(universe, Full):
        for name in sorted(universe.vocabulary.fluent):
            signature = universe.vocabulary.signature(name)
            if len(signature) == 1:
                universe.positions[signature[0][0]].append(partial(at, name, signature[0][0]))
    return State("", holds)


def typing_axioms(translator: Translator, state: State) -> list[Formula]:
    """Atoms hold of objects of their types only."""
    vocabulary = translator.vocabulary

    def typed(name: str, types: list[tuple[str, ...]]) -> Formula:
        return translator.for_all(
            name.removeprefix("@"),
            lambda things: implies(state.holds(name, things), conj(map(translator.is_of, things, types))),
        )

    signatures = {
        each.name: [own for _, own in vocabulary.signature(each.name)] for each in vocabulary.domain.predicates
    }
    found = [typed(mark + name, types) for name, types in signatures.items() for mark in ("", "@")]
    return [each for each in found if each is not True]


@dataclass(frozen=True, slots=True)
class Change:
    """An atom that is added or deleted, for all values of some variables for which conditions hold."""

    adds: bool
    atom: syntax.Atom
    variables: tuple[syntax.TypedName, ...] = ()
    conditions: tuple[syntax.Formula, ...] = ()


Outcome: TypeAlias = tuple[Change, ...]


def outcomes_of(effect: syntax.Effect) -> list[tuple[Fraction, Outcome]]:
    """What may come of an effect, with the probabilities; those of zero are left out."""
    match effect:
        case syntax.Add(atom) | syntax.Delete(atom):
            return [(Fraction(1), (Change(isinstance(effect, syntax.Add), atom),))]
        case syntax.AndEffect(effects):
            combined: list[tuple[Fraction, Outcome]] = [(Fraction(1), ())]
            for each in map(outcomes_of, effects):
                combined = [(p * q, (*one, *other)) for (p, one), (q, other) in product(combined, each)]
            return combined
        case syntax.When(condition, inner):
            return [
                (p, tuple(Change(c.adds, c.atom, c.variables, (condition, *c.conditions)) for c in outcome))
                for p, outcome in outcomes_of(inner)
            ]
        case syntax.ForAllEffect(parameters, inner):
            found = outcomes_of(inner)
            if len(found) > 1:
                raise UsageError("a chance for each of many objects is beyond proofs for every size")
            return [
                (p, tuple(Change(c.adds, c.atom, (*parameters, *c.variables), c.conditions) for c in outcome))
                for p, outcome in found
            ]
        case syntax.Probabilistic(outcomes):
            left = 1 - sum((each.probability for each in outcomes), Fraction(0))
            rest = [(left, ())] if left > 0 else []
            return [
                *(
                    (each.probability * p, o)
                    for each in outcomes
                    if each.probability
                    for p, o in outcomes_of(each.effect)
                ),
                *rest,
            ]
    return [(Fraction(1), ())]  # a change of a quantity


# --- the translation ---


class Translator:
    """Formulas, concepts, rules and outcomes in a universe."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.vocabulary = universe.vocabulary
        self.schemas = {each.name: each for each in universe.vocabulary.domain.schemas}
        self._memory: dict[tuple[str, str], Any] = {}

    # --- formulas ---

    def formula(self, formula: syntax.Formula, binding: Binding, state: State) -> Formula:
        """A formula of PPDDL."""
        match formula:
            case syntax.Atom(predicate, terms):
                return state.holds(predicate, tuple(self.thing(each, binding) for each in terms))
            case syntax.Equals(left, right):
                return self.universe.equal(self.thing(left, binding), self.thing(right, binding))
            case syntax.Not(operand):
                return neg(self.formula(operand, binding, state))
            case syntax.And(operands):
                return conj(self.formula(each, binding, state) for each in operands)
            case syntax.Or(operands):
                return disj(self.formula(each, binding, state) for each in operands)
            case syntax.Imply(premise, conclusion):
                return implies(self.formula(premise, binding, state), self.formula(conclusion, binding, state))
            case syntax.ForAll(parameters, body):
                return self.quantified(False, parameters, binding, lambda b: self.formula(body, b, state))
            case syntax.Exists(parameters, body):
                return self.quantified(True, parameters, binding, lambda b: self.formula(body, b, state))

    def thing(self, term: syntax.Term, binding: Binding) -> Thing:
        """What a variable or a constant stands for."""
        return binding[term.name] if term.name in binding else self.universe.constant(term.name)

    def quantified(
        self,
        exists: bool,
        parameters: Sequence[syntax.TypedName],
        binding: Binding,
        body: Callable[[Binding], Formula],
    ) -> Formula:
        """For some, or for all, values of variables, each of its type."""
        if not parameters:
            return body(binding)
        first, *rest = parameters

        def inner(value: Thing) -> Formula:
            further = self.quantified(exists, rest, {**binding, first.name: value}, body)
            of_type = self.is_of(value, first.types)
            return conj((of_type, further)) if exists else implies(of_type, further)

        return (self.universe.exists if exists else self.universe.forall)(self.vocabulary.sort_of(first.types), inner)

    def is_of(self, thing: Thing, types: tuple[str, ...]) -> Formula:
        """Whether a thing is of one of some types."""
        return disj(self.universe.is_of(thing, each) for each in types)

    def goal(self, state: State) -> Formula:
        """All that is asked for holds."""
        return conj(
            self.for_all(
                predicate, lambda things, p=predicate: implies(state.holds(f"@{p}", things), state.holds(p, things))
            )
            for predicate in sorted(self.vocabulary.fluent)
        )

    def for_all(self, predicate: str, body: Callable[..., Formula], before: tuple[Thing, ...] = ()) -> Formula:
        """For all arguments of a predicate."""
        signature = self.vocabulary.signature(predicate)
        if len(before) == len(signature):
            return body(before)
        sort = signature[len(before)][0]
        return self.universe.forall(sort, lambda each: self.for_all(predicate, body, (*before, each)))

    # --- concepts, relations, literals ---

    def marked(self, mark: str, predicate: str, things: tuple[Thing, ...], state: State) -> Formula:
        """An atom that is true, asked for, or asked for and not true."""
        if mark and predicate not in self.vocabulary.fluent:
            return False
        if mark == "":
            return state.holds(predicate, things)
        wanted = state.holds(f"@{predicate}", things)
        return wanted if mark == "@" else conj((wanted, neg(state.holds(predicate, things))))

    def some_atom(self, mark: str, predicate: str, given: Mapping[int, Thing], state: State) -> Formula:
        """Whether there is such an atom with these arguments in these places."""
        signature = self.vocabulary.signature(predicate)
        if any(signature[place][0] != each.sort for place, each in given.items()):
            return False

        def extend(things: tuple[Thing, ...]) -> Formula:
            at = len(things)
            if at == len(signature):
                return self.marked(mark, predicate, things, state)
            if at in given:
                return extend((*things, given[at]))
            return self.universe.exists(signature[at][0], lambda each: extend((*things, each)))

        return extend(())

    def anything(self, exists: bool, body: Test) -> Formula:
        """For some, or for all, things of all sorts."""
        parts = [(self.universe.exists if exists else self.universe.forall)(s, body) for s in self.vocabulary.sorts]
        return disj(parts) if exists else conj(parts)

    def concept(self, concept: Concept, x: Thing, state: State) -> Formula:
        """Whether a thing is in a concept."""
        match concept.word, *concept.operands:
            case ("any",):
                return True
            case "named", name if self.vocabulary.is_unary(name):
                return self.some_atom("", name, {0: x}, state)
            case "named" | "type", name:
                return self.universe.is_of(x, name)
            case "constant", name:
                return self.universe.equal(x, self.universe.constant(name))
            case "argument", mark, predicate, place:
                return self.some_atom(mark, predicate, {place - 1: x}, state)
            case "not", inner:
                return neg(self.concept(inner, x, state))
            case "and", first, second:
                return conj((self.concept(first, x, state), self.concept(second, x, state)))
            case "some", relation, inner:
                return self.anything(
                    True, lambda y: conj((self.relation(relation, x, y, state), self.concept(inner, y, state)))
                )
            case "every", relation, inner:
                return self.anything(
                    False, lambda y: implies(self.relation(relation, x, y, state), self.concept(inner, y, state))
                )
            case "same", first, second:
                return conj(
                    (
                        self.anything(True, lambda y: self.relation(first, x, y, state)),
                        self.anything(
                            False,
                            lambda y: _equivalent(
                                self.relation(first, x, y, state), self.relation(second, x, y, state)
                            ),
                        ),
                    )
                )
        raise UsageError(f"'{concept.word}' in '{concept}' is beyond proofs so far")

    def relation(self, relation: Relation, x: Thing, y: Thing, state: State) -> Formula:
        """Whether a relation relates one thing to another."""
        match relation.word, *relation.operands:
            case "pairs", mark, predicate, places:
                i, j = places or (1, 2)
                if i == j:
                    return conj((self.universe.equal(x, y), self.some_atom(mark, predicate, {i - 1: x}, state)))
                return self.some_atom(mark, predicate, {i - 1: x, j - 1: y}, state)
            case "inverse", inner:
                return self.relation(inner, y, x, state)
            case "plus", inner:
                return self._closure(inner, x, y, state)
            case "star", inner:
                return disj((self.universe.equal(x, y), self._closure(inner, x, y, state)))
            case "and", first, second:
                return conj((self.relation(first, x, y, state), self.relation(second, x, y, state)))
            case "minus", first, second:
                return conj((self.relation(first, x, y, state), neg(self.relation(second, x, y, state))))
            case "or", first, second:
                return disj((self.relation(first, x, y, state), self.relation(second, x, y, state)))
            case "then", first, second:
                return self.anything(
                    True, lambda z: conj((self.relation(first, x, z, state), self.relation(second, z, y, state)))
                )
            case "into", inner, concept:
                return conj((self.relation(inner, x, y, state), self.concept(concept, y, state)))
        raise UsageError(f"'{relation.word}' in '{relation}' is beyond proofs so far")

    def _sorts(self, relation: Relation) -> set[tuple[str, str]]:
        """Of which sorts the things are that a relation may relate."""
        match relation.word, *relation.operands:
            case "pairs", _, predicate, places:
                i, j = places or (1, 2)
                signature = self.vocabulary.signature(predicate)
                return {(signature[i - 1][0], signature[j - 1][0])}
            case "inverse", inner:
                return {(y, x) for x, y in self._sorts(inner)}
            case "and", first, second:
                return self._sorts(first) & self._sorts(second)
            case "or", first, second:
                return self._sorts(first) | self._sorts(second)
            case "then", first, second:
                return {(x, z) for x, y in self._sorts(first) for other, z in self._sorts(second) if y == other}
        first = self._sorts(relation.operands[0])
        return first | ({(sort, sort) for sort in self.vocabulary.sorts} if relation.word == "star" else set())

    def _check_steps(self, relation: Relation) -> None:
        if any(one != other for one, other in self._sorts(relation)):
            raise UsageError(
                f"several steps of '{relation}', between objects of several sorts, are beyond proofs so far"
            )

    def _closure(self, inner: Relation, x: Thing, y: Thing, state: State) -> Formula:
        self._check_steps(inner)
        if x.sort != y.sort:
            return False
        key = self._key(inner, state)
        if (key, x.sort) not in self._memory:
            self._memory[key, x.sort] = self.universe.closure(
                f"{key} {x.sort}", x.sort, lambda a, b: self.relation(inner, a, b, state)
            )
        return self._memory[key, x.sort](x, y)

    def _key(self, expression: Concept | Relation, state: State) -> str:
        """An expression in a state; what never changes is the same in all states."""
        return str(expression) + ("" if self.is_static(expression) else state.name)

    def graph(self, word: str, relation: Relation, state: State) -> Formula:
        """Whether a relation is connected, which in the full universe is said of its distances; or acyclic."""
        sort = self.vocabulary.signature(relation.operands[1])[0][0]
        if word == "acyclic":
            return self.universe.forall(sort, lambda x: neg(self._closure(relation, x, x, state)))
        if isinstance(self.universe, Full):
            if all(types == (sort,) for _, types in self.vocabulary.signature(relation.operands[1])):
                self.universe.connected.add(str(relation))
            return True
        star = Relation("star", (relation,))
        return self.universe.forall(
            sort, lambda x: self.universe.forall(sort, lambda y: self.relation(star, x, y, state))
        )

    def is_static(self, expression: Concept | Relation) -> bool:
        """Whether an expression means the same in all states."""
        return all(
            part.word not in ("argument", "pairs", "named")
            or (part.operands[0] == "@" if part.word != "named" else False)
            or (part.operands[1] if part.word != "named" else part.operands[0]) not in self.vocabulary.fluent
            for part in expression.walk()
        )

    def distance(self, concept: Concept, relation: Relation, sort: str, state: State) -> Distance:
        """How far things of a sort are from a concept."""
        self._check_steps(relation)
        key = f"{concept} by {relation} {sort}{state.name}"
        if (key, "distance") not in self._memory:
            self._memory[key, "distance"] = self.universe.distance(
                key,
                sort,
                lambda x: self.concept(concept, x, state),
                lambda x, y: self.relation(relation, x, y, state),
                str(relation) if self.is_static(relation) else "",
            )
        found: Distance = self._memory[key, "distance"]
        return found

    def literal(self, literal: Literal, binding: Binding, state: State) -> Formula:
        """A literal about the things that parameters stand for."""
        found = self._affirmed(literal, binding, state)
        return neg(found) if literal.negated else found

    def _affirmed(self, literal: Literal, binding: Binding, state: State) -> Formula:
        match literal.word, *literal.operands:
            case "flag", mark, predicate:
                return self.marked(mark, predicate, (), state)
            case "empty", concept:
                return self.anything(False, lambda x: neg(self.concept(concept, x, state)))
            case "is", x, concept:
                return self.concept(concept, binding[x], state)
            case "related", x, y, relation:
                return self.relation(relation, binding[x], binding[y], state)
            case "nearer", x, y, concept, relation:
                if binding[x].sort != binding[y].sort:
                    raise UsageError(f"'{literal}' compares distances of objects of two sorts, which is beyond proofs")
                way = self.distance(concept, relation, binding[x].sort, state)
                return self.universe.less(way(binding[x]), way(binding[y]))
        raise UsageError(f"'{literal.word}' in '{literal}' is beyond proofs so far")

    # --- rules and actions ---

    def fits(self, rule: Rule, binding: Binding, state: State) -> Formula:
        """Whether an applicable action fits a rule."""
        schema = self.schemas[rule.schema]
        return conj(
            (
                *(self.is_of(binding[each.name], each.types) for each in schema.parameters),
                self.formula(schema.precondition, binding, state),
                *(self.literal(each, binding, state) for each in rule.literals),
            )
        )

    def some_fits(self, rule: Rule, state: State) -> Formula:
        """Whether an applicable action fits a rule, some action."""
        parameters = self.schemas[rule.schema].parameters
        return self.quantified(True, parameters, {}, lambda binding: self.fits(rule, binding, state))

    def successor(self, state: State, outcome: Outcome, binding: Binding, name: str) -> State:
        """The state after an outcome."""

        def changed(change: Change, things: tuple[Thing, ...]) -> Formula:
            def body(inner: Binding) -> Formula:
                terms = [self.thing(each, inner) for each in change.atom.arguments]
                same = [self.universe.equal(one, other) for one, other in zip(terms, things, strict=True)]
                return conj([*same, *(self.formula(each, inner, state) for each in change.conditions)])

            return self.quantified(True, change.variables, binding, body)

        def holds(predicate: str, things: tuple[Thing, ...]) -> Formula:
            own = [change for change in outcome if change.atom.predicate == predicate]
            added = disj(changed(each, things) for each in own if each.adds)
            deleted = disj(changed(each, things) for each in own if not each.adds)
            return disj((added, conj((state.holds(predicate, things), neg(deleted)))))

        return State(name, holds)


def _equivalent(one: Formula, other: Formula) -> Formula:
    return conj((implies(one, other), implies(other, one)))
