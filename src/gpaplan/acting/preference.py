"""Which of several actions training used most: edges remember how often they were used."""

from __future__ import annotations

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

    def most_used(self, space: ConstrainedStateSpace, state: int, actions: list[int], way: Way) -> list[int]:
        """Those of these actions that training used most in states like this one."""
        coarser = self.automaton.coarsened(way.degree).abstraction
        label: Any = space.table.state(space, state)
        source = getattr(coarser, "coarsened", lambda same: same)(label) if way.degree else label
        uses = self._at(way.degree)
        counts = {action: uses.get((source, space.table.action(space, state, action)), 0) for action in actions}
        most = max(counts.values())
        return [action for action in actions if counts[action] == most]

    def _at(self, degree: int) -> dict[tuple[Any, Any], int]:
        if degree not in self._uses:
            edges = self.automaton.coarsened(degree).edges
            self._uses[degree] = {(edge.source, edge.action): sum(edge.origins.values()) for edge in edges}
        return self._uses[degree]
