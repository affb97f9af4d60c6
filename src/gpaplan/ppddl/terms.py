"""The smallest parts of PPDDL: names, numbers, variables, and typed lists such as ``?x ?y - block ?z - table``.

Numbers are exact: ``0.1`` is one tenth. Competition files write types without a space after the dash (``?x -zone``);
that is read as it is meant.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gpaplan.ppddl.lexer import Group, SExpression, Word
from gpaplan.ppddl.report import ErrorReport, quoted
from gpaplan.ppddl.syntax import Constant, Term, TypedName, Variable

PROBABILITY_FORM = "a probability is a number from 0 to 1, such as 0.5, .8 or 1/4"
TOO_SMALL = f"the smallest number above 0 is {sys.float_info.min:.4g}"
NUMBER_FORM = "a number looks like 3, 0.5, 1/4 or 1e-3"

CONNECTIVES = ("and", "or", "not", "imply", "forall", "exists")
COMPARISONS = ("=", "<", ">", "<=", ">=")
EFFECT_WORDS = ("when", "probabilistic", "increase", "decrease", "assign", "scale-up", "scale-down", "oneof")
RESERVED = frozenset((*CONNECTIVES, *COMPARISONS, *EFFECT_WORDS, "either", "preference"))

_LONGEST_NUMBER = 400
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?([0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")
_NAME = re.compile(r"[^\W\d][\w\-.@#&+%!$~^'*/]*")
_OBJECT_NAME = re.compile(r"\d[\w-]*")
_VARIABLE = re.compile(r"\?[\w\-.@#&+%!$~^'*/]+")
_LARGEST_EXPONENT_DIGITS = 3
_MOST_DECIMALS = 12
_LARGEST = Fraction(sys.float_info.max)
_SMALLEST = Fraction(sys.float_info.min)


def is_number(text: str) -> bool:
    """Whether a word has the form of a number, be it acceptable or not."""
    return _DECIMAL.fullmatch(text) is not None or _RATIO.fullmatch(text) is not None


def number(node: SExpression, report: ErrorReport, what: str = "a number", form: str = NUMBER_FORM) -> Fraction | None:
    """The exact value of a number, or None after reporting why there is none."""
    if not isinstance(node, Word):
        report.error(f"expected {what}, found {node.describe()}", node.place(), form)
        return None
    text = node.text
    if len(text) > _LONGEST_NUMBER:
        report.error(f"expected {what}, found a word of {len(text):,} characters", node, form)
        return None
    if _RATIO.fullmatch(text):
        numerator, denominator = text.split("/")
        if int(denominator) == 0:
            report.error(f"division by zero in {quoted(text)}", node, form)
            return None
        return _bounded(Fraction(int(numerator), int(denominator)), node, report)
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None:
        report.error(f"expected {what}, found {quoted(text)}", node, form)
        return None
    if decimal[1] is not None and len(decimal[1].lstrip("0")) > _LARGEST_EXPONENT_DIGITS:
        report.error(f"the exponent of {quoted(text)} is too large", node, form)
        return None
    return _bounded(Fraction(text), node, report)


def _bounded(value: Fraction, node: Word, report: ErrorReport) -> Fraction | None:
    """The value, or None after reporting that it is too large or too small to be computed with."""
    if abs(value) > _LARGEST:
        report.error(f"the number {quoted(node.text)} is too large", node, f"the largest is {float(_LARGEST):.4g}")
        return None
    if is_too_small(abs(value)):
        report.error(f"the number {quoted(node.text)} is too close to 0", node, TOO_SMALL)
        return None
    return value


def is_too_small(value: Fraction) -> bool:
    """Whether a number that is not negative would be 0, or lose digits, as a double, and is not 0."""
    return 0 < value < _SMALLEST


def number_text(value: Fraction) -> str:
    """A number as PPDDL text: a decimal of at most twelve digits where that is exact, otherwise a ratio."""
    for digits in range(_MOST_DECIMALS + 1):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            sign, text = ("-" if value < 0 else ""), str(abs(scaled.numerator)).rjust(digits + 1, "0")
            return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)
    return f"{value.numerator}/{value.denominator}"


@dataclass(frozen=True, slots=True)
class NameKind:
    """What a name stands for, in messages: ``NameKind("a predicate name")``."""

    what: str
    may_be_reserved: bool = False
    may_begin_with_digit: bool = False


PREDICATE = NameKind("a predicate name")
FUNCTION = NameKind("a function name")
TYPE = NameKind("a type name", may_be_reserved=True)
ACTION = NameKind("an action name", may_be_reserved=True, may_begin_with_digit=True)
OBJECT = NameKind("an object name", may_be_reserved=True, may_begin_with_digit=True)


def name(node: SExpression, kind: NameKind, report: ErrorReport) -> str | None:
    """A name, or None after reporting why the node is none."""
    if not isinstance(node, Word):
        report.error(f"expected {kind.what}, found {node.describe()}", node.place())
        return None
    text = node.text
    if not (_is_object_name(text) if kind.may_begin_with_digit else _is_name(text)):
        hint = "names begin with a letter" if text[0] not in "?:" else None
        report.error(f"expected {kind.what}, found {quoted(text)}", node, hint)
        return None
    if text in RESERVED and not kind.may_be_reserved:
        report.error(f"{quoted(text)} is a word of the language and cannot be {kind.what}", node)
        return None
    return text


@lru_cache(maxsize=1 << 16)
def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


@lru_cache(maxsize=1 << 16)
def _is_object_name(text: str) -> bool:
    return _is_name(text) or _OBJECT_NAME.fullmatch(text) is not None


def term(node: SExpression, report: ErrorReport) -> Term | None:
    """A variable or constant as an argument, or None after reporting why the node is neither."""
    if isinstance(node, Group):
        report.unsupported(
            f"{node.describe()} as an argument (object fluents) is not supported", node.place(), "use a predicate"
        )
        return None
    text = node.text
    if _is_object_name(text):
        return Constant(text, span=node)
    if text[0] == "?":
        if _VARIABLE.fullmatch(text):
            return Variable(text, span=node)
        report.error(f"expected a variable such as '?x', found {quoted(text)}", node)
        return None
    name(node, OBJECT, report)
    return None


def arguments(nodes: Sequence[SExpression], report: ErrorReport) -> tuple[Term, ...] | None:
    """All arguments of an atom, or None if one of them is wrong."""
    found: list[Term] = []
    for node in nodes:
        each = term(node, report)
        if each is not None:
            found.append(each)
    return tuple(found) if len(found) == len(nodes) else None


def variables(node: SExpression, report: ErrorReport) -> tuple[TypedName, ...] | None:
    """The parameter list of an action or quantifier, or None if it is wrong."""
    if isinstance(node, Word):
        report.error(
            f"expected a parameter list, found {quoted(node.text)}", node, "a parameter list looks like (?x - type)"
        )
        return None
    return typed_list(node.items, report, None)


def typed_list(
    nodes: Sequence[SExpression], report: ErrorReport, kind: NameKind | None
) -> tuple[TypedName, ...] | None:
    """Names with their types, or None if the list is wrong somewhere. Without a `kind` the names are variables.

    All names that share one ``- type`` share one tuple of types, so that a check of the types can be done once.
    """
    found: list[TypedName] = []
    untyped: list[tuple[str, Word]] = []
    good, named = True, False
    at = 0
    while at < len(nodes):
        report.poll()
        node = nodes[at]
        if isinstance(node, Word) and node.text[0] == "-":
            types, at = _types(nodes, at, report)
            if not named and types is not None:
                report.error("a type without a name before it", node)
                types = None
            named = False
            good = good and types is not None
            found.extend(TypedName(text, types or ("object",), span=word) for text, word in untyped)
            untyped.clear()
            continue
        text = _variable_name(node, report) if kind is None else name(node, kind, report)
        if text is None or not isinstance(node, Word):
            good = False
        else:
            untyped.append((text, node))
        named = True
        at += 1
    found.extend(TypedName(text, span=word) for text, word in untyped)
    return tuple(found) if good else None


def _variable_name(node: SExpression, report: ErrorReport) -> str | None:
    if isinstance(node, Word) and _VARIABLE.fullmatch(node.text):
        return node.text
    hint = None
    if isinstance(node, Word) and _NAME.fullmatch(node.text):
        hint = f"variables begin with a question mark: did you mean '?{node.text[:40]}'?"
    report.error(f"expected a variable such as '?x', found {node.describe()}", node.place(), hint)
    return None


def _types(nodes: Sequence[SExpression], at: int, report: ErrorReport) -> tuple[tuple[str, ...] | None, int]:
    """The type or types after the dash at index `at`, and the index of what follows them."""
    dash = nodes[at]
    if isinstance(dash, Word) and len(dash.text) > 1:
        joined = Word(dash.source, dash.start + 1, dash.end, dash.text[1:])
        single = name(joined, TYPE, report)
        return (None if single is None else (single,)), at + 1
    if at + 1 == len(nodes):
        report.error("'-' without a type after it", dash)
        return None, at + 1
    node = nodes[at + 1]
    if isinstance(node, Group) and node.head() == "either" and len(node.items) > 1:
        found = [name(each, TYPE, report) for each in node.items[1:]]
        good = tuple(dict.fromkeys(each for each in found if each is not None))
        return (good if None not in found else None), at + 2
    single = name(node, TYPE, report)
    return (None if single is None else (single,)), at + 2
