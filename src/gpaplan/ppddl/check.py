"""Checks of a syntax tree: does every name exist, does it have the right number and types of arguments, and is every
declaration made once?

`check_domain` and `check_problem` report into a `ErrorReport` and return the tree with two small repairs, each of which
gives a warning: a supertype that is used but not declared is declared, and an object that repeats a constant of the
domain is left out.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from gpaplan.ppddl import syntax
from gpaplan.ppddl.lexer import type_after, word_in
from gpaplan.ppddl.parser import DomainSyntax, ProblemSyntax
from gpaplan.ppddl.report import ErrorReport, quoted
from gpaplan.ppddl.terms import is_number, number_text
from gpaplan.ppddl.vocabulary import Requirements, Scope, TypeHierarchy, Vocabulary, type_text
from gpaplan.source import Span

_NEAR_MISS = 0.8


def check_domain(parsed: DomainSyntax, report: ErrorReport) -> syntax.Domain:
    """Report what is wrong with a domain; the result declares all of its types."""
    domain = _declare_supertypes(parsed, report)
    _check_types(domain, report)
    vocabulary = Vocabulary(domain, parsed.damaged, report)
    requirements = Requirements(domain.requirements)
    if domain.types:
        requirements.needs(":typing", domain.types[0].span)
    if domain.functions:
        requirements.needs(":numeric-fluents", word_in(domain.functions[0].span))
    walker = _Walker(vocabulary, requirements, report)
    _check_once(domain.constants, "constant", report)
    _check_once(domain.predicates, "predicate", report)
    _check_once(domain.functions, "function", report)
    _check_once(domain.schemas, "action", report)
    with report.inside("constants"):
        walker.check_type_names(domain.constants)
    for kind, declarations in (("predicate", domain.predicates), ("function", domain.functions)):
        for each in declarations:
            with report.inside(f"{kind} '{each.name}'"):
                walker.enter(each.parameters, {})
    for schema in domain.schemas:
        walker.check_schema(schema)
    requirements.report_to(report, domain.span)
    return domain


def check_problem(
    parsed: ProblemSyntax, domain: syntax.Domain, damaged: Set[str], report: ErrorReport
) -> syntax.Problem:
    """Report what is wrong with a problem of a domain; `damaged` is what is unknown of the domain itself."""
    problem = parsed.problem
    vocabulary = Vocabulary(domain, damaged | parsed.damaged, report)
    walker = _Walker(vocabulary, Requirements((*domain.requirements, *problem.requirements)), report)
    with report.inside("objects"):
        walker.check_type_names(problem.objects)
    problem = _without_constants(problem, vocabulary, report)
    _check_once(problem.objects, "object", report)
    vocabulary.objects.update((each.name, each) for each in problem.objects)
    with report.inside("init"):
        for atom in (*problem.init, *parsed.negated):
            report.poll()
            vocabulary.check_atom(atom, {})
        _check_denied(problem, parsed.negated, report)
        _check_values(problem, vocabulary, report)
    if problem.goal is not None:
        with report.inside("goal"):
            walker.check_formula(problem.goal, {})
    return problem


# --- declarations ------------------------------------------------------------------------------------------------


def _declare_supertypes(parsed: DomainSyntax, report: ErrorReport) -> syntax.Domain:
    """Declare supertypes that are used but not declared; one that looks like a slip of the pen is an error."""
    domain = parsed.domain
    declared = {each.name for each in domain.types} | {"object"}
    children: dict[str, set[str]] = {}
    for each in domain.types:
        for parent in each.parents:
            children.setdefault(parent, set()).add(each.name)
    added: dict[str, syntax.TypeDeclaration] = {}
    previous: tuple[str, ...] = ()
    for each in domain.types:
        if each.parents is previous:
            continue
        previous = each.parents
        for parent in each.parents:
            if parent in declared or parent in added or "types" in parsed.damaged:
                continue
            place = type_after(each.span, parent)
            near = report.suggest(parent, declared, excluding=children[parent], cutoff=_NEAR_MISS)
            if near:
                report.error(f"unknown type {quoted(parent)}", place, near)
            else:
                report.warning(
                    f"the supertype {quoted(parent)} is not declared", place, "it is taken as an object type"
                )
            added[parent] = syntax.TypeDeclaration(parent, span=place)
    return replace(domain, types=(*domain.types, *added.values())) if added else domain


def _check_types(domain: syntax.Domain, report: ErrorReport) -> None:
    _check_once(domain.types, "type", report)
    cycle = TypeHierarchy(domain.types).cycle()
    if cycle:
        first = next(each for each in domain.types if each.name == cycle[0])
        shown = " - ".join([*cycle[:5], *(["…"] if len(cycle) > 5 else []), cycle[0]])
        report.error(f"the type {quoted(cycle[0])} is its own supertype: {shown}", first.span)
    for each in domain.types:
        if each.name == "object" and each.parents != ("object",):
            report.error("'object' is above all types and has no supertype", each.span)


def _check_once(declarations: Sequence[syntax.Declaration], kind: str, report: ErrorReport) -> None:
    """Report names that are declared twice."""
    first: dict[str, syntax.Declaration] = {}
    for each in declarations:
        known = first.setdefault(each.name, each)
        if known is not each:
            place = word_in(each.span, 1 if kind == "action" else 0)
            report.error(f"{kind} {quoted(each.name)} is declared twice", place, _first_place(known.span))


def _first_place(span: Span | None) -> str | None:
    return None if span is None else f"the first declaration is in line {span.line}"


def _without_constants(problem: syntax.Problem, vocabulary: Vocabulary, report: ErrorReport) -> syntax.Problem:
    """Leave out objects that the domain declares as constants already."""
    kept: list[syntax.TypedName] = []
    for each in problem.objects:
        report.poll()
        constant = vocabulary.objects.get(each.name)
        if constant is None:
            kept.append(each)
        elif constant.types == each.types:
            report.warning(f"the object {quoted(each.name)} is a constant of the domain already", each.span)
        else:
            report.error(
                f"the object {quoted(each.name)} is a constant of the domain, of type {type_text(constant.types)}",
                each.span,
                _first_place(constant.span),
            )
    return problem if len(kept) == len(problem.objects) else replace(problem, objects=tuple(kept))


def _check_denied(problem: syntax.Problem, negated: Sequence[syntax.Atom], report: ErrorReport) -> None:
    if not negated:
        return
    facts = set(problem.init)
    for atom in negated:
        if atom in facts:
            shown = " ".join((atom.predicate, *(argument.name for argument in atom.arguments)))
            report.error(f"the atom ({shown}) is listed as true and as false", atom.span)


def _check_values(problem: syntax.Problem, vocabulary: Vocabulary, report: ErrorReport) -> None:
    first: dict[syntax.FunctionTerm, syntax.FunctionValue] = {}
    for each in problem.values:
        report.poll()
        vocabulary.check_function(each.term, {})
        known = first.setdefault(each.term, each)
        if known.value != each.value:
            shown = " ".join((each.term.function, *(argument.name for argument in each.term.arguments)))
            values = f"{number_text(known.value)} and {number_text(each.value)}"
            report.error(f"the function term ({shown}) has two values, {values}", each.span)


# --- formulas and effects ----------------------------------------------------------------------------------------


class _Walker:
    """Walks over formulas and effects with the variables that are in scope."""

    def __init__(self, vocabulary: Vocabulary, requirements: Requirements, report: ErrorReport) -> None:
        self.vocabulary = vocabulary
        self.requirements = requirements
        self.report = report

    def check_schema(self, schema: syntax.Schema) -> None:
        with self.report.inside(f"action '{schema.name}'"):
            scope = self.enter(schema.parameters, {})
            with self.report.inside("precondition"):
                self.check_formula(schema.precondition, scope)
            with self.report.inside("effect"):
                self.check_effect(schema.effect, scope)

    def enter(self, parameters: Sequence[syntax.TypedName], outer: Scope) -> Scope:
        """The scope within a parameter list, after checking the list."""
        self.check_type_names(parameters)
        inner: dict[str, tuple[str, ...]] = {}
        for each in parameters:
            if each.name in inner:
                self.report.error(f"parameter {quoted(each.name)} is declared twice", each.span)
            elif each.name in outer:
                self.report.warning(f"{quoted(each.name)} hides a parameter of the same name", each.span)
            inner[each.name] = each.types
        return {**outer, **inner}

    def check_type_names(self, names: Sequence[syntax.TypedName]) -> None:
        previous: tuple[str, ...] = ()
        for each in names:
            if each.types is previous:
                continue
            previous = each.types
            if each.types != ("object",):
                self.requirements.needs(":typing", each.span)
            for type_name in each.types:
                vocabulary = self.vocabulary
                if type_name in vocabulary.types or type_name in vocabulary.missing_types:
                    continue
                if "types" not in vocabulary.damaged:
                    vocabulary.missing_types.add(type_name)
                    place = type_after(each.span, type_name)
                    self.report.unknown("type", type_name, place, vocabulary.types.parents, "declare it in :types")

    def check_formula(self, formula: syntax.Formula, scope: Scope) -> None:
        self.report.poll()
        match formula:
            case syntax.Atom():
                self.vocabulary.check_atom(formula, scope)
            case syntax.Equals():
                self._check_equals(formula, scope)
            case syntax.Not(operand):
                if not isinstance(operand, syntax.Equals):
                    self.requirements.needs(":negative-preconditions", formula.span)
                self.check_formula(operand, scope)
            case syntax.And(operands):
                for each in operands:
                    self.check_formula(each, scope)
            case syntax.Or(operands):
                self.requirements.needs(":disjunctive-preconditions", formula.span)
                for each in operands:
                    self.check_formula(each, scope)
            case syntax.Imply(left, right):
                self.requirements.needs(":disjunctive-preconditions", formula.span)
                self.check_formula(left, scope)
                self.check_formula(right, scope)
            case syntax.ForAll(parameters, body):
                self.requirements.needs(":universal-preconditions", formula.span)
                self.check_formula(body, self.enter(parameters, scope))
            case syntax.Exists(parameters, body):
                self.requirements.needs(":existential-preconditions", formula.span)
                self.check_formula(body, self.enter(parameters, scope))

    def _check_equals(self, formula: syntax.Equals, scope: Scope) -> None:
        self.requirements.needs(":equality", formula.span)
        for term in (formula.left, formula.right):
            if isinstance(term, syntax.Constant) and self._is_numeric(term.name):
                self.report.unsupported("numeric conditions ('=' on numbers) are not supported", formula.span)
            else:
                self.vocabulary.check_terms((term,), scope)

    def _is_numeric(self, name: str) -> bool:
        return name not in self.vocabulary.objects and (is_number(name) or name in self.vocabulary.functions)

    def check_effect(self, effect: syntax.Effect, scope: Scope) -> None:
        match effect:
            case syntax.Add(atom) | syntax.Delete(atom):
                self.vocabulary.check_atom(atom, scope)
            case syntax.AndEffect(effects):
                for each in effects:
                    self.check_effect(each, scope)
            case syntax.ForAllEffect(parameters, inner):
                self.requirements.needs(":conditional-effects", effect.span)
                self.check_effect(inner, self.enter(parameters, scope))
            case syntax.When(condition, inner):
                self.requirements.needs(":conditional-effects", effect.span)
                self.check_formula(condition, scope)
                self.check_effect(inner, scope)
            case syntax.Probabilistic(outcomes):
                self.requirements.needs(":probabilistic-effects", effect.span)
                for index, outcome in enumerate(outcomes, start=1):
                    with self.report.inside(f"outcome {index}"):
                        self.check_effect(outcome.effect, scope)
            case syntax.Change(quantity=quantity, amount=amount):
                self.requirements.needs(":rewards" if quantity == "reward" else ":action-costs", effect.span)
                if isinstance(amount, syntax.FunctionTerm):
                    self.vocabulary.check_function(amount, scope)
