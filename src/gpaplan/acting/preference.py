"""Which of several actions training used most: edges remember how often they were used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.automata.matching import Way

__all__ = ["Preference"]


class Preference:
    """The edges of an automaton by how many transitions of the training policies were on them."""

    def __init__(self, automaton: PolicyAutomaton) -> None:
        self.automaton = automaton
        self._uses: dict[int, dict[tuple[Any, Any], int]] = {}
        """For each degree, of each source and action."""
        self._vertices: dict[int, dict[Any, int]] = {}
        """For each degree the first vertex of each label."""

    def most_used(self, space: ConstrainedStateSpace, state: int, actions: list[int], way: Way) -> list[int]:
        """Those of these actions that training used most in states like this one."""
        source = self._source(space, state, way)
        uses = self._at(way.degree)
        counts = {action: uses.get((source, space.table.action(space, state, action)), 0) for action in actions}
        most = max(counts.values())
        return [action for action in actions if counts[action] == most]

    def vertex(self, space: ConstrainedStateSpace, state: int, way: Way) -> int | None:
        """The first of the automaton's vertices that look like the state, by its place; None if none does."""
        if way.degree not in self._vertices:
            look = self._look(way)
            places: dict[Any, int] = {}
            for place, label in enumerate(self.automaton.vertices):
                places.setdefault(look(label), place)
            self._vertices[way.degree] = places
        return self._vertices[way.degree].get(self._source(space, state, way))

    def _source(self, space: ConstrainedStateSpace, state: int, way: Way) -> Any:
        return self._look(way)(space.table.state(space, state))

    def _look(self, way: Way) -> Callable[[Any], Any]:
        """From a label to what is seen of it in this way."""
        coarser: Any = self.automaton.coarsened(way.degree).abstraction
        return coarser.coarsened if way.degree else _as_it_is

    def _at(self, degree: int) -> dict[tuple[Any, Any], int]:
        if degree not in self._uses:
            edges = self.automaton.coarsened(degree).edges
            self._uses[degree] = {(edge.source, edge.action): sum(edge.origins.values()) for edge in edges}
        return self._uses[degree]


def _as_it_is(label: Any) -> Any:
    return label
