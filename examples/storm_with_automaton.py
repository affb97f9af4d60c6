"""Accelerate another solver with an automaton: Storm checks what gpaplan's automaton leaves of a problem.

    python examples/storm_with_automaton.py [PACKETS]

An automaton is learned from router problems with two to five packets. The Markov decision process of a larger problem
is exported twice, whole and under the automaton, and Storm computes the least expected cost of both. Needs stormpy
(`pip install "gpaplan[oracles]"`).
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import stormpy

from gpaplan import ConstrainedStateSpace, LAOStar, PolicyAutomaton, StateSpace, ground, learn, solve
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.spaces.export import explored, write_drn


def train() -> PolicyAutomaton:
    solutions = []
    for packets in (2, 3, 4, 5):
        benchmark = generate("schedule", 1, packets)
        task = ground(benchmark.domain, benchmark.problem)
        solutions.append(solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut"))
    return learn(benchmark.domain, solutions)


def check(space: StateSpace) -> tuple[float, int, float]:
    """The least expected cost by Storm, the number of states, and the seconds that exporting and checking took."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drn"
        with path.open("w") as file:
            file.writelines(write_drn(explored(space)))
        model = stormpy.build_model_from_drn(str(path))
    formula = stormpy.parse_properties('Rmin=? [F "goal"]')[0]
    environment = stormpy.Environment()
    environment.solver().min_max().method = stormpy.environments.MinMaxMethod.POLICY_ITERATION
    result = stormpy.model_checking(model, formula, only_initial_states=True, environment=environment)
    return result.get_value(model.initial_states[0]), model.nr_states, time.perf_counter() - started


def main(packets: int = 8) -> list[tuple[float, int, float]]:
    automaton = train()
    benchmark = generate("schedule", 1, packets)
    task = ground(benchmark.domain, benchmark.problem)
    results = [check(StateSpace(task)), check(ConstrainedStateSpace(task, automaton))]
    print(f"{packets} packets; the optimal cost is {DOMAINS['schedule'].optimal_cost(1, packets):.6f}")
    for name, (cost, states, seconds) in zip(("whole problem", "with automaton"), results, strict=True):
        print(f"  {name:15} {states:8,} states  cost {cost:.6f}  {seconds:.2f} s")
    return results


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
