"""Tasks and rule lists on which a claim was wrong once, in `reproducers/`. More are in tests/properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gpaplan import ConstrainedStateSpace, GroundTask, RuleFilter, StateSpace, _core, load, solve
from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.closure import Closure, check_closure
from tests.exact import least_cost, options_of
from tests.floats import near
from tests.fuzzing import ADMISSIBLE, SOLVERS

REPRODUCERS = Path(__file__).parent / "reproducers"


@pytest.mark.parametrize(
    ("name", "dead_end_cost"),
    [
        ("tiny-costs-5-states", None),  # value iteration: off by more than 1 %
        ("tiny-costs-12-states", None),  # LRTDP with LM-cut: 79 times the optimum
        ("cheap-action-in-the-goal", None),  # Soft-FLARES with h-max: 21.21 for 17
        ("labels-by-chance", 100.0),  # Soft-FLARES with seed 4: too much
    ],
)
def test_what_is_called_optimal_is(name: str, dead_end_cost: float | None) -> None:
    task = load(REPRODUCERS / f"{name}.ppddl", cost="metric")
    space = StateSpace(task, symmetry="off")
    space.explore()
    optimum = least_cost(*options_of(space), dead_end_cost, space.initial)
    assert optimum is not None
    for solver in SOLVERS:
        for heuristic in ADMISSIBLE:
            found = solve(task, solver, heuristic=heuristic, dead_end_cost=dead_end_cost, seed=4)  # type: ignore[arg-type]
            assert (found.status, found.guarantee) == ("solved", "optimal"), (solver, heuristic)
            assert found.value == near(float(optimum), 1e-6), (solver, heuristic)


# --- learned rule lists that reached the goal in every trial on larger problems, and fail on a small one ---

THETA = {"blocksworld": (3,), "blocksworld-towers": (5, 1), "delivery": (1, 4, 1, 0, 1)}


def files_of(name: str, folder: Path) -> tuple[str, str, str]:
    """The domain's file, the problem's and the rules'."""
    domain, _ = generate(name, *THETA[name]).write(folder)
    return str(domain), str(REPRODUCERS / f"{name}.ppddl"), str(REPRODUCERS / f"{name}.rules")


def closure_of(task: GroundTask, rules: str) -> Closure:
    return check_closure(task, RuleList.parse(Path(rules).read_text("utf-8")), max_states=1000, stop=_core.Stop())


def solved_with_rules(domain: str, problem: str, rules: str, folder: Path, *options: str) -> dict[str, Any]:
    """What ``gpaplan solve`` says of the rules if it is given them as an automaton."""
    automaton = str(folder / "rules.gpa.json")
    learned = CliRunner().invoke(gpaplan, ["learn", domain, problem, "--rules", rules, "-o", automaton])
    assert learned.exit_code == 0, learned.output
    assert "always leads" not in learned.output
    found = CliRunner().invoke(gpaplan, ["solve", domain, problem, "--gpa", automaton, "--json", *options])
    assert found.exit_code == 0, found.output
    record = json.loads(found.stdout)
    assert (record["status"], record["proper"], record["goal_probability"]) == ("solved", True, 1)
    verdict: dict[str, Any] = record["gpa"]
    return verdict


@pytest.mark.parametrize("name", ["blocksworld", "blocksworld-towers"])
def test_a_list_that_leads_nowhere_is_not_said_to_suffice(name: str, tmp_path: Path) -> None:
    """One puts blocks where they are in the way: it was right for one tower that is turned over, and nothing else. The
    other takes a block up and puts it down again for ever: it was right on all problems with four blocks, and of those
    with five it fails on at least 18 of 3,507."""
    domain, problem, rules = files_of(name, tmp_path)
    closure = closure_of(load(domain, problem), rules)
    assert closure.complete
    assert closure.lost > 0
    assert not closure.closed
    assert solved_with_rules(domain, problem, rules, tmp_path, "--match", "strict")["fallback"] is True
    coarse = solved_with_rules(domain, problem, rules, tmp_path)
    assert coarse["fallback"] or coarse["matching"]["level"] > 0  # the rules as they are do not suffice


def test_a_list_that_leads_to_the_goal_unless_each_choice_is_the_worst(tmp_path: Path) -> None:
    """It drives the parcel from x to y or to w, both of which seem nearer to its place, and from w back to x: whoever
    always takes w never gets there, and by chance one does. That is all that is claimed of a list that is closed."""
    domain, problem, rules = files_of("delivery", tmp_path)
    task = load(domain, problem)
    assert closure_of(task, rules).closed
    assert solved_with_rules(domain, problem, rules, tmp_path, "--match", "strict")["fallback"] is False
    automaton = RuleFilter.of(task.domain, Path(rules).read_text("utf-8"))
    space = ConstrainedStateSpace(task, automaton, symmetry="off", match="strict")
    space.explore()
    circle = {"(move x w)", "(move w x)"}
    assert circle <= {str(each.action) for state in range(len(space)) for each in space.transitions(state)}
