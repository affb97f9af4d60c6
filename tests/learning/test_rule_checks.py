"""`gpaplan rules check`: what it says of lists that are right, stuck, lost or dear."""

from gpaplan import RuleFilter, ground, solve
from gpaplan.benchmarks import generate
from gpaplan.learning.rules.checks import RuleCheck, check_rules
from tests.floats import near

RIGHT = "drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:"


def checked(text: str, family: str = "gripper", *theta: int) -> RuleCheck:
    benchmark = generate(family, *(theta or (2,)))
    (found,) = check_rules(RuleFilter.of(benchmark.domain, text), [ground(benchmark)])
    return found


def test_a_list_that_is_right_has_its_exact_cost() -> None:
    found = checked(RIGHT)
    assert found.complete
    assert not found.failures
    assert found.least == near(5.5)
    assert found.cost == near(5.5)
    assert "always leads to the goal" in found.verdict


def test_a_list_that_keeps_one_action_a_state_costs_what_its_policy_costs() -> None:
    found = checked(RIGHT, "gripper", 1)
    task = ground(generate("gripper", 1))
    assert found.cost == near(solve(task, automaton=RuleFilter.of(task.domain, RIGHT), match="strict").value)


def test_the_shortest_way_to_where_no_rule_fits() -> None:
    found = checked("pick: (not (is ?r @ball-in/2))")
    stuck = next(each for each in found.failures if each.kind == "stuck")
    assert stuck.actions == ("(pick ball0 room-a left)", "(pick ball1 room-a right)")
    assert "no rule fits" in found.verdict


def test_a_list_that_goes_round_and_round_is_lost() -> None:
    found = checked("move:")
    assert [each.kind for each in found.failures] == ["lost"]
    assert found.failures[0].actions == ()
    assert found.cost is None
    assert found.uses == {"rule 1": found.states}
