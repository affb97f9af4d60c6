"""The meaning of concepts, relations, literals and rule lists as a short program, on named atoms.

Nothing here is numbered, cached or clever: this is the definition that the core is tested against. A state is a set of
`GroundAtom`, those that never change among them.
"""

from __future__ import annotations

from math import inf

from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.rules import Rule, RuleList
from gpaplan.tasks.grounding import declared_objects
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

    def concept(self, state: State, concept: Concept) -> set[str]:
        match concept.word, *concept.operands:
            case ("any",):
                return self.objects
            case "named", name if name in self.unary:
                return {arguments[0] for arguments in self.atoms(state, "", name)}
            case "named" | "type", name:
                return {each for each, types in self.types.items() if name in types}
            case "constant", name:
                return {name}
            case "argument", mark, predicate, position:
                return {arguments[position - 1] for arguments in self.atoms(state, mark, predicate)}
            case "not", inner:
                return self.objects - self.concept(state, inner)
            case "and", first, second:
                return self.concept(state, first) & self.concept(state, second)
            case "some", relation, inner:
                successors, found = self.successors(state, relation), self.concept(state, inner)
                return {x for x in self.objects if successors[x] & found}
            case "every", relation, inner:
                successors, found = self.successors(state, relation), self.concept(state, inner)
                return {x for x in self.objects if successors[x] <= found}
            case "same", first, second:
                mine, theirs = self.successors(state, first), self.successors(state, second)
                return {x for x in self.objects if mine[x] and mine[x] == theirs[x]}
        raise AssertionError(concept)

    def successors(self, state: State, relation: Relation) -> dict[str, set[str]]:
        """The objects that a relation relates each object to."""
        found: dict[str, set[str]] = {x: set() for x in self.objects}
        for first, second in self.relation(state, relation):
            found[first].add(second)
        return found

    def relation(self, state: State, relation: Relation) -> set[Pair]:
        match relation.word, *relation.operands:
            case "pairs", mark, predicate, positions:
                i, j = positions or (1, 2)
                return {(each[i - 1], each[j - 1]) for each in self.atoms(state, mark, predicate)}
            case "inverse", inner:
                return {(y, x) for x, y in self.relation(state, inner)}
            case "plus" | "star" as word, inner:
                step = self.successors(state, inner)
                found = {(x, x) for x in self.objects} if word == "star" else set()
                for x in self.objects:
                    reached = set(step[x])
                    while more := {z for y in reached for z in step[y]} - reached:
                        reached |= more
                    found |= {(x, y) for y in reached}
                return found
            case "and", first, second:
                return self.relation(state, first) & self.relation(state, second)
            case "minus", first, second:
                return self.relation(state, first) - self.relation(state, second)
            case "or", first, second:
                return self.relation(state, first) | self.relation(state, second)
            case "then", first, second:
                step = self.successors(state, second)
                return {(x, z) for x, y in self.relation(state, first) for z in step[y]}
            case "into", inner, concept:
                ends = self.concept(state, concept)
                return {(x, y) for x, y in self.relation(state, inner) if y in ends}
        raise AssertionError(relation)

    def distance(self, state: State, x: str, targets: set[str], relation: Relation) -> float:
        """The length of a shortest path from x along a relation to one of some objects."""
        step = self.relation(state, relation)
        reached, length = {x}, 0
        while not reached & targets:
            further = reached | {second for first, second in step if first in reached}
            if further == reached:
                return inf
            reached, length = further, length + 1
        return length

    def literal(self, state: State, literal: Literal, action: GroundAction | None = None) -> bool:
        return self._affirmed(state, literal, action) != literal.negated

    def _affirmed(self, state: State, literal: Literal, action: GroundAction | None) -> bool:
        objects = []
        if action is not None and literal.parameters:
            bound = dict(zip(self.parameters[action.schema], action.arguments, strict=True))
            objects = [bound[name] for name in literal.parameters]
        match literal.word, *literal.operands:
            case "flag", mark, predicate:
                return bool(self.atoms(state, mark, predicate))
            case "empty", concept:
                return not self.concept(state, concept)
            case "is", _, concept:
                return objects[0] in self.concept(state, concept)
            case "related", _, _, relation:
                return (objects[0], objects[1]) in self.relation(state, relation)
            case "nearer", _, _, concept, along:
                first, second = (self.distance(state, x, self.concept(state, concept), along) for x in objects)
                return first < second
            case "nearer-for", _, _, _, relation, along:
                targets = self.successors(state, relation)[objects[0]]
                first, second = (self.distance(state, x, targets, along) for x in objects[1:])
                return first < second
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
