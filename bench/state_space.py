"""Enumerating state spaces: time, memory, and how both scale with size.

Each row is measured in a process of its own, on one thread, so that the memory is that of one task. The budgets are
those that the project has set itself; the table shows states and costs per state from one size to the next.

    make bench            the budgets, and how Gripper scales
    python bench/state_space.py --largest 12
"""

from __future__ import annotations

import json
import time
from typing import Any

from gpaplan import StateSpace, ground
from gpaplan.benchmarks import generate
from measuring import apart, label, options, peak_megabytes

BUDGETS: list[tuple[str, tuple[int, ...], float, float | None]] = [
    ("gripper", (12,), 1.0, 150.0),
    ("rover", (1, 4, 10, 2), 0.15, None),
]


def measure(name: str, theta: tuple[int, ...]) -> dict[str, Any]:
    """Ground and enumerate one benchmark in this process."""
    benchmark = generate(name, *theta)
    started = time.perf_counter()
    task = ground(benchmark.domain, benchmark.problem, relevance=False)
    grounded = time.perf_counter()
    space = StateSpace(task)
    exploration = space.explore()
    ended = time.perf_counter()
    return {
        "states": exploration.states,
        "pairs": exploration.state_action_pairs,
        "ground": grounded - started,
        "explore": ended - grounded,
        "peak_mb": peak_megabytes(),
        "state_bytes": space.core.state_bytes / exploration.states,
        "transition_bytes": space.core.transition_bytes / exploration.states,
    }


def measure_apart(name: str, theta: tuple[int, ...], repeat: int = 3) -> dict[str, Any]:
    """The fastest of a few measurements, each in a new process."""
    rows = [row for _ in range(repeat) if (row := apart(name, *theta)) is not None]
    return min(rows, key=lambda row: float(row["explore"]))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--largest", type=int, default=14, help="largest Gripper of the table")
    arguments = parser.parse_args()
    if arguments.measure:
        name, *theta = arguments.measure
        print(json.dumps(measure(name, tuple(map(int, theta)))))
        return
    print("Budgets (best of 3)")
    for name, theta, seconds, megabytes in BUDGETS:
        row = measure_apart(name, theta)
        memory = f"{row['peak_mb']:.0f} MB" + ("" if megabytes is None else f" of {megabytes:.0f}")
        print(
            f"  {label(name, theta)}: {row['states']:,} states, {row['pairs']:,} pairs in {row['explore']:.3f} s "
            f"of {seconds} s ({row['explore'] / seconds:.2f} of the budget), peak {memory}"
        )
    print("\nScaling of Gripper (best of 3; the ratio is to the row above)")
    print("   b       states        pairs  explore s  ratio  ns/pair  peak MB  bytes/state  transition bytes/state")
    before = None
    for balls in range(8, arguments.largest + 1):
        row = measure_apart("gripper", (balls,))
        ratio = f"{row['explore'] / before:5.2f}" if before else "     "
        print(
            f"  {balls:2} {row['states']:12,} {row['pairs']:12,} {row['explore']:10.3f}  {ratio} "
            f"{1e9 * row['explore'] / row['pairs']:8.0f} {row['peak_mb']:8.0f} {row['state_bytes']:12.1f} "
            f"{row['transition_bytes']:23.1f}"
        )
        before = row["explore"]


if __name__ == "__main__":
    main()
