"""What must be proven of a rule list: obligations, each a formula that must have no model.

Let I be conditions that hold in the initial state, and let the rank be a list of measures, compared like the words of a
dictionary: the first that differs decides. In every state with I that is no goal

    I is kept        by every outcome of every kept action
    something fits   some rule keeps an action
    the rank falls   at least one outcome of every kept action (any choice), or of some kept action (random choice), has
                     a smaller rank

Then the goal is reached with probability one: states are finite in number, from each that can be reached a way of
bounded length leads to the goal with positive probability, and so it is not missed for ever (docs/proofs.md).

Which kept actions lower the rank under random choice is said by literals, the *choice* of a rule: where the rule
decides, some action that fits it fulfils them too, and every such action lowers the rank.

Measures are: a concept C, the set of its objects, smaller if it is a proper part; ``(pairs R)``, the same for a
relation; a literal about the state, smaller if it holds no more; ``(distance P C R)``, the shortest way along R from an
object of P to one of C; and ``(decides N)``, whether rule N decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from gpaplan.concepts.expressions import Literal, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.translator import State, outcomes_of
from gpaplan.proofs.universes import Formula, Full, Test, Thing, Universe, Vocabulary, conj, disj, implies, neg

__all__ = ["Claim", "Measure", "Obligation", "Step", "has_no_model", "parse_measure", "solver_for"]

_PARTS: dict[str, tuple[Callable[[str], Any], ...]] = {
    "set": (parse_concept,), "literal": (parse_literal,), "decides": (int,), "pairs": (parse_relation,),
    "distance": (parse_concept, parse_concept, parse_relation),
}  # fmt: skip
"""The kinds of measures, and how their parts are read."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A part of a rank; ``str(measure)`` is its text."""

    kind: str
    parts: tuple[Any, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.kind, *map(str, self.parts)))})"


def parse_measure(text: str) -> Measure:
    """A measure from text."""
    kind, *parts = _split(text[1:-1])
    return Measure(kind, tuple(read(part) for read, part in zip(_PARTS[kind], parts, strict=True)))


def _split(text: str) -> list[str]:
    """The words of a text; what is in parentheses is one."""
    parts, depth = [""], 0
    for word in re.findall(r"[()]|[^\s()]+", text):
        depth -= word == ")"
        parts[-1] += f" {word}"
        depth += word == "("
        parts += [""] if depth == 0 else []
    return [part.strip() for part in parts[:-1]]


class Step(NamedTuple):
    """How a rule lowers the rank: by which measure, with which outcome, and under random choice with which actions."""

    measure: int
    outcome: int
    choice: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must be proven, for one outcome of one rule or for all rules.

    ``kind`` is ``fits`` (in every state but goals some rule fits), ``chosen`` (where the rule decides, some action
    fulfils the choice), ``keeps`` (the outcome keeps the condition), ``holds`` (the measure does not grow), or
    ``falls`` (it falls).
    """

    kind: str
    rule: int = 0
    outcome: int = 0
    choice: tuple[Literal, ...] = ()
    measure: Measure | None = None
    condition: Condition | None = None

    def __str__(self) -> str:
        if self.kind == "fits":
            return "some rule fits"
        if self.kind == "chosen":
            return f"some action that rule {self.rule + 1} keeps lowers the rank"
        words = {"keeps": "keeps", "holds": "does not raise", "falls": "lowers"}
        return f"rule {self.rule + 1}, outcome {self.outcome + 1} {words[self.kind]} {self.condition or self.measure}"


class Claim:
    """That a rule list reaches the goal on all problems that fulfil conditions."""

    def __init__(self, domain: syntax.Domain, rules: RuleList) -> None:
        self.domain, self.rules = domain, rules.rules
        self.outcomes = {each.name: [outcome for _, outcome in outcomes_of(each.effect)] for each in domain.schemas}
        self.vocabulary = Vocabulary(domain)

    def obligations(
        self, rank: Sequence[Measure], steps: Sequence[Step], conditions: Sequence[Condition] = ()
    ) -> list[Obligation]:
        """All that must be proven, if each rule lowers the rank by its step."""
        found = [Obligation("fits")]
        for rule, (measure, outcome, choice) in enumerate(steps):
            found += [Obligation("chosen", rule, choice=choice)] if choice else []
            found += [Obligation("holds", rule, outcome, choice, each) for each in rank[:measure]]
            found.append(Obligation("falls", rule, outcome, choice, rank[measure]))
        return found + [each for condition in conditions for each in self.keeping(condition)]

    def keeping(self, condition: Condition) -> list[Obligation]:
        """That a condition is kept, by each outcome that changes something it speaks of."""
        return [
            Obligation("keeps", number, index, condition=condition)
            for number, rule in enumerate(self.rules)
            for index, outcome in enumerate(self.outcomes[rule.schema])
            if condition.predicates & {change.atom.predicate for change in outcome}
        ]

    def violation(self, obligation: Obligation, universe: Universe) -> Formula:
        """What must be impossible in a universe if the conditions hold."""
        state = State(universe)
        if obligation.kind == "fits":
            return conj((neg(state.goal()), *(neg(state.some_fits(rule)) for rule in self.rules)))
        rule = self.rules[obligation.rule]
        chosen = replace(rule, literals=(*rule.literals, *obligation.choice))
        known = [neg(state.goal()), *(neg(state.some_fits(each)) for each in self.rules[: obligation.rule])]
        if obligation.kind == "chosen":
            return conj((*known, state.some_fits(rule), neg(state.some_fits(chosen))))
        if obligation.condition is not None:
            known.append(self.holds(obligation.condition, state))
        violations = []
        for index, binding in enumerate(universe.bindings(state.schemas[rule.schema].parameters)):
            outcome = self.outcomes[rule.schema][obligation.outcome]
            after = state.successor(outcome, binding, f" after {rule.schema} {obligation.outcome} {index}")
            violations.append(conj((state.fits(chosen, binding), neg(self._conclusion(obligation, state, after)))))
        return conj((*known, disj(violations)))

    def _conclusion(self, obligation: Obligation, state: State, after: State) -> Formula:
        if obligation.condition is not None:  # of graphs that change nothing is proven
            return obligation.condition.graph is None and self.holds(obligation.condition, after)
        assert obligation.measure is not None
        not_greater, less = self.measured(obligation.measure, state, after)
        return less if obligation.kind == "falls" else not_greater

    def holds(self, condition: Condition, state: State) -> Formula:
        """A condition in a state. What is connected is known to distances; what has no cycle is of no use."""
        if condition.graph is None:
            return state.formula(condition.formula, {})
        word, name = condition.graph
        return word == "acyclic" or state.connected(parse_relation(name))

    def measured(self, measure: Measure, before: State, after: State) -> tuple[Formula, Formula]:
        """That a measure is not greater after, and that it is smaller: of a set, a part, and a proper one."""
        if measure.kind == "distance":
            return self._distance(measure, before, after)
        was, (arity, is_so) = self._members(measure, before)[1], self._members(measure, after)

        def quantified(exists: bool, body: Callable[..., Formula], places: int = arity) -> Formula:
            inner: Test = lambda x: quantified(exists, partial(body, x), places - 1)  # noqa: E731
            return before.anything(exists, inner) if places else body()

        part = quantified(False, lambda *things: implies(is_so(*things), was(*things)))
        less = quantified(True, lambda *things: conj((was(*things), neg(is_so(*things)))))
        return part, conj((part, less)) if arity else less

    def _members(self, measure: Measure, state: State) -> tuple[int, Callable[..., Formula]]:
        """A measure as a set: of how many things together, and which of these are in it."""
        match measure.kind, *measure.parts:
            case "set", concept:
                return 1, partial(state.concept, concept)
            case "pairs", road:
                return 2, partial(state.relation, road)
            case "literal", literal:
                return 0, lambda: state.literal(literal, {})
        *earlier, rule = self.rules[: measure.parts[0]]
        return 0, lambda: conj([*(neg(state.some_fits(each)) for each in earlier), state.some_fits(rule)])

    def _distance(self, measure: Measure, before: State, after: State) -> tuple[Formula, Formula]:
        """Of the nearest of some positions to a target."""
        positions, target, road = measure.parts
        things = before.universe.some_things()
        sorts = {x.sort for x in things for each in (before, after) if each.concept(positions, x) is not False}
        if len(sorts) > 1:  # distances from things of two sorts could fall in turn, for ever
            raise UsageError(f"'{measure}' is about objects of several sorts, which is beyond proofs so far")

        def some(state: State, body: Test) -> Formula:
            return state.anything(True, lambda x: conj((state.concept(positions, x), body(x))))

        def less(one: State, x: Thing, other: State, y: Thing) -> Formula:
            near, far = (each.distance(target, road, thing.sort)(thing) for each, thing in ((one, x), (other, y)))
            return before.universe.less(near, far)

        def not_farther(x: Thing, y: Thing) -> Formula:
            return x.sort == y.sort and neg(less(before, y, after, x))

        def not_nearer(x: Thing, y: Thing) -> Formula:
            return x.sort == y.sort and neg(less(after, x, before, y))

        return (
            neg(some(before, lambda y: neg(some(after, lambda x: not_farther(x, y))))),
            some(after, lambda x: neg(some(before, lambda y: not_nearer(x, y)))),
        )


def solver_for(claim: Claim, obligation: Obligation, conditions: Sequence[Condition]) -> Any:
    """Z3 with the violation of an obligation in the full universe, which must have no model."""
    universe = Full(claim.vocabulary)
    # first what is connected: distances are to know of it
    known = [claim.holds(each, State(universe)) for each in sorted(conditions, key=lambda each: each.graph is None)]
    known.append(claim.violation(obligation, universe))
    solver = universe.z3.Solver(ctx=universe.context)
    for each in (*universe.axioms, *known):
        if each is not True:
            solver.add(each)
    return solver


def has_no_model(claim: Claim, obligation: Obligation, conditions: Sequence[Condition], work: int) -> bool:
    """Whether Z3 proves an obligation from these conditions with so much work."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(solver_for(claim, obligation, conditions).to_smt2())  # what is written is what is proven
    solver.set("rlimit", work)
    solver.set("ctrl_c", False)
    return bool(solver.check() == z3.unsat)
