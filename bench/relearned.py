"""Rule lists that reached the goal in every trial and fail on a small problem, learned again until they do not.

    python bench/relearned.py [FAMILY]...

A list is learned from the problems of bench/rule_plans.py, and for schedule from two with two classes. All problems of
the class of some examples are enumerated up to a size; a smallest one on which the list fails is learned from as well,
and so on. Prints each round, and in the end the list, which is written to docs/results/relearned.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from gpaplan import ground
from gpaplan.benchmarks import generate
from gpaplan.learning.rules.learner import learn_rules
from gpaplan.proofs.enumeration import object_counts, verify_rules
from gpaplan.proofs.examples import common_conditions
from rule_plans import PLANS, Theta, tasks

FOLDER = Path(__file__).parents[1] / "docs" / "results" / "relearned"
EXAMPLES: dict[str, list[Theta]] = {
    "blocksworld-towers": [*((3, seed) for seed in range(6)), (5, 1)],
    "schedule": [(1, 1), (1, 2), (2, 2), (2, 3), (3, 4)],
}
"""Whose class is enumerated, …"""
SIZES = {"blocksworld-towers": {"block": 6}, "schedule": {"class": 3, "packet": 6, "age": 3}}
"""… and up to which size."""
ALSO: dict[str, list[Theta]] = {"schedule": [(2, 2), (2, 3)]}
ROUNDS = 10


def learn_again(family: str) -> bool:
    """Learn until nothing fails; whether that came about."""
    plan = PLANS[family]
    examples = [generate(family, *theta) for theta in EXAMPLES[family]]
    domain, problems = examples[0].domain, [each.problem for each in examples]
    conditions = common_conditions(domain, problems)
    least, most = object_counts(domain, problems, SIZES[family])
    training, validation = tasks(family, [*plan.training, *ALSO.get(family, [])]), tasks(family, plan.validation)
    begin = time.process_time()
    for number in range(1, ROUNDS + 1):
        rules = learn_rules(domain, training, validation).rule_list
        learned = time.process_time()
        found = verify_rules(rules, domain, conditions, most=most, least=least, choice="any")
        verdict = f"any choice {found.any.failing:,}, random choice {found.random.failing:,}"
        size = ", ".join(f"{name} {count}" for name, count in found.sizes[-1].items())
        print(
            f"{family}, round {number}, {len(rules)} rules: of {found.problems:,} problems up to {size} fail {verdict}"
        )
        seconds = time.process_time()
        print(f"  learned in {learned - begin:.0f} s, enumerated in {seconds - learned:.0f} s", flush=True)
        begin = seconds
        if not found.any.failing:
            FOLDER.mkdir(parents=True, exist_ok=True)
            (FOLDER / f"{family}.rules").write_text(f"{rules}\n", encoding="utf-8")
            print(rules)
            return True
        for first in {id(each): each for each in (found.random.first, found.any.first) if each is not None}.values():
            training.append(ground(domain, first.problem))
    return False


if __name__ == "__main__":
    sys.exit(not all(learn_again(family) for family in sys.argv[1:] or EXAMPLES))
