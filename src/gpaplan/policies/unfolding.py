"""From a policy on representatives to the same policy on the states themselves.

The policy is followed from the initial state. Each state comes with the permutation that led to its representative:
what the representative's action means in the state is found by mapping it back, and the permutation of a successor is
that of the state, followed by the one that makes the mapped successor a representative. So every step is one that the
policy takes among representatives, whether or not all states that are equal up to symmetry have the same
representative.
"""

from __future__ import annotations

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.policies.policy import Policy
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import Permutation, Symmetry

MOST_STATES = 10_000
"""So many states of a policy are written to a file one by one; where there are more, their representatives are."""


def unfolded_if_small(policy: Policy, stop: _core.Stop) -> Policy:
    """The policy on the states that it reaches if these are few, and can be listed within the limits; else as it is."""
    if policy.symmetry is None or len(policy) > MOST_STATES:
        return policy
    try:
        return unfold(policy, policy.symmetry, stop, MOST_STATES)
    except (LimitError, _TooManyError):
        return policy


class _TooManyError(Exception):
    """A policy has a decision in more states than asked for."""


def unfold(policy: Policy, symmetry: Symmetry, stop: _core.Stop, most: int | None = None) -> Policy:
    """The policy on the states that it reaches; where it is undefined, so is the result."""
    known = policy.decisions
    space = StateSpace(policy.task, max_outcomes=2**32)  # as many as the search may have met
    decisions: dict[tuple[int, ...], int] = {}
    permutations: dict[int, Permutation] = {}
    queue: list[int] = []

    def meet(state: int, permutation: Permutation) -> None:
        permutations[state] = permutation
        if permutation.representative in known:
            if len(queue) == most:
                raise _TooManyError
            queue.append(state)

    with named_errors(policy.task):
        if not space.is_goal(space.initial):
            meet(space.initial, symmetry.permutation(space.core.atoms(space.initial)))
        for state in queue:
            if stop.check():
                raise LimitError("unfolding the policy", stop.reason)
            permutation = permutations[state]
            decision = known[permutation.representative]
            action = decision if decision == _core.GIVE_UP else permutation.to_state(decision)
            decisions[tuple(space.core.atoms(state))] = action
            for successor in () if action == _core.GIVE_UP else space.core.successors(state, action):
                if successor not in permutations and not space.is_goal(successor):
                    meet(successor, _step(symmetry, permutation, space.core.atoms(successor)))
    return Policy.from_indices(policy.task, decisions, policy.cost, policy.dead_end_cost)


def _step(symmetry: Symmetry, permutation: Permutation, successor: list[int]) -> Permutation:
    """The permutation of a successor of a state whose permutation is known."""
    return symmetry.permutation(permutation.of_state(successor)).after(permutation)
