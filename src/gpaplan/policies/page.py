"""The page that draws a policy: its data, as `gpaplan.pages.graph` takes it.

A policy may reach millions of states. What is drawn are those nearest to the initial state, breadth first; a state
whose successors have no room is marked, and its action left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gpaplan import _core
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.pages import graph
from gpaplan.policies.policy import Policy
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.task import GroundTask

MOST_STATES = 100
"""So many states are drawn unless it is said how many."""

_ABOUT = (
    "Each box is a state, and shows the atoms that tell it from the others. From each state leads the action that the "
    "policy takes there, and arrows lead on to all that may come of it. Click one for its details."
)
_EMPTY = "There is nothing to draw."
_UP_TO_SYMMETRY = (
    " Each state stands for all that differ from it by a permutation of interchangeable objects; so does its action."
)


def to_html(policy: Policy, states: int = MOST_STATES) -> str:
    """The whole page, of so many states. The same policy gives the same text."""
    return graph.to_html(page_data(policy, states))


def page_data(policy: Policy, states: int = MOST_STATES) -> dict[str, Any]:
    """What is on the page, as plain data."""
    if states < 1:
        raise UsageError(f"states is {states}, but must be at least 1")
    part = _near_part(policy, states)
    task = policy.task
    facts: dict[int, int] = {}
    left_out = any("cut" in marks for marks, _ in part.kinds)
    decisions = f"{counted(len(policy), 'decision')} in all"
    return {
        "title": task.problem.name,
        "name": f"{task.problem.name}: policy",
        "about": _ABOUT + (_UP_TO_SYMMETRY if policy.symmetry else ""),
        "empty": _EMPTY,
        "unlisted": "Other atoms do not hold, but for those that never change, which are not listed.",
        "training": [],
        "level": 0,
        "levels": [
            {
                "words": "",
                "counts": [
                    counted(len(part.states), "state"),
                    counted(len(part.edges), "action"),
                    f"those nearest to the start; the policy has {decisions}" if left_out else decisions,
                ],
                "terms": _terms(policy),
                "vertices": [
                    {
                        "facts": [facts.setdefault(atom, len(facts)) for atom in part.space.core.atoms(state)],
                        "marks": marks,
                        "kind": kind,
                        "sections": [],
                    }
                    for state, (marks, kind) in zip(part.states, part.kinds, strict=True)
                ],
                "facts": [[str(task.atoms[atom])] for atom in facts],
                "edges": part.edges,
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


@dataclass
class _Part:
    """The part of a policy that is drawn: states, and the edges between them, which refer to states by their places."""

    space: StateSpace
    states: list[int] = field(default_factory=list)
    kinds: list[tuple[list[str], str]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)


def _near_part(policy: Policy, most: int) -> _Part:
    """The states nearest to the initial one, at most so many."""
    part = _Part(StateSpace(policy.task, max_outcomes=2**32, symmetry=policy.symmetry))
    space = part.space
    part.states.append(space.initial)
    place = {space.initial: 0}
    for state in part.states:
        action = None if space.is_goal(state) else policy.decisions.get(tuple(space.core.atoms(state)), _core.NO_ACTION)
        if action is None or action in (_core.NO_ACTION, _core.GIVE_UP):
            part.kinds.append(_kind_of(place[state], action))
            continue
        cost, outcomes = _transition(space, state, action)
        new = [target for target in outcomes if target not in place]
        if len(place) + len(new) > most:
            part.kinds.append((["initial"] * (not place[state]) + ["cut"], "its action is not drawn"))
            continue
        for target in new:
            place[target] = len(place)
        part.states += new
        part.kinds.append(_kind_of(place[state], action))
        targets = {place[target]: probability for target, probability in outcomes.items()}
        part.edges.append(_edge(policy.task, action, cost, place[state], targets))
    return part


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
