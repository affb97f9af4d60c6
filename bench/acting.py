"""Acting: how far it gets without a policy for every state, and where solving ends.

    python bench/acting.py                       all parts
    python bench/acting.py --part tyres          one of them
    python bench/acting.py --trials 20 --time-limit 30

tyres       Little and Thiébaux's triangle tireworld, sizes 20, 50 and 100, by an automaton from sizes 1 to 3
rates       the competition's triangle tireworld and blocksworld: goal rate and cost by size, with and without looking
            ahead, with and without an automaton
thousand    the five domains with a thousand objects: acting next to the optimal cost
places      deliveries and maintenance on maps of 500 and 5,000 places, by certified rules: processor time a decision
solve       solve against act on tasks of growing size, within the same time limit

Printed are figures of `gpaplan simulate` and `gpaplan solve`, each in a process of its own, as Markdown.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpaplan import StateSpace, ground
from gpaplan.acting.actor import Actor
from gpaplan.benchmarks import FAMILIES, generate
from measuring import SOURCES, command, label, options, print_head, print_row

LITTLE = "triangle-tireworld-little"
RULES = Path(__file__).parent.parent / "docs" / "results" / "certificates"


def learned(folder: str, name: str, *sizes: tuple[int, ...]) -> tuple[Path, float]:
    """An automaton from small problems, and the seconds that it took."""
    files = [generate(name, *theta).write(folder) for theta in sizes]
    output = Path(folder) / f"{name}.gpa.json"
    done = command("learn", files[0][0], *(problem for _, problem in files), "-o", output)
    return output, done.seconds


def acted(folder: str, name: str, theta: tuple[int, ...], trials: int, horizon: int, *more: Any) -> dict[str, Any]:
    """The record of trials."""
    files = generate(name, *theta).write(folder)
    return command("simulate", *files, "--trials", trials, "--horizon", horizon, *more).record


def share(record: dict[str, Any]) -> str:
    return f"{round(record['goal_rate'] * record['trials'])} of {record['trials']}"


def tyres(folder: str, trials: int, _limit: float) -> None:
    automaton, seconds = learned(folder, LITTLE, (1,), (2,), (3,))
    print(f"\nLearned from sizes 1 to 3 in {seconds:.2f} s, start of Python included.\n")
    print_head("size", "goal reached", "mean cost", "optimal", "above", "ms a decision", "slowest ms")
    for size in (20, 50, 100):
        found = acted(folder, LITTLE, (size,), trials, 10_000, "--gpa", automaton)
        optimal = FAMILIES[LITTLE].optimal_cost(size)
        above = found["goal_cost"] / optimal - 1
        cost, decision = f"{found['goal_cost']:.2f}", f"{found['milliseconds']:.2f}"
        print_row(f"{size}", share(found), cost, f"{optimal:.1f}", f"{above:+.2%}", decision, f"{found['slowest']:.1f}")


def rates(folder: str, trials: int, limit: float) -> None:
    print_head(
        "<problem", "<acting by", "steps ahead", "goal reached", "cost at the goal", "ms a decision", "slowest ms"
    )
    for name, training, sizes in (
        ("triangle-tireworld", ((1,), (2,), (3,)), (3, 4, 5, 6, 8, 10)),
        ("blocksworld", ((2,), (3,), (4,)), (5, 6, 8, 10, 12)),
    ):
        automaton, _ = learned(folder, name, *training)
        for size in sizes:
            for words, steps, how in (
                ("automaton", 1, ("--gpa", automaton, "--decision-states", 1)),
                ("automaton", 10, ("--gpa", automaton)),
                ("search alone", 10, ("--online",)),
            ):
                more = (*how, "--steps", steps, "--time-limit", limit)
                found = acted(folder, name, (size,), trials, 2_000, *more)
                cost = "" if found["goal_cost"] is None else f"{found['goal_cost']:.2f}"
                times = f"{found['milliseconds']:.2f}", f"{found['slowest']:.1f}"
                print_row(label(name, (size,)), words, f"{steps}", share(found), cost, *times)


TARGETS: dict[str, tuple[int, ...]] = {
    "gripper": (1000,),
    "schedule": (1, 500),
    "delicate-can": (200,),
    "rover": (1, 4, 100, 2),
    "keva": (401, 200),
}


def thousand(folder: str, trials: int, limit: float) -> None:
    print_head(
        "<problem", "trials", "goal reached", "mean cost", "standard error", "optimal", "ms a decision", "slowest ms"
    )
    for name, theta in TARGETS.items():
        file = Path(folder) / f"{name}.gpa.json"
        command("grow", name, *SOURCES[name].split(), "--time-limit", 60, "-o", file)
        found = acted(folder, name, theta, trials, 20_000, "--gpa", file, "--time-limit", limit)
        error = found["sd_cost"] / math.sqrt(found["trials"])
        print_row(
            label(name, theta),
            f"{found['trials']}",
            share(found),
            f"{found['mean_cost']:.2f}",
            f"{error:.2f}",
            f"{FAMILIES[name].optimal_cost(*theta):.2f}",
            f"{found['milliseconds']:.2f}",
            f"{found['slowest']:.1f}",
        )


LARGE_MAPS: list[tuple[str, tuple[int, ...]]] = [
    *(("delivery", (kind, count, 20, 5, 1)) for count in (500, 5000) for kind in (1, 4)),
    *(("maintenance", (kind, count, 20, 1)) for count in (500, 5000) for kind in (1, 4)),
]
MOST_DECISIONS = 400


def places(_folder: str, _trials: int, _limit: float) -> None:
    print_head("<problem", "actions", "decisions", "ms a decision", "slowest ms", "<by rules")
    for name, theta in LARGE_MAPS:
        made = generate(name, *theta)
        task = ground(made.domain, made.problem)
        actor = Actor(task, automaton=RULES / f"{name}.json")
        world, draw = StateSpace(task, symmetry="off"), random.Random(1)
        state, by_rules = tuple(task.core.initial_atoms), 0
        taken: list[float] = []
        while len(taken) < MOST_DECISIONS:
            begun = time.process_time()
            decision = actor.choose(state)
            seconds = time.process_time() - begun
            if decision.index is None:
                break
            taken.append(seconds)
            by_rules += decision.source == "automaton"
            outcomes = next(o for a, _, o in world.core.transitions(world.core.intern(state)) if a == decision.index)
            (_, successor), *_ = draw.choices(outcomes, [probability for probability, _ in outcomes])
            state = tuple(world.core.atoms(successor))
        times = f"{1e3 * sum(taken) / len(taken):.2f}", f"{1e3 * max(taken):.1f}"
        print_row(
            label(name, theta), f"{task.core.action_count:,}", f"{len(taken)}", *times, f"{by_rules} of {len(taken)}"
        )


def solve(folder: str, trials: int, limit: float) -> None:
    print_head("<problem", "<solve", "states", "s", "<act: goal reached", "cost", "s for all trials")
    for name, training, sizes in (
        (LITTLE, ((1,), (2,), (3,)), (3, 4, 5, 6, 10)),
        ("triangle-tireworld", ((1,), (2,), (3,)), (2, 3, 4, 5)),
        ("blocksworld", ((2,), (3,), (4,)), (5, 6, 7, 8, 9)),
    ):
        automaton, _ = learned(folder, name, *training)
        for size in sizes:
            files = generate(name, size).write(folder)
            limits = "--time-limit", limit, "--memory-limit", 4000
            found, seconds, _, _ = command("solve", *files, "--gpa", automaton, *limits)
            value = found["status"] if found["status"] != "solved" else f"{found['value']:.3f}"
            done = command("simulate", *files, "--gpa", automaton, "--trials", trials, "--horizon", 2_000, *limits[:2])
            cost = "" if done.record["goal_cost"] is None else f"{done.record['goal_cost']:.2f}"
            states = f"{found['expanded']:,}"
            print_row(
                label(name, (size,)), value, states, f"{seconds:.2f}", share(done.record), cost, f"{done.seconds:.2f}"
            )


PARTS = {"tyres": tyres, "rates": rates, "thousand": thousand, "places": places, "solve": solve}


def chosen(parts: list[str] | None) -> Iterator[str]:
    return (name for name in PARTS if not parts or name in parts)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only this one; may be repeated")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for the trials of a row, or for solving")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen(arguments.part):
            print(f"\n## {name}\n")
            PARTS[name](folder, arguments.trials, arguments.time_limit)


if __name__ == "__main__":
    main()
