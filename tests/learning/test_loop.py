"""Learning from problems: what is taken, roles of objects or rules over concepts, and why."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest

from gpaplan import (
    GroundTask,
    Limits,
    RuleFilter,
    Status,
    UsageError,
    ground,
    grow,
    instances_of_generator,
    learn,
    learn_rules,
    load,
    solve,
)
from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import generate
from gpaplan.learning import loop, validation
from gpaplan.learning.loop import Choice, Learning, learn_problems
from gpaplan.learning.shrinking import shrink
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.learning.validation import Acted, HeldOutProblems, ProblemScore, ValidationScore
from gpaplan.ppddl.syntax import Or


def tasks_of(name: str, *thetas: tuple[int, ...]) -> list[GroundTask]:
    return [load(each.domain, each.problem_text) for each in (generate(name, *theta) for theta in thetas)]


def choice_of(tasks: list[GroundTask], validation: list[GroundTask] | None = None) -> tuple[TransitionFilter, Choice]:
    found = learn_problems(tasks, validation or (), seconds=20)
    assert found.choice is not None
    return found.automaton, found.choice


# --- what can be learned from ---


def test_problems_are_tasks_files_texts_or_instances(tmp_path: Path) -> None:
    """All of them teach what their optimal solutions do."""
    tasks = tasks_of("gripper", (1,), (2,))
    domain = tasks[0].domain
    wanted = learn(domain, solve_to_optimality(tasks))
    files = [generate("gripper", balls).write(tmp_path) for balls in (1, 2)]
    assert learn(domain, tasks) == wanted
    assert learn(files[0][0], [problem for _, problem in files]) == wanted
    assert learn(domain, [generate("gripper", balls).problem_text for balls in (1, 2)]) == wanted
    assert learn(domain, [generate("gripper", balls).problem for balls in (1, 2)]) == wanted
    assert learn(domain, instances_of_generator("gripper", "1..2")) == wanted
    assert learn(domain, tasks[1:], automaton=learn(domain, tasks[:1])) == wanted
    assert learn(domain, tasks[0]) == learn(domain, tasks[:1])


def test_nothing_cannot_be_learned_from() -> None:
    (task,) = tasks_of("gripper", (1,))
    with pytest.raises(UsageError, match="nothing to learn from: give solutions, policies or problems"):
        learn(task.domain, [])


def test_solutions_and_problems_are_not_mixed() -> None:
    (task,) = tasks_of("gripper", (1,))
    solution = solve(task, heuristic="lmcut")
    with pytest.raises(UsageError, match="solve the problems first"):
        learn(task.domain, [solution, task])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="rules are learned from problems"):
        learn(task.domain, [solution], abstraction="concepts")
    with pytest.raises(UsageError, match="rules are learned from problems"):
        learn(task.domain, [solution], validate=[task])


def test_rules_are_learned_where_they_are_asked_for() -> None:
    tasks = tasks_of("gripper", (1,), (2,))
    automaton = learn(tasks[0].domain, tasks, abstraction="concepts", seconds=20)
    rules = learn_rules(tasks[0].domain, tasks, seconds=20)
    assert automaton.kind == "concepts"
    assert automaton == RuleFilter.of(tasks[0].domain, rules.rule_list)
    assert learn(tasks[0].domain, tasks, automaton=automaton, seconds=20).kind == "concepts"


# --- roles or rules ---


def test_roles_are_taken_where_they_suffice() -> None:
    *small, larger = tasks_of("delicate-can", (2,), (3,), (4,), (6,))
    automaton, choice = choice_of(small, [larger])
    assert automaton.kind == "canonical"
    assert (choice.score.failures, choice.score.decides, choice.taken) == (0, True, "canonical")


def test_rules_are_taken_where_roles_leave_open_what_to_do() -> None:
    """Looking ahead may make up for it on small problems; drawing among what they keep does not."""
    _, choice = choice_of(tasks_of("gripper", (1,), (2,), (3,), (4,)))
    assert (choice.taken, choice.score.decides) == ("concepts", True)
    assert choice.score.drawn == pytest.approx(1.0, abs=0.05)  # of trials, on the largest
    assert choice.other is not None
    assert not choice.other.decides
    assert choice.to_json()["canonical"]["drawn"] is None  # it may go in circles for ever


def test_rules_are_taken_where_roles_prune_nothing() -> None:
    thetas = [(1, 3, 1, 0, 0), (1, 4, 1, 0, 1), (1, 4, 2, 0, 0), (2, 4, 2, 0, 0), (1, 9, 4, 0, 0)]
    *small, larger = tasks_of("delivery", *thetas)
    automaton, choice = choice_of(small, [larger])
    assert automaton.kind == choice.taken == "concepts"
    assert choice.other is not None
    assert choice.score.failures == 0
    assert not choice.other.suffices


def test_roles_are_scored_though_they_are_asked_for() -> None:
    *small, larger = tasks_of("schedule", (1, 2), (1, 3), (1, 5))
    found = learn_problems(small, [larger], abstraction="canonical")
    assert found.automaton.kind == "canonical"
    assert found.choice is not None
    assert (found.choice.other, found.choice.refusal) == (None, "")


def test_the_largest_of_small_problems_is_held_out() -> None:
    """Roles of the others are tried on it, however small it is; what is returned knows all of them."""
    tasks = tasks_of("schedule", (1, 2), (1, 3), (1, 4))
    found = learn_problems(tasks)
    assert found.choice is not None
    assert (found.choice.held_out, found.choice.taken) == ("schedule-1-4", "canonical")
    assert found.choice.joined == sum(row.problem.startswith("joined-") for row in found.choice.score.rows) > 0
    assert found.automaton == learn(tasks[0].domain, solve_to_optimality(tasks))
    assert f"beyond {max(row.objects for row in found.choice.score.rows)} objects" in found.unknown[-1]


def test_rules_that_are_taken_know_the_problem_that_was_held_out() -> None:
    tasks = tasks_of("gripper", (1,), (2,), (3,), (4,))
    found = learn_problems(tasks)
    assert found.choice is not None
    assert (found.choice.held_out, found.choice.taken) == ("gripper-4", "concepts")
    assert "gripper-4" in {each.problem for each in found.automaton.training}


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    [
        ("drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:", 1.0, 1.0),
        ("pick:\ndrop:\nmove:", math.inf, math.inf),
        ("move:", math.inf, math.inf),
    ],
)
def test_what_drawing_costs(rules: str, least: float, most: float) -> None:
    """Next to the optimum, and infinite where the goal may be missed: the second list drops what it has picked."""
    (task,) = tasks_of("gripper", (2,))
    walked = HeldOutProblems([task], [], TRAINING).walk(task, RuleFilter.of(task.domain, rules))
    assert walked is not None
    assert walked.drawn is not None
    assert least - 1e-6 <= walked.drawn <= most + 1e-6
    assert walked.kept <= walked.states


def test_roles_that_leave_acting_to_search_do_not_stay() -> None:
    """A thousand states are not needed to see it."""
    automaton, choice = choice_of(tasks_of("gripper", (1,), (2,), (3,)))
    assert automaton.kind == choice.taken == "concepts"
    assert choice.other is not None
    assert not choice.other.suffices
    assert choice.other.searched > 0.1
    assert (choice.score.goal_rate, choice.score.searched) == (1, 0)


def test_one_small_problem_gives_roles_and_nothing_is_known_of_them() -> None:
    found = learn_problems(tasks_of("gripper", (2,)))
    assert found.automaton.kind == "canonical"
    assert found.choice is None
    assert "nothing to try it on" in found.unknown[0]
    assert "--validate" in found.next_step


def test_roles_are_taken_where_no_rules_can_be_learned() -> None:
    small, large = tasks_of("blocksworld", (6,), (7,))
    automaton, choice = choice_of([small], [large])
    assert automaton.kind == "canonical"
    assert "all training problems have more than 3,000 states" in choice.refusal


def test_a_large_problem_teaches_where_the_small_ones_do_not_suffice() -> None:
    """Small problems are made out of it, and lead to rules; what the given one teaches leaves a third to search."""
    automaton, choice = choice_of(tasks_of("blocksworld", (6,), (7,)))
    assert automaton.kind == "concepts"
    assert choice.score.goal_rate == 1
    assert choice.score.searched < 0.1


# --- from one large problem alone ---


@pytest.mark.parametrize(("name", "theta"), [("delivery", (1, 50, 10, 0, 0)), ("gripper", (50,))])
def test_one_large_problem_is_enough(name: str, theta: tuple[int, ...]) -> None:
    """Small problems are made, learned from and dropped; larger ones, and the given one, are what it is tried on."""
    (large,) = tasks_of(name, theta)
    found = learn_problems([large])
    assert found.made
    assert {each.problem.name for each in found.made} <= {each.problem for each in found.automaton.training}
    assert found.dropped > 0 or found.automaton.kind == "concepts"
    assert found.choice is not None
    assert found.choice.score.rows[-1].problem == large.problem.name
    assert found.choice.score.is_worth_having
    assert found.choice.score.goal_rate == 1
    assert found.unseen == ()
    assert "--gpa" in found.next_step
    solution = solve(large, automaton=found.automaton, limits=Limits(states=5_000))
    assert solution.status == Status.SOLVED
    if name == "gripper":
        assert learn_problems([large]).automaton == found.automaton


@pytest.mark.parametrize(
    ("rules", "teaches"),
    [("drop: (is ?r @ball-in/2)\npick: (is ?b !ball-in/1)\nmove:", False), ("drop:\npick:\nmove:", True)],
)
def test_a_problem_teaches_where_drawing_among_what_is_kept_is_dear(rules: str, teaches: bool) -> None:
    """Both lists keep an optimal policy; the second keeps everything else, too."""
    (large,) = tasks_of("gripper", (30,))
    (small,) = shrink(large, count=1, states=600)
    known = RuleFilter.of(large.domain, rules)
    held_out = HeldOutProblems([], [], TRAINING)
    assert loop._is_needed(Learning(known), held_out, small) is teaches
    assert loop._is_needed(Learning(known, unseen=("move",)), held_out, small)


def test_a_smallest_problem_on_which_rules_fail_is_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found once; then it is said what was checked."""
    (large,) = tasks_of("delivery", (1, 20, 6, 0, 0))
    (smallest,) = tasks_of("delivery", (2, 4, 1, 0, 5))
    asked: list[int] = []

    def find_failure(_rules: object, tasks: list[GroundTask], **_how: object) -> tuple[GroundTask | None, str]:
        asked.append(len(tasks))
        return (smallest, "") if len(asked) == 1 else (None, "on all of them")

    monkeypatch.setattr(loop, "smallest_failure", find_failure)
    found = learn_problems([large], abstraction="concepts", seconds=20)
    assert found.checked == "on all of them"
    assert asked[0] < asked[1]
    assert not found.fails_on_small


def test_what_acts_worse_than_nothing_is_not_worth_having() -> None:
    """Neither what reaches the goal less often, nor what costs far more; a few trials that are dearer say nothing."""
    (task,) = tasks_of("gripper", (3,))

    def score(rate: float, cost: float) -> ValidationScore:
        acted, without = Acted(100, round(100 * rate), cost, 0.0), Acted(5, 5, 10.0, 1.0)
        row = ProblemScore(task.problem.name, 3, None, acted, without, 10.0)
        return ValidationScore((row,))

    assert score(1.0, 12.0).is_worth_having
    assert not score(1.0, 14.0).is_worth_having
    assert not score(0.9, 10.0).is_worth_having


def test_no_cost_is_compared_with_one_that_nobody_knows() -> None:
    row = ProblemScore("large", 30, None, Acted(2, 1, 40.0, 1.0), Acted(2, 0, 100.0, 1.0), None)
    assert (
        ValidationScore((row,)).words
        == "acting reaches the goal in 1 of 2 trials on 1 problem, 100% of the decisions are left to search"
    )


def test_problems_on_which_a_trial_takes_too_long_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are others."""
    small, large = tasks_of("gripper", (2,), (20,))
    automaton = learn(small.domain, solve_to_optimality([small]))

    def tried(most: int) -> list[str]:
        monkeypatch.setattr(validation, "LONGEST_TRIAL", most)
        return [row.problem for row in HeldOutProblems([small], [large], TRAINING).score(automaton).rows]

    assert tried(10_000) == ["gripper-2"]
    assert tried(10**9) == tried(0) == ["gripper-2", "gripper-20"]


def test_what_cannot_be_shrunk_is_said() -> None:
    """No small problem can be solved, so there is nothing to learn from."""
    (large,) = tasks_of("gripper", (30,))
    never = dataclasses.replace(large.problem, goal=Or(()))
    with pytest.raises(UsageError, match="give small problems of the domain, or --dead-end-cost D"):
        learn_problems([ground(large.domain, never)])


# --- after growing ---


def test_nothing_is_suggested_where_growing_ends() -> None:
    growth = grow(instances_of_generator("schedule", "1", "2..6"))
    assert growth.hint is None


def test_rules_are_suggested_where_all_problems_need_new_edges() -> None:
    growth = grow(instances_of_generator("maintenance", "1", "3..6", "2", "3"))
    assert growth.hint is not None
    assert "gpaplan learn" in growth.hint
