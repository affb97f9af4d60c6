"""Pruning an automaton: the edges that are needed, and no others.

`prune` is shown problems, those that the automaton was learned from and others, and takes edges away as long as all of
them are still solved without fallback. What else must stay is a choice:

- ``keep="cost"``: on no problem may the cost rise. First only the edges of one policy for each problem are left, chosen
  so that policies share as many edges as possible; then each edge that is left is tried.
- ``keep="proper"``: the policy may get dearer, as long as it reaches the goal with probability one. For each vertex the
  one edge is kept that leaves the fewest states to be reached, over all problems; where no single edge suffices, each
  is tried. So automata that allow everything that is safe become policies whose state spaces are small.

Of a rule list, rules are taken away, the last ones first: each that is not needed for what must stay.

Problems that the automaton does not solve to begin with are left out, and named.
"""

from __future__ import annotations

import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from gpaplan import _core, interrupts
from gpaplan.automata.abstraction import ActionLabel, LabelTable, StateLabel
from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.automata.filters import TrainingExample, TransitionFilter, given_filter
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.rules import Rule
from gpaplan.display import as_record, html_table
from gpaplan.errors import STOP_REASONS, LimitError, UsageError
from gpaplan.learning.constants import TIE_TOLERANCE
from gpaplan.learning.edges import edges_of_choices
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, check_optimality, is_worse
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import named_errors
from gpaplan.spaces.symmetry import Symmetry, symmetry_of
from gpaplan.statuses import Status
from gpaplan.tasks.grounding import AnyTask
from gpaplan.tasks.task import GroundTask

Keep: TypeAlias = Literal["cost", "proper"]
"""What `prune` keeps: the cost, or only that the goal is reached with probability one."""
_Key: TypeAlias = tuple[StateLabel, ActionLabel]
F = TypeVar("F", bound=TransitionFilter)


@dataclass(frozen=True)
class Checked:
    """A problem that the pruned automaton was checked on: its cost, and cost_before and states_before it was pruned."""

    problem: str
    training: bool
    """Whether the automaton was learned from it."""
    cost: float
    cost_before: float
    states: int
    """Reached under the pruned automaton."""
    states_before: int
    symmetry: bool = False
    """Whether states are counted up to symmetry of interchangeable objects."""

    @property
    def dearer(self) -> bool:
        """Whether the cost has risen."""
        return is_worse(self.cost, self.cost_before)


@dataclass(frozen=True)
class Pruning(Generic[F]):
    """What is left of an automaton, what it was checked on, and the seconds that it took."""

    automaton: F
    removed: tuple[Edge | Rule, ...]
    """Edges or rules that are gone; of other edges only targets may be."""
    checked: tuple[Checked, ...]
    unsolved: tuple[str, ...]
    """Problems that the automaton did not solve within the budget before anything was taken away."""
    stopped_by: str
    """``""``, or the limit at which pruning ended early; what is left is valid all the same."""
    seconds: float

    def __repr__(self) -> str:
        return f"Pruning({len(self.removed)} removed: {self.automaton!r})"

    def _repr_html_(self) -> str:
        rows = [(each.problem, each.cost_before, each.cost, each.states_before, each.states) for each in self.checked]
        return html_table(repr(self), rows, ("problem", "cost before", "cost", "states before", "states"))

    def to_json(self) -> dict[str, Any]:
        """The pruning as plain data."""
        return {
            **self.automaton.sizes,
            "removed": len(self.removed),
            "checked": [as_record(each) for each in self.checked],
            "unsolved": list(self.unsolved),
        }


class _StoppedError(Exception):
    """A limit came."""


def prune(
    instances: Iterable[Instance | AnyTask],
    automaton: F | str | os.PathLike[str],
    *,
    keep: Keep = "cost",
    solving: Solving | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Pruning[F]:
    """Take away the edges, or rules, that none of these problems needs; see the head of this module.

    ``progress`` is called with how many edges (or vertices, or rules) were tried, and of how many.
    """
    if keep not in ("cost", "proper"):
        raise UsageError(f"what to keep is 'cost' or 'proper', not '{keep}'")
    started = time.perf_counter()
    solving = solving or Solving()
    check_optimality(solving.settings)
    if keep == "proper" and solving.settings.dead_end_cost is not None:
        raise UsageError("what to keep is 'proper', so leave the dead-end cost out; with it, keep the cost")
    found = given_filter(automaton)
    pruners: dict[type, type[_Pruner[Any]]] = {PolicyAutomaton: _EdgePruner, RuleFilter: _RulePruner}
    if type(found) not in pruners:
        raise UsageError(f"a {found.noun} has no parts that could be taken away")
    pruner = pruners[type(found)](found, solving, keep, progress or (lambda _done, _all: None))
    try:
        pruner.load(given_instances(instances))
        pruner.run()
    except (KeyboardInterrupt, _StoppedError, LimitError) as error:
        interrupts.taken()
        if isinstance(error, LimitError):
            solving.stopped_by = error.reason.status
        solving.stopped_by = solving.stopped_by or Status.INTERRUPTED
    return pruner.result(time.perf_counter() - started)


@dataclass
class _Problem:
    """A task, and what was found before and last: the costs, and the numbers of states reached."""

    task: GroundTask
    symmetry: Symmetry | None
    cost_before: float
    cost: float
    states_before: int = 0
    states: int = 0

    def checked(self, trained: Container[str]) -> Checked:
        name, costs, states = self.task.problem.name, (self.cost, self.cost_before), (self.states, self.states_before)
        return Checked(name, name in trained, *costs, *states, bool(self.symmetry))


class _Pruner(ABC, Generic[F]):
    """What is the same for edges and rules."""

    def __init__(self, before: F, solving: Solving, keep: Keep, progress: Callable[[int, int], None]) -> None:
        self.before = self.current = before
        self.solving, self.keep, self.progress = solving, keep, progress
        self.problems: list[_Problem] = []
        self.unsolved: list[str] = []

    def load(self, instances: Iterable[Instance]) -> None:
        """Solve all problems with the automaton as it is."""
        for instance in instances:
            task = instance.task(limits=self.solving.limits())
            solution = self._solve(self.before, task)
            if solution.status != Status.SOLVED or not solution.solves:
                self.unsolved.append(instance.name)
                continue
            symmetry = symmetry_of(task, self.solving.settings.space.symmetry)
            problem = _Problem(task, symmetry, solution.value, solution.value)
            core = self.before.on(task).core(self.before.matches("strict"))
            problem.states_before = problem.states = self._reached(core, problem)
            self.problems.append(problem)
        if not self.problems:
            raise UsageError(
                f"the automaton solves none of the {len(self.unsolved)} problem(s) without fallback; "
                "there is nothing to keep. Grow it first, or raise the budget of states"
            )

    @abstractmethod
    def run(self) -> None:
        """Take away what can be."""

    @abstractmethod
    def pruned(self) -> tuple[F, Sequence[Edge | Rule]]:
        """What is left, and what is gone."""

    def result(self, seconds: float) -> Pruning[F]:
        automaton, removed = self.pruned()
        trained = {example.problem for example in self.before.training}
        checked = tuple(each.checked(trained) for each in self.problems)
        return Pruning(automaton, tuple(removed), checked, tuple(self.unsolved), self.solving.stopped_by, seconds)

    @property
    def settings(self) -> dict[str, Any]:
        """What the file says."""
        return {**self.before.settings, "pruned": self.keep}

    # --- what is asked of an automaton ---

    def _solve(self, automaton: TransitionFilter, task: GroundTask) -> Solution:
        solution = self.solving.solve(task, automaton)
        if self.solving.out_of_time:
            raise _StoppedError
        return solution

    def _reached(self, core: _core.TransitionFilter, problem: _Problem, most: int | None = None) -> int:
        """States reached under a filter; -1 if they are more than ``most``, or the goal is not reached for sure."""
        classes = None if problem.symmetry is None else problem.symmetry.core
        space = _core.FilteredSpace(problem.task.core, self.solving.settings.space.max_outcomes, core, classes)
        stop = self.solving.limits(states=False).start()
        with named_errors(problem.task):
            complete = space.explore(2**63 if most is None else most, stop)
        if stop.reason:
            self.solving.stopped_by = STOP_REASONS[stop.reason].status
            raise _StoppedError
        if not complete:
            return -1
        heuristic = make_heuristic("blind", problem.task)
        search = _core.Search(space=space, heuristic=heuristic, epsilon=1e-6, dead_end_cost=math.inf, seed=0)
        search.mark_dead_ends()
        return -1 if search.value(space.initial) == math.inf else len(space)

    def _holds(self, automaton: TransitionFilter) -> bool:
        """Whether all problems are still solved, at no higher cost. The largest comes last."""
        for problem in self.problems:
            solution = self._solve(automaton, problem.task)
            if solution.status != Status.SOLVED or not solution.solves or is_worse(solution.value, problem.cost_before):
                return False
        return True

    def _total(self, filters: Iterable[_core.TransitionFilter], most: int) -> int | None:
        """States reached on all problems, each with its filter; None if they are more than ``most``, or not all are
        solved."""
        total = 0
        for problem, core in zip(self.problems, filters, strict=True):
            reached = self._reached(core, problem, most - total + 1)
            total += max(reached, 0)
            if reached < 0 or total > most:
                return None
        return total


class _RulePruner(_Pruner[RuleFilter]):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._removed: list[Rule] = []

    def run(self) -> None:
        """Each rule is tried, the last ones first."""
        rules = [each.rule for each in self.before.named()]
        states = sum(problem.states for problem in self.problems)
        for done, place in enumerate(reversed(range(len(rules)))):
            self.progress(done, len(rules))
            if len(self.current) == 1:
                break
            trial = self.current.without(place)
            if self._holds(trial) if self.keep == "cost" else self._total(self._filters(trial), states) is not None:
                self.current = trial
                self._removed.append(rules[place])
        for problem, core in zip(self.problems, self._filters(self.current), strict=True):
            problem.states = self._reached(core, problem)
            problem.cost = self._solve(self.current, problem.task).value

    def _filters(self, rules: RuleFilter) -> Iterable[_core.TransitionFilter]:
        strict = rules.matches("strict")
        return (rules.on(problem.task).core(strict) for problem in self.problems)

    def pruned(self) -> tuple[RuleFilter, Sequence[Rule]]:
        """The rules that are left, and those that are gone."""
        return self.current.with_lists(self.current.uses, settings=self.settings), self._removed


class _EdgePruner(_Pruner[PolicyAutomaton]):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._tables: list[LabelTable[Any, Any]] = []

    def run(self) -> None:
        """First the choice that ``keep`` asks for, then what no problem meets."""
        self._tables = [self.before.on(problem.task).table for problem in self.problems]
        if self.keep == "cost":
            self._share_policies()
            self._try_each(self.current.edges)
        else:
            self._choose_by_states()
        self._drop_unreached()
        for problem in self.problems:
            problem.cost = self._solve(self.current, problem.task).value

    def _total_under(self, edges: Sequence[Edge], most: int) -> int | None:
        """States reached under these edges, as `_total` says."""
        pairs = zip(self.problems, self._tables, strict=True)
        filters = (_core.Constraint(each.task.core, table.core, table.edge_set(edges)) for each, table in pairs)
        return self._total(filters, most)

    # --- keeping costs ---

    def _share_policies(self) -> None:
        """Leave one policy for each problem; each takes, among equally good actions, what earlier ones have."""
        shared = self._automaton_with([])
        for problem, table in zip(self.problems, self._tables, strict=True):
            solution = self._solve(self.current, problem.task)
            edges = table.edge_set(shared.edges)
            stop = self.solving.limits(states=False).start()
            try:
                choices = _core.choose_optimal_actions(
                    solution.search, "harmonize", TIE_TOLERANCE, table.core, edges, stop
                )
            except _core.Stopped:
                raise _StoppedError from None
            own, _ = edges_of_choices(self.before.abstraction, solution.space, choices)
            shared = shared.merge(self._automaton_with(own))
        if self._holds(shared):
            self.current = shared

    def _try_each(self, edges: Sequence[Edge]) -> None:
        for done, edge in enumerate(edges):
            self.progress(done, len(edges))
            trial = self._automaton_with(each for each in self.current.edges if _key(each) != _key(edge))
            if self._holds(trial):
                self.current = trial

    # --- keeping properness ---

    def _choose_by_states(self) -> None:
        best = sum(problem.states_before for problem in self.problems)
        left = list(self.before.edges)
        vertices = self._vertices_in_order()
        try:
            for done, vertex in enumerate(vertices):
                self.progress(done, len(vertices))
                left, best = self._choose_at(vertex, left, best)
        finally:
            self.current = self._automaton_with(left)

    def _choose_at(self, vertex: StateLabel, left: list[Edge], best: int) -> tuple[list[Edge], int]:
        """Keep the best edge of a vertex, or take away one after the other; the edges and states that are left."""
        own = [edge for edge in left if edge.source == vertex]
        if len(own) < 2:
            return left, best
        others = [edge for edge in left if edge.source != vertex]
        chosen: list[Edge] | None = None
        for edge in own:
            total = self._total_under([*others, edge], best if chosen is None else best - 1)
            if total is not None:
                best, chosen = total, [*others, edge]
        if chosen is not None:
            return chosen, best
        for edge in own:
            trial = [each for each in left if each is not edge]
            total = self._total_under(trial, best)
            if total is not None:
                left, best = trial, total
        return left, best

    def _vertices_in_order(self) -> list[StateLabel]:
        """The vertices as they are met, breadth first, on the largest problem, then on the others."""
        met: dict[StateLabel, None] = {}
        for problem, table in reversed(list(zip(self.problems, self._tables, strict=True))):
            space = ConstrainedStateSpace(problem.task, self.current, self.solving.settings.space)
            space.explore(limits=self.solving.limits(states=False))
            ids = dict.fromkeys(table.core.state(space.core, state) for state in range(len(space)))
            met |= dict.fromkeys(table.state_label(each) for each in ids)
        return list(met)

    # --- the end ---

    def _drop_unreached(self) -> None:
        """Edges that no problem meets are not needed; neither are targets that are never reached."""
        met: dict[_Key, set[StateLabel]] = {}
        for problem in self.problems:
            space = ConstrainedStateSpace(problem.task, self.current, self.solving.settings.space)
            if not space.explore(limits=self.solving.limits(states=False)).complete:
                raise _StoppedError
            problem.states = len(space)
            pairs = [(s, a) for s in range(len(space)) for a, _, _ in space.core.transitions(s)]
            for edge in edges_of_choices(self.before.abstraction, space, pairs)[0]:
                met.setdefault(_key(edge), set()).update(edge.targets)
        left = []
        for edge in self.current.edges:
            targets = met.get(_key(edge), set())
            if targets:
                left.append(replace(edge, targets=tuple(target for target in edge.targets if target in targets)))
        self.current = self._automaton_with(left)

    def _automaton_with(self, edges: Iterable[Edge]) -> PolicyAutomaton:
        """An automaton of the same domain and origin with these edges, and the origins that they have here."""
        origins = {_key(edge): edge.origins for edge in self.before.edges}
        own = [replace(edge, origins=origins[_key(edge)]) for edge in edges]
        return self.before.with_edges(own, training=self.before.training, settings=self.before.settings)

    def pruned(self) -> tuple[PolicyAutomaton, Sequence[Edge]]:
        """The edges that are left, and those that are gone."""
        vertices = set(self.current.vertices)
        automaton = self.before.with_edges(
            self.current.edges,
            training=self.before.training,
            covers={label: states for label, states in self.before.covers.items() if label in vertices},
            settings=self.settings,
        )
        left = set(map(_key, automaton.edges))
        return automaton, [edge for edge in self.before.edges if _key(edge) not in left]


def _key(edge: Edge) -> _Key:
    return edge.source, edge.action


def missing_training(automaton: TransitionFilter, instances: Iterable[Instance]) -> list[TrainingExample]:
    """The problems that an automaton was learned from and that are not among these."""
    given = {instance.name for instance in instances}
    return [example for example in automaton.training if example.problem not in given]
