"""Tasks, solutions, policies and automata survive pickles, copies, and the way into another process."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpaplan import (
    GroundTask,
    PolicyAutomaton,
    Solution,
    StateSpace,
    UsageError,
    evaluate,
    find_symmetry,
    ground,
    learn,
    load,
    solve,
    verify,
)
from gpaplan.benchmarks import generate
from tests.paths import ROOT

WAYS: list[Callable[[Any], Any]] = [
    copy.deepcopy,
    lambda each: pickle.loads(pickle.dumps(each)),
    lambda each: pickle.loads(pickle.dumps(each, protocol=2)),
]
ways = pytest.mark.parametrize("way", WAYS, ids=["deepcopy", "pickle", "protocol-2"])
symmetries = pytest.mark.parametrize("symmetry", ["off", "on"])


def gripper(balls: int) -> GroundTask:
    return ground(generate("gripper", balls))


def transitions(task: GroundTask) -> list[object]:
    space = StateSpace(task)
    space.explore()
    return [space.transitions(state) for state in range(len(space))]


@ways
@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "domains").glob("*.ppddl")), ids=lambda path: path.stem)
def test_a_task_is_the_same_again(path: Path, way: Callable[[Any], Any]) -> None:
    task = load(path, problem_name="short" if path.stem == "two-problems" else None)
    again = way(task)
    assert again is not task
    assert again.to_json() == task.to_json()
    assert (again.domain, again.problem, again.objects, again.cost) == (
        task.domain, task.problem, task.objects, task.cost,
    )  # fmt: skip
    assert transitions(again) == transitions(task)


@ways
def test_a_task_knows_its_text_and_finds_its_symmetry_again(way: Callable[[Any], Any]) -> None:
    task = gripper(4)
    classes = find_symmetry(task).classes
    again = way(task)
    assert find_symmetry(again).classes == classes
    assert task.domain.span is not None
    assert again.domain.span.excerpt() == task.domain.span.excerpt()


@ways
@symmetries
def test_a_policy_is_the_same_again(symmetry: Any, way: Callable[[Any], Any]) -> None:
    task = gripper(3)
    policy = solve(task, heuristic="lmcut", symmetry=symmetry).policy
    again = way(policy)
    assert again.to_text() == policy.to_text()
    assert evaluate(again.task, again) == evaluate(task, policy)
    space = StateSpace(task)
    space.explore()
    for state in policy.unfolded():
        assert again.action(state) == policy.action(state)


@ways
@symmetries
@pytest.mark.parametrize("name", ["schedule", "delicate-can"])
def test_a_solution_keeps_what_is_known_of_it(name: str, symmetry: Any, way: Callable[[Any], Any]) -> None:
    task = ground(generate(name, *{"schedule": (1, 3), "delicate-can": (3,)}[name]))
    solution = solve(task, heuristic="lmcut", symmetry=symmetry)
    again: Solution = way(solution)
    assert again.to_json() == solution.to_json()
    assert again == solution
    assert again.policy.to_text() == solution.policy.to_text()
    assert again.space.task is again.policy.task
    assert (again.symmetry and again.symmetry.classes) == (solution.symmetry and solution.symmetry.classes)
    assert verify(task, again.policy)


@ways
@symmetries
def test_the_decisions_of_a_solution_are_those_of_its_new_space(symmetry: Any, way: Callable[[Any], Any]) -> None:
    solution = solve(gripper(3), heuristic="lmcut", symmetry=symmetry)
    again: Solution = way(solution)

    def named(each: Solution) -> dict[object, object]:
        return {each.space.atoms(state): each.space.task.action(action) for state, action in each.decisions.items()}

    assert named(again) == named(solution)
    automaton = learn(solution.space.task.domain, [solution.policy])
    assert automaton.accepts(again)


@ways
def test_a_solution_leaves_its_search_behind(way: Callable[[Any], Any]) -> None:
    solution = solve(gripper(2), heuristic="lmcut")
    again = way(solution)
    with pytest.raises(UsageError, match=r"pickled or copied has no search any more; take its policy"):
        learn(again.space.task.domain, [again])
    assert learn(again.space.task.domain, [again.policy]) == learn(solution.space.task.domain, [solution.policy])
    assert way(again).to_json() == solution.to_json()
    with pytest.raises(AttributeError, match="no attribute 'serach'"):
        _ = again.serach


@ways
def test_solutions_under_an_automaton_and_without_a_policy(way: Callable[[Any], Any]) -> None:
    small = gripper(2)
    automaton = learn(small.domain, [solve(small, heuristic="lmcut")])
    guided = solve(gripper(4), automaton=automaton)
    assert way(guided).policy == guided.policy
    nothing = solve(small, automaton=PolicyAutomaton.empty(small.domain), fallback="none")
    assert (way(nothing).status, way(nothing).decisions) == ("no-proper-policy", {})
    given_up = solve(load(ROOT / "tests" / "domains" / "dead-end.ppddl"), dead_end_cost=5.0)
    assert way(given_up).policy.to_text() == given_up.policy.to_text()


@ways
@pytest.mark.parametrize("symmetry", ["off", "on"])
def test_an_automaton_is_the_same_again(symmetry: Any, way: Callable[[Any], Any]) -> None:
    tasks = [gripper(balls) for balls in (1, 2, 3)]
    automaton = learn(tasks[0].domain, [solve(task, heuristic="lmcut", symmetry=symmetry) for task in tasks])
    assert automaton.vertices  # what it remembers for itself does not get in the way
    again = way(automaton)
    assert again == automaton
    assert again.to_text() == automaton.to_text()
    larger = gripper(5)
    assert solve(larger, automaton=again).expanded == solve(larger, automaton=automaton).expanded


def test_in_another_process(tmp_path: Path) -> None:
    """Under another hash seed, too: nothing in a pickle depends on the order of a set."""
    tasks = [gripper(balls) for balls in (2, 3)]
    solutions = [solve(task, heuristic="lmcut", symmetry="on") for task in tasks]
    automaton = learn(tasks[0].domain, solutions)
    file = tmp_path / "all.pickle"
    file.write_bytes(pickle.dumps((tasks, solutions, automaton)))
    script = (
        "import pickle, sys\n"
        "from gpaplan import evaluate, solve\n"
        "tasks, solutions, automaton = pickle.load(open(sys.argv[1], 'rb'))\n"
        "assert [each.space.task for each in solutions] == tasks, 'the same tasks, not copies of them'\n"
        "print([evaluate(task, each.policy).cost for task, each in zip(tasks, solutions)])\n"
        "print(''.join(each.policy.to_text() for each in solutions))\n"
        "print(automaton.to_text())\n"
        "print(solve(tasks[1], automaton=automaton, heuristic='lmcut').value)\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    run = subprocess.run(command, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    costs = [evaluate(task, each.policy).cost for task, each in zip(tasks, solutions, strict=True)]
    shown = [costs, "".join(each.policy.to_text() for each in solutions), automaton.to_text()]
    value = solve(tasks[1], automaton=automaton, heuristic="lmcut").value
    assert run.stdout == "".join(f"{each}\n" for each in [*shown, value])
