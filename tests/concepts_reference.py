"""The meaning of concepts, roles, literals and rule lists as a short program, on named atoms.

Nothing here is numbered, cached or clever: this is the definition that the core is tested against. A state is a set of
`GroundAtom`, those that never change among them.
"""

from __future__ import annotations

from math import inf

from gpaplan.concepts import nodes as n
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.tasks.encode import declared_objects
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

State = frozenset[GroundAtom]
Pair = tuple[str, str]


class Reference:
    """The meaning of expressions in the states of one task."""

    def __init__(self, task: GroundTask) -> None:
        self.task = task
        self.types = declared_objects(task.domain, task.problem)
        self.objects = set(self.types)
        self.unary = {each.name for each in task.domain.predicates if len(each.parameters) == 1}
        self.parameters = {each.name: [p.name for p in each.parameters] for each in task.domain.schemas}

    def atoms(self, state: State, mark: str, predicate: str) -> list[tuple[str, ...]]:
        """The arguments of the atoms of a predicate that a mark means."""
        goal = set(self.task.goal_atoms)
        meant = {"": set(state), "@": goal, "!": goal - state}[mark]
        return [atom.arguments for atom in meant if atom.predicate == predicate]

    def concept(self, state: State, concept: n.Concept) -> set[str]:
        match concept:
            case n.Everything():
                return self.objects
            case n.Named(name) if name in self.unary:
                return {arguments[0] for arguments in self.atoms(state, "", name)}
            case n.Named(name) | n.OfType(name):
                return {each for each, types in self.types.items() if name in types}
            case n.Only(name):
                return {name}
            case n.Argument(mark, predicate, position):
                return {arguments[position - 1] for arguments in self.atoms(state, mark, predicate)}
            case n.Complement(inner):
                return self.objects - self.concept(state, inner)
            case n.Intersection(first, second):
                return self.concept(state, first) & self.concept(state, second)
            case n.Some(role, inner):
                successors, found = self.successors(state, role), self.concept(state, inner)
                return {x for x in self.objects if successors[x] & found}
            case n.Every(role, inner):
                successors, found = self.successors(state, role), self.concept(state, inner)
                return {x for x in self.objects if successors[x] <= found}
            case n.Same(first, second):
                mine, theirs = self.successors(state, first), self.successors(state, second)
                return {x for x in self.objects if mine[x] and mine[x] == theirs[x]}
        raise AssertionError(concept)

    def successors(self, state: State, role: n.Role) -> dict[str, set[str]]:
        """The objects that a role relates each object to."""
        found: dict[str, set[str]] = {x: set() for x in self.objects}
        for first, second in self.role(state, role):
            found[first].add(second)
        return found

    def role(self, state: State, role: n.Role) -> set[Pair]:
        match role:
            case n.Pairs(mark, predicate, positions):
                i, j = positions or (1, 2)
                return {(each[i - 1], each[j - 1]) for each in self.atoms(state, mark, predicate)}
            case n.Inverse(inner):
                return {(y, x) for x, y in self.role(state, inner)}
            case n.Closure(inner, reflexive):
                step = self.successors(state, inner)
                found = {(x, x) for x in self.objects} if reflexive else set()
                for x in self.objects:
                    reached = set(step[x])
                    while more := {z for y in reached for z in step[y]} - reached:
                        reached |= more
                    found |= {(x, y) for y in reached}
                return found
            case n.Common(first, second):
                return self.role(state, first) & self.role(state, second)
            case n.Minus(first, second):
                return self.role(state, first) - self.role(state, second)
        raise AssertionError(role)

    def distance(self, state: State, x: str, concept: n.Concept, role: n.Role) -> float:
        """The length of a shortest path from x along a role to an object of a concept."""
        targets, step = self.concept(state, concept), self.role(state, role)
        reached, length = {x}, 0
        while not reached & targets:
            further = reached | {second for first, second in step if first in reached}
            if further == reached:
                return inf
            reached, length = further, length + 1
        return length

    def literal(self, state: State, literal: n.Literal, action: GroundAction | None = None) -> bool:
        return self._affirmed(state, literal, action) != literal.negated

    def _affirmed(self, state: State, literal: n.Literal, action: GroundAction | None) -> bool:
        objects = []
        if action is not None and literal.parameters:
            bound = dict(zip(self.parameters[action.schema], action.arguments, strict=True))
            objects = [bound[name] for name in literal.parameters]
        match literal:
            case n.Flag(mark=mark, predicate=predicate):
                return bool(self.atoms(state, mark, predicate))
            case n.Empty(concept=concept):
                return not self.concept(state, concept)
            case n.Is(concept=concept):
                return objects[0] in self.concept(state, concept)
            case n.Related(role=role):
                return (objects[0], objects[1]) in self.role(state, role)
            case n.Nearer(concept=concept, role=role):
                return self.distance(state, objects[0], concept, role) < self.distance(state, objects[1], concept, role)
        raise AssertionError(literal)

    def fits(self, state: State, rule: Rule, action: GroundAction) -> bool:
        return action.schema == rule.schema and all(self.literal(state, each, action) for each in rule.literals)

    def decide(
        self, state: State, applicable: list[GroundAction], rules: RuleList
    ) -> tuple[int | None, list[GroundAction]]:
        """The index of the deciding rule, and the actions that it keeps."""
        for index, rule in enumerate(rules.rules):
            kept = [action for action in applicable if self.fits(state, rule, action)]
            if kept:
                return index, kept
        return None, []
