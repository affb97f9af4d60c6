"""Graphs of atoms say what the state says, in the words of the domain."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import GraphInstance

from gpaplan import ground, load
from gpaplan.benchmarks import generate
from gpaplan.gym import PlanningEnv
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundTask
from tests.paths import DOMAINS
from tests.test_examples import load as load_example

GraphObservation = load_example("graph_observations").GraphObservation


def read_back(task: GroundTask, graph: GraphInstance) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Objects and atoms, by name, with the features of their nodes."""
    features = GraphObservation(PlanningEnv(task)).features
    arguments: dict[int, dict[int, int]] = defaultdict(dict)
    assert isinstance(graph.edges, np.ndarray)
    assert graph.edge_links is not None
    for (atom, argument), place in zip(graph.edge_links.tolist(), graph.edges.tolist(), strict=True):
        assert place not in arguments[atom]
        arguments[atom][place] = argument
    objects, atoms = {}, {}
    for node, row in enumerate(np.asarray(graph.nodes)):
        names = {features[place] for place in np.flatnonzero(row)}
        if node < len(task.objects):
            objects[task.objects[node]] = names
            assert node not in arguments
            continue
        (predicate,) = (name.removeprefix("predicate ") for name in names if name.startswith("predicate "))
        places = arguments[node]
        assert sorted(places) == list(range(len(places)))
        atom = " ".join([predicate, *(task.objects[places[place]] for place in sorted(places))])
        atoms[f"({atom})"] = {name for name in names if not name.startswith("predicate ")}
    return objects, atoms


def tasks() -> dict[str, GroundTask]:
    found = {name: ground(generate(name, *theta)) for name, theta in [("gripper", (3,)), ("triangle-tireworld", (2,))]}
    for path in sorted(DOMAINS.glob("*.ppddl")):
        found[path.stem] = load(path, problem_name="long" if path.stem == "two-problems" else None)
    return found


@pytest.mark.parametrize("task", tasks().values(), ids=tasks())
def test_a_graph_is_the_state_and_the_goal(task: GroundTask) -> None:
    env = GraphObservation(PlanningEnv(task, horizon=20))
    chosen = np.random.default_rng(0)
    graph, info = env.reset(seed=0)
    for _ in range(30):
        assert isinstance(graph, GraphInstance)
        assert env.observation_space.contains(graph)
        objects, atoms = read_back(task, graph)
        constants = {each.name for each in task.domain.constants}
        for name, types in declared_objects(task.domain, task.problem).items():
            identity = {f"constant {name}"} if name in constants else set()
            assert objects[name] == {f"type {each}" for each in types} | identity
        wanted = set(map(str, task.goal_atoms))
        held = env.unwrapped.atoms | set(map(str, task.static_atoms))
        assert {atom for atom, features in atoms.items() if "holds" in features} == held
        assert {atom for atom, features in atoms.items() if "wanted" in features} == wanted
        assert set(atoms) == held | wanted
        if not info["action_mask"].any():
            break
        action = int(chosen.choice(np.flatnonzero(info["action_mask"])))
        graph, _, _, _, info = env.step(action)


def test_features_are_those_of_the_domain() -> None:
    small, large = (GraphObservation(PlanningEnv(generate("gripper", balls))) for balls in (1, 9))
    assert small.features == large.features
    assert small.observation_space == large.observation_space


def test_types_that_share_a_name_with_a_predicate_are_told_apart() -> None:
    names: Any = GraphObservation(PlanningEnv(generate("keva", 4, 1))).features
    assert len(set(names)) == len(names)
