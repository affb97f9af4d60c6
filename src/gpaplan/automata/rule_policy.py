"""A policy that acts by a rule list, for problems that have too many states to list what to do in each."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from gpaplan import _core
from gpaplan.concepts.evaluation import Evaluator
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.policies.policy import Policy
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundTask


class RulePolicy(Policy):
    """In each state one of the actions that a rule list keeps, drawn at random whenever it is asked for.

    ``choice`` is what is proven of it on this task: ``any`` or ``random``. Its states are not listed: nothing that goes
    through all of them, such as writing it to a file, can be done with it.
    """

    def __init__(self, task: GroundTask, rules: RuleList, choice: str, *, seed: int = 0) -> None:
        self.task, self.cost, self.dead_end_cost, self.symmetry = task, task.cost, None, None
        self.rules, self.choice, self.seed = rules, choice, seed
        self._random = random.Random(seed)
        self._space, self._evaluator = StateSpace(task), Evaluator(task)

    def decision(self, indices: tuple[int, ...]) -> int:
        """The index of an action that is kept in the state of these atoms; ``NO_ACTION`` if none is."""
        kept = self._evaluator.fits(self._space, self._space.core.intern(indices), self.rules)[1]
        return self._random.choice(kept) if kept else _core.NO_ACTION

    def for_task(self, task: GroundTask) -> Policy:
        """The same for another grounding."""
        return self if task is self.task else RulePolicy(task, self.rules, self.choice, seed=self.seed)

    @property
    def _decisions(self) -> Any:  # type: ignore[override]
        raise UsageError(
            "the policy acts by a rule list, and its states are not listed;  ask it for the action of a state "
            "(policy.action), or let gpaplan act and gpaplan simulate follow the list (--gpa)"
        )

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"RulePolicy({self.task.problem.name!r}: {len(self.rules)} rules)"

    def __reduce__(self) -> Any:
        return partial(RulePolicy, seed=self.seed), (self.task, self.rules, self.choice)
