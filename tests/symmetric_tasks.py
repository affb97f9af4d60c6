"""Random tasks with interchangeable objects, and what symmetry means, written down naively.

`symmetric_task(seed)` draws small domains about items and boxes: what holds of one, between items, between items and
boxes, static facts, chance, conditional and universal effects, costs. Goals ask the same of all items, or of
some, and initial states are as asymmetric as they come.

`Orbits` knows the group of a task by its classes and looks at every permutation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from random import Random
from typing import Any

from gpaplan import GroundTask, ground, parse_domain, parse_problem
from gpaplan.spaces.state_space import find_symmetry

DOMAIN = """
(define (domain things)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types item box)
  (:predicates (done ?x - item) (hot ?x - item) (open ?b - box) (in ?x - item ?b - box) (near ?x ?y - item)
               (fits ?x - item ?b - box) (good ?x - item) (flag))
  (:functions (weight ?x - item))
{schemas})
"""

PROBLEM = """
(define (problem things-1) (:domain things)
  (:objects {items} - item {boxes} - box)
  (:init {init})
  (:goal {goal})
  (:metric minimize (total-cost)))
"""

FLUENTS = {"done": ("item",), "hot": ("item",), "open": ("box",), "in": ("item", "box"), "near": ("item", "item")}

CHANCES = ("1/2", "1/4", "0.9")
PARAMETERS = (("?x - item",), ("?x - item", "?b - box"), ("?x - item", "?y - item"), ("?b - box",), ())

GOALS = (
    "(forall (?x - item) (done ?x))",
    "(forall (?x - item) (or (done ?x) (hot ?x)))",
    "(forall (?x - item) (exists (?b - box) (in ?x ?b)))",
    "(and (flag) (forall (?b - box) (open ?b)))",
    "(exists (?x ?y - item) (and (not (= ?x ?y)) (near ?x ?y) (near ?y ?x)))",
    "(done x0)",
    "(and (done x0) (done x1))",
    "(and (flag) (not (hot x0)))",
)


def symmetric_task(seed: int, scale: float = 1) -> GroundTask:
    """A ground task in which some objects are, as a rule, interchangeable; with the costs of its metric, to a scale."""
    return _Draw(Random(seed), scale).task()


class _Draw:
    """Everything is drawn uniformly, so that long ways, dead ends and relations of every shape are common."""

    def __init__(self, random: Random, scale: float) -> None:
        self.random = random
        self.cost = f"(increase (total-cost) {scale!r})"
        self.scale = scale
        self.predicates = {*random.sample(sorted(FLUENTS), random.choice((2, 2, 3))), "flag"}
        """Those that this task is about."""

    def task(self) -> GroundTask:
        random = self.random
        items = [f"x{number}" for number in range(random.choice((2, 3, 3, 4)))]
        boxes = [f"b{number}" for number in range(random.choice((1, 2, 2, 3)))]
        fluents = ["(flag)"] + [
            f"({name} {' '.join(arguments)})"
            for name in sorted(self.predicates - {"flag"})
            for arguments in product(*(items if each == "item" else boxes for each in FLUENTS[name]))
        ]
        init = random.sample(fluents, random.randint(0, min(6, len(fluents))))
        init += [f"(fits {x} {b})" for x, b in product(items, boxes)]
        odd = items[-1] if random.random() < 0.2 else None
        init += [f"(good {x})" for x in items if x != odd]
        init += [f"(= (weight {x}) {self.scale * (2 if x == 'x0' and random.random() < 0.2 else 1)!r})" for x in items]
        makers = [self.maker(name) for name in sorted(self.predicates - {"flag"})]
        schemas = "".join([*makers, *(self.schema(number) for number in range(random.randint(1, 3)))])
        domain = parse_domain(DOMAIN.format(schemas=schemas))
        text = PROBLEM.format(items=" ".join(items), boxes=" ".join(boxes), init=" ".join(init), goal=self.goal())
        return ground(domain, parse_problem(domain, text), cost="metric")

    def goal(self) -> str:
        """One about these predicates, most of the time."""
        fitting = [goal for goal in GOALS if not any(f"({name} " in goal for name in FLUENTS.keys() - self.predicates)]
        return self.random.choice(fitting if self.random.random() < 0.9 else GOALS)

    def maker(self, name: str) -> str:
        """An action by which an atom of a predicate becomes true, and another one perhaps false."""
        kinds = FLUENTS[name]
        variables = ["?x" if kind == "item" else "?b" for kind in kinds]
        if kinds == ("item", "item"):
            variables[1] = "?y"
        parameters = " ".join(f"{variable} - {kind}" for variable, kind in zip(variables, kinds, strict=True))
        atom = f"({name} {' '.join(variables)})"
        chance = self.random.choice(("0.5", "0.9", "1"))
        effect = f"(and (probabilistic {chance} {atom}) {self.effect(variables, 1)} {self.cost})"
        return (
            f"  (:action make-{name} :parameters ({parameters})\n"
            f"    :precondition {self.literal(variables)}\n    :effect {effect})\n"
        )

    def schema(self, number: int) -> str:
        random = self.random
        parameters = random.choice(PARAMETERS)
        names = [parameter.split()[0] for parameter in parameters]
        conditions = [self.literal(names) for _ in range(random.randint(0, 2))]
        if "?y" in names and random.random() < 0.5:
            conditions.append("(not (= ?x ?y))")
        if "?b" in names and "?x" in names and random.random() < 0.5:
            conditions.append("(fits ?x ?b)")
        if "?x" in names and random.random() < 0.3:
            conditions.append("(good ?x)")
        cost = " (increase (total-cost) (weight ?x))" if "?x" in names and random.random() < 0.5 else ""
        effects = f"(and {self.effect(names, 2)} {self.effect(names, 1)} {self.cost}{cost})"
        return (
            f"  (:action a{number} :parameters ({' '.join(parameters)})\n"
            f"    :precondition (and {' '.join(conditions)})\n    :effect {effects})\n"
        )

    def atom(self, names: Sequence[str]) -> str:
        """An atom over variables; the first letter of a variable says what it is."""
        items = [name for name in names if name[1] in "xyz"]
        boxes = [name for name in names if name[1] in "bc"]
        kinds = ["(flag)"]
        for name in sorted(self.predicates - {"flag"}):
            choices = [items if kind == "item" else boxes for kind in FLUENTS[name]]
            if all(choices):
                kinds += [f"({name} {' '.join(self.random.choice(each) for each in choices)})"] * 3
        return self.random.choice(kinds)

    def literal(self, names: Sequence[str]) -> str:
        atom = self.atom(names)
        return atom if self.random.random() < 0.6 else f"(not {atom})"

    def effect(self, names: Sequence[str], depth: int) -> str:
        kinds = ["literal", "literal"]
        if depth > 0:
            kinds += ["and", "chance", "when", "items", "boxes"]
        match self.random.choice(kinds):
            case "and":
                return f"(and {self.effect(names, depth - 1)} {self.effect(names, depth - 1)})"
            case "chance":
                return f"(probabilistic {self.random.choice(CHANCES)} {self.effect(names, depth - 1)})"
            case "when":
                return f"(when {self.literal(names)} {self.effect(names, depth - 1)})"
            case "items":
                inner = [*names, "?z"]
                return f"(forall (?z - item) (when {self.literal(inner)} {self.literal(inner)}))"
            case "boxes":
                inner = [*names, "?c"]
                return f"(forall (?c - box) (when {self.literal(inner)} {self.literal(inner)}))"
        return self.literal(names)


class Orbits:
    """The group that permutes the objects within the classes of a task, by enumeration."""

    def __init__(self, task: GroundTask) -> None:
        self.task = task
        self.classes = find_symmetry(task).core.classes

    @cached_property
    def permutations(self) -> list[list[int]]:
        """Every permutation, as what becomes of each object."""
        result = []
        for choice in product(*(permutations(objects) for objects in self.classes)):
            image = list(range(len(self.task.objects)))
            for objects, images in zip(self.classes, choice, strict=True):
                for old, new in zip(objects, images, strict=True):
                    image[old] = new
            result.append(image)
        return result

    @cached_property
    def atom_maps(self) -> list[list[int]]:
        """What becomes of each atom, for every permutation."""
        names = [self.task.core.atom(index) for index in range(self.task.core.atom_count)]
        index = {(predicate, tuple(arguments)): number for number, (predicate, arguments) in enumerate(names)}
        return [
            [index[predicate, tuple(image[each] for each in arguments)] for predicate, arguments in names]
            for image in self.permutations
        ]

    def least(self, atoms: Sequence[int]) -> tuple[int, ...]:
        """Of the states that a state can become, the least one."""
        return min(tuple(sorted(atom_map[atom] for atom in atoms)) for atom_map in self.atom_maps)


def swaps(task: GroundTask) -> Iterator[dict[int, int]]:
    """The swaps of the first object of each class with the others."""
    for first, *others in find_symmetry(task).core.classes:
        for other in others:
            yield {first: other, other: first}


class Structure:
    """A ground task as nested sets of names, so that tasks can be compared after renaming."""

    def __init__(self, task: GroundTask, image: dict[int, int]) -> None:
        self._fields: dict[str, Any] = task.core.fields()
        self._image = image

    def everything(self) -> object:
        fields = self._fields
        actions = {
            (schema, self._objects(arguments)): (self._condition(precondition), self._effect(effect))
            for schema, arguments, precondition, effect in zip(
                fields["action_schemas"],
                fields["action_arguments"],
                fields["preconditions"],
                fields["effects"],
                strict=True,
            )
        }
        fluents = {self._atom(atom) for atom in range(len(fields["atom_predicates"]))}
        static = {
            (predicate, self._objects(arguments))
            for predicate, arguments in zip(fields["static_predicates"], fields["static_arguments"], strict=True)
        }
        return fluents, static, self._condition(fields["goal"]), actions

    def _objects(self, objects: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._image.get(each, each) for each in objects)

    def _atom(self, atom: int) -> tuple[int, tuple[int, ...]]:
        return self._fields["atom_predicates"][atom], self._objects(self._fields["atom_arguments"][atom])

    def _condition(self, condition: int) -> object:
        literals = frozenset((self._atom(literal // 2), literal % 2) for literal in self._fields["literals"][condition])
        disjunctions = frozenset(
            frozenset(self._condition(option) for option in self._fields["disjunctions"][disjunction])
            for disjunction in self._fields["condition_disjunctions"][condition]
        )
        return literals, disjunctions

    def _effect(self, effect: int) -> object:
        fields = self._fields
        conditionals = fields["conditionals"][effect]
        return (
            frozenset(map(self._atom, fields["adds"][effect])),
            frozenset(map(self._atom, fields["deletes"][effect])),
            _counted(
                (self._condition(condition), self._effect(inner))
                for condition, inner in zip(conditionals[::2], conditionals[1::2], strict=True)
            ),
            _counted(self._factor(factor) for factor in fields["factors"][effect]),
            fields["effect_costs"][effect],
        )

    def _factor(self, factor: int) -> object:
        outcomes = self._fields["outcomes"][factor]
        return _counted(
            (Fraction(self._fields["probabilities"][number]), self._effect(effect))
            for number, effect in zip(outcomes[::2], outcomes[1::2], strict=True)
        )


def _counted(things: Iterator[Any] | Any) -> frozenset[tuple[Any, int]]:
    counts: dict[Any, int] = {}
    for thing in things:
        counts[thing] = counts.get(thing, 0) + 1
    return frozenset(counts.items())
