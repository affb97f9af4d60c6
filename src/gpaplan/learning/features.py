"""Which features matter, and whether there are too few or too many of them.

An automaton is grown again on the same problems with another abstraction, and the two are compared: on how many
problems the automaton failed and had to learn, how large it got, and how many states are expanded with it.
`contributions` leaves out one predicate after the other. `advise` looks at a growth: an abstraction is *too coarse* if
the automaton prunes next to nothing, and *too fine* if new edges are needed for ever; for either it tries what may
help, on the problems at hand. On a map it does not: with fewer predicates all places look alike, so that fewer edges
are needed, and nothing is learned of the way. What helps there are rules over concepts.

What there is to try the abstraction says itself, by methods ``finer(domain)`` and ``coarser(domain)`` as
`CanonicalAbstraction` has them: pairs of an option and the abstraction with it. Without them there is nothing to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpaplan.automata.abstraction import Abstraction
from gpaplan.automata.canonical import AnyAbstraction, CanonicalAbstraction, abstraction_of
from gpaplan.concepts.vocabulary import map_relation
from gpaplan.errors import UsageError
from gpaplan.learning.growth import Growth, grow
from gpaplan.learning.instances import Instance, returning
from gpaplan.learning.solving import Solving
from gpaplan.ppddl.syntax import Domain
from gpaplan.records import as_record

__all__ = ["Advice", "Attempt", "Contribution", "advise", "contributions"]

COARSE = 0.9
"""An automaton that keeps a larger share of the states than this prunes next to nothing."""

FEWEST_STATES = 50
"""Shares are looked at only on problems where the search without the automaton expands at least so many states."""

MOST_STATES = 50_000
"""Other features are tried only on problems for which the search expands at most so many states."""


CONCEPTS = "--abstraction concepts"
"""The option that helps on maps."""


@dataclass(frozen=True)
class Attempt:
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
    """Whether states are counted up to renaming of interchangeable objects, where a problem has enough of them."""

    def to_json(self) -> dict[str, Any]:
        """The attempt as plain data."""
        return as_record(self, abstraction=self.abstraction.options)

    def __str__(self) -> str:
        return (
            f"{self.edges} edges, learned from {self.learned_from} of {self.problems} problems "
            f"(last from no. {self.learned_last}); {self.states:,} states"
            f"{' up to renaming' if self.symmetry else ''}"
        )


@dataclass(frozen=True)
class Contribution:
    """What happens without a predicate."""

    predicate: str
    kind: str
    """``flag``, ``role`` or ``relation``, by its number of arguments; ``option`` for what is no predicate."""
    without: Attempt

    def to_json(self) -> dict[str, Any]:
        """The contribution as plain data."""
        return {"predicate": self.predicate, "kind": self.kind, **self.without.to_json()}


@dataclass(frozen=True)
class Advice:
    """A finding about an abstraction, the message that says so, the current state, what was tried, and a suggestion."""

    finding: str
    """``too-coarse`` or ``too-fine``."""
    message: str
    current: Attempt
    tried: tuple[tuple[str, Attempt], ...]
    """What was tried, as an option of the command line."""
    suggestion: str | None
    """The option that helps; None if none does."""

    def __str__(self) -> str:
        lines = [f"the abstraction looks {self.finding.replace('-', ' ')}: {self.message}"]
        width = max(len("as it is"), *(len(option) for option, _ in self.tried)) if self.tried else 8
        lines.append(f"  {'as it is':<{width}}  {self.current}")
        lines += [f"  {option:<{width}}  {attempt}" for option, attempt in self.tried]
        none = "none of this helps" if self.tried else "the abstraction names nothing to try"
        lines.append(f"  suggestion: {self.suggestion}" if self.suggestion else f"  {none}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The advice as plain data."""
        return as_record(self, tried=[{"option": option, **attempt.to_json()} for option, attempt in self.tried])


def _cached(solving: Solving) -> Solving:
    """The same with what is left of its time, and a memory: each problem is solved only once without an automaton."""
    budget = replace(solving.budget, seconds=solving.limits().seconds)
    return replace(solving, budget=budget, cache={}, stopped_by="")


def _variants(abstraction: Abstraction, direction: str, domain: Domain) -> list[tuple[str, Abstraction]]:
    """What an abstraction offers to try in a direction."""
    offered = getattr(abstraction, direction, None)
    return [] if offered is None else list(offered(domain))


def _try(abstraction: Abstraction, instances: Sequence[Instance], solving: Solving) -> Attempt | None:
    """Grow on all of the problems; None if a limit came on the way."""
    growth = grow(instances, abstraction=abstraction, patience=len(instances) + 1, solving=solving, explain=False)
    if solving.out_of_time or len(growth.steps) < len(instances):
        return None
    states = 0
    for instance in instances:
        states += solving.solve(instance.task(), growth.automaton).expanded
        if solving.out_of_time:
            return None
    learned = [place for place, step in enumerate(growth.steps, 1) if step.learned]
    return Attempt(
        abstraction,
        len(learned),
        max(learned, default=0),
        len(instances),
        len(growth.automaton.vertices),
        len(growth.automaton),
        states,
        any(step.symmetry for step in growth.steps),
    )


def _grounded(instances: Iterable[Instance]) -> list[Instance]:
    """The same problems, grounded once."""
    return [replace(each, make=returning(each.task())) for each in instances]


def _try_all(
    variants: Iterable[tuple[str, Abstraction]], instances: Sequence[Instance], solving: Solving
) -> list[tuple[str, Attempt]]:
    """The attempts with abstractions, with their options, up to the first that a limit cut short."""
    tried = []
    for option, variant in variants:
        attempt = _try(variant, instances, solving)
        if attempt is None:
            break
        tried.append((option, attempt))
    return tried


def contributions(
    instances: Iterable[Instance], *, abstraction: AnyAbstraction | None = None, solving: Solving | None = None
) -> tuple[Attempt, list[Contribution]]:
    """The abstraction as it is, and without each predicate that it sees, grown on these problems."""
    problems = _grounded(instances)
    if not problems:
        raise UsageError("there are no problems to compare features on")
    abstraction = abstraction_of(abstraction)
    cached = _cached(solving or Solving())
    base = _try(abstraction, problems, cached)
    if base is None:
        raise UsageError("the limit came before the problems were solved once; give more time, or fewer problems")
    domain = problems[0].domain
    kinds = {each.name: ("flag", "role", "relation")[min(2, len(each.parameters))] for each in domain.predicates}
    tried = _try_all(_variants(abstraction, "coarser", domain), problems, cached)
    named = [(option.removeprefix("--ignore "), attempt) for option, attempt in tried]
    return base, [Contribution(name, kinds.get(name, "option"), attempt) for name, attempt in named]


def advise(growth: Growth, *, solving: Solving | None = None) -> list[Advice]:
    """What to do if the abstraction of a growth looks too coarse or too fine; nothing if it looks right."""
    abstraction = growth.automaton.abstraction
    known = [step for step in growth.steps if step.expanded_without is not None]
    small = [step.instance for step in known if (step.expanded_without or 0) <= MOST_STATES]
    if not small:
        return []
    finer, coarser = (_variants(abstraction, each, small[0].domain) for each in ("finer", "coarser"))
    share = _share_kept(growth)
    coarse = share is not None and share >= COARSE and (finer or not hasattr(abstraction, "finer"))
    endless = _is_endless(growth)
    if not coarse and not endless:
        return []
    problems, cached = _grounded(small), _cached(solving or Solving())
    current = _try(abstraction, problems, cached)
    if current is None:
        return []
    if isinstance(abstraction, CanonicalAbstraction) and (road := map_relation(small[0].domain)) is not None:
        kept = f"the automaton keeps {share:.0%} of the states" if coarse else "the last problems all needed new edges"
        message = f"{kept}, and roles do not tell the places of a map (by '{road}') apart as to where they lead"
        return [Advice("too-coarse" if coarse else "too-fine", message, current, (), CONCEPTS)]
    advice = []
    if coarse:
        tried = _try_all(finer, problems, cached)
        better = [option for option, attempt in tried if attempt.states < COARSE * current.states]
        message = f"the automaton keeps {share:.0%} of the states, so it prunes next to nothing"
        advice.append(Advice("too-coarse", message, current, tuple(tried), next(iter(better), None)))
    if endless:
        tried = _try_all(coarser, problems, cached)
        spared = [(option, attempt) for option, attempt in tried if attempt.learned_from < current.learned_from]
        spared.sort(key=lambda entry: (entry[1].learned_last, entry[1].states, entry[1].edges))
        message = "the last problems all needed new edges"
        shown = tuple(spared or tried)
        advice.append(Advice("too-fine", message, current, shown, spared[0][0] if spared else None))
    return advice


def _share_kept(growth: Growth) -> float | None:
    """The share of states that the automaton keeps on the largest problem where both numbers are known."""
    for step in reversed(growth.steps):
        if step.outcome == "sufficed" and (step.expanded_without or 0) >= FEWEST_STATES:
            return step.expanded / (step.expanded_without or 1)
    return None


def _is_endless(growth: Growth) -> bool:
    """Whether the last problems, and at least three, all needed new edges."""
    last = growth.steps[-3:]
    return len(growth.steps) > 3 and not growth.converged and all(step.learned for step in last)
