"""The page that draws a policy: its data, as `gpaplan.pages.graph` takes it.

A policy may reach millions of states. What is drawn are those nearest to the initial state, breadth first; a state
whose successors have no room is marked, and its action left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpaplan import _core
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.policies.policy import Policy
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.task import GroundTask

_ABOUT = (
    "Each box is a state, and shows the atoms that tell it from the others. From each state leads the action that the "
    "policy takes there, and arrows lead on to all that may come of it. Click one for its details."
)
_UP_TO_SYMMETRY = (
    " Each state stands for all that differ from it by a permutation of interchangeable objects; so does its action."
)


def page_data(policy: Policy, states: int = 100) -> dict[str, Any]:
    """What is on the page, of so many states, as plain data. The same policy gives the same."""
    if states < 1:
        raise UsageError(f"states is {states}, but must be at least 1")
    vertices, edges = _near_part(policy, states)
    task = policy.task
    decisions = f"{counted(len(policy), 'decision')} in all"
    if any("cut" in each["marks"] for each in vertices):
        decisions = f"those nearest to the start; the policy has {decisions}"
    return {
        "title": task.problem.name,
        "name": f"{task.problem.name}: policy",
        "about": _ABOUT + (_UP_TO_SYMMETRY if policy.symmetry else ""),
        "empty": "There is nothing to draw.",
        "unlisted": "Other atoms do not hold, but for those that never change, which are not listed.",
        "training": [],
        "level": 0,
        "levels": [
            {
                "words": "",
                "counts": [counted(len(vertices), "state"), counted(len(edges), "action"), decisions],
                "terms": _terms(policy),
                "vertices": vertices,
                "edges": edges,
            }
        ],
    }


def _terms(policy: Policy) -> list[list[str]]:
    terms = [["Domain", policy.task.domain.name], ["Decisions", f"{len(policy):,}"], ["Costs", policy.cost]]
    if policy.dead_end_cost is not None:
        terms.append(["Giving up costs", f"{policy.dead_end_cost:g}"])
    if policy.symmetry is not None:
        sizes = ", ".join(f"{len(objects)} like {objects[0]}" for objects in policy.symmetry.classes)
        terms.append(["Interchangeable", sizes])
    return terms


def _near_part(policy: Policy, most: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The states nearest to the initial one, at most so many, and the edges between them."""
    task = policy.task
    space = StateSpace(task, max_outcomes=2**32, symmetry=policy.symmetry)
    states, place = [space.initial], {space.initial: 0}
    vertices: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for state in states:
        atoms = space.core.atoms(state)
        action = None if space.is_goal(state) else policy.decisions.get(tuple(atoms), _core.NO_ACTION)
        marks, kind = _kind_of(place[state], action)
        if action is not None and action not in (_core.NO_ACTION, _core.GIVE_UP):
            cost, outcomes = _transition(space, state, action)
            new = [target for target in outcomes if target not in place]
            if len(place) + len(new) > most:
                marks, kind = ["initial"] * (not place[state]) + ["cut"], "its action is not drawn"
            else:
                place |= {target: len(place) + number for number, target in enumerate(new)}
                states += new
                targets = {place[target]: probability for target, probability in outcomes.items()}
                edges.append(_edge(task, action, cost, place[state], targets))
        facts = [str(task.atoms[atom]) for atom in atoms]
        vertices.append({"facts": facts, "marks": marks, "kind": kind, "sections": []})
    return vertices, edges


def _transition(space: StateSpace, state: int, action: int) -> tuple[float, dict[int, float]]:
    """The cost of an action, and the probability of each state that it may lead to."""
    found = action if space.symmetry is None else space.core.first_action(state, action)
    with named_errors(space.task):
        for each, cost, outcomes in space.core.transitions(state):
            if each == found:
                return cost, {target: probability for probability, target in outcomes}
    raise AssertionError("a policy has applicable actions only")


def _kind_of(place: int, action: int | None) -> tuple[list[str], str]:
    initial = ["initial"] if place == 0 else []
    if action is None:
        return [*initial, "final"], "a goal"
    if action == _core.GIVE_UP:
        return [*initial, "stuck"], "the policy gives up here"
    if action == _core.NO_ACTION:
        return [*initial, "stuck"], "the policy is undefined here"
    return initial, "the initial state" if initial else ""


def _edge(task: GroundTask, action: int, cost: float, source: int, targets: Mapping[int, float]) -> dict[str, Any]:
    name = task.action(action)
    return {
        "source": source,
        "action": str(name),
        "label": str(name),
        "schema": name.schema,
        "targets": list(targets),
        "chances": [f"with probability {probability:.6g}" for probability in targets.values()],
        "sections": [{"heading": "Expected cost of the action", "items": [f"{cost:.6g}"]}],
    }
