"""What a unit of work takes, and what checking an answer takes.

    python bench/work.py

Turns of searches are counted in work (`_core.Search.work`), which is to be in proportion to time whatever the solver
and the heuristic: the column "ns/work" has the nanoseconds for a unit, tables that are made before included. Then
follows the share of a solve that goes to comparing what the answer says with itself (`gpaplan.solving.answer`), which
is always on. All by the processor's clock, the fastest of five runs.
"""

from __future__ import annotations

from functools import partial

from gpaplan import Solution, solve
from gpaplan.solving.answer import contradictions
from gpaplan.solving.solvers import make_solver
from measuring import fastest, generated, label, print_head, print_row

CASES: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (2,)),
    ("gripper", (9,)),
    ("rover", (1, 3, 2, 2)),
    ("rover", (1, 4, 8, 2)),
    ("schedule", (1, 7)),
    ("triangle-tireworld", (3,)),
    ("blocksworld-towers", (6, 1)),
]
SEARCHES = [("vi", "blind"), ("wlao", "ff"), ("lrtdp", "ff"), ("lrtdp", "lmcut"), ("ilao", "lmcut"), ("ilao", "best")]


OFTEN = 1000


def check_often(found: Solution) -> None:
    for _ in range(OFTEN):
        list(contradictions(found))


def main() -> None:
    print_head("<problem", "<solver", "<heuristic", "seconds", "states", "ns/work", "exit check")
    for name, theta in CASES:
        task = generated(name, theta)
        for solver, heuristic in SEARCHES:
            run = partial(solve, task, make_solver(solver), heuristic=heuristic, symmetry="off")  # type: ignore[arg-type]
            seconds, found = fastest(run)
            checking, _ = fastest(partial(check_often, found))
            print_row(
                label(name, theta),
                solver,
                heuristic,
                f"{seconds:.4f}",
                f"{found.expanded:,}",
                f"{1e9 * seconds / max(1, found.search.work):.0f}",
                f"{100 * checking / OFTEN / seconds:.3f} %",
            )


if __name__ == "__main__":
    main()
