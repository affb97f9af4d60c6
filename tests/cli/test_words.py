"""What commands say in words: of a domain alone, of goals out of reach, of dead ends, of automata that fall short."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpaplan import Limits, PolicyAutomaton, ground, learn, solve
from gpaplan.benchmarks import generate
from gpaplan.cli.solve import automaton_verdict
from tests import commands
from tests.commands import as_json
from tests.paths import DOMAINS

RIVER = """
(define (domain river) (:requirements :probabilistic-effects :negative-preconditions)
  (:predicates (here) (there) (wet) (dry-feet))
  (:action jump :precondition (here) :effect (and (not (here)) (probabilistic 0.75 (there) 0.25 (wet))))
  (:action rest :precondition (here) :effect (and)))
"""
PROBLEM = "(define (problem cross) (:domain river) (:init (here))\n  (:goal {goal}))"


def gpaplan(*arguments: object, code: int = 0) -> str:
    done = commands.gpaplan(*arguments, code=code)
    return done.stdout if code != 31 else done.stderr


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def river(tmp_path: Path) -> Path:
    path = tmp_path / "river.ppddl"
    path.write_text(RIVER)
    return path


def crossing(folder: Path, goal: str) -> Path:
    path = folder / "cross.ppddl"
    path.write_text(PROBLEM.format(goal=goal))
    return path


# --- check ---


def test_check_of_a_domain_alone(river: Path) -> None:
    text = gpaplan("check", river)
    assert text.startswith("river, a domain without a problem\n")
    assert "never changed  (dry-feet)" in text
    assert "(jump)" in text
    record = as_json("check", river)
    assert (record["status"], record["domain"], record["problem"]) == ("ok", "river", None)
    assert record["schemas"] == ["(jump)", "(rest)"]
    assert record["predicates"]["dry-feet"] == {"declared": "(dry-feet)", "changes": False}
    assert record["predicates"]["wet"]["changes"]
    assert record["requirements"] == [":probabilistic-effects", ":negative-preconditions"]


def test_check_of_a_domain_alone_finds_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "broken.ppddl"
    path.write_text(RIVER.replace("(here) :effect (and))", "(heer) :effect (and))"))
    record = as_json("check", path, code=30)
    assert [(each["line"], each["message"]) for each in record["errors"]] == [(5, "unknown predicate 'heer'")]


def test_a_domain_alone_has_no_states_and_no_named_problem(river: Path) -> None:
    assert "--states needs a problem" in gpaplan("check", river, "--states", code=31)
    gpaplan("check", river, "--problem-name", "cross", code=30)
    gpaplan("solve", river, code=30)


def test_check_names_the_parts_of_the_goal_that_are_out_of_reach(river: Path, tmp_path: Path) -> None:
    problem = crossing(tmp_path, "(and (there)\n    (dry-feet))")
    assert f"never reached  {problem}:3: (dry-feet)" in gpaplan("check", river, problem)
    record = as_json("check", river, problem)
    assert [(part["text"], part["reachable"], part["line"]) for part in record["goal_parts"]] == [
        ("(there)", True, 2),
        ("(dry-feet)", False, 3),
    ]
    assert "dead ends" in gpaplan("check", river, problem, "--states")


def test_check_counts_dead_ends(river: Path, tmp_path: Path) -> None:
    problem = crossing(tmp_path, "(there)")
    text = in_one_line(gpaplan("check", river, problem, "--states"))
    assert "dead ends 1: states from which the goal cannot be reached" in text
    assert "first entered by (jump), with probability 0.25, where these hold: (here)" in text
    assert "and 1 from which it can, but no policy reaches the goal with probability one" in text
    found = as_json("check", river, problem, "--states")["dead_ends"]
    assert (found["count"], found["without_proper_policy"], found["goal_states"]) == (1, 2, 1)
    assert (found["action"], found["probability"], found["state"], found["dead_end"]) == (
        "(jump)",
        0.25,
        ["(here)"],
        [],
    )
    found = as_json("check", river, problem, "--states", "--relevance", "off")["dead_ends"]
    assert (found["count"], found["dead_end"]) == (1, ["(wet)"])  # nothing else asks for it


def test_one_atom_is_not_several(river: Path, tmp_path: Path) -> None:
    river.write_text(RIVER.replace("(:action rest :precondition (here) :effect (and))", ""))
    text = in_one_line(gpaplan("check", river, crossing(tmp_path, "(there)")))
    assert "dropped 1 atom of wet: the goal cannot depend on it" in text


def test_check_says_where_there_are_none_and_where_all_is_lost(river: Path, tmp_path: Path) -> None:
    files = generate("gripper", 2).write(tmp_path)
    assert "none: the goal can be reached from every state" in gpaplan("check", *files, "--states")
    both = crossing(tmp_path, "(and (there) (wet))")
    text = gpaplan("check", river, both, "--states")
    assert "all states: the goal cannot be reached, although no part of it is known to be out of reach" in text
    assert as_json("check", river, both, "--states")["dead_ends"]["initial"]
    text = gpaplan("check", DOMAINS / "no-goal.ppddl", "--states")
    assert "all states: the goal cannot be reached\n" in text


def test_an_incomplete_count_leaves_dead_ends_unknown(tmp_path: Path) -> None:
    files = generate("gripper", 5).write(tmp_path)
    record = as_json("check", *files, "--states", "--max-states", 50, code=13)
    assert record["dead_ends"] is None
    text = gpaplan("check", *files, "--states", "--max-states", 50, code=13)
    assert "dead ends           unknown: not all states were looked at" in text


# --- solve ---


def test_solve_says_why_there_is_no_proper_policy(river: Path, tmp_path: Path) -> None:
    problem = crossing(tmp_path, "(there)")
    text = in_one_line(gpaplan("solve", river, problem, code=20))
    assert "the largest probability of reaching it is 0.75" in text
    assert "(jump), the first step: with probability 0.25 it leads to a state" in text
    assert "--dead-end-cost D" in text
    reason = as_json("solve", river, problem, code=20)["reason"]
    assert (reason["kind"], reason["action"], reason["state"]) == ("chance", "(jump)", ["(here)"])
    assert (reason["goal_probability"], reason["probability"], reason["proven"]) == (0.75, 0.25, True)
    assert as_json("solve", river, problem, "--dead-end-cost", 10)["reason"] is None


def test_solve_names_a_part_of_the_goal(river: Path, tmp_path: Path) -> None:
    problem = crossing(tmp_path, "(and (there) (dry-feet))")
    text = in_one_line(gpaplan("solve", river, problem, code=20))
    assert f"this part of it is out of reach: {problem}:2: (dry-feet)." in text
    assert "see what is never true, and why: 'gpaplan check DOMAIN PROBLEM --states'" in text


def test_solve_explains_an_automaton_that_does_not_suffice(tmp_path: Path) -> None:
    domain, small = generate("gripper", 1).write(tmp_path)
    _, large = generate("gripper", 3).write(tmp_path)
    automaton = tmp_path / "gripper.gpa.json"
    gpaplan("learn", domain, small, "-o", automaton)
    strict = ("solve", domain, large, "--gpa", automaton, "--explain", "--match", "strict")
    text = gpaplan(*strict)
    assert "The automaton did not suffice: already in the initial state, every action is pruned" in text
    assert "nearest vertex" in text
    found = as_json(*strict)["gpa"]["explanation"]
    assert (found["sufficed"], found["counterexample"]["kind"]) == (False, "stuck")
    assert found["text"] == found["counterexample"]["text"]
    refused = as_json(*strict, "--fallback", "none", code=20)
    assert refused["gpa"]["explanation"]["counterexample"]["kind"] == "stuck"
    assert refused["reason"]["kind"] == "automaton"
    text = gpaplan("solve", domain, large, "--gpa", automaton, "--fallback", "none", code=20)
    assert "policy       none was found" in text


def test_solve_says_that_an_automaton_sufficed(tmp_path: Path) -> None:
    domain, small = generate("gripper", 1).write(tmp_path)
    automaton = tmp_path / "gripper.gpa.json"
    gpaplan("learn", domain, small, "-o", automaton)
    assert "The automaton sufficed: a policy on its edges reaches the goal with probability one." in gpaplan(
        "solve", domain, small, "--gpa", automaton, "--explain"
    )
    found = as_json("solve", domain, small, "--gpa", automaton, "--explain")["gpa"]["explanation"]
    assert (found["sufficed"], found["counterexample"]) == (True, None)
    assert as_json("solve", domain, small, "--gpa", automaton)["gpa"]["explanation"] is None
    assert "--explain needs an automaton" in gpaplan("solve", domain, small, "--explain", code=31)


# --- how coarsely states were compared with an automaton ---


def learned(folder: Path, name: str, *thetas: tuple[int, ...]) -> tuple[Path, Path]:
    """The domain's file, and that of an automaton learned from some problems."""
    files = [generate(name, *theta).write(folder) for theta in thetas]
    domain, automaton = files[0][0], folder / f"{name}.gpa.json"
    gpaplan("learn", domain, *(problem for _, problem in files), "-o", automaton, "--abstraction", "canonical")
    return domain, automaton


def verdict(text: str) -> str:
    """The last row of an answer, which is about the automaton."""
    return in_one_line(text.partition("\n  automaton  ")[2])


def test_solve_says_why_an_automaton_fails_by_the_coarsest_look(tmp_path: Path) -> None:
    """One sample or many: coarse matching does not tell them apart, so that is no reason."""
    domain, automaton = learned(tmp_path, "rover", (1, 3, 1, 2))
    _, large = generate("rover", 1, 3, 3, 2).write(tmp_path)
    solve = ("solve", domain, large, "--gpa", automaton, "--explain")
    text = gpaplan(*solve)
    assert verdict(text).startswith(
        "did not suffice, even when every state was compared by roles alone: solved without it"
    )
    assert (
        "every action is pruned (3 of them). The reason, with states compared by roles alone: the automaton has an "
        "edge for such an action, but not to all that can come of it here: an outcome differs from what was learned in "
        "role {sample}: some here, none there."
    ) in in_one_line(text)
    assert "  matched         at no level, however coarse\n" in text
    assert "  compared        by roles alone: some {dock, waypoint}; " in text
    assert "  pruned          (drop rover0 sample0 waypoint0): an outcome is not among the targets of the edge" in text
    assert "many here, one there" not in text
    strict = in_one_line(gpaplan(*solve, "--match", "strict"))
    assert "The reason: nothing was learned for such a state" in strict
    assert "many here, one there" in strict
    assert "matched" not in strict.partition("The automaton did not suffice")[2]


def test_the_same_as_json(tmp_path: Path) -> None:
    domain, automaton = learned(tmp_path, "rover", (1, 3, 1, 2))
    _, large = generate("rover", 1, 3, 3, 2).write(tmp_path)
    solve = ("solve", domain, large, "--gpa", automaton, "--explain")
    gpa = as_json(*solve)["gpa"]
    assert (gpa["fallback"], gpa["matching"]["level"]) == (True, 3)
    found = gpa["explanation"]["counterexample"]
    assert (found["matched"], found["last_match"]) == ("at no level, however coarse", "relations")
    assert found["seen"].startswith("some {dock, waypoint}; ")
    assert found["abstract_state"].startswith("one {dock, waypoint}; ")
    assert found["differences"] == []
    assert [each["what"] for each in found["outcome_differences"]] == ["{sample}"]
    strict = as_json(*solve, "--match", "strict")["gpa"]["explanation"]["counterexample"]
    assert (strict["matched"], strict["last_match"], strict["seen"]) == (None, "strict", strict["abstract_state"])
    assert strict["differences"][0]["here"] == "many"


def test_a_trap_names_an_action_that_the_look_prunes(tmp_path: Path) -> None:
    """Gripping the first ball is no edge exactly, and is kept by roles alone: it is not what is missing."""
    domain, automaton = learned(tmp_path, "gripper", (1,))
    _, large = generate("gripper", 2).write(tmp_path)
    found = as_json("solve", domain, large, "--gpa", automaton, "--explain")["gpa"]["explanation"]["counterexample"]
    assert (found["kind"], found["matched"], found["last_match"]) == ("trap", "by roles alone", "relations")
    assert found["action"] in [each["action"] for each in found["pruned"]]
    assert "held" in " ".join(found["state"])
    text = in_one_line(gpaplan("solve", domain, large, "--gpa", automaton, "--explain"))
    assert "The reason, with states compared by roles alone: such states were met in learning, but other" in text


@pytest.mark.parametrize(
    ("name", "training", "theta", "said"),
    [
        ("gripper", [(1,)], (1,), "sufficed"),
        ("gripper", [(2,), (3,)], (4,), "sufficed; of 19 states it matched 4 by roles alone"),
        (
            "schedule",
            [(1, 2), (1, 3)],
            (1, 4),
            "sufficed; of 20 states it matched 8 without regard to how many objects play a role",
        ),
        ("gripper", [(1,), (2,)], (3,), "sufficed when every state was compared by roles alone"),
        (
            "triangle-tireworld",
            [(1,)],
            (2,),
            "sufficed when every state was compared by roles alone; of 641 states it matched 33 at no level",
        ),
    ],
)
def test_solve_says_how_coarsely_states_were_compared(
    name: str, training: list[tuple[int, ...]], theta: tuple[int, ...], said: str, tmp_path: Path
) -> None:
    domain, automaton = learned(tmp_path, name, *training)
    _, problem = generate(name, *theta).write(tmp_path)
    text = gpaplan("solve", domain, problem, "--gpa", automaton, "--explain")
    words = "".join(f" {part[0].upper()}{part[1:]}." for part in said.replace(" when ", "; ").split("; ")[1:])
    explained = f"The automaton sufficed: a policy on its edges reaches the goal with probability one.{words}"
    assert verdict(text) == f"{said} {explained}"


def test_several_ways_are_listed(tmp_path: Path) -> None:
    domain, automaton = learned(tmp_path, "delicate-can", (2,), (3,))
    _, problem = generate("delicate-can", 4).write(tmp_path)
    assert verdict(gpaplan("solve", domain, problem, "--gpa", automaton)) == (
        "sufficed; of 17 states it matched 1 exactly, but for outcomes that are goals; 6 without regard to how "
        "many objects play a role; and 5 by roles alone"
    )


def test_explain_says_how_coarsely_a_state_was_compared(tmp_path: Path) -> None:
    domain, automaton = learned(tmp_path, "rover", (1, 3, 1, 2))
    _, large = generate("rover", 1, 3, 3, 2).write(tmp_path)
    stuck = (
        "(at rover0 waypoint0) (carrying rover0 sample0) (imaged objective0) (sample-at sample1 waypoint2) "
        "(sample-at sample2 waypoint1)"
    )
    explain = ("explain", domain, large, "--gpa", automaton)
    text = in_one_line(gpaplan(*explain, "--state", stuck))
    assert (
        "has no vertex for this state, which is matched at no level, however coarse, and keeps 0 of 3 actions; why is "
        "said with states compared by roles alone"
    ) in text
    assert "pruned: the edge does not lead to some {delivered, sample}; " in text
    found = as_json(*explain, "--state", stuck)["gpa"]
    assert (found["match"], found["last_match"], found["known"], found["seen_known"]) == (
        None,
        "relations",
        False,
        True,
    )
    assert found["seen"].startswith("some {dock, waypoint}; ")
    first = in_one_line(gpaplan(*explain))
    assert "state, which is matched without regard to how many objects play a role, and keeps 1 of 5 actions" in first
    assert "why is said" not in first
    strict = in_one_line(gpaplan(*explain, "--state", stuck, "--match", "strict"))
    assert "has no vertex for this state, and keeps 0 of 3 actions" in strict


def test_a_limit_says_nothing_of_an_automaton() -> None:
    """That a search under an automaton was stopped does not mean that the automaton falls short."""
    small, large = (ground(generate("rover", 1, 3, samples, 2)) for samples in (1, 3))
    automaton = learn(small.domain, [solve(small, heuristic="lmcut")])
    said = {}
    for most in (1, 100, 1000):
        found = solve(large, "lrtdp", automaton=automaton, limits=Limits(states=most))
        assert found.matching is not None
        said[most] = automaton_verdict(automaton, found, found.matching)
    assert said[1] == "was tried, and the limit of states came before it was known whether it suffices"
    assert said[100] == said[1000]
    assert said[1000] == "did not suffice, even when every state was compared by roles alone: solved without it"


# --- dead-end costs in learning ---


def test_learning_and_growing_with_a_dead_end_cost(river: Path, tmp_path: Path) -> None:
    problem, output = crossing(tmp_path, "(there)"), tmp_path / "river.gpa.json"
    refused = gpaplan("learn", river, problem, "-o", output, code=31)
    assert "allow giving up (--dead-end-cost D)" in refused
    assert "the largest probability of reaching it is 0.75" in refused
    record = as_json("learn", river, problem, "-o", output, "--dead-end-cost", 100)
    assert record["training"][0]["value"] == pytest.approx(0.25 * 100 + 1)
    automaton = PolicyAutomaton.read(output)
    assert automaton.settings["dead_end_cost"] == 100
    assert [str(edge.action) for edge in automaton.edges] == ["jump()"]
    solved = as_json("solve", river, problem, "--gpa", output, "--dead-end-cost", 100, "--explain")
    assert (solved["status"], solved["gpa"]["fallback"], solved["value"]) == ("solved", False, pytest.approx(26))
    assert "gives up only where the goal is out of reach" in solved["gpa"]["explanation"]["text"]
    grown = as_json("grow", river, problem, "-o", output, "--dead-end-cost", 100, "--update", output)
    assert [step["outcome"] for step in grown["steps"]] == ["sufficed"]
    assert as_json("grow", river, problem, "-o", output)["steps"][0]["outcome"] == "unsolvable"


def test_a_warning_is_shown_once_for_many_problems(tmp_path: Path) -> None:
    domain, *problems = generate("gripper", 1).write(tmp_path)
    problems += generate("gripper", 2).write(tmp_path)[1:]
    domain.write_text(domain.read_text("utf-8").replace(":typing", ""), encoding="utf-8")
    done = commands.gpaplan("learn", domain, *problems, "--validate", problems[0], "-o", tmp_path / "a.gpa.json")
    assert done.stderr.count("the requirement ':typing' is missing") == 1
