"""Keeping the trials of a simulation.

The core draws the trials of `gpaplan.policies.evaluation.simulate` again, by the same seed, and tells of every step
what it changed. With symmetry it goes from representative to representative; the permutations that were made on the way
are undone here, so that a trial is one of the task itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, cast

from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.evaluation import draw_trials, policy_or_random
from gpaplan.policies.policy import AnyPolicy, Policy
from gpaplan.spaces.state_space import StateSpace, Symmetry
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAtom, GroundTask
from gpaplan.traces.trace import Trace, Trial, TrialEnd, TrialStep

Path: TypeAlias = "list[tuple[int, float, list[int], list[int]]]"
"""The steps of a trial as the core has them: an action, its cost, the atoms added, the atoms deleted."""


def record_trials(
    task: AnyTask,
    policy: AnyPolicy | Literal["random"] = "random",
    *,
    trials: int = 1,
    horizon: int = 100,
    seed: int = 0,
    dead_end_cost: float | None = None,
    limits: AnyLimits = None,
) -> Trace:
    """Run trials of a policy and keep every step of them. They are the first trials of `simulate` with the same seed.

    Raises `LimitError` if a limit comes before the first trial has ended; else the trace has those that have.
    """
    task = given_task(task)
    policy = policy_or_random(task, policy)
    stop = started(limits)
    plan = {"trials": trials, "horizon": horizon, "seed": seed}
    rows = draw_trials(task, policy, **plan, dead_end_cost=dead_end_cost, kept=trials, stop=stop)
    if not rows:
        raise LimitError("the simulation", stop.reason)
    symmetry = policy.symmetry.for_task(task) if isinstance(policy, Policy) and policy.symmetry else None
    space = StateSpace(task)
    atoms = space.core.atoms(space.initial)
    source = "random" if policy == "random" else "policy"
    return Trace(
        task.domain.name,
        task.problem.name,
        task.cost,
        tuple(
            Trial(
                seed,
                space.atoms(space.initial),
                tuple(_named(task, path if symmetry is None else _path_of_states(symmetry, atoms, path), source)),
                cast("TrialEnd", end),
                cost,
            )
            for cost, _, end, path in rows
        ),
    )


def _named(task: GroundTask, path: Path, source: str) -> Iterator[TrialStep]:
    for action, cost, added, deleted in path:
        yield TrialStep(task.action(action), cost, _atoms(task, added), _atoms(task, deleted), source)


def _atoms(task: GroundTask, indices: Iterable[int]) -> tuple[GroundAtom, ...]:
    return tuple(task.atoms[index] for index in indices)


def _path_of_states(symmetry: Symmetry, initial: list[int], path: Path) -> Path:
    """A trial among representatives as one among the states themselves."""
    permutation = symmetry.permutation(initial)
    found: Path = []
    for action, cost, added, deleted in path:
        changes = sorted(permutation.back(added)), sorted(permutation.back(deleted))
        found.append((permutation.to_state(action), cost, *changes))
        if added or deleted:
            successor = sorted(set(permutation.representative).difference(deleted).union(added))
            permutation = symmetry.permutation(successor).after(permutation)
    return found
