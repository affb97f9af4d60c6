"""Heuristics: construction, and the time of one evaluation, averaged over reachable states.

Each state of the (beginning of the) state space is evaluated in the core, in one call; the best of a few repetitions
counts. Give PPDDL files, domain and problem, to measure these instead.

    python bench/heuristics.py
    python bench/heuristics.py domain.ppddl p04.ppddl
    python bench/heuristics.py --search

With --search, LRTDP solves problems on which no heuristic helps much, with each of the admissible ones, and the whole
time counts: what pattern databases cost where they do not pay.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

from gpaplan import GroundTask, PatternDatabases, StateSpace, solve
from gpaplan.solving.heuristics import AnyHeuristic, make_heuristic
from measuring import fastest, generated, label, options, print_head, print_row, read

HEURISTICS: dict[str, AnyHeuristic] = {
    **{name: name for name in ("blind", "hmax", "hadd", "ff", "lmcut")},
    "pdb": PatternDatabases(staged=False),
}

BENCHMARKS: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (12,)),
    ("rover", (1, 4, 10, 2)),
    ("schedule", (1, 8)),
    ("keva", (12, 4)),
    ("delicate-can", (10,)),
]

ADMISSIBLE = ("blind", "hmax", "lmcut", "pdb", "best")
NO_HELP: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (10,)),
    ("rover", (1, 4, 8, 2)),
    ("rover", (1, 4, 10, 2)),
    ("rover", (1, 4, 12, 2)),
    ("schedule", (1, 8)),
]
"""Problems in which all heuristics meet nearly all states."""


def tasks(files: list[str]) -> Iterator[tuple[str, GroundTask]]:
    if files:
        task = read(*files)
        yield task.problem.name, task
        return
    for name, theta in BENCHMARKS:
        yield label(name, theta), generated(name, theta)


def measure(task: GroundTask, kind: AnyHeuristic, space: StateSpace, repeat: int) -> tuple[float, float, float]:
    """Seconds to construct, nanoseconds for one evaluation, the initial state's estimate."""
    construction, heuristic = fastest(lambda: make_heuristic(kind, task), 1, time.perf_counter)
    best, _ = fastest(lambda: heuristic.evaluate_all(space.core), repeat, time.perf_counter)
    return construction, 1e9 * best / len(space), heuristic.evaluate(space.core, space.initial)


def search(repeat: int) -> None:
    """A table of processor seconds and states."""
    print_head("<task", *(f"{name}{unit}" for name in ADMISSIBLE for unit in (", s", ", states")))
    for name, theta in NO_HELP:
        task = generated(name, theta)
        cells = []
        for heuristic in ADMISSIBLE:
            seconds, found = fastest(partial(solve, task, "lrtdp", heuristic=heuristic, symmetry="off"), repeat)  # type: ignore[arg-type]
            cells += [f"{seconds:.3f}", f"{found.expanded:,}"]
        print_row(label(name, theta), *cells)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", help="domain and problem")
    parser.add_argument("--states", type=int, default=20_000, help="evaluate about so many states")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--search", action="store_true", help="whole searches instead of evaluations")
    arguments = parser.parse_args()
    if arguments.search:
        search(arguments.repeat)
        return
    for title, task in tasks(arguments.files):
        space = StateSpace(task)
        space.explore(max_states=arguments.states)
        print(f"{title}: {task.core.atom_count} atoms, {task.core.action_count} actions, {len(space):,} states")
        for name, kind in HEURISTICS.items():
            construction, nanoseconds, initial = measure(task, kind, space, arguments.repeat)
            print(f"  {name:20} {nanoseconds:10,.0f} ns   initially {initial:6g}   made in {1e3 * construction:.2f} ms")


if __name__ == "__main__":
    main()
