"""What abstraction costs: LRTDP with and without an automaton on Gripper, where an automaton prunes least.

    python bench/abstraction.py [--largest 10]

The automaton keeps almost every state of Gripper, so nearly all that it adds to the time of the search is the
abstraction of states and the look-up of edges. CPU seconds, the best of five in one process; the share is (with -
without) / with.
"""

from __future__ import annotations

import argparse
import time

from gpaplan import LRTDP, LAOStar, PolicyAutomaton, Solution, ground, learn, solve
from gpaplan.benchmarks import generate
from gpaplan.task import GroundTask


def train() -> PolicyAutomaton:
    solutions = []
    for balls in range(1, 6):
        benchmark = generate("gripper", balls)
        task = ground(benchmark.domain, benchmark.problem)
        solutions.append(solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut"))
    return learn(benchmark.domain, solutions)


def fastest(task: GroundTask, automaton: PolicyAutomaton | None) -> tuple[float, Solution]:
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        solution = solve(task, LRTDP(), automaton=automaton)
        best = min(best, time.process_time() - started)
    return best, solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10)
    arguments = parser.parse_args()
    automaton = train()
    print(f"{automaton}\n   b   expanded without   with   CPU s without   with   share")
    for balls in range(7, arguments.largest + 1):
        benchmark = generate("gripper", balls)
        task = ground(benchmark.domain, benchmark.problem)
        (plain_seconds, plain), (seconds, guided) = fastest(task, None), fastest(task, automaton)
        share = (seconds - plain_seconds) / seconds
        print(
            f"  {balls:2} {plain.expanded:18,} {guided.expanded:8,} {plain_seconds:13.3f} {seconds:7.3f} {share:6.0%}"
        )


if __name__ == "__main__":
    main()
