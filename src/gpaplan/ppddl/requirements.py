"""What a domain says it needs (``:requirements``), compared with what it uses.

Requirements never change what a text means here. One that is missing gives a warning at the first place that needs
it, because other planners may refuse the file.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpaplan.ppddl.lexer import word_in
from gpaplan.ppddl.report import ErrorReport, quoted
from gpaplan.source import Span

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
            hint = f"this text needs (:requirements {' '.join(self.missing)})" if self.missing else None
            report.warning("the domain has no ':requirements'", word_in(definition, 2), hint)
            return
        for requirement, span in self.missing.items():
            report.warning(
                f"the requirement '{requirement}' is missing", span, f"add '{requirement}' to ':requirements'"
            )


def _place_of(requirement: str, definition: Span | None) -> Span | None:
    """Where a requirement is written: the first place of the definition that has this word."""
    if definition is None:
        return None
    start = definition.source.text.lower().find(requirement, definition.start, definition.end)
    return Span(definition.source, start, start + len(requirement)) if start >= 0 else word_in(definition, 2)
