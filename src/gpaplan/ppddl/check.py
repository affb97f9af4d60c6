"""Checks of a syntax tree: does every name exist, does it have the right number and types of arguments, and is every
declaration made once?

`check_domain` and `check_problem` report into an `ErrorReport` and return the tree with two small repairs, each of
which gives a warning: a supertype that is used but not declared is declared, and an object that repeats a constant of
the domain is left out.

A `Declarations` looks names up: what a domain declares, and the objects of a problem. A `TypeHierarchy` answers whether
one type is below another and whether two types have a common subtype. Types that are not declared are compatible with
everything: their declaration is reported once, not at each use.

`Requirements` compares what a domain says it needs with what it uses. Requirements never change what a text means here.
One that is missing gives a warning at the first place that needs it, because other planners may refuse the file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from graphlib import CycleError, TopologicalSorter

from gpaplan.display import counted
from gpaplan.errors import Fix
from gpaplan.ppddl import syntax
from gpaplan.ppddl.expressions import is_number, number_text
from gpaplan.ppddl.lexer import ErrorReport, quoted, type_after, word_in
from gpaplan.ppddl.parser import DomainSyntax, ProblemSyntax
from gpaplan.ppddl.writer import write_signature
from gpaplan.source import Span

Scope = Mapping[str, tuple[str, ...]]
"""The variables that may be used at some place, with their types."""


class TypeHierarchy:
    """The types of a domain and their order; ``object`` is above all of them."""

    def __init__(self, declarations: Sequence[syntax.TypeDeclaration]) -> None:
        self.parents: dict[str, tuple[str, ...]] = {"object": ()} | {each.name: each.parents for each in declarations}
        self._children: dict[str, list[str]] = {}
        for each in declarations:
            for parent in each.parents:
                self._children.setdefault(parent, []).append(each.name)
        self.fits = cache(self._fits)
        """Whether everything of one of some types is of one of the wanted types."""
        self.overlaps = cache(self._overlaps)
        """Whether something could be of one of some types and of one of the wanted types."""

    def __contains__(self, name: str) -> bool:
        return name in self.parents

    def _fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        return all(self._below_any(each, wanted) for each in types)

    def _overlaps(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        below = [self._reachable_types(each, self._children) for each in (types, wanted)]
        return self.fits(types, wanted) or not below[0].isdisjoint(below[1])

    def cycle(self) -> list[str]:
        """The types of one cycle of supertypes, or nothing where there is none."""
        try:
            TopologicalSorter({name: parents for name, parents in self.parents.items() if name != "object"}).prepare()
        except CycleError as error:
            found: list[str] = error.args[1][:0:-1]
            return found
        return []

    def _below_any(self, name: str, wanted: tuple[str, ...]) -> bool:
        if "object" in wanted or name in wanted or name not in self or any(each not in self for each in wanted):
            return True
        return not self.above(name).isdisjoint(wanted)

    def above(self, name: str) -> set[str]:
        """A type and all its supertypes."""
        return self._reachable_types((name,), self.parents)

    def _reachable_types(self, start: tuple[str, ...], edges: Mapping[str, Sequence[str]]) -> set[str]:
        found = set(start)
        pending = list(start)
        while pending:
            for each in edges.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        return found


class Declarations:
    """Everything that has a name, and the checks of its use."""

    def __init__(self, domain: syntax.Domain, damaged: Collection[str], report: ErrorReport) -> None:
        self.types = TypeHierarchy(domain.types)
        self.objects: dict[str, syntax.TypedName] = {each.name: each for each in domain.constants}
        self.predicates: dict[str, syntax.Predicate] = {each.name: each for each in domain.predicates}
        self.functions: dict[str, syntax.Function] = {each.name: each for each in domain.functions}
        self.damaged = set(damaged)
        self.report = report

    def types_of(self, term: syntax.Term, scope: Scope) -> tuple[str, ...] | None:
        """The types of an argument, or None after reporting that its name is unknown."""
        if isinstance(term, syntax.Variable):
            types = scope.get(term.name)
            if types is None:
                self.report.unknown("variable", term.name, term.span, tuple(scope))
            return types
        known = self.objects.get(term.name)
        if known is not None:
            return known.types
        if self.damaged.isdisjoint(("constants", "objects")):
            variable = f"?{term.name}"
            names = (variable,) if variable in scope else tuple(self.objects)
            self.report.unknown("object", term.name, term.span, names, "declare it in :objects")
        return None

    def check_use(self, use: syntax.Atom | syntax.FunctionTerm, scope: Scope) -> None:
        """Report an unknown predicate or function, and arguments that do not fit its declaration."""
        known: Mapping[str, syntax.Predicate | syntax.Function]
        if isinstance(use, syntax.Atom):
            kind, name, known = "predicate", use.predicate, self.predicates
        else:
            kind, name, known = "function", use.function, self.functions
        declared = known.get(name)
        if declared is None and f"{kind}s" not in self.damaged:
            hint = "it is a numeric function" if name in self.functions else None
            if kind == "function" and not known:
                parameters = "".join(f" ?x{number}" for number in range(1, len(use.arguments) + 1))
                hint = f"the domain has no ':functions'; declare it there: (:functions ({name}{parameters}))"
            self.report.unknown(kind, name, word_in(use.span), known, hint)
        elif declared is not None and len(use.arguments) != len(declared.parameters):
            message = f"{kind} '{name}' takes {counted(len(declared.parameters), 'argument')}, not {len(use.arguments)}"
            self.report.error(message, use.span, _declaration_hint(declared))
        elif declared is not None:
            for position, (term, parameter) in enumerate(zip(use.arguments, declared.parameters, strict=True), start=1):
                types = self.types_of(term, scope)
                if types is not None and not self.types.fits(types, parameter.types):
                    self._mismatch(declared, position, term, types)
            return
        for term in use.arguments:
            self.types_of(term, scope)

    def _mismatch(
        self, declared: syntax.Predicate | syntax.Function, position: int, term: syntax.Term, types: tuple[str, ...]
    ) -> None:
        wanted = declared.parameters[position - 1].types
        message = (
            f"argument {position} of '{declared.name}' must be of type {type_text(wanted)}, "
            f"but {quoted(term.name)} is of type {type_text(types)}"
        )
        if isinstance(term, syntax.Constant) or not self.types.overlaps(types, wanted):
            self.report.error(message, term.span, _declaration_hint(declared))
        else:
            self.report.warning(message, term.span, "some of its values do not fit")


def type_text(types: tuple[str, ...]) -> str:
    """A type as messages name it."""
    return " or ".join(quoted(each) for each in types)


def _declaration_hint(declared: syntax.Predicate | syntax.Function) -> str:
    place = f" in line {declared.span.line}" if declared.span is not None else ""
    return f"declared as {write_signature(declared.name, declared.parameters[:20])}{place}"


# --- requirements ---


_QUANTIFIED = (":existential-preconditions", ":universal-preconditions")
_ADL_WORDS = """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :quantified-preconditions
    :existential-preconditions :universal-preconditions :conditional-effects
"""
_ADL = _ADL_WORDS.split()
_OTHERS = """
    :probabilistic-effects :object-fluents :durative-actions :duration-inequalities :continuous-effects
    :derived-predicates :timed-initial-literals :preferences :constraints :goal-utilities :goal-probability
    :non-deterministic :domain-axioms :hierarchy :time :multi-agent :partial-observability
"""
_IMPLIED: dict[str, Sequence[str]] = {
    ":adl": _ADL,
    ":ucpop": _ADL,
    ":quantified-preconditions": _QUANTIFIED,
    ":fluents": (":numeric-fluents", ":rewards", ":action-costs"),
    ":numeric-fluents": (":rewards", ":action-costs"),
    ":rewards": (":numeric-fluents", ":action-costs"),
    ":action-costs": (":numeric-fluents",),
    ":mdp": (":probabilistic-effects", ":rewards", ":numeric-fluents", ":action-costs"),
}
KNOWN_REQUIREMENTS = frozenset((*_IMPLIED, *_ADL, *_OTHERS.split()))


class Requirements:
    """The requirements that are declared, and the first use of each one that is needed."""

    def __init__(self, declared: Sequence[str]) -> None:
        self.declared = tuple(declared)
        self.granted = {*declared, ":strips"}
        for each in declared:
            self.granted.update(_IMPLIED.get(each, ()))
        self.missing: dict[str, Span | None] = {}

    def needs(self, requirement: str, span: Span | None) -> None:
        """Note that the text at `span` needs a requirement."""
        if requirement not in self.granted:
            self.missing.setdefault(requirement, span)

    def report_to(self, report: ErrorReport, definition: Span | None) -> None:
        """Warn about unknown and missing requirements of a domain."""
        for each in [each for each in self.declared if each not in KNOWN_REQUIREMENTS]:
            hint = report.suggest(each, KNOWN_REQUIREMENTS)
            report.warning(f"unknown requirement {quoted(each)}", _place_of(each, definition), hint)
        if not self.declared:
            needed = f"(:requirements {' '.join(self.missing or [':strips'])})"
            name = word_in(definition, 2)
            end = -1 if name is None else name.source.text.find(")", name.end) + 1
            fix = None if name is None else Fix(Span(name.source, end, end), f"\n  {needed}")
            hint = f"this text needs {needed}" if self.missing else None
            report.warning("the domain has no ':requirements'", name, hint, fix)
            return
        last = _place_of(self.declared[-1], definition)
        for requirement, span in self.missing.items():
            fix = None if last is None else Fix(Span(last.source, last.end, last.end), f" {requirement}")
            hint = f"add '{requirement}' to ':requirements'"
            report.warning(f"the requirement '{requirement}' is missing", span, hint, fix)


def _place_of(requirement: str, definition: Span | None) -> Span | None:
    """Where a requirement is written: the first place of the definition that has this word."""
    if definition is None:
        return None
    start = definition.source.text.lower().find(requirement, definition.start, definition.end)
    return Span(definition.source, start, start + len(requirement)) if start >= 0 else word_in(definition, 2)


# --- the whole ---

_NEAR_MISS = 0.8  # similarity, from 0 to 1, at which a name is taken for a slip of the pen


def check_domain(parsed: DomainSyntax, report: ErrorReport) -> syntax.Domain:
    """Report what is wrong with a domain; the result declares all of its types."""
    domain = _declare_supertypes(parsed, report)
    _check_types(domain, report)
    declarations = Declarations(domain, parsed.damaged, report)
    requirements = Requirements(domain.requirements)
    if domain.types:
        requirements.needs(":typing", domain.types[0].span)
    if domain.functions:
        requirements.needs(":numeric-fluents", word_in(domain.functions[0].span))
    walker = _Walker(declarations, requirements, report)
    _check_once(domain.constants, "constant", report)
    _check_once(domain.predicates, "predicate", report)
    _check_once(domain.functions, "function", report)
    _check_once(domain.schemas, "action", report)
    with report.inside("constants"):
        walker.check_type_names(domain.constants)
    for kind, signatures in (("predicate", domain.predicates), ("function", domain.functions)):
        for each in signatures:
            with report.inside(f"{kind} '{each.name}'"):
                walker.enter(each.parameters, {})
    for schema in domain.schemas:
        walker.check_schema(schema)
    if walker.costs is not None and "total-cost" not in parsed.quantities and "functions" not in parsed.damaged:
        _report_costs(domain, walker.costs, report)
    requirements.report_to(report, domain.span)
    return domain


def check_problem(
    parsed: ProblemSyntax, domain: syntax.Domain, damaged: Set[str], report: ErrorReport
) -> syntax.Problem:
    """Report what is wrong with a problem of a domain; `damaged` is what is unknown of the domain itself."""
    problem = parsed.problem
    declarations = Declarations(domain, damaged | parsed.damaged, report)
    walker = _Walker(declarations, Requirements((*domain.requirements, *problem.requirements)), report)
    with report.inside("objects"):
        walker.check_type_names(problem.objects)
    problem = _without_constants(problem, declarations, report)
    _check_once(problem.objects, "object", report)
    declarations.objects.update((each.name, each) for each in problem.objects)
    with report.inside("init"):
        for atom in (*problem.init, *parsed.negated):
            report.poll()
            declarations.check_use(atom, {})
        _check_denied(problem, parsed.negated, report)
        _check_values(problem, declarations, report)
    if problem.goal is not None:
        with report.inside("goal"):
            walker.check(problem.goal, {})
    return problem


def check_formula(formula: syntax.Formula, domain: syntax.Domain, report: ErrorReport) -> None:
    """Report what is wrong with a formula about a domain that has no free variables."""
    _Walker(Declarations(domain, (), report), Requirements(domain.requirements), report).check(formula, {})


def _report_costs(domain: syntax.Domain, change: Span, report: ErrorReport) -> None:
    """Warn that total-cost is not declared, which other planners refuse."""
    if domain.functions:
        message, hint, new = "'total-cost' is not declared", "add (total-cost) to ':functions'", "(total-cost) "
    else:
        section = "(:functions (total-cost) - number)"
        message, hint, new = "the domain has no ':functions'", f"add {section}", f"{section}\n  "
    before = next((each.span for each in (*domain.functions, *domain.schemas) if each.span is not None), None)
    fix = None if before is None else Fix(Span(before.source, before.start, before.start), new)
    report.warning(message, change, hint, fix)


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


def _without_constants(problem: syntax.Problem, declarations: Declarations, report: ErrorReport) -> syntax.Problem:
    """Leave out objects that the domain declares as constants already."""
    kept: list[syntax.TypedName] = []
    for each in problem.objects:
        report.poll()
        constant = declarations.objects.get(each.name)
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


def _check_values(problem: syntax.Problem, declarations: Declarations, report: ErrorReport) -> None:
    first: dict[syntax.FunctionTerm, syntax.FunctionValue] = {}
    for each in problem.values:
        report.poll()
        declarations.check_use(each.term, {})
        known = first.setdefault(each.term, each)
        if known.value != each.value:
            shown = " ".join((each.term.function, *(argument.name for argument in each.term.arguments)))
            values = f"{number_text(known.value)} and {number_text(each.value)}"
            report.error(f"the function term ({shown}) has two values, {values}", each.span)


# --- formulas and effects ----------------------------------------------------------------------------------------


_NEEDED: dict[type[syntax.Node], str] = {
    syntax.Not: ":negative-preconditions",
    syntax.Or: ":disjunctive-preconditions",
    syntax.Imply: ":disjunctive-preconditions",
    syntax.ForAll: ":universal-preconditions",
    syntax.Exists: ":existential-preconditions",
    syntax.ForAllEffect: ":conditional-effects",
    syntax.Equals: ":equality",
    syntax.When: ":conditional-effects",
    syntax.Probabilistic: ":probabilistic-effects",
}
"""Which requirement each needs; a change needs that of its quantity, and ``(not (= …))`` only that of equality."""


class _Walker:
    """Walks over formulas and effects with the variables that are in scope."""

    def __init__(self, declarations: Declarations, requirements: Requirements, report: ErrorReport) -> None:
        self.declarations = declarations
        self.requirements = requirements
        self.report = report
        self.costs: Span | None = None
        """The first change of total-cost."""

    def check_schema(self, schema: syntax.Schema) -> None:
        with self.report.inside(f"action '{schema.name}'"):
            scope = self.enter(schema.parameters, {})
            with self.report.inside("precondition"):
                self.check(schema.precondition, scope)
            with self.report.inside("effect"):
                self.check(schema.effect, scope)

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
                declarations = self.declarations
                if type_name in declarations.types or type_name in self.report.missing_types:
                    continue
                if "types" not in declarations.damaged:
                    self.report.missing_types.add(type_name)
                    place = type_after(each.span, type_name)
                    self.report.unknown("type", type_name, place, declarations.types.parents, "declare it in :types")

    def check(self, node: syntax.Node, scope: Scope) -> None:
        """Check a formula or an effect, and all that is in it."""
        self.report.poll()
        if type(node) in _NEEDED and not (isinstance(node, syntax.Not) and isinstance(node.operand, syntax.Equals)):
            self.requirements.needs(_NEEDED[type(node)], node.span)
        match node:
            case syntax.Atom() | syntax.FunctionTerm():
                self.declarations.check_use(node, scope)
            case syntax.Equals(left, right):
                self._check_compared(left, node.span, scope)
                self._check_compared(right, node.span, scope)
            case (
                syntax.ForAll(parameters, body)
                | syntax.Exists(parameters, body)
                | syntax.ForAllEffect(parameters, body)
            ):
                self.check(body, self.enter(parameters, scope))
            case syntax.Probabilistic(outcomes):
                for index, outcome in enumerate(outcomes, start=1):
                    with self.report.inside(f"outcome {index}"):
                        self.check(outcome.effect, scope)
            case syntax.Change(quantity=quantity, amount=amount):
                self.requirements.needs(":rewards" if quantity == "reward" else ":action-costs", node.span)
                self.costs = self.costs or (node.span if quantity == "total-cost" else None)
                self.check(amount, scope)
            case _:
                for part in node.parts():
                    self.check(part, scope)

    def _check_compared(self, term: syntax.Term, place: Span | None, scope: Scope) -> None:
        known = self.declarations
        is_numeric = is_number(term.name) or term.name in known.functions
        if isinstance(term, syntax.Constant) and term.name not in known.objects and is_numeric:
            self.report.unsupported("numeric conditions ('=' on numbers) are not supported", place)
        else:
            known.types_of(term, scope)
