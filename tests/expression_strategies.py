"""Random concepts, roles, literals and rule lists of a domain."""

from __future__ import annotations

from hypothesis import strategies as st

from gpaplan.concepts import nodes as n
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.concepts.vocabulary import atomic_concepts, flags
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.encode import supertypes

MARKS: list[n.Mark] = ["", "@", "!"]


def concepts(domain: Domain, depth: int = 3) -> st.SearchStrategy[n.Concept]:
    """Concepts that nest so deep at most."""
    atoms: list[n.Concept] = [*atomic_concepts(domain), *map(n.OfType, supertypes(domain))]
    for predicate in domain.predicates:
        for position in range(1, len(predicate.parameters) + 1):
            atoms += [n.Argument(mark, predicate.name, position) for mark in MARKS]
    leaves = st.sampled_from(atoms)
    if depth == 0:
        return leaves
    inner = concepts(domain, depth - 1)
    choices = [leaves, st.builds(n.Complement, inner), st.builds(n.Intersection, inner, inner)]
    if any(len(predicate.parameters) >= 2 for predicate in domain.predicates):
        related = roles(domain, depth - 1)
        choices += [st.builds(kind, related, inner) for kind in (n.Some, n.Every)]
        choices += [st.builds(n.Same, related, related)]
    return st.one_of(choices)


def roles(domain: Domain, depth: int = 3) -> st.SearchStrategy[n.Role]:
    """Roles that nest so deep at most; the domain has a predicate of two or more arguments."""
    atoms: list[n.Role] = []
    for predicate in domain.predicates:
        arity = len(predicate.parameters)
        places = [(i, j) for i in range(1, arity + 1) for j in range(1, arity + 1) if arity > 1]
        atoms += [n.Pairs(mark, predicate.name, pair) for pair in places for mark in MARKS]
        atoms += [n.Pairs(mark, predicate.name) for mark in MARKS if arity == 2]
    leaves = st.sampled_from(atoms)
    if depth == 0:
        return leaves
    inner = roles(domain, depth - 1)
    return st.one_of(
        leaves,
        st.builds(n.Inverse, inner),
        st.builds(n.Closure, inner, st.booleans()),
        st.builds(n.Common, inner, inner),
        st.builds(n.Minus, inner, inner),
    )


def literals(domain: Domain, schema: str | None = None, depth: int = 2) -> st.SearchStrategy[n.Literal]:
    """Literals about a state, or about an action of a schema."""
    inner = concepts(domain, depth)
    choices: list[st.SearchStrategy[n.Literal]] = [st.builds(n.Empty, inner, negated=st.booleans())]
    if flags(domain):
        marked = [n.Flag(mark, each.predicate) for each in flags(domain) for mark in MARKS]
        choices.append(st.sampled_from(marked).flatmap(lambda flag: st.sampled_from([flag, flag.negation()])))
    parameters = [p.name for each in domain.schemas if each.name == schema for p in each.parameters]
    if parameters:
        one = st.sampled_from(parameters)
        choices.append(st.builds(n.Is, one, inner, negated=st.booleans()))
        if any(len(predicate.parameters) >= 2 for predicate in domain.predicates):
            along = roles(domain, depth)
            choices.append(st.builds(n.Related, one, one, along, negated=st.booleans()))
            choices.append(st.builds(n.Nearer, one, one, inner, along, negated=st.booleans()))
    return st.one_of(choices)


def rule_lists(domain: Domain) -> st.SearchStrategy[RuleList]:
    """Up to four rules of up to three literals."""

    def rule(schema: str) -> st.SearchStrategy[Rule]:
        return st.builds(Rule, st.just(schema), st.lists(literals(domain, schema, 1), max_size=3).map(tuple))

    one = st.sampled_from([schema.name for schema in domain.schemas]).flatmap(rule)
    return st.lists(one, max_size=4).map(tuple).map(RuleList)
