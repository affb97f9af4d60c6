"""Names, numbers, typed lists, formulas and effects: from S-expressions to the syntax tree.

The parser reports an error where it meets one and goes on with the next sibling; in place of the faulty part it puts
the empty conjunction, so the tree is whole but only meant for further checks. Numbers are exact: ``0.1`` is one tenth.
Competition files write an atom without arguments also without parentheses (``dead`` for ``(dead)``), and types without
a space after the dash (``?x -zone``); that is read as it is meant.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeVar, cast

from gpaplan.display import counted
from gpaplan.ppddl import syntax
from gpaplan.ppddl.lexer import ErrorReport, Group, SExpression, Word, quoted
from gpaplan.source import Span

_N = TypeVar("_N", bound=syntax.Node)

PROBABILITY_FORM = "a probability is a number from 0 to 1, such as 0.5, .8 or 1/4"
TOO_SMALL = f"the smallest number above 0 is {sys.float_info.min:.4g}"
NUMBER_FORM = "a number looks like 3, 0.5, 1/4 or 1e-3"

CONNECTIVES = ("and", "or", "not", "imply", "forall", "exists")
COMPARISONS = ("=", "<", ">", "<=", ">=")
EFFECT_WORDS = ("when", "probabilistic", "increase", "decrease", "assign", "scale-up", "scale-down", "oneof")
RESERVED = frozenset((*CONNECTIVES, *COMPARISONS, *EFFECT_WORDS, "either", "preference"))

_LONGEST_NUMBER = 400  # characters
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?([0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")
_NAME = re.compile(r"[^\W\d][\w\-.@#&+%!$~^'*/]*")
_OBJECT_NAME = re.compile(r"\d[\w-]*")
_VARIABLE = re.compile(r"\?[\w\-.@#&+%!$~^'*/]+")
_LARGEST_EXPONENT_DIGITS = 3  # digits
_MOST_DECIMALS = 12  # digits
_LARGEST = Fraction(sys.float_info.max)
_SMALLEST = Fraction(sys.float_info.min)


def is_number(text: str) -> bool:
    """Whether a word has the form of a number, be it acceptable or not."""
    return _DECIMAL.fullmatch(text) is not None or _RATIO.fullmatch(text) is not None


def read_number(
    node: SExpression, report: ErrorReport, what: str = "a number", form: str = NUMBER_FORM
) -> Fraction | None:
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


def read_name(node: SExpression, kind: NameKind, report: ErrorReport) -> str | None:
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


def read_term(node: SExpression, report: ErrorReport) -> syntax.Term | None:
    """A variable or constant as an argument, or None after reporting why the node is neither."""
    if isinstance(node, Group):
        report.unsupported(
            f"{node.describe()} as an argument (object fluents) is not supported", node.place(), "use a predicate"
        )
        return None
    text = node.text
    if _is_object_name(text):
        return syntax.Constant(text, span=node)
    if text[0] == "?":
        if _VARIABLE.fullmatch(text):
            return syntax.Variable(text, span=node)
        report.error(f"expected a variable such as '?x', found {quoted(text)}", node)
        return None
    read_name(node, OBJECT, report)
    return None


def read_arguments(nodes: Sequence[SExpression], report: ErrorReport) -> tuple[syntax.Term, ...] | None:
    """All arguments of an atom, or None if one of them is wrong."""
    found = [read_term(node, report) for node in nodes]
    read = tuple(each for each in found if each is not None)
    return read if len(read) == len(nodes) else None


def read_parameters(node: SExpression, report: ErrorReport) -> tuple[syntax.TypedName, ...] | None:
    """The parameter list of an action or quantifier, or None if it is wrong."""
    if isinstance(node, Word):
        report.error(
            f"expected a parameter list, found {quoted(node.text)}", node, "a parameter list looks like (?x - type)"
        )
        return None
    return read_typed_list(node.items, report, None)


def read_typed_list(
    nodes: Sequence[SExpression], report: ErrorReport, kind: NameKind | None
) -> tuple[syntax.TypedName, ...] | None:
    """Names with their types, or None if the list is wrong somewhere. Without a `kind` the names are variables.

    All names that share one ``- type`` share one tuple of types, so that a check of the types can be done once.
    """
    found: list[syntax.TypedName] = []
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
            found.extend(syntax.TypedName(text, types or ("object",), span=word) for text, word in untyped)
            untyped.clear()
            continue
        text = _variable_name(node, report) if kind is None else read_name(node, kind, report)
        if text is None or not isinstance(node, Word):
            good = False
        else:
            untyped.append((text, node))
        named = True
        at += 1
    found.extend(syntax.TypedName(text, span=word) for text, word in untyped)
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
        single = read_name(joined, TYPE, report)
        return (None if single is None else (single,)), at + 1
    if at + 1 == len(nodes):
        report.error("'-' without a type after it", dash)
        return None, at + 1
    node = nodes[at + 1]
    if isinstance(node, Group) and node.head() == "either" and len(node.items) > 1:
        found = [read_name(each, TYPE, report) for each in node.items[1:]]
        good = tuple(dict.fromkeys(each for each in found if each is not None))
        return (good if None not in found else None), at + 2
    single = read_name(node, TYPE, report)
    return (None if single is None else (single,)), at + 2


# --- formulas and effects ---

QUANTITIES = ("reward", "total-cost")
"""The two quantities an effect may change and a metric may speak of."""

_TRAJECTORY_WORDS = frozenset(
    ("always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before", "always-within")
)
_OUTCOME_FORM = "write (probabilistic 0.8 (effect) 0.2 (effect))"
_ARITHMETIC = ("+", "-", "*", "/")
_OPERANDS = {"not": 1, "imply": 2, "forall": 2, "exists": 2, "=": 2, "when": 2, "increase": 2, "decrease": 2}
"""How many operands each word takes, where that is fixed."""


class ExpressionParser:
    """Parses formulas and effects and reports into one `ErrorReport`.

    The handlers of the single words may count on the number of operands.
    """

    def __init__(self, report: ErrorReport) -> None:
        self.report = report
        self._formulas: dict[str, Callable[[Group], syntax.Formula]] = {
            "and": lambda group: syntax.And(tuple(map(self.formula, group.items[1:])), span=group.span()),
            "or": lambda group: syntax.Or(tuple(map(self.formula, group.items[1:])), span=group.span()),
            "not": lambda group: syntax.Not(self.formula(group.items[1]), span=group.span()),
            "imply": lambda group: syntax.Imply(*map(self.formula, group.items[1:]), span=group.span()),
            "forall": lambda group: self._quantified(group, syntax.ForAll, self.formula) or syntax.And(),
            "exists": lambda group: self._quantified(group, syntax.Exists, self.formula) or syntax.And(),
            "=": self._equals,
        }
        self._effects: dict[str, Callable[[Group], syntax.Effect]] = {
            "and": lambda group: syntax.AndEffect(tuple(map(self.effect, group.items[1:])), span=group.span()),
            "not": self._delete,
            "forall": lambda group: self._quantified(group, syntax.ForAllEffect, self.effect) or syntax.AndEffect(),
            "when": lambda group: syntax.When(
                self.formula(group.items[1]), self.effect(group.items[2]), span=group.span()
            ),
            "probabilistic": self._probabilistic,
            "increase": self._change,
            "decrease": self._change,
        }

    def _has_its_operands(self, group: Group) -> bool:
        """Whether a group has as many operands as its first word takes; the contrary is reported."""
        found = len(group.items) - 1
        count = _OPERANDS.get(group.head(), found)
        if found != count:
            hint = "several operands need an 'and' around them" if found > count else None
            self.report.error(f"'{group.head()}' takes {counted(count, 'operand')}, not {found}", group.place(), hint)
        return found == count

    # --- formulas ----------------------------------------------------------------------------------------------

    def formula(self, node: SExpression) -> syntax.Formula:
        """A condition; ``()`` is the condition that always holds."""
        if isinstance(node, Group):
            if not node.items:
                return syntax.And(span=node.span())
            handler = self._formulas.get(node.head())
            if handler is not None:
                return handler(node) if self._has_its_operands(node) else syntax.And()
            if self._refuse_in_formula(node):
                return syntax.And()
        return self.atom(node) or syntax.And()

    def atom(self, node: SExpression) -> syntax.Atom | None:
        """``(predicate argument …)``, or None after reporting what is wrong."""
        if isinstance(node, Word):
            predicate = read_name(node, PREDICATE, self.report)
            return None if predicate is None else syntax.Atom(predicate, span=node)
        if not node.items:
            self.report.error("expected an atom, found '()'", node)
            return None
        head = node.items[0]
        if isinstance(head, Group):
            self.report.error(
                f"expected a predicate or connective, found {head.describe()}",
                head.place(),
                "a list of conditions or effects begins with 'and'",
            )
            for each in node.items:  # further errors, as far as it is a list of formulas
                if each.head() in self._formulas:
                    self.formula(each)
            return None
        if head.text in RESERVED and self._misplaced(head):
            return None
        predicate = read_name(head, PREDICATE, self.report)
        arguments = read_arguments(node.items[1:], self.report)
        return None if predicate is None or arguments is None else syntax.Atom(predicate, arguments, span=node.span())

    def _misplaced(self, head: Word) -> bool:
        """Report a connective or effect word where only an atom may stand."""
        if head.text in CONNECTIVES or head.text in COMPARISONS:
            self.report.error(f"expected an atom, found the connective {quoted(head.text)}", head)
        elif head.text in EFFECT_WORDS:
            self.report.error(f"{quoted(head.text)} is part of an effect and cannot stand here", head)
        else:
            return False
        return True

    def _refuse_in_formula(self, group: Group) -> bool:
        head = group.head()
        if head in COMPARISONS:
            self.report.unsupported(f"numeric conditions ({quoted(head)}) are not supported", group.place())
        elif head == "preference":
            self.report.unsupported("preferences are not supported", group.place())
        elif head in _TRAJECTORY_WORDS and any(isinstance(item, Group) for item in group.items):
            self.report.unsupported(f"trajectory constraints ({quoted(head)}) are not supported", group.place())
        elif head == "when":
            hint = "did you mean 'imply'?"
            self.report.error("'when' is part of an effect and cannot stand here", group.items[0], hint)
        else:
            return False
        return True

    def _quantified(self, group: Group, kind: Callable[..., _N], read: Callable[[SExpression], object]) -> _N | None:
        parameters = read_parameters(group.items[1], self.report)
        body = read(group.items[2])
        return None if parameters is None else kind(parameters, body, span=group.span())

    def _equals(self, group: Group) -> syntax.Formula:
        operands = group.items[1:]
        if any(isinstance(each, Group) or (is_number(each.text) and not each.text.isalnum()) for each in operands):
            self.report.unsupported("numeric conditions ('=' on numbers) are not supported", group.place())
            return syntax.And()
        read = read_arguments(operands, self.report)
        return syntax.And() if read is None else syntax.Equals(*read, span=group.span())

    # --- effects -----------------------------------------------------------------------------------------------

    def effect(self, node: SExpression) -> syntax.Effect:
        """An effect; ``()`` is the effect that changes nothing."""
        if isinstance(node, Group):
            if not node.items:
                return syntax.AndEffect(span=node.span())
            handler = self._effects.get(node.head())
            if handler is not None:
                return handler(node) if self._has_its_operands(node) else syntax.AndEffect()
            if self._refuse_in_effect(node):
                return syntax.AndEffect()
        atom = self.atom(node)
        return syntax.AndEffect() if atom is None else syntax.Add(atom, span=atom.span)

    def _refuse_in_effect(self, group: Group) -> bool:
        head = group.head()
        if head in ("assign", "scale-up", "scale-down"):
            hint = "only 'increase' and 'decrease' are"
            self.report.unsupported(f"{quoted(head)} is not supported", group.place(), hint)
        elif head == "oneof":
            hint = "give each outcome a probability"
            self.report.unsupported("non-deterministic effects ('oneof') are not supported", group.place(), hint)
        elif head in CONNECTIVES or head in COMPARISONS:
            self.report.error(f"{quoted(head)} is a condition and cannot be an effect", group.items[0])
        else:
            return False
        return True

    def _delete(self, group: Group) -> syntax.Effect:
        operand = group.items[1]
        head = operand.head()
        if head in self._formulas or head in self._effects:
            hint = "negate each atom by itself"
            self.report.error(f"in an effect, 'not' takes an atom and not '{head}'", operand.place(), hint)
            return syntax.AndEffect()
        atom = self.atom(operand)
        return syntax.AndEffect() if atom is None else syntax.Delete(atom, span=group.span())

    def _probabilistic(self, group: Group) -> syntax.Effect:
        nodes = group.items[1:]
        if not nodes:
            self.report.error("'probabilistic' without outcomes", group.place(), _OUTCOME_FORM)
            return syntax.AndEffect()
        if isinstance(nodes[0], Group) and len(nodes) > 1 and _is_number_word(nodes[1]):
            self.report.error("effect and probability are swapped", nodes[1], _OUTCOME_FORM)
            return syntax.AndEffect()
        outcomes: list[syntax.EffectOutcome] = []
        total = Fraction(0)
        at = 0
        while at < len(nodes):
            node = nodes[at]
            with self.report.inside(f"outcome {len(outcomes) + 1}"):
                if isinstance(node, Group):
                    self.report.error(f"a probability is missing before {node.describe()}", node.place(), _OUTCOME_FORM)
                    self.effect(node)
                    at += 1
                    continue
                probability = self._probability(node)
                if probability is not None and probability + total > 1 and probability <= 1:
                    shown = number_text(probability + total)
                    self.report.error(f"the probabilities add up to {shown}, over 1", node)
                    probability = None
                if at + 1 == len(nodes) or _is_number_word(nodes[at + 1]):
                    self.report.error(f"the probability {quoted(node.text)} has no effect", node, _OUTCOME_FORM)
                    at += 1
                    continue
                effect = self.effect(nodes[at + 1])
            total += probability or 0
            span = Span(node.source, node.start, nodes[at + 1].end)
            outcomes.append(syntax.EffectOutcome(probability or Fraction(0), effect, span=span))
            at += 2
        if is_too_small(1 - total):
            self.report.error("what the probabilities leave of 1 is too close to 0", group.place(), TOO_SMALL)
        return syntax.Probabilistic(tuple(outcomes), span=group.span())

    def _probability(self, node: Word) -> Fraction | None:
        probability = read_number(node, self.report, "a probability", PROBABILITY_FORM)
        if probability is not None and not 0 <= probability <= 1:
            side = "negative" if probability < 0 else "over 1"
            self.report.error(f"the probability {quoted(node.text)} is {side}", node, PROBABILITY_FORM)
            return None
        return probability

    def _change(self, group: Group) -> syntax.Effect:
        changed, by = group.items[1:]
        quantity = known_quantity(changed)
        if quantity is None:
            hint = "only (reward) and (total-cost) may change"
            message = f"'{group.head()}' of {changed.describe()} is not supported"
            self.report.unsupported(message, changed.place(), hint)
            return syntax.AndEffect()
        amount = self.expression(by)
        if amount is None:
            return syntax.AndEffect()
        return syntax.Change(cast(Literal["increase", "decrease"], group.head()), quantity, amount, span=group.span())

    def expression(self, node: SExpression) -> syntax.Expression | None:
        """A number or a static function term, or None after reporting what is wrong."""
        if node.head() in _ARITHMETIC:
            self.report.unsupported(f"arithmetic ({node.describe()}) is not supported", node.place())
            return None
        if isinstance(node, Word) and (is_number(node.text) or node.text[0] in "0123456789.+-"):
            value = read_number(node, self.report)
            return None if value is None else syntax.Number(value, span=node)
        return self.function_term(node)

    def function_term(self, node: SExpression) -> syntax.FunctionTerm | None:
        """``(function argument …)``, or None after reporting what is wrong."""
        items = [node] if isinstance(node, Word) else node.items
        if not items:
            self.report.error("expected a function term, found '()'", node)
            return None
        function = read_name(items[0], FUNCTION, self.report)
        arguments = read_arguments(items[1:], self.report)
        if function is None or arguments is None:
            return None
        return syntax.FunctionTerm(function, arguments, span=node.span())


def quantity_name(node: SExpression) -> str | None:
    """The name in ``(reward)`` or ``reward``, whatever it is; None where the node is something else."""
    if isinstance(node, Word):
        return node.text
    return node.head() if len(node.items) == 1 else None


def known_quantity(node: SExpression) -> Literal["reward", "total-cost"] | None:
    """The quantity that a node names, where it is one of `QUANTITIES`."""
    found = quantity_name(node)
    return cast(Literal["reward", "total-cost"], found) if found in QUANTITIES else None


def _is_number_word(node: SExpression) -> bool:
    return isinstance(node, Word) and is_number(node.text)
