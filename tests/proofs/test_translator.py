"""The translation that proofs rest on, in a finite universe, against the reference interpreters."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from hypothesis import given, reject, strategies as st

from gpaplan import UsageError
from gpaplan.proofs.translator import State, outcomes_of
from gpaplan.proofs.universes import Finite, Thing, Vocabulary
from gpaplan.tasks.grounding import declared_objects, ground
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.concepts_reference import Reference
from tests.examples import examples
from tests.expression_strategies import rule_lists
from tests.reference import Interpreter
from tests.strategies import tasks


@given(st.data())
@examples(30)
def test_rules_and_outcomes_are_those_of_the_interpreters(data: st.DataObject) -> None:
    domain, problem = data.draw(tasks())
    rules = data.draw(rule_lists(domain))
    task = ground(domain, problem, cost="unit", relevance=False)
    reference, interpreter = Reference(task), Interpreter(domain, problem)
    try:
        universe = Finite(Vocabulary(domain), declared_objects(domain, problem))
    except UsageError:  # an object of no sort
        reject()
    asked = {(atom.predicate, atom.arguments) for atom in task.goal_atoms}
    try:
        decided = {each.name: outcomes_of(each.effect) for each in domain.schemas}
    except UsageError:  # a chance for each of many objects
        decided = {}
    for state in islice(interpreter.explore(12), 12):
        named = frozenset(GroundAtom(atom[0], atom[1:]) for atom in state)

        def holds(name: str, things: tuple[Thing, ...], named: frozenset[GroundAtom] = named) -> bool:
            arguments = tuple(each.term for each in things)
            return (name[1:], arguments) in asked if name[0] == "@" else GroundAtom(name, arguments) in named

        here = State(Finite(universe.vocabulary, universe.types), "here", holds)
        things = {each.term: each for sort in universe.things.values() for each in sort}
        for schema, arguments in interpreter.applicable(state)[:6]:
            action = GroundAction(schema, arguments)
            parameters = [each.name for each in here.schemas[schema].parameters]
            binding = {name: things[x] for name, x in zip(parameters, arguments, strict=True)}
            for rule in rules.rules:
                if rule.schema == schema:
                    try:
                        found = here.fits(rule, binding)
                    except UsageError:  # several steps between objects of several sorts
                        continue
                    assert found == reference.fits(named, rule, action)
            if decided:
                expected: dict[frozenset[tuple[str, ...]], Fraction] = {}
                for probability, outcome in decided[schema]:
                    after = here.successor(outcome, binding, "after")
                    atoms = frozenset(
                        (each.name, *(x.term for x in values))
                        for each in domain.predicates
                        for values in _values(universe, each.name)
                        if after.holds(each.name, values)
                    )
                    expected[atoms] = expected.get(atoms, Fraction(0)) + probability
                assert expected == interpreter.transitions(state, (schema, arguments))


def _values(universe: Finite, predicate: str) -> list[tuple[Thing, ...]]:
    from itertools import product

    return list(product(*(universe.things[sort] for sort, _ in universe.vocabulary.signatures[predicate])))
