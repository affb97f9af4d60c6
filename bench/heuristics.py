"""Heuristics: construction, and the time of one evaluation, averaged over reachable states.

Each state of the (beginning of the) state space is evaluated in the core, in one call; the best of a few repetitions
counts. Give PPDDL files, domain and problem, to measure these instead.

    python bench/heuristics.py
    python bench/heuristics.py domain.ppddl p04.ppddl
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from gpaplan import StateSpace, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.tasks.task import GroundTask

HEURISTICS = ("blind", "hmax", "hadd", "ff", "lmcut")

BENCHMARKS: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (12,)),
    ("rover", (1, 4, 10, 2)),
    ("schedule", (1, 8)),
    ("keva", (12, 4)),
    ("delicate-can", (10,)),
]


def tasks(files: list[str]) -> Iterator[tuple[str, GroundTask]]:
    if files:
        parsed = parse_task(files[0], *files[1:])
        yield parsed.problem.name, ground(parsed.domain, parsed.problem)
        return
    for name, theta in BENCHMARKS:
        benchmark = generate(name, *theta)
        yield f"{name}{theta}", ground(benchmark.domain, benchmark.problem)


def measure(task: GroundTask, name: str, space: StateSpace, repeat: int) -> tuple[float, float, float]:
    """Seconds to construct, nanoseconds for one evaluation, the initial state's estimate."""
    started = time.perf_counter()
    heuristic = _core.Heuristic(task.core, name)
    construction = time.perf_counter() - started
    best = float("inf")
    for _ in range(repeat):
        started = time.perf_counter()
        heuristic.evaluate_all(space.core)
        best = min(best, time.perf_counter() - started)
    return construction, 1e9 * best / len(space), heuristic.evaluate(space.core, space.initial)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="domain and problem")
    parser.add_argument("--states", type=int, default=20_000, help="evaluate about so many states")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    for label, task in tasks(arguments.files):
        space = StateSpace(task)
        space.explore(max_states=arguments.states)
        print(f"{label}: {task.core.atom_count} atoms, {task.core.action_count} actions, {len(space):,} states")
        for name in HEURISTICS:
            construction, nanoseconds, initial = measure(task, name, space, arguments.repeat)
            print(f"  {name:6} {nanoseconds:10,.0f} ns   initially {initial:6g}   made in {1e3 * construction:.2f} ms")


if __name__ == "__main__":
    main()
