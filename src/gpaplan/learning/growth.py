"""Growing an automaton: learn from a problem only if the automaton so far fails on it.

    growth = grow(instances_of_generator("schedule", "1", "2..12"))
    growth.automaton.write("schedule.gpa.json")

Problems come in ascending order of size. Each is solved under the automaton learned so far and, within the budget, from
scratch. If the automaton leaves no proper policy, or only ones that cost more than the optimum, the optimal policy is
merged into it. A problem too large to be solved from scratch is an example too (*leapfrogging*): its policy is the one
found with the automaton or, where that does not suffice, the one of the fallback, which starts from what the automaton
taught. Growing ends when several problems in a row needed nothing new, when there are no more, or at a limit.

An edge once learned stays, and the policies of all examples remain consistent with the automaton: whatever was solved
without fallback before is solved without fallback after, at no higher cost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.canonical import AnyAbstraction, CanonicalAbstraction
from gpaplan.automata.filters import AnyFilter, TransitionFilter, given_filter
from gpaplan.display import Shown, as_record, counted, html_table, note, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import PATIENCE
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.learning.edges import Ties, automaton_of, starting_from
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, check_optimality, is_worse
from gpaplan.solving.solution import Solution
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import AnyTask
from gpaplan.tasks.task import GroundTask


@dataclass(frozen=True, kw_only=True)
class TriedProblem(Shown):
    """A problem, an instance, that was solved under an automaton and, within the budget, without it."""

    instance: Instance
    cost: float | None
    """Under the automaton; None if it left no policy of a finite cost."""
    optimum: float | None
    """None if it was not found within the budget."""
    expanded: int
    """States, under the automaton."""
    expanded_without: int | None
    """The same without the automaton."""
    counterexample: Counterexample | None
    """Why the automaton failed, if it did."""
    seconds: float
    """That it took; of a validation, the search under the automaton alone."""
    symmetry: bool = False
    """Whether states are counted up to symmetry of interchangeable objects."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**self.instance.to_json(), **as_record(self, "instance")}


@dataclass(frozen=True, kw_only=True)
class Validation(TriedProblem):
    """What an automaton is worth on one problem."""

    status: str
    """``sufficed``, ``failed`` (no proper policy under the automaton), or the limit that came first."""
    cost_without: float | None
    """Of the policy found from scratch, within the budget."""
    seconds_without: float | None
    """Of the search without the automaton."""

    @property
    def sufficed(self) -> bool:
        """Whether there was a proper policy under the automaton."""
        return self.status == "sufficed"

    @property
    def reference(self) -> float | None:
        """The optimal cost, found or in closed form."""
        return self.optimum if self.optimum is not None else self.instance.known_cost

    @property
    def optimal(self) -> bool | None:
        """Whether the cost is the optimal one; None if that is not known."""
        if self.cost is None or self.reference is None:
            return None
        return not is_worse(self.cost, self.reference)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**super().to_json(), "optimal": self.optimal}


@dataclass(frozen=True, kw_only=True)
class GrowthStep(TriedProblem):
    """What became of one problem, under the automaton as it was."""

    outcome: str
    """``sufficed``: the automaton solves it at the optimal cost. ``leapfrogged``: it solves it, and the optimum is not
    known. ``failed``, ``costly``: it left no proper policy, or only dearer ones; learned from the optimal policy.
    ``fallback``: it left none and the optimum is not known; learned from the fallback. ``unsolvable``: there is no
    proper policy. ``too-large``: nothing was found within the budget. With a dead-end cost, a policy that gives up
    only where the goal is out of reach is as good as a proper one."""
    new_edges: int
    """Edges that the automaton got, and those that got new targets."""
    edges: int
    """Of the automaton after it."""

    @property
    def learned(self) -> bool:
        """Whether the automaton got edges of it."""
        return self.outcome in ("failed", "costly", "fallback")

    @property
    def needed_nothing(self) -> bool:
        """Whether the automaton sufficed as it was."""
        return self.outcome in ("sufficed", "leapfrogged")


@dataclass(frozen=True)
class Growth:
    """The automaton grown, and how: the steps, and the seconds that it took."""

    automaton: PolicyAutomaton
    steps: tuple[GrowthStep, ...]
    stopped_by: str
    """``converged``, ``exhausted`` (no more problems), ``too-large`` (what is left is beyond the budget),
    ``time-limit``, ``memory-limit`` or ``interrupted``."""
    seconds: float

    def __repr__(self) -> str:
        return f"Growth({counted(len(self.steps), 'problem')}, {self.stopped_by}: {self.automaton!r})"

    def _repr_html_(self) -> str:
        rows = [(s.instance.name, s.outcome, s.expanded, s.new_edges, s.edges) for s in self.steps]
        return html_table(repr(self), rows, ("problem", "outcome", "states expanded", "new edges", "edges"))

    @property
    def training(self) -> tuple[GrowthStep, ...]:
        """The problems that something was learned from."""
        return tuple(step for step in self.steps if step.learned)

    @property
    def converged(self) -> bool:
        """Whether it ended because problems needed nothing new."""
        return self.stopped_by == "converged"

    @property
    def hint(self) -> str | None:
        """What may help if the last problems, more than three, all needed new edges of roles."""
        endless = len(self.steps) > PATIENCE and all(step.learned for step in self.steps[-PATIENCE:])
        if not endless or not isinstance(self.automaton.abstraction, CanonicalAbstraction):
            return None
        return f"the last {PATIENCE} problems all needed new edges; rules may carry further: 'gpaplan learn'"

    def to_json(self) -> dict[str, Any]:
        """The growth as plain data; of the automaton it has the size (`PolicyAutomaton.to_json` has the rest)."""
        return {
            "stopped_by": self.stopped_by,
            "vertices": len(self.automaton.vertices),
            "edges": len(self.automaton.edges),
            "training": [step.instance.name for step in self.training],
            "steps": [step.to_json() for step in self.steps],
            "seconds": self.seconds,
        }


@dataclass
class _Grower:
    solving: Solving
    automaton: PolicyAutomaton
    ties: Ties
    explain: bool
    steps: list[GrowthStep] = field(default_factory=list)

    def step(self, instance: Instance) -> GrowthStep:
        """Treat one problem. Raises `LimitError` at a limit of the whole."""
        started = time.perf_counter()
        task = instance.task(limits=self.solving.limits())
        guided = self.solving.solve(task, self.automaton) if len(self.automaton) else None
        outcome, learned, optimum = self._treat(task, guided)
        counterexample = None
        if self.explain and guided is not None and outcome in ("failed", "costly", "fallback", "too-large"):
            space, failed = self.solving.settings.space, outcome != "costly"
            counterexample = find_counterexample(self.automaton, task, optimum, space, failed=failed)
        before, self.automaton = self.automaton, learned
        step = GrowthStep(
            outcome=outcome,
            cost=guided.value if guided is not None and math.isfinite(guided.value) else None,
            new_edges=learned.count_new(before),
            edges=len(learned),
            counterexample=counterexample,
            seconds=time.perf_counter() - started,
            **_searches(instance, guided, optimum),
        )
        self.steps.append(step)
        return step

    def _treat(self, task: GroundTask, guided: Solution | None) -> tuple[str, PolicyAutomaton, Solution | None]:
        """What becomes of a problem, the automaton after it, and its solution from scratch."""

        def learned(example: Solution) -> PolicyAutomaton:
            return automaton_of(task.domain, [example], automaton=self.automaton, ties=self.ties)

        optimum = self.solving.solve(task)
        solved = guided is not None and guided.status == Status.SOLVED
        if optimum.status == Status.NO_PROPER_POLICY:
            return "unsolvable", self.automaton, optimum
        if optimum.guarantee == Guarantee.OPTIMAL:
            if solved and guided is not None and not is_worse(guided.value, optimum.value):
                return "sufficed", self.automaton, optimum
            outcome = "costly" if solved and guided is not None and guided.solves else "failed"
            return outcome, learned(optimum), optimum
        if solved and guided is not None and guided.solves:
            return "leapfrogged", learned(guided), None
        if solved or (guided is not None and guided.status == Status.NO_PROPER_POLICY):
            again = self.solving.solve(task, self.automaton, fallback="local")
            if again.status == Status.SOLVED and again.solves:
                return "fallback", learned(again), None
        return "too-large", self.automaton, None


@under_way("growing")
def grow(
    instances: Iterable[Instance | AnyTask],
    *,
    automaton: AnyFilter | None = None,
    abstraction: AnyAbstraction | None = None,
    ties: Ties = "harmonize",
    patience: int = PATIENCE,
    solving: Solving | None = None,
    explain: bool = True,
    on_step: Callable[[GrowthStep, PolicyAutomaton], None] | None = None,
) -> Growth:
    """Grow an automaton on problems that come in ascending order of size; see the head of this module.

    ``automaton`` is where to start from, if not from nothing. ``patience`` is the number of problems in a row that must
    need nothing new (or be too large) before growing ends. ``on_step`` is called after each problem, with the automaton
    as it is then. Limits are those of ``solving``; at a limit, or at Ctrl-C, the growth so far is returned.
    """
    if patience < 1:
        raise UsageError(f"the patience must be at least 1, not {patience}")
    solving = solving or Solving()
    check_optimality(solving.settings)
    started = time.perf_counter()
    grower: _Grower | None = None
    reason = "exhausted"
    with solving.noting_stops():
        for instance in given_instances(instances):
            if grower is None:
                first = starting_from(automaton, instance.domain, abstraction)
                grower = _Grower(solving, first, ties, explain)
            note(f"problem {len(grower.steps) + 1}, {grower.automaton.size_words}")
            step = grower.step(instance)
            if on_step is not None:
                on_step(step, grower.automaton)
            reason = _verdict(grower.steps[-patience:], patience)
            if reason != "exhausted":
                break
    if grower is None:
        if not solving.stopped_by:
            raise UsageError("there are no problems to learn from")
        raise LimitError("growing", solving.stopped_by)
    grown = grower.automaton
    return Growth(grown, tuple(grower.steps), solving.stopped_by or reason, time.perf_counter() - started)


def _verdict(last: list[GrowthStep], patience: int) -> str:
    """Whether growing ends after these steps: ``exhausted`` means that it goes on while there are problems."""
    if len(last) == patience and all(step.needed_nothing for step in last):
        return "converged"
    if len(last) == patience and all(step.outcome == "too-large" for step in last):
        return "too-large"
    return "exhausted"


def validate(
    instances: Iterable[Instance | AnyTask],
    automaton: AnyFilter,
    *,
    solving: Solving | None = None,
    compare: bool = True,
) -> list[Validation]:
    """Solve problems that an automaton was not learned from under it, without fallback, and, if ``compare``, without
    it. At a limit, the rows so far are returned."""
    automaton = given_filter(automaton)
    solving = solving or Solving()
    rows: list[Validation] = []
    with solving.noting_stops():
        rows.extend(validate_one(automaton, each, solving, compare=compare) for each in given_instances(instances))
    return rows


def validate_one(
    automaton: TransitionFilter, instance: Instance, solving: Solving, *, compare: bool = True, explain: bool = True
) -> Validation:
    """The same for one problem. Raises `LimitError` at a limit of the whole."""
    task = instance.task(limits=solving.limits())
    started = time.perf_counter()
    guided = solving.solve(task, automaton)
    seconds = time.perf_counter() - started
    sufficed = guided.status == Status.SOLVED and guided.solves
    failed = not sufficed and guided.status in (Status.NO_PROPER_POLICY, Status.SOLVED)
    plain = solving.solve(task) if compare else None
    seconds_without = time.perf_counter() - started - seconds
    if plain is not None and plain.status != Status.SOLVED:
        plain = None
    counterexample = None
    if explain and failed:
        counterexample = find_counterexample(automaton, task, plain, solving.settings.space, failed=True)
    return Validation(
        status="sufficed" if sufficed else "failed" if failed else guided.status,
        cost=guided.value if sufficed else None,
        cost_without=None if plain is None else plain.value,
        counterexample=counterexample,
        seconds=seconds,
        seconds_without=None if plain is None else seconds_without,
        **_searches(instance, guided, plain),
    )


def _searches(instance: Instance, guided: Solution | None, plain: Solution | None) -> dict[str, Any]:
    """What searches of a problem came to, under an automaton and without: fields of a `TriedProblem`."""
    known = plain if plain is not None and plain.status == Status.SOLVED else None
    return {
        "instance": instance,
        "optimum": known.value if known is not None and known.guarantee == Guarantee.OPTIMAL else None,
        "expanded": 0 if guided is None else guided.expanded,
        "expanded_without": None if known is None else known.expanded,
        "symmetry": any(each is not None and each.symmetry is not None for each in (guided, plain)),
    }
