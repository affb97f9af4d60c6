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
object of P to one of C, or with a literal L behind only while that holds, else it is infinite; and ``(decides N)``,
whether rule N decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gpaplan.concepts.expressions import Literal, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.translator import State, outcomes_of
from gpaplan.proofs.universes import Formula, Full, Test, Thing, Universe, Vocabulary, conj, disj, implies, neg

__all__ = ["Claim", "Measure", "Obligation", "has_no_model", "parse_measure", "solver_for"]

_READERS: dict[str, tuple[Any, ...]] = {
    "decides": (int,), "pairs": (parse_relation,),
    "distance": (parse_concept, parse_concept, parse_relation, parse_literal),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measure:
    """A part of a rank; ``str(measure)`` is its text."""

    kind: str
    """``set``, ``pairs``, ``literal``, ``distance`` or ``decides``."""
    parts: tuple[Any, ...]

    def __str__(self) -> str:
        text = " ".join(map(str, self.parts))
        return text if self.kind == "set" else f"literal {text}" if self.kind == "literal" else f"({self.kind} {text})"


def parse_measure(text: str) -> Measure:
    """A measure from text."""
    if text.startswith("literal "):
        return Measure("literal", (parse_literal(text.removeprefix("literal ")),))
    kind, *parts = _split(text[1:-1])
    if not text.startswith("(") or kind not in _READERS:
        return Measure("set", (parse_concept(text),))
    return Measure(kind, tuple(read(part) for read, part in zip(_READERS[kind], parts, strict=kind != "distance")))


def _split(text: str) -> list[str]:
    """The words of a text; what is in parentheses is one."""
    parts, depth = [""], 0
    for word in re.findall(r"[()]|[^\s()]+", text):
        depth -= word == ")"
        parts[-1] += f" {word}"
        depth += word == "("
        parts += [""] if depth == 0 else []
    return [part.strip() for part in parts[:-1]] or [""]


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must be proven, for one outcome of one rule or for all rules.

    ``kind`` is ``fits`` (in every state but goals some rule fits), ``chosen`` (where the rule decides, some action
    fulfils its choice), ``keeps`` (the outcome keeps the condition), ``holds`` (the measure does not grow), or
    ``falls`` (it falls).
    """

    kind: str
    rule: int = 0
    outcome: int = 0
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
    """That a rule list reaches the goal on all problems that fulfil conditions, by a rank.

    Under random choice if some rule has a choice, by its number; else under any choice.
    """

    def __init__(
        self,
        domain: syntax.Domain,
        rules: RuleList,
        rank: Sequence[Measure] = (),
        choices: Mapping[int, Sequence[Literal]] | None = None,
    ) -> None:
        self.domain = domain
        self.rules = rules.rules
        self.rank = rank
        self.choices = choices or {}
        self.outcomes = {each.name: [outcome for _, outcome in outcomes_of(each.effect)] for each in domain.schemas}
        self.vocabulary = Vocabulary(domain)

    def chosen(self, number: int) -> Rule:
        """A rule with its choice: the actions that must lower the rank."""
        rule = self.rules[number]
        return replace(rule, literals=(*rule.literals, *self.choices.get(number, ())))

    def obligations(self, steps: Sequence[tuple[int, int]], conditions: Sequence[Condition] = ()) -> list[Obligation]:
        """All that must be proven; a step is the measure and the outcome by which a rule falls."""
        found = [Obligation("fits"), *(Obligation("chosen", rule) for rule in sorted(self.choices))]
        for rule, (measure, outcome) in enumerate(steps):
            found += [Obligation("holds", rule, outcome, each) for each in self.rank[:measure]]
            found.append(Obligation("falls", rule, outcome, self.rank[measure]))
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
        state, number = State(universe), obligation.rule
        known = [neg(state.goal()), *state.typing()]
        if obligation.kind == "fits":
            return conj((*known, *(neg(state.some_fits(rule)) for rule in self.rules)))
        known += [neg(state.some_fits(each)) for each in self.rules[:number]]
        if obligation.kind == "chosen":
            return conj((*known, state.some_fits(self.rules[number]), neg(state.some_fits(self.chosen(number)))))
        if obligation.condition is not None:
            known.append(self.holds(obligation.condition, state))
        rule = self.rules[number] if obligation.kind == "keeps" else self.chosen(number)
        violations = []
        for index, binding in enumerate(universe.bindings(state.schemas[rule.schema].parameters)):
            after = [
                state.successor(outcome, binding, f"'{index}.{place}")
                for place, outcome in enumerate(self.outcomes[rule.schema])
            ]
            violations.append(conj((state.fits(rule, binding), neg(self._conclusion(obligation, state, after)))))
        return conj((*known, disj(violations)))

    def _conclusion(self, obligation: Obligation, state: State, after: list[State]) -> Formula:
        if obligation.condition is not None:
            if obligation.condition.graph is not None and obligation.condition.graph[0] == "connected":
                return False  # what changes is not proven to stay connected
            return self.holds(obligation.condition, after[obligation.outcome])
        assert obligation.measure is not None
        not_greater, less = self.measured(obligation.measure, state, after[obligation.outcome])
        return less if obligation.kind == "falls" else not_greater

    def holds(self, condition: Condition, state: State) -> Formula:
        """A condition in a state. What is connected is known to distances."""
        if condition.graph is None:
            return state.formula(condition.formula, {})
        word, name = condition.graph
        return state.graph(word, parse_relation(name))

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
        return 0, lambda: self.decides(measure.parts[0] - 1, state)

    def decides(self, number: int, state: State) -> Formula:
        """Whether a rule decides."""
        earlier = [neg(state.some_fits(rule)) for rule in self.rules[:number]]
        return conj([*earlier, state.some_fits(self.rules[number])])

    def _distance(self, measure: Measure, before: State, after: State) -> tuple[Formula, Formula]:
        """Of the nearest of some positions to a target; there is no position unless the literals hold."""
        positions, target, road, *while_ = measure.parts

        def distance(x: Thing, state: State) -> Any:
            return state.distance(target, road, x.sort)(x)

        def some(state: State, body: Test) -> Formula:
            counts = [state.literal(each, {}) for each in while_]
            return conj((*counts, state.anything(True, lambda x: conj((state.concept(positions, x), body(x))))))

        def nearer(x: Thing, y: Thing) -> Formula:
            return before.universe.less(distance(x, after), distance(y, before))

        def not_farther(x: Thing, y: Thing) -> Formula:
            return neg(before.universe.less(distance(y, before), distance(x, after)))

        return (
            neg(some(before, lambda y: neg(some(after, lambda x: x.sort == y.sort and not_farther(x, y))))),
            some(after, lambda x: neg(some(before, lambda y: x.sort == y.sort and neg(nearer(x, y))))),
        )


SETTINGS: tuple[dict[str, Any], ...] = ({}, {"smt.mbqi": False}, {"smt.random_seed": 1}, {"smt.relevancy": 0})
"""In which Z3 is tried, one after the other."""


def solver_for(claim: Claim, obligation: Obligation, conditions: Sequence[Condition]) -> Any:
    """Z3 with the violation of an obligation in the full universe, which must have no model."""
    import z3

    universe = Full(claim.vocabulary)
    connected = [each for each in conditions if each.graph is not None and each.graph[0] == "connected"]
    others = [each for each in conditions if each not in connected]
    # first what is connected: distances are to know of it
    known = [claim.holds(each, State(universe)) for each in (*connected, *others)]
    known.append(claim.violation(obligation, universe))
    solver = z3.Solver()
    for each in (*universe.axioms, *known):
        if each is not True:
            solver.add(each)
    return solver


def has_no_model(claim: Claim, obligation: Obligation, conditions: Sequence[Condition], work: int) -> bool:
    """Whether Z3 proves an obligation from these conditions, with so much work in each setting."""
    import z3

    text = solver_for(claim, obligation, conditions).to_smt2()
    for settings in SETTINGS:
        solver = z3.Solver(ctx=z3.Context())  # so that nothing depends on what was asked before
        solver.from_string(text)
        solver.set("rlimit", work)
        for name, value in settings.items():
            solver.set(name, value)
        if solver.check() == z3.unsat:
            return True
    return False
