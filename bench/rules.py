"""Rule lists: learned from small problems, tried on far larger ones.

    python bench/rules.py                      all families, as Markdown
    python bench/rules.py gripper delivery     these
    python bench/rules.py --seconds 20         learn for so long at most
    python bench/rules.py --seed 1             other trials

For each family a rule list is learned from small problems, chosen by acting on somewhat larger ones, and then tried on
problems that learning has not seen: by acting, which draws one of the actions that the list keeps in each state, and by
strict solving, where only actions exist that the list keeps, without fallback. What is solved is compared with the same
solver on the whole task, and with an automaton of roles from the same problems (goals, presence counts,
coarse matching), under a limit of time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpaplan import (
    LRTDP,
    CanonicalAbstraction,
    Domain,
    GroundTask,
    Limits,
    PolicyAutomaton,
    Status,
    ground,
    learn,
    solve,
)
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.learning.rules.judging import Judge
from gpaplan.learning.rules.learner import RuleLearning, learn_rules
from gpaplan.learning.rules.strict import solve_strictly
from gpaplan.limits import started

Theta = tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The problems of a family: to learn from, to choose by, to act on, and to solve."""

    training: Sequence[Theta]
    validation: Sequence[Theta]
    acting: Sequence[Theta]
    solving: Sequence[Theta]


LINE, RING, GRID, GRAPH = 1, 2, 3, 4
"""Maps, by number."""

PLANS: dict[str, Plan] = {
    "gripper": Plan([(1,), (2,), (3,), (4,)], [(8,)], [(n,) for n in range(10, 50, 2)], [(10,)]),
    "schedule": Plan([(1, 2), (1, 3), (1, 4)], [(1, 8)], [(1, n) for n in range(10, 50, 2)], [(1, 8)]),
    "rover": Plan(
        [(1, 2, 1, 1), (1, 3, 2, 1), (2, 3, 1, 1), (1, 3, 1, 2), (2, 3, 2, 1)],
        [(2, 5, 4, 3), (3, 8, 9, 6)],
        [*((1 + i % 4, 6 + i // 2, 4 + i, 3 + i // 2) for i in range(19)), (4, 15, 30, 20)],
        [(2, 4, 3, 2)],
    ),
    "blocksworld": Plan([(2,), (3,), (4,), (5,)], [(7,), (9,)], [(n,) for n in range(21, 41)], [(6,), (7,), (10,)]),
    "blocksworld-towers": Plan(
        [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (5, 0)],
        [(7, 1), (8, 2), (10, 3), (12, 4), (15, 5), (15, 6)],
        [(blocks, draw) for blocks in (20, 40) for draw in range(20, 30)],
        [(8, 9)],
    ),
    "triangle-tireworld": Plan([(1,), (2,)], [(3,), (4,), (5,)], [(n,) for n in range(6, 26)], [(3,), (4,)]),
    "delivery": Plan(
        [
            (LINE, 3, 1, 0, 0),
            (LINE, 4, 1, 1, 1),
            (RING, 5, 1, 0, 2),
            (RING, 6, 1, 1, 12),
            (GRID, 6, 1, 2, 13),
            (LINE, 4, 2, 1, 4),
            (LINE, 4, 2, 2, 5),
            (RING, 4, 2, 1, 5),
            (GRID, 4, 2, 1, 6),
            (GRID, 6, 2, 0, 6),
            (LINE, 3, 3, 0, 7),
            (GRAPH, 5, 2, 0, 8),
            (LINE, 5, 2, 0, 9),
        ],
        [
            (LINE, 15, 4, 3, 1),
            (LINE, 20, 6, 4, 5),
            (RING, 20, 5, 3, 2),
            (GRID, 20, 4, 4, 3),
            (GRAPH, 20, 5, 4, 3),
            (GRAPH, 25, 5, 6, 4),
        ],
        [(map_, 49 if map_ == GRID else 50, 10, 4, d) for map_ in (LINE, RING, GRID, GRAPH) for d in range(20, 25)],
        [(LINE, 8, 3, 1, 9), (LINE, 10, 4, 0, 9), (GRID, 9, 4, 0, 9)],
    ),
    "maintenance": Plan(
        [
            (LINE, 3, 1, 0),
            (RING, 4, 2, 1),
            (GRID, 6, 2, 2),
            (LINE, 5, 2, 3),
            (GRAPH, 5, 2, 4),
            (LINE, 6, 3, 5),
            (RING, 6, 3, 6),
        ],
        [(LINE, 10, 3, 1), (GRID, 12, 4, 2), (RING, 10, 3, 4)],
        [(map_, 49 if map_ == GRID else 50, 10, draw) for map_ in (LINE, RING, GRID, GRAPH) for draw in range(20, 25)],
        [(RING, 25, 5, 1), (GRAPH, 30, 8, 1)],
    ),
    "cosanostra": Plan([(1,), (2,), (3,)], [(5,), (6,)], [(n,) for n in range(11, 31)], [(5,), (8,)]),
    "rectangle-tireworld": Plan(
        [(3, 0, 0, 0), (3, 1, 1, 1), (4, 1, 2, 2), (4, 1, 1, 3), (5, 1, 3, 4), (5, 2, 4, 5)],
        [(6, 1, 3, 1), (7, 2, 4, 2), (9, 1, 6, 3)],
        [(15 + i % 10, 2, 6, 20 + i) for i in range(20)],
        [(12, 2, 6, 3)],
    ),
    "zenotravel": Plan(
        [(2, 1, 1, 0), (3, 1, 1, 1), (2, 2, 1, 2), (3, 2, 1, 3), (2, 1, 2, 4)],
        [(4, 3, 1, 1), (3, 3, 2, 2), (5, 4, 1, 6), (5, 4, 2, 7), (6, 5, 2, 8), (8, 7, 3, 9), (8, 6, 2, 10)],
        [*((6, 5, 2, draw) for draw in range(20, 30)), *((10, 8, 3, draw) for draw in range(20, 30))],
        [(3, 3, 1, 5)],
    ),
    "elevators": Plan(
        [
            (2, 2, 1, 1, 0, 0),
            (2, 3, 1, 1, 1, 1),
            (2, 3, 1, 2, 1, 2),
            (3, 3, 1, 2, 1, 3),
            (2, 3, 2, 1, 0, 4),
            (3, 4, 1, 1, 1, 5),
            (3, 3, 2, 2, 1, 6),
            (2, 4, 2, 2, 2, 7),
            (3, 4, 1, 3, 2, 8),
            (2, 5, 1, 2, 2, 9),
        ],
        [(3, 4, 2, 3, 2, 1), (4, 4, 2, 3, 2, 2), (4, 5, 2, 4, 3, 3), (5, 5, 2, 4, 3, 4), (5, 6, 3, 5, 4, 5)],
        [(6, 6, 3, 6, 4, draw) for draw in range(20, 40)],
        [(3, 4, 1, 3, 2, 5)],
    ),
}


def tasks(family: str, thetas: Iterable[Theta]) -> list[GroundTask]:
    """The ground problems of these sizes."""
    benchmarks = [generate(family, *theta) for theta in thetas]
    return [ground(benchmark.domain, benchmark.problem) for benchmark in benchmarks]


def print_list(family: str, domain: Domain, learning: RuleLearning) -> None:
    """The rules, and how many training states each decides."""
    print(f"\n## {family}\n\n```text")
    for count, rule in zip(learning.counts, learning.rule_list.rules, strict=True):
        print(f"{count:6}  {rule}")
    print("```\n")
    print(learning.rule_list.words(domain) + "\n")
    print(learning.note + "\n")


def print_row(*cells: object) -> None:
    """A row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |")


def act(family: str, plan: Plan, learning: RuleLearning, trials: int, seed: int) -> None:
    """What acting comes to on problems that learning has not seen, and where it fails."""
    reached = 0
    ratios: list[float] = []
    failures: list[str] = []
    names: list[str] = []
    for theta in plan.acting:
        (task,) = tasks(family, [theta])
        judgement = Judge([task], trials=trials, seed=seed + 1, stop=started(None)).judge(learning.rule_list)
        assert judgement is not None
        result = judgement.trials[0]
        successes = round(result.trials * result.goal_rate)
        reached += successes
        names.append(result.problem)
        if successes < result.trials:
            failures.append(f"{result.problem} {successes} of {result.trials}")
        optimum = FAMILIES[family].optimal_cost(*theta)
        if optimum is not None and successes:
            ratios.append(result.mean_cost / optimum)
    print(
        f"Acting reached the goal in {reached} of {trials * len(names)} trials on {len(names)} unseen problems, "
        f"{names[0]} to {names[-1]}."
    )
    if ratios:
        print(f"Its mean cost is {min(ratios):.2f} to {max(ratios):.2f} times the optimum where that is known.")
    if failures:
        print(f"It fails on: {', '.join(failures)}.")
    print()


def by_roles(family: str, plan: Plan) -> PolicyAutomaton | None:
    """The automaton of roles, with goals and without counts; None if its problems are not solved."""
    solutions = [solve(task, heuristic="lmcut", limits=Limits(seconds=20)) for task in tasks(family, plan.training)]
    if any(solution.status != Status.SOLVED for solution in solutions):
        return None
    abstraction = CanonicalAbstraction(goals=True, counts="presence")
    return learn(solutions[0].space.task.domain, solutions, abstraction=abstraction)


def compare(family: str, plan: Plan, learning: RuleLearning, seconds: float) -> None:
    """The table of strict solving with the rules, with an automaton of roles from the same problems, and without."""
    print_row("problem", "rules: status", "states", "cost", "roles", "states", "without: status", "states", "cost")
    print_row("---", "---", "---:", "---:", "---", "---:", "---", "---:", "---:")
    roles = by_roles(family, plan)
    for task in tasks(family, plan.solving):
        limits = Limits(seconds=seconds, megabytes=2500)
        strict = solve_strictly(task, learning.rule_list, limits=limits)
        other = None if roles is None else solve(task, automaton=roles, fallback="none", limits=limits)
        whole = solve(task, LRTDP(), heuristic="lmcut", limits=limits)
        print_row(
            task.problem.name,
            strict.status,
            f"{strict.expanded:,}",
            f"{strict.cost:.3f}",
            "–" if other is None else other.status,
            "–" if other is None else f"{other.expanded:,}",
            whole.status,
            f"{whole.expanded:,}",
            f"{whole.value:.3f}",
        )
    print(flush=True)


def main() -> None:
    """Everything that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="family", help=", ".join(PLANS))
    parser.add_argument("--seconds", type=float, default=60.0, help="to learn, at most")
    parser.add_argument("--solving-seconds", type=float, default=30.0, help="to solve a problem, at most")
    parser.add_argument("--trials", type=int, default=5, help="on each unseen problem")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.families).difference(PLANS))
    if unknown:
        parser.error(f"there is no family {', '.join(unknown)}; there are {', '.join(PLANS)}")
    for family in arguments.families or PLANS:
        plan = PLANS[family]
        training = tasks(family, plan.training)
        domain = training[0].domain
        validation = tasks(family, plan.validation)
        learning = learn_rules(domain, training, validation, seconds=arguments.seconds, seed=arguments.seed)
        print_list(family, domain, learning)
        print(f"Learned in {learning.seconds:.1f} s.\n")
        act(family, plan, learning, arguments.trials, arguments.seed)
        compare(family, plan, learning, arguments.solving_seconds)


if __name__ == "__main__":
    main()
