"""From one large problem and nothing else: what `learn` makes of it, and what that is worth.

    python bench/self_taught.py [FAMILY...] [--files DOMAIN PROBLEM ...] [--trials N] [--jobs N]

For each family one large problem is learned from with no option at all: thirteen of the benchmark families, and fifteen
domains that nothing was tuned on (`fresh_domains.py`). The table says how many problems were made, how many seconds of
processor time that and learning took, what was taken, what a search under it expands and costs next to one without an
automaton, and how acting went: on the problem itself, and, where others of its size can be drawn, on four of these.

*Useful* is: acting reaches the goal in 99 % of the trials, on all of these problems, at a cost of at most 1.3 times the
best known of the first; or that is solved with at most a tenth of the states of the search without an automaton, or
where that finds no policy within its limit. A search that has a policy at its limit (marked *) has a cost, and its
states do not count, since most of them are of a proof. Where no cost is known but what the automaton itself came to,
acting that reaches the goal is *goal only*, and does not count: nobody knows what it should cost.
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import fresh_domains
from gpaplan import GpaplanError, GroundTask, Limits, Solution, Status, load, solve
from gpaplan.acting.trials import ActingSimulation, simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import family, generate
from gpaplan.learning.loop import learn_problems
from gpaplan.learning.solving import TRAINING
from gpaplan.ppddl.syntax import Domain

LARGE: dict[str, tuple[int, ...]] = {
    "gripper": (50,),
    "rover": (1, 6, 20, 4),
    "schedule-ippc": (1, 20),
    "keva-shah": (29, 10),
    "delicate-can-shah": (12,),
    "triangle-tireworld": (8,),
    "rectangle-tireworld": (12, 1, 3, 1),
    "blocksworld-towers": (20, 0),
    "delivery": (1, 50, 10, 0, 0),
    "maintenance": (1, 25, 5, 0),
    "cosanostra": (10,),
    "zenotravel": (10, 8, 3, 0),
    "elevators": (6, 5, 2, 4, 2, 0),
}
DRAWN = ("rectangle-tireworld", "blocksworld-towers", "delivery", "maintenance", "zenotravel", "elevators")
"""Families in which the last number says which problem of a size it is."""
OTHERS = 4
LEARN = Limits(seconds=900)
SEARCH = Limits(seconds=40, megabytes=4000)
ACT = Limits(seconds=60)
"""By the clock, and generous, so that little depends on what else the machine does."""
HEAD = "family  objects  made  learn s  taken  states/plain  cost/plain  acting: goal, cost  others: goal  best  useful"


class Family(NamedTuple):
    """The problems of a family, each with its domain, and the optimal cost of the first if it is known."""

    name: str
    files: list[tuple[Domain | str, str]]
    optimum: float | None = None


def benchmark_family(name: str) -> Family:
    """A family of the package, or of the fresh domains."""
    if name in fresh_domains.DOMAINS:
        return Family(name, [fresh_domains.problem(name, number) for number in range(1, OTHERS + 2)])
    theta = LARGE[name]
    drawn = [(*theta[:-1], theta[-1] + more) for more in range(OTHERS + 1)] if name in DRAWN else [theta]
    made = [generate(name, *each) for each in drawn]
    return Family(name, [(each.domain, each.problem_text) for each in made], family(name).optimal_cost(*theta))


def searched(task: GroundTask, automaton: TransitionFilter | None) -> Solution | None:
    """A solution within the limits, be it proven or not; None if there is no policy that reaches the goal."""
    solution = solve(task, automaton=automaton, limits=SEARCH)
    return solution if solution.solves and math.isfinite(solution.value) else None


def acted(task: GroundTask, automaton: TransitionFilter, trials: int) -> ActingSimulation:
    """Trials within the limits."""
    return simulate_acting(task, automaton, trials=trials, limits=ACT)


def _is_tenth(guided: Solution, plain: Solution) -> bool:
    return 10 * guided.expanded <= plain.expanded


def _states(solution: Solution | None) -> str:
    if solution is None:
        return "-"
    return f"{solution.expanded:,}{'' if solution.status == Status.SOLVED else '*'}"


def measure(each: Family, trials: int) -> tuple[str, bool]:
    """A line of the table, and whether what was learned is useful."""
    task, *others = (load(*files) for files in each.files)
    began = time.process_time()
    try:
        found = learn_problems([task], settings=replace(TRAINING, limits=LEARN))
    except GpaplanError as error:
        return f"{each.name}  {len(task.objects)}  nothing was learned: {str(error)[:80]}", False
    seconds = time.process_time() - began
    guided, plain = searched(task, found.automaton), searched(task, None)
    itself = acted(task, found.automaton, trials)
    more = [acted(other, found.automaton, max(1, trials // 4)) for other in others]
    known = [solution.value for solution in (guided, plain) if solution is not None]
    best = each.optimum if each.optimum is not None else min(known, default=math.nan)
    reaches = all(run.trials > 0 and run.goal_rate >= 0.99 for run in (itself, *more))
    is_known = each.optimum is not None or plain is not None
    acts = reaches and is_known and itself.mean_cost <= 1.3 * best
    is_fewer = plain is None or (plain.status == Status.SOLVED and guided is not None and _is_tenth(guided, plain))
    prunes = guided is not None and guided.status == Status.SOLVED and is_fewer
    taken = "roles" if found.automaton.kind == "canonical" else f"{found.automaton.sizes['rules']} rules"
    if not found.is_worth_having:
        taken += ", not written"

    def shown(number: float | None, digits: int = 0) -> str:
        return "-" if number is None else f"{number:,.{digits}f}"

    answer = "yes" if acts or prunes else "goal only" if reaches and not is_known else "no"
    states = "/".join(_states(solution) for solution in (guided, plain))
    costs = "/".join(shown(None if solution is None else solution.value, 1) for solution in (guided, plain))
    rates = "-" if not more else f"{math.fsum(run.goal_rate for run in more) / len(more):.0%}"
    line = (
        f"{each.name}  {len(task.objects)}  {len(found.made)}  {seconds:.1f}  {taken}  {states}  {costs}  "
        f"{itself.goal_rate:.0%} of {itself.trials}, {itself.mean_cost:.1f}  {rates}  {best:.1f}  {answer}"
    )
    return line, acts or prunes


def main() -> None:
    """Measure the families that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=[*LARGE, *fresh_domains.DOMAINS])
    parser.add_argument("--files", nargs="*", default=[], help="DOMAIN PROBLEM pairs, instead of families")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1, help="families that are measured at a time")
    asked = parser.parse_args()
    if asked.files:
        pairs = zip(asked.files[::2], asked.files[1::2], strict=True)
        families = [Family(Path(problem).stem, [(domain, problem)]) for domain, problem in pairs]
    else:
        families = [benchmark_family(name) for name in asked.families]
    print(HEAD, flush=True)
    useful = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for line, is_useful in pool.map(measure, families, [asked.trials] * len(families)):
            print(line, flush=True)
            useful.append(is_useful)
    print(f"useful in {sum(useful)} of {len(useful)}")


if __name__ == "__main__":
    main()
