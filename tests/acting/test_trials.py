"""Trials of actors: what is counted, kept and stopped."""

from __future__ import annotations

import math

import pytest

from gpaplan import Actor, GroundTask, Limits, Trace, UsageError, ground, solve
from gpaplan.acting.trials import simulate_acting, wilson_interval
from gpaplan.benchmarks import generate
from tests.policy_automata import learned


def task_of(name: str, *theta: int) -> GroundTask:
    files = generate(name, *theta)
    return ground(files.domain, files.problem)


def test_trials_are_counted() -> None:
    task = task_of("triangle-tireworld", 2)
    automaton = learned("triangle-tireworld", 1, 2)
    result = simulate_acting(task, automaton, trials=40, horizon=200)
    optimal = solve(task, heuristic="lmcut").value
    assert optimal is not None
    assert result.goal_rate == 1.0
    assert abs(result.mean_cost - optimal) <= 3 * result.sd_cost / math.sqrt(40)
    assert result.goal_cost == result.mean_cost == result.mean_steps
    assert sum(result.sources.values()) == result.decisions == 40 * result.mean_steps
    assert result.ends == {"goal": 40}
    assert 0 < result.milliseconds <= result.slowest
    assert result.trace is None
    assert "trace" not in result.to_json()


def test_a_trial_that_misses_the_goal_costs_the_horizon() -> None:
    task = task_of("gripper", 4)
    result = simulate_acting(task, trials=3, horizon=5)
    assert (result.goal_rate, result.mean_cost, result.ends) == (0.0, 5.0, {"horizon": 3})
    assert math.isnan(result.goal_cost)
    assert result.to_json()["goal_cost"] is None
    done = simulate_acting(task, trials=3, horizon=1000)
    exactly = simulate_acting(task, trials=3, horizon=int(max(1, done.mean_steps * 3)))
    assert exactly.goal_rate == 1.0


def test_the_outcomes_of_a_trial_depend_on_the_seed_and_its_number_alone() -> None:
    task = task_of("gripper", 3)
    policy = solve(task).policy
    one = simulate_acting(task, policy=policy, trials=6, horizon=100, kept=6)
    two = simulate_acting(task, policy=policy, trials=6, horizon=100, kept=6, jobs=3)
    other = simulate_acting(task, policy=policy, trials=6, horizon=100, kept=6, seed=1)
    assert one.trace is not None
    assert two.trace is not None
    assert other.trace is not None
    assert [trial.cost for trial in one.trace.trials] == [trial.cost for trial in two.trace.trials]
    assert [trial.seed for trial in one.trace.trials] != [trial.seed for trial in other.trace.trials]
    assert one.sources.keys() == {"policy"}


def test_kept_trials_are_what_happened() -> None:
    task = task_of("gripper", 5)
    automaton = learned("gripper", 1, 2, 3)
    result = simulate_acting(task, automaton, trials=5, horizon=200, kept=2)
    trace = result.trace
    assert isinstance(trace, Trace)
    assert len(trace.trials) == 2
    assert trace.automaton == automaton
    for trial in trace.trials:
        assert trial.end == "goal"
        assert trial.cost == math.fsum(step.cost for step in trial.steps)
        *_, last = trial.states()
        assert sum(atom.predicate == "ball-in" and atom.arguments[1] == "room-b" for atom in last) == 5
        strict = [step for step in trial.steps if step.vertex is not None]
        assert strict
        assert all(step.source == "automaton" for step in strict)
        assert all(int(str(step.vertex)[1:]) < len(automaton.vertices) for step in strict)
    assert Trace.from_json(trace.to_json()) == trace


def test_a_limit_leaves_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of("gripper", 6)
    seen: list[str] = []
    monkeypatch.setattr("gpaplan.acting.trials.note", seen.append)
    result = simulate_acting(task, trials=10**6, horizon=100, limits=Limits(seconds=1.5))
    assert result.stopped_by == "time"
    assert 0 < result.trials < 10**6
    assert seen[-1] == f"{result.trials} of 1000000 trials ended, {result.trials} at the goal"
    both = simulate_acting(task, trials=10**6, horizon=100, jobs=2, limits=Limits(seconds=1.5))
    assert both.stopped_by == "time"
    assert both.trials > 0


def test_an_interrupt_leaves_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of("gripper", 4)

    def interrupt(known: str) -> None:
        if int(known.split()[0]) >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("gpaplan.acting.trials.note", interrupt)
    for jobs in (1, 2):
        result = simulate_acting(task, trials=10_000, horizon=100, jobs=jobs)
        assert result.stopped_by == "interrupt"
        assert 3 <= result.trials < 10_000


@pytest.mark.parametrize("options", [{"trials": 0}, {"horizon": 0}, {"seed": -1}, {"jobs": 0}])
def test_mistakes_are_told(options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="must be"):
        simulate_acting(task_of("gripper", 1), **options)  # type: ignore[arg-type]


def test_giving_up_costs_what_was_said() -> None:
    task = task_of("triangle-tireworld", 3)
    result = simulate_acting(task, trials=4, horizon=50, dead_end_cost=0.5)
    assert result.ends == {"give-up": 4}
    assert result.mean_cost == 0.5
    assert isinstance(Actor(task), Actor)


def test_wilson_intervals() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)  # as tables have it
    low, high = wilson_interval(10, 10)
    assert (round(low, 4), round(high, 9)) == (0.7225, 1.0)
