"""Every error a user can meet, and how it is shown.

A `Diagnostic` is one finding at one place of a source text. An `InputError` carries all findings of one run, so that
a user mends a file once and not line by line. The command line prints `str(error)` and leaves with `error.exit_code`;
exit codes come in documented blocks (docs/command-line.md): 10-19 stopped by a limit, 20-29 no solution exists,
30-39 the input is at fault.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from gpaplan.statuses import Status

if TYPE_CHECKING:
    from gpaplan.source import Span

MAX_SHOWN = 50
"""An `InputError` shows so many findings of a file and counts the rest."""

MOST_LETTERS = 200
"""A message shows so many of a name that somebody has given."""

Severity = Literal["error", "warning"]


class Fix(NamedTuple):
    """What mends a text where there is one answer: what is to stand at a place of it."""

    span: Span
    """The place; an empty one is where something is to be added."""
    text: str
    """What is to stand there."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a message, the span of text that it is about, its context, a hint what to do, its severity, and what
    mends it, if there is one answer."""

    message: str
    span: Span | None = None
    context: tuple[str, ...] = ()
    """From the outside in, such as ``("action 'load'", "effect", "outcome 1")``."""
    hint: str | None = None
    severity: Severity = "error"
    file: str | None = None
    """Only for findings about a file as a whole, which have no span."""
    fix: Fix | None = None
    """What mends the text, where there is one answer."""

    @property
    def path(self) -> str | None:
        """The name of the file."""
        return self.span.source.name if self.span is not None else self.file

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        return self.span.line if self.span is not None else None

    @property
    def column(self) -> int | None:
        """The column, from 1."""
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


def shortened(name: str) -> str:
    """A name that is not ours, as a message shows it: the end of a long one is left out."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The hint for a name that is not known, or None where nothing known resembles it, and for a very long one."""
    if len(name) > MOST_LETTERS:
        return None
    matches = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=cutoff)
    return f"did you mean '{matches[0]}'?" if matches else None


def one_slip_from(name: str, known: Iterable[str]) -> str | None:
    """The one known name from which a name differs by a letter too many, too few or wrong, or by two that are swapped;
    None if there is none, or more than one."""
    found = [each for each in known if _is_slip(name, each)]
    return found[0] if len(found) == 1 else None


def _is_slip(one: str, other: str) -> bool:
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) == 1 or (len(one) == 2 and one == other[::-1])


def unknown(kind: str, given: object, known: Iterable[str], own: str) -> UsageError:
    """The error for what is given neither by one of the known names nor as an object, which ``own`` describes."""
    names = list(known)
    if not isinstance(given, str):
        return UsageError(f"{given!r} is no {kind}; it is {own}, or one of the names {', '.join(names)}")
    hint = did_you_mean(given, names)
    return UsageError(f"unknown {kind} '{given}';  " + (f"{hint} " if hint else "") + f"there are {', '.join(names)}")


def misplaced(given: object, wanted: str, instead: str) -> UsageError:
    """The error for an argument of a wrong kind; ``instead`` says what to pass."""
    shown = shortened(repr(given)) if given is None or isinstance(given, str | float | int) else _kind(given)
    return UsageError(f"{shown} is no {wanted};  {instead}")


def _kind(given: object) -> str:
    return f"a {type(given).__name__}" + (f" of {_kind(given[0])}" if isinstance(given, list) and given else "")


def _render_all(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The findings as text, at most `MAX_SHOWN` of each file."""
    counts = Counter(diagnostic.path for diagnostic in diagnostics)
    shown: Counter[str | None] = Counter()
    for diagnostic in diagnostics:
        path = diagnostic.path
        shown[path] += 1
        if shown[path] <= MAX_SHOWN:
            yield diagnostic.render()
        elif shown[path] == counts[path]:
            place = f"{path}: " if path else ""
            yield f"{place}and {counts[path] - MAX_SHOWN} more"


class GpaplanError(Exception):
    """Base of every error gpaplan raises on purpose."""

    exit_code: int = 1
    """With which the command line leaves."""


class InputError(GpaplanError):
    """The PPDDL text is at fault; `diagnostics` says where and why, one entry a finding.

    The text of the error shows at most `MAX_SHOWN` findings of a file; `diagnostics` has all of them.
    """

    exit_code = 30

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(_render_all(self.diagnostics)))


class UsageError(GpaplanError):
    """An argument is at fault: a file that is not there, an unknown name, a number out of range."""

    exit_code = 31


class NoActionError(UsageError):
    """A policy was asked for an action in a state where it has none."""


class GoalReachedError(NoActionError):
    """A policy was asked for an action in a goal state: nothing is left to do."""


class UncoveredStateError(NoActionError):
    """A policy was asked for an action in a state that it does not cover, and that is no goal."""


class UnsupportedError(InputError):
    """The text is correct PPDDL, and uses something gpaplan does not do."""

    exit_code = 32


class CostError(GpaplanError):
    """An action whose cost is not positive."""

    exit_code = 33


class OutOfRangeError(InputError):
    """A cost or a probability that the text describes is too large or too small for a double."""

    exit_code = 37


class TooLargeError(GpaplanError):
    """The task is larger than a limit of gpaplan: too many ground actions, states, or joint outcomes."""

    exit_code = 34


class DataError(GpaplanError):
    """A file that gpaplan reads back, such as a policy, is at fault: ``policy.json: states[3].action: …``."""

    exit_code = 35

    def __init__(
        self, message: str, file: str, place: str = "", *, line: int | None = None, column: int | None = None
    ) -> None:
        self.file = file
        self.place = place
        """Which part of the data, such as ``states[3].action``."""
        self.line = line
        self.column = column
        self.message = f"{place}: {message}" if place else message
        position = file if line is None else f"{file}:{line}:{column}"
        super().__init__(f"{position}: {self.message}")


class MismatchError(GpaplanError):
    """Things that do not belong together: an automaton and a problem of another domain, or two such automata."""

    exit_code = 36


class ContradictionError(GpaplanError):
    """An answer contradicts itself: a bug in gpaplan, which is said instead of the answer."""

    exit_code = 70

    def __init__(self, problem: str, contradictions: Sequence[str], evidence: str) -> None:
        self.contradictions = tuple(contradictions)
        self.evidence = evidence
        """The answer and how it was asked for, as JSON."""
        super().__init__(
            f"problem '{problem}': the answer contradicts itself, so it is not shown: {'; '.join(contradictions)}\n"
            "This is a bug in gpaplan, not in your files. Please report it, with the files of the task and this:\n"
            f"{evidence}"
        )


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why work ended early: its name for people, its status, and the exit_code with which the command line leaves."""

    name: str
    status: Status
    exit_code: int


STOP_REASONS = {
    "time": StopReason("the time limit", Status.TIME_LIMIT, 10),
    "memory": StopReason("the memory limit", Status.MEMORY_LIMIT, 11),
    "interrupt": StopReason("an interrupt", Status.INTERRUPTED, 12),
    "states": StopReason("the limit of states", Status.STATE_LIMIT, 13),
}
"""By the reasons that the core knows."""

STOPPED: dict[str, StopReason] = {reason.status: reason for reason in STOP_REASONS.values()}
"""By the status that says so."""


class LimitError(GpaplanError):
    """A limit or an interrupt ended the work, and there is nothing to show for it.

    The reason is given as the core names it, or as a status.
    """

    def __init__(self, work: str, reason: str) -> None:
        own = {  # of learning rules, and of proofs
            "budget": StopReason("the budget of work (--budget)", Status.TIME_LIMIT, 10),
            "questions": StopReason("the limit of questions to Z3", Status.TIME_LIMIT, 10),
        }
        self.reason = (STOPPED | STOP_REASONS | own)[reason]
        self.exit_code = self.reason.exit_code
        super().__init__(f"{work} was stopped by {self.reason.name}")
