"""Policies: naming, files, exact evaluation, trials."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from gpaplan import (
    LimitError,
    Limits,
    Policy,
    StateSpace,
    UncoveredStateError,
    UsageError,
    _core,
    evaluate,
    ground,
    parse_task,
    simulate,
    solve,
    verify,
)
from gpaplan.benchmarks import generate
from gpaplan.errors import GoalReachedError, NoActionError
from gpaplan.spaces.state_space import SymmetryMode
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask
from tests.chains import Row, Rows, policy_of, task_of
from tests.threads import releases_the_lock

HALF = Fraction(1, 2)


def gripper(balls: int) -> GroundTask:
    benchmark = generate("gripper", balls)
    return ground(benchmark.domain, benchmark.problem)


def first_actions(task: GroundTask, order: tuple[str, ...]) -> Policy:
    """Everywhere the first applicable action of the first schema that has one."""
    space = StateSpace(task)
    space.explore()
    chosen = {}
    for state in range(len(space)):
        actions = sorted(space.applicable(state), key=lambda action: (order.index(action.schema), action))
        if actions and not space.is_goal(state):
            chosen[space.atoms(state)] = actions[0]
    return Policy(task, chosen)


def one_ball() -> tuple[GroundTask, Policy]:
    """The optimal policy of one ball: pick (8 of 10 times), move, drop."""
    task = gripper(1)
    actions: dict[frozenset[GroundAtom], GroundAction | None] = {}
    space = StateSpace(task)
    state = space.initial
    for name in ("(pick ball0 room-a left)", "(move room-a room-b)", "(drop ball0 room-b left)"):
        transition = next(t for t in space.transitions(state) if str(t.action) == name)
        actions[space.atoms(state)] = transition.action
        state = next(outcome.state for outcome in transition.outcomes if outcome.state != state)
    return task, Policy(task, actions)


# --- names ---


def test_a_policy_maps_named_states_to_named_actions() -> None:
    task, policy = one_ball()
    assert len(policy) == 3
    start = frozenset(map(task.atoms.__getitem__, task.core.initial_atoms))
    assert policy[start] == GroundAction("pick", ("ball0", "room-a", "left"))
    assert policy.action(str(atom) for atom in start) == policy[start]
    assert start in policy
    assert frozenset() not in policy
    assert frozenset({GroundAtom("no-such")}) not in policy
    assert set(policy) == {state for state, _ in policy.items()}
    with pytest.raises(KeyError):
        policy[frozenset()]
    with pytest.raises(UncoveredStateError, match=r"undefined in the state \{\};.*with_initial_state"):
        policy.action([])


def test_atoms_come_as_names_as_texts_and_as_tuples() -> None:
    task, policy = one_ball()
    start = task.initial_state
    wanted = GroundAction("pick", ("ball0", "room-a", "left"))
    assert policy.action(start) == wanted
    assert policy.action([(atom.predicate, *atom.arguments) for atom in start]) == wanted
    assert policy.action([(atom.predicate, atom.arguments) for atom in start]) == wanted
    assert policy.action([f"{atom.predicate.upper()} {' '.join(atom.arguments)}" for atom in start]) == wanted
    assert task.action_index(("pick", "ball0", "room-a", "left")) == task.action_index(wanted)


@pytest.mark.parametrize(
    ("atoms", "message"),
    [
        ("(free left)", r"a list of atoms is asked for, and '\(free left\)' is one text or atom; write an atom as"),
        (GroundAtom("free", ("left",)), "a list of atoms is asked for"),
        (("free", "left"), r"has no atom \(free\).*write an atom as.*and a state as a list of atoms"),
        (["(free left) (free right)"], "is more than one atom, or not a whole one; write an atom as"),
        ([7], "7 is not an atom; write an atom as"),
        ([()], r"\(\) is not an atom"),
        ([("free", 1)], r"\('free', 1\) is not an atom"),
        (["(fre left)"], r"has no atom \(fre left\); did you mean '\(free left\)'\?$"),
    ],
)
def test_what_is_no_list_of_atoms_gets_a_hint(atoms: Any, message: str) -> None:
    task, policy = one_ball()
    for ask in (policy.action, policy.explain, task.atom_indices, task.is_goal, task.with_initial_state):
        with pytest.raises(UsageError, match=message):
            ask(atoms)


def test_a_goal_is_told_from_a_state_that_is_not_covered() -> None:
    task, policy = one_ball()
    goal = ["(ball-in ball0 room-b)", "(robot-in room-b)", "(free left)", "(free right)"]
    elsewhere = ["(ball-in ball0 room-a)", "(robot-in room-b)", "(free left)", "(free right)"]
    assert task.is_goal(goal)
    assert not task.is_goal(elsewhere)
    with pytest.raises(GoalReachedError, match=r"the goal is reached in the state \{\(ball-in ball0 room-b\)"):
        policy.action(goal)
    with pytest.raises(UncoveredStateError, match="undefined in the state"):
        policy.action(elsewhere)
    assert issubclass(GoalReachedError, NoActionError)
    assert issubclass(UncoveredStateError, NoActionError)
    assert issubclass(NoActionError, UsageError)


def test_giving_up_is_an_answer_and_no_error() -> None:
    task = gripper(1)
    assert Policy(task, {task.initial_state: None}, dead_end_cost=5).action(task.initial_state) is None


def test_a_task_is_solved_from_another_state() -> None:
    """Replanning after a surprise: the ball is where the policy would never bring it."""
    task, policy = one_ball()
    elsewhere = ["(ball-in ball0 room-a)", "(robot-in room-b)", "(free left)", "(free right)"]
    moved = task.with_initial_state(elsewhere)
    assert {str(atom) for atom in moved.initial_state} == set(elsewhere)
    assert moved.atoms == task.atoms
    assert moved.actions == task.actions
    assert task.initial_state == gripper(1).initial_state
    solution = solve(moved, heuristic="lmcut")
    assert solution.value == pytest.approx(4.25)
    assert str(solution.policy.action(elsewhere)) == "(move room-b room-a)"
    assert policy.for_task(moved) == policy


@pytest.mark.parametrize("first", ["on", "off"])
@pytest.mark.parametrize("second", ["on", "off"])
def test_a_policy_is_extended_by_another(first: SymmetryMode, second: SymmetryMode) -> None:
    """With and without symmetry: what it said it still says, and together they are closed from both states."""
    task = gripper(3)
    elsewhere = ["(ball-in ball0 room-a)", "(ball-in ball1 room-a)", "(ball-in ball2 room-a)", "(robot-in room-b)"]
    elsewhere += ["(free left)", "(free right)"]
    moved = task.with_initial_state(elsewhere)
    policy = solve(task, heuristic="lmcut", symmetry=first).policy
    other = solve(moved, heuristic="lmcut", symmetry=second).policy
    both = policy.extended(other)
    assert both.task is task
    assert (both.symmetry is None) == (first == "off")
    assert {state: both.action(state) for state in policy} == dict(policy)
    assert str(both.action(elsewhere)) == "(move room-b room-a)"
    assert evaluate(task, both).cost == pytest.approx(9.75)
    assert evaluate(moved, both).cost == pytest.approx(10.75)
    assert Policy(task, {}).extended(other).action(elsewhere) == both.action(elsewhere)


def test_a_policy_is_the_same_for_another_grounding() -> None:
    task, policy = one_ball()
    again = gripper(1)
    assert policy.for_task(again) == policy
    assert evaluate(again, policy) == evaluate(task, policy)


def test_what_is_wrong_with_a_policy_is_named() -> None:
    task = gripper(1)
    start = frozenset(map(task.atoms.__getitem__, task.core.initial_atoms))
    with pytest.raises(UsageError, match=r"\(drop ball0 room-a left\) is not applicable in the state"):
        Policy(task, {start: GroundAction("drop", ("ball0", "room-a", "left"))})
    with pytest.raises(
        UsageError, match=r"no action \(pick ball0 room-a lef\).*did you mean '\(pick ball0 room-a left\)'"
    ):
        Policy(task, {start: GroundAction("pick", ("ball0", "room-a", "lef"))})
    with pytest.raises(UsageError, match="did you mean 'pick'"):
        Policy(task, {start: GroundAction("pik", ("ball0", "room-a", "left"))})
    with pytest.raises(UsageError, match="dead-end cost"):
        Policy(task, {}, dead_end_cost=math.nan)


# --- exact evaluation ---


def test_the_cost_of_one_ball() -> None:
    task, policy = one_ball()
    found = evaluate(task, policy)
    assert (found.closed, found.proper, found.goal_probability, found.states) == (True, True, 1.0, 4)
    assert found.cost == pytest.approx(3.25, rel=1e-15)


def test_start_is_goal() -> None:
    task = task_of({0: "goal"})
    found = evaluate(task, Policy(task, {}))
    assert (found.closed, found.proper, found.cost, found.goal_probability, found.states) == (True, True, 0, 1, 1)


def test_an_undefined_state() -> None:
    task = task_of({0: Row(Fraction(1), {1: HALF, 2: HALF}), 1: "goal", 2: Row(Fraction(1), {1: Fraction(1)})})
    found = evaluate(task, policy_of(task, {0: Row(Fraction(1), {})}))
    assert (found.closed, found.proper, found.cost, found.goal_probability) == (False, False, math.inf, 0.5)
    assert found.open_state == frozenset({GroundAtom("at2")})


def test_a_trap_costs_without_end() -> None:
    rows: Rows = {
        0: Row(Fraction(1), {1: HALF, 2: HALF}),
        1: Row(Fraction(1), {2: HALF, 3: HALF}),
        2: "goal",
        3: Row(Fraction(1), {4: Fraction(1)}),
        4: Row(Fraction(1), {3: HALF, 4: HALF}),
    }
    task = task_of(rows)
    found = evaluate(task, policy_of(task, rows))
    assert (found.closed, found.proper, found.cost, found.goal_probability) == (True, False, math.inf, 0.75)


def test_giving_up_costs_the_dead_end_cost() -> None:
    rows: Rows = {0: Row(Fraction(2), {1: Fraction(1, 4), 2: Fraction(3, 4)}), 1: "give-up", 2: "goal"}
    task = task_of(rows)
    assert evaluate(task, policy_of(task, rows)).cost == math.inf
    policy = policy_of(task, rows, dead_end_cost=100)
    found = evaluate(task, policy)
    assert (found.closed, found.proper, found.cost, found.goal_probability) == (True, False, 27, 0.75)
    assert evaluate(task, policy, dead_end_cost=8).cost == 4
    with pytest.raises(UsageError, match="dead-end cost"):
        evaluate(task, policy, dead_end_cost=-1)


def walk(size: int, start: int, up: Fraction) -> tuple[GroundTask, Policy]:
    """Gambler's ruin: from ``start``, one up with probability ``up`` else one down; at ``size`` the goal, at 0 ruin."""
    names = " ".join(f"l{i}" for i in range(size + 1))
    line = " ".join(f"(next l{i} l{i + 1})" for i in range(size))
    parsed = parse_task(
        "(define (domain walk) (:requirements :probabilistic-effects) (:predicates (at ?l) (next ?a ?b))"
        " (:action step :parameters (?a ?b ?c) :precondition (and (at ?b) (next ?a ?b) (next ?b ?c))"
        f"  :effect (and (not (at ?b)) (probabilistic {up} (at ?c) {1 - up} (at ?a)))))"
        f"(define (problem p) (:domain walk) (:objects {names}) (:init (at l{start}) {line}) (:goal (at l{size})))"
    )
    task = ground(parsed.domain, parsed.problem)
    space = StateSpace(task)
    space.explore()
    states = [state for state in range(len(space)) if not space.is_goal(state)]
    actions = {space.atoms(state): next(iter(space.applicable(state)), None) for state in states}
    return task, Policy(task, actions, dead_end_cost=1e-9)


@pytest.mark.parametrize("up", [Fraction(1, 2), Fraction(51, 100), Fraction(2, 5)])
def test_a_component_of_two_thousand_states(up: Fraction) -> None:
    size, start = 2001, 1000
    task, policy = walk(size, start, up)
    found = evaluate(task, policy)
    ratio = (1 - up) / up
    goal = Fraction(start, size) if up == HALF else (1 - ratio**start) / (1 - ratio**size)
    cost = Fraction(start * (size - start)) if up == HALF else (start - size * goal) / (1 - 2 * up)
    assert found.states == size + 1
    assert found.goal_probability == pytest.approx(float(goal), rel=1e-9, abs=0)
    assert found.cost == pytest.approx(float(cost), rel=1e-9)


def test_a_random_walk_on_a_torus_by_symmetry() -> None:
    """The expected time to a vertex, averaged over its neighbours, is the number of vertices less one (Kac)."""
    size = 31
    names = " ".join(f"l{i}" for i in range(size))
    line = " ".join(f"(next l{i} l{(i + 1) % size})" for i in range(size))
    parsed = parse_task(
        "(define (domain torus) (:requirements :probabilistic-effects) (:predicates (x ?l) (y ?l) (next ?a ?b))"
        " (:action step :parameters (?a ?b ?c ?d ?e ?f)"
        "  :precondition (and (x ?b) (next ?a ?b) (next ?b ?c) (y ?e) (next ?d ?e) (next ?e ?f))"
        "  :effect (probabilistic 1/4 (and (not (x ?b)) (x ?a)) 1/4 (and (not (x ?b)) (x ?c))"
        "   1/4 (and (not (y ?e)) (y ?d)) 1/4 (and (not (y ?e)) (y ?f)))))"
        f"(define (problem p) (:domain torus) (:objects {names}) (:init (x l1) (y l0) {line})"
        " (:goal (and (x l0) (y l0))))"
    )
    task = ground(parsed.domain, parsed.problem)
    found = evaluate(task, first_actions(task, ("step",)))
    assert (found.proper, found.states) == (True, size * size)
    assert found.cost == pytest.approx(size * size - 1, rel=1e-11)


def test_a_component_that_is_left_almost_never() -> None:
    """Two states swap, and leave once in 10^12 steps: nothing cancels."""
    leave = Fraction(1, 10**12)
    rows: Rows = {
        0: Row(Fraction(1), {1: Fraction(1)}),
        1: Row(Fraction(1), {0: 1 - leave, 2: leave / 4, 3: leave * 3 / 4}),
        2: "goal",
        3: "give-up",
    }
    task = task_of(rows)
    found = evaluate(task, policy_of(task, rows, dead_end_cost=1))
    assert found.goal_probability == pytest.approx(0.25, rel=1e-12)
    assert found.cost == pytest.approx(2e12 + 0.75, rel=1e-12)


def test_costs_beyond_the_range_of_numbers_are_infinite() -> None:
    task, policy = walk(1500, 750, Fraction(1, 10))
    found = evaluate(task, policy)
    assert found.goal_probability == 0 or found.goal_probability < 1e-300
    up = {i: Row(Fraction(1), {0: Fraction(999, 1000), i + 1: Fraction(1, 1000)}) for i in range(200)}
    rows: Rows = {**up, 200: "goal"}
    task = task_of(rows)
    found = evaluate(task, policy_of(task, rows))
    assert (found.proper, found.goal_probability, found.cost) == (True, 1, math.inf)


def test_evaluation_keeps_its_limits_and_releases_the_interpreter_lock() -> None:
    task = gripper(9)
    policy = first_actions(gripper(2), ("drop", "pick", "move"))
    with pytest.raises(UsageError, match="has no atom"):
        evaluate(gripper(1), policy)
    with pytest.raises(LimitError, match="the evaluation was stopped by the time limit"):
        evaluate(task, first_actions(task, ("pick", "move", "drop")), limits=Limits(seconds=1e-6))
    space = StateSpace(task)
    space.explore()
    column = [actions[0] if actions else _core.NO_ACTION for actions in map(space.core.applicable, range(len(space)))]
    assert releases_the_lock(lambda: _core.evaluate_policy(space.core, column, math.inf, _core.Stop()))


def test_residuals() -> None:
    rows: Rows = {0: Row(Fraction(1), {0: HALF, 1: HALF}), 1: Row(Fraction(3), {2: Fraction(1)}), 2: "goal"}
    space = StateSpace(task_of(rows))
    space.explore()
    states = [0, 1, 2]
    residual = _core.largest_residual
    assert [space.is_goal(state) for state in states] == [False, False, True]
    assert residual(space.core, states, [5.0, 3.0, 0.0], math.inf) == 0
    assert residual(space.core, states, [5.5, 3.0, 99.0], math.inf) == 0.25
    assert residual(space.core, states, [4.0, 3.0, 0.0], 4.0) == 0
    assert residual(space.core, states, [math.inf, math.inf, 0.0], math.inf) == math.inf
    assert residual(space.core, [0], [math.inf, math.inf, 0.0], math.inf) == 0
    assert residual(space.core, [2], [0.0, 0.0, 7.0], math.inf) == 0


# --- trials ---


def test_trials_of_a_policy_agree_with_its_cost() -> None:
    trials = 20_000
    for task, policy in (one_ball(), walk(10, 6, Fraction(2, 5))):
        exact = evaluate(task, policy)
        found = simulate(task, policy, trials=trials, horizon=1000, seed=3)
        assert found.mean_cost == pytest.approx(exact.cost, abs=4 * found.sd_cost / math.sqrt(trials))
        spread = math.sqrt(exact.goal_probability * (1 - exact.goal_probability) / trials)
        assert found.goal_rate == pytest.approx(exact.goal_probability, abs=4 * spread)


def test_trials_of_a_policy_depend_on_the_seed_only() -> None:
    task, policy = one_ball()
    found = simulate(task, policy, trials=20_000, horizon=1000, seed=3)
    assert found == simulate(task, policy, trials=20_000, horizon=1000, seed=3)
    assert found.mean_cost != simulate(task, policy, trials=20_000, horizon=1000, seed=4).mean_cost


def test_what_trials_cost_that_miss_the_goal() -> None:
    rows: Rows = {0: Row(Fraction(2), {1: Fraction(1)}), 1: "give-up", 2: "goal"}
    task = task_of(rows)
    assert simulate(task, policy_of(task, rows), horizon=50).mean_cost == 50
    assert simulate(task, policy_of(task, rows, dead_end_cost=7)).mean_cost == 9
    assert simulate(task, policy_of(task, rows, dead_end_cost=7), dead_end_cost=500).mean_cost == 502
    assert simulate(task, Policy(task, {}), horizon=50).mean_cost == 50
    loop: Rows = {0: Row(Fraction(2), {0: Fraction(1)})}
    task = task_of(loop)
    assert simulate(task, policy_of(task, loop), horizon=50).mean_cost == 100


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        ({0: "goal"}, "goal"),
        ({0: Row(Fraction(1), {0: HALF, 1: HALF}), 1: Row(Fraction(1), {0: Fraction(1)})}, "horizon"),
        ({0: Row(Fraction(1), {1: Fraction(1)}), 1: "give-up"}, "give-up"),
        ({0: Row(Fraction(1), {1: Fraction(1)}), 1: "open"}, "dead-end"),
    ],
)
def test_what_ends_a_trial(rows: Rows, end: str) -> None:
    task = task_of(rows)
    space = StateSpace(task)
    trials = _core.run_policy_trials(
        space=space.core,
        policy=policy_of(task, rows).column(space),
        trials=2,
        horizon=10,
        seed=0,
        dead_end_cost=5,
        stop=_core.Stop(),
    )
    assert [trial[2] for trial in trials] == [end, end]


def test_a_trial_ends_where_the_policy_is_undefined_or_wrong() -> None:
    task, policy = one_ball()
    space = StateSpace(task)
    column = policy.column(space)
    for wrong in (_core.NO_ACTION, task.action_index("(drop ball0 room-a left)"), 10**6):
        column[space.initial] = wrong
        (trial,) = _core.run_policy_trials(
            space=space.core, policy=column, trials=1, horizon=9, seed=0, dead_end_cost=0, stop=_core.Stop()
        )
        assert trial == (0, 0, "undefined", [])
        report = _core.evaluate_policy(space.core, column, 0, _core.Stop())
        assert (report.closed, report.first_open, report.reachable) == (False, space.initial, [space.initial])


def test_verify_says_whether_a_policy_solves_its_task() -> None:
    benchmark = generate("gripper", 2)
    task = ground(benchmark.domain, benchmark.problem)
    policy = solve(task, heuristic="lmcut").policy
    assert verify(task, policy)
    assert verify(task, policy).evaluation.cost == pytest.approx(5.5)
    states = list(policy)
    cut = Policy(task, {state: action for state, action in policy.items() if state != states[-1]})
    assert not verify(task, cut)
    assert "no applicable action" in verify(task, cut).reason
    moves = {action.arguments[0]: action for action in task.actions if action.schema == "move"}
    idle = Policy(task, {state: moves[room] for state in states for room in moves if ("robot-in", (room,)) in state})
    assert not verify(task, idle)
