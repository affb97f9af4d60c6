"""Larger problems out of small ones: what each of them asks for is asked for in one.

    joined = join([task, …], accept, seed=0, stop=started(None))

Objects of a kind of which every given problem has as many are shared, as the one place that is a hospital. Where they
have a type and nothing else that never changes, as one truck, that may be chance: half of the time they are shared, and
else each part has its own. Those that stand in a row, such as levels or floors, make one row: one row follows the
other, or lies over it. Maps meet in one place. All else stays apart. What shared objects cannot have or want twice, as
a robot that is in one place, they have and want as in the first problem; rows are put together such that there is as
little of that as can be.

A problem counts if it keeps what all given problems keep (`gpaplan.learning.drafts.Large.invariants`) and is accepted.
All is drawn by the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, count, pairwise

from gpaplan import _core
from gpaplan.display import note, under_way
from gpaplan.errors import GpaplanError, LimitError
from gpaplan.learning.drafts import Fact, Kind, Large, fact_of, renamed
from gpaplan.ppddl import syntax
from gpaplan.ppddl.syntax import Problem
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundTask

__all__ = ["join"]

_SIZES = (2, 3, 6)
"""Of how many problems each one is made."""
_TRIES = 10
"""For each, before it is given up: what is drawn may not fit together."""
_REFUSED = 6
"""So many that are not accepted, and no more are made."""
_WAYS = ("after", "before", "over the first", "over the last")
"""Where a row comes next to the row so far."""


@under_way("making larger problems")
def join(
    tasks: Sequence[GroundTask], accept: Callable[[GroundTask], bool], *, seed: int, stop: _core.Stop
) -> list[GroundTask]:
    """Larger problems, by size; fewer, or none, where so many cannot be joined."""
    source = random.Random(f"join {seed}")
    joint = _Joint([Large(task, source, stop) for task in tasks], source)
    found: list[GroundTask] = []
    refused = 0
    for number, size in enumerate(_SIZES, 1):
        note(f"{len(found)} of {len(_SIZES)} larger problems")
        for _ in range(_TRIES):
            task = joint.attempt(f"joined-{number}", size, stop)
            if task is not None and accept(task):
                found.append(task)
                break
            refused += task is not None
            if refused == _REFUSED:
                return found
        else:
            break
    return found


@dataclass
class _Whole:
    """A problem in the making."""

    kind_of: dict[str, Kind] = field(default_factory=dict)
    objects: dict[str, syntax.TypedName] = field(default_factory=dict)
    rows: dict[str, list[str]] = field(default_factory=dict)
    facts: dict[Fact, None] = field(default_factory=dict)
    goal: dict[syntax.Formula, None] = field(default_factory=dict)
    values: dict[syntax.FunctionTerm, syntax.FunctionValue] = field(default_factory=dict)
    given: dict[Hashable, Fact] = field(default_factory=dict)
    """The atom that holds of each mutex group."""
    wanted: dict[Hashable, Fact] = field(default_factory=dict)
    """The same in the goal."""

    left_out: int = 0
    """Atoms that another one of their mutex groups keeps out, here and there."""

    def problem(self, name: str, like: Problem) -> Problem:
        """The problem itself."""
        goal = [*self.goal]
        return replace(
            like,
            name=name,
            objects=tuple(self.objects.values()),
            init=tuple(syntax.Atom(predicate, tuple(map(syntax.Constant, names))) for predicate, names in self.facts),
            values=tuple(self.values.values()),
            goal=goal[0] if len(goal) == 1 else syntax.And(tuple(goal)),
        )

    def of_kind(self, kind: Kind) -> list[str]:
        return [name for name, own in self.kind_of.items() if own == kind]


class _Joint:
    """What the parts have in common, and how some of them make one problem."""

    def __init__(self, parts: Sequence[Large], source: random.Random) -> None:
        self._parts, self._random = parts, source
        self._invariants = reduce(frozenset.intersection, (part.invariants for part in parts))
        self._shared = [
            kind for kind, names in parts[0].kinds.items() if ("count", kind, len(names)) in self._invariants
        ]
        names = [name for name in parts[0].rows if ("row", name) in self._invariants]
        self._rows: dict[str, list[tuple[str, int]]] = {}
        """Relations that go along the same row, and which way."""
        self._types = {types for part in parts for types in part.types_of.values()}
        for name in names:
            for known, along in self._rows.items():
                ways = [way for way in (1, -1) if all(part.rows[name] == part.rows[known][::way] for part in parts)]
                if ways:
                    along.append((name, ways[0]))
                    break
            else:
                if any(len(part.rows[name]) > 2 for part in parts):
                    self._rows[name] = [(name, 1)]
        links = [(part.types_of, part.links[name]) for part in parts for name in part.links if name not in names]
        ends = [(types.get(a, ()), types.get(b)) for types, pairs in links for a, b in pairs]  # none of constants
        self._maps = sorted({one for one, other in ends if one == other})
        """The types of what is linked as places on a map are."""
        common = {key[1] for key in self._invariants if key[0] == "group"}
        self._own = {each.form for part in parts for each in part.groups if not each.about and each.form not in common}
        """Of groups that no object tells apart, and that not all parts have: each part has its own."""

    def attempt(self, name: str, size: int, stop: _core.Stop) -> GroundTask | None:
        """A problem of so many parts, drawn anew; None if it does not keep what they all keep."""
        if stop.check():
            raise LimitError("making larger problems", stop.reason)
        chosen = self._random.sample(self._parts, min(size, len(self._parts)))
        chosen += self._random.choices(self._parts, k=size - len(chosen))
        shared = [kind for kind in self._shared if kind not in self._types or self._random.random() < 0.5]
        ways = self._random.sample(_WAYS, len(_WAYS)) if self._rows else _WAYS[:1]
        wholes = [whole for way in ways if (whole := self._put_together(chosen, shared, way)) is not None]
        if not wholes:
            return None
        first = chosen[0].task
        problem = min(wholes, key=lambda whole: whole.left_out).problem(name, first.problem)
        try:
            task = ground(first.domain, problem, cost=first.cost, relevance=first.relevance, limits=stop)  # type: ignore[arg-type]
            broken = self._invariants - Large(task, self._random, stop).invariants
            return None if any(key[0] != "count" or key[1] in shared for key in broken) else task
        except LimitError:
            raise
        except GpaplanError:  # a cost without a value, too many actions
            return None

    def _put_together(self, chosen: Sequence[Large], shared: Sequence[Kind], way: str) -> _Whole | None:
        """These parts, with rows next to each other in this way; None where two objects of a part would be one."""
        whole = _Whole()
        for part in chosen:
            into = self._names(part, whole, shared, way)
            if len(set(into.values())) < len(into):
                return None
            self._add(part, whole, into)
        for row, along in self._rows.items():
            for relation, step in along:
                is_order = any(len(part.links[relation]) >= len(part.rows[relation]) for part in self._parts)
                pairs = combinations(whole.rows[row][::step], 2) if is_order else pairwise(whole.rows[row][::step])
                whole.facts.update(dict.fromkeys((relation, pair) for pair in pairs))
        return whole

    def _names(self, part: Large, whole: _Whole, shared: Sequence[Kind], way: str) -> dict[str, str]:
        """What the objects of a part are called in the whole, where some are there already."""
        into = {each.name: each.name for each in part.task.domain.constants}
        if whole.objects:
            for row in self._rows:
                into.update(_aligned(part.rows[row], whole.rows[row], way))
            for kind in shared:
                for name, other in zip(part.kinds[kind], whole.of_kind(kind), strict=False):
                    into.setdefault(name, other)
            for types in self._maps:
                places = [name for name, own in part.types_of.items() if own == types]
                if places and not any(name in into for name in places):
                    meeting = self._random.choice(places)
                    others = whole.of_kind(part.kind_of[meeting])
                    if others:
                        into[meeting] = self._random.choice(others)
        taken = {*whole.objects, *into.values()}
        for name in part.types_of:
            if name not in into:
                into[name] = next(new for new in _numbered(name) if new not in taken)
                taken.add(into[name])
        for row in self._rows:
            mine, before = [into[name] for name in part.rows[row]], whole.rows.get(row, [])
            more = [name for name in mine if name not in before]
            whole.rows[row] = [*more, *before] if way in ("before", "over the last") else [*before, *more]
        return into

    def _add(self, part: Large, whole: _Whole, into: dict[str, str]) -> None:
        """Say of the whole what is said of a part; of a mutex group, the first atom stays."""
        for each in part.task.problem.objects:
            name = into[each.name]
            whole.objects.setdefault(name, replace(each, name=name))
            whole.kind_of.setdefault(name, part.kind_of[each.name])

        def is_first(fact: Fact, said: dict[Hashable, Fact]) -> bool:
            groups = [part.groups[number] for number in part.groups_of.get(fact, ())]
            keys = [
                (each.form, tuple(into[name] for name in each.about)) for each in groups if each.form not in self._own
            ]
            new = fact[0], tuple(into[name] for name in fact[1])
            if any(said.get(key, new) != new for key in keys):
                whole.left_out += 1
                return False
            said.update(dict.fromkeys(keys, new))
            return True

        for fact in map(fact_of, part.task.problem.init):
            if is_first(fact, whole.given):
                whole.facts[fact[0], tuple(into[name] for name in fact[1])] = None
        for formula in part.goal:
            if not isinstance(formula, syntax.Atom) or is_first(fact_of(formula), whole.wanted):
                whole.goal[renamed(formula, into.__getitem__)] = None
        for value in part.task.problem.values:
            new = renamed(value, into.__getitem__)
            whole.values.setdefault(new.term, new)


def _aligned(row: Sequence[str], before: Sequence[str], way: str) -> dict[str, str]:
    """The objects of a row that are objects of the row so far."""
    match way:
        case "after":
            return {row[0]: before[-1]}
        case "before":
            return {row[-1]: before[0]}
        case "over the first":
            return dict(zip(row, before, strict=False))
    return dict(zip(reversed(row), reversed(before), strict=False))


def _numbered(name: str) -> Iterator[str]:
    """A name, and others like it."""
    yield name
    yield from (f"{name}-{number}" for number in count(2))
