"""What the page of a policy draws, as far as it can be seen without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from gpaplan import Policy, StateSpace, UsageError, ground, solve
from gpaplan.benchmarks import generate
from gpaplan.policies.page import page_data
from tests.chains import Row, Rows, policy_of, task_of
from tests.policies.test_policy import HALF, gripper


def drawn(policy: Policy, states: int = 100) -> dict[str, Any]:
    (graph,) = page_data(policy, states)["levels"]
    return dict(graph)


def test_what_is_drawn_is_the_policy() -> None:
    task = gripper(3)
    policy = solve(task, symmetry="off").policy
    graph = drawn(policy)
    space = StateSpace(task)
    named = {str(atom): atom for atom in task.atoms}
    states = [frozenset(named[fact] for fact in vertex["facts"]) for vertex in graph["vertices"]]
    assert states[0] == space.atoms(space.initial)
    assert len(set(states)) == len(states)
    for edge in graph["edges"]:
        found = {each.action: each for each in space.transitions(space.state(states[edge["source"]]))}
        action = policy[states[edge["source"]]]
        assert action is not None
        assert edge["action"] == str(action)
        reached = {space.atoms(each.state): f"with probability {each.probability:g}" for each in found[action].outcomes}
        assert reached == {states[t]: chance for t, chance in zip(edge["targets"], edge["chances"], strict=True)}
    goals = {i for i, state in enumerate(states) if space.is_goal(space.state(state))}
    assert goals == {i for i, vertex in enumerate(graph["vertices"]) if "final" in vertex["marks"]}
    assert {edge["source"] for edge in graph["edges"]} == set(range(len(states))) - goals


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 30])
def test_beyond_a_size_the_part_near_the_start_is_drawn(most: int) -> None:
    benchmark = generate("delicate-can", 6)
    policy = solve(ground(benchmark.domain, benchmark.problem, relevance=False)).policy
    graph = drawn(policy, most)
    assert len(graph["vertices"]) <= most
    sources = {edge["source"] for edge in graph["edges"]}
    for place, vertex in enumerate(graph["vertices"]):
        assert (place in sources) != bool({"cut", "final"} & set(vertex["marks"]))
    assert "those nearest to the start; the policy has" in graph["counts"][2]
    assert graph["vertices"][0]["marks"][0] == "initial"


def test_giving_up_being_undefined_and_starting_at_the_goal() -> None:
    rows: Rows = {0: Row(HALF, {1: HALF, 2: HALF}), 1: "give-up", 2: "goal"}
    task = task_of(rows)
    graph = drawn(policy_of(task, rows, dead_end_cost=3))
    assert [vertex["kind"] for vertex in graph["vertices"]] == [
        "the initial state",
        "the policy gives up here",
        "a goal",
    ]
    assert ["Giving up costs", "3"] in graph["terms"]
    (vertex,) = drawn(Policy(task, {}))["vertices"]
    assert (vertex["marks"], vertex["kind"]) == (["initial", "stuck"], "the policy is undefined here")
    goal: Rows = {0: "goal"}
    (vertex,) = drawn(Policy(task_of(goal), {}))["vertices"]
    assert vertex["marks"] == ["initial", "final"]


def test_with_symmetry_representatives_are_drawn() -> None:
    policy = solve(gripper(6), symmetry="on").policy
    graph = drawn(policy)
    assert len(graph["edges"]) == len(policy)
    assert ["Interchangeable", "6 like ball0, 2 like left"] in graph["terms"]


def test_a_wrong_number_of_states() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        solve(gripper(1)).policy.to_html(states=0)
