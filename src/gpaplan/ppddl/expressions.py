"""Formulas and effects: from S-expressions to the syntax tree.

The parser reports an error where it meets one and goes on with the next sibling; in place of the faulty part it puts
the empty conjunction, so the tree is whole but only meant for further checks. Competition files write an atom without
arguments also without parentheses (``dead`` for ``(dead)``); that is accepted wherever an atom may stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, cast

from gpaplan.ppddl.lexer import Group, SExpression, Word
from gpaplan.ppddl.report import Report, quoted
from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Delete,
    Effect,
    Equals,
    Exists,
    Expression,
    ForAll,
    ForAllEffect,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Number,
    Or,
    Outcome,
    Probabilistic,
    When,
)
from gpaplan.ppddl.terms import (
    COMPARISONS,
    CONNECTIVES,
    EFFECT_WORDS,
    FUNCTION,
    PREDICATE,
    PROBABILITY_FORM,
    describe,
    is_number,
    name,
    number,
    number_text,
    place,
    term,
    terms,
    variables,
)
from gpaplan.source import Span

QUANTITIES = ("reward", "total-cost")
"""The two quantities an effect may change and a metric may speak of."""

_TRAJECTORY_WORDS = frozenset(
    ("always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before", "always-within")
)
_OUTCOME_FORM = "write (probabilistic 0.8 (effect) 0.2 (effect))"
_ARITHMETIC = ("+", "-", "*", "/")


class ExpressionParser:
    """Parses formulas and effects and reports into one `Report`."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._formulas: dict[str, Callable[[Group], Formula]] = {
            "and": lambda group: And(tuple(map(self.formula, group.items[1:])), group.span()),
            "or": lambda group: Or(tuple(map(self.formula, group.items[1:])), group.span()),
            "not": self._not,
            "imply": self._imply,
            "forall": self._quantifier,
            "exists": self._quantifier,
            "=": self._equals,
        }
        self._effects: dict[str, Callable[[Group], Effect]] = {
            "and": lambda group: AndEffect(tuple(map(self.effect, group.items[1:])), group.span()),
            "not": self._delete,
            "forall": self._forall_effect,
            "when": self._when,
            "probabilistic": self._probabilistic,
            "increase": self._change,
            "decrease": self._change,
        }

    # --- formulas ----------------------------------------------------------------------------------------------

    def formula(self, node: SExpression) -> Formula:
        """A condition; ``()`` is the condition that always holds."""
        if isinstance(node, Group):
            if not node.items:
                return And((), node.span())
            handler = self._formulas.get(node.head())
            if handler is not None:
                return handler(node)
            if self._refuse_in_formula(node):
                return And()
        return self.atom(node) or And()

    def atom(self, node: SExpression) -> Atom | None:
        """``(predicate argument …)``, or None after reporting what is wrong."""
        if isinstance(node, Word):
            predicate = name(node, PREDICATE, self.report)
            return None if predicate is None else Atom(predicate, (), node)
        if not node.items:
            self.report.error("expected an atom, found '()'", node)
            return None
        head = node.items[0]
        if isinstance(head, Group):
            self.report.error(
                f"expected a predicate or connective, found {describe(head)}",
                place(head),
                "a list of conditions or effects begins with 'and'",
            )
            for each in node.items:
                self._syntax_only(each)
            return None
        if self._misplaced(head):
            return None
        predicate = name(head, PREDICATE, self.report)
        arguments = terms(node.items[1:], self.report)
        return None if predicate is None or arguments is None else Atom(predicate, arguments, node.span())

    def _syntax_only(self, node: SExpression) -> None:
        """Look for further errors below a faulty list, as far as it is one of formulas."""
        if isinstance(node, Group) and node.head() in self._formulas and node.head() not in EFFECT_WORDS:
            self.formula(node)

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
        head = group.items[0]
        if not isinstance(head, Word):
            return False
        if head.text in COMPARISONS:
            self.report.unsupported(f"numeric conditions ({quoted(head.text)}) are not supported", place(group))
            return True
        if head.text == "preference":
            self.report.unsupported("preferences are not supported", place(group))
            return True
        if head.text in _TRAJECTORY_WORDS and any(isinstance(item, Group) for item in group.items):
            self.report.unsupported(f"trajectory constraints ({quoted(head.text)}) are not supported", place(group))
            return True
        if head.text == "when":
            self.report.error("'when' is part of an effect and cannot stand here", head, "did you mean 'imply'?")
            return True
        return False

    def _operands(self, group: Group, count: int) -> Sequence[SExpression] | None:
        """The operands of a group that takes exactly `count` of them."""
        if len(group.items) - 1 == count:
            return group.items[1:]
        found = len(group.items) - 1
        hint = "several operands need an 'and' around them" if found > count else None
        self.report.error(
            f"'{group.head()}' takes {count} operand{'s' if count > 1 else ''}, not {found}", place(group), hint
        )
        return None

    def _not(self, group: Group) -> Formula:
        operands = self._operands(group, 1)
        return And() if operands is None else Not(self.formula(operands[0]), group.span())

    def _imply(self, group: Group) -> Formula:
        operands = self._operands(group, 2)
        if operands is None:
            return And()
        return Imply(self.formula(operands[0]), self.formula(operands[1]), group.span())

    def _quantifier(self, group: Group) -> Formula:
        operands = self._operands(group, 2)
        if operands is None:
            return And()
        parameters = variables(operands[0], self.report)
        body = self.formula(operands[1])
        if parameters is None:
            return And()
        if group.head() == "forall":
            return ForAll(parameters, body, group.span())
        return Exists(parameters, body, group.span())

    def _equals(self, group: Group) -> Formula:
        operands = self._operands(group, 2)
        if operands is None:
            return And()
        if any(isinstance(each, Group) or not _may_be_term(each.text) for each in operands):
            self.report.unsupported("numeric conditions ('=' on numbers) are not supported", place(group))
            return And()
        left, right = term(operands[0], self.report), term(operands[1], self.report)
        return And() if left is None or right is None else Equals(left, right, group.span())

    # --- effects -----------------------------------------------------------------------------------------------

    def effect(self, node: SExpression) -> Effect:
        """An effect; ``()`` is the effect that changes nothing."""
        if isinstance(node, Group):
            if not node.items:
                return AndEffect((), node.span())
            handler = self._effects.get(node.head())
            if handler is not None:
                return handler(node)
            if self._refuse_in_effect(node):
                return AndEffect()
        atom = self.atom(node)
        return AndEffect() if atom is None else Add(atom, atom.span)

    def _refuse_in_effect(self, group: Group) -> bool:
        head = group.items[0]
        if not isinstance(head, Word):
            return False
        if head.text in ("assign", "scale-up", "scale-down"):
            self.report.unsupported(
                f"{quoted(head.text)} is not supported", place(group), "only 'increase' and 'decrease' are"
            )
            return True
        if head.text == "oneof":
            self.report.unsupported(
                "non-deterministic effects ('oneof') are not supported", place(group), "give each outcome a probability"
            )
            return True
        if head.text in CONNECTIVES or head.text in COMPARISONS:
            self.report.error(f"{quoted(head.text)} is a condition and cannot be an effect", head)
            return True
        return False

    def _delete(self, group: Group) -> Effect:
        operands = self._operands(group, 1)
        if operands is None:
            return AndEffect()
        operand = operands[0]
        if isinstance(operand, Group) and (operand.head() in self._formulas or operand.head() in self._effects):
            self.report.error(
                f"in an effect, 'not' takes an atom and not '{operand.head()}'",
                place(operand),
                "negate each atom by itself",
            )
            return AndEffect()
        atom = self.atom(operand)
        return AndEffect() if atom is None else Delete(atom, group.span())

    def _forall_effect(self, group: Group) -> Effect:
        operands = self._operands(group, 2)
        if operands is None:
            return AndEffect()
        parameters = variables(operands[0], self.report)
        effect = self.effect(operands[1])
        return AndEffect() if parameters is None else ForAllEffect(parameters, effect, group.span())

    def _when(self, group: Group) -> Effect:
        operands = self._operands(group, 2)
        if operands is None:
            return AndEffect()
        return When(self.formula(operands[0]), self.effect(operands[1]), group.span())

    def _probabilistic(self, group: Group) -> Effect:
        nodes = group.items[1:]
        if not nodes:
            self.report.error("'probabilistic' without outcomes", place(group), _OUTCOME_FORM)
            return AndEffect()
        if isinstance(nodes[0], Group) and len(nodes) > 1 and _is_number_word(nodes[1]):
            self.report.error("effect and probability are swapped", nodes[1], _OUTCOME_FORM)
            return AndEffect()
        outcomes: list[Outcome] = []
        total = Fraction(0)
        at = 0
        while at < len(nodes):
            node = nodes[at]
            with self.report.inside(f"outcome {len(outcomes) + 1}"):
                if isinstance(node, Group):
                    self.report.error(f"a probability is missing before {describe(node)}", place(node), _OUTCOME_FORM)
                    self.effect(node)
                    at += 1
                    continue
                probability = self._probability(node)
                if probability is not None and probability + total > 1 and probability <= 1:
                    self.report.error(f"the probabilities add up to {number_text(probability + total)}, over 1", node)
                    probability = None
                if at + 1 == len(nodes) or _is_number_word(nodes[at + 1]):
                    self.report.error(f"the probability {quoted(node.text)} has no effect", node, _OUTCOME_FORM)
                    at += 1
                    continue
                effect = self.effect(nodes[at + 1])
            total += probability or 0
            outcomes.append(
                Outcome(probability or Fraction(0), effect, Span(node.source, node.start, nodes[at + 1].end))
            )
            at += 2
        return Probabilistic(tuple(outcomes), group.span())

    def _probability(self, node: Word) -> Fraction | None:
        probability = number(node, self.report, "a probability", PROBABILITY_FORM)
        if probability is not None and not 0 <= probability <= 1:
            side = "negative" if probability < 0 else "over 1"
            self.report.error(f"the probability {quoted(node.text)} is {side}", node, PROBABILITY_FORM)
            return None
        return probability

    def _change(self, group: Group) -> Effect:
        operands = self._operands(group, 2)
        if operands is None:
            return AndEffect()
        quantity = _quantity(operands[0])
        if quantity is None:
            self.report.unsupported(
                f"'{group.head()}' of {describe(operands[0])} is not supported",
                place(operands[0]),
                "only (reward) and (total-cost) may change",
            )
            return AndEffect()
        amount = self.expression(operands[1])
        if amount is None:
            return AndEffect()
        return Change(cast(Literal["increase", "decrease"], group.head()), quantity, amount, group.span())

    def expression(self, node: SExpression) -> Expression | None:
        """A number or a static function term, or None after reporting what is wrong."""
        if isinstance(node, Group) and node.head() in _ARITHMETIC:
            self.report.unsupported(f"arithmetic ({describe(node)}) is not supported", place(node))
            return None
        if isinstance(node, Word) and (is_number(node.text) or node.text[0] in "0123456789.+-"):
            value = number(node, self.report)
            return None if value is None else Number(value, node)
        return self.function_term(node)

    def function_term(self, node: SExpression) -> FunctionTerm | None:
        """``(function argument …)``, or None after reporting what is wrong."""
        if isinstance(node, Word):
            function = name(node, FUNCTION, self.report)
            return None if function is None else FunctionTerm(function, (), node)
        if not node.items:
            self.report.error("expected a function term, found '()'", node)
            return None
        function = name(node.items[0], FUNCTION, self.report)
        arguments = terms(node.items[1:], self.report)
        return None if function is None or arguments is None else FunctionTerm(function, arguments, node.span())


def quantity_name(node: SExpression) -> str | None:
    """The name in ``(reward)`` or ``reward``, whatever it is; None where the node is something else."""
    if isinstance(node, Word):
        return node.text
    return node.head() if len(node.items) == 1 else None


def _quantity(node: SExpression) -> Literal["reward", "total-cost"] | None:
    found = quantity_name(node)
    return cast(Literal["reward", "total-cost"], found) if found in QUANTITIES else None


def _is_number_word(node: SExpression) -> bool:
    return isinstance(node, Word) and is_number(node.text)


def _may_be_term(text: str) -> bool:
    return not is_number(text) or text.isalnum()
