"""Automata that are rule lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan import ConstrainedStateSpace, PolicyAutomaton, ground, solve
from gpaplan.automata.page import page_data
from gpaplan.automata.rules import rule_automaton
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.errors import DataError, MismatchError, UsageError
from gpaplan.learning.rules.automaton import automaton_of_rules
from gpaplan.statuses import Status

GRIPPER = """
drop: (related ?b ?r !ball-in)                ; a ball where it belongs
pick: (not (related ?b ?r @ball-in))          ; a ball that does not belong where it is
move:
"""


def gripper_automaton() -> PolicyAutomaton:
    return rule_automaton(generate("gripper", 1).domain, GRIPPER)


@pytest.mark.parametrize("balls", [1, 3, 6])
def test_rules_written_by_hand_solve_gripper(balls: int) -> None:
    """At the optimal cost, without fallback, and with an empty hand nothing is dropped."""
    benchmark = generate("gripper", balls)
    task, automaton = ground(benchmark), gripper_automaton()
    solution = solve(task, automaton=automaton, match="strict", fallback="none")
    assert solution.status == Status.SOLVED
    assert solution.value == pytest.approx(FAMILIES["gripper"].optimal_cost(balls))
    assert automaton.accepts(solution.policy)
    assert not rule_automaton(task.domain, ["pick:", "drop:"]).accepts(solution.policy)


def test_a_rule_keeps_what_fits_it_and_nothing_else() -> None:
    task, automaton = ground(generate("gripper", 2)), gripper_automaton()
    space = ConstrainedStateSpace(task, automaton)
    kept = [str(action) for action, _, _ in space.transitions(space.initial)]
    assert kept == [f"(pick ball{ball} room-a {hand})" for ball in range(2) for hand in ("left", "right")]
    found = automaton.explain(task, space.atoms(space.initial), match="strict")
    assert [str(each.action) for each in found.pruned] == ["(move room-a room-b)"]
    assert found.pruned[0].reason == "rule 2 decides, which it does not fit"


def test_the_page_lists_rules_with_states_in_which_they_decide() -> None:
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2)]
    automaton = automaton_of_rules(tasks[0].domain, GRIPPER, tasks)
    (table,) = (each for each in page_data(automaton)["tables"] if each["mark"] == "rules")
    assert [row[0] for row in table["rows"]] == ["1", "2", "3"]
    drop, pick, move = (row[2] for row in table["rows"])
    assert "for example in gripper-1: (free left) (held ball0 right) (robot-in room-b)" in drop
    assert "for example in gripper-1: (ball-in ball0 room-a)" in pick
    assert "(held ball0 right)" in move
    (untried,) = (each for each in page_data(gripper_automaton())["tables"] if each["mark"] == "rules")
    assert [row[2] for row in untried["rows"]] == ["0 transitions"] * 3


def test_a_file_of_rules_is_read_again(tmp_path: Path) -> None:
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2)]
    automaton = automaton_of_rules(tasks[0].domain, GRIPPER, tasks, note="tried on two problems")
    automaton.write(tmp_path / "rules.gpa.json")
    again = PolicyAutomaton.read(tmp_path / "rules.gpa.json")
    assert again == automaton
    assert again.to_text() == automaton.to_text()
    assert again.settings["note"] == "tried on two problems"
    assert {edge.action for edge in again.edges if edge.origins} == {edge.action for edge in again.edges}
    assert again.covers["rule 2 decides"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["abstraction"]["options"]["rules"][0].update({"schema": "fly"}), "is no schema"),
        (lambda d: d["abstraction"]["options"]["rules"][0].update({"if": ["(is ?b"]}), "rule 1"),
        (lambda d: d["vertices"][0].update(label="elsewhere"), "the label of no rule"),
        (lambda d: d["edges"][0].update(action="rule 9: fly"), "the label of no rule"),
        (lambda d: d["abstraction"]["options"].update(more=1), "more"),
        (lambda d: d["abstraction"].update(version=2), "newer"),
    ],
)
def test_damaged_files_are_refused(change: object, message: str, tmp_path: Path) -> None:
    record = gripper_automaton().to_json()
    change(record)  # type: ignore[operator]
    file = tmp_path / "damaged.gpa.json"
    file.write_text(json.dumps(record))
    with pytest.raises(DataError, match=message):
        PolicyAutomaton.read(file)


def test_merging_loses_nothing() -> None:
    task = ground(generate("gripper", 2))
    one, other = gripper_automaton(), rule_automaton(task.domain, ["move:", "drop:", "pick:"])
    both = one.merge(other)
    assert both.merge(one) == both
    assert PolicyAutomaton.from_json(both.to_json()) == both
    spaces = [ConstrainedStateSpace(task, each) for each in (one, other, both)]
    plain = ConstrainedStateSpace(task, rule_automaton(task.domain, ["move:", "drop:", "pick:"]), lenient=True)
    plain.explore()
    for state in (each for each in range(len(plain)) if not plain.is_goal(each)):
        atoms = plain.atoms(state)
        first, second, joined = ({action for action, _, _ in space.transitions(space.state(atoms))} for space in spaces)
        assert joined == first | second


def test_rules_are_not_merged_with_roles() -> None:
    domain = generate("gripper", 1).domain
    with pytest.raises(MismatchError, match="different abstractions"):
        gripper_automaton().merge(PolicyAutomaton.empty(domain))


def test_where_no_rule_fits_the_schemas_of_rules_do() -> None:
    """Rules that never move: strictly there is no policy, coarsely other rules and schemas count."""
    task = ground(generate("gripper", 2))
    automaton = rule_automaton(
        task.domain, ["drop: (related ?b ?r !ball-in)", "pick: (empty held/1)", "move: (empty any)"]
    )
    assert solve(task, automaton=automaton, match="strict", fallback="none").status != Status.SOLVED
    solution = solve(task, automaton=automaton, match="coarse", fallback="none")
    assert solution.status == Status.SOLVED
    assert solution.fallback is False


def test_mistakes_in_rules_are_named() -> None:
    domain = generate("gripper", 1).domain
    with pytest.raises(UsageError, match="did you mean 'ball-in'"):
        rule_automaton(domain, ["drop: (related ?b ?r @bal-in)"])
    with pytest.raises(UsageError, match="there is no rule"):
        rule_automaton(domain, [])
    assert rule_automaton(domain, "move:") == rule_automaton(domain, ["move:"])
