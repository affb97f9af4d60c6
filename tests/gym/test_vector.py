"""Many environments at once: they are Gymnasium's own vector of single ones, and refuse what is wrong."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from gpaplan import UsageError, _core, ground
from gpaplan.benchmarks import generate
from gpaplan.gym import ENV_ID, PlanningEnv, VectorPlanningEnv
from gpaplan.tasks.task import GroundTask
from tests.paths import DOMAINS

COUNT = 5


def make(domain: Any, count: int = COUNT, **options: Any) -> VectorPlanningEnv:
    envs = gymnasium.make_vec(ENV_ID, num_envs=count, domain=domain, **options)
    assert isinstance(envs, VectorPlanningEnv)
    return envs


def gripper() -> GroundTask:
    return ground(generate("gripper", 2))


def bridges(**options: Any) -> VectorPlanningEnv:
    return make(DOMAINS / "dead-end.ppddl", **options)


def chosen(random: np.random.Generator, masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An action for each environment, applicable but for one in ten, where there is one."""
    scores = random.random(masks.shape) + 10 * masks * (random.random((len(masks), 1)) < 0.9)
    return np.asarray(scores.argmax(axis=1))


@pytest.mark.parametrize("observation", ["bits", "graph"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    ("domain", "options"),
    [
        (generate("gripper", 2), {"horizon": 12}),
        (generate("triangle-tireworld", 2), {"dead_end_cost": 4.5, "inapplicable_cost": 0.5}),
        (DOMAINS / "dead-end.ppddl", {}),
    ],
    ids=["gripper", "triangle-tireworld", "dead-end"],
)
def test_they_are_single_environments(
    domain: Any, options: dict[str, Any], mode: AutoresetMode, observation: str
) -> None:
    """Observations, rewards, ends and infos are those of single environments with the same seeds, step by step."""
    options = options | {"observation": observation}
    envs = make(domain, autoreset_mode=mode, **options)
    single = SyncVectorEnv([lambda: PlanningEnv(domain, **options) for _ in range(COUNT)], autoreset_mode=mode)
    assert envs.single_observation_space == single.single_observation_space
    assert (envs.observation_space, envs.action_space) == (single.observation_space, single.action_space)
    assert envs.metadata["autoreset_mode"] is mode
    random = np.random.default_rng(0)
    found, expected = envs.reset(seed=11), single.reset(seed=11)
    ends = 0
    for _ in range(150):
        assert data_equivalence(found, expected, exact=True)
        actions = chosen(random, found[-1]["action_mask"])
        found, expected = envs.step(actions), single.step(actions)  # type: ignore[assignment]
        ends += int(found[2].sum() + found[3].sum())  # type: ignore[misc]
    assert ends > COUNT


def test_gymnasium_can_make_them_of_single_ones_too() -> None:
    for mode in ("sync", "vector_entry_point"):
        envs = gymnasium.make_vec(ENV_ID, num_envs=2, vectorization_mode=mode, domain=gripper())
        _, infos = envs.reset(seed=0)
        assert infos["action_mask"].shape == (2, envs.unwrapped.action_space.nvec[0])  # type: ignore[attr-defined]


def test_the_number_of_steps_may_be_given_as_gymnasium_does() -> None:
    for options in ({"max_episode_steps": 3}, {"horizon": 3}, {"horizon": 9, "max_episode_steps": 3}):
        envs = make(gripper(), **options)
        envs.reset(seed=0)
        truncated = [envs.step(np.zeros(COUNT, int))[3].all() for _ in range(4)]
        assert truncated == [False, False, True, False]


def test_without_autoreset_environments_are_reset_one_by_one() -> None:
    envs = bridges(autoreset_mode=AutoresetMode.DISABLED, count=4)
    jump, walk = (envs.task.action_index(name) for name in ("(jump)", "(walk-to-bridge)"))
    envs.reset(seed=0)
    _, _, terminated, _, _ = envs.step([jump, walk, jump, walk])
    assert terminated.tolist() == [True, False, True, False]
    with pytest.raises(UsageError, match="environment 0 has ended"):
        envs.step([walk] * 4)
    observations, infos = envs.reset(options={"reset_mask": terminated})
    names = list(map(str, envs.task.atoms))
    held = [[names[i] for i in np.flatnonzero(row)] for row in np.asarray(observations)]
    assert held == [["(on-near-bank)"], ["(on-bridge)"]] * 2
    assert infos["action_mask"].sum(axis=1).tolist() == [2, 1, 2, 1]
    envs.step([walk, envs.task.action_index("(cross)")] * 2)


def test_seeds_are_one_number_or_one_for_each() -> None:
    def run(seed: Any) -> Any:
        """A pick in each of thirty episodes."""
        envs = make(gripper(), 3, horizon=1)
        envs.reset(seed=seed)
        pick = envs.task.action_index("(pick ball0 room-a left)")
        return [envs.step(np.full(3, pick))[0] for _ in range(60)]

    assert data_equivalence(run(5), run([5, 6, 7]), exact=True)
    assert not data_equivalence(run(5), run([7, 6, 5]), exact=True)
    assert not data_equivalence(run(None), run(None), exact=True)


def test_what_was_given_out_stays_as_it_is() -> None:
    envs = make(gripper())
    envs.reset(seed=0)
    first = envs.step(np.full(COUNT, 2))
    kept = copy.deepcopy(first)
    for _ in range(10):
        envs.step(np.full(COUNT, 2))
    assert data_equivalence(first, kept, exact=True)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["copy", "pickle"])
def test_copies_go_on_like_the_originals(way: Any) -> None:
    envs = make(gripper(), horizon=20)
    random = np.random.default_rng(1)
    _, infos = envs.reset(seed=4)
    for _ in range(15):
        infos = envs.step(chosen(random, infos["action_mask"]))[-1]
    twins = way(envs)
    for _ in range(30):
        actions = chosen(random, infos["action_mask"])
        one, other = envs.step(actions), twins.step(actions)
        assert data_equivalence(one, other, exact=True)
        infos = one[-1]
    envs.close()
    envs.close()


def test_states_are_rendered_as_text() -> None:
    envs = bridges(render_mode="ansi", count=2, dead_end_cost=3)
    jump, walk, cross = (envs.task.action_index(name) for name in ("(jump)", "(walk-to-bridge)", "(cross)"))
    envs.reset(seed=0)
    envs.step([walk, walk])
    envs.step([cross, jump])
    assert envs.render() == (
        "step 2: (cross), cost so far 2\n  (on-far-bank)\nthe goal is reached",
        "step 2: (jump), cost so far 2\n  (on-bridge)",
    )
    envs.step([cross, cross])
    shown = envs.render()
    assert shown is not None
    assert shown[0] == "step 0, cost so far 0\n  (on-near-bank)"
    silent = bridges()
    with pytest.warns(UserWarning, match="nothing to render"):
        assert silent.render() is None


def test_all_begin_where_they_are_told() -> None:
    envs = bridges(count=2, dead_end_cost=3)
    _, infos = envs.reset(seed=0, options={"atoms": ["(drowned)"]})
    assert not infos["action_mask"].any()
    assert envs.step([0, 0])[1].tolist() == [-3, -3]


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [0.5, 1.0], [[0], [0]], ["a", "b"], 0])
def test_what_are_no_actions_is_refused(actions: Any) -> None:
    envs = bridges(count=2)
    envs.reset(seed=0)
    with pytest.raises(UsageError, match="one whole number for each of the 2 environments"):
        envs.step(actions)


@pytest.mark.parametrize("wrong", [3, -1, 2**40])
def test_an_action_that_is_not_there_is_refused_before_anything_happens(wrong: int) -> None:
    for cost in (1.0, None):
        envs = bridges(count=2, inapplicable_cost=cost)
        before, _ = envs.reset(seed=0)
        with pytest.raises(UsageError, match=f"{wrong} is no action|not applicable"):
            envs.step([0, wrong])
        envs.reset()
        assert data_equivalence(envs.reset()[0], before, exact=True)


def test_an_inapplicable_action_is_an_error_if_asked_for() -> None:
    envs = bridges(count=2, inapplicable_cost=None)
    walk, cross = (envs.task.action_index(name) for name in ("(walk-to-bridge)", "(cross)"))
    envs.reset(seed=0)
    envs.step([walk, walk])
    with pytest.raises(UsageError, match=r"action \(walk-to-bridge\) is not applicable in environment 1"):
        envs.step([cross, walk])
    assert envs.step([cross, cross])[2].all()
    assert not envs.step([cross, cross])[2].any()  # they begin again, whatever the action


def test_the_core_checks_what_it_writes_to() -> None:
    task = gripper()
    world = _core.World(task.core, 0)
    rules: Any = {"inapplicable_cost": 1.0, "dead_end_cost": 0.0, "horizon": 10}
    episode = _core.Episode(world, **rules)
    bits, masks = np.zeros((1, task.core.atom_count), np.int8), np.zeros((1, task.core.action_count), np.int8)
    flags, costs, chosen = np.zeros((4, 1), np.bool_), np.zeros(1), np.zeros(1, np.int64)
    _core.step_episodes([episode], chosen, flags[0], bits, masks, costs, *flags[1:])
    with pytest.raises(ValueError, match="as many places"):
        _core.step_episodes([episode], chosen, flags[0], masks, bits, costs, *flags[1:])
    with pytest.raises(ValueError, match="as many rows"):
        _core.step_episodes([episode, episode], chosen, flags[0], bits, masks, costs, *flags[1:])
    with pytest.raises(ValueError, match="one value for each"):
        _core.step_episodes([episode], np.zeros(2, np.int64), flags[0], bits, masks, costs, *flags[1:])
    with pytest.raises((TypeError, ValueError)):
        _core.step_episodes([None], chosen, flags[0], bits, masks, costs, *flags[1:])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        episode.step(0, bits[0].astype(np.float64), masks[0])
    del world
    assert episode.step(0, bits[0], masks[0])[0] == 1  # it keeps its world


def test_misuse_is_named() -> None:
    with pytest.raises(UsageError, match="num_envs must be at least 1"):
        bridges(count=0)
    envs = bridges(count=2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(UsageError, match="3 seeds for 2 environments"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=0)
    for mask in (np.array([True]), np.array([1, 0])):
        with pytest.raises(UsageError, match="a boolean for each of the 2 environments"):
            envs.reset(options={"reset_mask": mask})
