"""Expressions and rules in plain English.

move: (not (empty carried)), (nearer ?to ?from !at/2 road)
move, if something is carried, and ?to is nearer than ?from by road to something that is the second of a missing at
"""

from __future__ import annotations

from gpaplan.concepts.nodes import (
    Argument,
    Closure,
    Common,
    Complement,
    Concept,
    Empty,
    Every,
    Everything,
    Flag,
    Intersection,
    Inverse,
    Is,
    Literal,
    Mark,
    Minus,
    Named,
    Nearer,
    OfType,
    Only,
    Pairs,
    Related,
    Role,
    Same,
    Some,
)
from gpaplan.concepts.rules import Rule
from gpaplan.ppddl.syntax import Domain

__all__ = ["concept_in_words", "literal_in_words", "role_in_words", "rule_in_words"]

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_KINDS: dict[Mark, str] = {"": "a true", "@": "a wanted", "!": "a missing"}


def rule_in_words(rule: Rule, domain: Domain) -> str:
    """``move, if …, and …``; a schema alone if there are no conditions."""
    conditions = [literal_in_words(literal, domain) for literal in rule.literals]
    return f"{rule.schema}, if {', and '.join(conditions)}" if conditions else rule.schema


def literal_in_words(literal: Literal, domain: Domain) -> str:
    """A sentence."""
    no = " not" if literal.negated else ""
    match literal:
        case Flag(mark="", predicate=predicate):
            return f"{predicate} is {'false' if literal.negated else 'true'}"
        case Flag(mark=mark, predicate=predicate):
            return f"{predicate} is{no} {'wanted' if mark == '@' else 'missing'}"
        case Empty(concept=concept):
            return f"{'something' if literal.negated else 'nothing'} is {concept_in_words(concept, domain)}"
        case Is(parameter=parameter, concept=concept):
            return f"{parameter} is{no} {concept_in_words(concept, domain)}"
        case Related(first=first, second=second, role=role):
            return f"{first} is{no} related to {second} by {role_in_words(role)}"
        case Nearer(first=first, second=second, concept=concept, role=role):
            target = concept_in_words(concept, domain)
            return f"{first} is{no} nearer than {second} by {role_in_words(role)} to something that is {target}"
        case _:
            raise AssertionError(f"a literal of no known kind: {literal!r}")


def concept_in_words(concept: Concept, domain: Domain) -> str:
    """What may follow "is"."""
    match concept:
        case Everything():
            return "anything"
        case Named(name):
            is_predicate = any(each.name == name and len(each.parameters) == 1 for each in domain.predicates)
            return name if is_predicate else _with_article(name)
        case OfType(name):
            return _with_article(name)
        case Only(name):
            return f"the constant {name}"
        case Argument(mark, predicate, position):
            place = _ORDINALS[position - 1] if position <= len(_ORDINALS) else f"{position}th"
            return f"the {place} of {_KINDS[mark]} {predicate}"
        case Complement(inner):
            return f"not {concept_in_words(inner, domain)}"
        case Intersection(first, second):
            return f"both {concept_in_words(first, domain)} and {concept_in_words(second, domain)}"
        case Some(role, inner):
            return f"related by {role_in_words(role)} to something that is {concept_in_words(inner, domain)}"
        case Every(role, inner):
            return f"related by {role_in_words(role)} only to what is {concept_in_words(inner, domain)}"
        case Same(first, second):
            return f"related by {role_in_words(first)} to exactly what {role_in_words(second)} relates it to"
        case _:
            raise AssertionError(f"a concept of no known kind: {concept!r}")


def role_in_words(role: Role) -> str:
    """A relation."""
    match role:
        case Pairs(mark, predicate, positions):
            places = "" if positions is None else f" (its arguments {positions[0]} and {positions[1]})"
            return f"{'' if not mark else 'wanted ' if mark == '@' else 'missing '}{predicate}{places}"
        case Inverse(inner):
            return f"{role_in_words(inner)} backwards"
        case Closure(inner, reflexive):
            return f"{'any number of' if reflexive else 'one or more'} steps of {role_in_words(inner)}"
        case Common(first, second):
            return f"both {role_in_words(first)} and {role_in_words(second)}"
        case Minus(first, second):
            return f"{role_in_words(first)} without {role_in_words(second)}"
        case _:
            raise AssertionError(f"a role of no known kind: {role!r}")


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
