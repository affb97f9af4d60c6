"""Memory: what a search takes for each state that it meets.

    python bench/memory.py
    python bench/memory.py --case "gripper 12" --solver lrtdp

Each row is a process of its own. It solves a tiny problem first, so that all that is loaded once is there, and then
the problem at hand; "in all" is by how much the peak of its resident memory then is above what it was in between,
divided by the number of states met. Nothing is left out: the ground task, the heuristic, arrays that live for a moment,
memory that was reserved and not used. "Transitions" are those of the expanded states, and "the rest" is the difference:
packed states and their hash table, values, policy and labels among it.

    python bench/memory.py --packing [DIRECTORY]

prints something else: the bits and words of a packed state as it is, a bit an atom, and as it would be by variables, on
generated problems and the last of each domain of a collection of PPDDL files, if one is given. Where the words are as
many, a state is hashed and compared in the same time.

The figures to beat: ProbFD takes 137 bytes a state on Gripper(12) and 123 on Rover(1,4,12,2), the peak of its process
less that of one with nothing to do.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from competition import find
from gpaplan import GpaplanError, GroundTask, find_variables, solve
from gpaplan.solving.solvers import make_solver
from measuring import apart, competition_files, generated, options, print_head, print_row, read

CASES: dict[str, tuple[int, ...]] = {
    "gripper 10": (2,),
    "gripper 12": (2,),
    "rover 1 4 12 2": (1, 3, 2, 2),
    "blocksworld 7": (3,),
}
"""Each with the size of a tiny problem of its domain."""

PACKED = [*CASES, "schedule 1 8", "keva 6 2", "delicate-can 10", "triangle-tireworld 4"]
"""Whose packed states are looked at by --packing."""

RUNS = [("lrtdp", "hmax"), ("lrtdp", "ff"), ("ilao", "hmax"), ("vi", "blind")]


def resident(which: str) -> int:
    """A line of what the system says of this process, in bytes: VmHWM is the peak so far."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(which + ":")]
    return int(line.split()[1]) * 1024


def measure(case: str, solver: str, heuristic: Any) -> dict[str, Any]:
    name, *theta = case.split()
    chosen = make_solver(solver)
    solve(generated(name, CASES[case]), chosen, heuristic=heuristic, symmetry="off")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = resident("VmRSS")
    task = generated(name, map(int, theta))
    started = time.process_time()
    solution = solve(task, chosen, heuristic=heuristic, symmetry="off")
    seconds = time.process_time() - started
    return {
        "status": solution.status,
        "value": solution.value,
        "states": solution.generated,
        "seconds": seconds,
        "bytes": resident("VmHWM") - before,
        "transitions": solution.space.core.transition_bytes,
    }


def packed(task: GroundTask) -> tuple[int, int]:
    """The bits of a state as sets of atoms, and by variables: as few as tell the values of each apart."""
    variables = find_variables(task)
    return len(task.atoms), sum((len(variable) - 1).bit_length() for variable in variables)


def print_packing(root: Path | None) -> None:
    """A row for each problem: what packing by variables would save."""
    tasks = {case: generated(name, map(int, theta)) for case in PACKED for name, *theta in [case.split()]}
    last = {f"{Path(each.collection).name}/{each.domain}": each for each in ([] if root is None else find(root))}
    for entry in last.values():
        name = f"{Path(entry.collection).name}/{entry.domain}/{entry.problem.stem.split('-')[0]}"
        files = competition_files(entry.problem.parent, entry.problem.stem.split("-")[0])
        try:
            tasks[name] = read(*files)
        except GpaplanError as error:
            print(f"{name}: {str(error).splitlines()[0]}")
    print_head("<task", "bits, an atom each", "words", "bits by variables", "words then", "bytes saved")
    for name, task in tasks.items():
        atoms, bits = packed(task)
        now, then = (max(1, -(-number // 64)) for number in (atoms, bits))
        print_row(name, f"{atoms:,}", now, f"{bits:,}", then, 8 * (now - then))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--packing", nargs="?", const="", metavar="DIRECTORY", help="only the size of packed states")
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this problem; may be repeated")
    parser.add_argument("--solver", action="append", choices=["lrtdp", "ilao", "vi"], help="only this solver")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(*arguments.measure)))
        return
    if arguments.packing is not None:
        print_packing(Path(arguments.packing) if arguments.packing else None)
        return
    print_head("<task", "<solver", "states met", "CPU s", "bytes a state in all", "transitions", "the rest")
    for case in arguments.case or CASES:
        for solver, heuristic in RUNS:
            if arguments.solver and solver not in arguments.solver:
                continue
            row = apart(case, solver, heuristic)
            if row is None or row["status"] != "solved":
                print_row(case, f"{solver} + {heuristic}", "not solved", *[""] * 4)
                continue
            states = row["states"]
            figures = [row["bytes"], row["transitions"], row["bytes"] - row["transitions"]]
            shown = [f"{number / states:.1f}" for number in figures]
            print_row(case, f"{solver} + {heuristic}", f"{states:,}", f"{row['seconds']:.2f}", *shown)


if __name__ == "__main__":
    main()
