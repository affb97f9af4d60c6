"""Broken PPDDL: each text gives the right message at the right place, and nothing else, and soon."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gpaplan.errors import Diagnostic, GpaplanError, InputError, UnsupportedError, UsageError
from gpaplan.ppddl import MAX_INPUT_BYTES, parse_domain, parse_problem, parse_task
from tests.ppddl.broken import HEAD, MOVE, TASK, Case, places
from tests.ppddl.broken_meaning import MEANING_CASES
from tests.ppddl.broken_syntax import SYNTAX_CASES

DOMAIN = "(define (domain coins) (:requirements :strips) (:predicates (heads)) (:action toss :effect (heads)))"
PROBLEM = "(define (problem one) (:domain coins) (:init) (:goal (heads)))"


@pytest.fixture
def soon() -> Iterator[None]:
    """Fails a test that takes a lot of the processor's time, whatever else the machine does."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 30


def errors_of(text: str) -> InputError:
    """The error that reading a text raises: as a task if it holds a problem, else as a domain."""
    with pytest.raises(InputError) as raised:
        parse_task(text) if "(problem" in text else parse_domain(text)
    return raised.value


def findings(path: Path) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as raised:
        parse_domain(path)
    return raised.value.diagnostics


@pytest.mark.parametrize("broken", [*SYNTAX_CASES, *MEANING_CASES], ids=lambda broken: broken.name)
@pytest.mark.usefixtures("soon")
def test_broken_text(broken: Case) -> None:
    text, marks = places(broken.text)
    error = errors_of(text)
    assert [(each.line, each.column, each.message) for each in error.diagnostics] == [
        (line, column, message) for (line, column), message in zip(marks, broken.messages, strict=True)
    ]
    assert isinstance(error, UnsupportedError) == broken.unsupported
    first = error.diagnostics[0]
    if broken.hint is not None:
        assert first.hint == broken.hint
    if broken.context:
        assert first.context == broken.context


def test_message_as_shown_to_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "(define (domain rover) (:requirements :strips :probabilistic-effects)\n"
    head += "  (:predicates (rock-at ?r ?l) (at ?l))\n  (:action load :parameters (?r ?l) :effect\n"
    line = "    (probabilistic 0.6 (and (rock-att ?r ?l) (not (at ?l))))"
    monkeypatch.chdir(tmp_path)
    Path("rover.ppddl").write_text(head + "\n" * 27 + line + "))\n")
    with pytest.raises(InputError) as raised:
        parse_domain(Path("rover.ppddl"))
    assert str(raised.value) == (
        "rover.ppddl:31:30: unknown predicate 'rock-att'\n"
        "   31 |     (probabilistic 0.6 (and (rock-att ?r ?l) (not (at ?l))))))\n"
        "      |                              ^^^^^^^^\n"
        "  in action 'load' > effect > outcome 1;  did you mean 'rock-at'?"
    )


def test_many_errors_are_counted_not_shown() -> None:
    error = errors_of(HEAD + "".join(f"(:action a{i} :effect (no-such))\n" for i in range(60)) + ")")
    assert len(error.diagnostics) == 60
    assert str(error).count("unknown predicate") == 50
    assert str(error).endswith("<string>: and 10 more")


def test_errors_of_two_files_come_together(tmp_path: Path) -> None:
    (tmp_path / "domain.ppddl").write_text(HEAD + MOVE + ":effect (redy)))")
    (tmp_path / "problem.ppddl").write_text(
        "(define (problem one) (:domain rover)\n  (:init (redy))\n  (:goal (at home)))"
    )
    with pytest.raises(InputError) as raised:
        parse_task(tmp_path / "domain.ppddl", tmp_path / "problem.ppddl")
    assert [(Path(each.path or "").name, each.line, each.message) for each in raised.value.diagnostics] == [
        ("domain.ppddl", 7, "unknown predicate 'redy'"),
        ("problem.ppddl", 2, "unknown predicate 'redy'"),
        ("problem.ppddl", 3, "predicate 'at' takes 2 arguments, not 1"),
    ]


def test_broken_domain_does_not_spoil_the_problem() -> None:
    with pytest.raises(InputError) as raised:
        parse_task(
            "(define (domain a) (:predicates (p)", "(define (problem b) (:domain a) (:init (q) (not)) (:goal (p)))"
        )
    assert [each.message for each in raised.value.diagnostics] == [
        "this '(' is never closed",
        "expected an atom, found the connective 'not'",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        ("; nothing but a comment\n", "holds no '(define …)'"),
        (PROBLEM, "there is no '(define (domain …) …)' in this file"),
    ],
)
def test_file_without_a_domain(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "domain.ppddl"
    path.write_text(content)
    (finding,) = findings(path)
    assert (finding.message, finding.path, finding.line) == (message, str(path), None)
    assert finding.render().startswith(f"{path}: {message}")


def test_swapped_files(tmp_path: Path) -> None:
    (tmp_path / "d").write_text(DOMAIN)
    (tmp_path / "p").write_text(PROBLEM)
    with pytest.raises(InputError) as raised:
        parse_task(tmp_path / "p", tmp_path / "d")
    (first,) = raised.value.diagnostics
    assert first.message == "there is no '(define (domain …) …)' in this file"
    assert first.hint == f"'{tmp_path / 'd'}' defines the domain 'coins': are the two files swapped?"


def test_choice_of_a_problem() -> None:
    two = PROBLEM + PROBLEM.replace("one", "two")
    with pytest.raises(InputError, match=r"this file has 2 problems: 'one', 'two'\n  choose one by name"):
        parse_task(DOMAIN, two)
    with pytest.raises(InputError, match=r"there is no problem 'tow' in this file\n  did you mean 'two'\?"):
        parse_task(DOMAIN, two, "tow")
    with pytest.raises(InputError, match="a second problem 'one' in one file"):
        parse_task(DOMAIN, PROBLEM + PROBLEM, "one")
    with pytest.raises(InputError, match="a second domain in one file"):
        parse_task(DOMAIN + DOMAIN + PROBLEM)
    with pytest.raises(InputError, match=r"no '\(define \(problem …\) …\)' in this file\n  it holds only a domain"):
        parse_task(DOMAIN)


def test_problem_of_the_domain_in_its_own_file() -> None:
    other = DOMAIN.replace("coins", "dice")
    with pytest.raises(InputError, match=r"of the domain 'coins', not of 'dice'(.|\n)*defines that domain itself"):
        parse_problem(parse_domain(other), DOMAIN + PROBLEM)


@pytest.mark.parametrize("name", ["absent.ppddl", "folder", ""])
def test_file_that_cannot_be_opened(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(UsageError, match=r"no such file|is a directory|is empty"):
        parse_domain(name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "domain.ppddl"
    path.write_text(DOMAIN)
    path.chmod(0)
    with pytest.raises(UsageError, match="cannot be read: Permission denied"):
        parse_domain(path)


def test_file_name_with_a_null_character() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        parse_domain("a\0b")


@pytest.mark.parametrize(
    ("data", "line", "column", "byte"),
    [
        (b"(define\n (dom\xff\x00ain", 2, 6, "0xff"),
        (b"(define\n\x00", 2, 1, "0x00"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 1, 1, "0x89"),
        ("(define (domain a))".encode("utf-16"), 1, 1, "0xff"),
    ],
)
def test_binary_file(tmp_path: Path, data: bytes, line: int, column: int, byte: str) -> None:
    path = tmp_path / "junk.ppddl"
    path.write_bytes(data)
    (finding,) = findings(path)
    assert (finding.line, finding.column) == (line, column)
    assert finding.message == f"this is not a text file: it has the byte {byte} here"


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("size", [50 * 1024 * 1024, 10**12])
def test_file_over_the_limit_is_not_read(tmp_path: Path, size: int) -> None:
    path = tmp_path / "large.ppddl"
    with path.open("wb") as file:
        try:
            file.truncate(size)
        except OSError:
            pytest.skip("the file system has no sparse files of this size")
    (finding,) = findings(path)
    assert finding.message == f"is too large: {size:,} bytes, and the limit is {MAX_INPUT_BYTES:,} (32 MiB)"


MIB = 1024 * 1024


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 20 * MIB, "parentheses are nested deeper than 100"),
        (")" * 20 * MIB, "superfluous ')'"),
        ("a" * 20 * MIB, f"text outside of any '(define …)': '{'a' * 60}…'"),
        ("a " * 10 * MIB, "text outside of any '(define …)': 'a'"),
        (";" * 20 * MIB, "holds no '(define …)'"),
        ("\n" * 20 * MIB + "x", "text outside of any '(define …)': 'x'"),
        ("(define (domain " + "a" * 20 * MIB + ") (:actoin))", "unknown section ':actoin'"),
        ("(define (domain a) (:predicates (" + "b" * 20 * MIB + " ?x - c)))", "unknown type 'c'"),
        (
            "(define (domain a) (:predicates " + "() " * (MIB // 4) + "))",
            "expected a predicate declaration, found '()'",
        ),
        ("(define (domain a)" + "(:x)" * (MIB // 4) + ")", "unknown section ':x'"),
    ],
    ids=["open", "close", "word", "words", "comment", "lines", "name", "predicate", "groups", "sections"],
)
def test_large_file_below_the_limit_ends_soon(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "large.ppddl"
    path.write_text(text)
    assert findings(path)[0].message == message


@pytest.mark.usefixtures("soon")
def test_many_unknown_names_end_soon() -> None:
    names = " ".join(f"object{i}" for i in range(20_000))
    facts = " ".join(f"(at objekt{i} home)" for i in range(20_000))
    error = errors_of(TASK + f"(:objects {names} - rover) (:init {facts}) (:goal (ready)))")
    assert error.diagnostics[0].hint is not None
    assert len(error.diagnostics) == 1000


def test_random_damage_never_gives_another_exception() -> None:
    text, _ = places(
        TASK + MOVE + "(:objects a b - rover) (:init (at a home)) (:goal (and (ready) (not (at b home)))))"
    )
    text = text.replace(
        ")\n(define (problem",
        MOVE + ":effect (probabilistic 1/2 (ready) 0.2 (when (ready) (at ?r ?p)))))\n(define (problem",
    )
    generator = random.Random(1)
    pieces = [
        "(",
        ")",
        " ",
        "-",
        "?",
        ":",
        "and",
        "not",
        "0.5",
        "1/0",
        "either",
        "\0",
        "é",
        ";",
        "\n",
        "define",
        ":action",
        "=",
    ]
    for _ in range(1500):
        damaged = text
        for _ in range(generator.randint(1, 4)):
            start = generator.randrange(len(damaged))
            end = start + generator.choice([0, 1, 1, 2, 10])
            damaged = damaged[:start] + generator.choice(["", *pieces]) + damaged[end:]
        with suppress(GpaplanError):
            parse_task(damaged)
