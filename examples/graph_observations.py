"""States as graphs of atoms, for agents that move on to other problems of a domain.

    env = GraphObservation(gymnasium.make("gpaplan/PPDDL-v0", domain="domain.ppddl", problem="problem.ppddl"))

A graph has a node for each object, then one for each static atom and for each fluent atom that holds or that the goal
asks for; an edge from each atom to each of its arguments, labelled with the argument's place, from 0. The features of a
node are 0 or 1: for an object its types (``type object`` among them) and which constant of the domain it is, for an
atom its predicate, whether it holds, and whether the goal wants it. They depend on the domain alone.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, Graph, GraphInstance
from numpy.typing import NDArray

import gpaplan.gym  # which registers the environment
from gpaplan.gym import PlanningEnv
from gpaplan.tasks.grounding import declared_objects, supertypes
from gpaplan.tasks.task import GroundAtom, GroundTask

BIT = np.dtype(np.int8)
Bits: TypeAlias = NDArray[np.int8]


class GraphObservation(gymnasium.ObservationWrapper[GraphInstance, Any, Bits]):
    """An environment whose states are graphs of atoms and objects."""

    def __init__(self, env: gymnasium.Env[Bits, Any]) -> None:
        super().__init__(env)
        assert isinstance(env.unwrapped, PlanningEnv)
        task = env.unwrapped.task
        self.features = features_of(task)
        """What each feature of a node says."""
        self._column = {name: place for place, name in enumerate(self.features)}
        objects = self._object_nodes(task)
        wanted = frozenset(task.goal_atoms)
        static = frozenset(task.static_atoms)
        never = wanted - static - frozenset((*task.atoms, *task.dropped_atoms))
        fixed = [*task.static_atoms, *(atom for atom in task.goal_atoms if atom in never)]
        index = {name: place for place, name in enumerate(task.objects)}
        arity = max((len(predicate.parameters) for predicate in task.domain.predicates), default=0)
        self._fixed_nodes = np.concatenate([objects, self._atom_nodes(fixed, wanted)])
        self._fixed_nodes[len(objects) :, self._column["holds"]] = [atom in static for atom in fixed]
        self._fixed_links, self._fixed_edges = _links(_arguments(fixed, index, arity), len(objects))
        self._atoms = self._atom_nodes(task.atoms, wanted)
        self._wanted = self._atoms[:, self._column["wanted"]]
        self._arguments = _arguments(task.atoms, index, arity)
        nodes = Box(0, 1, (len(self.features),), BIT)
        self.observation_space = Graph(nodes, Discrete(max(arity, 1)))

    def observation(self, bits: Bits) -> GraphInstance:
        """The nodes of objects and of what never changes, then those of the atoms that hold or are wanted."""
        shown = np.flatnonzero(bits | self._wanted)
        atoms = self._atoms[shown]
        atoms[:, self._column["holds"]] = bits[shown]
        links, edges = _links(self._arguments[shown], len(self._fixed_nodes))
        return GraphInstance(
            nodes=np.concatenate([self._fixed_nodes, atoms]),
            edges=np.concatenate([self._fixed_edges, edges]),
            edge_links=np.concatenate([self._fixed_links, links]),
        )

    def _object_nodes(self, task: GroundTask) -> Bits:
        declared = declared_objects(task.domain, task.problem)
        nodes = np.zeros((len(task.objects), len(self.features)), BIT)
        for row, name in zip(nodes, task.objects, strict=True):
            row[[self._column[f"type {each}"] for each in declared[name]]] = 1
            if f"constant {name}" in self._column:
                row[self._column[f"constant {name}"]] = 1
        return nodes

    def _atom_nodes(self, atoms: list[GroundAtom] | tuple[GroundAtom, ...], wanted: frozenset[GroundAtom]) -> Bits:
        nodes = np.zeros((len(atoms), len(self.features)), BIT)
        for row, atom in zip(nodes, atoms, strict=True):
            row[self._column[f"predicate {atom.predicate}"]] = 1
            row[self._column["wanted"]] = atom in wanted
        return nodes


def features_of(task: GroundTask) -> tuple[str, ...]:
    """The names of the features of nodes; the same for all problems of a domain."""
    return (
        *(f"type {name}" for name in sorted(supertypes(task.domain))),
        *(f"constant {constant.name}" for constant in task.domain.constants),
        *(f"predicate {predicate.name}" for predicate in task.domain.predicates),
        "holds",
        "wanted",
    )


def _arguments(
    atoms: list[GroundAtom] | tuple[GroundAtom, ...], index: dict[str, int], arity: int
) -> NDArray[np.int32]:
    """The arguments of atoms, a row each; -1 where there are no more."""
    rows = np.full((len(atoms), arity), -1, np.int32)
    for row, atom in zip(rows, atoms, strict=True):
        row[: len(atom.arguments)] = [index[name] for name in atom.arguments]
    return rows


def _links(arguments: NDArray[np.int32], first: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The edges of atoms, whose nodes begin at a number: from which node to which, and at which place."""
    atoms, places = np.nonzero(arguments >= 0)
    links = np.stack([atoms + first, arguments[atoms, places]], axis=1).astype(np.int32)
    return links, places


def main() -> GraphInstance:
    """The first observation of a problem, which is printed in numbers."""
    from gpaplan.benchmarks import generate

    env = GraphObservation(gymnasium.make(gpaplan.gym.ENV_ID, domain=generate("gripper", 3)))
    graph, _ = env.reset(seed=1)
    assert graph.edge_links is not None
    print(f"{len(np.asarray(graph.nodes))} nodes with {len(env.features)} features, {len(graph.edge_links)} edges")
    return graph


if __name__ == "__main__":
    main()
