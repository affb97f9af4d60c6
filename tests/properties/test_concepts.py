"""Concepts, relations, literals and rule lists: the core agrees with their definition, and names do not matter."""

from __future__ import annotations

from hypothesis import given, strategies as st

from gpaplan import StateSpace, _core, ground
from gpaplan.concepts.encoding import Evaluator, core_filter
from gpaplan.concepts.expressions import Expression, Literal, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList, parse_rule
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundAtom, GroundTask
from tests.concepts_reference import Reference
from tests.examples import examples
from tests.expression_strategies import concepts, literals, relations, rule_lists
from tests.properties.test_abstraction import shuffled
from tests.strategies import tasks

STATES = 12


def explored(task: GroundTask) -> StateSpace:
    space = StateSpace(task)
    space.explore(max_states=STATES)
    return space


def all_atoms(space: StateSpace, state: int) -> frozenset[GroundAtom]:
    return space.atoms(state) | frozenset(space.task.static_atoms)


def has_relations(domain: Domain) -> bool:
    return any(len(predicate.parameters) >= 2 for predicate in domain.predicates)


@examples(30)
@given(tasks(), st.data())
def test_concepts_and_relations(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    task = ground(*pair, cost="unit")
    space, reference = explored(task), Reference(task)
    drawn = data.draw(st.lists(concepts(task.domain), min_size=1, max_size=5))
    related = data.draw(st.lists(relations(task.domain), max_size=5)) if has_relations(task.domain) else []
    evaluator = Evaluator(task, [*drawn, *related])
    for state in range(min(len(space), STATES)):
        atoms = all_atoms(space, state)
        for concept in drawn:
            assert evaluator.concept(space, state, concept) == reference.concept(atoms, concept)
        for relation in related:
            assert evaluator.relation(space, state, relation) == reference.relation(atoms, relation)


@examples(30)
@given(tasks(), st.data())
def test_literals(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    task = ground(*pair, cost="unit")
    space, reference, evaluator = explored(task), Reference(task), Evaluator(task)
    drawn = {
        schema: data.draw(st.lists(literals(task.domain, schema), max_size=4), label=str(schema))
        for schema in [None, *(each.name for each in task.domain.schemas)]
    }
    for state in range(min(len(space), STATES)):
        atoms = all_atoms(space, state)
        for literal in drawn[None]:
            assert evaluator.literal(space, state, literal) == reference.literal(atoms, literal)
        for index in space.core.applicable(state):
            action = task.action(index)
            for literal in drawn[action.schema]:
                assert evaluator.literal(space, state, literal, index) == reference.literal(atoms, literal, action)


@examples(30)
@given(tasks(), st.data())
def test_rule_lists(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    """A list decides and keeps what the definition says, in goals nothing."""
    task = ground(*pair, cost="unit")
    space, reference, evaluator = explored(task), Reference(task), Evaluator(task)
    rules = data.draw(rule_lists(task.domain))
    rule_filter = core_filter(task, rules)
    for state in range(min(len(space), STATES)):
        applicable = space.applicable(state)
        decided, kept = reference.decide(all_atoms(space, state), applicable, rules)
        if space.is_goal(state):
            decided, kept = None, []
        for index in space.core.applicable(state):
            deciding, first = rule_filter.fitting(space.core, state, index)
            assert deciding == (decided if task.action(index) in kept else _core.NO_ACTION)
            assert first <= deciding
        rule, actions = evaluator.fits(space, state, rules)
        assert (rule, [task.action(each) for each in actions]) == (decided, kept)


@examples(20)
@given(tasks(), st.integers(0, 2**16), st.data())
def test_renaming_objects_renames_extensions(pair: tuple[Domain, Problem], seed: int, data: st.DataObject) -> None:
    domain, problem = pair
    turned, names = shuffled(problem, seed)
    space, other = explored(ground(domain, problem, cost="unit")), StateSpace(ground(domain, turned, cost="unit"))
    concept, rules = data.draw(concepts(domain)), data.draw(rule_lists(domain))
    mine, theirs = Evaluator(space.task), Evaluator(other.task)
    for state in range(min(len(space), STATES)):
        twin = other.state(
            GroundAtom(atom.predicate, tuple(names.get(o, o) for o in atom.arguments)) for atom in space.atoms(state)
        )
        renamed = {names.get(name, name) for name in mine.concept(space, state, concept)}
        assert renamed == theirs.concept(other, twin, concept)
        assert mine.fits(space, state, rules)[0] == theirs.fits(other, twin, rules)[0]


def names_and_operators(text: str) -> int:
    """The complexity of a concept or relation by counting words; inverses are free."""
    return len(text.replace("(inverse", " ").replace("(", " ").replace(")", " ").split())


@examples(30)
@given(tasks(), st.data())
def test_what_is_printed_is_read_again(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    domain = pair[0]
    concept = data.draw(concepts(domain))
    assert parse_concept(str(concept)) == concept
    assert parse_concept(str(concept).replace("(", "\n ( ").upper()) == concept
    assert concept.complexity == names_and_operators(str(concept))
    if has_relations(domain):
        relation = data.draw(relations(domain))
        assert parse_relation(str(relation)) == relation
        assert relation.complexity == names_and_operators(str(relation))
    for schema in domain.schemas:
        literal = data.draw(literals(domain, schema.name))
        assert parse_literal(str(literal)) == literal
        literal.check(domain, schema.name)
        assert literal.complexity == literal.negation().complexity
        words = names_and_operators(str(literal)) - len(literal.parameters) - literal.negated
        assert literal.complexity == words
    rules = data.draw(rule_lists(domain))
    assert RuleList.parse(str(rules)) == rules == RuleList.from_json(rules.to_json())
    assert all(parse_rule(str(rule)) == rule for rule in rules.rules)


# --- the pool ---


@examples(30)
@given(tasks())
def test_the_columns_of_a_pool(pair: tuple[Domain, Problem]) -> None:
    """Columns are what the definition says; none is constant, none twice, also not as its complement."""
    task = ground(*pair, cost="unit")
    space, reference = explored(task), Reference(task)
    states = range(min(len(space), 6))
    rows = [(0, state, action) for state in states for action in space.core.applicable(state)]
    pool = Pool([(task, space)], rows, max_complexity=4, max_concepts=60, max_columns=40)
    assert sum(len(each.rows) for each in pool.schemas.values()) == len(rows)
    extensions = [
        [reference.concept(all_atoms(space, state), concept) for state in dict.fromkeys(row[1] for row in rows)]
        for concept in pool.concepts
    ]
    assert all(extensions.index(each) == index for index, each in enumerate(extensions))
    for name, schema in pool.schemas.items():
        full = (1 << len(schema.rows)) - 1
        columns = [int.from_bytes(values, "little") for values in schema.columns]
        assert len({frozenset((column, full ^ column)) for column in columns} | {frozenset((0, full))}) == (
            len(columns) + 1
        )
        assert [each.complexity for each in schema.literals] == sorted(each.complexity for each in schema.literals)
        for literal, column in zip(schema.literals, columns, strict=True):
            for place, row in enumerate(schema.rows):
                _, state, action = rows[row]
                assert task.action(action).schema == name
                value = reference.literal(all_atoms(space, state), literal, task.action(action))
                assert (column >> place & 1) == value, literal
    again = Pool([(task, space)], rows, max_complexity=4, max_concepts=60, max_columns=40)
    assert (again.concepts, again.schemas) == (pool.concepts, pool.schemas)


def test_every_part_is_walked_through() -> None:
    literal: Literal = parse_literal("(nearer ?y ?x (some (inverse at) !at/1) (minus road shut))")
    walked: list[Expression] = list(literal.walk())
    assert [str(each) for each in walked][:3] == ["at", "(inverse at)", "!at/1"]
    assert len(walked) == 8
