"""From S-expressions to the syntax tree: definitions and their sections.

A text holds any number of ``(define (domain …) …)`` and ``(define (problem …) …)``. `parse_source` reads all of them,
reports every error and returns what could be read. Declarations that are wrong are left out of the tree; `damaged`
then names the kind ("predicates", "types", …), so that the checks do not complain about names that are missing only
because of an error reported already.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from gpaplan.ppddl import expressions, syntax
from gpaplan.ppddl.expressions import QUANTITIES, ExpressionParser, known_quantity, quantity_name
from gpaplan.ppddl.lexer import ErrorReport, Group, SExpression, SExpressionReader, Word, quoted, read_expressions
from gpaplan.source import SourceText, Span

UNSUPPORTED_SECTIONS = {
    ":derived": "derived predicates",
    ":axiom": "axioms",
    ":durative-action": "durative actions",
    ":constraints": "trajectory constraints",
    ":process": "processes",
    ":event": "events",
    ":observe": "observations",
    ":sensor": "observations",
    ":task": "hierarchical tasks",
    ":method": "hierarchical tasks",
    ":htn": "hierarchical tasks",
}
DECLARATIONS = frozenset(("types", "constants", "predicates", "functions", "objects"))
"""All that can be damaged."""

_UNSUPPORTED_ACTION_PARTS = {
    ":vars": "variables outside of the parameters",
    ":observe": "observations",
    ":duration": "durative actions",
}
_REFUSED_IN_INIT = {
    "probabilistic": "a probabilistic initial state",
    "oneof": "a non-deterministic initial state",
    "unknown": "a partly unknown initial state",
    "forall": "'forall' in the initial state",
}


@dataclass(slots=True)
class DomainSyntax:
    """A domain as it was read, the kinds of declarations that could not all be read, and which of ``reward`` and
    ``total-cost`` are declared."""

    domain: syntax.Domain
    damaged: set[str]
    quantities: set[str]


@dataclass(slots=True)
class ProblemSyntax:
    """A problem as it was read; `negated` are the atoms that its initial state denies."""

    problem: syntax.Problem
    negated: tuple[syntax.Atom, ...]
    damaged: set[str]
    domain_span: Span | None
    """Where the name of its domain is written."""


@dataclass(slots=True)
class FileSyntax:
    """All definitions of one text."""

    source: SourceText | None
    """None where it could not be read."""
    domains: list[DomainSyntax] = field(default_factory=list)
    problems: list[ProblemSyntax] = field(default_factory=list)
    sound: bool = True
    """False where parentheses, characters or whole definitions were wrong: then missing names prove nothing."""


def parse_source(source: SourceText, report: ErrorReport) -> FileSyntax:
    """Parse every definition of a text; all errors go to the report."""
    with _collection_paused():
        found = read_expressions(source, report)
        result = FileSyntax(source, sound=found.sound)
        if not found.items and found.sound:
            blank = "is empty" if not source.text.strip() else "holds no '(define …)'"
            report.error(blank, None, "'gpaplan new DIR' writes an example", file=source.name)
            result.sound = False
        _definitions(found, result, report)
    return result


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause the search for reference cycles: a large text becomes millions of objects and not one cycle."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _definitions(found: SExpressionReader, result: FileSyntax, report: ErrorReport) -> None:
    for item in found.items:
        if not isinstance(item, Group) or item.head() != "define":
            hint = report.suggest(item.head(), ("define",)) if item.head() else None
            report.error(f"expected '(define …)', found {item.describe()}", item.place(), hint)
            result.sound = False
            continue
        header = item.items[1] if len(item.items) > 1 else item
        kind = header.head()
        if isinstance(header, Group) and kind == "domain":
            result.domains.append(_DomainParser(item, header, report).parse())
        elif isinstance(header, Group) and kind == "problem":
            result.problems.append(_ProblemParser(item, header, report).parse())
        else:
            hint = report.suggest(kind, ("domain", "problem")) if kind else None
            message = "'(define' must be followed by '(domain NAME)' or '(problem NAME)'"
            report.error(message, header.place(), hint)
            result.sound = False


class _DefinitionParser:
    """What domains and problems have in common: a name, and sections that stand once each."""

    def __init__(self, group: Group, header: Group, report: ErrorReport) -> None:
        self.group = group
        self.report = report
        self.expressions = ExpressionParser(report)
        self.damaged: set[str] = set()
        self.found: dict[str, Any] = {"name": "", "span": group.span()}
        """The fields of the definition's node."""
        self.sections: dict[str, Group] = {}
        """The first of each kind."""
        self.handlers: dict[str, Callable[[Group], None]] = {":requirements": self._requirements}
        word = header.items[1] if len(header.items) == 2 else None
        if not isinstance(word, Word) or word.text[0] in "?:":
            self.report.error(f"expected '({header.head()} NAME)'", header)
        else:
            self.found["name"] = word.text

    def parse_sections(self) -> None:
        """Hand each section to its handler; refuse what is unknown, unsupported or repeated."""
        first, closed = self.sections, None
        for item in self.group.items[2:]:
            if not isinstance(item, Group) or item.head()[:1] != ":":
                hint = f"'{closed.title()}' of line {closed.line} is closed before it" if closed is not None else None
                self.report.error(
                    f"expected a section such as '(:action …)', found {item.describe()}", item.place(), hint
                )
                self.damaged.update(DECLARATIONS)
                continue
            closed = item
            head = item.head()
            if head in UNSUPPORTED_SECTIONS:
                self.report.unsupported(f"{UNSUPPORTED_SECTIONS[head]} ('{head}') are not supported", item.place())
                self.damaged.add("predicates")
                continue
            handler = self.handlers.get(head)
            if handler is None:
                hint = self.report.suggest(head, tuple(self.handlers))
                self.report.error(f"unknown section {quoted(head)}", item.items[0], hint)
                self.damaged.update(DECLARATIONS)
            elif head in first and head != ":action":
                self.report.error(
                    f"a second section '{head}'", item.place(), f"the first is in line {first[head].line}"
                )
            elif item.complete:
                handler(item)
            first.setdefault(head, item)

    def _requirements(self, section: Group) -> None:
        found: list[str] = []
        for item in section.items[1:]:
            if isinstance(item, Word) and item.text[0] == ":":
                found.append(item.text)
            else:
                hint = f"did you mean ':{item.text}'?" if isinstance(item, Word) else None
                self.report.error(
                    f"expected a requirement such as ':typing', found {item.describe()}", item.place(), hint
                )
        self.found["requirements"] = tuple(dict.fromkeys(found))

    def _names(self, section: Group) -> None:
        """Types, constants or objects."""
        field = section.head()[1:]
        with self.report.inside(field):
            kind = expressions.TYPE if field == "types" else expressions.OBJECT
            found = expressions.read_typed_list(section.items[1:], self.report, kind)
        if found is None:
            self.damaged.add(field)
        elif field == "types":
            self.found[field] = tuple(syntax.TypeDeclaration(each.name, each.types, span=each.span) for each in found)
        else:
            self.found[field] = found


class _DomainParser(_DefinitionParser):
    def __init__(self, group: Group, header: Group, report: ErrorReport) -> None:
        super().__init__(group, header, report)
        self.quantities: set[str] = set()
        self.schemas: list[syntax.Schema] = []
        self.handlers |= {":types": self._names, ":constants": self._names, ":predicates": self._predicates}
        self.handlers |= {":functions": self._functions, ":action": self._action}

    def parse(self) -> DomainSyntax:
        self.parse_sections()
        domain = syntax.Domain(**self.found, schemas=tuple(self.schemas))
        return DomainSyntax(domain, self.damaged, self.quantities)

    def _predicates(self, section: Group) -> None:
        found = []
        for item in section.items[1:]:
            declared = self._signature(item, expressions.PREDICATE, "predicate")
            if declared is None:
                self.damaged.add("predicates")
            else:
                found.append(syntax.Predicate(*declared, span=item.span()))
        self.found["predicates"] = tuple(found)

    def _signature(
        self, node: SExpression, kind: expressions.NameKind, context: str
    ) -> tuple[str, tuple[syntax.TypedName, ...]] | None:
        """The name and parameters of a predicate or function declaration."""
        if isinstance(node, Word) or not node.items:
            hint = f"write ({node.text[:40]})" if isinstance(node, Word) else None
            self.report.error(f"expected a {context} declaration, found {node.describe()}", node, hint)
            return None
        declared = expressions.read_name(node.items[0], kind, self.report)
        if declared is None:
            return None
        with self.report.inside(f"{context} '{declared}'"):
            parameters = expressions.read_typed_list(node.items[1:], self.report, None)
        return None if parameters is None else (declared, parameters)

    def _functions(self, section: Group) -> None:
        found = []
        nodes = section.items[1:]
        at = 0
        while at < len(nodes):
            node = nodes[at]
            at += 1
            if isinstance(node, Word) and node.text[0] == "-":
                typed = node.text[1:] if len(node.text) > 1 else quantity_name(nodes[at]) if at < len(nodes) else None
                at += len(node.text) == 1
                if typed != "number":
                    self.report.unsupported(
                        "functions with values other than numbers (object fluents) are not supported", node
                    )
                    self.damaged.add("functions")
                continue
            declared = self._signature(node, expressions.FUNCTION, "function")
            if declared is None:
                self.damaged.add("functions")
            elif declared[0] in QUANTITIES:
                self.quantities.add(declared[0])
            else:
                found.append(syntax.Function(*declared, span=node.span()))
        self.found["functions"] = tuple(found)

    def _action(self, section: Group) -> None:
        if len(section.items) < 2:
            self.report.error("an action without a name", section.place())
            return
        title = expressions.read_name(section.items[1], expressions.ACTION, self.report)
        if title is None:
            return
        with self.report.inside(f"action '{title}'"):
            parts = self._action_parts(section)
            listed = parts.get(":parameters")
            parameters = () if listed is None else expressions.read_parameters(listed, self.report)
            with self.report.inside("precondition"):
                condition = (
                    self.expressions.formula(parts[":precondition"]) if ":precondition" in parts else syntax.And()
                )
            with self.report.inside("effect"):
                effect = self.expressions.effect(parts[":effect"]) if ":effect" in parts else syntax.AndEffect()
            if ":effect" not in parts:
                self.report.warning(f"action '{title}' has no effect", section.items[1])
        if parameters is not None:
            self.schemas.append(syntax.Schema(title, parameters, condition, effect, span=section.span()))

    def _action_parts(self, section: Group) -> dict[str, SExpression]:
        """The value of each keyword of an action."""
        known = (":parameters", ":precondition", ":effect")
        parts: dict[str, SExpression] = {}
        nodes = section.items[2:]
        at = 0
        while at < len(nodes):
            key = nodes[at]
            at += 1
            if not isinstance(key, Word) or key.text[0] != ":":
                self.report.error(f"expected one of {', '.join(known)}, found {key.describe()}", key.place())
                continue
            following = nodes[at] if at < len(nodes) else None
            if following is None or (isinstance(following, Word) and following.text[0] == ":"):
                self.report.error(f"nothing follows {quoted(key.text)}", key)
                parts.setdefault(key.text, Group(key.source, key.start))
                continue
            if key.text in _UNSUPPORTED_ACTION_PARTS:
                feature = _UNSUPPORTED_ACTION_PARTS[key.text]
                self.report.unsupported(f"{feature} ({quoted(key.text)}) are not supported", key)
            elif key.text not in known:
                hint = self.report.suggest(key.text, known)
                self.report.error(f"unknown part {quoted(key.text)} of an action", key, hint)
            elif key.text in parts:
                self.report.error(f"a second {quoted(key.text)} in one action", key)
            parts.setdefault(key.text, following)
            at += 1
        return parts


class _ProblemParser(_DefinitionParser):
    def __init__(self, group: Group, header: Group, report: ErrorReport) -> None:
        super().__init__(group, header, report)
        self.found["domain_name"] = ""
        self.domain_span: Span | None = None
        self.init: list[syntax.Atom] = []
        self.negated: list[syntax.Atom] = []
        self.values: list[syntax.FunctionValue] = []
        self.handlers |= {":domain": self._domain, ":objects": self._names, ":init": self._init, ":goal": self._goal}
        self.handlers |= {":goal-reward": self._goal_number, ":goal-probability": self._goal_number}
        self.handlers |= {":metric": self._metric, ":length": lambda _section: None}

    def parse(self) -> ProblemSyntax:
        self.parse_sections()
        if ":domain" not in self.sections:
            self.report.error("the problem does not say '(:domain NAME)'", self.group.place())
        if ":goal" not in self.sections:
            self.report.warning("the problem has no ':goal', so no state is a goal", self.group.items[1])
        problem = syntax.Problem(**self.found, init=tuple(self.init), values=tuple(self.values))
        return ProblemSyntax(problem, tuple(self.negated), self.damaged, self.domain_span)

    def _domain(self, section: Group) -> None:
        word = section.items[1] if len(section.items) == 2 else None
        if isinstance(word, Word):
            self.found["domain_name"], self.domain_span = word.text, word
        else:
            self.report.error("expected '(:domain NAME)'", section.place())

    def _init(self, section: Group) -> None:
        with self.report.inside("init"):
            head = section.items[0]
            for index in range(1, len(section.items)):
                self.report.poll()
                self._init_item(section.items[index])
                section.items[index] = head  # to let go of a million words one by one takes no time that is noticed

    def _init_item(self, item: SExpression) -> None:
        head = item.head()
        if head == "=":
            self._init_value(cast(Group, item))
        elif head == "not" and isinstance(item, Group) and len(item.items) == 2:
            atom = self._ground_atom(item.items[1])
            if atom is not None:
                self.negated.append(atom)
        elif head in _REFUSED_IN_INIT and any(isinstance(part, Group) for part in cast(Group, item).items):
            self.report.unsupported(f"{_REFUSED_IN_INIT[head]} is not supported", item.place())
        elif head == "and":
            self.report.error("'and' cannot stand in the initial state", item.place(), "list the atoms without it")
        elif head == "at" and isinstance(item, Group) and len(item.items) == 3 and _is_timed(*item.items[1:]):
            self.report.unsupported("timed initial literals are not supported", item.place())
        else:
            atom = self._ground_atom(item)
            if atom is not None:
                self.init.append(atom)

    def _ground_atom(self, node: SExpression) -> syntax.Atom | None:
        atom = self.expressions.atom(node)
        if atom is not None:
            for argument in atom.arguments:
                if type(argument) is not syntax.Constant:
                    shown = quoted(argument.name)
                    self.report.error(f"the variable {shown} cannot stand in the initial state", argument.span)
                    return None
        return atom

    def _init_value(self, group: Group) -> None:
        if len(group.items) != 3:
            self.report.error(f"'=' takes 2 operands, not {len(group.items) - 1}", group.place())
            return
        left, right = group.items[1:]
        function = self.expressions.function_term(left)
        if (
            isinstance(right, Word)
            and isinstance(left, Group)
            and not expressions.is_number(right.text)
            and right.text.isidentifier()
        ):
            self.report.unsupported("object fluents are not supported", group.place(), "a value must be a number")
            return
        value = expressions.read_number(right, self.report)
        if function is None or value is None:
            return
        if function.function not in QUANTITIES:
            self.values.append(syntax.FunctionValue(function, value, span=group.span()))
        elif value != 0:
            self.report.warning(f"the initial value of '{function.function}' is ignored", right)

    def _goal(self, section: Group) -> None:
        with self.report.inside("goal"):
            if len(section.items) == 2:
                self.found["goal"] = self.expressions.formula(section.items[1])
                return
            hint = "several conditions need an 'and' around them" if len(section.items) > 2 else None
            self.report.error(f"':goal' takes 1 condition, not {len(section.items) - 1}", section.place(), hint)
            self.found["goal"] = syntax.And()

    def _goal_number(self, section: Group) -> None:
        head = section.head()
        if len(section.items) != 2:
            self.report.error(f"'{head}' takes 1 number, not {len(section.items) - 1}", section.place())
            return
        node = section.items[1]
        if head == ":goal-reward":
            self.found["goal_reward"] = expressions.read_number(node, self.report)
            return
        form = expressions.PROBABILITY_FORM
        value = expressions.read_number(node, self.report, "a probability", form)
        if value is not None and not 0 <= value <= 1:
            self.report.error(f"the probability {node.describe()} is not between 0 and 1", node, form)
        self.found["goal_probability"] = value

    def _metric(self, section: Group) -> None:
        form = "write (:metric minimize (total-cost)) or (:metric maximize (reward))"
        direction = section.items[1] if len(section.items) == 3 else None
        if not isinstance(direction, Word) or direction.text not in ("minimize", "maximize"):
            self.report.error("':metric' takes 'minimize' or 'maximize' and a quantity", section.place(), form)
            return
        quantity = known_quantity(section.items[2])
        if quantity is None:
            message = f"a metric over {section.items[2].describe()} is not supported"
            self.report.unsupported(message, section.items[2].place(), form)
            return
        if (direction.text, quantity) == ("maximize", "total-cost"):
            message = "the total cost cannot be maximised: no policy would be best, as a longer way costs more"
            self.report.error(message, direction, form)
        chosen = cast(Literal["minimize", "maximize"], direction.text)
        self.found["metric"] = syntax.Metric(chosen, quantity, span=section.span())


def _is_timed(time: SExpression, literal: SExpression) -> bool:
    return isinstance(time, Word) and expressions.is_number(time.text) and isinstance(literal, Group)
