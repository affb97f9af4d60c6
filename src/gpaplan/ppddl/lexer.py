"""From text to S-expressions: nested `Group`s of `Word`s, each a `Span` of the text.

PPDDL text is parentheses, words and comments (from ``;`` to the end of the line); letter case means nothing, so words
are stored in lower case. Nothing here knows what a word means, with one exception: a group that begins with a word
such as ``:action`` is a section of a definition, and ``define`` begins a definition. These two tell where a forgotten
or superfluous parenthesis must be, so one of them does not spoil everything that follows:

- a section that begins inside another section shows that the other one is not closed; reading goes on as if it were;
- a section that begins outside of any definition shows that the definition before it was closed too early; reading
  goes on as if it were still open.

The result keeps such groups, marked as not `complete`. Nesting has a limit (`MAX_NESTING`), so everything that walks
over the result or over the syntax tree may do so recursively.

Lexer, parser and checker write their findings into one `ErrorReport` and go on, so that a user sees all errors of a
file at once. The report keeps the context ("in action 'load' > effect > outcome 1") as a stack: code that descends into
a part of the text opens it with ``with report.inside("effect"):``. Two limits keep hostile texts cheap: after
`MAX_ERRORS` errors reading stops with `TooManyErrors`, and the search for names that resemble an unknown one has a
budget. The limits of the user are looked at by `ErrorReport.poll`, which every loop over what a text may have many of
calls.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from gpaplan import _core
from gpaplan.errors import Diagnostic, Fix, LimitError, did_you_mean, one_slip_from
from gpaplan.source import SourceText, Span

MAX_ERRORS = 1000
"""Reading stops after so many errors of one run."""

_SUGGESTION_BUDGET = 50_000  # names that are compared in a run
_LONGEST_QUOTE = 60  # characters
_STEPS_BETWEEN_LOOKS = 500  # calls of poll


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
        self.missing_types: set[str] = set()
        """Those that were reported: each once, for a domain and its problem."""
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


# --- S-expressions ---

MAX_NESTING = 100
"""Parentheses nested deeper than this are refused."""

MAX_TOKENS = 8_000_000
"""Texts with more words and parentheses than this are refused."""

_SECTION_WORDS = """
    :requirements :types :constants :predicates :functions :action :durative-action :derived :domain :objects :init
    :goal :goal-reward :goal-probability :metric :constraints
"""
_SECTIONS = frozenset(_SECTION_WORDS.split())
_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+")
_FOREIGN = re.compile(r"[^\w\-?:=<>+*/.@#&!%$~^']+")


class Word(Span):
    """A word of the text; `text` is in lower case."""

    __slots__ = ("text",)

    def __init__(self, source: SourceText, start: int, end: int, text: str) -> None:
        self.source = source
        self.start = start
        self.end = end
        self.text = text

    def span(self) -> Span:
        """The word itself."""
        return self

    def place(self) -> Span:
        """Where messages point."""
        return self

    def head(self) -> str:
        """The empty text: only a group has a head."""
        return ""

    def describe(self) -> str:
        """The word as messages name it, in quotation marks."""
        return quoted(self.text)


class Group(Span):
    """What stands between two parentheses; the span includes both."""

    __slots__ = ("complete", "items")

    def __init__(self, source: SourceText, start: int) -> None:
        self.source = source
        self.start = start
        self.end = start + 1
        self.items: list[Word | Group] = []
        self.complete = True
        """False where the closing parenthesis is missing, so that the content is in doubt."""

    def span(self) -> Span:
        """The place alone, for a syntax tree that does not keep the words alive."""
        return Span(self.source, self.start, self.end)

    def opening(self) -> Span:
        """The opening parenthesis."""
        return Span(self.source, self.start, self.start + 1)

    def place(self) -> Span:
        """Where messages point: the opening parenthesis with its first word."""
        first = self.items[0] if self.items else None
        return Span(self.source, self.start, first.end) if isinstance(first, Word) else self.opening()

    def head(self) -> str:
        """The first item if it is a word, otherwise the empty text."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""

    def title(self) -> str:
        """How messages speak of the group: its opening words, such as ``(define (domain rover)``."""
        words = [_opening_words(item) for item in self.items[:2]]
        return "(" + " ".join(words)

    def describe(self) -> str:
        """The group as messages name it, by its beginning."""
        return f"'{self.title()}{')' if len(self.items) <= 2 else ' …)'}'"


SExpression: TypeAlias = Word | Group


@dataclass(slots=True)
class SExpressionReader:
    """All S-expressions of a text, outermost level."""

    items: list[SExpression] = field(default_factory=list)
    sound: bool = True
    """False where parentheses or characters were wrong, so that names may be missing or misplaced."""


def read_expressions(source: SourceText, report: ErrorReport) -> SExpressionReader:
    """Split a text into S-expressions and report what is wrong with its parentheses and characters."""
    return _Reader(source, report).read()


def word_in(span: Span | None, index: int = 0) -> Span | None:
    """The place of the word number `index` within a span: the name in ``(at ?x)`` is word 0."""
    if span is None:
        return None
    for match in _TOKEN.finditer(span.source.text, span.start, span.end):
        if match[0][0] not in "();":
            if index == 0:
                return Span(span.source, match.start(), match.end())
            index -= 1
    return span


def type_after(span: Span | None, type_name: str) -> Span | None:
    """The place where `type_name` is written as the type of the name at `span` in a typed list."""
    if span is None:
        return None
    dash_seen = False
    for match in _TOKEN.finditer(span.source.text, span.end):
        word = match[0].lower()
        dash_seen = dash_seen or word[0] == "-"
        if dash_seen and word.lstrip("-") == type_name:
            return Span(span.source, match.end() - len(type_name), match.end())
    return span


def _opening_words(item: SExpression) -> str:
    if isinstance(item, Word):
        return item.text[:40]
    return "(" + " ".join(word.text[:40] for word in item.items[:2] if isinstance(word, Word)) + ")"


class _Reader:
    """The state of one reading: the groups that are open, outermost first, below a group for the whole text."""

    def __init__(self, source: SourceText, report: ErrorReport) -> None:
        self.source = source
        self.report = report
        self.whole = Group(source, 0)
        self.open = [self.whole]
        self.sound = True
        self.known_words: dict[str, str] = {}
        self.stray_run = False

    def read(self) -> SExpressionReader:
        source, open_groups, known = self.source, self.open, self.known_words
        items = self.whole.items
        tokens = _TOKEN.finditer(source.text)
        for match in islice(tokens, MAX_TOKENS):
            token = match[0]
            if token == "(":
                self.report.poll()
                if len(open_groups) > MAX_NESTING:
                    return self._stop(f"parentheses are nested deeper than {MAX_NESTING}", match.start())
                group = Group(source, match.start())
                items.append(group)
                open_groups.append(group)
                items = group.items
            elif token == ")":
                if len(open_groups) > 1:
                    open_groups.pop().end = match.end()
                    items = open_groups[-1].items
                    self.stray_run = False
                else:
                    self._report_stray(match.start(), match.end())
            elif token[0] != ";":
                text = known.get(token)
                if text is None:
                    text = known[token] = self._admitted_word(token, match.start())
                if len(open_groups) == 1:
                    self._report_stray(match.start(), match.end())
                elif text:
                    if not items and (text[0] == ":" or text == "define"):
                        self._resume(text)
                        items = open_groups[-1].items
                    items.append(Word(source, match.start(), match.end(), text))
        if (beyond := next(tokens, None)) is not None:
            return self._stop(f"the text has more than {MAX_TOKENS:,} words and parentheses", beyond.start())
        return self._finish()

    def _admitted_word(self, token: str, start: int) -> str:
        """The word in lower case, without characters that cannot stand in PPDDL (they are reported)."""
        foreign = _FOREIGN.search(token)
        if foreign is None:
            return token.lower()
        character = foreign[0][0]
        shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
        place = Span(self.source, start + foreign.start(), start + foreign.end())
        self.report.error(f"the character {shown} cannot stand in PPDDL", place)
        self.sound = False
        return _FOREIGN.sub("", token).lower()

    def _report_stray(self, start: int, end: int) -> None:
        """A word or closing parenthesis outside of every group, the first of those that follow each other."""
        self.report.poll()
        if not self.stray_run:
            place = Span(self.source, start, end)
            if self.source.text[start] == ")":
                self.report.error("superfluous ')'", place, self._last_definition())
            else:
                self.report.error(f"text outside of any '(define …)': {quoted(self.source.text[start:end])}", place)
            self.sound = False
        self.stray_run = True

    def _last_definition(self) -> str:
        if not self.whole.items:
            return "nothing is open here"
        return f"{self._closing_words(self.whole.items[-1])} already"

    def _closing_words(self, item: SExpression) -> str:
        line, column = self.source.position(item.end - 1)
        title = item.title() if isinstance(item, Group) else item.text
        return f"'{title}' of line {item.line} is closed in line {line}, column {column}"

    def _resume(self, head: str) -> None:
        """Use the head of the group opened last to find out whether a parenthesis before it is wrong."""
        newest = self.open[-1]
        depth = len(self.open) - 2
        outer = self.whole.items[-1]
        if head == "define":
            if depth > 0:
                self._move(newest, head, keep=1)
        elif depth > 1 and head in _SECTIONS and isinstance(outer, Group) and outer.head() == "define":
            self._move(newest, head, keep=2)
        elif depth == 0 and len(self.whole.items) > 1:
            before = self.whole.items[-2]
            if isinstance(before, Group) and before.head() == "define":
                self.report.error(
                    f"the section '({head}' stands outside of any '(define …)'",
                    newest.opening(),
                    f"{self._closing_words(before)}: is there a ')' too many?",
                )
                self.sound = False
                self.whole.items.pop()
                before.items.append(newest)
                self.open[1:] = [before, newest]

    def _move(self, newest: Group, head: str, keep: int) -> None:
        """Close every open group above the first `keep` ones, and put the newest group there."""
        self._report_unclosed(self.open[keep:-1], f"a ')' is missing before '({head}' in line {newest.line}")
        self.open[-2].items.pop()
        for group in self.open[keep:-1]:
            group.end = newest.start
        self.open[keep:] = [newest]
        self.open[keep - 1].items.append(newest)

    def _report_unclosed(self, unclosed: list[Group], hint: str) -> None:
        innermost = unclosed[-1]
        enclosing = [group for group in self.open[1:3] if group.start < innermost.start]
        for group in unclosed:
            group.complete = False
        context = tuple(f"'{group.title()}' of line {group.line}" for group in enclosing)
        self.report.error("this '(' is never closed", innermost.opening(), hint, context=context)
        self.sound = False

    def _stop(self, message: str, offset: int) -> SExpressionReader:
        self.report.error(message, Span(self.source, offset, offset + 1))
        return SExpressionReader([], sound=False)

    def _finish(self) -> SExpressionReader:
        if len(self.open) > 1:
            self._report_unclosed(self.open[1:], "a ')' is missing before the end of the text")
            for group in self.open[1:]:
                group.end = len(self.source.text)
        return SExpressionReader(self.whole.items, self.sound)
