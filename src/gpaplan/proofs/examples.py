"""What example problems have in common: the conditions of a class, found from problems of it.

Conditions of a fixed list of forms are tried on all examples, and those that hold in every one of them make the class:
how many atoms a predicate has, of each object or in all; whether it is symmetric, connected or without cycles; and
which sets of objects exclude each other, are part of each other, or together are all objects of a type. What the goal
asks for is treated like what holds. The more the examples differ, the larger the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import TypeAlias

from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Atom, Condition, Structure, parse_condition
from gpaplan.tasks.goal import changed_predicates, wanted_atoms
from gpaplan.tasks.grounding import declared_objects, supertypes

Names: TypeAlias = tuple[str, ...]
Variable: TypeAlias = tuple[str, Names]
"""Its name, and its types."""


def structure_of(domain: syntax.Domain, problem: syntax.Problem) -> Structure:
    """A problem with its initial state and what its goal asks for."""
    changing = changed_predicates(domain)
    if problem.goal is None or not _is_conjunction(problem.goal, changing):
        raise UsageError(
            f"problem '{problem.name}': a class has problems whose goals are conjunctions of atoms that actions change"
        )
    names = [each.name for each in domain.predicates]
    facts = ((each.predicate, tuple(term.name for term in each.arguments)) for each in problem.init)
    goal = ((f"@{name}", objects) for name, objects in wanted_atoms(domain, problem))
    asked = [f"@{name}" for name in names if name in changing]
    return Structure(domain, declared_objects(domain, problem), by_predicate([*names, *asked], (*facts, *goal)))


def by_predicate(names: Iterable[str], atoms: Iterable[Atom]) -> dict[str, frozenset[Names]]:
    """The arguments of the atoms of each predicate."""
    found: dict[str, set[Names]] = {name: set() for name in names}
    for name, arguments in atoms:
        found[name].add(arguments)
    return {name: frozenset(own) for name, own in found.items()}


def _is_conjunction(goal: syntax.Formula, changing: set[str]) -> bool:
    match goal:
        case syntax.Atom(predicate):
            return predicate in changing
        case syntax.And(operands):
            return all(_is_conjunction(each, changing) for each in operands)
        case syntax.ForAll(_, body):
            return _is_conjunction(body, changing)
    return False


def common_conditions(domain: syntax.Domain, problems: Sequence[syntax.Problem]) -> list[Condition]:
    """The conditions that hold in all problems."""
    return conditions_of([structure_of(domain, each) for each in problems])


def conditions_of(structures: Sequence[Structure], *, wider: bool = False) -> list[Condition]:
    """The conditions that hold in all structures; ``wider`` tries more forms, for the states of a problem."""
    domain = structures[0].domain

    def holding(texts: Iterable[str]) -> list[Condition]:
        conditions = (parse_condition(text, domain) for text in texts)
        return [each for each in conditions if all(structure.satisfies(each) for structure in structures)]

    found: list[Condition] = []
    others = []  # predicates that are neither empty nor full in all examples
    for name in structures[0].known:
        all_or_none, forms = _of_one(name, structures[0].types(name))
        decided = holding(all_or_none)
        found += decided[:1] or holding(forms)
        others += [] if decided else [name]
    sets = _sets(structures, others)
    found += holding(_of_two(structures[0], others, sets))
    return found + (holding(_of_states(domain, others, sets, set(map(str, found)))) if wider else [])


def _of_one(name: str, types: list[Names]) -> tuple[list[str], list[str]]:
    """Conditions about one predicate: the two that say all there is to say of it, and the others."""
    variables = [(f"?x{i}", own) for i, own in enumerate(types)]
    others = [(f"?y{i}", own) for i, own in enumerate(types)]
    atom = _atom(name, variables)
    forms = [_some(variables, atom)] if types else []
    places = range(len(types))
    for kept in (kept for size in places for kept in combinations(places, size)):
        # at most one: what is equal in these places is equal in all
        rest = [i for i in places if i not in kept]
        forms.append(_equal(name, variables, [(others, variables)[i in kept][i] for i in places], rest))
        if kept:
            forms.append(_all([variables[i] for i in kept], _some([variables[i] for i in rest], atom)))
    if len(types) == 2:
        forms += [_equal(name, variables, others, [place]) for place in range(2)]  # one for all
    if len(types) == 2 and types[0] == types[1]:
        forms.append(_all(variables, f"(or (= ?x0 ?x1) {atom})"))
        forms.append(_all(variables[:1], f"(not {_atom(name, variables[:1] * 2)})"))
        forms.append(_all(variables, f"(imply {atom} {_atom(name, variables[::-1])})"))
        forms += [f"(connected {name})", f"(acyclic {name})"]
    return [_all(variables, f"(not {atom})"), _all(variables, atom)], forms


def _equal(name: str, one: list[Variable], other: list[Variable], places: list[int]) -> str:
    """Of two atoms the arguments in some places are equal."""
    equal = [f"(= {one[i][0]} {other[i][0]})" for i in places]
    conclusion = equal[0] if len(equal) == 1 else f"(and {' '.join(equal)})"
    both = [*one, *(each for each in other if each not in one)]
    return _all(both, f"(imply (and {_atom(name, one)} {_atom(name, other)}) {conclusion})")


def _sets(structures: Sequence[Structure], names: list[str]) -> dict[str, list[tuple[str, str]]]:
    """The objects of a type that are arguments of some atom of a predicate, unless these are all: the predicate, and
    that ?x is one of them; by type."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        types = structures[0].types(name)
        for place, own in enumerate(types):
            members = ({atom[place] for atom in each.known[name]} for each in structures)
            if any(some != set(each.of_types(own)) for some, each in zip(members, structures, strict=True)):
                variables = [("?x" if i == place else f"?z{i}", each) for i, each in enumerate(types)]
                rest = [each for each in variables if each[0] != "?x"]
                found.setdefault(_type(own), []).append((name, _some(rest, _atom(name, variables))))
    return found


def _of_two(structure: Structure, names: list[str], sets: dict[str, list[tuple[str, str]]]) -> Iterator[str]:
    """Conditions about two relations of objects, perhaps one of them reversed; and about two sets, both of what holds
    or both of what the goal asks for."""
    for first, second in permutations(names, 2):
        types = structure.types(first)
        if len(types) == 2 and types == structure.types(second):
            pair = list(zip(("?x", "?y"), types, strict=True))
            for order in (pair, pair[::-1])[: 1 + (types[0] == types[1])]:
                yield _all(pair, f"(imply {_atom(first, pair)} {_atom(second, order)})")
    for own, members in sets.items():
        for (first, one), (second, other) in combinations(members, 2):
            if first != second and first.startswith("@") == second.startswith("@"):
                for form in ("(not (and {} {}))", "(or {} {})", "(imply {} {})", "(imply {1} {0})"):
                    yield f"(forall (?x - {own}) {form.format(one, other)})"


def _of_states(
    domain: syntax.Domain, names: list[str], sets: dict[str, list[tuple[str, str]]], known: set[str]
) -> Iterator[str]:
    """Conditions about three or four sets, about what excludes what, and about how many objects there are."""
    changing = [name for name in names if name in changed_predicates(domain)]
    variables = {
        each.name: [(f"?x{i}", own.types) for i, own in enumerate(each.parameters)] for each in domain.predicates
    }
    some = {name: _some(variables[name], _atom(name, variables[name])) for name in changing}
    flags = [some[name] for name in changing if not variables[name]]
    for own, members in sets.items():
        fluent = [each for each in members if each[0] in changing]
        for count in (3, 4):
            for group in combinations(fluent, count):
                if len({name for name, _ in group}) == count:
                    yield f"(forall (?x - {own}) (or {' '.join(member for _, member in group)}))"
        for (first, one), (second, other) in product(fluent, members):
            told = f"(forall (?x - {own}) (imply {one} {other}))" in known
            if first != second and not second.startswith("@") and not told:
                yield from (f"(forall (?x - {own}) (imply (and {flag} {one}) {other}))" for flag in flags)
    for count in (3, 4):
        yield from (f"(or {' '.join(group)})" for group in combinations(flags, count))
    for one, other in combinations(some.values(), 2):
        yield from (f"(or {one} {other})", f"(not (and {one} {other}))")
    for name in supertypes(domain):  # its objects are those of the types directly below it
        below = [f"(exists (?y - {each.name}) (= ?x ?y))" for each in domain.types if name in each.parents]
        if name != "object" and below:
            yield f"(forall (?x - {name}) (or {' '.join(below)}))"
    for each in domain.types:
        yield f"(forall (?x ?y - {each.name}) (= ?x ?y))"
        yield f"(forall (?x ?y ?z - {each.name}) (or (= ?x ?y) (= ?x ?z) (= ?y ?z)))"


def _atom(name: str, variables: Sequence[Variable]) -> str:
    return f"({' '.join((name, *(variable for variable, _ in variables)))})"


def _type(types: Names) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _all(variables: Sequence[Variable], body: str, word: str = "forall") -> str:
    scope = " ".join(f"{name} - {_type(own)}" for name, own in variables)
    return f"({word} ({scope}) {body})" if variables else body


def _some(variables: Sequence[Variable], body: str) -> str:
    return _all(variables, body, "exists")
