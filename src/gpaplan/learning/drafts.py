"""Drafts of small problems: objects of a large one are taken away, and what is left keeps what the large one keeps.

The ways of `gpaplan.learning.shrinking`, which says what they are for, and decides what of it counts. What a problem
keeps also says whether a larger one is of its sort (`gpaplan.learning.joining`).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations, pairwise, permutations
from typing import Any, TypeAlias

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.ppddl import syntax
from gpaplan.ppddl.syntax import Problem
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundTask
from gpaplan.tasks.variables import takes_a_moment

__all__ = ["SIZES", "WAYS", "Draft", "Fact", "Key", "Kind", "Large", "conjuncts", "fact_of", "names_in", "renamed"]

SIZES = (1, 1, 2, 2, 3, 4, 6, 8, 10)
"""Of a kind of objects so many are kept: one of these, drawn for each kind on its own."""
WAYS = ("contract", "drop", "region")
_WALKS = 8
"""So many walks through the large problem are made, each of which gives a few initial states."""
_LONGEST_WALK = 64

Fact: TypeAlias = tuple[str, tuple[str, ...]]
"""A predicate and objects."""
Kind: TypeAlias = tuple[str, ...]
"""The types of an object, and what never changes about it alone."""
Key: TypeAlias = tuple[Hashable, ...]
"""What a problem keeps, so that it can be compared with what another keeps."""


# --- the large problem ---


@dataclass(frozen=True, slots=True)
class _Group:
    """Atoms of which at most one holds; ``about`` are the objects that all of them name."""

    atoms: frozenset[Fact]
    about: tuple[str, ...]
    always_one: bool

    @property
    def form(self) -> Hashable:
        """The atoms but for their objects: where they name those that the group is about."""
        places = {name: place for place, name in enumerate(self.about)}
        return frozenset((predicate, tuple(map(places.get, names))) for predicate, names in self.atoms)


class Large:
    """A large problem: its kinds of objects, states on the way through it, and what it keeps."""

    def __init__(self, task: GroundTask, source: random.Random, stop: _core.Stop) -> None:
        self.task = task
        self.name = task.problem.name
        changing = changed_predicates(task.domain)
        types = {each.name: each.types for each in (*task.domain.constants, *task.problem.objects)}
        facts = [fact_of(atom) for atom in task.problem.init]
        marks: dict[str, list[str]] = defaultdict(list)
        for predicate, arguments in facts:
            if len(arguments) == 1 and predicate not in changing:
                marks[arguments[0]].append(predicate)
        self.kind_of: dict[str, Kind] = {name: (*own, *sorted(marks[name])) for name, own in types.items()}
        """A kind of one object is kept."""
        self.kinds: dict[Kind, list[str]] = defaultdict(list)
        for each in task.problem.objects:
            self.kinds[self.kind_of[each.name]].append(each.name)
        self.types_of = {each.name: each.types for each in task.problem.objects}
        self.static = [fact for fact in facts if fact[0] not in changing]
        self.groups = _groups(task, stop)
        self.groups_of: dict[Fact, list[int]] = defaultdict(list)
        for number, group in enumerate(self.groups):
            for atom in group.atoms:
                self.groups_of[atom].append(number)
        self.goal = list(conjuncts(task.problem.goal))
        self.goal_names = [names_in(part) for part in self.goal]
        self.states = [facts, *_walks(task, facts, source, stop)]

    @cached_property
    def partners(self) -> list[tuple[str, int, frozenset[str], bool]]:
        """(predicate, place, objects, whether exactly one): static relations in which each of these objects has some
        partner at this place."""
        declared = declared_objects(self.task.domain, self.task.problem)
        found = []
        for predicate in self.task.domain.predicates:
            atoms = [arguments for name, arguments in self.static if name == predicate.name]
            for place, parameter in enumerate(predicate.parameters if len(predicate.parameters) > 1 else ()):
                counts = Counter(arguments[place] for arguments in atoms)
                objects = frozenset(name for name, own in declared.items() if not own.isdisjoint(parameter.types))
                for kind in {self.kind_of[name] for name in objects}:
                    of_kind = frozenset(name for name in objects if self.kind_of[name] == kind)
                    if all(counts[name] for name in of_kind):
                        found.append((predicate.name, place, of_kind, all(counts[name] == 1 for name in of_kind)))
        return sorted(found, key=lambda each: (each[0], each[1], sorted(each[2])))

    @cached_property
    def flags(self) -> list[tuple[str, str, tuple[int, ...]]]:
        """(predicate, other, places): what holds of just those objects that are at these places of the other one, in
        all states that are known, as a cell is blocked that somebody blocks."""
        changing = changed_predicates(self.task.domain)
        arities = {each.name: len(each.parameters) for each in self.task.domain.predicates if each.name in changing}
        found = []
        for one, other in permutations(sorted(arities), 2):
            for places in permutations(range(arities[other]), arities[one]) if arities[one] < arities[other] else ():
                own = range(arities[one])
                pairs = [(_at(state, one, own), _at(state, other, places)) for state in self.states]
                if all(flagged == meant for flagged, meant in pairs) and any(flagged for flagged, _ in pairs):
                    found.append((one, other, places))
        return found

    @cached_property
    def one_way(self) -> frozenset[str]:
        """Static relations that never go both ways."""
        pairs = {fact for fact in self.static if len(fact[1]) == 2}
        return frozenset(name for name, _ in pairs) - {
            name for name, (a, b) in pairs if a != b and (name, (b, a)) in pairs
        }

    @cached_property
    def chains(self) -> frozenset[tuple[str, ...]]:
        """Kinds of objects that stand in a row, such as the levels of a counter."""
        found: set[tuple[str, ...]] = set()
        for name in self.one_way:
            pairs = [arguments for predicate, arguments in self.static if predicate == name and len(arguments) == 2]
            befores, afters = ([pair[place] for pair in pairs] for place in (0, 1))
            if len(set(befores)) == len(set(afters)) == len(pairs) and not set(befores).isdisjoint(afters):
                found |= {self.kind_of[each] for each in (*befores, *afters)}
        return frozenset(found)

    @cached_property
    def links(self) -> dict[str, set[tuple[str, str]]]:
        """The pairs of each static relation of two."""
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for name, names in self.static:
            if len(names) == 2:
                found[name].add((names[0], names[1]))
        return found

    @cached_property
    def relations_within(self) -> dict[Kind, list[str]]:
        """For each static fact that relates two objects of a kind, its predicate."""
        found: dict[Kind, list[str]] = defaultdict(list)
        for name, names in self.static:
            if len(names) == 2 and self.kind_of[names[0]] == self.kind_of[names[1]]:
                found[self.kind_of[names[0]]].append(name)
        return found

    @cached_property
    def rows(self) -> dict[str, tuple[str, ...]]:
        """The static relations that put their objects in one row, and the row: each comes before the next, or before
        all that follow."""
        found = {}
        for name, pairs in self.links.items():
            after = Counter(one for one, _ in pairs)
            last = {other for _, other in pairs} - set(after)
            if len(last) == 1 and max(after.values()) == 1:  # from the last one back
                before = {other: one for one, other in pairs}
                row = [*last]
                while row[-1] in before and len(row) <= len(pairs):
                    row.append(before[row[-1]])
                row.reverse()
            else:
                row = [*sorted(after, key=lambda one: -after[one]), *last]
            if pairs in (set(pairwise(row)), set(combinations(row, 2))):
                found[name] = tuple(row)
        return found

    @cached_property
    def invariants(self) -> frozenset[Key]:
        """What holds of all objects of a kind, or of a relation: how many there are, what goes one way or both ways,
        what stands in a row, which partners there are, and of which atoms at most or exactly one holds."""
        found: set[Key] = {("count", kind, len(names)) for kind, names in self.kinds.items()}
        found |= {("one way", name) for name in self.one_way} | {("row", name) for name in self.rows}
        found |= {("both ways", name) for name, pairs in self.links.items() if pairs == {(b, a) for a, b in pairs}}
        for predicate, place, names, exactly_one in self.partners:
            kind = self.kind_of[min(names)]
            found |= {("partner", predicate, place, kind), ("partner", predicate, place, kind, exactly_one)}
        about = Counter(
            (group.form, tuple(self.kind_of[name] for name in group.about), group.always_one) for group in self.groups
        )
        wanted = {key: len(self.kinds[key[1][0]]) if key[1] else 1 for key in about if len(key[1]) < 2}
        return frozenset(found | {("group", *key) for key, count in wanted.items() if about[key] >= count})

    def excludes(self, atom: Fact, others: Iterable[Fact]) -> bool:
        """Whether an atom never holds together with one of others."""
        mine = set(self.groups_of.get(atom, ()))
        return any(other != atom and not mine.isdisjoint(self.groups_of.get(other, ())) for other in others)


def _groups(task: GroundTask, stop: _core.Stop) -> list[_Group]:
    """The mutex groups of a task that is not too large for it."""
    if not takes_a_moment(task):
        return []
    try:
        found = _core.Variables(task.core, stop).mutex_groups
    except _core.Stopped as error:
        raise LimitError("looking for variables", error.args[0]) from None
    groups = []
    for indices, always_one in found:
        atoms = [(task.atoms[index].predicate, task.atoms[index].arguments) for index in indices]
        common = [name for name in atoms[0][1] if all(name in arguments for _, arguments in atoms)]
        groups.append(_Group(frozenset(atoms), tuple(dict.fromkeys(common)), always_one))
    return groups


def _walks(task: GroundTask, facts: list[Fact], source: random.Random, stop: _core.Stop) -> Iterator[list[Fact]]:
    """States that random walks come to: the facts that do not change, and the atoms that hold there."""
    known = {(atom.predicate, atom.arguments) for atom in task.atoms}
    rest = [fact for fact in facts if fact not in known]
    world = _core.World(task.core, source.getrandbits(63), stop=stop)
    for _ in range(_WALKS):
        world.reset()
        length = 1
        for step in range(1, _LONGEST_WALK + 1):
            actions = world.applicable()
            if not actions or world.is_goal():
                break
            world.step(source.choice(actions))
            if step == length:
                length *= 2
                atoms = [task.atoms[index] for index in world.atoms()]
                yield [*rest, *((atom.predicate, atom.arguments) for atom in atoms)]


# --- a draft of a small problem ---


class Draft:
    """A problem in the making: which objects are left, what holds, and what is to be reached."""

    def __init__(
        self, large: Large, state: list[Fact], way: str, sizes: dict[tuple[str, ...], int], source: random.Random
    ) -> None:
        self._large, self._random = large, source
        self._mends = source.random() < 0.5
        removed = self._removed(state, sizes, way)
        self.objects = set(large.kind_of).difference(removed)
        into: dict[str, str] = {}
        goal_into: dict[str, str] = {}
        if way == "contract":
            into = self._merged(removed, _neighbours(large, self._joining(state)), _neighbours(large, state))
            atoms = [fact_of(each) for each in large.goal if isinstance(each, syntax.Atom)]
            goal_into = {**into, **self._merged(removed, _neighbours(large, atoms))}
        self.facts = dict.fromkeys(self._renamed(state, into))
        self.goal = self._cut(self._renamed_goal(goal_into))
        self.values = self._renamed_values(into)

    # --- which objects ---

    def _removed(self, state: list[Fact], sizes: dict[tuple[str, ...], int], way: str) -> list[str]:
        """The objects that go, in a random order."""
        if way == "region":
            kept = self._region(state, sizes)
            return [name for names in self._large.kinds.values() for name in names if name not in kept]
        removed: list[str] = []
        for kind, names in self._large.kinds.items():
            removed += self._random.sample(names, len(names) - sizes[kind])
        self._random.shuffle(removed)
        return removed

    def _region(self, state: list[Fact], sizes: dict[tuple[str, ...], int]) -> set[str]:
        """Objects around what a part of the goal names, as many of each kind as wanted."""
        beside: dict[str, list[str]] = defaultdict(list)
        for _, arguments in state:
            for one in arguments:
                beside[one] += [other for other in arguments if other != one]
        left = dict(sizes)
        kept: set[str] = set()
        named = self._large.goal_names
        start = list(self._random.choice(named)) if any(named) else []
        rest = [name for names in self._large.kinds.values() for name in names]
        self._random.shuffle(rest)
        queue = [*start, *rest]
        while queue:
            name = queue.pop(0)
            kind = self._large.kind_of[name]
            if name in kept or left.get(kind, 0) == 0:
                continue
            left[kind] -= 1
            kept.add(name)
            near = list(dict.fromkeys(beside[name]))
            self._random.shuffle(near)
            queue[: len(start)] = start = [*start[1:], *near]
        return kept

    def _joining(self, state: Iterable[Fact]) -> Iterator[Fact]:
        """The facts whose objects are merged first: of several static relations of a kind, those of one. Merged along
        paths, islands stay apart as long as something is left of them, and are joined by bridges."""
        several = {kind: names for kind, names in self._large.relations_within.items() if len(set(names)) > 1}
        along = {kind: self._random.choice(names) for kind, names in several.items()}
        for fact in state:
            if not fact[1] or along.get(self._large.kind_of[fact[1][0]], fact[0]) == fact[0]:
                yield fact

    def _merged(self, removed: list[str], *besides: dict[str, set[str]]) -> dict[str, str]:
        """What each removed object is merged with, a neighbour of the first sort that it has; those without any are not
        among them."""
        into: dict[str, str] = {}
        for name in removed:
            every = [sorted(beside.pop(name, ())) for beside in besides]
            if not any(every):
                continue
            other = self._random.choice(next(filter(None, every)))
            into[name] = other
            for beside, near in zip(besides, every, strict=True):
                for each in near:
                    beside[each].discard(name)
                    if each != other:
                        beside[each].add(other)
                        beside[other].add(each)
        return {name: _last(into, name) for name in into}

    # --- what is said of them ---

    def _renamed(self, facts: Iterable[Fact], into: dict[str, str]) -> Iterator[Fact]:
        """Facts with the objects that are left; what would relate an object to itself is left out."""
        for predicate, arguments in facts:
            names = tuple(into.get(name, name) for name in arguments)
            if self.objects.issuperset(names) and len(set(names)) == len(set(arguments)):
                yield predicate, names

    def _renamed_goal(self, into: dict[str, str]) -> Iterator[syntax.Formula]:
        """The parts of the goal that can still be said, each once, without those that exclude one before."""
        atoms: list[Fact] = []
        seen: dict[syntax.Formula, None] = {}
        for part, names in zip(self._large.goal, self._large.goal_names, strict=True):
            new = [into.get(name, name) for name in names]
            if not self.objects.issuperset(new) or len(set(new)) < len(set(names)):
                continue
            said = renamed(part, lambda name: into.get(name, name))
            if isinstance(said, syntax.Atom):
                if self._large.excludes(fact_of(said), atoms):
                    continue
                atoms.append(fact_of(said))
            if said not in seen:
                seen[said] = None
                yield said

    def _cut(self, parts: Iterator[syntax.Formula]) -> list[syntax.Formula]:
        """All of the goal, or a part of it."""
        found = list(parts)
        if len(found) < 2 or self._random.random() < 0.5:
            return found
        wanted = self._random.randint(1, min(len(found), max(SIZES)))
        return [found[place] for place in sorted(self._random.sample(range(len(found)), wanted))]

    def _renamed_values(self, into: dict[str, str]) -> list[syntax.FunctionValue]:
        found: dict[syntax.FunctionTerm, syntax.FunctionValue] = {}
        for each in self._large.task.problem.values:
            value: syntax.FunctionValue = renamed(each, lambda name: into.get(name, name))
            if self.objects.issuperset(names_in(value)):
                found.setdefault(value.term, value)
        return list(found.values())

    # --- what must hold ---

    def problem(self, name: str) -> Problem | None:
        """The problem, if it keeps what the large one keeps and there is something to reach."""
        if not self._settle() or not self.goal:
            return None
        large = self._large.task.problem
        goal = self.goal[0] if len(self.goal) == 1 else syntax.And(tuple(self.goal))
        return replace(
            large,
            name=name,
            objects=tuple(each for each in large.objects if each.name in self.objects),
            init=tuple(syntax.Atom(pred, tuple(map(syntax.Constant, names))) for pred, names in self.facts),
            values=tuple(self.values),
            goal=goal,
        )

    def _settle(self) -> bool:
        """Give values to what lacks one, or take it away, until all is kept; whether that is so."""
        self._part()
        while True:
            self._flag()
            broken = self._broken()
            if broken is None:
                return not self._goes_wrong()
            group, about = broken
            values = [] if group is None or not self._mends else self._possible(group)
            if values:
                self.facts[self._random.choice(values)] = None
                continue
            movable = [name for name in about if name in self._movable]
            if not movable:
                if group is None or self._mends:
                    return False
                self._mends = True  # nothing can go, so it must have a value
                continue
            self._drop(self._random.choice(movable))

    def _part(self) -> None:
        """Of atoms that exclude each other, as where objects were merged that differ, only one is left."""
        groups_of = self._large.groups_of
        counts = Counter(number for fact in self.facts for number in groups_of.get(fact, ()))
        broken = {number for number, count in counts.items() if count > 1}
        facts = [fact for fact in self.facts if not broken.isdisjoint(groups_of.get(fact, ()))]
        self._random.shuffle(facts)
        for fact in facts:
            numbers = broken.intersection(groups_of[fact])
            if any(counts[number] > 1 for number in numbers):
                del self.facts[fact]
                counts.subtract(groups_of[fact])

    def _flag(self) -> None:
        """What stands for something else holds where that does, unless something excludes it."""
        for one, other, places in self._large.flags:
            meant = _at(self.facts, other, places)
            self.facts = {(name, names): None for name, names in self.facts if name != one or names in meant}
            flagged = [(one, names) for names in sorted(meant)]
            self.facts |= {fact: None for fact in flagged if not self._large.excludes(fact, self.facts)}

    @cached_property
    def _movable(self) -> frozenset[str]:
        return frozenset(each.name for each in self._large.task.problem.objects)

    def _broken(self) -> tuple[_Group | None, tuple[str, ...]] | None:
        """The first group without a value, or object without a partner, and what it is about."""
        for group in self._large.groups:
            about_kept = group.always_one and self.objects.issuperset(group.about)
            if about_kept and group.atoms.isdisjoint(self.facts):
                return group, group.about
        for predicate, place, names, _ in self._large.partners:
            have = {arguments[place] for name, arguments in self.facts if name == predicate}
            for name in sorted(names & self.objects):
                if name not in have:
                    return None, (name,)
        return None

    def _possible(self, group: _Group) -> list[Fact]:
        """The values that a group may have beside all else that holds. What only stands for something else is none."""
        flags = {one for one, _, _ in self._large.flags}
        atoms = sorted(atom for atom in group.atoms if atom[0] not in flags and self.objects.issuperset(atom[1]))
        return [atom for atom in atoms if not self._large.excludes(atom, self.facts)]

    def _drop(self, name: str) -> None:
        self.objects.discard(name)
        self.facts = {fact: None for fact in self.facts if name not in fact[1]}
        self.goal = [part for part in self.goal if name not in names_in(part)]
        self.values = [value for value in self.values if name not in names_in(value)]

    def _goes_wrong(self) -> bool:
        """Whether a static relation is not as it was."""
        for predicate, place, names, exactly_one in self._large.partners:
            if exactly_one:
                partners = Counter(arguments[place] for name, arguments in self.facts if name == predicate)
                if any(partners[name] > 1 for name in names):
                    return True
        return any(
            name in self._large.one_way
            and len(names) == 2
            and (name, names[::-1]) in self.facts
            and names[0] != names[1]
            for name, names in self.facts
        )


def _at(facts: Iterable[Fact], predicate: str, places: Sequence[int]) -> set[tuple[str, ...]]:
    """The objects at some places of a predicate, wherever it holds."""
    return {tuple(names[place] for place in places) for name, names in facts if name == predicate}


def _neighbours(large: Large, facts: Iterable[Fact]) -> dict[str, set[str]]:
    """The objects of the same kind that facts relate to each other."""
    beside: dict[str, set[str]] = defaultdict(set)
    for _, arguments in facts:
        for one in arguments if len(arguments) > 1 else ():
            beside[one].update(
                other for other in arguments if other != one and large.kind_of[other] == large.kind_of[one]
            )
    return beside


def _last(into: dict[str, str], name: str) -> str:
    while name in into:
        name = into[name]
    return name


def fact_of(atom: syntax.Atom) -> Fact:
    return atom.predicate, tuple(term.name for term in atom.arguments)


# --- goals ---


def conjuncts(goal: syntax.Formula | None) -> Iterator[syntax.Formula]:
    """The parts of a goal that must all hold."""
    if isinstance(goal, syntax.And):
        for each in goal.operands:
            yield from conjuncts(each)
    elif goal is not None:
        yield goal


def renamed(part: Any, rename: Callable[[str], str]) -> Any:
    """A part of a syntax tree, with other names for the objects in it."""
    match part:
        case syntax.Constant(name):
            return syntax.Constant(rename(name))
        case tuple():
            return tuple(renamed(each, rename) for each in part)
        case syntax.Node():
            parts = {each.name: getattr(part, each.name) for each in fields(part) if each.name != "span"}
            return replace(part, **{name: renamed(each, rename) for name, each in parts.items()})
    return part


def names_in(part: syntax.Node) -> list[str]:
    """The objects that a part of a syntax tree names, in their order."""
    names: list[str] = []

    def note(name: str) -> str:
        names.append(name)
        return name

    renamed(part, note)
    return names
