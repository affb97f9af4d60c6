"""The nodes of the language of concepts: sets and pairs of objects, and literals about a state or an action.

An expression is a frozen record; ``str(expression)`` prints it and `gpaplan.concepts.parsing` reads it again. Names are
those of the domain. The *mark* of a predicate says which of its atoms are meant: ``""`` those that are true, ``"@"``
those that the goal asks for, ``"!"`` those that it asks for and that are not true.

    Concepts    any  ball  ball:type  =near  at/1  @at/1  !at/1
                (not C)  (and C D)  (some R C)  (every R C)  (same R S)
    Roles       on  @on  !on  p/1/3  @p/1/3  (inverse R)  (plus R)  (star R)  (and R S)  (minus R S)
    Literals    flag  @flag  !flag  (empty C)  (is ?x C)  (related ?x ?y R)  (nearer ?y ?x C R)  (not L)

docs/rules.md says what each means. The *complexity* of a concept or role is the number of its names and operators; of a
literal it is one more than those of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal as OneOf
from typing import TypeAlias, TypeVar

from gpaplan.ppddl.syntax import Domain

Mark: TypeAlias = OneOf["", "@", "!"]
"""Which atoms of a predicate are meant: those that are true, those of the goal, those of the goal that are missing."""


class Expression:
    """What concepts, roles and literals have in common."""

    __slots__ = ()

    def __str__(self) -> str:
        raise NotImplementedError

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that this one is directly made of."""
        return ()

    @property
    def complexity(self) -> int:
        """The number of names, constants and operators."""
        return 1 + sum(part.complexity for part in self.parts)

    def check(self, domain: Domain, schema: str | None = None) -> None:
        """Raise `UsageError` unless all names are the domain's, and all parameters those of the schema, if given."""
        from gpaplan.concepts.checking import check

        check(self, domain, schema)

    def walk(self) -> Iterator[Expression]:
        """This expression and everything that it is made of, parts first."""
        for part in self.parts:
            yield from part.walk()
        yield self


class Concept(Expression):
    """A set of objects."""

    __slots__ = ()


class Role(Expression):
    """A set of pairs of objects."""

    __slots__ = ()


# --- concepts ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Everything(Concept):
    """``any``: all objects."""

    def __str__(self) -> str:
        return "any"


@dataclass(frozen=True, slots=True)
class Named(Concept):
    """``ball``: the objects of which a unary predicate is true or, if the domain has no such predicate, of a type."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class OfType(Concept):
    """``ball:type``: the objects of a type."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}:type"


@dataclass(frozen=True, slots=True)
class Only(Concept):
    """``=near``: one constant of the domain."""

    name: str

    def __str__(self) -> str:
        return f"={self.name}"


@dataclass(frozen=True, slots=True)
class Argument(Concept):
    """``at/1``: the objects in one argument of the atoms of a predicate; positions count from 1."""

    mark: Mark
    predicate: str
    position: int

    def __str__(self) -> str:
        return f"{self.mark}{self.predicate}/{self.position}"


@dataclass(frozen=True, slots=True)
class Complement(Concept):
    """``(not C)``"""

    concept: Concept

    def __str__(self) -> str:
        return f"(not {self.concept})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.concept,)


@dataclass(frozen=True, slots=True)
class Intersection(Concept):
    """``(and C D)``"""

    first: Concept
    second: Concept

    def __str__(self) -> str:
        return f"(and {self.first} {self.second})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Some(Concept):
    """``(some R C)``: the objects that are related by R to some object in C."""

    role: Role
    concept: Concept

    def __str__(self) -> str:
        return f"(some {self.role} {self.concept})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.role, self.concept


@dataclass(frozen=True, slots=True)
class Every(Concept):
    """``(every R C)``: the objects that are related by R to objects in C only, or to none."""

    role: Role
    concept: Concept

    def __str__(self) -> str:
        return f"(every {self.role} {self.concept})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.role, self.concept


@dataclass(frozen=True, slots=True)
class Same(Concept):
    """``(same R S)``: the objects that R and S relate to the same objects, and to at least one."""

    first: Role
    second: Role

    def __str__(self) -> str:
        return f"(same {self.first} {self.second})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.first, self.second


# --- roles -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pairs(Role):
    """``on``, or ``p/1/3`` for two arguments of a longer predicate; ``positions`` are None for a binary one."""

    mark: Mark
    predicate: str
    positions: tuple[int, int] | None = None

    def __str__(self) -> str:
        places = "" if self.positions is None else "".join(f"/{each}" for each in self.positions)
        return f"{self.mark}{self.predicate}{places}"


@dataclass(frozen=True, slots=True)
class Inverse(Role):
    """``(inverse R)``"""

    role: Role

    def __str__(self) -> str:
        return f"(inverse {self.role})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.role,)


@dataclass(frozen=True, slots=True)
class Closure(Role):
    """``(plus R)``: one step or more along R; ``(star R)``, if it is reflexive: no step or more."""

    role: Role
    reflexive: bool = False

    def __str__(self) -> str:
        return f"({'star' if self.reflexive else 'plus'} {self.role})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.role,)


@dataclass(frozen=True, slots=True)
class Common(Role):
    """``(and R S)``: the pairs of both."""

    first: Role
    second: Role

    def __str__(self) -> str:
        return f"(and {self.first} {self.second})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Minus(Role):
    """``(minus R S)``: the pairs of R that are not in S."""

    first: Role
    second: Role

    def __str__(self) -> str:
        return f"(minus {self.first} {self.second})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.first, self.second


# --- literals ----------------------------------------------------------------------------------------------------

L = TypeVar("L", bound="Literal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Expression):
    """What is true or false of a state, or of an action in it."""

    negated: bool = False

    def __str__(self) -> str:
        text = self._text()
        return f"(not {text})" if self.negated else text

    def _text(self) -> str:
        raise NotImplementedError

    def negation(self: L) -> L:
        """What holds if and only if this does not."""
        return replace(self, negated=not self.negated)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of a schema that it speaks of; none if it is about the state alone."""
        return ()


@dataclass(frozen=True, slots=True)
class Flag(Literal):
    """``raining``: a predicate without arguments is true, is asked for, or is missing."""

    mark: Mark
    predicate: str

    def _text(self) -> str:
        return f"{self.mark}{self.predicate}"


@dataclass(frozen=True, slots=True)
class Empty(Literal):
    """``(empty C)``: no object is in C."""

    concept: Concept

    def _text(self) -> str:
        return f"(empty {self.concept})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.concept,)


@dataclass(frozen=True, slots=True)
class Is(Literal):
    """``(is ?x C)``: the argument ?x is in C."""

    parameter: str
    concept: Concept

    def _text(self) -> str:
        return f"(is {self.parameter} {self.concept})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.concept,)

    @property
    def parameters(self) -> tuple[str, ...]:
        return (self.parameter,)


@dataclass(frozen=True, slots=True)
class Related(Literal):
    """``(related ?x ?y R)``: the pair of two arguments is in R."""

    first: str
    second: str
    role: Role

    def _text(self) -> str:
        return f"(related {self.first} {self.second} {self.role})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.role,)

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Nearer(Literal):
    """``(nearer ?y ?x C R)``: a shortest path along R to an object in C is shorter from ?y than from ?x."""

    first: str
    second: str
    concept: Concept
    role: Role

    def _text(self) -> str:
        return f"(nearer {self.first} {self.second} {self.concept} {self.role})"

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.concept, self.role

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.first, self.second
