"""What must be proven of a rule list (docs/proofs.md): obligations, each a formula that must have no model.

In every state in which the conditions hold and that is no goal some rule keeps an action, every outcome of every kept
action keeps the conditions, and the rank falls with at least one outcome of every kept action; under random choice of
those that fulfil some literals, the *choice* of a rule. The rank is a list of measures, compared like the words of a
dictionary: the first that differs decides.

A bound on the cost is a sum of sizes of measures, with weights, that every kept action lowers by at least one on
average. Sizes change by the objects that an action speaks of, so that nothing needs to be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from gpaplan.concepts.expressions import Literal, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.ppddl.lexer import ErrorReport, Group, read_expressions
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.translator import State, outcomes_of
from gpaplan.proofs.universes import Binding, Formula, Full, Test, Thing, Universe, Vocabulary, conj, disj, implies, neg
from gpaplan.source import SourceText

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
    (whole,) = read_expressions(SourceText(text, "measure"), ErrorReport()).items
    assert isinstance(whole, Group)
    kind, *parts = (text[each.start : each.end] for each in whole.items)
    return Measure(kind, tuple(read(part) for read, part in zip(_PARTS[kind], parts, strict=True)))


class Step(NamedTuple):
    """How a rule lowers the rank: by which measure, with which outcome, and under random choice with which actions."""

    measure: int
    outcome: int
    choice: tuple[Literal, ...] = ()


Bound: TypeAlias = tuple[tuple[Fraction, Measure], ...]
"""A potential: the sum of these weights, none of them negative, each times the size of a measure that is a set."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must be proven, for one outcome of one rule, for all of them, or for all rules."""

    kind: str
    """One of `_WORDS`."""
    rule: int = 0
    outcome: int = 0
    choice: tuple[Literal, ...] = ()
    measure: Measure | None = None
    condition: Condition | None = None
    bound: Bound = ()

    def __str__(self) -> str:
        return _WORDS[self.kind].format(self.rule + 1, self.outcome + 1, self.condition or self.measure)


_WORDS = {
    "fits": "some rule fits",
    "chosen": "some action that rule {} keeps lowers the rank",
    "keeps": "rule {}, outcome {} keeps {}",
    "holds": "rule {}, outcome {} does not raise {}",
    "falls": "rule {}, outcome {} lowers {}",
    "enters": "rule {}, outcome {} lets nothing else enter {}",
    "pays": "what rule {} keeps lowers the potential by one",
}


class Claim:
    """That a rule list reaches the goal on all problems that fulfil conditions."""

    def __init__(self, domain: syntax.Domain, rules: RuleList) -> None:
        self.domain, self.rules = domain, rules.rules
        self.chances = {each.name: outcomes_of(each.effect) for each in domain.schemas}
        self.outcomes = {name: [outcome for _, outcome in chances] for name, chances in self.chances.items()}
        self.vocabulary = Vocabulary(domain)

    def obligations(
        self, rank: Sequence[Measure], steps: Sequence[Step], bound: Bound, conditions: Sequence[Condition] = ()
    ) -> list[Obligation]:
        """All that must be proven, if each rule lowers the rank by its step, and costs what it takes off the bound."""
        found = [Obligation("fits")]
        for rule, (measure, outcome, choice) in enumerate(steps):
            found += [Obligation("chosen", rule, choice=choice)] if choice else []
            found += [Obligation("holds", rule, outcome, choice, each) for each in rank[:measure]]
            found.append(Obligation("falls", rule, outcome, choice, rank[measure]))
        found += [each for _, measure in bound for each in self.entering(measure)]
        found += [Obligation("pays", rule, bound=bound) for rule in range(len(self.rules)) if bound]
        return found + [each for condition in conditions for each in self.keeping(condition)]

    def keeping(self, condition: Condition) -> list[Obligation]:
        """That a condition is kept, by each outcome that changes something it speaks of."""
        return [Obligation("keeps", *each, condition=condition) for each in self._changing(condition.predicates)]

    def entering(self, measure: Measure) -> list[Obligation]:
        """That nothing but what the action speaks of enters a set, by each outcome that changes something of it."""
        if measure.kind != "set":
            return []
        names = {name for part in measure.parts[0].walk() for name in part.operands if isinstance(name, str)}
        return [Obligation("enters", *each, measure=measure) for each in self._changing(names)]

    def _changing(self, predicates: Set[str]) -> list[tuple[int, int]]:
        """The rules and outcomes that change one of some predicates."""
        return [
            (number, index)
            for number, rule in enumerate(self.rules)
            for index, outcome in enumerate(self.outcomes[rule.schema])
            if not predicates.isdisjoint(change.atom.predicate for change in outcome)
        ]

    def violation(self, obligation: Obligation, universe: Universe) -> Formula:
        """What must be impossible in a universe if the conditions hold."""
        state = State(universe)
        if obligation.kind == "fits":
            return conj(self._before(len(self.rules), state))
        if obligation.kind == "pays":
            weights, measures = zip(*obligation.bound, strict=True)
            return conj((self.growing(obligation.rule, measures, universe), does_not_pay(weights, measures, universe)))
        rule, known = self.rules[obligation.rule], self._before(obligation.rule, state)
        chosen = replace(rule, literals=(*rule.literals, *obligation.choice))
        if obligation.kind == "chosen":
            return conj((*known, state.some_fits(rule), neg(state.some_fits(chosen))))
        if obligation.condition is not None:
            known.append(self.holds(obligation.condition, state))
        violations = []
        for binding, afters in self._successors(rule.schema, state):
            conclusion = self._conclusion(obligation, state, afters[obligation.outcome], binding)
            violations.append(conj((state.fits(chosen, binding), neg(conclusion))))
        return conj((*known, disj(violations)))

    def _before(self, rule: int, state: State) -> list[Formula]:
        """That a state is no goal, and no rule before this one decides."""
        return [neg(state.goal()), *(neg(state.some_fits(each)) for each in self.rules[:rule])]

    def _successors(self, schema: str, state: State) -> Iterator[tuple[Binding, list[State]]]:
        """The values of a schema's parameters, each with the states after its outcomes."""
        for index, binding in enumerate(state.universe.bindings(state.schemas[schema].parameters)):
            outcomes = enumerate(self.outcomes[schema])
            yield binding, [state.successor(each, binding, f" after {schema} {i} {index}") for i, each in outcomes]

    def _conclusion(self, obligation: Obligation, state: State, after: State, binding: Binding) -> Formula:
        if obligation.condition is not None:  # of graphs that change nothing is proven
            return obligation.condition.graph is None and self.holds(obligation.condition, after)
        assert obligation.measure is not None
        if obligation.kind == "enters":
            (concept,), things = obligation.measure.parts, self._touched(state, binding)

            def may_be_in(x: Thing) -> Formula:
                return disj((state.concept(concept, x), *(state.universe.equal(x, each) for each in things)))

            return state.anything(False, lambda x: implies(after.concept(concept, x), may_be_in(x)))
        not_greater, less = self.measured(obligation.measure, state, after)
        return less if obligation.kind == "falls" else not_greater

    def _touched(self, state: State, binding: Binding) -> list[Thing]:
        """What an action speaks of: its arguments, and the constants."""
        return [*binding.values(), *(state.universe.constant(each.name) for each in self.domain.constants)]

    def growing(self, rule: int, measures: Sequence[Measure], universe: Universe) -> Formula:
        """That a rule keeps an action, and how much larger, on average, measures are after it; each is a number.

        A set is larger by what enters it less what leaves it. It is enough to look at the objects that the action
        speaks of, as nothing else enters.
        """
        state, schema, violations = State(universe), self.rules[rule].schema, []
        for binding, afters in self._successors(schema, state):
            things = self._touched(state, binding)
            parts = [state.fits(self.rules[rule], binding)]
            states = [(Fraction(-1), state), *zip((chance for chance, _ in self.chances[schema]), afters, strict=True)]
            for measure in measures:
                terms = ((weight, f) for weight, each in states for f in self._counted(measure, each, things))
                parts.append(growth(measure, universe) == _sum(terms, universe))
            violations.append(conj(parts))
        return conj((*self._before(rule, state), disj(violations)))

    def _counted(self, measure: Measure, state: State, things: Sequence[Thing]) -> list[Formula]:
        """Formulas of which as many hold as some things are in a measure, equal ones counted once."""
        arity, is_in = self._members(measure, state)
        new = [conj(neg(state.universe.equal(x, y)) for y in things[:i]) for i, x in enumerate(things)]
        return [conj((first, is_in(x))) for first, x in zip(new, things, strict=True)] if arity else [is_in()]

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
        (positions, target, road), universe = measure.parts, before.universe
        things = universe.some_things()
        sorts = {x.sort for x in things for each in (before, after) if each.concept(positions, x) is not False}
        if len(sorts) > 1:  # distances from things of two sorts could fall in turn, for ever
            raise UsageError(f"'{measure}' is about objects of several sorts, which is beyond proofs so far")
        (sort,) = sorts or self.vocabulary.sorts[:1]
        was, now = (each.distance(target, road, sort) for each in (before, after))

        def some(state: State, body: Test) -> Formula:
            return universe.quantified(True, sort, lambda x: conj((state.concept(positions, x), body(x))))

        def none(state: State, body: Test) -> Formula:
            return neg(some(state, body))

        return (
            none(before, lambda y: none(after, lambda x: neg(universe.less(was(y), now(x))))),
            some(after, lambda x: none(before, lambda y: neg(universe.less(now(x), was(y))))),
        )


def growth(measure: Measure, universe: Universe) -> Any:
    """How much larger a measure is after an action, on average."""
    import z3

    return z3.Real(f"growth of {measure}", universe.context)


def _sum(terms: Iterable[tuple[Fraction, Formula]], universe: Universe) -> Any:
    """The sum of the numbers whose formulas hold."""
    import z3

    value = partial(z3.RealVal, ctx=universe.context)
    numbers = (z3.If(formula, value(number), value(0)) for number, formula in terms if formula is not False)
    return sum(numbers, start=value(0))


def does_not_pay(weights: Sequence[Fraction], measures: Sequence[Measure], universe: Universe) -> Formula:
    """That the potential does not fall by one, on average."""
    import z3

    parts = (weight * growth(each, universe) for weight, each in zip(weights, measures, strict=True))
    return sum(parts, start=z3.RealVal(0, ctx=universe.context)) > -1


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
