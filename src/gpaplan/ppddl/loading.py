"""The way from sources to checked syntax trees: which definition of which file is meant, and all errors at once.

Files are read as UTF-8 (with or without a byte order mark) and otherwise as Latin-1, the encoding of old competition
files. What cannot be PPDDL is refused before it costs anything: directories, files over `MAX_INPUT_BYTES`, files that
are not text.

Every function here reads its sources completely, parses every definition in them, checks the definitions that are
asked for, and only then raises one error with everything that is wrong. A domain that could not be read in full does
not cause complaints about names it might have declared.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar, cast

from gpaplan.display import counted
from gpaplan.errors import Diagnostic, InputError, UnsupportedError, UsageError
from gpaplan.files import file_name, read_bytes
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl.check import check_domain, check_problem
from gpaplan.ppddl.lexer import ErrorReport, TooManyErrors, quoted, word_in
from gpaplan.ppddl.parser import DECLARATIONS, DomainSyntax, FileSyntax, ProblemSyntax, parse_source
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.source import SourceText, Span

_T = TypeVar("_T")

MAX_INPUT_BYTES = 32 * 1024 * 1024
"""Larger files are refused."""

Source: TypeAlias = str | os.PathLike[str]
"""A path, or a string: PPDDL text if it has an opening parenthesis in it, a file name otherwise."""

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


def read_source(source: Source, poll: Callable[[], object] = lambda: None) -> SourceText:
    """The text of a file, or a string that is PPDDL text itself. ``poll`` is called now and then.

    Raises `UsageError` where there is no such file, and `InputError` where the file is not a text of bearable size.
    """
    if isinstance(source, str) and "(" in source:
        if len(source) > MAX_INPUT_BYTES:
            raise InputError([_too_large("<string>", len(source))])
        return SourceText(source)
    name = file_name(source, "a PPDDL file, or its text")
    if not name:
        raise UsageError("the file name is empty")
    data = read_bytes(name, MAX_INPUT_BYTES, poll)
    if len(data) > MAX_INPUT_BYTES:
        size = os.stat(name).st_size if os.path.exists(name) else 0  # there is none of standard input
        raise InputError([_too_large(name, max(len(data), size))])
    return _decode(data, name)


def _too_large(name: str, size: int) -> Diagnostic:
    limit = MAX_INPUT_BYTES // (1024 * 1024)
    return Diagnostic(f"is too large: {size:,} bytes, and the limit is {MAX_INPUT_BYTES:,} ({limit} MiB)", file=name)


def _decode(data: bytes, name: str) -> SourceText:
    control = _CONTROL.search(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if control is not None:
            raise _not_text(data, min(control.start(), error.start), name) from None
        return SourceText(data.decode("latin-1"), name)
    if b"\0" in data:
        raise _not_text(data, data.index(b"\0"), name)
    if text.lstrip()[:1] == "{":
        hint = f"'gpaplan show {name}' says what it is"
        raise InputError([Diagnostic("is JSON, and not PPDDL", hint=hint, file=name)])
    return SourceText(text, name)


def _not_text(data: bytes, offset: int, name: str) -> InputError:
    source = SourceText(data.decode("latin-1"), name)
    message = f"this is not a text file: it has the byte 0x{data[offset]:02x} here"
    return InputError([Diagnostic(message, Span(source, offset, offset + 1))])


WarningHandler: TypeAlias = Callable[[Diagnostic], None]
"""What is called with each warning."""


@dataclass(frozen=True, slots=True)
class ParsedTask:
    """A domain and a problem of it, with the warnings that reading them gave."""

    domain: Domain
    problem: Problem
    warnings: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return f"ParsedTask({self.domain!r}, {self.problem!r}, {counted(len(self.warnings), 'warning')})"


@dataclass(frozen=True, slots=True)
class ParsedDomain:
    """A domain without a problem, with the warnings that reading it gave."""

    domain: Domain
    warnings: tuple[Diagnostic, ...] = ()


def parse_domain(source: Source, *, limits: AnyLimits = None, on_warning: WarningHandler | None = None) -> Domain:
    """Read and check the domain of a file or text; problems in it must be well-formed and are otherwise ignored.

    `on_warning` is called with each warning; without it warnings are dropped. Raises `LimitError` at a limit.
    """

    def read(report: ErrorReport) -> Domain | None:
        syntax = _choose_domain(_parse(source, report), report)
        return None if syntax is None else check_domain(syntax, report)

    return _read(read, limits, on_warning)


def parse_problem(
    domain: Domain,
    source: Source,
    problem_name: str | None = None,
    *,
    limits: AnyLimits = None,
    on_warning: WarningHandler | None = None,
) -> Problem:
    """Read and check a problem of `domain`; `problem_name` chooses among several problems of a file.

    A domain in the same file is not used; one that differs from `domain` gives a warning. Raises `LimitError` at a
    limit.
    """
    if not isinstance(domain, Domain):
        raise UsageError("parse_problem takes the domain first, as parse_domain gives it, and then the problem")

    def read(report: ErrorReport) -> Problem | None:
        parsed = _parse(source, report)
        chosen = _choose_problem(parsed, problem_name, report)
        return None if chosen is None else _check_pair(chosen, domain, set(), parsed, report)

    return _read(read, limits, on_warning)


def parse_task(
    domain_source: Source,
    problem_source: Source | None = None,
    problem_name: str | None = None,
    *,
    limits: AnyLimits = None,
) -> ParsedTask:
    """Read and check a domain and a problem, from two files or from one that holds both.

    `problem_name` chooses among several problems of a file. Where both files define a domain, the one of
    `domain_source` counts. Raises `InputError` with all errors of both files, or `UnsupportedError` if everything in
    it is correct PPDDL but not supported, and `LimitError` at a limit.
    """
    task = _parse_both(domain_source, problem_source, problem_name, limits, alone=False)
    assert isinstance(task, ParsedTask)
    return task


def parse_domain_or_task(
    domain_source: Source,
    problem_source: Source | None = None,
    problem_name: str | None = None,
    *,
    limits: AnyLimits = None,
) -> ParsedDomain | ParsedTask:
    """The same, but a single file that holds a domain and no problem gives the domain alone."""
    alone = problem_source is None and problem_name is None
    return _parse_both(domain_source, problem_source, problem_name, limits, alone=alone)


def _parse_both(
    domain_source: Source, problem_source: Source | None, problem_name: str | None, limits: AnyLimits, *, alone: bool
) -> ParsedDomain | ParsedTask:
    warnings: list[Diagnostic] = []

    def read(report: ErrorReport) -> ParsedDomain | ParsedTask | None:
        parsed = _parse(domain_source, report)
        problems = parsed if problem_source is None else _parse(problem_source, report)
        syntax = _choose_domain(parsed, report, problems)
        domain = None if syntax is None else check_domain(syntax, report)
        if alone and not parsed.problems and domain is not None:
            return ParsedDomain(domain)
        is_swapped = bool(problems.domains and not problems.problems and parsed.problems and not parsed.domains)
        chosen = None if is_swapped else _choose_problem(problems, problem_name, report)
        if chosen is None or domain is None or syntax is None:
            return None
        damaged = syntax.damaged if parsed.sound else DECLARATIONS
        return ParsedTask(domain, _check_pair(chosen, domain, damaged, problems, report))

    found = cast("ParsedDomain | ParsedTask", _read(read, limits, warnings.append))
    return replace(found, warnings=tuple(warnings))


def defined_in(source: Source) -> tuple[list[str], dict[str, str]]:
    """The names of the domains of a file, and of its problems, each with the domain that it is of."""
    with suppress(TooManyErrors):
        found = _parse(source, ErrorReport())
        problems = {each.problem.name: each.problem.domain_name for each in found.problems}
        return [each.domain.name for each in found.domains], problems
    return [], {}


def _read(read: Callable[[ErrorReport], _T | None], limits: AnyLimits, on_warning: WarningHandler | None) -> _T:
    """What is read. Raises an error with all errors that were reported; else the handler gets each warning."""
    report, found = ErrorReport(started(limits)), None
    with suppress(TooManyErrors):
        found = read(report)
    if report.errors:
        raise (UnsupportedError if report.all_unsupported else InputError)(_in_text_order(report.errors))
    if on_warning is not None:
        for warning in _in_text_order(report.warnings):
            on_warning(warning)
    assert found is not None
    return found


def _in_text_order(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place; files, and findings without a place, in the order in which they were found; no repetitions."""
    files: dict[str | None, int] = {}
    for each in diagnostics:
        files.setdefault(each.path, len(files))
    unique: dict[tuple[str | None, int, str], Diagnostic] = {}
    for each in diagnostics:
        unique.setdefault((each.path, each.span.start if each.span is not None else -1, each.message), each)
    return [unique[key] for key in sorted(unique, key=lambda key: (files[key[0]], key[1]))]


def _parse(source: Source, report: ErrorReport) -> FileSyntax:
    try:
        text = read_source(source, report.poll_now)
    except InputError as error:
        report.errors.extend(error.diagnostics)
        report.all_unsupported = False
        return FileSyntax(None, sound=False)
    return parse_source(text, report)


def _choose_domain(parsed: FileSyntax, report: ErrorReport, problems: FileSyntax | None = None) -> DomainSyntax | None:
    """The domain of a file, or None after reporting why there is none to be checked."""
    for other in parsed.domains[1:]:
        first = parsed.domains[0].domain.span
        hint = None if first is None else f"the first is in line {first.line}"
        report.error("a second domain in one file", word_in(other.domain.span, 2), hint)
    if parsed.domains:
        syntax = parsed.domains[0]
        if not parsed.sound:
            syntax.damaged.update(DECLARATIONS)
        return syntax
    if parsed.source is None or not parsed.sound:
        return None
    hint = None
    if problems is not None and problems is not parsed and problems.domains and problems.source is not None:
        swapped = ": are the two files swapped?" if parsed.problems and not problems.problems else ""
        hint = f"'{problems.source.name}' defines the domain '{problems.domains[0].domain.name}'{swapped}"
    elif parsed.problems and problems in (None, parsed):
        hint = "it holds only a problem; the domain is in another file"
    report.error("there is no '(define (domain …) …)' in this file", None, hint, file=parsed.source.name)
    return None


def _choose_problem(parsed: FileSyntax, name: str | None, report: ErrorReport) -> ProblemSyntax | None:
    """The problem that is asked for, or None after reporting why there is none."""
    problems = parsed.problems
    if parsed.source is None:
        return None
    if not problems:
        if parsed.sound:
            hint = "it holds only a domain; give the problem's file as well" if parsed.domains else None
            report.error("there is no '(define (problem …) …)' in this file", None, hint, file=parsed.source.name)
        return None
    names = [each.problem.name for each in problems]
    shown = ", ".join(quoted(each) for each in names[:20]) + (", …" if len(names) > 20 else "")
    if name is None:
        if len(problems) > 1:
            message = f"this file has {len(problems)} problems: {shown}"
            report.error(message, None, "choose one by name (--problem-name)", file=parsed.source.name)
            return None
        return problems[0]
    chosen = [each for each in problems if each.problem.name == name.lower()]
    if not chosen:
        hint = report.suggest(name.lower(), names) or f"this file has {shown}"
        report.error(f"there is no problem {quoted(name)} in this file", None, hint, file=parsed.source.name)
        return None
    if len(chosen) > 1:
        first = chosen[0].problem.span
        hint = None if first is None else f"the first is in line {first.line}"
        report.error(f"a second problem {quoted(name)} in one file", word_in(chosen[1].problem.span, 2), hint)
    return chosen[0]


def _check_pair(
    chosen: ProblemSyntax, domain: Domain, damaged: Set[str], parsed: FileSyntax, report: ErrorReport
) -> Problem:
    """Check a problem against a domain, whose own file may be another one than the problem's."""
    problem = chosen.problem
    own = [each for each in parsed.domains if each.domain.span is not domain.span]
    if problem.domain_name and domain.name and problem.domain_name != domain.name:
        if any(each.domain.name == problem.domain_name for each in own):
            hint: str | None = "this file defines that domain itself; it can be read without a domain file"
        else:
            hint = report.suggest(problem.domain_name, (domain.name,)) or "it belongs to another domain"
        report.error(
            f"the problem is of the domain {quoted(problem.domain_name)}, not of {quoted(domain.name)}",
            chosen.domain_span,
            hint,
        )
        return problem
    for each in own:
        if not report.errors and check_domain(each, ErrorReport()) != domain:
            report.warning(
                f"this definition of the domain {quoted(each.domain.name)} is not used: it differs from the one given",
                word_in(each.domain.span, 2),
            )
    if not parsed.sound:
        damaged = DECLARATIONS
    return check_problem(chosen, domain, damaged, report)
