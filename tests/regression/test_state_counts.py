"""Reachable states and state-action pairs of the benchmark domains, against known counts.

The state counts are closed forms; the pair counts were obtained by enumeration with another program.
"""

from __future__ import annotations

import pytest

from gpaplan import StateSpace, ground
from gpaplan.benchmarks import generate

GRIPPER_PAIRS = [12, 70, 272, 886, 2612, 7218, 19056, 48622, 120812, 293866]
ROVER_PAIRS = [162, 466, 1202, 2930, 6898, 15858, 35826, 79858, 176114]
SCHEDULE_PAIRS = [78, 331, 1184, 3819, 11490, 32869, 90468]
SCHEDULE_STATES = [57, 233, 821, 2625, 7849, 22349, 61293]
DELICATE_CAN_PAIRS = [10, 46, 188, 718, 2624, 9298, 32204, 109606]

CASES = [
    *(
        ("gripper", (b,), 2 * (2**b * (1 + b) + b * (b - 1) * 2**b // 4) - 1, GRIPPER_PAIRS[b - 1])
        for b in range(1, 11)
    ),
    *(("rover", (1, 4, s, 2), 16 * (s + 2) * 2 ** (s - 1) - 1, ROVER_PAIRS[s - 1]) for s in range(1, 10)),
    *(("schedule", (1, p), SCHEDULE_STATES[p - 2], SCHEDULE_PAIRS[p - 2]) for p in range(2, 9)),
    *(("delicate-can", (c,), 3 ** (c - 2) * (3 * c + 2) + 2**c, DELICATE_CAN_PAIRS[c - 2]) for c in range(2, 10)),
]


@pytest.mark.parametrize(("name", "theta", "states", "pairs"), CASES)
def test_counts(name: str, theta: tuple[int, ...], states: int, pairs: int) -> None:
    benchmark = generate(name, *theta)
    found = StateSpace(ground(benchmark.domain, benchmark.problem, relevance=False)).explore()
    assert found.complete
    assert (found.states, found.state_action_pairs) == (states, pairs)


def test_the_seed_changes_names_only() -> None:
    for seed in (0, 1, 17):
        benchmark = generate("rover", 1, 4, 4, 2, seed=seed)
        found = StateSpace(ground(benchmark.domain, benchmark.problem, relevance=False)).explore()
        assert (found.states, found.state_action_pairs) == (16 * 6 * 8 - 1, ROVER_PAIRS[3])
