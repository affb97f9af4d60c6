"""What makes classes the nodes of a syntax tree: frozen dataclasses that are quickly made.

There are thirty kinds of them, and every command makes them all when it starts. A frozen dataclass compiles six methods
of its own, which takes longer than reading a small problem. Here only the constructor is; the rest is written once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """Makes a class of fields, which inherits from `Frozen`, a frozen dataclass with slots."""
    made: Any = dataclass(eq=False, repr=False, slots=True)(cls)
    made._names = tuple(each.name for each in fields(made) if each.compare)
    made._compared = attrgetter(*made._names) if made._names else type
    return made  # type: ignore[no-any-return]


class Frozen:
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
