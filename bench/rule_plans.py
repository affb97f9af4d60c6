"""Which problems of each family rules are learned from, chosen by, and tried on (bench/rules.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpaplan import GroundTask, ground
from gpaplan.benchmarks import generate

Theta = tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The problems of a family: to learn from, to choose by, to act on, and to solve. Learning does not see those of
    the last two."""

    training: Sequence[Theta]
    validation: Sequence[Theta]
    acting: Sequence[Theta]
    solving: Sequence[Theta]


LINE, RING, GRID, GRAPH = 1, 2, 3, 4
"""Maps, by number."""

PLANS: dict[str, Plan] = {
    "gripper": Plan([(1,), (2,), (3,), (4,)], [(8,)], [(n,) for n in range(10, 50, 2)], [(n,) for n in range(9, 29)]),
    "schedule": Plan(
        [(1, 2), (1, 3), (1, 4)], [(1, 8)], [(1, n) for n in range(10, 50, 2)], [(1, n) for n in range(9, 29)]
    ),
    "rover": Plan(
        [(1, 2, 1, 1), (1, 3, 2, 1), (2, 3, 1, 1), (1, 3, 1, 2), (2, 3, 2, 1)],
        [(2, 5, 4, 3), (3, 8, 9, 6)],
        [*((1 + i % 4, 6 + i // 2, 4 + i, 3 + i // 2) for i in range(19)), (4, 15, 30, 20)],
        [(1 + i % 3, 4 + i // 4, 2 + i // 2, 1 + i // 3) for i in range(20)],
    ),
    "blocksworld": Plan(
        [(2,), (3,), (4,), (5,)],
        [(7,), (9,)],
        [(n,) for n in range(21, 41)],
        [(6,), (8,), *((n,) for n in range(10, 28))],
    ),
    "blocksworld-towers": Plan(
        [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (5, 0)],
        [
            (7, 1),
            (8, 2),
            (10, 3),
            (12, 4),
            *((15, instance_seed) for instance_seed in range(5, 9)),
            *((20, instance_seed) for instance_seed in range(9, 13)),
        ],
        [(blocks, instance_seed) for blocks in (20, 40) for instance_seed in range(60, 70)],
        [(blocks, instance_seed) for blocks in (6, 8, 10, 14) for instance_seed in range(40, 45)],
    ),
    "triangle-tireworld": Plan(
        [(1,), (2,)], [(3,), (4,), (5,)], [(n,) for n in range(6, 26)], [(n,) for n in range(6, 26)]
    ),
    "delivery": Plan(
        [
            (LINE, 3, 1, 0, 0),
            (LINE, 4, 1, 1, 1),
            (RING, 5, 1, 0, 2),
            (RING, 6, 1, 1, 12),
            (GRID, 6, 1, 2, 13),
            (LINE, 4, 2, 1, 4),
            (LINE, 4, 2, 2, 5),
            (RING, 4, 2, 1, 5),
            (GRID, 4, 2, 1, 6),
            (GRID, 6, 2, 0, 6),
            (LINE, 3, 3, 0, 7),
            (GRAPH, 5, 2, 0, 8),
            (LINE, 5, 2, 0, 9),
        ],
        [
            (LINE, 15, 4, 3, 1),
            (LINE, 20, 6, 4, 5),
            (RING, 20, 5, 3, 2),
            (GRID, 20, 4, 4, 3),
            (GRAPH, 20, 5, 4, 3),
            (GRAPH, 25, 5, 6, 4),
        ],
        [(map_, 49 if map_ == GRID else 50, 10, 4, d) for map_ in (LINE, RING, GRID, GRAPH) for d in range(20, 25)],
        [
            (map_, places, parcels, 1, 40 + parcels)
            for map_ in (LINE, RING, GRID, GRAPH)
            for places, parcels in ((8, 2), (9, 3), (12, 3), (16, 4), (25, 5))
        ],
    ),
    "maintenance": Plan(
        [
            (LINE, 3, 1, 0),
            (RING, 4, 2, 1),
            (GRID, 6, 2, 2),
            (LINE, 5, 2, 3),
            (GRAPH, 5, 2, 4),
            (LINE, 6, 3, 5),
            (RING, 6, 3, 6),
        ],
        [(LINE, 10, 3, 1), (GRID, 12, 4, 2), (RING, 10, 3, 4)],
        [
            (map_, 49 if map_ == GRID else 50, 10, instance_seed)
            for map_ in (LINE, RING, GRID, GRAPH)
            for instance_seed in range(20, 25)
        ],
        [
            (map_, places, machines, 40 + machines)
            for map_ in (LINE, RING, GRID, GRAPH)
            for places, machines in ((9, 4), (16, 5), (25, 6), (30, 7), (36, 8))
        ],
    ),
    "cosanostra": Plan(
        [(1,), (2,), (3,)], [(5,), (6,)], [(n,) for n in range(11, 31)], [(n,) for n in (4, *range(7, 26))]
    ),
    "rectangle-tireworld": Plan(
        [(3, 0, 0, 0), (3, 1, 1, 1), (4, 1, 2, 2), (4, 1, 1, 3), (5, 1, 3, 4), (5, 2, 4, 5)],
        [(6, 1, 3, 1), (7, 2, 4, 2), (9, 1, 6, 3)],
        [(15 + i % 10, 2, 6, 20 + i) for i in range(20)],
        [(8 + i % 10, 2, 6, 40 + i) for i in range(20)],
    ),
    "zenotravel": Plan(
        [(2, 1, 1, 0), (3, 1, 1, 1), (2, 2, 1, 2), (3, 2, 1, 3), (2, 1, 2, 4)],
        [(4, 3, 1, 1), (3, 3, 2, 2), (5, 4, 1, 6), (5, 4, 2, 7), (6, 5, 2, 8), (8, 7, 3, 9), (8, 6, 2, 10)],
        [
            *((6, 5, 2, instance_seed) for instance_seed in range(20, 30)),
            *((10, 8, 3, instance_seed) for instance_seed in range(20, 30)),
        ],
        [
            *((3, 2, 2, instance_seed) for instance_seed in range(40, 50)),
            *((4, 3, 2, instance_seed) for instance_seed in range(40, 50)),
        ],
    ),
    "elevators": Plan(
        [
            (2, 2, 1, 1, 0, 0),
            (2, 3, 1, 1, 1, 1),
            (2, 3, 1, 2, 1, 2),
            (3, 3, 1, 2, 1, 3),
            (2, 3, 2, 1, 0, 4),
            (3, 4, 1, 1, 1, 5),
            (3, 3, 2, 2, 1, 6),
            (2, 4, 2, 2, 2, 7),
            (3, 4, 1, 3, 2, 8),
            (2, 5, 1, 2, 2, 9),
        ],
        [(3, 4, 2, 3, 2, 1), (4, 4, 2, 3, 2, 2), (4, 5, 2, 4, 3, 3), (5, 5, 2, 4, 3, 4), (5, 6, 3, 5, 4, 5)],
        [(6, 6, 3, 6, 4, instance_seed) for instance_seed in range(20, 40)],
        [
            *((3, 4, 1, 3, 2, instance_seed) for instance_seed in range(40, 50)),
            *((4, 4, 2, 3, 2, instance_seed) for instance_seed in range(40, 50)),
        ],
    ),
}


def tasks(family: str, thetas: Iterable[Theta]) -> list[GroundTask]:
    """The ground problems of these sizes."""
    benchmarks = [generate(family, *theta) for theta in thetas]
    return [ground(benchmark.domain, benchmark.problem) for benchmark in benchmarks]
