"""What example problems have in common: the conditions of a class, found from problems of it.

Conditions of a fixed list of forms are tried on all examples, and those that hold in every one of them make the class:
how many atoms a predicate has, of each object or in all; whether it is symmetric, connected or without cycles; whether
it is part of another; and which sets of objects exclude each other, or together are all objects of a type. What the
goal asks for is treated like what holds; of the two together it is only asked whether one is part of the other. The
more the examples differ, the larger the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition, Structure, parse_condition
from gpaplan.tasks.goal import changed_predicates, wanted_atoms
from gpaplan.tasks.grounding import declared_objects, supertypes

__all__ = ["common_conditions", "structure_of"]

Names = tuple[str, ...]


def structure_of(domain: syntax.Domain, problem: syntax.Problem) -> Structure:
    """A problem with its initial state and what its goal asks for."""
    changing = changed_predicates(domain)
    if problem.goal is None or not _is_conjunction(problem.goal, changing):
        raise UsageError(
            f"problem '{problem.name}': a class has problems whose goals are conjunctions of atoms that actions change"
        )
    known: dict[str, set[tuple[str, ...]]] = {each.name: set() for each in domain.predicates}
    for atom in problem.init:
        known[atom.predicate].add(tuple(term.name for term in atom.arguments))
    goal: dict[str, set[tuple[str, ...]]] = {f"@{name}": set() for name in known if name in changing}
    for predicate, arguments in wanted_atoms(domain, problem):
        goal[f"@{predicate}"].add(arguments)
    found = {name: frozenset(atoms) for name, atoms in {**known, **goal}.items()}
    return Structure(domain, declared_objects(domain, problem), found)


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
    found += holding(_of_several(structures, others))
    return found + (holding(_of_states(structures, others, set(map(str, found)))) if wider else [])


def _of_one(name: str, types: list[Names]) -> tuple[list[str], list[str]]:
    """Conditions about one predicate: the two that say all there is to say of it, and the others."""
    variables = [f"?x{i}" for i in range(len(types))]
    atom, scope = _atom(name, variables), _scope(variables, types)
    all_or_none = [_closed(scope, f"(not {atom})"), _closed(scope, atom)]
    forms = [f"(exists ({scope}) {atom})"] if types else []
    for kept in _places(len(types)):
        # at most one: what is equal in these places is equal in all
        rest = [i for i in range(len(types)) if i not in kept]
        other = [x if i in kept else f"?y{i}" for i, x in enumerate(variables)]
        forms.append(_equal(name, types, variables, other, rest))
        if kept:
            outer = _scope([variables[i] for i in kept], [types[i] for i in kept])
            inner = _scope([variables[i] for i in rest], [types[i] for i in rest])
            forms.append(f"(forall ({outer}) (exists ({inner}) {atom}))")
    if len(types) == 2:
        forms += [_equal(name, types, variables, ["?y0", "?y1"], [place]) for place in range(2)]  # one for all
    if len(types) == 2 and types[0] == types[1]:
        forms.append(f"(forall ({scope}) (or (= ?x0 ?x1) {atom}))")
        forms.append(f"(forall (?x0 - {_type(types[0])}) (not {_atom(name, ['?x0', '?x0'])}))")
        forms.append(f"(forall ({scope}) (imply {atom} {_atom(name, ['?x1', '?x0'])}))")
        forms += [f"(connected {name})", f"(acyclic {name})"]
    return all_or_none, forms


def _equal(name: str, types: list[Names], one: list[str], other: list[str], places: list[int]) -> str:
    """Of two atoms the arguments in some places are equal."""
    new = [i for i in range(len(types)) if one[i] != other[i]]
    scope = _scope([*one, *(other[i] for i in new)], [*types, *(types[i] for i in new)])
    equal = [f"(= {one[i]} {other[i]})" for i in places]
    conclusion = equal[0] if len(equal) == 1 else f"(and {' '.join(equal)})"
    return f"(forall ({scope}) (imply (and {_atom(name, one)} {_atom(name, other)}) {conclusion}))"


def _places(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(count):
        yield from combinations(range(count), size)


def _of_several(structures: Sequence[Structure], names: list[str]) -> Iterator[str]:
    """Conditions about two predicates, or about two sets of objects that are arguments of some."""
    signature = structures[0].types
    for first, second in product(names, names):
        types = signature(first)
        if first == second or types != signature(second) or len(types) < 2:
            continue
        variables = [f"?x{i}" for i in range(len(types))]
        for order in [variables, variables[::-1]] if types == types[::-1] else [variables]:
            yield f"(forall ({_scope(variables, types)}) (imply {_atom(first, variables)} {_atom(second, order)}))"
            if first < second and first.startswith("@") == second.startswith("@"):
                both = f"(and {_atom(first, variables)} {_atom(second, order)})"
                yield f"(forall ({_scope(variables, types)}) (not {both}))"
    sets = [(name, place) for name in names for place in range(len(signature(name)))]
    sets = [each for each in sets if not _is_trivial(structures, *each)]
    for (first, i), (second, j) in combinations(sets, 2):
        same_side = first.startswith("@") == second.startswith("@")
        if first != second and same_side and signature(first)[i] == signature(second)[j]:
            own = signature(first)[i]
            one, other = _member(first, signature(first), i), _member(second, signature(second), j)
            for inner in (f"(not (and {one} {other}))", f"(or {one} {other})", f"(imply {one} {other})",
                          f"(imply {other} {one})"):  # fmt: skip
                yield f"(forall (?x - {_type(own)}) {inner})"


def _of_states(structures: Sequence[Structure], names: list[str], known: set[str]) -> Iterator[str]:
    """Conditions about three or four sets, about what excludes what, and about how many objects there are."""
    signature = structures[0].types
    fluent = changed_predicates(structures[0].domain)
    sets = [(name, place) for name in names if name in fluent for place in range(len(signature(name)))]
    sets = [each for each in sets if not _is_trivial(structures, *each)]
    for count in (3, 4):
        for group in combinations(sets, count):
            own = {signature(name)[place] for name, place in group}
            if len(own) == 1 and len({name for name, _ in group}) == count:
                members = " ".join(_member(name, signature(name), place) for name, place in group)
                yield f"(forall (?x - {_type(own.pop())}) (or {members}))"
    flags = [name for name in names if name in fluent and not signature(name)]
    for count in (3, 4):
        yield from (f"(or {' '.join(f'({flag})' for flag in group)})" for group in combinations(flags, count))
    everything = [(name, place) for name in names if name[0] != "@" for place in range(len(signature(name)))]
    for (first, i), (second, j) in product(sets, everything):
        types = signature(first)[i]
        if first != second and types == signature(second)[j] and not _is_trivial(structures, second, j):
            one, other = _member(first, signature(first), i), _member(second, signature(second), j)
            if f"(forall (?x - {_type(types)}) (imply {one} {other}))" not in known:
                yield from (f"(forall (?x - {_type(types)}) (imply (and ({flag}) {one}) {other}))" for flag in flags)
    for first, second in combinations([name for name in names if name in fluent], 2):
        one, other = (_some(name, signature(name)) for name in (first, second))
        yield f"(or {one} {other})"
        yield f"(not (and {one} {other}))"
    yield from _of_types(structures[0].domain)
    for each in structures[0].domain.types:
        yield f"(forall (?x ?y - {each.name}) (= ?x ?y))"
        yield f"(forall (?x ?y ?z - {each.name}) (or (= ?x ?y) (= ?x ?z) (= ?y ?z)))"
        yield f"(exists (?x ?y - {each.name}) (not (= ?x ?y)))"


def _of_types(domain: syntax.Domain) -> Iterator[str]:
    """Whether the objects of a type are those of the types directly below it, and whether these exclude each other."""
    for name in supertypes(domain):
        below = [each.name for each in domain.types if name in each.parents]
        if name != "object" and below:
            yield f"(forall (?x - {name}) (or {' '.join(f'(exists (?y - {each}) (= ?x ?y))' for each in below)}))"
            yield from (
                f"(forall (?x - {one}) (not (exists (?y - {other}) (= ?x ?y))))"
                for one, other in combinations(below, 2)
            )


def _some(name: str, types: list[Names]) -> str:
    """That there is an atom of a predicate."""
    variables = [f"?x{i}" for i in range(len(types))]
    return f"(exists ({_scope(variables, types)}) {_atom(name, variables)})" if types else f"({name})"


def _is_trivial(structures: Sequence[Structure], name: str, place: int) -> bool:
    """Whether in all examples the arguments in a place are all objects of their type."""
    return all(
        {atom[place] for atom in each.known[name]} == set(each.of_types(each.types(name)[place])) for each in structures
    )


def _member(name: str, types: list[Names], place: int) -> str:
    """That ?x is in this place of an atom."""
    variables = ["?x" if i == place else f"?z{i}" for i in range(len(types))]
    rest = [i for i in range(len(types)) if i != place]
    scope = _scope([variables[i] for i in rest], [types[i] for i in rest])
    return f"(exists ({scope}) {_atom(name, variables)})" if rest else _atom(name, variables)


def _atom(name: str, variables: Sequence[str]) -> str:
    return f"({' '.join((name, *variables))})"


def _type(types: Names) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _scope(variables: Sequence[str], types: Sequence[Names]) -> str:
    return " ".join(f"{name} - {_type(own)}" for name, own in zip(variables, types, strict=True))


def _closed(scope: str, body: str) -> str:
    return f"(forall ({scope}) {body})" if scope else body
