"""Random concepts, relations, literals and rule lists of a domain: of every constructor that there is."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from gpaplan.concepts.constructors import CONSTRUCTORS
from gpaplan.concepts.expressions import Concept, Expression, Literal, Relation
from gpaplan.concepts.phrases import Mark
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.concepts.vocabulary import atomic_concepts, flags
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.grounding import supertypes

MARKS: list[Mark] = ["", "@", "!"]
E = TypeVar("E", bound=Expression)


def _made(kind: type[E], operands: dict[str, st.SearchStrategy[object]]) -> list[st.SearchStrategy[E]]:
    """What constructors make of operands, of which there may be none of some sort."""
    found = [each for each in CONSTRUCTORS.values() if each.makes == kind.sort and not each.pattern]
    return [
        st.tuples(*(operands[sort] for sort in each.of)).map(lambda drawn, word=each.word: kind(word, drawn))  # type: ignore[misc]
        for each in found
        if set(each.of) <= set(operands)
    ]


def _has_relations(domain: Domain) -> bool:
    return any(len(predicate.parameters) >= 2 for predicate in domain.predicates)


def _operands(domain: Domain, depth: int) -> dict[str, st.SearchStrategy[object]]:
    inner: dict[str, st.SearchStrategy[object]] = {"concept": concepts(domain, depth)}
    return inner | ({"relation": relations(domain, depth)} if _has_relations(domain) else {})


def concepts(domain: Domain, depth: int = 3) -> st.SearchStrategy[Concept]:
    """Concepts that nest so deep at most."""
    atoms = [*atomic_concepts(domain), *(Concept("type", (name,)) for name in supertypes(domain))]
    for predicate in domain.predicates:
        for position in range(1, len(predicate.parameters) + 1):
            atoms += [Concept("argument", (mark, predicate.name, position)) for mark in MARKS]
    leaves = st.sampled_from(atoms)
    return leaves if depth == 0 else st.one_of([leaves, *_made(Concept, _operands(domain, depth - 1))])


def relations(domain: Domain, depth: int = 3) -> st.SearchStrategy[Relation]:
    """Relations that nest so deep at most; the domain has a predicate of two or more arguments."""
    atoms: list[Relation] = []
    for predicate in domain.predicates:
        arity = len(predicate.parameters)
        places = [(i, j) for i in range(1, arity + 1) for j in range(1, arity + 1) if arity > 1]
        places += [()] if arity == 2 else []  # type: ignore[list-item]
        atoms += [Relation("pairs", (mark, predicate.name, pair)) for pair in places for mark in MARKS]
    leaves = st.sampled_from(atoms)
    return leaves if depth == 0 else st.one_of([leaves, *_made(Relation, _operands(domain, depth - 1))])


def literals(domain: Domain, schema: str | None = None, depth: int = 2) -> st.SearchStrategy[Literal]:
    """Literals about a state, or about an action of a schema."""
    operands = _operands(domain, depth)
    parameters = [p.name for each in domain.schemas if each.name == schema for p in each.parameters]
    if parameters:
        operands["parameter"] = st.sampled_from(parameters)
    choices = _made(Literal, operands)
    if flags(domain):
        names = sorted({each.operands[1] for each in flags(domain)})
        choices.append(st.sampled_from([Literal("flag", (mark, name)) for name in names for mark in MARKS]))
    return st.one_of(choices).flatmap(lambda each: st.sampled_from([each, each.negation()]))


def rule_lists(domain: Domain) -> st.SearchStrategy[RuleList]:
    """Up to four rules of up to three literals."""

    def rule(schema: str) -> st.SearchStrategy[Rule]:
        return st.builds(Rule, st.just(schema), st.lists(literals(domain, schema, 1), max_size=3).map(tuple))

    one = st.sampled_from([schema.name for schema in domain.schemas]).flatmap(rule)
    return st.lists(one, max_size=4).map(tuple).map(RuleList)
