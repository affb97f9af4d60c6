"""Why an automaton fails: a state where everything is pruned, what is nearest to it, and what differs."""

from __future__ import annotations

import json

import pytest

from gpaplan import (
    CanonicalAbstraction,
    LimitError,
    Limits,
    PolicyAutomaton,
    grow,
    instances_of_generator,
    learn,
    load,
    solve,
    validate,
)
from gpaplan.automata.canonical import AbstractState, Role
from gpaplan.automata.explanation import Difference, differences, nearest_vertex
from gpaplan.learning.counterexamples import find_counterexample
from gpaplan.learning.edges import edges_of_choices
from gpaplan.spaces.state_space import StateSpace

BALL, ROOM = Role(("ball",)), Role(("room",))


def test_differences_name_roles_flags_and_relations() -> None:
    here = AbstractState(((BALL, "many"), (ROOM, "one")), ("dark",), (("in", (BALL, ROOM), "some"),))
    there = AbstractState(((BALL, "one"),), (), (("in", (BALL, ROOM), "all"),))
    assert differences(here, there) == (
        Difference("role", "{ball}", "many", "one"),
        Difference("role", "{room}", "one", "none"),
        Difference("flag", "dark", "true", "false"),
        Difference("relation", "in({ball}, {room})", "some", "all"),
    )
    assert differences(here, here) == ()
    assert differences("a", "b") == (Difference("label", "", "a", "b"),)
    assert str(differences(here, there)[0]) == "role {ball}: many here, one there"


def test_an_unknown_state_is_compared_with_the_nearest_vertex() -> None:
    automaton = grow(instances_of_generator("gripper", "1")).automaton
    (instance,) = instances_of_generator("gripper", "2")
    task = instance.task()
    found = find_counterexample(automaton, task)
    assert found is not None
    assert (found.problem, found.kind) == ("gripper-2", "stuck")
    assert [str(each) for each in found.near.differences] == ["role {ball}: many here, one there"]
    assert not found.explanation.known
    assert found.explanation.kept == ()
    assert len(found.explanation.pruned) == 5
    assert found.near.vertex == nearest_vertex(automaton, found.explanation.label)
    text = str(found)
    for part in ("every action is pruned", "(robot-in room-a)", "differs in      role {ball}: many here, one there"):
        assert part in text
    record = json.loads(json.dumps(found.to_json()))
    assert record["differences"] == [{"kind": "role", "what": "{ball}", "here": "many", "there": "one"}]


def test_an_outcome_outside_the_targets_is_compared_with_the_nearest_target() -> None:
    """DOMAINS: what is learned from two to four packets does not suffice for five."""
    automaton = grow(instances_of_generator("schedule", "1", "2..4")).automaton
    (row,) = validate(instances_of_generator("schedule", "1", "5"), automaton)
    assert row.status == "failed"
    found = row.counterexample
    assert found is not None
    assert found.explanation.known
    assert found.near.differences == ()
    assert [str(each) for each in found.near.outcome_differences] == ["role {packet, waiting}: many here, one there"]
    assert "nearest target" in str(found)


def test_what_a_coarse_look_forgives_is_no_reason() -> None:
    """Many samples look like one; what the automaton lacks is an outcome in which some are still to be collected."""
    small, large = instances_of_generator("rover", "1", "3", "1..3..2", "2")
    automaton = learn(small.domain, [solve(small.task(), heuristic="lmcut")])
    task = large.task()
    optimum = solve(task, heuristic="lmcut")
    strict = find_counterexample(automaton, task, optimum, failed=True)
    coarse, coarsest = (
        find_counterexample(automaton, task, optimum, failed=True, match="coarse", level=level) for level in (0, 3)
    )
    assert strict is not None
    assert strict.matched is None
    assert "role {sample}: many here, one there" in map(str, strict.near.differences)
    for found in (coarse, coarsest):
        assert found is not None
        assert (found.kind, found.matched) == ("stuck", "at no level, however coarse")
        explanation = found.explanation
        assert (explanation.match, explanation.last_match.name) == (None, "relations")
        assert found.near.differences == ()
        assert [str(each) for each in found.near.outcome_differences] == ["role {sample}: some here, none there"]
        assert explanation.seen in automaton.coarsened(3).vertices
        assert explanation.label not in automaton.vertices
        assert "with states compared by roles alone: the automaton has an edge for such an action" in found.sentence
        assert "matched         at no level, however coarse" in str(found)


def test_a_state_from_which_no_edge_leaves() -> None:
    """What was only met where examples ended is no new kind of state."""
    one, two = instances_of_generator("gripper", "1..2")
    automaton = learn(one.domain, [solve(each.task(), heuristic="lmcut") for each in (one, two)])
    last = [edge for edge in automaton.edges if not str(edge.action).startswith("pick")]
    found = find_counterexample(automaton.with_edges(last), one.task())
    assert found is not None
    assert not found.explanation.edges
    assert found.explanation.seen_known
    assert "such states were met in learning, but only as outcomes: no edge leaves them" in found.sentence


def test_nothing_is_wrong_where_the_automaton_suffices() -> None:
    instances = instances_of_generator("gripper", "1..2")
    automaton = grow(instances).automaton
    task = instances[1].task()
    assert find_counterexample(automaton, task, solve(task, heuristic="lmcut")) is None


def test_an_empty_automaton_has_no_nearest_vertex() -> None:
    (instance,) = instances_of_generator("gripper", "1")
    found = find_counterexample(PolicyAutomaton.empty(instance.domain), instance.task())
    assert found is not None
    assert found.near.vertex is None
    assert "the automaton is empty" in str(found)


def test_hopeless_states_are_passed_over() -> None:
    """With an optimum at hand the state shown is one from which the goal can be reached."""
    small, large = instances_of_generator("triangle-tireworld", "1..2")
    automaton = learn(small.domain, [solve(small.task(), heuristic="lmcut")])
    task = large.task()
    optimum = solve(task, heuristic="lmcut")
    found = find_counterexample(automaton, task, optimum)
    assert found is not None
    state = optimum.space.state(found.state)
    assert optimum.search.value(state) < float("inf")


@pytest.mark.parametrize("goals", [False, True])
def test_every_failure_has_a_reason(goals: bool) -> None:
    growth = grow(
        instances_of_generator("delicate-can", "2..5", relevance=False), abstraction=CanonicalAbstraction(goals=goals)
    )
    for step in growth.steps[1:]:
        assert step.outcome == "failed"
        assert step.counterexample is not None
        assert step.counterexample.near.differences or step.counterexample.near.outcome_differences


def test_a_trap_names_what_a_policy_without_the_automaton_does() -> None:
    task = load(
        "(define (domain bank) (:predicates (here) (there))"
        " (:action rest :precondition (here) :effect (and))"
        " (:action cross :precondition (here) :effect (and (not (here)) (there))))"
        "(define (problem one) (:domain bank) (:init (here)) (:goal (there)))",
        relevance=False,
    )
    space = StateSpace(task)
    resting = PolicyAutomaton.empty(task.domain)
    edges, _ = edges_of_choices(resting.abstraction, space, [(space.initial, task.action_index("(rest)"))])
    resting = resting.with_edges(edges)
    solution = solve(task, automaton=resting)
    assert solution.fallback
    found = find_counterexample(resting, task, solution, failed=True)
    assert found is not None
    assert (found.kind, str(found.action), found.at_start) == ("trap", "(cross)", True)
    assert found.headline == "the actions that are kept may miss the goal, and (cross), which would not, is pruned"
    assert "such states were met in learning, but other actions were taken there" in found.sentence
    alone = find_counterexample(resting, task)
    assert alone is not None
    assert (alone.kind, alone.action) == ("trap", None)


def test_looking_for_a_reason_ends_at_a_limit() -> None:
    automaton = grow(instances_of_generator("gripper", "1..2")).automaton
    (instance,) = instances_of_generator("gripper", "9")
    with pytest.raises(LimitError, match="looking for the reason"):
        find_counterexample(automaton, instance.task(), limits=Limits(seconds=1e-9))
