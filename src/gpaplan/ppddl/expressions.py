"""Formulas and effects: from S-expressions to the syntax tree.

The parser reports an error where it meets one and goes on with the next sibling; in place of the faulty part it puts
the empty conjunction, so the tree is whole but only meant for further checks. Competition files write an atom without
arguments also without parentheses (``dead`` for ``(dead)``); that is accepted wherever an atom may stand.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, cast

from gpaplan.ppddl import syntax, terms
from gpaplan.ppddl.lexer import Group, SExpression, Word
from gpaplan.ppddl.report import ErrorReport, quoted
from gpaplan.source import Span

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
            "forall": self._quantifier,
            "exists": self._quantifier,
            "=": self._equals,
        }
        self._effects: dict[str, Callable[[Group], syntax.Effect]] = {
            "and": lambda group: syntax.AndEffect(tuple(map(self.effect, group.items[1:])), span=group.span()),
            "not": self._delete,
            "forall": self._forall_effect,
            "when": self._when,
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
            wanted = f"{count} operand{'s' if count > 1 else ''}"
            self.report.error(f"'{group.head()}' takes {wanted}, not {found}", group.place(), hint)
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
            predicate = terms.name(node, terms.PREDICATE, self.report)
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
            for each in node.items:
                self._syntax_only(each)
            return None
        if head.text in terms.RESERVED and self._misplaced(head):
            return None
        predicate = terms.name(head, terms.PREDICATE, self.report)
        arguments = terms.arguments(node.items[1:], self.report)
        return None if predicate is None or arguments is None else syntax.Atom(predicate, arguments, span=node.span())

    def _syntax_only(self, node: SExpression) -> None:
        """Look for further errors below a faulty list, as far as it is one of formulas."""
        if node.head() in self._formulas and node.head() not in terms.EFFECT_WORDS:
            self.formula(node)

    def _misplaced(self, head: Word) -> bool:
        """Report a connective or effect word where only an atom may stand."""
        if head.text in terms.CONNECTIVES or head.text in terms.COMPARISONS:
            self.report.error(f"expected an atom, found the connective {quoted(head.text)}", head)
        elif head.text in terms.EFFECT_WORDS:
            self.report.error(f"{quoted(head.text)} is part of an effect and cannot stand here", head)
        else:
            return False
        return True

    def _refuse_in_formula(self, group: Group) -> bool:
        head = group.head()
        if head in terms.COMPARISONS:
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

    def _quantifier(self, group: Group) -> syntax.Formula:
        parameters = terms.variables(group.items[1], self.report)
        body = self.formula(group.items[2])
        if parameters is None:
            return syntax.And()
        quantifier = syntax.ForAll if group.head() == "forall" else syntax.Exists
        return quantifier(parameters, body, span=group.span())

    def _equals(self, group: Group) -> syntax.Formula:
        operands = group.items[1:]
        if any(isinstance(each, Group) or not _may_be_term(each.text) for each in operands):
            self.report.unsupported("numeric conditions ('=' on numbers) are not supported", group.place())
            return syntax.And()
        read = terms.arguments(operands, self.report)
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
        elif head in terms.CONNECTIVES or head in terms.COMPARISONS:
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

    def _forall_effect(self, group: Group) -> syntax.Effect:
        parameters = terms.variables(group.items[1], self.report)
        effect = self.effect(group.items[2])
        return syntax.AndEffect() if parameters is None else syntax.ForAllEffect(parameters, effect, span=group.span())

    def _when(self, group: Group) -> syntax.Effect:
        return syntax.When(self.formula(group.items[1]), self.effect(group.items[2]), span=group.span())

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
                    shown = terms.number_text(probability + total)
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
        if terms.is_too_small(1 - total):
            self.report.error("what the probabilities leave of 1 is too close to 0", group.place(), terms.TOO_SMALL)
        return syntax.Probabilistic(tuple(outcomes), span=group.span())

    def _probability(self, node: Word) -> Fraction | None:
        probability = terms.number(node, self.report, "a probability", terms.PROBABILITY_FORM)
        if probability is not None and not 0 <= probability <= 1:
            side = "negative" if probability < 0 else "over 1"
            self.report.error(f"the probability {quoted(node.text)} is {side}", node, terms.PROBABILITY_FORM)
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
        if isinstance(node, Word) and (terms.is_number(node.text) or node.text[0] in "0123456789.+-"):
            value = terms.number(node, self.report)
            return None if value is None else syntax.Number(value, span=node)
        return self.function_term(node)

    def function_term(self, node: SExpression) -> syntax.FunctionTerm | None:
        """``(function argument …)``, or None after reporting what is wrong."""
        items = [node] if isinstance(node, Word) else node.items
        if not items:
            self.report.error("expected a function term, found '()'", node)
            return None
        function = terms.name(items[0], terms.FUNCTION, self.report)
        arguments = terms.arguments(items[1:], self.report)
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
    return isinstance(node, Word) and terms.is_number(node.text)


def _may_be_term(text: str) -> bool:
    return not terms.is_number(text) or text.isalnum()
