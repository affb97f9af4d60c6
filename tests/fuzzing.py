"""Random tasks against an exact oracle: is what `solve` claims true?

    python -m tests.fuzzing --count 13000 --seed 1     (make fuzz)

A number stands for two tasks, made to be awkward. A process: a handful of states with random actions, costs at every
scale from 1e-6 to 1e6, cheap actions that lead nowhere, loops that are left once in ten thousand steps, dead ends,
ties. A PPDDL task with interchangeable objects (tests/symmetric_tasks.py), solved with symmetry and without, and
under a random automaton. Heuristics, dead-end costs and proofs are drawn, and limits that strike after a random number
of looks at them, before any backup there is. The oracle is policy iteration in rational numbers (tests/exact.py); the
policy that is returned is followed by the reference interpreter (tests/policy_worth.py). Every answer makes claims: its
status, every field that speaks of its policy, that its lower bound is one, that what is called optimal is, or is so
among what the automaton leaves, and that `prove` proves. A wrong one is printed with the number, and with the line that
makes it a test.
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
from typing import Any, TypeAlias

from gpaplan import ConstrainedStateSpace, Limits, Solution, StateSpace, load, solve
from gpaplan.automata.filters import Match
from gpaplan.errors import ContradictionError
from gpaplan.solving.settings import Fallback
from gpaplan.solving.solvers import make_solver
from gpaplan.spaces.state_space import SymmetryMode
from tests.exact import Outcomes, least_cost, options_of
from tests.policy_automata import random_automaton
from tests.policy_worth import worth_of
from tests.symmetric_tasks import symmetric_task

SOLVERS = ("vi", "lao", "ilao", "lrtdp", "soft-flares", "ssipp")
"""Those that are satisfied with nothing but an optimal policy, given an admissible heuristic."""
PORTFOLIO = "the portfolio"
HEURISTICS = ("blind", "hmax", "lmcut", "hadd", "ff", "pdb", "best")
ADMISSIBLE = ("blind", "hmax", "lmcut", "pdb", "best")
SYMMETRY: tuple[SymmetryMode, ...] = ("on", "off")
MATCH: tuple[Match, ...] = ("strict", "coarse")
FALLBACK: tuple[Fallback, ...] = ("turns", "full", "local")
PRECISION = 1e-6
ROUNDING = 1e-9
MOST_STATES = 60
"""Of a PPDDL task; larger ones are left out."""

Claims: TypeAlias = Iterator[tuple[str, bool]]
"""What is claimed, and whether it is wrong."""


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


def optimum(process: Process) -> Fraction | None:
    """The least expected cost from state 0; None if no policy reaches the goal for sure."""
    options = {
        state: [(Fraction(cost), outcomes) for cost, outcomes in actions]
        for state, actions in enumerate(process.actions)
    }
    return least_cost(options, {process.goal}, process.dead_end_cost)


# --- claims ---


def claims_of(name: str, found: Solution, best: float, *, proves: bool, is_limited: bool) -> Claims:
    """What a solution says of the whole task, and of its policy."""
    yield from claims_about_policy(name, found)
    if found.status == "time-limit":
        yield f"{name}: status {found.status}", not is_limited
    else:
        yield f"{name}: status {found.status}", (found.status == "solved") != (best < inf)
    yield f"{name}: lower bound {found.lower_bound!r} > {best!r}", found.lower_bound > best * (1 + ROUNDING)
    if isinf(best):
        return
    yield f"{name}: value {found.value!r} < {best!r}", found.value < best * (1 - ROUNDING)
    is_optimal = found.guarantee == "optimal"
    if proves and not is_limited:
        yield f"{name}: not proven, value {found.value!r}, bound {found.lower_bound!r}", not is_optimal
    yield (
        f"{name}: optimal {found.value!r}, not {best!r}",
        is_optimal and found.value > best * (1 + PRECISION + ROUNDING),
    )


def claims_about_policy(name: str, found: Solution) -> Claims:
    """Every field that speaks of the policy, next to what the policy is worth by the reference interpreter."""
    worth = worth_of(found.policy, found.dead_end_cost)
    yield f"{name}: closed {found.closed}", found.closed != worth.closed
    yield f"{name}: proper {found.proper}", found.proper != worth.proper
    probability = found.goal_probability
    yield f"{name}: goal probability {probability!r}", probability is None and worth.closed
    if probability is not None:
        chance = float(worth.goal_probability)
        yield f"{name}: goal probability {probability!r}, not {chance!r}", abs(probability - chance) > ROUNDING
    cost = inf if worth.cost is None else float(worth.cost)
    differs = found.value != cost if isinf(cost) else abs(found.value - cost) > ROUNDING * cost
    yield f"{name}: value {found.value!r}, not {cost!r}", differs
    if found.symmetry is None and found.closed and not found.space.task.dropped_atoms:
        yield (
            f"{name}: {found.policy_states} states of the policy, not {worth.states}",
            (found.policy_states != worth.states),
        )


def settings_of(draw: random.Random, solver: str) -> tuple[str, bool, dict[str, Any]]:
    """A heuristic, perhaps a proof, and perhaps a limit that strikes after a random number of looks at it; what they
    are called, and whether an answer without a limit must be proven."""
    heuristic = draw.choice(HEURISTICS)
    prove = draw.random() < 0.3
    settings: dict[str, Any] = {"prove": prove}
    if solver == PORTFOLIO:
        settings["effort"] = "balanced" if prove else draw.choice(("first", "balanced"))
    else:
        settings |= {"solver": make_solver(solver), "heuristic": heuristic}
    name = f"{solver} with {heuristic}, {settings}"
    if draw.random() < 0.4:
        looks = int(10 ** draw.uniform(0, 3.5))
        settings["limits"] = Limits().start()
        settings["limits"].strike_after(looks)
        name += f", struck after {looks} looks"
    return name, prove or solver == "vi" or (heuristic in ADMISSIBLE and solver in SOLVERS), settings


def claims_about_process(seed: int) -> Claims:
    process = made(seed)
    task = load(process.ppddl(), cost="metric", relevance=False)
    exact = optimum(process)
    best = inf if exact is None else float(exact)
    draw = random.Random(seed)
    for solver in (*SOLVERS, "wlao", PORTFOLIO):
        name, proves, settings = settings_of(draw, solver)
        found = solve(task, **settings, dead_end_cost=process.dead_end_cost, seed=seed, symmetry="off")
        yield from claims_of(name, found, best, proves=proves, is_limited="limits" in settings)


def claims_about_ppddl(seed: int) -> Claims:
    """With interchangeable objects, and under an automaton; none if the task is too large for the oracle."""
    draw = random.Random(seed)
    scale = 10.0 ** draw.choice((-6, -3, 0, 0, 3, 6))
    task = symmetric_task(seed, scale)
    space = StateSpace(task, symmetry="off")
    if not space.explore(max_states=MOST_STATES).complete:
        return
    penalty = scale * draw.choice((2, 10, 1e4)) if draw.random() < 0.4 else None
    exact = least_cost(*options_of(space), penalty, space.initial)
    best = inf if exact is None else float(exact)
    for solver in (*SOLVERS, "wlao", PORTFOLIO):
        name, proves, settings = settings_of(draw, solver)
        symmetry = draw.choice(SYMMETRY)
        found = solve(task, **settings, dead_end_cost=penalty, seed=seed, symmetry=symmetry)
        name += f", symmetry {symmetry}"
        yield from claims_of(name, found, best, proves=proves, is_limited="limits" in settings)

    automaton = random_automaton(space, draw.random() < 0.5, draw.choice((0.3, 0.7, 0.95)), seed)
    for solver in draw.sample((*SOLVERS, "wlao", PORTFOLIO), 2):
        name, _, settings = settings_of(draw, solver)
        symmetry = draw.choice(SYMMETRY)
        match = draw.choice(MATCH)
        found = solve(
            task,
            **settings,
            automaton=automaton,
            match=match,
            fallback=draw.choice(FALLBACK),
            dead_end_cost=penalty,
            seed=seed,
            symmetry=symmetry,
        )
        name += f", symmetry {symmetry}, under an automaton, {match}"
        is_limited = "limits" in settings
        yield from claims_of(name, found, best, proves=settings["prove"], is_limited=is_limited)
        if found.matching is None:
            yield f"{name}: no word of the automaton", not is_limited
            continue
        kept = ConstrainedStateSpace(task, automaton, symmetry="off", match=match, level=found.matching.level)
        kept.explore()
        within = least_cost(*options_of(kept), penalty, kept.initial)
        if penalty is None and not is_limited:  # else a policy that gives up is no reason to stay within the automaton
            yield f"{name}: fallback {found.fallback}", found.fallback != (within is None)
        least = best if within is None or found.fallback else float(within)
        yield (
            f"{name}: hierarchically optimal {found.value!r}, not {least!r}",
            found.guarantee == "hierarchically-optimal" and found.value > least * (1 + PRECISION + ROUNDING),
        )


# --- the campaign ---


def campaign(seeds: range) -> tuple[int, int, list[str]]:
    """How many tasks and claims were looked at, and the claims that are wrong."""
    tasks = 0
    claims = 0
    wrong = []
    for seed in seeds:
        for kind, about in (("process", claims_about_process), ("PPDDL task", claims_about_ppddl)):
            before = claims
            try:
                for text, is_wrong in about(seed):
                    claims += 1
                    if is_wrong:
                        wrong.append(f"{kind} {seed}: {text}")
            except ContradictionError as error:
                wrong.append(f"{kind} {seed}: {error}")
            tasks += claims > before
    return tasks, claims, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=13_000, help="of numbers; each stands for up to two tasks")
    parser.add_argument("--seed", type=int, default=1, help="the first number; the others follow")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    tasks = 0
    claims = 0
    wrong: list[str] = []
    end = arguments.seed + arguments.count
    for first in range(arguments.seed, end, 100):
        looked_at, more, found = campaign(range(first, min(first + 100, end)))
        tasks += looked_at
        claims += more
        wrong += found
        for line in found:
            print(
                line,
                f"  add {line.split(':')[0].split()[-1]} to FOUND in tests/properties/test_soundness.py",
                sep="\n",
                flush=True,
            )
        if sys.stderr.isatty():
            print(f"\r{tasks:,} tasks, {claims:,} claims, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
    print(
        f"numbers {arguments.seed} to {end - 1}: {tasks:,} tasks, {claims:,} claims, {len(wrong)} wrong, "
        f"{time.perf_counter() - begun:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
