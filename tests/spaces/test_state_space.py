"""The state space from Python: naming, interning, limits, sampling."""

from __future__ import annotations

import pytest

from gpaplan import CostError, Limits, StateSpace, TooLargeError, UsageError, ground, parse_task, simulate
from gpaplan.benchmarks import generate
from gpaplan.tasks.task import GroundTask
from tests.threads import releases_the_lock


def coins(count: int) -> GroundTask:
    """One action that flips so many independent coins, each heads with probability 1/4."""
    names = " ".join(f"c{i}" for i in range(count))
    parsed = parse_task(
        "(define (domain coins) (:requirements :adl :probabilistic-effects) (:predicates (heads ?c))"
        " (:action toss :effect (forall (?c) (probabilistic 1/4 (heads ?c)))))"
        f"(define (problem p) (:domain coins) (:objects {names}) (:init) (:goal (forall (?c) (heads ?c))))"
    )
    return ground(parsed.domain, parsed.problem)


def gripper(balls: int) -> StateSpace:
    benchmark = generate("gripper", balls)
    return StateSpace(ground(benchmark.domain, benchmark.problem))


def test_a_state_is_found_again_by_its_atoms() -> None:
    space = gripper(2)
    space.explore()
    for state in range(len(space)):
        assert space.state(space.atoms(state)) == state
        assert space.state(str(atom) for atom in space.atoms(state)) == state


def test_an_unknown_atom_is_named() -> None:
    space = gripper(1)
    with pytest.raises(UsageError, match=r"no atom \(free righ\);  ?did you mean '\(free right\)'"):
        space.state(["(free righ)"])


@pytest.mark.parametrize("wrong", [10**6, -1, 2**40, None, "a", 1.5])
def test_what_is_no_state_and_no_action_gets_a_sentence(wrong: object) -> None:
    space = gripper(1)
    for ask in (space.transitions, space.atoms, space.is_goal, space.applicable):
        with pytest.raises(UsageError, match=f"{wrong!r} is no state of this space"):
            ask(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=f"{wrong!r} is no action of this task;  pass a number below"):
        space.task.action(wrong)  # type: ignore[arg-type]


def test_transitions_of_gripper() -> None:
    space = gripper(1)
    pick = next(t for t in space.transitions(space.initial) if t.action.schema == "pick")
    assert pick.cost == 1
    assert sorted(outcome.probability for outcome in pick.outcomes) == [0.2, 0.8]
    unchanged = next(outcome for outcome in pick.outcomes if outcome.probability == 0.2)
    assert unchanged.state == space.initial


def test_joint_outcomes_up_to_the_limit_are_enumerated() -> None:
    task = coins(16)
    (toss,) = StateSpace(task).transitions(0)
    assert len(toss.outcomes) == 2**16
    assert sum(outcome.probability for outcome in toss.outcomes) == pytest.approx(1, rel=1e-9)


def test_a_block_that_is_larger_than_a_chunk() -> None:
    """Chunks have 2**19 words; the transitions before and after a larger one are not touched."""
    count = 19
    space = StateSpace(coins(count), max_outcomes=2**count)
    (few,) = space.transitions(space.state(f"(heads c{i})" for i in range(2, count)))
    assert len(space.core.successors(0, 0)) == 2**count
    assert len(set(space.core.successors(0, 0))) == 2**count
    (more,) = space.transitions(space.state(f"(heads c{i})" for i in range(3, count)))
    assert sorted(outcome.probability for outcome in few.outcomes) == pytest.approx([1 / 16, 3 / 16, 3 / 16, 9 / 16])
    assert len(more.outcomes) == 8
    assert sum(outcome.probability for outcome in more.outcomes) == pytest.approx(1)
    assert space.transitions(space.state(f"(heads c{i})" for i in range(2, count))) == [few]


def test_more_joint_outcomes_are_refused_by_name_in_planning_but_not_in_simulation() -> None:
    task = coins(17)
    with pytest.raises(TooLargeError, match=r"action \(toss\) has more than 65,536 joint outcomes"):
        StateSpace(task).transitions(0)
    assert len(StateSpace(task, max_outcomes=2**17).transitions(0)[0].outcomes) == 2**17
    result = simulate(coins(60), trials=50, horizon=1000, seed=1)
    assert result.goal_rate == 1
    # The slowest of 60 geometric variables with success probability 1/4.
    expected = sum(1 - (1 - 0.75**k) ** 60 for k in range(200))
    assert result.mean_cost == pytest.approx(expected, abs=4 * result.sd_cost / 50**0.5)


def test_many_factors_with_one_change_are_few_outcomes() -> None:
    names = " ".join(f"o{i}" for i in range(200))
    parsed = parse_task(
        "(define (domain d) (:requirements :adl :probabilistic-effects) (:predicates (alarm))"
        " (:action wait :effect (forall (?o) (probabilistic 1/100 (alarm)))))"
        f"(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (alarm)))"
    )
    (wait,) = StateSpace(ground(parsed.domain, parsed.problem)).transitions(0)
    assert sorted(o.probability for o in wait.outcomes) == pytest.approx([0.99**200, 1 - 0.99**200], rel=1e-12)


def test_a_cost_that_is_not_positive_in_some_state_is_named() -> None:
    parsed = parse_task(
        "(define (domain d) (:requirements :adl :action-costs) (:functions (total-cost)) (:predicates (a) (g))"
        " (:action one :effect (and (a) (increase (total-cost) 1)))"
        " (:action two :effect (and (g) (when (not (a)) (increase (total-cost) 1)))))"
        "(define (problem p) (:domain d) (:init) (:goal (g)) (:metric minimize (total-cost)))"
    )
    space = StateSpace(ground(parsed.domain, parsed.problem, cost="metric"))
    assert [t.cost for t in space.transitions(space.initial)] == [1, 1]
    with pytest.raises(CostError, match=r"action \(two\) has the cost 0"):
        space.explore()


def test_exploration_stops_at_its_limits() -> None:
    found = gripper(12).explore(max_states=1000)
    assert (found.complete, found.stopped_by) == (False, "states")
    assert 1000 < found.states < 2000
    found = gripper(18).explore(limits=Limits(seconds=0.2))
    assert (found.complete, found.stopped_by) == (False, "time")
    found = gripper(20).explore(limits=Limits(megabytes=150))
    assert (found.complete, found.stopped_by) == (False, "memory")


def test_exploration_goes_on_where_it_stopped() -> None:
    space = gripper(6)
    assert not space.explore(max_states=50).complete
    found = space.explore()
    assert (found.complete, found.states, found.state_action_pairs) == (True, 1855, 7218)


def test_limits_must_be_positive() -> None:
    for limits in ({"seconds": 0}, {"seconds": float("nan")}, {"megabytes": -1}):
        with pytest.raises(UsageError, match="must be a"):
            Limits(**limits)


def test_the_interpreter_lock_is_released() -> None:
    """While one thread explores, another one comes to run."""
    benchmark = generate("gripper", 8)
    task = ground(benchmark.domain, benchmark.problem)
    assert releases_the_lock(lambda: StateSpace(task).explore())


def test_trials_are_reproducible_and_depend_on_the_seed() -> None:
    benchmark = generate("delicate-can", 3)
    task = ground(benchmark.domain, benchmark.problem)
    first, again, other = (simulate(task, trials=200, seed=seed) for seed in (5, 5, 6))
    assert first == again
    assert first.mean_cost != other.mean_cost


def test_a_trial_without_applicable_actions_costs_the_horizon() -> None:
    parsed = parse_task(
        "(define (domain d) (:requirements :negative-preconditions) (:predicates (a) (g))"
        " (:action once :precondition (not (a)) :effect (a)))"
        "(define (problem p) (:domain d) (:init) (:goal (g)))"
    )
    result = simulate(ground(parsed.domain, parsed.problem), trials=3, horizon=40)
    assert (result.mean_cost, result.goal_rate) == (40, 0)


def test_a_time_limit_holds_when_single_actions_have_many_outcomes() -> None:
    assert StateSpace(coins(16)).explore(limits=Limits(seconds=0.3)).stopped_by == "time"


def test_the_limit_of_outcomes_holds_for_plain_actions_too() -> None:
    benchmark = generate("gripper", 1)
    with pytest.raises(TooLargeError, match=r"action \(pick"):
        StateSpace(ground(benchmark.domain, benchmark.problem), max_outcomes=1).explore()
