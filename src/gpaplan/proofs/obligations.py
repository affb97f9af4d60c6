"""What must be proven of a rule list: obligations, each a formula that must have no model.

Let I be conditions that hold in the initial state, and let the rank be a list of measures, compared like the words of a
dictionary: the first that differs decides. In every state with I that is no goal

    I is kept        by every outcome of every kept action
    something fits   some rule keeps an action
    the rank falls   at least one outcome of every kept action (any choice), or of some kept action (random choice), has
                     a smaller rank

Then the goal is reached with probability one: states are finite in number, from each that can be reached a way of
bounded length leads to the goal with positive probability, and so it is not missed for ever (docs/proofs.md).

Measures are: a concept C, the set of its objects, smaller if it is a proper part; a literal about the state, smaller if
it holds no more; ``(distance P C R)``, the shortest way along R from an object of P to one of C; and ``(decides N)``,
whether rule N decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan.concepts.expressions import Relation, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import RuleList
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.translator import (
    Formula,
    Full,
    State,
    Test,
    Thing,
    Translator,
    Universe,
    Vocabulary,
    conj,
    disj,
    implies,
    neg,
    outcomes_of,
    typing_axioms,
    unknown_state,
)

__all__ = ["Claim", "Measure", "Obligation", "Query", "has_no_model", "parse_measure", "solver_for"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A part of a rank; ``str(measure)`` is its text."""

    kind: str
    """``set``, ``literal``, ``distance`` or ``decides``."""
    parts: tuple[Any, ...]

    def __str__(self) -> str:
        text = " ".join(map(str, self.parts))
        return text if self.kind == "set" else f"literal {text}" if self.kind == "literal" else f"({self.kind} {text})"


def parse_measure(text: str) -> Measure:
    """A measure from text."""
    words = text.strip("()").split()
    if words and words[0] == "decides":
        return Measure("decides", (int(words[1]),))
    if words and words[0] == "distance":
        parts = _split(text.strip()[len("(distance") : -1])
        return Measure("distance", (parse_concept(parts[0]), parse_concept(parts[1]), parse_relation(parts[2])))
    if text.startswith("literal "):
        return Measure("literal", (parse_literal(text.removeprefix("literal ")),))
    return Measure("set", (parse_concept(text),))


def _split(text: str) -> list[str]:
    """The parts of a text, of which some are in parentheses."""
    parts, depth, current = [], 0, ""
    for letter in text + " ":
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == " " and depth == 0:
            parts += [current] if current else []
            current = ""
        else:
            current += letter
    return parts


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must be proven, for one outcome of one rule or for all rules.

    ``kind`` is ``fits`` (in every state but goals some rule fits), ``keeps`` (the outcome keeps the condition),
    ``holds`` (the measure of this number does not grow), or ``falls`` (it falls; of number -1: the rank falls, with
    some outcome, by some measure).
    """

    kind: str
    rule: int = 0
    outcome: int = 0
    measure: int = 0
    condition: Condition | None = None

    def __str__(self) -> str:
        if self.kind == "fits":
            return "some rule fits"
        if self.measure < 0:
            return f"the rank falls with rule {self.rule + 1}"
        what = str(self.condition) if self.condition else f"measure {self.measure + 1}"
        words = {"keeps": "keeps", "holds": "does not raise", "falls": "lowers"}
        return f"rule {self.rule + 1}, outcome {self.outcome + 1} {words[self.kind]} {what}"


@dataclass(frozen=True, slots=True)
class Query:
    """An obligation in a universe: with the conditions, which have names, there must be no violation."""

    conditions: dict[str, Formula]
    violation: Formula


class Claim:
    """That a rule list reaches the goal under any choice, on all problems that fulfil conditions, by a rank."""

    def __init__(self, domain: syntax.Domain, rules: RuleList, rank: Sequence[Measure]) -> None:
        self.domain = domain
        self.rules = rules
        self.rank = rank
        self.outcomes = {each.name: [outcome for _, outcome in outcomes_of(each.effect)] for each in domain.schemas}
        self.vocabulary = Vocabulary(domain)

    def obligations(self, steps: Sequence[tuple[int, int]]) -> list[Obligation]:
        """All that must be proven but for what is kept; a step is the measure and the outcome by which a rule falls."""
        found = [Obligation("fits")]
        for rule, (measure, outcome) in enumerate(steps):
            found += [Obligation("holds", rule, outcome, each) for each in range(measure)]
            found.append(Obligation("falls", rule, outcome, measure))
        return found

    def keeping(self, condition: Condition) -> list[Obligation]:
        """That a condition is kept, by each outcome that changes something it speaks of."""
        return [
            Obligation("keeps", number, index, condition=condition)
            for number, rule in enumerate(self.rules.rules)
            for index, outcome in enumerate(self.outcomes[rule.schema])
            if condition.predicates & {change.atom.predicate for change in outcome}
        ]

    def query(self, obligation: Obligation, universe: Universe, conditions: Sequence[Condition]) -> Query:
        """The obligation in a universe."""
        translator = Translator(universe)
        state = unknown_state(universe)
        conditions = [*conditions, *([obligation.condition] if obligation.condition else [])]
        named = {str(each): self.condition(each, translator, state) for each in conditions}
        known = [neg(translator.goal(state)), *typing_axioms(translator, state)]
        if obligation.kind == "fits":
            known += [neg(translator.some_fits(rule, state)) for rule in self.rules.rules]
            return Query(named, conj(known))
        rule = self.rules.rules[obligation.rule]
        known += [neg(translator.some_fits(each, state)) for each in self.rules.rules[: obligation.rule]]
        violations = []
        for number, binding in enumerate(universe.bindings(translator.schemas[rule.schema].parameters)):
            after = [
                translator.successor(state, outcome, binding, f"'{number}.{index}")
                for index, outcome in enumerate(self.outcomes[rule.schema])
            ]
            conclusion = self._conclusion(obligation, translator, state, after)
            violations.append(conj((translator.fits(rule, binding, state), neg(conclusion))))
        return Query(named, conj((*known, disj(violations))))

    def _conclusion(self, obligation: Obligation, translator: Translator, state: State, after: list[State]) -> Formula:
        if obligation.condition is not None:
            if obligation.condition.graph is not None and obligation.condition.graph[0] == "connected":
                return False  # what changes is not proven to stay connected
            return self.condition(obligation.condition, translator, after[obligation.outcome])
        if obligation.measure < 0:
            return disj(self.falls(translator, state, each) for each in after)
        measure = self.rank[obligation.measure]
        not_greater, less = self.measured(measure, translator, state, after[obligation.outcome])
        return less if obligation.kind == "falls" else not_greater

    def condition(self, condition: Condition, translator: Translator, state: State) -> Formula:
        """A condition in a state. What is connected is known to distances."""
        if condition.graph is None:
            return translator.formula(condition.formula, {}, state)
        word, name = condition.graph
        mark, name = ("@", name[1:]) if name.startswith("@") else ("", name)
        return translator.graph(word, Relation("pairs", (mark, name, ())), state)

    def falls(self, translator: Translator, before: State, after: State) -> Formula:
        """That the rank is smaller after."""
        ways: list[Formula] = []
        earlier: list[Formula] = []
        for measure in self.rank:
            not_greater, less = self.measured(measure, translator, before, after)
            ways.append(conj([*earlier, less]))
            earlier.append(not_greater)
        return disj(ways)

    def measured(self, measure: Measure, t: Translator, before: State, after: State) -> tuple[Formula, Formula]:
        """That a measure is not greater after, and that it is smaller."""
        if measure.kind == "set":
            concept = measure.parts[0]
            part = t.anything(False, lambda x: implies(t.concept(concept, x, after), t.concept(concept, x, before)))
            less = t.anything(True, lambda x: conj((t.concept(concept, x, before), neg(t.concept(concept, x, after)))))
            return part, conj((part, less))
        if measure.kind == "distance":
            return self._distance(measure.parts, t, before, after)
        if measure.kind == "literal":
            was, is_so = (t.literal(measure.parts[0], {}, state) for state in (before, after))
        else:
            was, is_so = (self.decides(measure.parts[0] - 1, t, state) for state in (before, after))
        return implies(is_so, was), conj((was, neg(is_so)))

    def decides(self, number: int, t: Translator, state: State) -> Formula:
        """Whether a rule decides."""
        earlier = [neg(t.some_fits(rule, state)) for rule in self.rules.rules[:number]]
        return conj([*earlier, t.some_fits(self.rules.rules[number], state)])

    def _distance(self, parts: tuple[Any, ...], t: Translator, before: State, after: State) -> tuple[Formula, Formula]:
        """Of the nearest of some positions to a target."""
        positions, target, road = parts

        def distance(x: Thing, state: State) -> Any:
            return t.distance(target, road, x.sort, state)(x)

        def some(state: State, body: Test) -> Formula:
            return t.anything(True, lambda x: conj((t.concept(positions, x, state), body(x))))

        def every(state: State, body: Test) -> Formula:
            return t.anything(False, lambda x: implies(t.concept(positions, x, state), body(x)))

        compare = t.universe
        not_greater = every(
            before,
            lambda y: some(
                after, lambda x: x.sort == y.sort and compare.at_most(distance(x, after), distance(y, before))
            ),
        )
        less = some(
            after,
            lambda x: every(
                before, lambda y: x.sort != y.sort or compare.less(distance(x, after), distance(y, before))
            ),
        )
        return not_greater, less


SETTINGS: tuple[dict[str, Any], ...] = ({}, {"smt.mbqi": False}, {"smt.random_seed": 1}, {"smt.relevancy": 0})
"""In which Z3 is tried, one after the other."""


def solver_for(claim: Claim, obligation: Obligation, conditions: Sequence[Condition]) -> Any:
    """Z3 with the violation of an obligation in the full universe, which must have no model."""
    import z3

    universe = Full(claim.vocabulary)
    connected = [each for each in conditions if each.graph is not None and each.graph[0] == "connected"]
    others = [each for each in conditions if each not in connected]
    query = claim.query(obligation, universe, [*connected, *others])  # distances are to know what is connected
    solver = z3.Solver()
    for each in (*universe.axioms, *query.conditions.values(), query.violation):
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
