"""Why a rule keeps an action in a state, as a sentence about the objects that are there.

    move: (nearer ?to ?from (some (inverse @at) carried) road)
    the goal wants p2 at depot and p2 is carried, so move l1 l2, one step nearer by road to depot

What the rule says in general (`gpaplan.concepts.words`) is said here of one action: for "some X" stands the first
object that it is true of, and what follows from the state comes before what is said of the action's own objects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.phrases import Mark, Phrases, with_article
from gpaplan.concepts.rules import Rule
from gpaplan.concepts.words import Words
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundTask


class Reasons:
    """Says why, for one task."""

    def __init__(self, task: GroundTask) -> None:
        self.task = task
        self._evaluator = Evaluator(task)
        self._phrases = Phrases(task.domain)
        self._parameters = {
            schema.name: [parameter.name for parameter in schema.parameters] for schema in task.domain.schemas
        }

    def sentence(
        self, space: StateSpace, state: int, rule: Rule, action: GroundAction, *, is_first: bool = False
    ) -> str:
        """Why a rule keeps an action, which must fit it, in a state; ``is_first`` is for the first rule of a list."""
        if not rule.literals:
            return f"{_named(action)}, {'wherever it can be done' if is_first else 'since no rule before it fits'}"
        names = self._parameters[action.schema]
        objects = dict(zip(names, action.arguments, strict=True))
        look = _Look(self._evaluator, self._phrases, space, state)
        before: list[str] = []
        aims: list[str] = []
        since: list[str] = []
        for literal in rule.literals:
            if literal.word in ("nearer", "nearer-for") and not literal.negated:
                before += look.why_target(literal, objects)
                *_, first, second = literal.parameters
                leads_there = names.index(first) > names.index(second)
                (aims if leads_there else since).append(look.nearer(literal, objects, leads_there=leads_there))
            elif literal.parameters:
                since += look.about_action(literal, objects)
            else:
                before += look.about_state(literal)
        return _assemble(_named(action), _without_repeats(before), _without_repeats(aims), _without_repeats(since))


def _assemble(action: str, before: list[str], aims: list[str], since: list[str]) -> str:
    since = [clause for clause in since if clause not in before]
    text = f"{_joined(before)}, so {action}" if before else action
    text += "".join(f", {aim}" for aim in aims)
    return f"{text}, since {_joined(since)}" if since else text


def _named(action: GroundAction) -> str:
    return " ".join((action.schema, *action.arguments))


def _without_repeats(clauses: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(clauses))


def _joined(clauses: list[str]) -> str:
    return clauses[0] if len(clauses) == 1 else f"{', '.join(clauses[:-1])} and {clauses[-1]}"


class _Look:
    """One state: what is so, and for which objects."""

    def __init__(self, evaluator: Evaluator, phrases: Phrases, space: StateSpace, state: int) -> None:
        self._order = {name: number for number, name in enumerate(evaluator.task.objects)}
        self._phrases = phrases
        self._words = Words(phrases.arities)
        self._concept: Callable[[Concept], frozenset[str]] = cache(
            lambda concept: evaluator.concept(space, state, concept)
        )
        self._relation: Callable[[Relation], frozenset[tuple[str, str]]] = cache(
            lambda relation: evaluator.relation(space, state, relation)
        )

    # --- literals ---

    def about_state(self, literal: Literal) -> list[str]:
        """Why a literal without parameters holds."""
        match literal.word, *literal.operands:
            case "flag", "", predicate:
                return [f"not {predicate}" if literal.negated else predicate]
            case "empty", concept if literal.negated:
                witness = min(self._concept(concept), key=self._order.__getitem__)
                return list(self._why_in_concept(witness, concept)) or [f"there is {witness}"]
            case _:
                return [self._words.literal(literal)]

    def about_action(self, literal: Literal, objects: dict[str, str]) -> list[str]:
        """Why a literal about the arguments of an action holds."""
        match literal.word, *literal.operands:
            case "is", parameter, concept:
                return list(self._why_in_concept(objects[parameter], concept, not literal.negated))
            case "related", first, second, relation:
                return list(self._is_related(objects[first], objects[second], relation, not literal.negated))
            case _:
                named = tuple(objects[each] if each in literal.parameters else each for each in literal.operands)
                return [self._words.literal(Literal(literal.word, named, literal.negated))]

    def why_target(self, nearer: Literal, objects: dict[str, str]) -> Iterator[str]:
        """Why what an action comes nearer to is what the rule means."""
        *own, first, _ = (objects[each] for each in nearer.parameters)
        target, _ = self._nearest(first, nearer, objects)
        means = nearer.operands[-2]
        if isinstance(means, Concept):
            return self._why_in_concept(target, means)
        return self._is_related(own[0], target, means)

    def nearer(self, nearer: Literal, objects: dict[str, str], *, leads_there: bool) -> str:
        """What the first argument is nearer to: said of the action, if it leads there."""
        *_, first, second = (objects[each] for each in nearer.parameters)
        target, steps = self._nearest(first, nearer, objects)
        road = self._words.relation(nearer.operands[-1])
        if not leads_there:
            return f"{first} is nearer than {second} by {road} to {target}"
        _, before = self._nearest(second, nearer, objects)
        return f"{'one step nearer' if before == steps + 1 else 'nearer'} by {road} to {target}"

    def _nearest(self, start: str, nearer: Literal, objects: dict[str, str]) -> tuple[str, float]:
        """Of what a literal compares distances to the nearest, the first of these, and its distance."""
        means, along = nearer.operands[-2:]
        own = objects[nearer.operands[0]]
        targets = self._concept(means) if isinstance(means, Concept) else self._related(own, means)
        edges = self._relation(along)
        after: dict[str, list[str]] = {}
        for one, other in sorted(edges, key=lambda pair: self._order[pair[1]]):
            after.setdefault(one, []).append(other)
        distances = {start: 0}
        queue = deque([start])
        while queue:
            place = queue.popleft()
            for other in after.get(place, ()):
                if other not in distances:
                    distances[other] = distances[place] + 1
                    queue.append(other)
        reached = [(distances[each], self._order[each], each) for each in targets if each in distances]
        return (min(reached)[2], min(reached)[0]) if reached else ("", float("inf"))

    # --- concepts ---

    def _why_in_concept(self, thing: str, concept: Concept, holds: bool = True) -> Iterator[str]:
        """Why an object is in a concept, or is not: nothing if that is plain."""
        match concept.word, *concept.operands:
            case "any" | "constant", *_ if holds:
                return
            case "named", name if self._phrases.arities.get(name) == 1:
                yield self._phrases.atom("", name, (thing,), holds)
            case "named" | "type", name if holds:
                yield f"{thing} is {with_article(name)}"
            case "argument", mark, predicate, place:
                yield self._phrases.atom(mark, predicate, self._witness(thing, mark, predicate, place, holds), holds)
            case "not", inner:
                yield from self._why_in_concept(thing, inner, not holds)
            case "and", first, second if holds:
                yield from self._why_in_concept(thing, first)
                yield from self._why_in_concept(thing, second)
            case "and", first, second:
                yield from self._why_in_concept(thing, second if thing in self._concept(first) else first, False)
            case "some" | "every" as word, relation, inner if (word == "some") == holds:
                others = {each for each in self._related(thing, relation) if (each in self._concept(inner)) == holds}
                other = min(others, key=self._order.__getitem__)
                yield from self._is_related(thing, other, relation)
                yield from self._why_in_concept(other, inner, holds)
            case "some" | "every", relation, _ if not self._related(thing, relation):
                yield self._words.concept(thing, Concept("some", (relation, Concept("any"))), False)
            case _:
                yield self._words.concept(thing, concept, holds)

    def _witness(self, thing: str, mark: Mark, predicate: str, place: int, holds: bool) -> tuple[str, ...]:
        """The arguments of an atom that an object is in; of a binary one both, of a longer one only the object."""
        if self._phrases.arities[predicate] != 2 or not holds:
            return self._phrases.arguments(predicate, {place: thing})
        pairs = [pair for pair in self._relation(Relation("pairs", (mark, predicate, ()))) if pair[place - 1] == thing]
        return min(pairs, key=lambda pair: (self._order[pair[0]], self._order[pair[1]]))

    # --- relations ---

    def _related(self, thing: str, relation: Relation) -> frozenset[str]:
        return frozenset(other for one, other in self._relation(relation) if one == thing)

    def _is_related(self, one: str, other: str, relation: Relation, holds: bool = True) -> Iterator[str]:
        """Why a pair is in a relation, or is not."""
        match relation.word, *relation.operands:
            case "pairs", mark, predicate, places:
                known = dict(zip(places or (1, 2), (one, other), strict=True))
                yield self._phrases.atom(mark, predicate, self._phrases.arguments(predicate, known), holds)
            case "inverse", inner:
                yield from self._is_related(other, one, inner, holds)
            case "star", _ if holds and one == other:
                return
            case "plus" | "star", inner if holds and (one, other) in self._relation(inner):
                yield from self._is_related(one, other, inner)
            case "plus" | "star", inner if holds:
                yield f"steps of {self._words.relation(inner)} lead from {one} to {other}"
            case "then", first, second if holds:
                middles = {each for each in self._related(one, first) if (each, other) in self._relation(second)}
                middle = min(middles, key=self._order.__getitem__)
                yield from self._is_related(one, middle, first)
                yield from self._is_related(middle, other, second)
            case "into", inner, concept if holds:
                yield from self._is_related(one, other, inner)
                yield from self._why_in_concept(other, concept)
            case "and" | "minus" as word, first, second if holds:
                yield from self._is_related(one, other, first)
                yield from self._is_related(one, other, second, word == "and")
            case _:
                yield self._words.related(one, other, relation, holds)
