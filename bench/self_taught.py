"""From one large problem and nothing else: what `learn` makes of it, and what that is worth.

    python bench/self_taught.py [FAMILY...] [--files DOMAIN PROBLEM ...] [--trials N]

For each family one large problem is learned from with no option at all. The table says how many problems were made, how
long that and learning took, what was taken, what a search under it costs and expands next to one without an automaton,
and how acting went. *Useful* is: acting reaches the goal in 99 % of the trials at a cost of at most 1.3 times the best
known; or the problem is solved with at most a tenth of the states of the search without an automaton, or where that
finds nothing within its limit. Where no cost is known but what the automaton itself came to, acting that reaches the
goal is *goal only*, and does not count: nobody knows what it should cost.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

from gpaplan import GpaplanError, GroundTask, Limits, Solution, Status, load, solve
from gpaplan.acting.trials import estimate_of, simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import family, generate
from gpaplan.learning.loop import learn_problems
from gpaplan.limits import started

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
SEARCH = Limits(seconds=20, states=200_000)
HEAD = "family  objects  made  learn s  taken  states/plain  cost/plain  acting: goal, cost  best  useful"


def searched(task: GroundTask, automaton: TransitionFilter | None) -> Solution | None:
    """A solution within the limits; None if there is none."""
    solution = solve(task, automaton=automaton, limits=SEARCH)
    return solution if solution.status == Status.SOLVED and math.isfinite(solution.value) else None


def measure(name: str, task: GroundTask, optimum: float | None, trials: int) -> bool:
    """Print a line of the table; whether what was learned is useful."""
    began = time.perf_counter()
    try:
        found = learn_problems([task])
    except GpaplanError as error:
        print(f"{name}  {len(task.objects)}  nothing was learned: {str(error)[:80]}", flush=True)
        return False
    seconds = time.perf_counter() - began
    guided, plain = searched(task, found.automaton), searched(task, None)
    estimate = estimate_of(task, started(None))
    horizon = int(max(100, 20 * estimate.cost / estimate.cheapest))
    acted = simulate_acting(task, found.automaton, trials=trials, horizon=horizon, limits=Limits(seconds=60))
    known = [each.value for each in (guided, plain) if each is not None]
    best = optimum if optimum is not None else min(known, default=math.nan)
    reaches = acted.goal_rate >= 0.99
    is_known = optimum is not None or plain is not None
    acts = reaches and is_known and acted.mean_cost <= 1.3 * best
    prunes = guided is not None and (plain is None or 10 * guided.expanded <= plain.expanded)
    taken = "roles" if found.automaton.kind == "canonical" else "rules"

    def shown(number: float | None, digits: int = 0) -> str:
        return "-" if number is None else f"{number:,.{digits}f}"

    answer = "yes" if acts or prunes else "goal only" if reaches and not is_known else "no"
    states = "/".join(shown(None if each is None else each.expanded) for each in (guided, plain))
    costs = "/".join(shown(None if each is None else each.value, 1) for each in (guided, plain))
    print(
        f"{name}  {len(task.objects)}  {len(found.made)}  {seconds:.1f}  {taken}  {states}  {costs}  "
        f"{acted.goal_rate:.0%} of {acted.trials}, {acted.mean_cost:.1f}  {best:.1f}  {answer}",
        flush=True,
    )
    return acts or prunes


def main() -> None:
    """Measure the families that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=list(LARGE))
    parser.add_argument("--files", nargs="*", default=[], help="DOMAIN PROBLEM pairs, instead of families")
    parser.add_argument("--trials", type=int, default=20)
    asked = parser.parse_args()
    print(HEAD)
    useful = []
    if asked.files:
        for domain, problem in zip(asked.files[::2], asked.files[1::2], strict=True):
            useful.append(measure(Path(problem).stem, load(domain, problem), None, asked.trials))
    else:
        for name in asked.families:
            benchmark = generate(name, *LARGE[name])
            task = load(benchmark.domain, benchmark.problem_text)
            useful.append(measure(name, task, family(name).optimal_cost(*LARGE[name]), asked.trials))
    print(f"useful in {sum(useful)} of {len(useful)}")


if __name__ == "__main__":
    main()
