"""One environment: Gymnasium's own checks, ends and costs, seeds, misuse."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gpaplan import GroundTask, StateSpace, UsageError, ground, load, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.gym import ENV_ID, PlanningEnv
from gpaplan.tasks.grounding import CostMode
from tests.paths import DOMAINS, ROOT

FAMILIES = [
    ("gripper", (3,)),
    ("rover", (1, 3, 2, 2)),
    ("schedule", (2, 2)),
    ("keva", (4, 1)),
    ("delicate-can", (4,)),
    ("triangle-tireworld", (2,)),
    ("blocksworld", (3,)),
]


def make(*arguments: Any, **options: Any) -> PlanningEnv:
    """An environment made by Gymnasium, without its wrappers."""
    given = dict(zip(("domain", "problem"), arguments, strict=False))
    unwrapped = gymnasium.make(ENV_ID, **given, **options).unwrapped
    assert isinstance(unwrapped, PlanningEnv)
    return unwrapped


def bridge(**options: Any) -> PlanningEnv:
    return make(DOMAINS / "dead-end.ppddl", **options)


def walk(env: PlanningEnv, steps: int, seed: int) -> list[tuple[Any, ...]]:
    """What is seen on a walk of applicable actions."""
    chosen = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    seen = []
    for _ in range(steps):
        action = int(chosen.choice(np.flatnonzero(info["action_mask"])))
        bits, reward, terminated, truncated, info = env.step(action)
        assert isinstance(bits, np.ndarray)
        seen.append((action, tuple(bits), reward, terminated, truncated, info["is_success"]))
        if terminated or truncated:
            _, info = env.reset()
    return seen


# --- Gymnasium's checks ---


@pytest.mark.parametrize(("name", "theta"), FAMILIES)
def test_gymnasium_finds_nothing_wrong(name: str, theta: tuple[int, ...]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(generate(name, *theta)))


@pytest.mark.parametrize(
    ("cost", "options"),
    [("auto", {"horizon": 3}), ("auto", {"dead_end_cost": 7.5}), ("auto", {"inapplicable_cost": 0.25}), ("unit", {})],
)
@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_gymnasium_finds_nothing_wrong_with_any_feature(path: Path, cost: CostMode, options: dict[str, Any]) -> None:
    task = load(path, problem_name="long" if path.stem == "two-problems" else None, cost=cost)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(task, **options))


# --- the task ---


def test_a_task_is_given_in_any_form(tmp_path: Path) -> None:
    benchmark = generate("gripper", 2)
    domain, problem = benchmark.write(tmp_path)
    both = tmp_path / "both.ppddl"
    both.write_text(benchmark.domain_text + benchmark.problem_text)
    forms: list[tuple[Any, ...]] = [
        (domain, problem),
        (str(domain), str(problem)),
        (both,),
        (benchmark.domain_text, benchmark.problem_text),
        (benchmark.domain, benchmark.problem_text),
        (benchmark.domain, benchmark.problem),
        (benchmark,),
        (parse_task(domain, problem),),
        (ground(benchmark),),
    ]
    environments = [make(*form) for form in forms]
    assert {env.action_names for env in environments} == {tuple(map(str, ground(benchmark).actions))}
    assert {env.atom_names for env in environments} == {tuple(map(str, ground(benchmark).atoms))}


def test_a_ground_task_is_used_as_it_is() -> None:
    task = ground(generate("gripper", 2))
    assert make(task).task is task


# --- what a step does ---


def test_masks_and_steps_are_those_of_the_state_space() -> None:
    """Every step of walks leads to an outcome of the transition, at its cost, with the mask of the state."""
    task = ground(generate("rover", 1, 3, 2, 2))
    env = make(task)
    space = StateSpace(task)
    state = space.initial
    drawn = np.random.default_rng(3)
    _, info = env.reset(seed=3)
    for _ in range(400):
        applicable = space.core.applicable(state)
        assert list(np.flatnonzero(info["action_mask"])) == applicable
        assert list(np.flatnonzero(env.action_masks())) == applicable
        action = int(drawn.choice(applicable))
        transition = next(each for each in space.core.transitions(state) if each[0] == action)
        bits, reward, terminated, _, info = env.step(np.int64(action))
        assert isinstance(bits, np.ndarray)
        state = space.core.intern([int(atom) for atom in np.flatnonzero(bits)])
        assert state in {successor for _, successor in transition[2]}
        assert reward == -transition[1]
        assert terminated == info["is_success"] == space.is_goal(state)
        assert env.atoms == {str(atom) for atom in space.atoms(state)}
        if terminated:
            _, info = env.reset()
            state = space.initial


def test_the_optimal_policy_costs_what_it_should() -> None:
    task = ground(generate("gripper", 2))
    policy = solve(task).policy
    assert policy is not None
    env = make(task)
    returns = []
    env.reset(seed=5)
    for _ in range(600):
        env.reset()
        total, ended = 0.0, False
        while not ended:
            _, reward, ended, _, _ = env.step(task.action_index(str(policy.action(env.atoms))))
            total += reward
        returns.append(total)
    error = np.std(returns, ddof=1) / math.sqrt(len(returns))
    assert abs(np.mean(returns) + 5.5) < 4 * error


def test_an_episode_ends_at_a_goal_and_costs_nothing_more() -> None:
    env = bridge()
    env.reset(seed=0)
    assert env.step(env.task.action_index("(walk-to-bridge)"))[1:4] == (-1, False, False)
    _, reward, terminated, truncated, info = env.step(env.task.action_index("(cross)"))
    assert (reward, terminated, truncated, info["is_success"]) == (-1, True, False, True)
    for action in range(3):
        assert env.step(action)[1:4] == (0, True, False)


def test_a_dead_end_terminates_and_costs_more() -> None:
    for cost in (500.0, 12.0):
        env = bridge(dead_end_cost=cost) if cost != 500 else bridge()
        jump = env.task.action_index("(jump)")
        ends = []
        for seed in range(40):
            env.reset(seed=seed)
            _, reward, terminated, truncated, info = env.step(jump)
            assert (terminated, truncated) == (True, False)
            ends.append((reward, info["is_success"], int(info["action_mask"].sum()) == 0))
            assert env.step(jump)[1:4] == (0, True, False)
        assert set(ends) == {(-1, True, True), (-1 - cost, False, True)}


def test_an_episode_that_begins_at_its_end() -> None:
    env = bridge(dead_end_cost=9)
    for atom, reward, success in (("(on-far-bank)", 0, True), ("(drowned)", -9, False)):
        _, info = env.reset(options={"atoms": [atom]})
        assert info["is_success"] == success
        assert env.step(0)[1:4] == (reward, True, False)
        assert env.step(0)[1:4] == (0, True, False)


def test_an_inapplicable_action_changes_nothing_and_costs() -> None:
    for cost in (1.0, 3.5, 0.0):
        env = bridge(inapplicable_cost=cost)
        before, _ = env.reset(seed=0)
        after, reward, terminated, truncated, info = env.step(env.task.action_index("(cross)"))
        assert np.array_equal(before, after)
        assert (reward, terminated, truncated) == (-cost, False, False)
        assert info["action_mask"].sum() == 2


def test_an_inapplicable_action_is_an_error_if_asked_for() -> None:
    env = bridge(inapplicable_cost=None)
    env.reset(seed=0)
    with pytest.raises(UsageError, match=r"action \(cross\) is not applicable here"):
        env.step(env.task.action_index("(cross)"))
    env.step(env.task.action_index("(walk-to-bridge)"))
    assert env.step(env.task.action_index("(cross)"))[2]
    assert env.step(0)[1:4] == (0, True, False)  # after the end nothing matters


def test_the_horizon_truncates() -> None:
    env = make(generate("gripper", 3), horizon=4)
    env.reset(seed=0)
    assert [env.step(0)[2:4] for _ in range(5)] == [(False, False)] * 3 + [(False, True)] * 2
    env.reset()
    assert env.step(0)[2:4] == (False, False)
    near = bridge(horizon=2)
    near.reset(seed=0)
    near.step(near.task.action_index("(walk-to-bridge)"))
    assert near.step(near.task.action_index("(cross)"))[2:4] == (True, False)  # the goal comes first


def test_an_episode_begins_where_it_is_told() -> None:
    env = make(generate("gripper", 2))
    atoms = ["(robot-in room-b)", "(ball-in ball0 room-b)", "(held ball1 left)", "(free right)"]
    observation, info = env.reset(seed=0, options={"atoms": atoms})
    assert env.atoms == set(atoms)
    assert [env.atom_names[i] for i in np.flatnonzero(observation)] == sorted(atoms, key=env.atom_names.index)
    drop = env.task.action_index("(drop ball1 room-b left)")
    assert info["action_mask"][drop] == 1
    assert env.step(drop)[2]
    env.reset()
    assert "(robot-in room-a)" in env.atoms


# --- seeds ---


def test_a_seed_repeats_a_run() -> None:
    first, second = make(generate("gripper", 3)), make(generate("gripper", 3))
    assert walk(first, 300, 1) == walk(second, 300, 1) == walk(first, 300, 1)
    assert walk(first, 300, 2) != walk(first, 300, 1)


def test_without_a_seed_runs_differ_and_go_on() -> None:
    """The first episode after a seed is not that after the next reset, and two environments do not agree."""

    def tries(env: PlanningEnv) -> list[int]:
        """How often a pick fails, in a few episodes."""
        pick = env.task.action_index("(pick ball0 room-a left)")
        counts = []
        for _ in range(200):
            bits, count = env.reset()[0], 0
            while np.array_equal(bits, env.step(pick)[0]):
                count += 1
            counts.append(count)
        return counts

    envs = [make(generate("gripper", 1)) for _ in range(2)]
    assert len(set(tries(envs[0]))) > 1
    assert tries(envs[0]) != tries(envs[1])


# --- pickles, text, misuse ---


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_like_the_original(way: Any) -> None:
    env = make(generate("gripper", 4), horizon=30)
    _, info = env.reset(seed=4)
    for _ in range(10):
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    twin = way(env)
    for _ in range(25):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        one, other = env.step(action), twin.step(action)
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        info = one[4]
    env.close()
    assert twin.reset(seed=1)[1]["action_mask"].any()


def test_closing_is_harmless() -> None:
    with gymnasium.make(ENV_ID, domain=generate("gripper", 1)) as env:
        env.reset(seed=0)
    env.close()


def test_a_state_is_rendered_as_text() -> None:
    env = bridge(render_mode="ansi", dead_end_cost=3, relevance=False)
    env.reset(seed=0)
    assert env.render() == "step 0, cost so far 0\n  (on-near-bank)"
    env.step(env.task.action_index("(walk-to-bridge)"))
    env.step(np.int64(env.task.action_index("(cross)")))
    assert env.render() == "step 2: (cross), cost so far 2\n  (on-far-bank)\nthe goal is reached"
    env.reset(options={"atoms": ["(drowned)"]})
    assert env.render() == "step 0, cost so far 0\n  (drowned)\nno action is applicable"
    silent = bridge()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="nothing to render"):
        assert silent.render() is None


@pytest.mark.parametrize("action", [3, -1, 2**40, 1.5, "(cross)", None, [0]])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = bridge()
    env.reset(seed=0)
    with pytest.raises(UsageError, match="actions are numbers from 0 to 2") as error:
        env.step(action)
    assert ("action_index" in str(error.value)) == isinstance(action, str)
    assert env.atoms == {"(on-near-bank)"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"horizon": 0}, "horizon must be a number of steps, 1 or more"),
        ({"horizon": 1.5}, "horizon must be a number of steps"),
        ({"dead_end_cost": -1}, "dead_end_cost must be a number that is not negative"),
        ({"dead_end_cost": math.inf}, "dead_end_cost must be a number"),
        ({"inapplicable_cost": math.nan}, "inapplicable_cost must be a number"),
        ({"render_mode": "human"}, "render_mode is None or 'ansi'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PlanningEnv(DOMAINS / "dead-end.ppddl", **options)


def test_a_wrong_task_is_named() -> None:
    benchmark = generate("gripper", 1)
    task = ground(benchmark)
    with pytest.raises(UsageError, match="whole task"):
        PlanningEnv(task, benchmark.problem)
    with pytest.raises(UsageError, match="whole task"):
        PlanningEnv(task, cost="metric")
    assert PlanningEnv(benchmark.domain_text, benchmark.problem).task.problem == benchmark.problem
    with pytest.raises(UsageError, match="a Domain is no task;  pass load"):
        PlanningEnv(benchmark.domain)
    with pytest.raises(UsageError, match="no such file"):
        PlanningEnv("no-such-file.ppddl")
    with pytest.raises(UsageError, match=r"problem 'p' has no (action|atom)"):
        PlanningEnv(idle())
    with pytest.raises(UsageError, match="no atom"):
        PlanningEnv(task).reset(options={"atoms": ["(free middle)"]})


def idle() -> GroundTask:
    return ground(
        parse_task(
            "(define (domain d) (:predicates (a)) (:action b :parameters () :precondition (a) :effect (not (a))))"
            "(define (problem p) (:domain d) (:init) (:goal (a)))"
        )
    )


def test_a_step_before_the_first_reset_is_an_error() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        PlanningEnv(DOMAINS / "dead-end.ppddl").step(0)


# --- the package ---


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)


def test_without_gymnasium_it_is_said_what_to_install() -> None:
    found = run("import sys; sys.modules['gymnasium'] = None\nimport gpaplan.gym")
    assert found.returncode == 1
    assert found.stderr.endswith("ImportError: gpaplan.gym needs the package gymnasium; install gpaplan[gym]\n")


def test_nothing_else_needs_gymnasium_or_numpy() -> None:
    found = run(
        "import sys; sys.modules['gymnasium'] = sys.modules['numpy'] = None\n"
        "import gpaplan, gpaplan.benchmarks, gpaplan.cli\n"
        "print(gpaplan.solve(gpaplan.ground(gpaplan.benchmarks.generate('gripper', 1))).value)"
    )
    assert found.stdout == "3.25\n", found.stderr


def test_the_name_brings_its_module() -> None:
    found = run(
        "import gymnasium\n"
        "env = gymnasium.make('gpaplan.gym:gpaplan/PPDDL-v0', domain='tests/domains/dead-end.ppddl')\n"
        "print(env.reset(seed=0)[1]['action_mask'])"
    )
    assert found.stdout == "[1 1 0]\n", found.stderr


def test_what_does_not_matter_is_not_observed() -> None:
    benchmark = generate("delicate-can", 3)
    small, whole = (PlanningEnv(benchmark, relevance=relevance) for relevance in (True, False))
    assert (small.observation_space.shape, whole.observation_space.shape) == ((10,), (13,))
    observation, _ = small.reset(seed=1, options={"atoms": [*small.task.initial_state, "(crushed can1)"]})
    usual, _ = small.reset(seed=1)
    assert isinstance(observation, np.ndarray)
    assert isinstance(usual, np.ndarray)
    assert observation.tolist() == usual.tolist()
