"""A policy completed: where it says nothing, the task is solved from the very state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gpaplan import _core
from gpaplan.display import as_record
from gpaplan.errors import LimitError
from gpaplan.policies.explanation import PolicyExplanation
from gpaplan.policies.policy import Policy, State, unfolded_if_small
from gpaplan.solving.run import solve
from gpaplan.spaces.state_space import StateSpace
from gpaplan.statuses import Status
from gpaplan.tasks.task import GroundTask


@dataclass
class Completion:
    """A policy, and what is found by solving its task, optimally, from states that it does not cover.

    What the policy says stays as it is. All searches together expand about ``max_states`` states; ``stop`` has the
    other limits.
    """

    policy: Policy
    dead_end_cost: float | None
    """What giving up costs; None for what the policy says."""
    max_outcomes: int
    max_states: int
    stop: _core.Stop
    asked: int = field(default=0, init=False)
    """How many states that it was asked for the policy did not cover."""
    solved: int = field(default=0, init=False)
    """From how many of these the task was solved."""
    expanded: int = field(default=0, init=False)

    def cover(self, states: Iterable[State]) -> None:
        """Solve from those of the states that are not covered. Raises `LimitError` at a limit of time or memory."""
        for state in states:
            if state in self.policy or self.policy.task.is_goal(state):
                continue
            self.asked += 1
            if self.expanded < self.max_states:
                self._solve(self.policy.task.with_initial_state(state))

    def explain(self, space: StateSpace, state: int) -> PolicyExplanation:
        """What the policy does in a state of a space, solved from there and from what its actions lead to."""
        outcomes = (outcome.state for each in space.transitions(state) for outcome in each.outcomes)
        self.cover(map(space.atoms, dict.fromkeys((state, *outcomes))))
        return self.policy.explain(
            space.atoms(state), dead_end_cost=self.dead_end_cost, max_outcomes=self.max_outcomes, limits=self.stop
        )

    def _solve(self, task: GroundTask) -> None:
        symmetry = self.policy.symmetry
        solution = solve(
            task,
            heuristic="lmcut",
            dead_end_cost=self.policy.dead_end_cost if self.dead_end_cost is None else self.dead_end_cost,
            max_outcomes=self.max_outcomes,
            symmetry="auto" if symmetry is None else symmetry.for_task(task),
            limits=self.stop.part(max_states=self.max_states - self.expanded),
        )
        self.expanded += solution.expanded
        if solution.status in (Status.SOLVED, Status.NO_PROPER_POLICY):
            self._add(solution.policy)
        elif solution.status != Status.STATE_LIMIT:
            raise LimitError("the search", solution.status)

    def _add(self, found: Policy) -> None:
        """Take in a policy; one on representatives of very many states cannot be added to one without symmetry."""
        if self.policy and self.policy.symmetry is None:
            found = unfolded_if_small(found, self.stop)
            if found.symmetry is not None:
                return
        self.solved += 1
        self.policy = self.policy.extended(found)

    def to_json(self) -> dict[str, Any]:
        """The counts: ``asked``, ``solved`` and ``expanded``."""
        return as_record(self, "policy", "dead_end_cost", "max_outcomes", "max_states", "stop")
