"""What symmetry costs, next to what is done without it, in one run.

    python bench/symmetry.py [DOMAIN.ppddl PROBLEM.ppddl …]

Three tables, of processor time, the least of several runs:

- looking for interchangeable objects: the time it takes, and its share of parsing, grounding and solving the task with
  LRTDP and FF (without symmetry, at most 20 s). Pairs of files on the command line are added;
- finding representatives: nanoseconds a state, to intern states as they are, and to intern their representatives from
  nothing. The states are those of the plain space, which is how unsorted a state comes, and those of the space up to
  symmetry, which are sorted already;
- walking the space: states, transitions, and microseconds a transition, without and with symmetry, to 20,000 states.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

from gpaplan import GroundTask, Limits, StateSpace, solve
from gpaplan.benchmarks import generate
from gpaplan.spaces.state_space import Exploration, find_symmetry
from measuring import fastest, generated, label, options, read

WITHOUT = (("rover", (1, 4, 3, 2)), ("keva", (10, 5)), ("keva", (12, 6)), ("delicate-can", (3,)))
SMALL = (("gripper", (8,)), ("rover", (1, 4, 8, 2)), ("schedule", (1, 8)), ("keva", (10, 3)), ("delicate-can", (8,)))
LARGE = (("gripper", (1000,)), ("rover", (1, 4, 100, 2)), ("schedule", (1, 500)), ("delicate-can", (200,)))
STATES = 20_000


def seconds(work: Callable[[], Any], times: int = 5) -> float:
    return fastest(work, times)[0]


def detection(name: str, make: Callable[[], GroundTask]) -> None:
    reading, task = fastest(make)

    def find() -> None:
        task.found_symmetry = None
        find_symmetry(task)

    found = seconds(find)
    searched = seconds(lambda: solve(task, limits=Limits(20), symmetry="off"), times=2)
    share = found / (found + reading + searched)
    sizes = ", ".join(str(len(objects)) for objects in find_symmetry(task).classes) or "none"
    print(
        f"  {name:28.28} {sizes:>8}   {1e3 * reading:10.2f} {1e3 * searched:12.2f} {1e3 * found:10.3f}"
        f"   {100 * share:6.2f} %",
        flush=True,
    )


def interning(name: str, task: GroundTask) -> None:
    for kind, mode in (("as they come", "off"), ("sorted", "on")):
        source = StateSpace(task, symmetry="on" if mode == "on" else "off")
        source.explore(max_states=STATES)

        def intern_all(symmetry: bool, source: StateSpace = source) -> float:
            def run() -> None:
                StateSpace(task, symmetry="on" if symmetry else "off").core.intern_all(source.core)

            def start() -> None:
                StateSpace(task, symmetry="on" if symmetry else "off")

            return (seconds(run) - seconds(start)) / len(source)

        plain, canonical = 1e9 * intern_all(False), 1e9 * intern_all(True)
        atoms = task.core.atom_count
        print(f"  {name:24} {atoms:6} {kind:>14} {plain:9.0f} {canonical:15.0f} {canonical / plain:8.1f}", flush=True)


def walking(name: str, task: GroundTask) -> None:
    cells = []
    modes: tuple[Literal["off", "on"], ...] = ("off", "on")
    for mode in modes:
        best, (space, found) = fastest(partial(_walk, task, mode), 3)
        each = 1e6 * best / max(found.state_action_pairs, 1)
        cells.append(f"{found.states:9,}{' ' if found.complete else '+'} {space.core.pair_count:10,} {each:8.2f}")
    print(f"  {name:24} {cells[0]}   {cells[1]}", flush=True)


def _walk(task: GroundTask, mode: Literal["off", "on"]) -> tuple[StateSpace, Exploration]:
    space = StateSpace(task, symmetry=mode)
    return space, space.explore(max_states=STATES)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", help="pairs of domain and problem")
    files = parser.parse_args().files
    print("Looking for interchangeable objects (milliseconds)")
    print(f"  {'task':28} {'classes':>8}   {'read':>10} {'solve':>12} {'look':>10}   {'share':>8}")
    for name, theta in (*WITHOUT, *SMALL):
        with tempfile.TemporaryDirectory() as folder:
            domain, problem = generate(name, *theta).write(folder)
            detection(label(name, theta), partial(read, domain, problem))
    for domain_file, problem_file in zip(files[::2], files[1::2], strict=True):
        detection("/".join(Path(problem_file).parts[-2:]), partial(read, domain_file, problem_file))
    print("\nFinding representatives (nanoseconds a state)")
    print(f"  {'task':24} {'atoms':>6} {'states':>14} {'plain':>9} {'representative':>15} {'ratio':>8}")
    for name, theta in (*SMALL, *LARGE):
        interning(label(name, theta), generated(name, theta))
    print("\nWalking the space: states, transitions, microseconds a transition; without and with symmetry")
    for name, theta in (*SMALL, *LARGE):
        walking(label(name, theta), generated(name, theta))


if __name__ == "__main__":
    main()
