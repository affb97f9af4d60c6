"""`gpaplan.run`: what it says of problems that are solved, cannot be solved, or are too large."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gpaplan
from gpaplan import GroundTask, Limits, RuleFilter, RunSettings, Solution, Teacher, briefing
from gpaplan.acting.trials import ActingSimulation, simulate_acting
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.solving.run import solve_with
from gpaplan.statuses import Status
from tests import commands


def test_a_small_problem_is_solved_and_nothing_is_learned() -> None:
    found = gpaplan.run(generate("gripper", 2))
    assert found.solution.guarantee == "optimal"
    assert found.automaton is None
    assert found.trials is None
    text = str(found)
    assert "Its expected cost is 5.5, and no policy costs less." in text
    assert "the goal is reached with probability one" in text
    assert "<h2>The policy</h2>" in found.to_html()
    assert found.to_json()["solution"]["value"] == 5.5


def test_files_are_taken(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 1).write(tmp_path)
    assert gpaplan.run(domain, problem).solution.value == 3.25


def test_no_proper_policy_is_said_with_the_best_probability() -> None:
    domain = """(define (domain d) (:requirements :probabilistic-effects) (:predicates (a) (won) (lost))
        (:action play :parameters () :precondition (a)
            :effect (and (not (a)) (probabilistic 1/4 (won) 3/4 (lost)))))"""
    problem = "(define (problem p) (:domain d) (:init (a)) (:goal (won)))"
    found = gpaplan.run(domain + problem)
    assert found.solution.status == Status.NO_PROPER_POLICY
    assert "The best policy reaches it with probability 0.25." in str(found)
    assert "Every policy may miss the goal: the largest probability of reaching it is 0.25." in str(found)
    assert str(found).count("No policy reaches the goal") == 1
    assert any("--dead-end-cost" in step for step in found.next_steps())


def test_a_step_repeats_what_was_asked_for(tmp_path: Path) -> None:
    domain, problem = generate("triangle-tireworld", 1).write(tmp_path)
    done = commands.run("run", domain, problem, "--dead-end-cost", "50", "--cost", "unit")
    assert f"gpaplan run {domain} {problem} --cost unit --dead-end-cost 50 -o policy.json" in done.stdout


def test_a_goal_out_of_reach_leads_to_what_never_happens() -> None:
    domain = """(define (domain d) (:requirements :strips) (:predicates (a) (won))
        (:action play :parameters () :precondition (a) :effect (won)))"""
    found = gpaplan.run(domain + "(define (problem p) (:domain d) (:init) (:goal (won)))")
    assert str(found).count("(won)") == 1
    assert found.next_steps("D P") == ["gpaplan check D P    # which actions can never happen, and why"]


def test_a_large_problem_is_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpaplan.solving.portfolio.BEFORE_LEARNING", 1)
    rules = RuleFilter.of(generate("delivery", 1, 12, 4, 0, 1).domain, RuleList.parse("drop:\npick:\nmove:"))

    def learn(teacher: Teacher, *_given: object) -> RuleFilter:
        teacher.learned = rules
        return rules

    monkeypatch.setattr(Teacher, "learn", learn)
    found = gpaplan.run(generate("delivery", 1, 12, 4, 0, 1))
    assert found.solution.solves
    assert found.automaton is rules
    assert "1. " in str(found)
    assert any("--gpa" in step for step in found.next_steps())


def test_what_is_too_large_is_acted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve_a_little(task: GroundTask, settings: RunSettings, **_how: object) -> Solution:
        assert settings.work
        return solve_with(task, replace(settings, limits=Limits(states=3)))

    monkeypatch.setattr(briefing, "solve_with", solve_a_little)
    monkeypatch.setattr(briefing, "_TRIALS", 2)
    acted = gpaplan.run(generate("delivery", 1, 20, 6, 0, 1))
    assert acted.trials is not None
    assert acted.trials.trials == 2
    assert "of 2 trials" in str(acted)
    assert "They prove nothing." in str(acted)


def test_rules_that_do_not_help_are_not_to_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve_and_learn_in_vain(task: GroundTask, settings: RunSettings, teacher: Teacher, **_how: object) -> Solution:
        teacher.learned = RuleFilter.of(task.domain, RuleList.parse("move: (not (is ?to @at/2))"))
        return solve_with(task, replace(settings, limits=Limits(states=3)))

    def act_a_little(*given: object, **how: Any) -> ActingSimulation:
        return simulate_acting(*given, **{**how, "trials": 2, "horizon": 3})  # type: ignore[arg-type]

    monkeypatch.setattr(briefing, "solve_with", solve_and_learn_in_vain)
    monkeypatch.setattr(briefing, "simulate_acting", act_a_little)
    found = gpaplan.run(generate("delivery", 1, 20, 6, 0, 1))
    assert "no trial reached the goal by it" in str(found)
    assert "Trials that missed the goal: 2 ended after 3 actions." in str(found)
    first, second = found.next_steps("d.ppddl p.ppddl")
    assert first.startswith("gpaplan learn d.ppddl p.ppddl -o learned.gpa.json ")
    assert second.startswith("gpaplan simulate d.ppddl p.ppddl --gpa learned.gpa.json ")


def test_an_interrupt_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is acted in after it, and nothing is claimed of what can go wrong."""

    def interrupted(task: GroundTask, settings: RunSettings, **_how: object) -> Solution:
        return replace(solve_with(task, replace(settings, limits=Limits(states=3))), status=Status.INTERRUPTED)

    monkeypatch.setattr(briefing, "solve_with", interrupted)
    found = gpaplan.run(generate("delivery", 1, 20, 6, 0, 1))
    assert found.trials is None
    assert "No policy was found (interrupted)." in str(found)
    assert "That is not known: no policy was found." in str(found)
