"""From a policy on representatives to the same policy on the states themselves.

The policy is followed from the initial state. Each state comes with the renaming that led to its representative: what
the representative's action means in the state is found by renaming it back, and the renaming of a successor is that of
the state, followed by the one that makes the renamed successor a representative. So every step is one that the policy
takes among representatives, whether or not all states that are equal up to renaming have the same representative.
"""

from __future__ import annotations

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.policies.policy import Policy
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import Renaming, Symmetry

__all__ = ["unfold"]


def unfold(policy: Policy, symmetry: Symmetry, stop: _core.Stop) -> Policy:
    """The policy on the states that it reaches; where it is undefined, so is the result."""
    space = StateSpace(policy.task)
    decisions: dict[tuple[int, ...], int] = {}
    queue = [space.initial]
    renamings = {space.initial: symmetry.renaming(space.core.atoms(space.initial))}
    with named_errors(policy.task):
        for number, state in enumerate(queue):
            if number % 256 == 0 and stop.check():
                raise LimitError("unfolding the policy", stop.reason)
            renaming = renamings[state]
            found = None if space.is_goal(state) else policy.decisions.get(renaming.representative)
            if found is None:
                continue
            indices = tuple(space.core.atoms(state))
            decisions[indices] = found if found == _core.GIVE_UP else renaming.to_state(found)
            if found == _core.GIVE_UP:
                continue
            for successor in space.core.successors(state, decisions[indices]):
                if successor not in renamings:
                    renamings[successor] = _step(symmetry, renaming, space.core.atoms(successor))
                    queue.append(successor)
    return Policy.from_indices(policy.task, decisions, policy.cost, policy.dead_end_cost)


def _step(symmetry: Symmetry, renaming: Renaming, successor: list[int]) -> Renaming:
    """The renaming of a successor of a state whose renaming is known."""
    return symmetry.renaming(renaming.of_state(successor)).after(renaming)
