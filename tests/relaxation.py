"""The delete relaxation as a short program: h-max and h-add by fixpoint iteration over the fields of a ground task.

There is no queue, no operator is merged or dropped, and nothing is counted down: each round recomputes every condition
and every effect from the costs of the round before, until they stay the same. `src/core/heuristics/relaxation.hpp` says
what the determinisation is; this is the definition that the core is tested against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from gpaplan import _core


class ReferenceRelaxation:
    """The operators of a task, as (preconditions, effects, cost).

    A fact is a literal of the task, 2·atom or 2·atom + 1; a disjunction is ("or", index).
    """

    def __init__(self, task: _core.Task) -> None:
        self.fields: dict[str, Any] = task.fields()
        self.operators: list[tuple[frozenset[object], frozenset[object], float]] = []
        for precondition, effect in zip(self.fields["preconditions"], self.fields["effects"], strict=True):
            stay = self._stay(effect, set(self.fields["literals"][precondition]))
            if stay == 1:
                continue
            cost = max(0.0, self._least_cost(effect)) / (1 - stay)
            for conditions, effects in self._nodes(effect, self._facts(precondition)):
                adds = {2 * atom for each in effects for atom in self.fields["adds"][each]}
                deletes = {2 * atom + 1 for each in effects for atom in self.fields["deletes"][each]}
                reached = adds | {fact for fact in deletes if fact - 1 not in adds}
                self.operators.append((conditions, frozenset(reached), cost))

    def cost(self, state: Iterable[int], *, additive: bool) -> float:
        """The cost of the goal in the state where exactly these atoms hold."""
        atoms = set(state)
        costs: dict[object, float] = {}
        for atom in range(len(self.fields["atom_predicates"])):
            costs[2 * atom + (atom not in atoms)] = 0
        before: dict[object, float] | None = None
        while costs != before:
            before = dict(costs)
            for index, options in enumerate(self.fields["disjunctions"]):
                for option in options:
                    value = self._combine(self._facts(option), before, additive)
                    costs["or", index] = min(costs.get(("or", index), inf), value)
            for conditions, effects, cost in self.operators:
                value = self._combine(conditions, before, additive) + cost
                for fact in effects:
                    costs[fact] = min(costs.get(fact, inf), value)
        return self._combine(self._facts(self.fields["goal"]), costs, additive)

    @staticmethod
    def _combine(facts: frozenset[object], costs: dict[object, float], additive: bool) -> float:
        values = [costs.get(fact, inf) for fact in facts]
        return sum(values) if additive else max(values, default=0.0)

    def _facts(self, condition: int) -> frozenset[object]:
        disjunctions = self.fields["condition_disjunctions"][condition]
        return frozenset(self.fields["literals"][condition]) | {("or", index) for index in disjunctions}

    def _pairs(self, values: list[int]) -> Iterator[tuple[int, int]]:
        return zip(values[::2], values[1::2], strict=True)

    def _least_cost(self, effect: int) -> float:
        cost: float = self.fields["effect_costs"][effect]
        for factor in self.fields["factors"][effect]:
            for number, outcome in self._pairs(self.fields["outcomes"][factor]):
                cost += self.fields["probabilities"][number] * self._least_cost(outcome)
        for _, inner in self._pairs(self.fields["conditionals"][effect]):
            cost += min(0.0, self._least_cost(inner))
        return cost

    def _stay(self, effect: int, known: set[int]) -> float:
        """The probability with which the effect changes nothing, at least, where these literals are known to hold."""
        changes = {2 * atom for atom in self.fields["adds"][effect]}
        changes |= {2 * atom + 1 for atom in self.fields["deletes"][effect]}
        if not changes <= known:
            return 0.0
        stay = 1.0
        for factor in self.fields["factors"][effect]:
            outcomes = self._pairs(self.fields["outcomes"][factor])
            stay *= sum(self.fields["probabilities"][number] * self._stay(each, known) for number, each in outcomes)
        for _, inner in self._pairs(self.fields["conditionals"][effect]):
            stay *= self._stay(inner, known)
        return stay

    def _nodes(self, effect: int, conditions: frozenset[object]) -> list[tuple[frozenset[object], list[int]]]:
        """What happens together, and under which conditions: joint outcomes of plain effects, else parts by parts."""
        factors = [self._pairs(self.fields["outcomes"][factor]) for factor in self.fields["factors"][effect]]
        inside = [[outcome for _, outcome in factor] for factor in factors]
        if not self.fields["conditionals"][effect] and len(inside) <= 1:
            outcomes = inside[0] if inside else [0]
            if not any(self.fields["conditionals"][each] or self.fields["factors"][each] for each in outcomes):
                return [(conditions, [effect, outcome]) for outcome in outcomes]
        return list(self._parts(effect, conditions))

    def _parts(self, effect: int, conditions: frozenset[object]) -> Iterator[tuple[frozenset[object], list[int]]]:
        yield conditions, [effect]
        for factor in self.fields["factors"][effect]:
            for _, outcome in self._pairs(self.fields["outcomes"][factor]):
                yield from self._parts(outcome, conditions)
        for condition, inner in self._pairs(self.fields["conditionals"][effect]):
            yield from self._parts(inner, conditions | self._facts(condition))


def optimal_costs(space: _core.StateSpace) -> list[float]:
    """The least expected cost of reaching the goal with certainty from each state; infinity if no policy does.

    Every state of the space must have been expanded.
    """
    states = range(len(space))
    transitions = [space.transitions(state) for state in states]
    proper = {state for state in states if can_reach(space, state)}
    while True:  # the states from which some policy reaches the goal without ever leaving the set
        reaching = {state for state in proper if space.is_goal(state)}
        while True:
            more = {
                state
                for state in proper - reaching
                for _, _, outcomes in transitions[state]
                if all(successor in proper for _, successor in outcomes)
                and any(successor in reaching for _, successor in outcomes)
            }
            if not more:
                break
            reaching |= more
        if reaching == proper:
            break
        proper = reaching
    values = [0.0 if state in proper else inf for state in states]
    residual = inf
    while residual > 1e-10:
        residual = 0.0
        for state in proper:
            if space.is_goal(state):
                continue
            value = min(
                cost + sum(p * values[successor] for p, successor in outcomes)
                for _, cost, outcomes in transitions[state]
                if all(successor in proper for _, successor in outcomes)
            )
            residual = max(residual, abs(value - values[state]))
            values[state] = value
    return values


def can_reach(space: _core.StateSpace, state: int) -> bool:
    """Whether a goal state can be reached, be it by luck."""
    seen = {state}
    open_states = [state]
    while open_states:
        at = open_states.pop()
        if space.is_goal(at):
            return True
        for _, _, outcomes in space.transitions(at):
            for _, successor in outcomes:
                if successor not in seen:
                    seen.add(successor)
                    open_states.append(successor)
    return False
