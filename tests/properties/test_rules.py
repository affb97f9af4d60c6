"""Random rules on random tasks, compared with the definition."""

from __future__ import annotations

from hypothesis import given, strategies as st

from gpaplan import ConstrainedStateSpace, RuleFilter, StateSpace, ground, solve
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.statuses import Status
from tests.concepts_reference import Reference
from tests.examples import examples
from tests.expression_strategies import rule_lists
from tests.properties.test_concepts import all_atoms, explored
from tests.strategies import tasks

STATES = 40


def kept(space: StateSpace, atoms: object) -> set[object]:
    return {transition.action for transition in space.transitions(space.state(atoms))}  # type: ignore[arg-type]


@examples(30)
@given(tasks(), st.data())
def test_what_is_kept_is_what_the_rules_say(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    """Strictly what the deciding rule of each list keeps; at each coarser level the same where that is something, and
    never less."""
    task = ground(*pair, cost="unit")
    space, reference = explored(task), Reference(task)
    lists = data.draw(st.lists(rule_lists(task.domain).filter(len), min_size=1, max_size=2))
    automaton = RuleFilter.of(task.domain, *lists)
    strict = ConstrainedStateSpace(task, automaton)
    coarse = ConstrainedStateSpace(task, automaton, match="coarse")
    whole = [ConstrainedStateSpace(task, automaton, match="coarse", level=level) for level in (1, 2)]
    schemas = {rule.schema for rules in lists for rule in rules.rules}
    for state in range(min(len(space), STATES)):
        if space.is_goal(state):
            continue
        atoms, applicable = space.atoms(state), space.applicable(state)
        everything = all_atoms(space, state)
        expected = {action for rules in lists for action in reference.decide(everything, applicable, rules)[1]}
        assert kept(strict, atoms) == expected
        assert kept(coarse, atoms) == (expected or {action for action in applicable if action.schema in schemas})
        found = automaton.explain(task, atoms, match="strict")
        assert set(found.kept) == expected
        assert {each.action for each in found.pruned} == set(applicable) - expected
        fitting, by_schema = (kept(each, atoms) for each in whole)
        assert expected <= fitting <= by_schema
        if expected:
            assert by_schema == {action for action in applicable if action.schema in schemas}


@examples(20)
@given(tasks(), st.data())
def test_completeness_whatever_the_rules(pair: tuple[Domain, Problem], data: st.DataObject) -> None:
    """A task that has a proper policy is solved under any rules; files keep them; what suffices is accepted."""
    task = ground(*pair, cost="unit")
    automaton = RuleFilter.of(task.domain, data.draw(rule_lists(task.domain).filter(len)))
    assert RuleFilter.from_json(automaton.to_json()) == automaton
    plain = solve(task, symmetry="off")
    found = solve(task, automaton=automaton, match="strict", fallback="full", symmetry="off")
    assert (found.status == Status.SOLVED) == (plain.status == Status.SOLVED)
    if found.status == Status.SOLVED and not found.fallback:
        assert automaton.accepts(found.policy)
