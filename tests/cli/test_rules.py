"""Rules on the command line: learned, taken from a file, chosen, shown, used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan import PolicyAutomaton, RuleFilter
from gpaplan.benchmarks import FAMILIES, generate
from tests.commands import as_json, gpaplan

GRIPPER = """
drop: (related ?b ?r !ball-in)         ; a ball where it belongs
pick: (not (related ?b ?r @ball-in))
move:
"""


def problems(folder: Path, name: str, *thetas: tuple[int, ...]) -> tuple[Path, list[Path]]:
    files = [generate(name, *theta).write(folder) for theta in thetas]
    return files[0][0], [problem for _, problem in files]


def test_rules_are_learned_shown_and_used(tmp_path: Path) -> None:
    """From one to three balls to twenty, strictly, at the optimal cost."""
    domain, (*small, large) = problems(tmp_path, "gripper", (1,), (2,), (3,), (20,))
    output = tmp_path / "learned.gpa.json"
    record = as_json("learn", domain, *small, "-o", output, "--abstraction", "concepts", "--budget", 30)
    assert record["abstraction"] == "concepts"
    assert record["learning"]["rules"] == RuleFilter.read(output).lists[0].to_json()
    assert [each["problem"] for each in record["training"]] == ["gripper-1", "gripper-2", "gripper-3"]
    shown = gpaplan("show", output).stdout
    assert "rule 1" in shown
    assert "transitions of training" in shown
    page = gpaplan("show", output, "--format", "html").stdout
    assert "in order: the first that fits decides" in page
    solved = as_json("solve", domain, large, "--gpa", output, "--match", "strict", "--fallback", "none")
    assert solved["status"] == "solved"
    assert solved["value"] == pytest.approx(FAMILIES["gripper"].optimal_cost(20), rel=0.05)


def test_rules_from_a_file(tmp_path: Path) -> None:
    domain, (small, large) = problems(tmp_path, "gripper", (2,), (12,))
    rules, output = tmp_path / "my.rules", tmp_path / "my.gpa.json"
    rules.write_text(GRIPPER, encoding="utf-8")
    record = as_json("learn", domain, small, "--rules", rules, "-o", output)
    assert (record["abstraction"], record["edges"], record["rules"]) == ("concepts", 0, 3)
    solved = as_json("solve", domain, large, "--gpa", output, "--match", "strict")
    assert solved["gpa"]["fallback"] is False
    assert solved["value"] == pytest.approx(FAMILIES["gripper"].optimal_cost(12))
    said = as_json("explain", domain, small, "--gpa", output)
    assert "rule 2" in json.dumps(said)
    acted = as_json("simulate", domain, large, "--gpa", output, "--trials", 5)
    assert acted["goal_rate"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly:", "has no schema 'fly'"),
        ("move: (is ?x ball)", "has no parameter '?x'"),
        ("pick: (is ?b bal)", "did you mean 'ball'"),
        ("pick (is ?b ball)", "is no rule"),
        ("; nothing", "there is no rule"),
    ],
)
def test_mistakes_in_a_file_of_rules(text: str, message: str, tmp_path: Path) -> None:
    domain, (small,) = problems(tmp_path, "gripper", (1,))
    rules = tmp_path / "my.rules"
    rules.write_text(text, encoding="utf-8")
    done = gpaplan("learn", domain, small, "--rules", rules, "-o", tmp_path / "my.gpa.json", code=35)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "my.gpa.json").exists()


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    domain, (small,) = problems(tmp_path, "gripper", (1,))
    output = tmp_path / "a.gpa.json"
    done = gpaplan("learn", domain, small, "--abstraction", "concepts", "--goals", "-o", output, code=31)
    assert "belong to canonical abstraction" in done.stderr


def test_without_validation_the_largest_problem_and_larger_ones_are_held_out(tmp_path: Path) -> None:
    domain, files = problems(tmp_path, "blocksworld", (6,), (2,), (3,), (4,))
    record = as_json("learn", domain, *files, "-o", tmp_path / "a.gpa.json", "--budget", 20)
    assert record["abstraction"] == "concepts"
    tried = [row["problem"] for row in record["validation"]["concepts"]["problems"]]
    assert {"blocksworld-6", "joined-1"} <= set(tried)
    assert record["validation"]["canonical"]["failures"] >= 1
    assert {each["problem"] for each in record["learning"]["validation"]} >= {*tried[1:]}


def test_why_no_rules_were_learned_is_said(tmp_path: Path) -> None:
    domain, (small, large) = problems(tmp_path, "blocksworld", (6,), (7,))
    done = gpaplan("learn", domain, small, "--validate", large, "-o", tmp_path / "a.gpa.json", "--budget", 20)
    assert "none were learned: all training problems have more than 3,000 states" in done.stdout
    assert PolicyAutomaton.read(tmp_path / "a.gpa.json").abstraction.name == "canonical"


def test_commands_say_why_in_sentences_about_the_state(tmp_path: Path) -> None:
    domain, (problem,) = problems(tmp_path, "gripper", (2,))
    rules, automaton, trials = (tmp_path / name for name in ("gripper.rules", "a.gpa.json", "trials.jsonl"))
    rules.write_text(GRIPPER)
    gpaplan("learn", domain, problem, "--rules", rules, "-o", automaton)
    why = "rule 2: pick ball0 room-a left, since the goal does not want (ball-in ball0 room-a)"
    assert f"kept: {why}" in gpaplan("explain", domain, problem, "--gpa", automaton).stdout
    explained = as_json("explain", domain, problem, "--gpa", automaton)
    assert why in explained["gpa"]["reasons"]
    assert len(explained["gpa"]["reasons"]) == len(explained["gpa"]["kept"])
    gpaplan("simulate", domain, problem, "--gpa", automaton, "--trials", 1, "--trace", trials)
    assert "rule 2: pick ball" in trials.read_text()
    assert "rule 3: move room-a room-b, since no rule before it fits; kept by the automaton" in trials.read_text()


def test_why_rules_do_not_suffice_is_said_in_sentences(tmp_path: Path) -> None:
    """Balls are never dropped: with both hands full one can only move."""
    domain, (problem,) = problems(tmp_path, "gripper", (2,))
    rules, automaton = tmp_path / "gripper.rules", tmp_path / "a.gpa.json"
    rules.write_text("pick:\nmove:\n")
    gpaplan("learn", domain, problem, "--rules", rules, "-o", automaton)
    solve = ("solve", domain, problem, "--gpa", automaton, "--match", "strict", "--explain")
    text = " ".join(gpaplan(*solve).stdout.split())
    assert "The reason: what is kept there is kept by rule" in text
    assert "wherever it can be done" in text or "since no rule before it fits" in text
    rules.write_text("pick:\n")
    gpaplan("learn", domain, problem, "--rules", rules, "-o", automaton)
    assert "The reason: no rule fits any action there." in " ".join(gpaplan(*solve).stdout.split())


def test_how_coarsely_rules_were_looked_at_is_said(tmp_path: Path) -> None:
    """No rule fits once a ball is held: then schemas do."""
    domain, (problem,) = problems(tmp_path, "gripper", (2,))
    rules, automaton = tmp_path / "gripper.rules", tmp_path / "a.gpa.json"
    rules.write_text("drop: (related ?b ?r !ball-in)\npick: (empty held/1)\nmove: (empty any)\n")
    gpaplan("learn", domain, problem, "--rules", rules, "-o", automaton)
    solve = ("solve", domain, problem, "--gpa", automaton)
    matched = as_json(*solve)["gpa"]["matching"]["states"]["schemas"]
    text = " ".join(gpaplan(*solve).stdout.split())
    assert f"states it matched {matched} by the schemas that rules are about" in text
    rules.write_text("pick:\n")
    gpaplan("learn", domain, problem, "--rules", rules, "-o", automaton)
    text = " ".join(gpaplan(*solve, "--explain").stdout.split())
    assert "even when every state was compared by the schemas that rules are about: solved without it" in text
    assert (
        "The reason, with states compared by the schemas that rules are about: no rule fits any action there." in text
    )
