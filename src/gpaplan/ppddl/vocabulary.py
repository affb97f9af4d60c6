"""The names a formula may use, and their types: what a domain declares, and the objects of a problem.

A `TypeHierarchy` answers whether one type is below another and whether two types have a common subtype. Types that
are not declared are compatible with everything: their declaration is reported once, not at each use.

`Requirements` compares what a domain says it needs with what it uses. Requirements never change what a text means here.
One that is missing gives a warning at the first place that needs it, because other planners may refuse the file.

A `Vocabulary` looks names up, and reports unknown ones, wrong numbers of arguments and wrong types of arguments. A
`DomainVocabulary` is what can be kept of a domain, to be compared with that of another one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan.errors import Fix
from gpaplan.ppddl import syntax
from gpaplan.ppddl.lexer import word_in
from gpaplan.ppddl.report import ErrorReport, quoted
from gpaplan.source import Span

Scope = Mapping[str, tuple[str, ...]]
"""The variables that may be used at some place, with their types."""

_Signatures = Mapping[str, syntax.Predicate] | Mapping[str, syntax.Function]


class TypeHierarchy:
    """The types of a domain and their order; ``object`` is above all of them."""

    def __init__(self, declarations: Sequence[syntax.TypeDeclaration]) -> None:
        self.parents: dict[str, tuple[str, ...]] = {each.name: each.parents for each in declarations}
        self.parents.setdefault("object", ())
        self._children: dict[str, list[str]] = {}
        for each in declarations:
            for parent in each.parents:
                self._children.setdefault(parent, []).append(each.name)
        self._fits: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
        self._overlaps: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.parents

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether everything of one of the `types` is of one of the `wanted` types."""
        answer = self._fits.get((types, wanted))
        if answer is None:
            answer = all(self._below_any(each, wanted) for each in types)
            self._fits[types, wanted] = answer
        return answer

    def overlaps(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether something could be of one of the `types` and of one of the `wanted` types."""
        answer = self._overlaps.get((types, wanted))
        if answer is None:
            below = [self._reachable_types(each, self._children) for each in (types, wanted)]
            answer = self.fits(types, wanted) or not below[0].isdisjoint(below[1])
            self._overlaps[types, wanted] = answer
        return answer

    def cycle(self) -> list[str]:
        """The types of one cycle of supertypes, or nothing where there is none."""
        done: set[str] = {"object"}
        for start in self.parents:
            path: dict[str, int] = {}
            pending = [(start, False)]
            while pending:
                name, leaving = pending.pop()
                if leaving:
                    done.add(name)
                    del path[name]
                elif name in path:
                    return list(path)[path[name] :]
                elif name not in done:
                    path[name] = len(path)
                    pending.append((name, True))
                    pending.extend((parent, False) for parent in self.parents.get(name, ()))
        return []

    def _below_any(self, name: str, wanted: tuple[str, ...]) -> bool:
        if "object" in wanted or name in wanted or name not in self or any(each not in self for each in wanted):
            return True
        return not self._reachable_types((name,), self.parents).isdisjoint(wanted)

    def _reachable_types(self, start: tuple[str, ...], edges: Mapping[str, Sequence[str]]) -> set[str]:
        found = set(start)
        pending = list(start)
        while pending:
            for each in edges.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        return found


class Vocabulary:
    """Everything that has a name, and the checks of its use."""

    def __init__(self, domain: syntax.Domain, damaged: Collection[str], report: ErrorReport) -> None:
        self.types = TypeHierarchy(domain.types)
        self.objects: dict[str, syntax.TypedName] = {each.name: each for each in domain.constants}
        self.predicates: dict[str, syntax.Predicate] = {each.name: each for each in domain.predicates}
        self.functions: dict[str, syntax.Function] = {each.name: each for each in domain.functions}
        self.damaged = set(damaged)
        self.missing_types: set[str] = set()
        """Those that were reported: each once."""
        self.report = report

    def check_atom(self, atom: syntax.Atom, scope: Scope) -> None:
        """Report an unknown predicate, and arguments that do not fit its declaration."""
        self._check_use("predicate", self.predicates, atom.predicate, atom, scope)

    def check_function(self, use: syntax.FunctionTerm, scope: Scope) -> None:
        """Report an unknown function, and arguments that do not fit its declaration."""
        self._check_use("function", self.functions, use.function, use, scope)

    def check_terms(self, terms: Sequence[syntax.Term], scope: Scope) -> None:
        """Report unknown variables and objects."""
        for term in terms:
            self.types_of(term, scope)

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
            self.report.unknown("object", term.name, term.span, names)
        return None

    def _check_use(
        self, kind: str, known: _Signatures, name: str, use: syntax.Atom | syntax.FunctionTerm, scope: Scope
    ) -> None:
        declared = known.get(name)
        if declared is None and f"{kind}s" not in self.damaged:
            hint = "it is a numeric function" if name in self.functions else None
            if kind == "function" and not known:
                hint = f"the domain has no ':functions'; declare it there: (:functions {_use_text(use)})"
            self.report.unknown(kind, name, word_in(use.span), known, hint)
        elif declared is not None and len(use.arguments) != len(declared.parameters):
            count = f"{len(declared.parameters)} argument{'' if len(declared.parameters) == 1 else 's'}"
            message = f"{kind} '{name}' takes {count}, not {len(use.arguments)}"
            self.report.error(message, use.span, _declaration_hint(declared))
        elif declared is not None:
            for position, (term, parameter) in enumerate(zip(use.arguments, declared.parameters, strict=True), start=1):
                types = self.types_of(term, scope)
                if types is not None and not self.types.fits(types, parameter.types):
                    self._mismatch(declared, position, term, types)
            return
        self.check_terms(use.arguments, scope)

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


def _use_text(use: syntax.Atom | syntax.FunctionTerm) -> str:
    """A declaration that fits a use."""
    name = use.predicate if isinstance(use, syntax.Atom) else use.function
    return f"({' '.join([name, *(f'?x{number}' for number in range(1, len(use.arguments) + 1))])})"


def _declaration_hint(declared: syntax.Predicate | syntax.Function) -> str:
    words = [declared.name]
    for parameter in declared.parameters[:20]:
        words.append(parameter.name)
        if len(parameter.types) > 1:
            words.append(f"- (either {' '.join(parameter.types)})")
        elif parameter.types != ("object",):
            words.append(f"- {parameter.types[0]}")
    place = f" in line {declared.span.line}" if declared.span is not None else ""
    return f"declared as ({' '.join(words)}){place}"


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

_MOST_UNKNOWN = 20


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
        unknown = [each for each in self.declared if each not in KNOWN_REQUIREMENTS]
        for each in unknown[:_MOST_UNKNOWN]:
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


@dataclass(frozen=True, slots=True)
class DomainVocabulary:
    """The names of a domain that something else may speak of: its types, constants, predicates and schemas."""

    types: tuple[str, ...]
    constants: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    schemas: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, domain: syntax.Domain) -> DomainVocabulary:
        """That of a domain."""
        return cls(
            tuple(dict.fromkeys(each.name for each in domain.types if each.name != "object")),
            tuple(each.name for each in domain.constants),
            tuple((each.name, len(each.parameters)) for each in domain.predicates),
            tuple((each.name, len(each.parameters)) for each in domain.schemas),
        )

    def differences(self, other: DomainVocabulary) -> list[str]:
        """What ``other`` has in other ways, a line each."""
        lines = []
        for kind in ("types", "constants", "predicates", "schemas"):
            mine, theirs = set(getattr(self, kind)), set(getattr(other, kind))
            lines += [f"  - {kind}: {_shown(name)}" for name in sorted(mine - theirs)]
            lines += [f"  + {kind}: {_shown(name)}" for name in sorted(theirs - mine)]
        return lines


def _shown(name: Any) -> str:
    return name if isinstance(name, str) else f"{name[0]}/{name[1]}"
