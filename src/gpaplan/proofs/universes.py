"""Universes: over which objects the translation of proofs speaks. Part of what proofs rest on.

In a `Finite` one there are some objects, quantifiers are written out, and what comes out is a truth value if all atoms
have one (tests compare it with an interpreter), else a formula of propositions. In the `Full` one objects are unknown,
in any number, and what comes out is first-order logic for Z3. Only quantifiers, equality and distances differ. Each
universe has a context of Z3 of its own, so that nothing depends on what was asked elsewhere.

In the full universe distances are functions of which true things are said, not all there is to say. So what is proven
is true; what is true may fail to be proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from gpaplan.display import counted
from gpaplan.errors import TooLargeError, UsageError
from gpaplan.ppddl import syntax
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import supertypes

MOST_WRITTEN = 300_000
"""Propositions in one formula about a finite universe, with what is tried for it."""
Formula: TypeAlias = Any
"""A truth value, or a formula of Z3."""


class Thing(NamedTuple):
    """An object, or what stands for one, and its sort."""

    sort: str
    term: Any


Binding: TypeAlias = Mapping[str, Thing]
Test: TypeAlias = Callable[[Thing], Formula]
Step: TypeAlias = Callable[[Thing, Thing], Formula]
Distance: TypeAlias = Callable[[Thing], Any]


def conj(parts: Iterable[Formula]) -> Formula:
    """A conjunction; of truth values one."""
    found = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            found.append(part)
    if len(found) < 2:
        return found[0] if found else True
    import z3

    # as z3.And does it, but for its checks, which take most of the time of a search
    asts = (z3.Ast * len(found))(*(each.ast for each in found))
    return z3.BoolRef(z3.Z3_mk_and(found[0].ctx.ref(), len(found), asts), found[0].ctx)


def disj(parts: Iterable[Formula]) -> Formula:
    """A disjunction."""
    return neg(conj(map(neg, parts)))


def neg(part: Formula) -> Formula:
    """A negation."""
    if part is True or part is False:
        return not part
    import z3

    return part.arg(0) if z3.is_not(part) else z3.BoolRef(z3.Z3_mk_not(part.ctx.ref(), part.ast), part.ctx)


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """An implication."""
    return disj((neg(premise), conclusion))


class Vocabulary:
    """The sorts of a domain, and of which sort the arguments of its predicates are.

    The types directly below ``object`` are the sorts; if something is of type ``object``, or of one of several of
    them, there is one sort of all objects. A type that is no sort is a predicate of one argument that never changes.
    """

    def __init__(self, domain: syntax.Domain) -> None:
        self.domain = domain
        self.above = supertypes(domain)
        self.fluent = sorted(changed_predicates(domain))
        roots = [name for name, above in self.above.items() if name != "object" and above == {name, "object"}]
        typed = [each for declared in domain.predicates for each in declared.parameters]
        typed += [each for schema in domain.schemas for each in schema.parameters] + list(domain.constants)
        ranges = [{tuple(root for root in roots if root in self.above[name]) for name in each.types} for each in typed]
        is_one = [len(each) == 1 and len(min(each)) == 1 for each in ranges]
        self.sorts = roots if roots and all(is_one) else ["object"]
        self.signatures = {
            each.name: [(self.sorts_of(own.types)[0], own.types) for own in each.parameters]
            for each in domain.predicates
        }

    def sorts_of(self, types: tuple[str, ...]) -> list[str]:
        """The sorts of what is of one of these types, which may be ``object``."""
        return [sort for sort in self.sorts if "object" in types or any(sort in self.above[each] for each in types)]

    def typed(self, universe: Universe, predicate: str, things: Iterable[Thing]) -> list[Formula]:
        """That things are of the types of a predicate's arguments, where their sort does not say so."""
        pairs = zip(things, self.signatures[predicate.removeprefix("@")], strict=True)
        return [universe.is_one_of(thing, types) for thing, (sort, types) in pairs if types != (sort,)]

    def sort_of_object(self, name: str, types: frozenset[str]) -> str:
        """The one sort of an object with all its types; `UsageError` if there is none, or several."""
        found = [sort for sort in self.sorts if sort in types]
        if len(found) != 1:
            names = ", ".join(self.sorts)
            raise UsageError(f"object '{name}' is not of one of the types {names}, which proofs tell apart")
        return found[0]


class Finite:
    """Some objects, by sort, with all their types."""

    def __init__(self, vocabulary: Vocabulary, objects: Mapping[str, frozenset[str]]) -> None:
        self.vocabulary = vocabulary
        self.types = objects
        self.things: dict[str, list[Thing]] = {sort: [] for sort in vocabulary.sorts}
        for name, types in objects.items():
            sort = vocabulary.sort_of_object(name, types)
            self.things[sort].append(Thing(sort, name))
        self.distances: dict[str, Any] = {}
        """Those that were asked for, by name."""
        self.written = 0
        """Propositions of the formula that is being written out; `TooLargeError` is raised where they are too many."""

    @cached_property
    def context(self) -> Any:
        """Of its propositions."""
        import z3

        return z3.Context()

    def atom(self, predicate: str, things: tuple[Thing, ...]) -> Formula:
        """A proposition; it does not hold of objects of other types than the predicate's."""
        import z3

        self.written += 1
        if self.written > MOST_WRITTEN:
            count = counted(len(self.types), "object")
            raise TooLargeError(f"what must be proven is too long to be written out for {count}")
        name = " ".join((predicate, *(each.term for each in things)))
        return conj((*self.vocabulary.typed(self, predicate, things), z3.Bool(name, self.context)))

    def quantified(self, exists: bool, sort: str, body: Test) -> Formula:
        """That something is true of some, or of all, things of a sort."""
        return (disj if exists else conj)(map(body, self.things[sort]))

    def equal(self, one: Thing, other: Thing) -> Formula:
        return one == other

    def bindings(self, parameters: Sequence[syntax.TypedName]) -> list[Binding]:
        """All values of parameters."""
        ranges = [self.things[self.vocabulary.sorts_of(each.types)[0]] for each in parameters]
        return [dict(zip((each.name for each in parameters), values, strict=True)) for values in product(*ranges)]

    def some_things(self) -> list[Thing]:
        """Those of all sorts."""
        return [each for things in self.things.values() for each in things]

    def constant(self, name: str) -> Thing:
        return next(each for each in self.some_things() if each.term == name)

    def is_one_of(self, thing: Thing, types: tuple[str, ...]) -> Formula:
        """Whether a thing is of one of some types."""
        return not self.types[thing.term].isdisjoint(types)

    def distance(self, key: str, sort: str, inside: Test, step: Step, _road: str) -> Distance:
        """How far it is from a thing to one inside: whether it is at most 0, 1, 2, … steps."""
        if key not in self.distances:
            things = self.things[sort]
            near = [{each: inside(each) for each in things}]
            for _ in things[1:]:
                last = near[-1]
                near.append({x: disj([last[x], *(conj((step(x, y), last[y])) for y in things)]) for x in things})
            self.distances[key] = near
        return lambda x: [each[x] for each in self.distances[key]]

    def less(self, one: Any, other: Any) -> Formula:
        """Whether a distance is less than another."""
        return disj(conj((near, neg(far))) for near, far in zip(one, other, strict=True))


class Full:
    """Any objects, of each sort at least one. `axioms` are what is true of constants and distances."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        import z3

        self.z3, self.context = z3, z3.Context()
        self.vocabulary = vocabulary
        self.sorts = {sort: z3.DeclareSort(sort, self.context) for sort in vocabulary.sorts}
        self.axioms: list[Formula] = []
        self.connected: set[str] = set()
        """Relations, by their text, that connect all objects of their sort."""
        self.distances: dict[str, tuple[str, Any, Any, Test]] = {}
        """Those that were asked for, by name."""
        self._fresh = 0
        self._constants = {
            each.name: self.thing(vocabulary.sorts_of(each.types)[0], each.name) for each in vocabulary.domain.constants
        }
        for sort in self.sorts:
            own = [each.term for each in self._constants.values() if each.sort == sort]
            if len(own) > 1:
                self.axioms.append(z3.Distinct(*own))

    def thing(self, sort: str, name: str) -> Thing:
        """A constant of the logic."""
        return Thing(sort, self.z3.Const(name, self.sorts[sort]))

    def _variable(self, sort: str) -> Thing:
        self._fresh += 1
        return self.thing(sort, f"variable {self._fresh}")  # no object and no parameter has a space in its name

    def atom(self, predicate: str, things: tuple[Thing, ...]) -> Formula:
        """An atom of a predicate of the logic; it does not hold of objects of other types than the predicate's."""
        return conj((*self.vocabulary.typed(self, predicate, things), self._symbol(predicate, *things)))

    def _symbol(self, name: str, *things: Thing) -> Formula:
        sorts = [self.sorts[each.sort] for each in things]
        named = name.replace("@", "goal ")  # in SMT-LIB no name begins with an @
        return self.z3.Function(named, *sorts, self.z3.BoolSort(self.context))(*(each.term for each in things))

    def bindings(self, parameters: Sequence[syntax.TypedName]) -> list[Binding]:
        """Unknown values of parameters."""
        return [{each.name: self.thing(self.vocabulary.sorts_of(each.types)[0], each.name) for each in parameters}]

    def quantified(self, exists: bool, sort: str, body: Test) -> Formula:
        """That something is true of some, or of all, things of a sort."""
        variable = self._variable(sort)
        inner = body(variable)
        quantifier = self.z3.Exists if exists else self.z3.ForAll
        return inner if isinstance(inner, bool) else quantifier([variable.term], inner)

    def equal(self, one: Thing, other: Thing) -> Formula:
        if one.sort != other.sort:
            return False
        return True if one.term.eq(other.term) else one.term == other.term

    def some_things(self) -> list[Thing]:
        """One that stands for all of its sort, of each sort."""
        return [self._variable(sort) for sort in self.sorts]

    def constant(self, name: str) -> Thing:
        return self._constants[name]

    def is_one_of(self, thing: Thing, types: tuple[str, ...]) -> Formula:
        """Whether a thing is of one of some types."""
        if thing.sort in types or "object" in types:
            return True
        own = [each for each in types if thing.sort in self.vocabulary.above[each]]
        return disj(self._symbol(f"{each}:type", thing) for each in own)

    def distance(self, key: str, sort: str, inside: Test, step: Step, road: str) -> Distance:
        """A number and whether it is finite; ``road`` names the steps if these are the same in all states."""
        if key not in self.distances:
            own, z3 = self.sorts[sort], self.z3
            number = z3.Function(f"distance {key}", own, z3.IntSort(self.context))
            finite = z3.Function(f"finite {key}", own, z3.BoolSort(self.context))
            self._describe(sort, road, number, finite, inside, step, key)
            this = (f"{sort} {road}", number, finite, inside)
            for other in self.distances.values():
                if road and other[0] == this[0]:
                    self._compare(sort, this, other)
                    self._compare(sort, other, this)
            self.distances[key] = this
        _, number, finite, _ = self.distances[key]
        return lambda x: (number(x.term), finite(x.term))

    def _describe(
        self, sort: str, road: str, number: Any, finite: Any, inside: Test, step: Step, key: str
    ) -> None:  # fmt: skip
        """It is 0 inside alone, a step changes it by at most one, and some step makes it less."""
        z3 = self.z3
        a, b = self._variable(sort), self._variable(sort)
        x, y = a.term, b.term
        is_inside = z3.And(finite(x), number(x) == 0)
        self.axioms.append(z3.ForAll([x], z3.And(number(x) >= 0, inside(a) == is_inside), patterns=[number(x)]))
        if not isinstance(step(a, b), bool):
            closer = z3.And(finite(x), number(x) <= number(y) + 1)
            self.axioms.append(z3.ForAll([x, y], z3.Implies(z3.And(step(a, b), finite(y)), closer)))
        after = Thing(sort, z3.Function(f"next {key}", self.sorts[sort], self.sorts[sort])(x))
        goes = z3.And(step(a, after), finite(after.term), number(after.term) == number(x) - 1)
        # the next step of a shortest way is looked for where something is, not everywhere
        signatures = self.vocabulary.signatures
        where = [name for name in self.vocabulary.fluent if [each[0] for each in signatures[name]] == [sort]]
        patterns = [self._symbol(name, a) for name in where]
        self.axioms.append(z3.ForAll([x], z3.Implies(z3.And(finite(x), number(x) > 0), goes), patterns=patterns))
        there = self.quantified(True, sort, inside)
        self.axioms.append(z3.ForAll([x], z3.Implies(finite(x), there), patterns=[finite(x)]))
        if road in self.connected:
            self.axioms.append(implies(there, self.quantified(False, sort, lambda each: finite(each.term))))

    def _compare(self, sort: str, one: tuple[str, Any, Any, Test], other: tuple[str, Any, Any, Test]) -> None:
        """Where there is more inside it is not farther."""
        z3 = self.z3
        (_, number, finite, inside), (_, its_number, its_finite, its_inside) = one, other
        x = self._variable(sort).term
        part = self.quantified(False, sort, lambda each: implies(inside(each), its_inside(each)))
        nearer = z3.Implies(finite(x), z3.And(its_finite(x), its_number(x) <= number(x)))
        self.axioms.append(implies(part, z3.ForAll([x], nearer, patterns=[number(x)])))

    def less(self, one: Any, other: Any) -> Formula:
        return self.z3.And(one[1], self.z3.Or(self.z3.Not(other[1]), one[0] < other[0]))


Universe: TypeAlias = Finite | Full
