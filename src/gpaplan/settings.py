"""Settings, each declared once: its default, a sentence for people, and what it may be.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class SpaceSettings(Settings):
        max_outcomes: int = setting(65_536, "Refuse actions with more outcomes than this in a state.", least=1)

Whoever must know of a setting reads it off its declaration: the check of a value, when a record is made (here); the
option of the command line (`gpaplan.cli.options`); the key of a suite's file (`gpaplan.experiments.suite_file`); what
is printed of a result (`Solution.to_json`). So a new setting is its field, and the place that uses it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from operator import ge, gt, le, lt
from typing import Any, SupportsIndex, TypeVar

from gpaplan.errors import UsageError, did_you_mean, unknown

S = TypeVar("S", bound="Settings")


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is known of a setting besides its name and its type."""

    default: Any
    help: str
    """For the command line: a sentence that says what it does."""
    choices: tuple[str, ...] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    """Infinity, where that is a value too."""
    below: float | None = None
    is_whole: bool = False
    metavar: str | None = None
    """What stands for its value in a help text; None for what the type is called."""
    default_in_words: str | None = None
    """What the default None means."""
    group: str = "Options"
    """Under which a help text has it."""
    is_rare: bool = False
    """Whether a help text shows it only if all is asked for."""

    @property
    def is_number(self) -> bool:
        """Whether its values have a range."""
        return any(each is not None for each in (self.least, self.above, self.most, self.below))

    def check(self, name: str, value: Any) -> None:
        """Raise `UsageError` unless it may have this value. An object in the place of a name is checked by its user."""
        if value is None and self.default is None:
            return
        if self.choices and isinstance(value, str) and value not in self.choices:
            raise unknown(name.replace("_", " "), value, self.choices, "")
        if self.is_number and (wrong := self._objection(value)):
            raise UsageError(f"{name} must be {wrong}, not {format(value, ',') if _is_number(value) else repr(value)}")

    def _objection(self, value: Any) -> str:
        """What a number would have to be instead, in words; empty if it is fine."""
        kind = "a whole number" if self.is_whole else "a number"
        if not _is_number(value) or (self.is_whole and not isinstance(value, SupportsIndex)):
            return kind
        bounds = [(self.above, gt, "above"), (self.least, ge, "of at least")]
        for bound, holds, words in [*bounds, (self.below, lt, "below"), (self.most, le, "of at most")]:
            if bound is not None and not holds(value, bound):
                return f"{kind} {words} {bound:,}"
        return "" if self.is_whole or self.most == math.inf or math.isfinite(value) else "a finite number"


def _is_number(value: Any) -> bool:
    return isinstance(value, SupportsIndex | float) and not isinstance(value, bool)


def setting(default: Any, help: str, *, choices: Any = (), **declared: Any) -> Any:
    """A field of a record of `Settings`; the rest is as in `Declaration`."""
    declaration = Declaration(default, help, tuple(choices), **declared)
    return field(default=default, metadata={"declaration": declaration})


def same(record: type, name: str, **changes: Any) -> Any:
    """A field with the declaration that another record has, but for these of it."""
    declaration = replace(declarations(record)[name], **changes)
    return field(default=declaration.default, metadata={"declaration": declaration})


@dataclass(frozen=True, slots=True)
class Settings:
    """A record whose fields are settings. What is wrong with a value is said when the record is made."""

    def __post_init__(self) -> None:
        for name, declaration in declarations(type(self)).items():
            declaration.check(name, getattr(self, name))


def declarations(record: type) -> dict[str, Declaration]:
    """The settings of a record, by name, in their order."""
    return {each.name: each.metadata["declaration"] for each in fields(record) if "declaration" in each.metadata}


def with_changes(settings: S, **changes: Any) -> S:
    """The same settings but for these, which may be those of a record within the record.

    Raises `UsageError` for what is no setting.
    """
    own = {each.name for each in fields(settings)}
    inner = {name: getattr(settings, name) for name in own if isinstance(getattr(settings, name), Settings)}
    known = {each.name: name for name, record in inner.items() for each in fields(record)}
    for name, value in changes.items():
        if name in own:
            settings = replace(settings, **{name: value})
        elif name in known:
            within = with_changes(getattr(settings, known[name]), **{name: value})
            settings = replace(settings, **{known[name]: within})
        else:
            hint = did_you_mean(name, own | known.keys()) or f"there are {', '.join(sorted(own | known.keys()))}"
            raise UsageError(f"there is no setting '{name}';  {hint}")
    return settings


def changed(settings: Any) -> dict[str, Any]:
    """The settings of a record that are not at their defaults."""
    return {
        name: value
        for name, declaration in declarations(type(settings)).items()
        if (value := getattr(settings, name)) != declaration.default
    }
