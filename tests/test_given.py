"""Arguments of another kind than wanted: taken where there is no doubt what is meant, else met with what to pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpaplan import (
    Actor,
    CanonicalAbstraction,
    ConstrainedStateSpace,
    GpaplanError,
    Limits,
    Policy,
    PolicyAutomaton,
    RuleFilter,
    StateSpace,
    UsageError,
    evaluate,
    find_dead_ends,
    find_symmetry,
    find_variables,
    ground,
    grow,
    learn,
    learn_rules,
    load,
    parse_task,
    prune,
    record_trials,
    simulate,
    solve,
    validate,
    verify,
)
from gpaplan.acting.trials import simulate_acting
from gpaplan.benchmarks import generate
from gpaplan.experiments import load_suite
from gpaplan.pictures import draw
from gpaplan.tasks.grounding import given_domain, given_task

BENCHMARK = generate("gripper", 2)
TASK = ground(BENCHMARK)
SOLUTION = solve(TASK)
AUTOMATON = learn(TASK.domain, [SOLUTION])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of the task, its policy and its automaton."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "domain.ppddl").write_text(BENCHMARK.domain_text)
    (folder / "problem.ppddl").write_text(BENCHMARK.problem_text)
    (folder / "both.ppddl").write_text(BENCHMARK.domain_text + BENCHMARK.problem_text)
    SOLUTION.policy.write(folder / "policy.json")
    AUTOMATON.write(folder / "gripper.gpa.json")
    return folder


@pytest.mark.parametrize(
    "given",
    [
        lambda folder: folder / "both.ppddl",
        lambda folder: str(folder / "both.ppddl"),
        lambda folder: (folder / "domain.ppddl", folder / "problem.ppddl"),
        lambda folder: [TASK.domain, str(folder / "problem.ppddl")],
        lambda _: (TASK.domain, TASK.problem),
        lambda _: BENCHMARK,
    ],
)
def test_a_task_is_made_of_what_it_is_made_of(given: Callable[[Path], Any], folder: Path) -> None:
    assert given_task(given(folder)).problem.name == TASK.problem.name


TAKING_A_TASK: list[Callable[[Any], object]] = [
    solve,
    StateSpace,
    find_symmetry,
    find_variables,
    simulate,
    record_trials,
    Actor,
    lambda task: simulate_acting(task, trials=1),
    lambda task: evaluate(task, SOLUTION),
    lambda task: verify(task, SOLUTION),
    lambda task: ConstrainedStateSpace(task, AUTOMATON),
    lambda task: grow([task]),
    lambda task: prune([task], AUTOMATON),
    lambda task: validate([task], AUTOMATON),
    lambda task: learn_rules(TASK.domain, [task]),
]


@pytest.mark.parametrize("function", TAKING_A_TASK)
def test_files_are_taken_for_their_task(function: Callable[[Any], object], folder: Path) -> None:
    function(folder / "both.ppddl")


@pytest.mark.parametrize("function", TAKING_A_TASK)
@pytest.mark.parametrize(("given", "shown"), [(SOLUTION, "a Solution"), (7, "7"), ([], "a list"), (None, "None")])
def test_what_is_no_task_is_named(function: Callable[[Any], object], given: object, shown: str) -> None:
    with pytest.raises(UsageError) as error:
        function(given)
    assert str(error.value) == f"{shown} is no task;  pass load(domain, problem), or the two files as a pair"


def test_two_files_are_no_task_and_solver(folder: Path) -> None:
    with pytest.raises(UsageError, match="solve takes one task, and a solver;  pass load"):
        solve(folder / "domain.ppddl", str(folder / "problem.ppddl"))  # type: ignore[arg-type]


TAKING_A_POLICY: list[Callable[[Any], object]] = [
    lambda policy: evaluate(TASK, policy),
    lambda policy: verify(TASK, policy),
    lambda policy: simulate(TASK, policy, trials=3),
    lambda policy: record_trials(TASK, policy),
    lambda policy: Actor(TASK, None, policy),
    lambda policy: simulate_acting(TASK, None, policy, trials=1),
]


@pytest.mark.parametrize("function", TAKING_A_POLICY)
def test_a_solution_and_a_file_are_taken_for_their_policy(function: Callable[[Any], object], folder: Path) -> None:
    for given in (SOLUTION, folder / "policy.json", str(folder / "policy.json")):
        function(given)


@pytest.mark.parametrize("function", TAKING_A_POLICY)
def test_what_is_no_policy_is_named(function: Callable[[Any], object]) -> None:
    with pytest.raises(UsageError, match="a GroundTask is no policy;  pass "):
        function(TASK)


TAKING_AN_AUTOMATON: list[Callable[[Any], object]] = [
    lambda automaton: solve(TASK, automaton=automaton),
    lambda automaton: ConstrainedStateSpace(TASK, automaton),
    lambda automaton: Actor(TASK, automaton),
    lambda automaton: simulate_acting(TASK, automaton, trials=1),
    lambda automaton: learn(TASK.domain, [SOLUTION], automaton=automaton),
    lambda automaton: grow([TASK], automaton=automaton),
    lambda automaton: prune([TASK], automaton),
    lambda automaton: validate([TASK], automaton),
]


@pytest.mark.parametrize("function", TAKING_AN_AUTOMATON)
def test_a_file_is_taken_for_its_automaton(function: Callable[[Any], object], folder: Path) -> None:
    function(folder / "gripper.gpa.json")


@pytest.mark.parametrize("function", TAKING_AN_AUTOMATON)
def test_what_is_no_automaton_is_named(function: Callable[[Any], object]) -> None:
    with pytest.raises(UsageError, match="a list of a PolicyAutomaton is no automaton;  pass what learn"):
        function([AUTOMATON])


def test_a_domain_is_that_of_a_task_or_a_file(folder: Path) -> None:
    for given in (TASK, TASK.domain, BENCHMARK, folder / "domain.ppddl"):
        assert given_domain(given).name == TASK.domain.name
    with pytest.raises(UsageError, match="a Solution is no domain;  pass "):
        learn(SOLUTION, [SOLUTION])  # type: ignore[call-overload]


def test_examples() -> None:
    """One solution is a list of one; problems are solved."""
    assert learn(TASK, SOLUTION).edges == AUTOMATON.edges
    assert learn(TASK, [TASK]) == AUTOMATON


def test_problems_come_as_a_list() -> None:
    for given in ("domain.ppddl", TASK):
        with pytest.raises(UsageError, match="is no list of problems;  pass a list"):
            grow(given)  # type: ignore[arg-type]


def test_a_name_that_is_no_file() -> None:
    with pytest.raises(UsageError, match="unknown policy 'optimal'; it is no file, and the built-in"):
        simulate(TASK, "optimal")
    with pytest.raises(GpaplanError, match="nowhere"):
        solve(TASK, automaton="nowhere.gpa.json")


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: load(None), "None is no file;  pass the path of a PPDDL file, or its text"),  # type: ignore[arg-type]
    (lambda: parse_task(BENCHMARK), "a Benchmark is no file"),  # type: ignore[arg-type]
    (lambda: PolicyAutomaton.read(SOLUTION), "a Solution is no file;  pass the path of an automaton"),  # type: ignore[arg-type]
    (lambda: Policy.read(TASK, None), "None is no file;  pass the path of a policy"),  # type: ignore[arg-type]
    (lambda: SOLUTION.policy.write(None), "None is no file"),  # type: ignore[arg-type]
    (lambda: load_suite(None), "None is no file;  pass the path of a suite, or its name"),  # type: ignore[arg-type]
    (lambda: Policy(TASK, None), "None is no mapping from states to actions"),  # type: ignore[arg-type]
    (lambda: SOLUTION.policy.extended(None), "None is no policy"),  # type: ignore[arg-type]
    (lambda: SOLUTION.policy.action(None), "None is no state;  pass a list of atoms"),  # type: ignore[arg-type]
    (lambda: TASK.is_goal(3), "3 is no state"),  # type: ignore[arg-type]
    (lambda: StateSpace(TASK, "on"), "'on' is no SpaceSettings"),  # type: ignore[arg-type]
    (lambda: find_dead_ends(None), "None is no task"),  # type: ignore[arg-type]
    (lambda: draw(SOLUTION), "a Solution is no task"),  # type: ignore[arg-type]
    (lambda: Limits("5"), "seconds must be a number, not '5'"),  # type: ignore[arg-type]
    (lambda: generate("gripper", "3"), "'balls' must be a whole number, not '3'"),  # type: ignore[arg-type]
    (lambda: generate(None), "unknown benchmark domain 'None'"),  # type: ignore[arg-type]
    (lambda: RuleFilter.of(TASK.domain, 3), "3 is no rule list"),  # type: ignore[arg-type]
    (lambda: CanonicalAbstraction(ignore="held"), "'held' is no list of predicates"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_argument_is_named_with_what_to_pass(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError) as error:
        call()
    assert message in str(error.value)


def test_dead_ends_of_a_task_are_those_of_its_states() -> None:
    assert find_dead_ends(TASK) == find_dead_ends(StateSpace(TASK))
