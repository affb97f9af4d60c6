"""Which features matter.

An automaton is grown again on the same problems without one predicate after the other, and what becomes of them is
compared: on how many problems the automaton failed and had to learn, how large it got, and how many states are expanded
with it. What there is to try the abstraction says itself, by a method ``coarser(domain)`` as `CanonicalAbstraction` has
it: pairs of an option and the abstraction with it. Without it there is nothing to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpaplan.automata.canonical import Abstraction, AnyAbstraction, abstraction_of
from gpaplan.display import as_record
from gpaplan.errors import UsageError
from gpaplan.learning.growth import grow
from gpaplan.learning.instances import Instance, instance_of_task
from gpaplan.learning.solving import Solving

__all__ = ["Contribution", "FeatureAttempt", "contributions"]


@dataclass(frozen=True)
class FeatureAttempt:
    """What became of the same problems with one abstraction, and how many vertices and edges the automaton has."""

    abstraction: Abstraction
    learned_from: int
    """On how many problems the automaton failed, or was dearer, when their turn came."""
    learned_last: int
    """The place, from 1, of the last of these problems; 0 if there was none."""
    problems: int
    vertices: int
    edges: int
    states: int
    """Expanded with the final automaton, over all problems."""
    symmetry: bool = False
    """Whether states are counted up to symmetry of interchangeable objects, where a problem has enough of them."""

    def to_json(self) -> dict[str, Any]:
        """The attempt as plain data."""
        return as_record(self, abstraction=self.abstraction.options)

    def __str__(self) -> str:
        return (
            f"{self.edges} edges, learned from {self.learned_from} of {self.problems} problems "
            f"(last from no. {self.learned_last}); {self.states:,} states"
            f"{' up to symmetry' if self.symmetry else ''}"
        )


@dataclass(frozen=True)
class Contribution:
    """What happens without a predicate."""

    predicate: str
    kind: str
    """``flag``, ``role`` or ``relation``, by its number of arguments; ``option`` for what is no predicate."""
    without: FeatureAttempt

    def to_json(self) -> dict[str, Any]:
        """The contribution as plain data."""
        return {"predicate": self.predicate, "kind": self.kind, **self.without.to_json()}


def _try(abstraction: Abstraction, instances: Sequence[Instance], solving: Solving) -> FeatureAttempt | None:
    """Grow on all of the problems; None if a limit came on the way."""
    growth = grow(instances, abstraction=abstraction, patience=len(instances) + 1, solving=solving, explain=False)
    states = 0
    with solving.noting_stops():
        states = sum(solving.solve(instance.task(), growth.automaton).expanded for instance in instances)
    if solving.stopped_by:
        return None
    learned = [place for place, step in enumerate(growth.steps, 1) if step.learned]
    return FeatureAttempt(
        abstraction,
        len(learned),
        max(learned, default=0),
        len(instances),
        len(growth.automaton.vertices),
        len(growth.automaton),
        states,
        any(step.symmetry for step in growth.steps),
    )


def contributions(
    instances: Iterable[Instance], *, abstraction: AnyAbstraction | None = None, solving: Solving | None = None
) -> tuple[FeatureAttempt, list[Contribution]]:
    """The abstraction as it is, and without each predicate that it sees, grown on these problems."""
    problems = [instance_of_task(each.task()) for each in instances]
    if not problems:
        raise UsageError("there are no problems to compare features on")
    abstraction = abstraction_of(abstraction)
    solving = solving or Solving()
    budget = replace(solving.budget, seconds=solving.limits().seconds)  # what is left of it
    cached = replace(solving, budget=budget, cache={}, stopped_by="")
    base = _try(abstraction, problems, cached)
    if base is None:
        raise UsageError("the limit came before the problems were solved once; give more time, or fewer problems")
    domain = problems[0].domain
    kinds = {each.name: ("flag", "role", "relation")[min(2, len(each.parameters))] for each in domain.predicates}
    found = []
    for option, variant in getattr(abstraction, "coarser", lambda _domain: ())(domain):
        attempt = _try(variant, problems, cached)
        if attempt is None:
            break
        name = option.removeprefix("--ignore ")
        found.append(Contribution(name, kinds.get(name, "option"), attempt))
    return base, found
