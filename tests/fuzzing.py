"""Random processes against an exact oracle: is what `solve` claims true?

    python -m tests.fuzzing --count 20000 --seed 1     (make fuzz)

A process is a handful of states with random actions, made to be awkward: costs at every scale from 1e-6 to 1e6, cheap
actions that lead nowhere, loops that are left once in ten thousand steps, dead ends, ties. The oracle is policy
iteration in rational numbers, on the very doubles that the core computes with. Every answer makes claims: its status,
that its value is what some policy costs, that its lower bound is one, and that what is called optimal is. A wrong one
is printed with the task, and the number that the task is made from.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf

from gpaplan import load, solve
from gpaplan.solving.solvers import make_solver

SOLVERS = ("vi", "lao", "ilao", "lrtdp", "soft-flares")
HEURISTICS = ("blind", "hmax", "lmcut", "hadd", "ff")
PRECISION = 1e-6
ROUNDING = 1e-9

Outcomes = list[tuple[Fraction, int]]


@dataclass(frozen=True)
class Process:
    """State 0 is the initial one, the last one the goal."""

    actions: list[list[tuple[float, Outcomes]]]
    dead_end_cost: float | None

    @property
    def goal(self) -> int:
        return len(self.actions)

    def ppddl(self) -> str:
        names = " ".join(f"(s{state})" for state in range(self.goal + 1))
        schemas = []
        for state, actions in enumerate(self.actions):
            for number, (cost, outcomes) in enumerate(actions):
                effects = " ".join(
                    f"{probability} {self._change(state, to)}" for probability, to in outcomes if probability != 1
                )
                effect = f"(probabilistic {effects})" if effects else self._change(state, outcomes[0][1])
                schemas.append(
                    f"(:action a{state}-{number} :precondition (s{state})"
                    f" :effect (and {effect} (increase (total-cost) {cost!r})))"
                )
        return (
            f"(define (domain d) (:requirements :probabilistic-effects :fluents) (:predicates {names})"
            f" (:functions (total-cost))\n  " + "\n  ".join(schemas) + ")\n"
            f"(define (problem p) (:domain d) (:init (s0)) (:goal (s{self.goal})) (:metric minimize (total-cost)))"
        )

    def _change(self, state: int, to: int) -> str:
        return "(and)" if to == state else f"(and (not (s{state})) (s{to}))"


def made(seed: int) -> Process:
    """The process of a number."""
    draw = random.Random(seed)
    scale = 10.0 ** draw.choice((-6, -3, 0, 0, 3, 6))
    states = draw.randint(2, 7)
    actions: list[list[tuple[float, Outcomes]]] = []
    for state in range(states):
        own = []
        for _ in range(draw.choice((0, 1, 1, 2, 2, 3)) if state else draw.randint(1, 3)):
            cost = scale * draw.choice((1, 1, 2, draw.randint(1, 100), 0.5))
            if draw.random() < 0.15:
                cost = scale * 1e-6  # cheap, and often useless
            own.append((cost, _outcomes(draw, state, states)))
        actions.append(own)
    penalty = scale * draw.choice((3, 50, 1e5)) if draw.random() < 0.3 else None
    return Process(actions, penalty)


def _outcomes(draw: random.Random, state: int, states: int) -> Outcomes:
    near = [state, min(state + 1, states), draw.randint(0, states), states]
    targets = list(dict.fromkeys(draw.choice(near) for _ in range(draw.randint(1, 3))))
    if len(targets) == 1:
        return [(Fraction(1), targets[0])]
    rare = draw.random() < 0.2
    weights = [draw.choice((1, 10_000)) if rare else draw.randint(1, 4) for _ in targets]
    return [(Fraction(weight, sum(weights)), to) for weight, to in zip(weights, targets, strict=True)]


# --- the oracle ---


def optimum(process: Process) -> Fraction | None:
    """The least expected cost from state 0, exactly; None if no policy reaches the goal for sure."""
    options = [[(Fraction(cost), outcomes) for cost, outcomes in actions] for actions in process.actions]
    if process.dead_end_cost is not None:
        for own in options:
            own.append((Fraction(process.dead_end_cost), [(Fraction(1), process.goal)]))
    alive = _alive(options, process.goal)
    if 0 not in alive:
        return None
    safe = {
        state: [(cost, outcomes) for cost, outcomes in options[state] if all(to in alive for _, to in outcomes)]
        for state in alive
        if state != process.goal
    }
    policy = _proper(safe, process.goal)
    while True:
        values = _evaluate(safe, policy, process.goal)
        better = {}
        for state, own in safe.items():
            costs = [cost + sum(p * values[to] for p, to in outcomes) for cost, outcomes in own]
            if min(costs) < values[state]:
                better[state] = costs.index(min(costs))
        if not better:
            return values[0]
        policy |= better


def _alive(options: list[list[tuple[Fraction, Outcomes]]], goal: int) -> set[int]:
    """States from which the goal can be reached for sure."""
    alive = set(range(goal + 1))
    while True:
        reach = {goal}
        while True:
            more = {
                state
                for state in alive - reach
                for _, outcomes in options[state]
                if all(to in alive for _, to in outcomes) and any(to in reach for _, to in outcomes)
            }
            if not more:
                break
            reach |= more
        if reach == alive:
            return alive
        alive = reach


def _proper(safe: dict[int, list[tuple[Fraction, Outcomes]]], goal: int) -> dict[int, int]:
    policy: dict[int, int] = {}
    done = {goal}
    while len(policy) < len(safe):
        for state, own in safe.items():
            for number, (_, outcomes) in enumerate(own):
                if state not in policy and any(to in done for _, to in outcomes):
                    policy[state] = number
                    done.add(state)
    return policy


def _evaluate(
    safe: dict[int, list[tuple[Fraction, Outcomes]]], policy: dict[int, int], goal: int
) -> dict[int, Fraction]:
    """Linear equations by elimination, in rational numbers."""
    order = list(safe)
    rows = []
    for state in order:
        cost, outcomes = safe[state][policy[state]]
        row = {state: Fraction(1)}
        for probability, to in outcomes:
            if to != goal:
                row[to] = row.get(to, Fraction(0)) - probability
        rows.append((row, cost))
    for i, pivot in enumerate(order):
        row, constant = rows[i]
        factor = row[pivot]
        row = {to: value / factor for to, value in row.items() if value}
        rows[i] = (row, constant / factor)
        for j in range(len(order)):
            share = rows[j][0].get(pivot, Fraction(0))
            if j != i and share:
                target = {to: value for to, value in rows[j][0].items() if to != pivot}
                for to, value in row.items():
                    if to != pivot:
                        target[to] = target.get(to, Fraction(0)) - share * value
                rows[j] = (target, rows[j][1] - share * rows[i][1])
    return {goal: Fraction(0)} | {state: rows[i][1] for i, state in enumerate(order)}


# --- the campaign ---


def wrong_claims(seed: int) -> Iterator[tuple[str, bool]]:
    """The claims made about the process of a number, each with whether it is wrong."""
    process = made(seed)
    task = load(process.ppddl(), cost="metric")
    exact = optimum(process)
    best = inf if exact is None else float(exact)
    draw = random.Random(seed)
    for solver in SOLVERS:
        heuristic = draw.choice(HEURISTICS)
        found = solve(task, make_solver(solver), heuristic=heuristic, dead_end_cost=process.dead_end_cost, seed=seed)
        name = f"{solver} with {heuristic}"
        yield f"{name}: status {found.status}", (found.status == "solved") != (exact is not None)
        yield f"{name}: lower bound {found.lower_bound!r} > {best!r}", found.lower_bound > best * (1 + ROUNDING)
        if isinf(best):
            continue
        yield f"{name}: value {found.value!r} < {best!r}", found.value < best * (1 - ROUNDING)
        proves = solver == "vi" or heuristic in ("blind", "hmax", "lmcut")
        yield (
            f"{name}: not proven, value {found.value!r}, bound {found.lower_bound!r}",
            (proves and found.guarantee != "optimal"),
        )
        yield (
            f"{name}: optimal {found.value!r}, not {best!r}",
            (found.guarantee == "optimal" and found.value > best * (1 + PRECISION + ROUNDING)),
        )


def campaign(seeds: range) -> tuple[int, list[str]]:
    """How many claims were looked at, and those that are wrong."""
    claims = 0
    wrong = []
    for seed in seeds:
        for text, is_wrong in wrong_claims(seed):
            claims += 1
            if is_wrong:
                wrong.append(f"process {seed}: {text}")
    return claims, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first process; the others follow")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    claims = 0
    wrong: list[str] = []
    for first in range(arguments.seed, arguments.seed + arguments.count, 500):
        more, found = campaign(range(first, min(first + 500, arguments.seed + arguments.count)))
        claims += more
        wrong += found
        for line in found:
            print(line, flush=True)
        if sys.stderr.isatty():
            print(f"\r{claims:,} claims, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
    last = arguments.seed + arguments.count - 1
    print(
        f"{arguments.count:,} processes ({arguments.seed} to {last}), {claims:,} claims, {len(wrong)} wrong, "
        f"{time.perf_counter() - begun:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
