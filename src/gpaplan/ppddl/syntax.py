"""The syntax tree of PPDDL: what the parser builds, the checker reads, the writer prints, the grounder compiles.

Every node is a frozen dataclass and a `Node`, which knows the `Span` it was read from. Spans take no part in equality,
so two trees are equal when they mean the same text. Names are stored in lower case (PPDDL is case-insensitive);
variables keep their question mark. Node order is declaration order everywhere: it fixes every index later on.

Formulas: `Atom`, `Equals`, `Not`, `And`, `Or`, `Imply`, `ForAll`, `Exists`; truth is the empty `And`.
Effects: `Add`, `Delete`, `AndEffect`, `ForAllEffect`, `When`, `Probabilistic`, `Change`; no effect is the empty
`AndEffect`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, field, fields
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, dataclass_transform

from gpaplan.display import counted
from gpaplan.source import Span

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _node(cls: type[_T]) -> type[_T]:
    """Makes a class of fields, which inherits from `_Frozen`, a frozen dataclass with slots.

    Python's own compiles six methods for each class, which for thirty of them takes longer than reading a small
    problem. Here only the constructor is compiled.
    """
    made: Any = dataclass(eq=False, repr=False, slots=True)(cls)
    made._names = tuple(each.name for each in fields(made) if each.compare)
    made._compared = attrgetter(*made._names) if made._names else type
    return made  # type: ignore[no-any-return]


class _Frozen:
    """The methods of a frozen dataclass that do not depend on its fields."""

    __slots__ = ()

    _names: ClassVar[tuple[str, ...]] = ()
    """Of the fields that are compared and shown."""
    _compared: ClassVar[Callable[[Any], Any]] = type
    """Their values."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        compared = type(self)._compared
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash((type(self), type(self)._compared(self)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names)
        return f"{type(self).__qualname__}({shown})"

    def __setattr__(self, name: str, value: object) -> None:
        """Once, by the constructor."""
        if hasattr(self, name):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@_node
class Node(_Frozen):
    """What all nodes have: the place they were read from."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    def parts(self) -> Iterator[Node]:
        """The nodes that it is made of, in the order of the text."""
        for name in self._names:
            part = getattr(self, name)
            yield from (each for each in (part if isinstance(part, tuple) else (part,)) if isinstance(each, Node))


_N = TypeVar("_N", bound=Node)


# --- names and terms ---------------------------------------------------------------------------------------------


@_node
class Variable(Node):
    """``?x``; the name includes the question mark."""

    name: str


@_node
class Constant(Node):
    """An object or a domain constant, used as an argument."""

    name: str


Term: TypeAlias = Variable | Constant
"""What an argument is."""


@_node
class TypedName(Node):
    """A parameter, object or constant with its type; more than one type means ``(either …)``."""

    name: str
    types: tuple[str, ...] = ("object",)


@_node
class TypeDeclaration(Node):
    """A type and its direct supertypes (``object`` if none is written)."""

    name: str
    parents: tuple[str, ...] = ("object",)


@_node
class Predicate(Node):
    """``(on ?x ?y - block)``, as declared."""

    name: str
    parameters: tuple[TypedName, ...] = ()


@_node
class Function(Node):
    """A numeric function; gpaplan reads static ones, as costs."""

    name: str
    parameters: tuple[TypedName, ...] = ()


# --- formulas ----------------------------------------------------------------------------------------------------


@_node
class Atom(Node):
    """``(on ?x b)``"""

    predicate: str
    arguments: tuple[Term, ...] = ()


@_node
class Equals(Node):
    """``(= ?x ?y)``"""

    left: Term
    right: Term


@_node
class Not(Node):
    """``(not …)``"""

    operand: Formula


@_node
class And(Node):
    """``(and …)``; truth if it is empty."""

    operands: tuple[Formula, ...] = ()


@_node
class Or(Node):
    """``(or …)``; never true if it is empty."""

    operands: tuple[Formula, ...] = ()


@_node
class Imply(Node):
    """``(imply … …)``"""

    premise: Formula
    conclusion: Formula


@_node
class ForAll(Node):
    """``(forall (?x - block) …)``, of a formula."""

    parameters: tuple[TypedName, ...]
    body: Formula


@_node
class Exists(Node):
    """``(exists (?x - block) …)``"""

    parameters: tuple[TypedName, ...]
    body: Formula


Formula: TypeAlias = Atom | Equals | Not | And | Or | Imply | ForAll | Exists
"""A condition."""


# --- effects -----------------------------------------------------------------------------------------------------


@_node
class Number(Node):
    """A number, exact."""

    value: Fraction


@_node
class FunctionTerm(Node):
    """``(distance ?from ?to)``"""

    function: str
    arguments: tuple[Term, ...] = ()


Expression: TypeAlias = Number | FunctionTerm
"""An amount."""


@_node
class Add(Node):
    """An atom becomes true."""

    atom: Atom


@_node
class Delete(Node):
    """``(not …)`` as an effect: an atom becomes false."""

    atom: Atom


@_node
class AndEffect(Node):
    """``(and …)`` of effects; nothing if it is empty."""

    effects: tuple[Effect, ...] = ()


@_node
class ForAllEffect(Node):
    """``(forall (?x - block) …)``, of an effect."""

    parameters: tuple[TypedName, ...]
    effect: Effect


@_node
class When(Node):
    """``(when … …)``: the effect takes place if the condition holds before."""

    condition: Formula
    effect: Effect


@_node
class EffectOutcome(Node):
    """One of the outcomes of `Probabilistic`."""

    probability: Fraction
    effect: Effect


@_node
class Probabilistic(Node):
    """One random choice; the probability that the outcomes leave over means that nothing happens."""

    outcomes: tuple[EffectOutcome, ...]


@_node
class Change(Node):
    """``(increase (total-cost) 3)`` and its like."""

    direction: Literal["increase", "decrease"]
    quantity: Literal["reward", "total-cost"]
    amount: Expression


Effect: TypeAlias = Add | Delete | AndEffect | ForAllEffect | When | Probabilistic | Change
"""What an action does."""


FORMULAS = {"and": And, "or": Or, "not": Not, "imply": Imply, "forall": ForAll, "exists": Exists, "=": Equals}
"""By the words that they begin with."""
EFFECTS = {"and": AndEffect, "not": Delete, "forall": ForAllEffect, "when": When, "probabilistic": Probabilistic}
"""The same for effects, but for changes, which begin with their direction."""


def within(node: Node, kind: type[_N]) -> Iterator[_N]:
    """All nodes of a kind in a formula or effect, wherever they stand in it, from the outside in."""
    if isinstance(node, kind):
        yield node
    for part in node.parts():
        yield from within(part, kind)


# --- domain and problem ------------------------------------------------------------------------------------------


@_node
class Schema(Node):
    """A lifted action."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    precondition: Formula = And()
    effect: Effect = AndEffect()


Declaration: TypeAlias = TypeDeclaration | TypedName | Predicate | Function | Schema
"""What gives a name a meaning."""


@_node
class Domain(Node):
    """``(define (domain …) …)``"""

    name: str
    requirements: tuple[str, ...] = ()
    """With their colons, such as ``":typing"``."""
    types: tuple[TypeDeclaration, ...] = ()
    """As declared; ``object`` itself need not be among them."""
    constants: tuple[TypedName, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    """Without ``reward`` and ``total-cost``."""
    schemas: tuple[Schema, ...] = ()

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.predicates), 'predicate')}, {counted(len(self.schemas), 'schema')}"
        return f"Domain({self.name!r}: {sizes})"


@_node
class FunctionValue(Node):
    """``(= (distance a b) 5)`` in an initial state."""

    term: FunctionTerm
    value: Fraction


@_node
class Metric(Node):
    """``minimize (total-cost)`` or ``maximize (reward)``."""

    direction: Literal["minimize", "maximize"]
    quantity: Literal["reward", "total-cost"]


@_node
class Problem(Node):
    """``(define (problem …) …)``"""

    name: str
    domain_name: str
    requirements: tuple[str, ...] = ()
    objects: tuple[TypedName, ...] = ()
    """Without the domain's constants."""
    init: tuple[Atom, ...] = ()
    values: tuple[FunctionValue, ...] = ()
    goal: Formula | None = None
    """None where the file has no goal: then no state is a goal."""
    goal_reward: Fraction | None = None
    goal_probability: Fraction | None = None
    metric: Metric | None = None

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.objects), 'object')}, {counted(len(self.init), 'initial atom')}"
        return f"Problem({self.name!r} of {self.domain_name!r}: {sizes})"


# --- what is kept of a domain ---


@dataclass(frozen=True, slots=True)
class DomainVocabulary:
    """The names of a domain that something else may speak of: its types, constants, predicates and schemas."""

    types: tuple[str, ...]
    constants: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    schemas: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, domain: Domain) -> DomainVocabulary:
        """That of a domain."""
        return cls(
            tuple(dict.fromkeys(each.name for each in domain.types if each.name != "object")),
            tuple(each.name for each in domain.constants),
            tuple((each.name, len(each.parameters)) for each in domain.predicates),
            tuple((each.name, len(each.parameters)) for each in domain.schemas),
        )

    def differences(self, other: DomainVocabulary) -> list[str]:
        """What ``other`` has in other ways, a line each."""
        lines = []
        for kind in ("types", "constants", "predicates", "schemas"):
            mine, theirs = set(getattr(self, kind)), set(getattr(other, kind))
            lines += [f"  - {kind}: {_shown(name)}" for name in sorted(mine - theirs)]
            lines += [f"  + {kind}: {_shown(name)}" for name in sorted(theirs - mine)]
        return lines


def _shown(name: Any) -> str:
    return name if isinstance(name, str) else f"{name[0]}/{name[1]}"
