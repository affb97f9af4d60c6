"""States up to symmetry: the core against every permutation, and solving with and without symmetry."""

from __future__ import annotations

import math

from hypothesis import assume, given, strategies as st

from gpaplan import GroundTask, Policy, StateSpace, evaluate, solve, verify
from gpaplan.solving.solvers import LRTDP, ValueIteration
from gpaplan.spaces.state_space import find_symmetry
from tests.abstraction_reference import ReferenceAbstraction
from tests.examples import examples
from tests.symmetric_tasks import Orbits, Structure, swaps, symmetric_task

STATES = 400

tasks = st.integers(0, 2**32 - 1).map(symmetric_task)


def explored(task: GroundTask, symmetry: str = "off") -> StateSpace:
    space = StateSpace(task, symmetry="on" if symmetry == "on" else "off")
    assume(space.explore(max_states=STATES).complete)
    return space


@examples(60)
@given(tasks)
def test_swaps_within_a_class_map_the_task_onto_itself(task: GroundTask) -> None:
    whole = Structure(task, {}).everything()
    for swap in swaps(task):
        assert Structure(task, swap).everything() == whole


@examples(60)
@given(tasks)
def test_states_have_one_representative_if_and_only_if_a_permutation_maps_one_to_the_other(task: GroundTask) -> None:
    symmetry = find_symmetry(task)
    assume(symmetry.classes)
    space = explored(task)
    orbits = Orbits(task)
    representatives: dict[tuple[int, ...], tuple[int, ...]] = {}
    for state in range(len(space)):
        atoms = space.core.atoms(state)
        permutation = symmetry.permutation(atoms)
        assert permutation.exact
        assert permutation.image in orbits.permutations
        assert permutation.of_state(atoms) == permutation.representative
        least = orbits.least(atoms)
        assert representatives.setdefault(least, permutation.representative) == permutation.representative
        assert symmetry.permutation(permutation.representative).representative == permutation.representative
    assert len(set(representatives.values())) == len(representatives)


@examples(40)
@given(tasks, st.data())
def test_any_set_of_atoms_has_a_representative(task: GroundTask, data: st.DataObject) -> None:
    """States need not be reachable: relations of every shape occur among these."""
    symmetry = find_symmetry(task)
    assume(symmetry.classes)
    orbits = Orbits(task)
    chosen = data.draw(st.integers(0, 2**task.core.atom_count - 1))
    atoms = [atom for atom in range(task.core.atom_count) if chosen >> atom & 1]
    permutation = symmetry.permutation(atoms)
    assert orbits.least(permutation.representative) == orbits.least(atoms)
    image = data.draw(st.sampled_from(orbits.atom_maps))
    assert symmetry.permutation([image[atom] for atom in atoms]).representative == permutation.representative


@examples(60)
@given(tasks)
def test_the_space_of_representatives_is_the_space_up_to_symmetry(task: GroundTask) -> None:
    """The same orbits, and in each the same costs and distributions over orbits."""
    assume(find_symmetry(task).classes)
    space = explored(task)
    quotient = explored(task, "on")
    orbits = Orbits(task)

    def actions(of: StateSpace, state: int) -> set[tuple[float, frozenset[tuple[tuple[int, ...], float]]]]:
        result = set()
        for _, cost, outcomes in of.core.transitions(state):
            distribution: dict[tuple[int, ...], float] = {}
            for probability, successor in outcomes:
                orbit = orbits.least(of.core.atoms(successor))
                distribution[orbit] = distribution.get(orbit, 0) + probability
            result.add((round(cost, 9), frozenset((o, round(p, 9)) for o, p in distribution.items())))
        return result

    symmetry = find_symmetry(task)
    for state in range(len(quotient)):
        atoms = tuple(quotient.core.atoms(state))
        assert symmetry.permutation(atoms).representative == atoms
    known = {orbits.least(quotient.core.atoms(state)): actions(quotient, state) for state in range(len(quotient))}
    assert len(known) == len(quotient)
    for state in range(len(space)):
        assert actions(space, state) == known.pop(orbits.least(space.core.atoms(state)), actions(space, state))
    assert not known


@examples(60)
@given(tasks, st.booleans())
def test_a_state_and_its_representative_have_the_same_abstraction(task: GroundTask, goals: bool) -> None:
    symmetry = find_symmetry(task)
    assume(symmetry.classes)
    space = explored(task)
    reference = ReferenceAbstraction(task, goals=goals)
    static = frozenset(task.static_atoms)
    for state in range(0, len(space), 7):
        representative = symmetry.representative(space.atoms(state))
        assert reference.state(representative | static) == reference.state(space.atoms(state) | static)


@examples(50)
@given(tasks, st.sampled_from([None, 7.5]), st.booleans())
def test_values_are_the_same_with_and_without_symmetry(
    task: GroundTask, dead_end_cost: float | None, heuristic_search: bool
) -> None:
    explored(task)
    solver = LRTDP(epsilon=1e-7) if heuristic_search else ValueIteration(epsilon=1e-7)
    plain, up_to_symmetry = (
        solve(task, solver, heuristic="lmcut", dead_end_cost=dead_end_cost, symmetry=mode) for mode in ("off", "on")
    )
    assert up_to_symmetry.status == plain.status
    assert up_to_symmetry.proper == plain.proper
    if not heuristic_search:
        assert up_to_symmetry.generated <= plain.generated
    if dead_end_cost is None:
        assert plain.goal_probability is not None
        assert up_to_symmetry.goal_probability is not None
        assert math.isclose(up_to_symmetry.goal_probability, plain.goal_probability, rel_tol=1e-6, abs_tol=1e-9)
    if plain.status == "solved":
        assert math.isclose(up_to_symmetry.value, plain.value, rel_tol=1e-5)
    check_mapped_back(task, up_to_symmetry.policy, up_to_symmetry.value)


def check_mapped_back(task: GroundTask, policy: Policy, value: float) -> None:
    """The policy on the states themselves does what the one on representatives does."""
    unfolded = policy.unfolded()
    assert unfolded.symmetry is None
    found, folded = evaluate(task, unfolded), evaluate(task, policy)
    assert found.closed == folded.closed
    assert found.proper == folded.proper
    assert math.isclose(found.goal_probability, folded.goal_probability, rel_tol=1e-9, abs_tol=1e-12)
    assert found.cost == folded.cost == value or math.isclose(found.cost, value, rel_tol=1e-9)
    assert bool(verify(task, unfolded)) == bool(verify(task, policy))
    space = StateSpace(task)
    for state in unfolded:
        action = policy[state]
        assert action is None or action in space.applicable(space.state(state))
