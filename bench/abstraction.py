"""What abstraction costs: solving Gripper, where an automaton prunes least, with and without one.

    python bench/abstraction.py [--largest 10]

The automaton keeps almost every state of Gripper, so nearly all that it adds to the time of a search is the abstraction
of states, the look-up of edges, and, with solvers that work by trials, other trials. CPU seconds with the FF heuristic,
the best of five in one process; the share is (with - without) / with. The table is Markdown.
"""

from __future__ import annotations

from functools import partial

from gpaplan import LRTDP, SoftFLARES, ValueIteration, solve
from gpaplan.solving.solvers import Solver
from measuring import fastest, generated, options, print_head, print_row, trained

SOLVERS: dict[str, Solver] = {
    "LRTDP": LRTDP(epsilon=1e-5),
    "Soft-FLARES": SoftFLARES(epsilon=1e-5),
    "Topological VI": ValueIteration(epsilon=1e-5),
}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--largest", type=int, default=10)
    arguments = parser.parse_args()
    automaton = trained("gripper", [(balls,) for balls in range(1, 6)])
    columns = ("states without", "with", "backups without", "with", "CPU s without", "with", "share")
    print_head("balls", "<solver", *columns)
    for balls in range(7, arguments.largest + 1):
        task = generated("gripper", (balls,))
        for name, solver in SOLVERS.items():
            search = partial(solve, task, solver, heuristic="ff", symmetry="off")
            plain_seconds, plain = fastest(search)
            seconds, guided = fastest(partial(search, automaton=automaton, fallback="none"))
            print_row(
                balls,
                name,
                f"{plain.expanded:,}",
                f"{guided.expanded:,}",
                f"{plain.search.backup_count:,}",
                f"{guided.search.backup_count:,}",
                f"{plain_seconds:.3f}",
                f"{seconds:.3f}",
                f"{(seconds - plain_seconds) / seconds:.0%}",
            )


if __name__ == "__main__":
    main()
