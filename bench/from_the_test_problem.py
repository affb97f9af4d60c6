"""The paper's test problems, each learned from alone: what that saves, next to the paper's training problems.

    python bench/from_the_test_problem.py [DOMAIN...]

One test problem of each of the paper's five domains is solved by LRTDP as in the suite `paper` (FF, strict matching, no
symmetry, no relevance, full fallback): without an automaton, with what `learn` makes of this very problem, and with the
automaton of the paper's training problems. A speed-up is the search without divided by the search with it, in states
and in processor seconds; learning is in a column of its own. The last column has the paper's speed-up of LRTDP, from
the figures that come with the package (src/gpaplan/experiments/report/paper.csv).
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from gpaplan import Limits, Solution, load
from gpaplan.automata.filters import TransitionFilter
from gpaplan.experiments.report.paper import paper_cell
from gpaplan.experiments.suite import SuiteInstance
from gpaplan.experiments.suite_file import load_suite
from gpaplan.learning.edges import automaton_of
from gpaplan.learning.loop import learn_problems
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.solving.run import solve_with
from gpaplan.solving.settings import RunSettings
from gpaplan.spaces.state_space import SpaceSettings
from gpaplan.tasks.task import GroundTask

CHOSEN = {
    "keva-shah": "29 6",
    "rover": "1 4 12 2",
    "schedule-ippc": "1 9",
    "delicate-can-shah": "10",
    "gripper": "12",
}
"""Large enough that `learn` makes small problems, and small enough for a search without an automaton."""
PLAIN = SpaceSettings(cost="unit", symmetry="off")
SETTINGS = RunSettings(solver="lrtdp", heuristic="ff", match="strict", fallback="full", space=PLAIN)
HEAD = (
    "| problem | without: states, s, cost | learned, s | from the test problem: states, s, cost | speed-up: states, "
    "time | from the training problems: states, s, cost | speed-up: states, time | the paper's |"
)


def task_of(instance: SuiteInstance) -> GroundTask:
    """A problem of the suite, with all that the goal cannot depend on."""
    return load(instance.domain_text, instance.problem_text, cost="unit", relevance=False)


def searched(task: GroundTask, automaton: TransitionFilter | None) -> tuple[Solution, float]:
    """A solution, and its processor seconds."""
    began = time.process_time()
    solution = solve_with(task, replace(SETTINGS, limits=Limits(seconds=1800)), automaton)
    return solution, time.process_time() - began


def shown(found: tuple[Solution, float]) -> str:
    """States, seconds, the policy's cost, and what is not as it should be."""
    solution, seconds = found
    words = f"{solution.expanded:,}, {seconds:.2f}, {solution.value:.2f}"
    words += "" if solution.status == "solved" else f" ({solution.status})"
    return words + (" (fallback)" if solution.fallback else "")


def ratios(without: tuple[Solution, float], found: tuple[Solution, float]) -> str:
    """By how much fewer states and seconds."""
    return f"{without[0].expanded / found[0].expanded:.3g}, {without[1] / found[1]:.3g}"


def main() -> None:
    """Print a row for each domain."""
    wanted = sys.argv[1:] or list(CHOSEN)
    print(HEAD)
    print("|---|" + "---:|" * 7)
    for plan in load_suite("paper").domains:
        if plan.name not in wanted:
            continue
        place, instance = next((i, each) for i, each in enumerate(plan.test) if each.theta == CHOSEN[plan.name])
        task = task_of(instance)
        began = time.process_time()
        learned = learn_problems([task], settings=replace(TRAINING, space=PLAIN))
        seconds = time.process_time() - began
        assert learned.made, "the problem is small enough to be solved and learned from as it is"
        solutions = solve_to_optimality(map(task_of, plan.training), replace(TRAINING, space=PLAIN))
        trained = automaton_of(task.domain, solutions)
        without, own, other = (searched(task, each) for each in (None, learned.automaton, trained))
        cells = [paper_cell(plan.name, instance.theta, place, "lrtdp", gpa) for gpa in (False, True)]
        before, after = (None if cell is None else cell.time.mean for cell in cells)
        paper = f"{before / after:.3g}" if before and after else ""
        row = [instance.label, shown(without), f"{learned.automaton.size_words}, {seconds:.1f}", shown(own)]
        row += [ratios(without, own), shown(other), ratios(without, other), paper]
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
