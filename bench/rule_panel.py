"""How the rule lists of the learner do, by themselves and in acting: one line a domain.

    python bench/rule_panel.py                        the families of `FAMILIES`
    python bench/rule_panel.py gripper elevators      these
    python bench/rule_panel.py FOLDER                 a domain of your own: FOLDER has domain.ppddl, small/*.ppddl to
                                                      learn from, large/*.ppddl, and perhaps hand.rules to compare with
    python bench/rule_panel.py --seconds 20           learn with as much work as takes about so long
    python bench/rule_panel.py --acting 5             act there as `gpaplan act` does, so many trials each

Rules are learned with default options from the problems of bench/rule_plans.py for training and validation; no problem
is named for validation. Then the list alone acts on large problems that were not learned from, ten trials each: in each
state one of the actions that it keeps is drawn. Costs are divided by an estimate of the least cost, so that they
compare lists and say nothing of the optimum. What is learned is counted in work, and so the same on every machine.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from gpaplan import load, parse_domain
from gpaplan.acting.trials import simulate_acting
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.learner import learn_rules
from gpaplan.learning.rules.recording import recorded_rules
from gpaplan.learning.rules.scoring import Scorer
from gpaplan.limits import WorkBudget, started
from gpaplan.tasks.task import GroundTask
from rule_plans import PLANS, tasks

FAMILIES = (
    "gripper",
    "delivery",
    "elevators",
    "zenotravel",
    "rectangle-tireworld",
    "triangle-tireworld",
    "blocksworld-towers",
    "rover",
    "schedule",
)
LARGE = 7
"""Problems that lists are tried on, of each family: spread over those for acting of its plan."""


def problems(family: str) -> tuple[list[GroundTask], list[GroundTask], RuleList | None]:
    """What is learned from, what it is tried on, and the list by hand."""
    if family in PLANS:
        plan = PLANS[family]
        thetas = [plan.acting[place * (len(plan.acting) - 1) // (LARGE - 1)] for place in range(LARGE)]
        return tasks(family, (*plan.training, *plan.validation)), tasks(family, thetas), None
    folder = Path(family)
    domain = parse_domain(folder / "domain.ppddl")
    small, large = (
        [load(domain, file) for file in sorted((folder / part).glob("*.ppddl"))] for part in ("small", "large")
    )
    hand = folder / "hand.rules"
    return small, large, RuleList.parse(hand.read_text("utf-8")) if hand.exists() else None


def alone(rules: RuleList, large: Sequence[GroundTask]) -> str:
    """How often a list reaches the goal by itself, and its cost to the estimate where it does."""
    rates, ratios = [], []
    for task in large:
        scorer = Scorer([task], trials=10, seed=1, stop=started(None), budget=WorkBudget(math.inf))
        score = scorer.score(rules)
        assert score is not None
        rates.append(score.goal_rate)
        if score.goal_rate == 1:
            ratios.append(score.ratio)
    ratio = f"{math.fsum(ratios) / len(ratios):.2f}" if ratios else "–"
    return f"{math.fsum(rates) / len(rates):.2f} | {ratio}"


def main() -> None:
    """A line for each family."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="family", default=FAMILIES)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--acting", type=int, default=0, metavar="TRIALS")
    parser.add_argument("--show", action="store_true", help="the lists, and what learning says as it goes on")
    arguments = parser.parse_args()
    print("| domain | rules | complexity | rounds | stopped by | alone | cost | acting | by hand | cost |")
    print("|---|---:|---:|---:|---|---:|---:|---:|---:|---:|", flush=True)
    for family in arguments.families:
        small, large, hand = problems(family)
        domain = small[0].domain

        def say(text: str) -> None:
            if arguments.show:
                print("   ", text, flush=True)

        learning = learn_rules(domain, small, seconds=arguments.seconds, progress=say)
        rules = learning.rule_list
        acted = "–"
        if arguments.acting:
            automaton = recorded_rules(domain, rules)
            found = [simulate_acting(task, automaton, trials=arguments.acting) for task in large]
            acted = f"{math.fsum(each.goal_rate for each in found) / len(found):.2f}"
        ended = learning.stopped_by or "–"
        other = "– | –" if hand is None else alone(hand, large)
        print(
            f"| {Path(family).name} | {len(rules)} | {rules.complexity} | {learning.rounds} | {ended} "
            f"| {alone(rules, large)} | {acted} | {other} |",
            flush=True,
        )
        if arguments.show:
            print(rules)


if __name__ == "__main__":
    main()
