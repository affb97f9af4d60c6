"""What rules are learned from: values, regrets and regions, against exact computations of another kind."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from gpaplan import GroundTask, StateSpace, UsageError, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.examples import FORBIDDEN, Example, Examples, another_goal, solve_example
from gpaplan.learning.rules.lists import (
    ListEvaluator,
    ListSearch,
    ListSettings,
    ListValue,
    failing_states,
    labels_of_list,
)
from gpaplan.learning.rules.table import RowTable
from gpaplan.limits import WorkBudget
from tests.chains import Row
from tests.decision_processes import Process, process_task, random_process
from tests.exact import Options, least_cost, options_of


def task_of(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


SMALL = [("gripper", 2), ("schedule", 1, 2), ("delivery", 1, 3, 1, 1, 0), ("blocksworld", 3), ("triangle-tireworld", 1)]


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_regrets_are_those_of_an_independent_computation(size: tuple[str, int]) -> None:
    name, *theta = size
    task = task_of(name, *theta)
    example = solve_example(task, max_states=1000, stop=_core.Stop())
    assert example is not None
    space = StateSpace(task, symmetry=example.space.symmetry)
    space.explore()
    options, goals = options_of(space)
    values = {state: least_cost(options, goals, initial=state) for state in range(len(space))}
    forbidden = 0
    for state, choices in example.choices.items():
        for choice, (cost, outcomes) in zip(choices, options[state], strict=True):
            after = [(probability, values[to]) for probability, to in outcomes]
            own = values[state]
            assert own is not None
            if any(value is None for _, value in after):
                forbidden += 1
                assert example.regret(state, choice) == FORBIDDEN
                continue
            regret = cost + sum((p * value for p, value in after if value is not None), Fraction(0)) - own
            assert example.regret(state, choice) == pytest.approx(float(regret), abs=1e-5)
    assert (forbidden > 0) == (name == "triangle-tireworld")


def test_only_states_that_are_reached_without_losing_the_goal_are_learned_from() -> None:
    task = task_of("triangle-tireworld", 2)
    example = solve_example(task, max_states=5000, stop=_core.Stop())
    assert example is not None
    assert len(example.choices) < sum(not example.space.is_goal(state) for state in range(len(example.space)))
    safe = example.reachable(most_regret=FORBIDDEN - 1)
    assert set(example.choices) == {state for state in safe if not example.space.is_goal(state)}
    some = list(example.choices)[:3]
    assert [state for _, state in Examples([example.only(some)]).states] == some


def test_a_problem_of_too_many_states_is_no_example() -> None:
    assert solve_example(task_of("gripper", 4), max_states=10, stop=_core.Stop()) is None


def test_a_problem_without_a_proper_policy_is_refused_unless_giving_up_has_a_price() -> None:
    half = {1: Fraction(1, 2), 2: Fraction(1, 2)}
    task = process_task(Process({0: [Row(Fraction(1), half)]}, frozenset({2})))
    with pytest.raises(UsageError, match="no policy that reaches the goal with probability one"):
        solve_example(task, max_states=100, stop=_core.Stop())
    example = solve_example(task, max_states=100, dead_end_cost=10.0, stop=_core.Stop())
    assert example is not None
    assert example.values[example.space.initial] == pytest.approx(6.0)
    assert example.regret(example.space.initial, example.choices[example.space.initial][0]) == 0


# --- the value of a list ---


@pytest.mark.parametrize("seed", range(30))
def test_the_value_of_drawing_among_actions_is_that_of_the_mean_action(seed: int) -> None:
    space = StateSpace(process_task(random_process(seed, 8)))
    space.explore()
    options, goals = options_of(space)
    kept = {state: [n for n in range(len(own)) if (seed >> n) % 2 == 0 or n == 0] for state, own in options.items()}
    mixed: Options = {
        state: [
            (
                sum((own[n][0] for n in kept[state]), Fraction(0)) / len(kept[state]),
                [(p / len(kept[state]), to) for n in kept[state] for p, to in own[n][1]],
            )
        ]
        for state, own in options.items()
        if own
    }
    mixed.update({state: [] for state, own in options.items() if not own})
    chosen = [
        [space.core.transitions(state)[n][0] for n in kept.get(state, ()) if options.get(state)]
        for state in range(len(space))
    ]
    probabilities, costs = _core.evaluate_choices(space.core, chosen, math.inf, _core.Stop())
    for state in range(len(space)):
        exact = least_cost(mixed, goals, initial=state)
        assert (exact is not None) == (probabilities[state] > 1 - 1e-9)
        assert costs[state] == (math.inf if exact is None else pytest.approx(float(exact)))


def evaluate(example: Example, rules: RuleList) -> ListValue:
    return ListEvaluator([example], _core.Stop()).evaluate(rules)


@pytest.mark.parametrize(
    ("family", "theta"), [("gripper", (3,)), ("delivery", (1, 4, 2, 1, 4)), ("blocksworld-towers", (4, 0))]
)
def test_who_reaches_one_goal_after_the_other_arrives(family: str, theta: tuple[int, ...]) -> None:
    example = solve_example(task_of(family, *theta), max_states=3000, stop=_core.Stop())
    assert example is not None
    kept: list[list[int]] = [[] for _ in range(len(example.space))]
    for state, choices in example.choices.items():
        regrets = example.serial_regrets(state)
        assert min(regrets) == pytest.approx(0, abs=1e-6)
        kept[state] = [each.action for each, regret in zip(choices, regrets, strict=True) if regret < 1e-6]
    goals, costs = _core.evaluate_choices(example.space.core, kept, math.inf, _core.Stop())
    assert all(goals[state] == pytest.approx(1) for state in example.choices)
    assert all(costs[state] >= example.values[state] - 1e-6 for state in example.choices)
    assert any(costs[state] > example.values[state] + 0.1 for state in example.choices) or family != "delivery"


def test_a_list_that_never_arrives_makes_its_own_states_bad() -> None:
    example = solve_example(task_of("gripper", 1), max_states=100, stop=_core.Stop())
    assert example is not None
    value = evaluate(example, RuleList.parse("move:"))
    assert value.goal_rate == 0
    assert value.cost_ratio == math.inf
    examples = Examples([example])
    labels = labels_of_list(examples, value)
    assert all(label >= 0 for label in labels)
    by_state: dict[int, list[float]] = {}
    for place, label in zip(examples.place, labels, strict=True):
        by_state.setdefault(place, []).append(label)
    assert all(min(some) == 0 for some in by_state.values())
    assert failing_states(value, 100)


def test_labels_by_an_optimal_list_are_regrets() -> None:
    example = solve_example(task_of("gripper", 2), max_states=1000, stop=_core.Stop())
    assert example is not None
    rules = RuleList.parse("drop: (is ?r @ball-in/2)\npick: (is ?b !ball-in/1)\nmove:")
    value = evaluate(example, rules)
    assert value.cost_ratio == pytest.approx(1)
    assert value.excess == pytest.approx(1)
    assert not failing_states(value, 100)
    examples = Examples([example])
    for row, (regret, label) in enumerate(zip(examples.regrets, labels_of_list(examples, value), strict=True)):
        stays = sum(p for p, to in examples.choices[row].outcomes if to == examples.rows[row].state)
        assert label == pytest.approx(regret / (1 - stays), abs=1e-5)


def test_a_search_for_a_list_ends_with_one_that_loses_nothing_where_there_is_one() -> None:
    example = solve_example(task_of("gripper", 2), max_states=1000, stop=_core.Stop())
    assert example is not None
    examples = Examples([example])
    table = RowTable(examples, Pool([(example.task, example.space)], examples.rows, max_complexity=3))
    search = ListSearch(table, examples.regrets, ListSettings(), _core.Stop(), WorkBudget(60))
    rules = table.spell_out(search.learn())
    assert evaluate(example, rules).excess == pytest.approx(1)
    assert table.spell_out(table.encode(rules)) == rules


TWO_LAMPS = """
(define (domain lamps) (:requirements :typing) (:types lamp)
  (:predicates (on ?l - lamp) (bulb ?l - lamp))
  (:action fetch :parameters (?l - lamp) :effect (bulb ?l))
  (:action turn :parameters (?l - lamp) :precondition (bulb ?l) :effect (on ?l)))
(define (problem two) (:domain lamps) (:objects a b - lamp) (:init (bulb a)) (:goal (and (on a) (on b))))
"""


def test_the_first_step_towards_any_goal_has_no_regret() -> None:
    example = solve_example(ground(parse_task(TWO_LAMPS)), max_states=100, stop=_core.Stop())
    assert example is not None
    start = example.space.initial
    names = [str(example.task.action(choice.action)) for choice in example.choices[start]]
    regrets = dict(zip(names, example.serial_regrets(start), strict=True))
    assert regrets["(turn a)"] == pytest.approx(0)
    assert regrets["(fetch b)"] == pytest.approx(0)  # though b is farther from being on than a
    assert regrets["(fetch a)"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("family", "theta"), [("gripper", (3,)), ("delivery", (1, 4, 2, 1, 4)), ("blocksworld-towers", (4, 0))]
)
def test_other_goals_are_of_the_same_kind_and_can_be_met(family: str, theta: tuple[int, ...]) -> None:
    example = solve_example(task_of(family, *theta), max_states=3000, stop=_core.Stop())
    assert example is not None
    asked = {atom.predicate for atom in example.task.goal_atoms}
    chance = random.Random(1)
    found = [task for task in (another_goal(example, chance) for _ in range(8)) if task is not None]
    assert len({task.goal_atoms for task in found}) > 1
    for task in found:
        assert {atom.predicate for atom in task.goal_atoms} <= asked
        assert set(task.goal_atoms) != set(example.task.goal_atoms)
        other = solve_example(task, max_states=3000, stop=_core.Stop())
        assert other is not None
        assert other.values[other.space.initial] < math.inf
