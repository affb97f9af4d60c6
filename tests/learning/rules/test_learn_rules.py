"""Learning rule lists from small problems: they carry to far larger ones, and what cannot be learned is refused."""

from __future__ import annotations

import math
from functools import cache

import pytest

from gpaplan import GroundTask, LimitError, UsageError, _core, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.learner import RuleEffort, RuleLearning, learn_rules
from gpaplan.learning.rules.recording import recorded_rules
from gpaplan.learning.rules.scoring import Scorer
from gpaplan.limits import Limits, WorkBudget

Theta = tuple[int, ...]

PROBLEMS: dict[str, tuple[list[Theta], list[Theta], list[Theta]]] = {
    "gripper": ([(1,), (2,), (3,)], [(6,)], [(20,), (40,)]),
    "schedule": ([(1, 2), (1, 3)], [(1, 6)], [(1, 30)]),
    "rover": (
        [(1, 2, 1, 1), (1, 3, 2, 1), (2, 3, 1, 1), (1, 3, 1, 2)],
        [(2, 5, 4, 3), (3, 8, 9, 6)],
        [(3, 10, 12, 8), (4, 15, 30, 20)],
    ),
    "blocksworld": ([(2,), (3,), (4,)], [(6,), (8,)], [(20,), (30,)]),
    "triangle-tireworld": ([(1,), (2,)], [(3,)], [(10,)]),
    "maintenance": (
        [(1, 3, 1, 0), (2, 4, 2, 1), (3, 6, 2, 2), (1, 5, 2, 3), (4, 5, 2, 4), (1, 6, 3, 5), (2, 6, 3, 6)],
        [(1, 10, 3, 1), (3, 12, 4, 2), (2, 10, 3, 4)],
        [(1, 40, 8, 1), (3, 36, 8, 2)],
    ),
    "delivery": (
        [
            (1, 3, 1, 0, 0),
            (1, 4, 1, 1, 1),
            (2, 5, 1, 0, 2),
            (3, 6, 1, 2, 13),
            (1, 4, 2, 1, 4),
            (1, 4, 2, 2, 5),
            (2, 4, 2, 1, 5),
            (3, 4, 2, 1, 6),
            (3, 6, 2, 0, 6),
            (1, 3, 3, 0, 7),
        ],
        [(1, 15, 4, 3, 1), (2, 20, 5, 3, 2), (3, 20, 4, 4, 3), (4, 20, 5, 4, 3)],
        [(1, 50, 10, 2, 1), (3, 49, 10, 4, 3)],
    ),
}


@cache
def task_of(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


@cache
def learned(name: str) -> RuleLearning:
    training, validation, _ = PROBLEMS[name]
    tasks = [task_of(name, *theta) for theta in training]
    return learn_rules(tasks[0].domain, tasks, [task_of(name, *theta) for theta in validation], seconds=600)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_list_carries_to_far_larger_problems_and_what_is_said_of_it_is_true(name: str) -> None:
    learning = learned(name)
    assert learning.stopped_by == ""
    assert learning.goal_rate == 1
    tasks = [task_of(name, *theta) for theta in PROBLEMS[name][2]]
    score = Scorer(tasks, trials=10, seed=1, stop=_core.Stop(), budget=WorkBudget(math.inf)).score(learning.rule_list)
    assert score is not None
    assert score.goal_rate == 1
    assert len(learning.counts) == len(learning.rule_list.rules)
    for each in learning.training:
        assert each.goal_probability == pytest.approx(1)
        assert each.cost >= each.optimum - 1e-6
    assert {each.problem for each in learning.closures} == {
        generate(name, *theta).problem_name for theta in (*PROBLEMS[name][0], *PROBLEMS[name][1])
    }
    for closure in learning.closures:
        assert closure.lost == 0
        assert closure.closed == closure.complete
    assert "always leads to the goal" in learning.note
    assert RuleList.from_json(learning.to_json()["rules"]) == learning.rule_list


@pytest.mark.parametrize("name", ["gripper", "schedule", "maintenance"])
def test_solving_under_a_list_needs_no_fallback(name: str) -> None:
    task = task_of(name, *PROBLEMS[name][1][0])
    automaton = recorded_rules(task.domain, learned(name).rule_list)
    strict = solve(task, automaton=automaton, match="strict", fallback="none", limits=Limits(seconds=60))
    assert strict.status == "solved"


def test_the_list_of_gripper_is_optimal() -> None:
    learning = learned("gripper")
    assert all(each.cost == pytest.approx(each.optimum) for each in learning.training)
    assert len(learning.rule_list.rules) == 3


def test_the_same_problems_give_the_same_list() -> None:
    training, validation, _ = PROBLEMS["rover"]
    tasks = [task_of("rover", *theta) for theta in training]
    again = learn_rules(tasks[0].domain, tasks, [task_of("rover", *theta) for theta in validation], seconds=600)
    assert again.rule_list == learned("rover").rule_list
    assert again.counts == learned("rover").counts
    assert again.validation == learned("rover").validation
    assert again.tried == learned("rover").tried


def test_costs_may_be_of_any_scale() -> None:
    text = """(define (domain walk) (:requirements :typing :action-costs) (:types place)
      (:predicates (at ?p - place) (road ?a ?b - place)) (:functions (total-cost))
      (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
        :effect (and (not (at ?a)) (at ?b) (increase (total-cost) {cost}))))
    (define (problem walk-{size}) (:domain walk) (:objects {objects} - place) (:init (at p0) {roads})
      (:goal (at p{last})) (:metric minimize (total-cost)))"""

    def walk(size: int, cost: str) -> GroundTask:
        roads = " ".join(f"(road p{i} p{i + 1}) (road p{i + 1} p{i})" for i in range(size - 1))
        objects = " ".join(f"p{i}" for i in range(size))
        return ground(parse_task(text.format(size=size, cost=cost, objects=objects, roads=roads, last=size - 1)))

    lists = []
    for cost in ("0.001", "1", "1000"):
        tasks = [walk(size, cost) for size in (3, 5)]
        lists.append(learn_rules(tasks[0].domain, tasks, [walk(12, cost)]))
    assert lists[0].rule_list == lists[1].rule_list == lists[2].rule_list
    assert lists[2].training[0].cost == pytest.approx(2000)
    assert lists[0].goal_rate == 1


def test_a_quantified_goal_is_learned_like_any_other() -> None:
    text = """(define (domain lamps) (:requirements :typing :adl :probabilistic-effects) (:types lamp)
      (:predicates (lit ?l - lamp) (spoiled ?l - lamp))
      (:action light :parameters (?l - lamp) :precondition (not (spoiled ?l))
        :effect (probabilistic 0.5 (lit ?l)))
      (:action smash :parameters (?l - lamp) :effect (and (spoiled ?l) (when (lit ?l) (not (lit ?l))))))
    (define (problem lamps-{size}) (:domain lamps) (:objects {objects} - lamp) (:init)
      (:goal (forall (?l - lamp) (lit ?l))))"""

    def lamps(size: int) -> GroundTask:
        return ground(parse_task(text.format(size=size, objects=" ".join(f"l{i}" for i in range(size)))))

    tasks = [lamps(1), lamps(3)]
    learning = learn_rules(tasks[0].domain, tasks, [lamps(8)])
    assert [rule.schema for rule in learning.rule_list.rules] == ["light"]
    assert all(each.cost == pytest.approx(each.optimum) for each in learning.training)
    assert all(each.closed for each in learning.closures)


# --- rounds of closure ---


@pytest.mark.parametrize(
    ("name", "training", "validation"),
    [
        ("rectangle-tireworld", [(3, 0, 0, 0), (3, 1, 1, 1)], [(5, 1, 3, 1), (6, 1, 4, 2)]),
    ],
)
def test_states_in_which_a_list_leads_nowhere_are_learned_from(
    name: str, training: list[Theta], validation: list[Theta]
) -> None:
    """The training problems are too small to tell what matters; states of the others do."""
    small, large = ([task_of(name, *theta) for theta in some] for some in (training, validation))
    without = learn_rules(small[0].domain, small, large, seconds=600, effort=RuleEffort(rounds=0))
    assert without.rounds == 0
    assert any(each.lost for each in without.closures)
    assert without.goal_rate < 1
    assert "leads to states without a way to the goal" in without.note
    learning = learn_rules(small[0].domain, small, large, seconds=600)
    assert learning.rounds > 0
    assert all(each.closed for each in learning.closures)
    assert learning.goal_rate == 1


# --- what cannot be learned, and what is stopped ---


def test_what_cannot_be_learned_from_is_refused() -> None:
    gripper = task_of("gripper", 3)
    with pytest.raises(UsageError, match="no problem to learn rules from"):
        learn_rules(gripper.domain, [])
    with pytest.raises(UsageError, match="more than 5 states"):
        learn_rules(gripper.domain, [gripper], effort=RuleEffort(max_states=5))
    with pytest.raises(UsageError, match="domain with other names"):
        learn_rules(gripper.domain, [gripper, task_of("rover", 1, 2, 1, 1)])
    done = parse_task(
        "(define (domain d) (:predicates (p)) (:action a :parameters () :effect (p)))"
        "(define (problem q) (:domain d) (:init (p)) (:goal (p)))"
    )
    with pytest.raises(UsageError, match="the goal holds from the beginning"):
        learn_rules(done.domain, [ground(done)])


def test_a_problem_that_is_too_large_is_only_tried() -> None:
    tasks = [task_of("gripper", balls) for balls in (1, 2, 6)]
    learning = learn_rules(tasks[0].domain, tasks, effort=RuleEffort(max_states=30))
    assert [each.problem for each in learning.training] == ["gripper-1", "gripper-2"]
    assert [each.problem for each in learning.validation] == ["gripper-6"]
    assert "Too large to learn from as a whole, and tried: gripper-6." in learning.note


def test_a_problem_that_is_too_large_to_be_tried_is_named() -> None:
    small, middle, large = (task_of("gripper", balls) for balls in (2, 3, 1500))
    learning = learn_rules(small.domain, [small], [middle, large], seconds=1)
    assert [each.problem for each in learning.validation] == ["gripper-3"]
    assert "Too large to be tried within the budget: gripper-1500." in learning.note


def test_the_largest_problem_is_for_validation_if_there_is_no_other() -> None:
    tasks = [task_of("gripper", balls) for balls in (1, 4)]
    learning = learn_rules(tasks[0].domain, tasks)
    assert len(learning.training) == 2
    assert [each.problem for each in learning.validation] == ["gripper-4"]


def test_time_ends_it_with_the_best_so_far_or_with_nothing() -> None:
    tasks = [task_of("schedule", 1, packets) for packets in (2, 3)]
    with pytest.raises(LimitError, match="learning rules was stopped by the budget of work"):
        learn_rules(tasks[0].domain, tasks, seconds=0.01)
    spent = learn_rules(tasks[0].domain, tasks, seconds=0.05)
    assert (spent.stopped_by, "Learning was stopped (the budget)." in spent.note) == ("budget", True)
    lines: list[str] = []
    stop = Limits().start()

    def interrupt(line: str) -> None:
        lines.append(line)
        if "rules:" in line:
            stop.interrupt()

    learning = learn_rules(tasks[0].domain, tasks, limits=stop, progress=interrupt)
    assert learning.stopped_by == "interrupt"
    assert learning.rule_list.rules
    assert "Learning was stopped (interrupt)." in learning.note
    assert any("solved schedule-1-3" in line for line in lines)


def test_ctrl_c_ends_it_with_the_best_so_far() -> None:
    tasks = [task_of("gripper", balls) for balls in (1, 2, 3)]

    def press(line: str) -> None:
        if "rules:" in line:
            raise KeyboardInterrupt

    learning = learn_rules(tasks[0].domain, tasks, progress=press)
    assert learning.stopped_by == "interrupt"
    assert learning.rule_list.rules


def test_unavoidable_dead_ends_need_a_price() -> None:
    text = """(define (domain ice) (:requirements :typing :probabilistic-effects) (:types place)
      (:predicates (at ?p - place) (road ?a ?b - place) (wet))
      (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b) (not (wet)))
        :effect (probabilistic 0.9 (and (not (at ?a)) (at ?b)) 0.1 (wet))))
    (define (problem ice-{size}) (:domain ice) (:objects {objects} - place) (:init (at p0) {roads})
      (:goal (at p{last})))"""

    def ice(size: int) -> GroundTask:
        roads = " ".join(f"(road p{i} p{i + 1}) (road p{i + 1} p{i})" for i in range(size - 1))
        objects = " ".join(f"p{i}" for i in range(size))
        return ground(parse_task(text.format(size=size, objects=objects, roads=roads, last=size - 1)))

    tasks = [ice(3), ice(5)]
    with pytest.raises(UsageError, match="--dead-end-cost"):
        learn_rules(tasks[0].domain, tasks)
    learning = learn_rules(tasks[0].domain, tasks, dead_end_cost=100.0)
    for each in learning.training:
        assert each.cost == pytest.approx(each.optimum)
        assert 0 < each.goal_probability < 1
