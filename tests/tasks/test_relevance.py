"""Atoms and actions that the goal cannot depend on: what is dropped, and what may still be said of it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gpaplan import (
    CostError,
    DataError,
    MismatchError,
    Policy,
    PolicyAutomaton,
    StateSpace,
    UsageError,
    ValueIteration,
    ground,
    instances_of_generator,
    learn,
    load,
    solve,
)
from gpaplan.benchmarks import generate
from gpaplan.experiments.suite_file import load_suite, packaged_suites
from gpaplan.spaces.export import FORMATS, explored
from gpaplan.tasks.goal import goal_parts
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

LIGHTS = """
(define (domain lights)
  (:requirements :strips :negative-preconditions :conditional-effects :probabilistic-effects :fluents)
  (:predicates (lit) (door) (noted) (dusty) (torch) {predicates})
  (:action light :precondition (torch) :effect (and (lit) (probabilistic 1/2 (dusty) 1/4 (and (dusty) (noted)))))
  (:action open :effect (and (door) (when (dusty) (noted)) (increase (total-cost) 1)))
  (:action find :precondition (door) :effect (and (torch) (when (not (noted)) (dusty))))
  (:action sweep :precondition (dusty) :effect (not (dusty)))
  {actions})
(define (problem p) (:domain lights) (:init) (:goal {goal}))
"""


def lights(goal: str = "(lit)", *, predicates: str = "", actions: str = "", relevance: bool = True) -> GroundTask:
    text = LIGHTS.replace("{goal}", goal).replace("{actions}", actions).replace("{predicates}", predicates)
    return load(text.replace("(increase (total-cost) 1)", ""), relevance=relevance)


def names(given: object) -> list[str]:
    return sorted(map(str, given))  # type: ignore[call-overload]


def test_what_the_goal_depends_on_through_others_is_kept() -> None:
    task = lights()
    assert names(task.atoms) == ["(door)", "(lit)", "(torch)"]
    assert names(task.dropped_atoms) == ["(dusty)", "(noted)"]
    assert names(task.dropped_actions) == ["(sweep)"]
    assert task.dropped == "2 atoms of noted, dusty; 1 action of sweep"
    assert task.core.outcome_bound() == 1  # the three outcomes of light have become equal
    whole = lights(relevance=False)
    assert not whole.dropped
    assert whole.core.outcome_bound() == 3
    assert solve(task, ValueIteration()).value == solve(whole, ValueIteration()).value == 3


def test_a_condition_of_what_matters_matters() -> None:
    assert not lights("(and (lit) (not (dusty)))").dropped_atoms
    noted = lights(predicates="(warm)", actions="(:action wait :effect (when (noted) (lit)))")
    assert names(noted.dropped_atoms) == []  # (noted) is changed by open if it is dusty


def test_outcomes_that_differ_in_dropped_atoms_alone_have_one_successor() -> None:
    task = load(
        """(define (domain d) (:requirements :probabilistic-effects) (:predicates (g) (a) (b))
        (:action go :effect (probabilistic 1/2 (and (g) (a)) 1/4 (g) 1/8 (b))))
        (define (problem p) (:domain d) (:init) (:goal (g)))"""
    )
    ((_, _, outcomes),) = StateSpace(task).transitions(0)
    assert [probability for probability, _ in outcomes] == [0.75, 0.25]


@pytest.mark.parametrize("goal", ["(and)", "(never)", "(and (lit) (never))"])
def test_a_goal_without_atoms_says_nothing_of_what_matters(goal: str) -> None:
    task = lights(goal, predicates="(never)")
    assert (task.relevance, task.dropped) == (True, "")
    assert [part.reachable for part in goal_parts(task)] == {"(and)": [], "(never)": [False]}.get(goal, [True, False])


def test_a_problem_without_a_goal_keeps_everything() -> None:
    benchmark = generate("delicate-can", 3)
    text = benchmark.problem_text.replace("(:goal (holding can0))", "")
    assert load(benchmark.domain_text, text).core == load(benchmark.domain_text, text, relevance=False).core


def test_an_action_without_a_cost_is_still_refused() -> None:
    text = LIGHTS.format(predicates="", goal="(lit)", actions="(:action rest :effect (dusty))")
    metric = text.replace("(:goal (lit))", "(:goal (lit)) (:metric minimize (total-cost))")
    functions = metric.replace("(:action light", "(:functions (total-cost)) (:action light")
    with pytest.raises(CostError, match="rest"):
        load(functions, cost="metric")


def test_a_goal_atom_that_is_decided_otherwise_is_not_out_of_reach() -> None:
    task = lights("(or (lit) (torch))")
    assert all(part.reachable for part in goal_parts(task))


@pytest.mark.parametrize(("cans", "states"), [(2, 8), (5, 98), (10, 5_634)])
def test_delicate_can_forgets_what_was_crushed(cans: int, states: int) -> None:
    benchmark = generate("delicate-can", cans)
    task = ground(benchmark)
    assert {atom.predicate for atom in task.dropped_atoms} == {"crushed"}
    assert StateSpace(task).explore().states == states == 2 ** (cans - 2) * (2 * cans + 2) + 2
    assert solve(task, ValueIteration()).value == pytest.approx(5.4 + 2.1 * (cans - 2))


# --- names ---


def test_dropped_atoms_may_be_named_and_unknown_ones_may_not() -> None:
    task = ground(generate("delicate-can", 3))
    policy = solve(task, heuristic="lmcut").policy
    atoms: list[AnyAtom] = [*task.initial_state, "(crushed can1)", "(delicate can1)"]
    assert policy.action(atoms) == policy.action(task.initial_state)
    assert task.with_initial_state(atoms).initial_state == task.initial_state
    assert not task.is_goal(atoms)
    with pytest.raises(UsageError, match=r"did you mean '\(crushed can1\)'"):
        policy.action([*task.initial_state, "(crushd can1)"])


def test_those_that_are_passed_over_are_known() -> None:
    """In the order in which they are given, once each, by name in every form."""
    task = lights("(lit)")
    given: list[AnyAtom] = ["(NOTED)", ("dusty",), GroundAtom("noted"), "(lit)"]
    assert list(map(str, task.dropped_among(given))) == ["(noted)", "(dusty)"]
    assert lights("(lit)", relevance=False).dropped_among(given) == ()


def test_a_dropped_action_is_unknown_and_the_message_says_why() -> None:
    with pytest.raises(UsageError, match="dropped: the goal depends on nothing that it changes"):
        lights().action_index("(sweep)")


def test_a_policy_must_not_depend_on_what_was_dropped() -> None:
    task, door, dusty = lights(), GroundAtom("door"), GroundAtom("dusty")
    with pytest.raises(UsageError, match="differs from it only in atoms"):
        Policy(task, {frozenset({door}): GroundAction("find"), frozenset({door, dusty}): GroundAction("open")})


def test_exports_say_what_was_dropped() -> None:
    for write in FORMATS.values():
        text = "".join(write(explored(StateSpace(ground(generate("delicate-can", 2))))))
        assert "// dropped: 2 atoms of crushed\n" in text
        assert "dropped" not in "".join(write(explored(StateSpace(ground(generate("gripper", 1))))))


# --- files ---


def test_a_policy_says_of_which_atoms_it_speaks(tmp_path: Path) -> None:
    benchmark = generate("delicate-can", 3)
    part, whole = ground(benchmark), ground(benchmark, relevance=False)
    file = tmp_path / "policy.json"
    policy = solve(part, heuristic="lmcut").policy
    policy.write(file)
    assert policy.to_json()["irrelevant"] == ["(crushed can0)", "(crushed can1)", "(crushed can2)"]
    assert Policy.read(part, file) == policy
    with pytest.raises(
        DataError, match=r"does not know \(crushed can0\), which the task has not dropped.*relevance on"
    ):
        Policy.read(whole, file)
    solve(whole, heuristic="lmcut").policy.write(file)
    assert "irrelevant" not in file.read_text()
    with pytest.raises(DataError, match=r"may depend on \(crushed can0\), which the task has dropped.*--relevance off"):
        Policy.read(part, file)


def automaton(relevance: bool, name: str = "delicate-can") -> PolicyAutomaton:
    tasks = [instance.task() for instance in instances_of_generator(name, "2..4", relevance=relevance)]
    return learn(tasks[0].domain, [solve(task, heuristic="lmcut") for task in tasks])


def test_automata_with_and_without_relevance_are_not_mixed(tmp_path: Path) -> None:
    part, whole = automaton(True), automaton(False)
    assert (part.relevance, whole.relevance) == ("on", "off")
    assert len(part.edges) < len(whole.edges)
    small, large = (ground(generate("delicate-can", 6), relevance=each) for each in (True, False))
    assert not solve(small, automaton=part).fallback
    assert not solve(large, automaton=whole, match="coarse").fallback
    with pytest.raises(MismatchError, match=r"learned with relevance off.*grounded with relevance on"):
        solve(small, automaton=whole)
    with pytest.raises(MismatchError, match=r"learned with relevance on.*grounded with relevance off"):
        solve(large, automaton=part)
    with pytest.raises(MismatchError, match="cannot be merged"):
        part.merge(whole)
    part.write(tmp_path / "a.json")
    assert PolicyAutomaton.read(tmp_path / "a.json").relevance == "on"


def test_where_everything_matters_automata_serve_either_way() -> None:
    part, whole = automaton(True, "gripper"), automaton(False, "gripper")
    assert part.relevance == whole.relevance == part.merge(whole).relevance == "either"
    assert part == whole
    record = part.to_json()
    del record["settings"]["relevance"]  # as files were before
    old = PolicyAutomaton.from_json(record)
    assert old.relevance == "off"
    assert old.merge(part).relevance == "off"
    assert math.isfinite(solve(ground(generate("gripper", 6)), automaton=old).value)


def test_the_suites_of_the_paper_keep_everything() -> None:
    for name in packaged_suites():
        assert {plan.protocol.relevance for plan in load_suite(name).domains} == {"off"}
