"""What all nodes of the syntax tree are: frozen dataclasses that know the place they were read from.

There are thirty kinds of them, and every command makes them all when it starts. A frozen dataclass compiles six methods
of its own, which takes longer than reading a small problem. Here only the constructor is; the rest is written once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

from gpaplan.source import Span

__all__ = ["Node", "node"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """Makes a class of fields a kind of node."""
    made: Any = dataclass(eq=False, repr=False, slots=True)(cls)
    made._names = tuple(each.name for each in fields(made) if each.compare)
    made._compared = attrgetter(*made._names) if made._names else type
    return made  # type: ignore[no-any-return]


@node
class Node:
    """A node. Its `span` takes no part in equality."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    _names: ClassVar[tuple[str, ...]] = ()
    """Of the fields, without the span."""
    _compared: ClassVar[Callable[[Any], Any]] = type
    """What makes two nodes of one kind equal."""

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
