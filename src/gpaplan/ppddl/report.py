"""The findings of one reading: errors and warnings, each with the place in the text and the context it stands in.

Lexer, parser and checker write into one `ErrorReport` and go on, so that a user sees all errors of a file at once. The
report keeps the context ("in action 'load' > effect > outcome 1") as a stack: code that descends into a part of the
text opens it with ``with report.inside("effect"):``.

Two limits keep hostile texts cheap: after `MAX_ERRORS` errors reading stops with `TooManyErrors`, and the search for
names that resemble an unknown one has a budget. The limits of the user are looked at by `Report.poll`, which every loop
over what a text may have many of calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from gpaplan import _core
from gpaplan.errors import Diagnostic, Fix, LimitError, did_you_mean, one_slip_from
from gpaplan.source import Span

MAX_ERRORS = 1000
"""Reading stops after so many errors of one run."""

_SUGGESTION_BUDGET = 50_000
_LONGEST_QUOTE = 60
_STEPS_BETWEEN_LOOKS = 500


class TooManyErrors(Exception):  # noqa: N818 - it ends the reading, it is never shown
    """Raised by `Report.error` when `MAX_ERRORS` is reached; whoever started the reading catches it."""


def quoted(text: str) -> str:
    """A word in quotation marks, cut where it is too long to read."""
    return f"'{text}'" if len(text) <= _LONGEST_QUOTE else f"'{text[:_LONGEST_QUOTE]}…'"


class ErrorReport:
    """Collects diagnostics in the order in which they are found."""

    def __init__(self, stop: _core.Stop | None = None) -> None:
        self._stop = stop
        self._steps = 0
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.all_unsupported = True
        """True as long as every error is about something that is correct PPDDL but not supported."""
        self._context: list[str] = []
        self._budget = _SUGGESTION_BUDGET

    def poll(self) -> None:
        """To be called for each part of what may be long; raises `LimitError` at a limit."""
        self._steps += 1
        if self._steps >= _STEPS_BETWEEN_LOOKS:
            self._steps = 0
            self.poll_now()

    def poll_now(self) -> None:
        """The same for what is called seldom."""
        if self._stop is not None and self._stop.check():
            raise LimitError("reading PPDDL", self._stop.reason)

    def error(
        self,
        message: str,
        span: Span | None,
        hint: str | None = None,
        *,
        context: tuple[str, ...] = (),
        file: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Note that the text is wrong at `span`, or that `file` is wrong as a whole."""
        self.all_unsupported = False
        self._add(Diagnostic(message, span, (*self._context, *context), hint, file=file, fix=fix))

    def unknown(
        self, kind: str, name: str, span: Span | None, known: Collection[str], otherwise: str | None = None
    ) -> None:
        """Note that a name at `span` is not known; the hint is what it resembles, or what to do ``otherwise``."""
        near = self.suggest(name, known)
        meant = None if near is None else one_slip_from(name, known)
        fix = None if meant is None or span is None else Fix(span, meant)
        self.error(f"unknown {kind} {quoted(name)}", span, near or otherwise, fix=fix)

    def unsupported(self, message: str, span: Span | None, hint: str | None = None) -> None:
        """Note that the text uses something at `span` which gpaplan does not do."""
        self._add(Diagnostic(message, span, tuple(self._context), hint))

    def warning(self, message: str, span: Span | None, hint: str | None = None, fix: Fix | None = None) -> None:
        """Note that something at `span` is odd but has a clear meaning."""
        if len(self.warnings) < MAX_ERRORS:
            self.warnings.append(Diagnostic(message, span, tuple(self._context), hint, "warning", fix=fix))

    def suggest(
        self, name: str, known: Collection[str], excluding: Collection[str] = (), cutoff: float = 0.6
    ) -> str | None:
        """The "did you mean" hint for an unknown name, as long as the search stays cheap."""
        if len(name) > _LONGEST_QUOTE or len(known) > self._budget:
            return None
        self._budget -= len(known)
        return did_you_mean(name, [each for each in known if each not in excluding], cutoff)

    @contextmanager
    def inside(self, label: str) -> Iterator[None]:
        """Everything reported in this block has `label` as its innermost context."""
        self._context.append(label)
        try:
            yield
        finally:
            self._context.pop()

    def _add(self, diagnostic: Diagnostic) -> None:
        if len(self.errors) >= MAX_ERRORS:
            raise TooManyErrors
        self.errors.append(diagnostic)
