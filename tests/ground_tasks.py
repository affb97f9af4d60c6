"""Random ground tasks, made without PPDDL: tiny, with every feature of the ground form, and mostly solvable.

`random_task(seed, costs)` draws everything uniformly, so that goals of several atoms, long ways to them, conditional
and nested effects, disjunctions and dead ends all are common. Actions cost what is drawn from `costs`, which must be
positive; parts of an effect may cost more.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from gpaplan import _core

DISTRIBUTIONS = ((0.5, 0.5), (0.2, 0.8), (0.1, 0.2, 0.7), (0.25, 0.25, 0.25, 0.25))


def random_task(seed: int, costs: Sequence[float]) -> _core.Task:
    return _Draw(Random(seed), costs).task()


class _Draw:
    def __init__(self, random: Random, costs: Sequence[float]) -> None:
        self.random = random
        self.costs = costs
        self.atoms = random.randint(3, 6)
        self.probabilities = sorted({p for distribution in DISTRIBUTIONS for p in distribution})
        names = ("literals", "condition_disjunctions", "adds", "deletes", "conditionals", "factors")
        self.fields: dict[str, Any] = {name: [[]] for name in names}
        self.fields |= {"disjunctions": [], "outcomes": [], "effect_costs": [0.0]}

    def task(self) -> _core.Task:
        count = self.random.randint(2, 7)
        preconditions = [self.condition(1, 2) for _ in range(count)]
        effects = [self.effect(self.random.choice((0, 1, 1, 2)), self.random.choice(self.costs)) for _ in range(count)]
        goal = self.condition(1, 3) if self.random.random() < 0.3 else self.conjunction(self.random.randint(1, 4), 0.2)
        self.fields |= {
            "version": _core.Task.version,
            "atom_predicates": [0] * self.atoms,
            "atom_arguments": [[atom] for atom in range(self.atoms)],
            "static_predicates": [],
            "static_arguments": [],
            "dropped_predicates": [],
            "dropped_arguments": [],
            "dropped_schemas": [],
            "dropped_action_arguments": [],
            "probabilities": self.probabilities,
            "action_schemas": list(range(count)),
            "action_arguments": [[] for _ in range(count)],
            "preconditions": preconditions,
            "effects": effects,
            "initial_atoms": self.some_atoms(self.random.randint(0, 2)),
            "goal": goal,
        }
        return _core.Task.from_fields(self.fields)

    def some_atoms(self, count: int) -> list[int]:
        return sorted(self.random.sample(range(self.atoms), min(count, self.atoms)))

    def conjunction(self, count: int, negated: float, disjunctions: Sequence[int] = ()) -> int:
        literals = [2 * atom + (self.random.random() < negated) for atom in self.some_atoms(count)]
        self.fields["literals"].append(literals)
        self.fields["condition_disjunctions"].append(list(disjunctions))
        return len(self.fields["literals"]) - 1

    def condition(self, depth: int, most: int) -> int:
        disjunctions = []
        if depth > 0 and self.random.random() < 0.25:
            options = [self.condition(depth - 1, 2) for _ in range(self.random.choice((0, 1, 2, 2, 3)))]
            disjunctions.append(len(self.fields["disjunctions"]))
            self.fields["disjunctions"].append(options)
        return self.conjunction(self.random.randint(0, most), 0.3, disjunctions)

    def effect(self, depth: int, cost: float) -> int:
        conditionals: list[int] = []
        factors: list[int] = []
        for _ in range(self.random.choice((0, 1, 1, 2)) if depth > 0 else 0):
            if self.random.random() < 0.5:
                conditionals += (self.condition(1, 2), self.part(depth))
            else:
                distribution = self.random.choice(DISTRIBUTIONS)
                outcomes = [value for p in distribution for value in (self.probabilities.index(p), self.part(depth))]
                factors.append(len(self.fields["outcomes"]))
                self.fields["outcomes"].append(outcomes)
        most = 1 if conditionals or factors else 2
        self.fields["adds"].append(self.some_atoms(self.random.randint(0, most)))
        self.fields["deletes"].append(self.some_atoms(self.random.randint(0, 2)))
        self.fields["conditionals"].append(conditionals)
        self.fields["factors"].append(factors)
        self.fields["effect_costs"].append(cost)
        return len(self.fields["effect_costs"]) - 1

    def part(self, depth: int) -> int:
        return self.effect(depth - 1, self.random.choice((0.0, 0.0, self.random.choice(self.costs))))
