"""Every error a user can meet, and how it is shown.

A `Diagnostic` is one finding at one place of a source text. An `InputError` carries all findings of one run, so that
a user mends a file once and not line by line. The command line prints `str(error)` and leaves with `error.exit_code`;
exit codes come in documented blocks (docs/command-line.md): 10-19 stopped by a limit, 20-29 no solution exists,
30-39 the input is at fault.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from gpaplan.ppddl.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what, where, in which context, and what to do about it."""

    message: str
    span: Span | None = None
    context: tuple[str, ...] = ()
    """From the outside in, such as ``("action 'load'", "effect", "outcome 1")``."""
    hint: str | None = None
    severity: Severity = "error"
    file: str | None = None
    """Only for findings about a file as a whole, which have no span."""

    @property
    def path(self) -> str | None:
        return self.span.source.name if self.span is not None else self.file

    @property
    def line(self) -> int | None:
        return self.span.line if self.span is not None else None

    @property
    def column(self) -> int | None:
        return self.span.column if self.span is not None else None

    def render(self) -> str:
        """The finding as text: position and message, the line with a caret, the context and the hint.

        ::

            rover.ppddl:31:30: unknown predicate 'rock-att'
               31 |     (probabilistic 0.6 (and (rock-att ?r ?l) (not (at ?l))))
                  |                              ^^^^^^^^
              in action 'load' > effect > outcome 1;  did you mean 'rock-at'?
        """
        prefix = "warning: " if self.severity == "warning" else ""
        if self.span is None:
            place = f"{self.file}: " if self.file else ""
            lines = [f"{place}{prefix}{self.message}"]
        else:
            lines = [f"{self.span.source.name}:{self.line}:{self.column}: {prefix}{self.message}"]
            lines += self.span.excerpt()
        tail = [f"in {' > '.join(self.context)}"] if self.context else []
        tail += [self.hint] if self.hint else []
        if tail:
            lines.append("  " + ";  ".join(tail))
        return "\n".join(lines)

    def to_json(self) -> dict[str, object]:
        """The finding as the command line's ``--json`` prints it."""
        record: dict[str, object] = {
            "file": self.path,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }
        if self.context:
            record["context"] = list(self.context)
        if self.hint:
            record["hint"] = self.hint
        return record


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The hint for a name that is not known, or None where nothing known resembles it."""
    matches = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean '{matches[0]}'?" if matches else None


class GpaplanError(Exception):
    """Base of every error gpaplan raises on purpose."""

    exit_code: ClassVar[int] = 1


class InputError(GpaplanError):
    """The PPDDL text is at fault; `diagnostics` says where and why, one entry a finding."""

    exit_code = 30

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(diagnostic.render() for diagnostic in self.diagnostics))


class UsageError(GpaplanError):
    """An argument is at fault: a file that is not there, an unknown name, a number out of range."""

    exit_code = 31


class UnsupportedError(InputError):
    """The text is correct PPDDL, and uses something gpaplan does not do."""

    exit_code = 32


class CostError(GpaplanError):
    """An action whose cost is not positive."""

    exit_code = 33


class TooLargeError(GpaplanError):
    """The task is larger than a limit of gpaplan: too many ground actions, states, or joint outcomes."""

    exit_code = 34


class LimitError(GpaplanError):
    """A limit of time or memory ended the work before its end."""

    exit_code = 10
