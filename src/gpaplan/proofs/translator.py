"""From domains, rule lists and conditions to logic: with `gpaplan.proofs.universes` the part that proofs rest on.

A `State` is a state of a universe: it says of each atom whether it holds, and from that what formulas, concepts and
rules mean in it. Its `successor` is the state changed by one outcome of an action: what is added holds, and what held
and is not deleted. The marks ``@`` and ``!`` mean what they mean in rules. The goal is a conjunction of atoms: all that
is asked for holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.rules import Rule
from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax
from gpaplan.proofs.universes import Binding, Distance, Formula, Full, Test, Thing, Universe, conj, disj, implies, neg

# --- what actions do ---


@dataclass(frozen=True, slots=True)
class AtomChange:
    """An atom that is added or deleted, for all values of some variables for which conditions hold."""

    adds: bool
    atom: syntax.Atom
    variables: tuple[syntax.TypedName, ...] = ()
    conditions: tuple[syntax.Formula, ...] = ()


Outcome: TypeAlias = tuple[AtomChange, ...]


def outcomes_of(effect: syntax.Effect) -> list[tuple[Fraction, Outcome]]:
    """What may come of an effect, with the probabilities; those of zero are left out."""
    match effect:
        case syntax.Add(atom) | syntax.Delete(atom):
            return [(Fraction(1), (AtomChange(isinstance(effect, syntax.Add), atom),))]
        case syntax.AndEffect(effects):
            combined: list[tuple[Fraction, Outcome]] = [(Fraction(1), ())]
            for each in map(outcomes_of, effects):
                combined = [(p * q, (*one, *other)) for (p, one), (q, other) in product(combined, each)]
            return combined
        case syntax.When(condition, inner):
            return [
                (p, tuple(replace(each, conditions=(condition, *each.conditions)) for each in outcome))
                for p, outcome in outcomes_of(inner)
            ]
        case syntax.ForAllEffect(parameters, inner):
            (_, outcome), *others = outcomes_of(inner)
            if others:
                raise UsageError("a chance for each of many objects is beyond proofs for every size")
            return [(Fraction(1), tuple(replace(e, variables=(*parameters, *e.variables)) for e in outcome))]
        case syntax.Probabilistic(outcomes):
            left = 1 - sum((each.probability for each in outcomes), Fraction(0))
            chances = [(each.probability, each.effect) for each in outcomes if each.probability > 0]
            some = [(chance * p, outcome) for chance, inner in chances for p, outcome in outcomes_of(inner)]
            return some + ([(left, ())] if left > 0 else [])
    return [(Fraction(1), ())]  # a change of a quantity


# --- states ---


class State:
    """What formulas, concepts and rules mean in a state; its name tells it from others of the same universe."""

    def __init__(
        self, universe: Universe, name: str = "", holds: Callable[[str, tuple[Thing, ...]], Formula] | None = None
    ) -> None:
        self.universe = universe
        self.vocabulary = universe.vocabulary
        self.schemas = {each.name: each for each in universe.vocabulary.domain.schemas}
        self.name = name
        self.holds = holds or universe.atom
        """Of a predicate, perhaps with an ``@`` in front, and its arguments; by default nothing is known."""

    # --- formulas ---

    def formula(self, formula: syntax.Formula, binding: Binding) -> Formula:
        """A formula of PPDDL."""
        match formula:
            case syntax.Atom(predicate, terms):
                return self.holds(predicate, tuple(self.thing(each, binding) for each in terms))
            case syntax.Equals(left, right):
                return self.universe.equal(self.thing(left, binding), self.thing(right, binding))
            case syntax.Not(operand):
                return neg(self.formula(operand, binding))
            case syntax.And(operands):
                return conj(self.formula(each, binding) for each in operands)
            case syntax.Or(operands):
                return disj(self.formula(each, binding) for each in operands)
            case syntax.Imply(premise, conclusion):
                return implies(self.formula(premise, binding), self.formula(conclusion, binding))
            case syntax.ForAll(parameters, body) | syntax.Exists(parameters, body):
                exists = isinstance(formula, syntax.Exists)
                return self.quantified(exists, parameters, binding, lambda inner: self.formula(body, inner))

    def thing(self, term: syntax.Term, binding: Binding) -> Thing:
        """What a variable or a constant stands for."""
        return binding[term.name] if term.name in binding else self.universe.constant(term.name)

    def quantified(
        self,
        exists: bool,
        parameters: Sequence[syntax.TypedName],
        binding: Binding,
        body: Callable[[Binding], Formula],
    ) -> Formula:
        """For some, or for all, values of variables, each of its type."""
        if not parameters:
            return body(binding)
        first, *rest = parameters

        def inner(value: Thing) -> Formula:
            of_type = self.universe.is_one_of(value, first.types)
            further = self.quantified(exists, rest, {**binding, first.name: value}, body)
            return conj((of_type, further)) if exists else implies(of_type, further)

        sorts = self.vocabulary.sorts_of(first.types)
        return (disj if exists else conj)(self.universe.quantified(exists, sort, inner) for sort in sorts)

    def goal(self) -> Formula:
        """All that is asked for holds."""
        return conj(neg(self.some_atom("!", predicate, {})) for predicate in self.vocabulary.fluent)

    # --- concepts, relations, literals ---

    def marked(self, mark: str, predicate: str, things: tuple[Thing, ...]) -> Formula:
        """An atom that is true, asked for, or asked for and not true."""
        if mark == "":
            return self.holds(predicate, things)
        if predicate not in self.vocabulary.fluent:
            return False
        wanted = self.holds(f"@{predicate}", things)
        return wanted if mark == "@" else conj((wanted, neg(self.holds(predicate, things))))

    def some_atom(self, mark: str, predicate: str, given: Mapping[int, Thing]) -> Formula:
        """Whether there is such an atom with these arguments in these places."""
        signature = self.vocabulary.signatures[predicate]
        if any(signature[place][0] != each.sort for place, each in given.items()):
            return False

        def extend(things: tuple[Thing, ...]) -> Formula:
            at = len(things)
            if at == len(signature):
                return self.marked(mark, predicate, things)
            if at in given:
                return extend((*things, given[at]))
            return self.universe.quantified(True, signature[at][0], lambda each: extend((*things, each)))

        return extend(())

    def anything(self, exists: bool, body: Test) -> Formula:
        """For some, or for all, things of all sorts."""
        parts = (self.universe.quantified(exists, sort, body) for sort in self.vocabulary.sorts)
        return (disj if exists else conj)(parts)

    def concept(self, concept: Concept, x: Thing) -> Formula:
        """Whether a thing is in a concept."""
        match concept.word, *concept.operands:
            case ("any",):
                return True
            case "named", name if len(self.vocabulary.signatures.get(name, ())) == 1:
                return self.some_atom("", name, {0: x})
            case "named" | "type", name:
                return self.universe.is_one_of(x, (name,))
            case "constant", name:
                return self.universe.equal(x, self.universe.constant(name))
            case "argument", mark, predicate, place:
                return self.some_atom(mark, predicate, {place - 1: x})
            case "not", inner:
                return neg(self.concept(inner, x))
            case "and", first, second:
                return conj((self.concept(first, x), self.concept(second, x)))
            case "some", relation, inner:
                return self.anything(True, lambda y: conj((self.relation(relation, x, y), self.concept(inner, y))))
            case "every", relation, inner:
                return self.anything(False, lambda y: implies(self.relation(relation, x, y), self.concept(inner, y)))
        raise UsageError(f"'{concept.word}' in '{concept}' is beyond proofs so far")

    def relation(self, relation: Relation, x: Thing, y: Thing) -> Formula:
        """Whether a relation relates one thing to another."""
        match relation.word, *relation.operands:
            case "pairs", mark, predicate, places:
                i, j = places or (1, 2)
                if i == j:
                    return conj((self.universe.equal(x, y), self.some_atom(mark, predicate, {i - 1: x})))
                return self.some_atom(mark, predicate, {i - 1: x, j - 1: y})
            case "inverse", inner:
                return self.relation(inner, y, x)
            case "and", first, second:
                return conj((self.relation(first, x, y), self.relation(second, x, y)))
            case "minus", first, second:
                return conj((self.relation(first, x, y), neg(self.relation(second, x, y))))
            case "or", first, second:
                return disj((self.relation(first, x, y), self.relation(second, x, y)))
            case "then", first, second:
                return self.anything(True, lambda z: conj((self.relation(first, x, z), self.relation(second, z, y))))
            case "into", inner, concept:
                return conj((self.relation(inner, x, y), self.concept(concept, y)))
        raise UsageError(f"'{relation.word}' in '{relation}' is beyond proofs so far")

    def distance(self, concept: Concept, relation: Relation, sort: str) -> Distance:
        """How far things of a sort are from a concept."""
        key = f"{concept} by {relation} {sort}{self.name}"
        if key not in self.universe.distances:
            for x, y in product(self.universe.some_things(), repeat=2):
                if x.sort != y.sort and self.relation(relation, x, y) is not False:
                    raise UsageError(f"distances by '{relation}', between several sorts, are beyond proofs so far")
        road = str(relation) if self.is_static(relation) else ""
        inside, step = partial(self.concept, concept), partial(self.relation, relation)
        return self.universe.distance(key, sort, inside, step, road)

    def is_static(self, expression: Concept | Relation) -> bool:
        """Whether an expression means the same in all states: its predicates do not change, or are what is asked."""
        for part in expression.walk():
            mark, *names = ("", *part.operands) if part.word == "named" else part.operands
            if part.word in ("argument", "pairs", "named") and mark != "@" and names[0] in self.vocabulary.fluent:
                return False
        return True

    def connected(self, relation: Relation) -> Formula:
        """Whether every thing can be reached from every other; in the full universe that is said of distances."""
        (sort, own), (_, other) = self.vocabulary.signatures[relation.operands[1]]
        if not own == other == (sort,):
            return True  # nothing is known
        if isinstance(self.universe, Full):
            self.universe.connected.add(str(relation))
            return True
        middle, *others = self.universe.things[sort]
        ways = [
            self.universe.distance(f"{each} to one of {sort}", sort, middle.__eq__, partial(self.relation, each), "")
            for each in (relation, Relation("inverse", (relation,)))
        ]
        return conj(way(x)[-1] for way in ways for x in others)

    def literal(self, literal: Literal, binding: Binding) -> Formula:
        """A literal about the things that parameters stand for."""
        if literal.negated:
            return neg(self.literal(literal.negation(), binding))
        match literal.word, *literal.operands:
            case "flag", mark, predicate:
                return self.marked(mark, predicate, ())
            case "empty", concept:
                return self.anything(False, lambda x: neg(self.concept(concept, x)))
            case "is", x, concept:
                return self.concept(concept, binding[x])
            case "related", x, y, relation:
                return self.relation(relation, binding[x], binding[y])
            case "nearer", x, y, concept, relation:
                if binding[x].sort != binding[y].sort:
                    raise UsageError(f"'{literal}' compares distances of objects of two sorts, which is beyond proofs")
                way = self.distance(concept, relation, binding[x].sort)
                return self.universe.less(way(binding[x]), way(binding[y]))
        raise UsageError(f"'{literal.word}' in '{literal}' is beyond proofs so far")

    # --- rules and actions ---

    def fits(self, rule: Rule, binding: Binding) -> Formula:
        """Whether an applicable action fits a rule."""
        schema = self.schemas[rule.schema]
        typed = (self.universe.is_one_of(binding[each.name], each.types) for each in schema.parameters)
        literals = (self.literal(each, binding) for each in rule.literals)
        return conj((*typed, self.formula(schema.precondition, binding), *literals))

    def some_fits(self, rule: Rule) -> Formula:
        """Whether some applicable action fits a rule."""
        return self.quantified(True, self.schemas[rule.schema].parameters, {}, lambda each: self.fits(rule, each))

    def successor(self, outcome: Outcome, binding: Binding, name: str) -> State:
        """The state after an outcome."""

        def changed(change: AtomChange, things: tuple[Thing, ...]) -> Formula:
            def body(inner: Binding) -> Formula:
                terms = (self.thing(each, inner) for each in change.atom.arguments)
                same = map(self.universe.equal, terms, things)
                return conj([*same, *(self.formula(each, inner) for each in change.conditions)])

            return self.quantified(True, change.variables, binding, body)

        def holds(predicate: str, things: tuple[Thing, ...]) -> Formula:
            own = [change for change in outcome if change.atom.predicate == predicate]
            added = disj(changed(each, things) for each in own if each.adds)
            deleted = disj(changed(each, things) for each in own if not each.adds)
            return disj((added, conj((self.holds(predicate, things), neg(deleted)))))

        return State(self.universe, name, holds)
