"""Rule lists as filters, and their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan import ConstrainedStateSpace, PolicyAutomaton, RuleFilter, ground, prune, solve
from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.errors import DataError, MismatchError, UsageError
from gpaplan.learning.rules.recording import recorded_rules
from gpaplan.statuses import Status
from tests.paths import ROOT

GRIPPER = """
drop: (related ?b ?r !ball-in)                ; a ball where it belongs
pick: (not (related ?b ?r @ball-in))          ; a ball that does not belong where it is
move:
"""


def gripper_rules() -> RuleFilter:
    return RuleFilter.of(generate("gripper", 1).domain, GRIPPER)


@pytest.mark.parametrize("balls", [1, 3, 6])
def test_rules_written_by_hand_solve_gripper(balls: int) -> None:
    """At the optimal cost, without fallback, and with an empty hand nothing is dropped."""
    benchmark = generate("gripper", balls)
    task, automaton = ground(benchmark), gripper_rules()
    solution = solve(task, automaton=automaton, match="strict", fallback="none")
    assert solution.status == Status.SOLVED
    assert solution.value == pytest.approx(FAMILIES["gripper"].optimal_cost(balls))
    assert automaton.accepts(solution.policy)
    assert not RuleFilter.of(task.domain, ["pick:", "drop:"]).accepts(solution.policy)


def test_a_rule_keeps_what_fits_it_and_nothing_else() -> None:
    task, automaton = ground(generate("gripper", 2)), gripper_rules()
    space = ConstrainedStateSpace(task, automaton)
    kept = [str(action) for action, _, _ in space.transitions(space.initial)]
    assert kept == [f"(pick ball{ball} room-a {hand})" for ball in range(2) for hand in ("left", "right")]
    found = automaton.explain(task, space.atoms(space.initial), match="strict")
    assert [str(each.action) for each in found.pruned] == ["(move room-a room-b)"]
    assert found.pruned[0].reason == "rule 2 decides, which it does not fit"


def recorded() -> RuleFilter:
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2)]
    return recorded_rules(tasks[0].domain, GRIPPER, tasks, note="tried on two problems")


def test_the_page_lists_rules_with_states_in_which_they_decide() -> None:
    page = recorded().to_html()
    heads = [page.index(f"<code>{name}:") for name in ("drop", "pick", "move")]
    assert heads == sorted(heads)
    drop, pick = page[heads[0] : heads[1]], page[heads[1] : heads[2]]
    assert "used in 10 transitions of training" in drop
    assert "for example in gripper-1: (free right) (held ball0 left) (robot-in room-b)" in drop
    assert "for example in gripper-1: (ball-in ball0 room-a)" in pick
    assert gripper_rules().to_html().count("not used in training") == 3
    assert "<script" not in page


def test_a_file_of_rules_is_read_again(tmp_path: Path) -> None:
    rules = recorded()
    rules.write(tmp_path / "rules.gpa.json")
    again = RuleFilter.read(tmp_path / "rules.gpa.json")
    assert again == rules
    assert again.to_text() == rules.to_text()
    assert again.settings["note"] == "tried on two problems"
    assert [each.use.transitions["gripper-2"] for each in again.named()] == [8, 16, 2]
    assert all(each.use.examples for each in again.named())
    with pytest.raises(UsageError, match=r"holds no automaton;  read it by RuleFilter\.read"):
        PolicyAutomaton.read(tmp_path / "rules.gpa.json")


def test_an_automaton_of_rules_of_older_versions_is_read_as_rules() -> None:
    """The same rules, uses and examples, though these came in another order."""
    old, new = TransitionFilter.read(ROOT / "tests" / "automata" / "rules-version-2.gpa.json"), recorded()
    assert isinstance(old, RuleFilter)
    assert old == new
    assert old.settings == new.settings
    assert [each.use.transitions for each in old.named()] == [each.use.transitions for each in new.named()]
    assert all(len(each.use.examples) == 3 for each in old.named())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["rules"][0].update({"schema": "fly"}), "is no schema"),
        (lambda d: d["rules"][0].update({"if": ["(is ?b"]}), "rule 1"),
        (lambda d: d["rules"][0].update(transitions={"gripper-1": 0}), "transitions"),
        (lambda d: d["rules"][0].update(more=1), "more"),
        (lambda d: d["rules"].clear(), "rules"),
        (lambda d: d.update(version=2), "newer"),
    ],
)
def test_damaged_files_are_refused(change: object, message: str, tmp_path: Path) -> None:
    record = gripper_rules().to_json()
    change(record)  # type: ignore[operator]
    file = tmp_path / "damaged.gpa.json"
    file.write_text(json.dumps(record))
    with pytest.raises(DataError, match=message):
        TransitionFilter.read(file)


def test_merging_loses_nothing() -> None:
    task = ground(generate("gripper", 2))
    one, other = gripper_rules(), RuleFilter.of(task.domain, ["move:", "drop:", "pick:"])
    both = one.merge(other)
    assert both.merge(one) == both
    assert RuleFilter.from_json(both.to_json()) == both
    spaces = [ConstrainedStateSpace(task, each) for each in (one, other, both)]
    plain = ConstrainedStateSpace(task, RuleFilter.of(task.domain, ["move:", "drop:", "pick:"]), lenient=True)
    plain.explore()
    for state in (each for each in range(len(plain)) if not plain.is_goal(each)):
        atoms = plain.atoms(state)
        first, second, joined = ({action for action, _, _ in space.transitions(space.state(atoms))} for space in spaces)
        assert joined == first | second


def test_rules_are_not_merged_with_roles() -> None:
    domain = generate("gripper", 1).domain
    with pytest.raises(MismatchError, match="different abstractions"):
        gripper_rules().merge(PolicyAutomaton.empty(domain))


def test_where_no_rule_fits_the_schemas_of_rules_do() -> None:
    """Rules that never move: strictly there is no policy, coarsely other rules and schemas count."""
    task = ground(generate("gripper", 2))
    automaton = RuleFilter.of(
        task.domain, ["drop: (related ?b ?r !ball-in)", "pick: (empty held/1)", "move: (empty any)"]
    )
    assert solve(task, automaton=automaton, match="strict", fallback="none").status != Status.SOLVED
    solution = solve(task, automaton=automaton, match="coarse", fallback="none")
    assert solution.status == Status.SOLVED
    assert solution.fallback is False


def test_mistakes_in_rules_are_named() -> None:
    domain = generate("gripper", 1).domain
    with pytest.raises(UsageError, match="did you mean 'ball-in'"):
        RuleFilter.of(domain, ["drop: (related ?b ?r @bal-in)"])
    with pytest.raises(UsageError, match="there is no rule"):
        RuleFilter.of(domain, [])
    assert RuleFilter.of(domain, "move:") == RuleFilter.of(domain, ["move:"])


def test_rules_that_no_problem_needs_are_pruned() -> None:
    """A rule that never fits, and one after a rule that always fits."""
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2)]
    rules = recorded_rules(tasks[0].domain, f"pick: (is ?b room:type)\n{GRIPPER}\nmove: (is ?to robot-in)", tasks)
    result = prune(tasks, rules)
    assert [str(each) for each in result.removed] == ["move: (is ?to robot-in)", "pick: (is ?b room:type)"]
    assert result.automaton == gripper_rules()
    assert result.automaton.settings["pruned"] == "cost"
