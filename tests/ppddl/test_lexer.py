"""Words, groups and their places."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from gpaplan.ppddl.lexer import ErrorReport, Group, SExpression, Word, read_expressions, type_after, word_in
from gpaplan.source import SourceText, Span

Nested: TypeAlias = "str | list[Nested]"


def nested(item: SExpression) -> Nested:
    return item.text if isinstance(item, Word) else [nested(each) for each in item.items]


def read(text: str) -> tuple[list[Nested], list[tuple[int | None, int | None, str]]]:
    report = ErrorReport()
    expressions = read_expressions(SourceText(text), report)
    return [nested(item) for item in expressions.items], [(e.line, e.column, e.message) for e in report.errors]


def test_words_groups_and_comments() -> None:
    text = "(Define ; a comment ( with ) parentheses\r\n\t(DOMAIN My-World)()\f(p ?X -1/2 .5 <= :Key))"
    expected: list[Nested] = [["define", ["domain", "my-world"], [], ["p", "?x", "-1/2", ".5", "<=", ":key"]]]
    assert read(text) == (expected, [])


def test_words_need_no_space_around_parentheses() -> None:
    assert read("(a(b)c(d))") == ([["a", ["b"], "c", ["d"]]], [])


def test_comment_without_a_line_break_at_the_end() -> None:
    assert read("(a) ; the end") == ([["a"]], [])


def test_spans_cover_the_text() -> None:
    source = SourceText("(one\n  (two THREE))")
    outer = read_expressions(source, ErrorReport()).items[0]
    assert isinstance(outer, Group)
    inner = outer.items[1]
    assert isinstance(inner, Group)
    assert source.text[outer.start : outer.end] == source.text
    assert source.text[inner.start : inner.end] == "(two THREE)"
    three = inner.items[1]
    assert (three.line, three.column, source.text[three.start : three.end]) == (2, 8, "THREE")


def test_letters_of_all_scripts_are_letters() -> None:
    assert read("(Größe straße_ß)") == ([["größe", "straße_ß"]], [])


def test_foreign_characters_are_reported_once_a_word_and_left_out() -> None:
    items, errors = read('(a"b" a"b" c\x01d)')
    assert items == [["ab", "ab", "cd"]]
    assert errors == [
        (1, 3, "the character '\"' cannot stand in PPDDL"),
        (1, 13, "the character U+0001 cannot stand in PPDDL"),
    ]


def test_reading_goes_on_after_an_unclosed_section() -> None:
    items, errors = read("(define (domain a)\n (:init (x)\n (:goal (y)))")
    assert items == [["define", ["domain", "a"], [":init", ["x"]], [":goal", ["y"]]]]
    assert errors == [(2, 2, "this '(' is never closed")]


def test_reading_goes_on_after_a_definition_closed_too_early() -> None:
    items, errors = read("(define (domain a))\n (:one) (:two))\n(define (problem b))")
    assert items == [["define", ["domain", "a"], [":one"], [":two"]], ["define", ["problem", "b"]]]
    assert errors == [(2, 2, "the section '(:one' stands outside of any '(define …)'")]


def test_unclosed_groups_are_not_complete() -> None:
    expressions = read_expressions(SourceText("(define (domain a) (:init (x) (:goal (y)))"), ErrorReport())
    definition = expressions.items[0]
    assert isinstance(definition, Group)
    assert [item.complete for item in definition.items if isinstance(item, Group)] == [True, False, True]
    assert not expressions.sound


@pytest.mark.parametrize("depth", [100, 101])
def test_nesting_limit(depth: int) -> None:
    _, errors = read("(" * depth + ")" * depth)
    assert errors == ([] if depth == 100 else [(1, 101, "parentheses are nested deeper than 100")])


def test_positions_across_blocks_of_a_long_text() -> None:
    lines = [f"line {number}" for number in range(1, 30_001)]
    source = SourceText("\n".join(lines))
    for number in (1, 2, 9_999, 10_000, 29_999, 30_000):
        offset = source.text.index(f"line {number}\n" if number < 30_000 else "line 30000")
        assert source.position(offset + 3) == (number, 4)
        assert source.line_around(offset + 3) == f"line {number}"
    assert source.position(len(source.text)) == (30_000, 11)


def test_places_of_words_and_types() -> None:
    source = SourceText("( ; comment\n at ?a ?b - Place ?c -zone ?d - (either zone x))")
    whole = Span(source, 0, len(source.text))
    name, second = word_in(whole), word_in(whole, 1)
    assert name is not None
    assert second is not None
    assert (source.text[name.start : name.end], second.column) == ("at", 5)
    for type_name, column in (("place", 13), ("zone", 23)):
        found = type_after(second, type_name)
        assert found is not None
        assert found.column == column
    assert word_in(None) is None
    assert type_after(None, "a") is None
