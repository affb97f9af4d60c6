"""Certificates for rule lists, found anew, and what finding them takes.

    python -m tests.proofs.certified_lists [FAMILY]...
    python -m tests.proofs.certified_lists --bounds      what the bounds on the cost are worth

Writes docs/results/certificates/FAMILY.json, the rule list with its certificate, which `gpaplan solve --gpa` takes. The
lists are the published ones (docs/results/records-rules.json), or ours where these are not proven. Prints a row for
each with the processor time of the search and of a second proof. Needs Z3 (``gpaplan[proofs]``).
"""

from __future__ import annotations

import json
import sys
import time

from gpaplan import StateSpace, ground, solve
from gpaplan.automata.rules import RuleFilter
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.rules import RuleList
from gpaplan.ppddl import Domain, Problem, parse_problem
from gpaplan.proofs.certificates import Certificate, certificate_of, certify
from gpaplan.tasks.task import GroundTask
from tests.paths import ROOT

RESULTS = ROOT / "docs" / "results"

PROBLEMS: dict[str, list[tuple[int, ...]]] = {
    "maintenance": [(1, 3, 2, 0), (1, 3, 2, 4), (1, 3, 2, 6), (1, 2, 2, 3)],
    "gripper": [(1,), (2,), (3,)],
    "schedule": [(1, 1), (1, 2), (1, 3)],
    "rover": [(1, 3, 1, 1), (1, 3, 2, 1), (1, 3, 1, 2), (2, 3, 2, 2), (1, 4, 1, 3), (1, 4, 2, 1)],
    "delivery": [(1, 3, 1, 1, 0), (1, 4, 2, 3, 0), (2, 4, 1, 4, 1), (3, 4, 2, 4, 2), (2, 3, 1, 3, 3), (1, 4, 2, 0, 4),
                 (2, 3, 2, 2, 5)],
    "cosanostra": [(1,)],
    "delicate-can": [(2,), (3,), (4,)],
}  # fmt: skip

OUR_LISTS = {
    "cosanostra": """unload: (is ?p !pizza-at/1)
load: (not (is ?p @pizza-at/1))
pay:
pass-paid: pizza-in-car, (nearer ?to ?b !pizza-at/1 road)
drive: pizza-in-car, (nearer ?to ?from !pizza-at/1 road)
pass-paid: (nearer ?to ?b (and pizza-at (not @pizza-at/1)) road)
drive: (nearer ?to ?from (and pizza-at (not @pizza-at/1)) road)
pass-paid: (nearer ?to ?b @car-at/1 road)
drive: (nearer ?to ?from @car-at/1 road)""",
    "delicate-can": """revive-first:
revive-second:
revive-third:
put: (not (is ?c @holding/1))
grasp: (is ?c obstructs/1)
grasp: (is ?c @holding/1)""",
}
"""Written by hand: that for CosaNostra pays whenever it can, so that no operator gets angry; it is dearer on the way
back than the published one, and right on every connected map."""

TOWNS = [  # CosaNostra on other maps than rows: stops, booths, roads, where the car and the pizza are, and belong
    ("s1 s2", "b1 b2", "s1-b1 b1-s2 s2-b2 b2-s1", "s1 s2 b2 b1"),
    ("s1 s2", "b1", "s1-b1 b1-s2", "b1 s1 s1 s2"),
    ("s1 s2", "b1 b2", "b1-s1 b1-s2 b1-b2", "s1 s2 b2 s1"),
    ("s1 s2", "b1", "s1-b1 b1-s2 s1-s2", "s1 s1 s2 b1"),
]


def problems(family: str) -> tuple[Domain, list[Problem]]:
    """The problems from which a certificate is found."""
    tasks = [generate(family, *theta) for theta in PROBLEMS[family]]
    domain, found = tasks[0].domain, [each.problem for each in tasks]
    for number, (stops, booths, roads, places) in enumerate(TOWNS if family == "cosanostra" else []):
        car, pizza, car_goal, pizza_goal = places.split()
        ways = "".join(f"(road {a} {b}) (road {b} {a})" for a, b in (each.split("-") for each in roads.split()))
        text = f"""(define (problem town{number}) (:domain cosanostra) (:objects {stops} - stop {booths} - booth)
            (:init (tyres-intact) (car-at {car}) (pizza-at {pizza}) {ways})
            (:goal (and (car-at {car_goal}) (pizza-at {pizza_goal}))))"""
        found.append(parse_problem(domain, text))
    return domain, found


def rules(family: str) -> str:
    """The list of a family."""
    records = json.loads((RESULTS / "records-rules.json").read_text(encoding="utf-8"))
    return OUR_LISTS.get(family) or "\n".join(records[family]["rules"])


BOUNDED: dict[str, tuple[int, ...]] = {"gripper": (6,), "schedule": (1, 5), "rover": (2, 3, 2, 2), "delicate-can": (5,)}
"""Families whose certificates have a bound, and a problem of each."""


def published(family: str) -> Certificate:
    """The certificate of a family."""
    domain = generate(family, *FAMILIES[family].least.values()).domain
    found = certificate_of(RuleFilter.read(RESULTS / "certificates" / f"{family}.json"), domain)
    assert found is not None
    return found


def dearest(task: GroundTask, rules: RuleList) -> float:
    """The expected cost if the dearest of the kept actions is taken in each state, by value iteration."""
    space, evaluator = StateSpace(task), Evaluator(task)
    kept: dict[int, list[list[tuple[float, int]]]] = {}
    rest = [space.initial]
    while rest:
        if (state := rest.pop()) not in kept:
            some = evaluator.fits(space, state, rules)[1]
            steps = [each.outcomes for each in space.transitions(state) if task.action_index(each.action) in some]
            kept[state] = [[(float(each.probability), each.state) for each in outcomes] for outcomes in steps]
            rest += [each for outcomes in kept[state] for _, each in outcomes]
    values = dict.fromkeys(kept, 0.0)
    for _ in range(300):
        for state, found in kept.items():
            values[state] = max((1 + sum(p * values[each] for p, each in step) for step in found), default=0.0)
    return values[space.initial]


def show_bounds() -> None:
    print("| Problem | Bound | Dearest choice | Optimum |")
    print("|---|---:|---:|---:|")
    for family, theta in BOUNDED.items():
        certificate, task = published(family), ground(generate(family, *theta), cost="unit", relevance=False)
        costs = [certificate.most_actions(task.problem), dearest(task, certificate.rules), solve(task).value]
        name = f"{family}({','.join(map(str, theta))})"
        print(f"| {name} | {' | '.join(f'{cost:.4g}' for cost in costs)} |", flush=True)


def main(families: list[str]) -> None:
    if families == ["--bounds"]:
        show_bounds()
        return
    print("| Family | Choice | Rules | Conditions | Measures | Obligations | Found (s) | Proven again (s) |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for family in families or PROBLEMS:
        domain, given = problems(family)
        begin = time.process_time()
        certified = certify(rules(family), domain, given)
        found = time.process_time()
        certificate = certificate_of(certified, domain)
        assert certificate is not None
        assert not certificate.open_obligations()
        again = time.process_time()
        certified.write(RESULTS / "certificates" / f"{family}.json")
        sizes = [len(each) for each in (certificate.rules, certificate.conditions, certificate.rank, certificate.uses)]
        cells = [family, certificate.choice, *map(str, sizes), f"{found - begin:.0f}", f"{again - found:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
