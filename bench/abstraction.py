"""What abstraction costs: solving Gripper, where an automaton prunes least, with and without one.

    python bench/abstraction.py [--largest 10]

The automaton keeps almost every state of Gripper, so nearly all that it adds to the time of a search is the abstraction
of states, the look-up of edges, and, with solvers that work by trials, other trials. CPU seconds with the FF heuristic,
the best of five in one process; the share is (with - without) / with. The table is Markdown.
"""

from __future__ import annotations

import argparse
import time

from gpaplan import LRTDP, LAOStar, PolicyAutomaton, SoftFLARES, Solution, ValueIteration, ground, learn, solve
from gpaplan.benchmarks import generate
from gpaplan.solving.solvers import Solver
from gpaplan.tasks.task import GroundTask

SOLVERS: dict[str, Solver] = {
    "LRTDP": LRTDP(epsilon=1e-5),
    "Soft-FLARES": SoftFLARES(epsilon=1e-5),
    "Topological VI": ValueIteration(epsilon=1e-5),
}


def train() -> PolicyAutomaton:
    solutions = []
    for balls in range(1, 6):
        benchmark = generate("gripper", balls)
        task = ground(benchmark.domain, benchmark.problem)
        solutions.append(solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut"))
    return learn(benchmark.domain, solutions)


def fastest(task: GroundTask, solver: Solver, automaton: PolicyAutomaton | None) -> tuple[float, Solution]:
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        solution = solve(task, solver, heuristic="ff", automaton=automaton)
        best = min(best, time.process_time() - started)
    return best, solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10)
    arguments = parser.parse_args()
    automaton = train()
    print("| balls | solver | states without | with | backups without | with | CPU s without | with | share |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    for balls in range(7, arguments.largest + 1):
        benchmark = generate("gripper", balls)
        task = ground(benchmark.domain, benchmark.problem)
        for name, solver in SOLVERS.items():
            (plain_seconds, plain), (seconds, guided) = fastest(task, solver, None), fastest(task, solver, automaton)
            share = (seconds - plain_seconds) / seconds
            print(
                f"| {balls} | {name} | {plain.expanded:,} | {guided.expanded:,} | {plain.search.backup_count:,} "
                f"| {guided.search.backup_count:,} | {plain_seconds:.3f} | {seconds:.3f} | {share:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
