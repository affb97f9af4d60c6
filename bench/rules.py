"""Rule lists: learned from small problems, tried on far larger ones.

    python bench/rules.py                      all families; records and pages are written to docs/
    python bench/rules.py gripper delivery     these; the records of the others stay
    python bench/rules.py --records FILE       write them there, and no page
    python bench/rules.py --seconds 20         learn for so long at most
    python bench/rules.py --seed 1             other trials

For each family a rule list is learned from small problems, chosen by acting on somewhat larger ones, and then tried on
problems that learning has not seen: by acting on 20 large ones, which draws one of the actions that the list keeps in
each state, and by strict solving of 20 others, where only actions exist that the list keeps, without fallback. What is
solved is compared with the same solver on the whole task, and with an automaton of roles from the same problems (goals,
presence counts, coarse matching), all under limits of time. bench/rule_pages.py writes the page.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import rule_pages
from gpaplan import (
    LRTDP,
    CanonicalAbstraction,
    Limits,
    PolicyAutomaton,
    Status,
    learn,
    solve,
)
from gpaplan.benchmarks import FAMILIES
from gpaplan.learning.rules.learner import RuleLearning, learn_rules
from gpaplan.learning.rules.recording import recorded_rules
from gpaplan.learning.rules.scoring import Scorer
from gpaplan.limits import WorkBudget, started
from rule_plans import PLANS, Plan, tasks

MEGABYTES = 2500


def learned(family: str, plan: Plan, seconds: float, seed: int) -> tuple[RuleLearning, dict[str, Any]]:
    """A list, and what is kept of it."""
    training = tasks(family, plan.training)
    domain = training[0].domain
    validation = tasks(family, plan.validation)
    learning = learn_rules(domain, training, validation, seconds=seconds, seed=seed)
    kept = {
        "rules": [str(rule) for rule in learning.rule_list.rules],
        "words": learning.rule_list.words(domain).splitlines(),
        "counts": list(learning.counts),
        "note": learning.note,
        "seconds": round(learning.seconds, 1),
        "problems": len(plan.training),
        "states": sum(each.states for each in learning.training),
    }
    return learning, kept


def act(family: str, plan: Plan, learning: RuleLearning, trials: int, seed: int) -> list[dict[str, Any]]:
    """What acting comes to on problems that learning has not seen."""
    found = []
    for theta in plan.acting:
        (task,) = tasks(family, [theta])
        scorer = Scorer([task], trials=trials, seed=seed + 1, stop=started(None), budget=WorkBudget(math.inf))
        score = scorer.score(learning.rule_list)
        assert score is not None
        result = score.trials[0]
        found.append(
            {
                "problem": result.problem,
                "trials": result.trials,
                "reached": round(result.trials * result.goal_rate),
                "cost": _number(result.mean_cost),
                "optimum": FAMILIES[family].optimal_cost(*theta),
            }
        )
    return found


def by_roles(family: str, plan: Plan) -> PolicyAutomaton | None:
    """The automaton of roles, with goals and without counts; None if its problems are not solved."""
    solutions = [solve(task, heuristic="lmcut", limits=Limits(seconds=20)) for task in tasks(family, plan.training)]
    if any(solution.status != Status.SOLVED for solution in solutions):
        return None
    abstraction = CanonicalAbstraction(goals=True, counts="presence")
    return learn(solutions[0].space.task.domain, solutions, abstraction=abstraction)


def compare(
    family: str, plan: Plan, learning: RuleLearning, strict_seconds: float, plain_seconds: float
) -> list[dict[str, Any]]:
    """Strict solving with the rules, with an automaton of roles from the same problems, and without any."""
    roles = by_roles(family, plan)
    rules = recorded_rules(tasks(family, plan.training[:1])[0].domain, learning.rule_list)
    found = []
    for theta in plan.solving:
        (task,) = tasks(family, [theta])
        limits = Limits(seconds=strict_seconds, megabytes=MEGABYTES)
        strict = solve(
            task, LRTDP(), automaton=rules, match="strict", fallback="none", heuristic="lmcut", limits=limits
        )
        limits = Limits(seconds=plain_seconds, megabytes=MEGABYTES)
        other = None if roles is None else solve(task, automaton=roles, fallback="none", limits=limits)
        whole = solve(task, LRTDP(), heuristic="lmcut", limits=limits)
        found.append(
            {
                "problem": task.problem.name,
                "rules": {"status": strict.status, "states": strict.expanded, "cost": _number(strict.value)},
                "roles": None if other is None else {"status": other.status, "states": other.expanded},
                "without": {"status": whole.status, "states": whole.expanded, "cost": _number(whole.value)},
                "optimum": FAMILIES[family].optimal_cost(*theta),
            }
        )
    return found


def _number(value: float | None) -> float | None:
    """None for what is no finite number."""
    return None if value is None or not math.isfinite(value) else round(value, 6)


def main() -> None:
    """Everything that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="family", help=", ".join(PLANS))
    parser.add_argument("--seconds", type=float, default=60.0, help="to learn, at most")
    parser.add_argument(
        "--strict-seconds", type=float, default=10.0, help="to solve a problem under the rules, at most"
    )
    parser.add_argument("--plain-seconds", type=float, default=3.0, help="to solve it otherwise, at most")
    parser.add_argument("--trials", type=int, default=5, help="on each unseen problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--records", type=Path, help="where to keep what was found  [default: docs/results, with pages]"
    )
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.families).difference(PLANS))
    if unknown:
        parser.error(f"there is no family {', '.join(unknown)}; there are {', '.join(PLANS)}")
    file = arguments.records or rule_pages.RECORDS
    records: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for family in arguments.families or PLANS:
        plan = PLANS[family]
        learning, kept = learned(family, plan, arguments.seconds, arguments.seed)
        kept["acting"] = act(family, plan, learning, arguments.trials, arguments.seed)
        kept["solving"] = compare(family, plan, learning, arguments.strict_seconds, arguments.plain_seconds)
        records[family] = kept
        ordered = {name: records[name] for name in PLANS if name in records}
        file.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
        print(f"## {family}\n\n{rule_pages.section(kept)}", flush=True)
    if arguments.records is None:
        rule_pages.write()


if __name__ == "__main__":
    main()
