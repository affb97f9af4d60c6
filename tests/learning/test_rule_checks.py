"""`gpaplan rules`: what it says of lists that are right, stuck, lost or dear, and how it refines them."""

from pathlib import Path

from gpaplan import RuleFilter, ground, solve
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.checks import RuleCheck, check_rules
from gpaplan.learning.rules.learner import RuleEffort, learn_rules
from tests.commands import as_json, gpaplan
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


def refined(text: str) -> list[str]:
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2, 3)]
    rules = RuleList.parse(text)
    effort = RuleEffort(afresh=False)
    found = learn_rules(tasks[0].domain, tasks, [ground(generate("gripper", 6))], start=rules, effort=effort)
    assert found.goal_rate == 1
    return [str(rule) for rule in found.rule_list.rules]


def test_refining_adds_what_is_missing_and_keeps_what_was_written() -> None:
    written = ["pick: (not (is ?r @ball-in/2))", "move: (is ?from (and @ball-in/2 !ball-in/1))", "move:"]
    found = refined("\n".join(written))
    assert [rule for rule in found if not rule.startswith("drop")] == written  # rule 2 never fits: it does no harm
    assert len(found) == 4


def test_refining_removes_what_does_harm() -> None:
    found = refined("move:\n" + RIGHT)
    assert found[-3:] == RIGHT.splitlines()


def test_commands_refine_a_list_and_begin_with_one(tmp_path: Path) -> None:
    files = [generate("gripper", balls).write(tmp_path) for balls in (1, 2, 3)]
    problems = [files[0][0], *(problem for _, problem in files)]
    written, better, learned = tmp_path / "written.rules", tmp_path / "better.rules", tmp_path / "learned.gpa.json"
    written.write_text("pick: (not (is ?r @ball-in/2))\nmove:\n", encoding="utf-8")
    record = as_json("rules", "refine", problems[0], written, *problems[1:], "-o", better)
    assert (record["kept"], record["removed"]) == (written.read_text("utf-8").splitlines(), [])
    assert better.read_text("utf-8").splitlines() == [*record["added"], *record["kept"]]
    gpaplan("rules", "check", problems[0], better, *problems[1:])
    gpaplan("learn", *problems, "--start", better, "-o", learned)
    assert len(RuleFilter.read(learned)) == 3
    done = gpaplan("learn", *problems, "--start", better, "--rules", better, "-o", learned, code=31)
    assert "give one of the two" in done.stderr
