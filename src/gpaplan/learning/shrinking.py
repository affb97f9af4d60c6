"""Small problems from a large one: the same domain, fewer objects, less to do.

    for small in shrink(load("domain.ppddl", "large.ppddl"), count=20):
        print(small.states, small.cost, write_problem(small.problem))

Of each kind of objects (their types and static properties) a number is drawn that is kept. The others are taken away in
one of several ways, which compete: who made more problems that counted is tried more often.

contract  an object is merged with a neighbour of its kind, so that roads stay connected, and a tower stands on what was
          below; where several relations make neighbours, along one of them first, so that paths and bridges stay apart.
          In the goal it is merged with its neighbour there
drop      an object goes, with all that is said of it
region    what is kept is a part of the whole, grown around something that the goal asks for

The initial state may be one that a walk through the large problem comes to, and parts of the goal may be cut. What
then lacks a value that it always has (a parcel without a place) gets another one, or goes too.

A problem counts if it keeps what the large one keeps: mutex groups and that exactly one of their atoms holds, what
stands for something else, static relations that go one way only, or that give each object one partner or some. It
must have a proper policy (or, with a dead-end cost, one that is better than giving up) of a positive cost, few states,
and differ from those before up to symmetry. All is drawn by the seed, and the budget is counted in states: the result
is the same on every machine.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.display import note, under_way
from gpaplan.errors import GpaplanError, LimitError, UsageError
from gpaplan.learning.constants import EXACT, SMALL
from gpaplan.learning.drafts import SIZES, WAYS, Draft, Large, conjuncts, fact_of, names_in, renamed
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import syntax
from gpaplan.ppddl.syntax import Problem
from gpaplan.ppddl.writer import write_formula
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.grounding import AnyTask, given_task, ground
from gpaplan.tasks.task import GroundTask

__all__ = ["Shrinker", "SmallProblem", "shrink"]

_TRY = 200
"""What an attempt counts in the budget besides the states that are looked at, at the least. On large problems it takes
as long as to look at a state for every two atoms. To ground a draft counts no more: on six families it took 0.02 to
0.3 s for the 24 problems of a round and three larger ones, 1.0 to 2.5 times as long as to look at their states."""


@dataclass(frozen=True)
class SmallProblem:
    """A problem that was made out of a larger one, as a task, and what is known of it."""

    task: GroundTask
    states: int
    """That can be reached."""
    cost: float
    """The least expected cost of a policy."""
    source: str
    """The name of the larger problem."""
    way: str
    """How it was made: ``contract``, ``drop`` or ``region``; in the loop of learning ``enumerate`` or ``given``."""

    @property
    def problem(self) -> Problem:
        """The problem itself, as it can be written to a file."""
        return self.task.problem


def shrink(
    large: AnyTask | Sequence[GroundTask],
    *,
    count: int = 20,
    states: int = SMALL,
    seed: int = 0,
    dead_end_cost: float | None = None,
    budget: int | None = None,
    limits: AnyLimits = None,
) -> list[SmallProblem]:
    """Smaller problems out of one or several large ones, by ascending size; see the head of this module.

    ``count`` is how many are wanted, ``states`` how many each may have, and ``budget`` how many may be looked at in all
    (10,000 for each problem that is wanted, unless told otherwise); if it is spent there are fewer. `LimitError` is
    raised at a limit.
    """
    given = list(large) if isinstance(large, list) else [given_task(large)]  # type: ignore[arg-type]
    if count < 1:
        raise UsageError(f"the number of problems must be at least 1, not {count}")
    shrinker = Shrinker(given, seed=seed, dead_end_cost=dead_end_cost, stop=started(limits))
    found = shrinker.make(count, most=states, budget=10_000 * count if budget is None else budget)
    return sorted(found, key=lambda each: (each.states, each.problem.name))


class Shrinker:
    """Makes small problems out of large ones, each different from all before."""

    def __init__(
        self, tasks: Sequence[GroundTask], *, seed: int = 0, dead_end_cost: float | None = None, stop: _core.Stop
    ) -> None:
        self._random = random.Random(f"shrink {seed}")
        self._dead_end_cost = dead_end_cost
        self._stop = stop
        self._large = [Large(task, self._random, stop) for task in tasks]
        self._known = {_form(each.task.domain, each.task.problem) for each in self._large}
        self._tried = Counter(WAYS)
        self._counted = Counter(WAYS)
        self.made = 0
        """Problems that counted, wanted or not."""
        self.spent = 0
        """Of all budgets so far."""

    @under_way("making small problems")
    def make(
        self,
        count: int,
        *,
        least: int = 2,
        most: int,
        budget: int,
        scale: float = 1.0,
        beyond: bool = False,
        wanted: Callable[[SmallProblem], bool] | None = None,
    ) -> list[SmallProblem]:
        """So many problems of at least and at most so many states, as far as the budget goes.

        ``scale`` multiplies the numbers of objects. ``beyond`` asks for problems of more than ``most`` states, which
        are not solved: nobody knows whether they can be. ``wanted`` says which are kept.
        """
        found: list[SmallProblem] = []
        end = self.spent + budget
        while len(found) < count and self.spent < end:
            note(f"{len(found)} of {count} small problems")
            if self._stop.check():
                raise LimitError("making small problems", self._stop.reason)
            large = self._random.choice(self._large)
            weights = [self._counted[way] / self._tried[way] for way in WAYS]
            (way,) = self._random.choices(WAYS, weights)
            self._tried[way] += 1
            small = self._attempt(large, way, least, most, scale, beyond)
            if small is not None:
                self._counted[way] += 1
                if wanted is None or wanted(small):
                    found.append(small)
        return found

    def _attempt(
        self, large: Large, way: str, least: int, most: int, scale: float, beyond: bool
    ) -> SmallProblem | None:
        """One problem, made smaller until it is small enough; None if nothing comes of it."""
        state = self._random.choice(large.states) if self._random.random() < 0.5 else large.states[0]
        # With fewer levels a counter runs out sooner, and another policy is good: half of the problems keep them all.
        kept = large.chains if large.chains and self._random.random() < 0.5 else frozenset()
        sizes = {
            kind: len(objects) if kind in kept else min(len(objects), max(1, round(scale * self._random.choice(SIZES))))
            for kind, objects in large.kinds.items()
        }
        while True:
            self.spent += max(_TRY, len(state) // 2)
            problem = Draft(large, state, way, sizes, self._random).problem(f"{large.name}-s{self.made + 1}")
            if problem is None:
                return None
            form = _form(large.task.domain, problem)
            if form in self._known:
                return None
            try:
                task = ground(
                    large.task.domain,
                    problem,
                    cost=large.task.cost,  # type: ignore[arg-type]
                    relevance=large.task.relevance,
                    limits=self._stop,
                )
                states, whole, cost = self._measure(task, most)
            except LimitError:
                raise
            except GpaplanError:  # a cost without a value, too many outcomes, too many actions
                return None
            if whole or beyond:
                solvable = 0 < cost < (self._dead_end_cost or math.inf)
                if whole == beyond or states < least or not solvable:
                    return None
                self._known.add(form)
                self.made += 1
                return SmallProblem(task, states, cost, large.name, way)
            smaller = {kind: size if kind in kept else (size + 1) // 2 for kind, size in sizes.items()}
            if smaller == sizes:
                return None
            sizes = smaller

    def _measure(self, task: GroundTask, most: int) -> tuple[int, bool, float]:
        """The states, whether these are all, and the optimal cost, or an estimate if they are not."""
        space = StateSpace(task, limits=self._stop)
        whole = space.explore(max_states=most, limits=self._stop).complete
        self.spent += len(space)
        worst = math.inf if self._dead_end_cost is None else self._dead_end_cost
        heuristic = make_heuristic("blind" if whole else "ff", task, self._stop)
        found = _core.Search(space.core, heuristic, epsilon=EXACT, dead_end_cost=worst)
        with named_errors(task):
            if self._stop.reason or (whole and found.value_iteration(self._stop)):
                raise LimitError("making small problems", self._stop.reason)
        return len(space), whole, found.value(space.initial)


# --- what differs up to symmetry ---


def _form(domain: syntax.Domain, problem: Problem) -> tuple[object, ...]:
    """What two problems have in common if they differ by the names of their objects only.

    Colours are refined until they tell no more objects apart. Problems that no such refinement can tell apart count as
    the same, too.
    """
    facts = [(f"i {pred}", names) for pred, names in map(fact_of, problem.init)]
    facts += [
        (f"v {each.term.function} {each.value}", tuple(t.name for t in each.term.arguments)) for each in problem.values
    ]
    for part in conjuncts(problem.goal):
        places = {name: f"#{place}" for place, name in enumerate(dict.fromkeys(names_in(part)))}
        facts.append((f"g {write_formula(renamed(part, places.__getitem__))}", tuple(places)))
    colours: dict[str, object] = {each.name: (each.name,) for each in domain.constants}
    colours.update({each.name: each.types for each in problem.objects})
    number = 0
    while True:
        marks: dict[str, list[object]] = {name: [] for name in colours}
        for what, names in facts:
            seen = tuple(colours[name] for name in names)
            for place, name in enumerate(names):
                marks[name].append((what, place, seen))
        refined: dict[str, object] = {name: (colours[name], tuple(sorted(marks[name], key=repr))) for name in colours}
        order = {colour: place for place, colour in enumerate(sorted(set(refined.values()), key=repr))}
        if len(order) == number:
            return len(colours), tuple(sorted(refined.values(), key=repr))
        number = len(order)
        colours = {name: order[colour] for name, colour in refined.items()}
