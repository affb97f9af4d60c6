"""What sentences of `gpaplan.concepts.words` mean, read as a reader would, word by word.

Nothing is known here of the expressions that sentences come from. A sentence becomes a function of what its parameters
and letters stand for; `True` is what it says of a state.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

from tests.concepts_reference import Pair, Reference, State

Meaning = dict[str, str]
Sentence = Callable[[Meaning], bool]
Noun = tuple[str, Sentence]
MARKS = {"holds": "", "is a goal": "@", "is an unmet goal": "!"}
DENIALS = {"does not hold": "", "is not a goal": "@", "is not an unmet goal": "!"}
KINDS = {"unmet goal": "!", "goal": "@"}
QUANTITIES = {"for some": True, "to some": True, "for no": False, "to no": False}


def says(text: str, reference: Reference, state: State, meaning: Meaning) -> bool:
    """Whether the conditions of a rule, as they are written after "if", are true."""
    return all(_Reader(each, reference, state).whole()(meaning) for each in text.split(", and "))


class _Reader:
    """Reads one condition from left to right."""

    def __init__(self, text: str, reference: Reference, state: State) -> None:
        self.words = re.findall(r"\([^()]*\)|\[|\]|[^\s\[\]]+", text)
        self.reference, self.state = reference, state

    def whole(self) -> Sentence:
        sentence = self.sentence()
        assert not self.words, f"not understood: {self.words}"
        return sentence

    def take(self, phrase: str) -> bool:
        """Pass over a phrase if it comes next."""
        words = phrase.split()
        if self.words[: len(words)] != words:
            return False
        del self.words[: len(words)]
        return True

    def must(self, phrase: str) -> None:
        assert self.take(phrase), f"'{phrase}' was expected: {self.words}"

    def one_of(self, phrases: dict[str, str]) -> str | None:
        return next((value for phrase, value in phrases.items() if self.take(phrase)), None)

    # --- sentences ---

    def sentence(self) -> Sentence:
        if self.take("either"):
            first = self.unit()
            self.must("or")
            second = self.unit()
            return lambda meaning: first(meaning) or second(meaning)
        first = self.unit()
        if not self.take("and"):
            return first
        second = self.unit()
        return lambda meaning: first(meaning) and second(meaning)

    def unit(self) -> Sentence:
        if self.take("not ["):
            inner = self.sentence()
            self.must("]")
            return lambda meaning: not inner(meaning)
        if self.take("["):
            inner = self.sentence()
            self.must("]")
            return self.tail(inner)
        if self.words[0].startswith("("):
            return self.about_atom(self.words.pop(0))
        if self.take("there is"):
            is_some = self.words.pop(0) != "no"  # else "a", "an" or "some"
            mark = self.one_of(KINDS)
            return self.some_atom(mark, is_some) if mark else self.there_is(is_some)
        if self.words[1].startswith("(") and self.words[0] in ("some", "no"):
            some = self.some_atom("", self.words.pop(0) == "some")
            self.must("holds")
            return some
        if self.words[1:4] == ["or", "more", "steps"] or self.words[:2] == ["no", "steps"]:
            return self.steps()
        return self.about_thing(self.words.pop(0))

    def tail(self, related: Sentence) -> Sentence:
        """``for some X …``, if there is such a thing."""
        if self.take("for one or more"):
            letter = self.words.pop(0)
            self.must("and")
            other = self.unit()
            self.must(f"for exactly these {letter}")

            def is_same(meaning: Meaning) -> bool:
                one, two = ([each(more) for more in self.each(meaning, letter)] for each in (related, other))
                return any(one) and one == two

            return is_same
        for phrase, is_some in QUANTITIES.items():
            if self.take(phrase):
                noun = self.noun()
                return lambda meaning: any(map(related, self.such(meaning, noun))) == is_some
        if self.take("only for") or self.take("only to"):
            letter, is_such = self.noun()
            return lambda meaning: all(is_such(more) for more in self.each(meaning, letter) if related(more))
        return related

    def each(self, meaning: Meaning, letter: str) -> list[Meaning]:
        assert letter.isupper(), letter
        assert letter not in meaning, f"{letter} has two meanings"
        return [meaning | {letter: thing} for thing in sorted(self.reference.objects)]

    def such(self, meaning: Meaning, noun: Noun) -> list[Meaning]:
        letter, is_such = noun
        return [more for more in self.each(meaning, letter) if is_such(more)]

    def there_is(self, is_some: bool) -> Sentence:
        noun = self.noun()
        return lambda meaning: bool(self.such(meaning, noun)) == is_some

    def about_thing(self, thing: str) -> Sentence:
        if not thing.startswith("?") and not thing.isupper() and thing not in ("something", "nothing"):
            return self.about_flag(thing)
        self.must("is")
        if self.take("nearer than"):
            return self.nearer(thing)
        if self.take("not nearer than"):
            is_nearer = self.nearer(thing)
            return lambda meaning: not is_nearer(meaning)
        adjective = self.adjective()
        if thing in ("something", "nothing"):
            objects = self.reference.objects
            return lambda meaning: any(adjective(meaning, each) for each in objects) == (thing == "something")
        return lambda meaning: adjective(meaning, meaning[thing])

    def nearer(self, thing: str) -> Sentence:
        other = self.words.pop(0)
        self.must("by")
        relation = self.relation()
        self.must("to the nearest")
        letter, is_such = self.noun()

        def is_nearer(meaning: Meaning) -> bool:
            targets = {more[letter] for more in self.such(meaning, (letter, is_such))}
            return _distance(meaning[thing], targets, relation) < _distance(meaning[other], targets, relation)

        return is_nearer

    def about_flag(self, flag: str) -> Sentence:
        denied = self.one_of({"is false": "", **DENIALS})
        mark = self.one_of({"is true": "", **MARKS}) if denied is None else denied
        assert mark is not None, self.words
        is_so = denied is None
        return lambda meaning: self.is_true(mark, f"({flag})", meaning) == is_so

    # --- adjectives and nouns ---

    def adjective(self) -> Callable[[Meaning, str], bool]:
        if self.take("not"):
            inner = self.adjective()
            return lambda meaning, thing: not inner(meaning, thing)
        if self.take("both"):
            first = self.adjective()
            self.must("and")
            second = self.adjective()
            return lambda meaning, thing: first(meaning, thing) and second(meaning, thing)
        if self.take("the constant"):
            constant = self.words.pop(0)
            return lambda _, thing: thing == constant
        if self.take("of type") or self.take("a") or self.take("an"):
            name = self.words.pop(0)
            return lambda _, thing: name == "object" or name in self.reference.types[thing]
        word = self.words.pop(0)
        if word.startswith("?") or word.isupper():
            return lambda meaning, thing: thing == meaning[word]
        return lambda meaning, thing: self.is_true("", f"({word} ?it)", meaning | {"?it": thing})

    def noun(self) -> Noun:
        """A letter, and what is said of it."""
        letter = self.words.pop(0)
        if self.take("that is"):
            adjective = self.adjective()
            return letter, lambda meaning: adjective(meaning, meaning[letter])
        if self.take("where"):
            return letter, self.sentence()
        is_with = self.take("with")
        if not is_with:
            self.must("without")
        mark = self.one_of(KINDS) or ""
        atom = self.words.pop(0)
        sentence = self.tail(lambda meaning: self.is_true(mark, atom, meaning))
        return letter, lambda meaning: sentence(meaning) == is_with

    # --- atoms and relations ---

    def about_atom(self, atom: str) -> Sentence:
        denied = self.one_of(DENIALS)
        if denied is not None:
            assert "…" not in atom
            return lambda meaning: not self.is_true(denied, atom, meaning)
        mark = self.one_of(MARKS)
        assert mark is not None, self.words
        return self.tail(lambda meaning: self.is_true(mark, atom, meaning))

    def some_atom(self, mark: str, is_some: bool) -> Sentence:
        atom = self.words.pop(0)
        return lambda meaning: self.is_true(mark, atom, meaning) == is_some

    def is_true(self, mark: str, atom: str, meaning: Meaning) -> bool:
        predicate, *arguments = atom[1:-1].split()
        wanted = [meaning.get(each, each) for each in arguments]
        return any(
            len(found) == len(wanted) and all(one in ("…", other) for one, other in zip(wanted, found, strict=True))
            for found in self.reference.atoms(self.state, mark, predicate)
        )

    def steps(self) -> Sentence:
        holds = not self.take("no")
        is_zero = holds and self.words[0] == "zero"
        if holds:
            del self.words[:3]
        self.must("steps of")
        closure = self.closed(self.relation_part(), is_zero)
        self.must("lead from")
        start = self.words.pop(0)
        if self.words[:2] in (["to", "some"], ["to", "no"], ["only", "to"]):
            letter = self.words[2]
            return self.tail(lambda meaning: (meaning[start], meaning[letter]) in closure)
        self.must("to")
        end = self.words.pop(0)
        return self.tail(lambda meaning: ((meaning[start], meaning[end]) in closure) == holds)

    def closed(self, pairs: set[Pair], is_zero: bool) -> set[Pair]:
        found = set(pairs)
        while more := {(a, d) for a, b in found for c, d in pairs if b == c} - found:
            found |= more
        return found | ({(each, each) for each in self.reference.objects} if is_zero else set())

    def relation(self) -> set[Pair]:
        if self.take("both"):
            first = self.relation_part()
            self.must("and")
            return first & self.relation_part()
        for phrase, is_zero in (("zero or more steps of", True), ("one or more steps of", False)):
            if self.take(phrase):
                return self.closed(self.relation_part(), is_zero)
        first = self.relation_part()
        if self.take("but not"):
            return first - self.relation_part()
        if self.take("or"):
            return first | self.relation_part()
        if self.take("and then"):
            second = self.relation_part()
            return {(a, d) for a, b in first for c, d in second if b == c}
        if self.take("into ["):
            letter, is_such = self.noun()
            self.must("]")
            return {(a, b) for a, b in first if is_such({letter: b})}
        return {(b, a) for a, b in first} if self.take("reversed") else first

    def relation_part(self) -> set[Pair]:
        if self.take("["):
            relation = self.relation()
            self.must("]")
            return relation
        mark = self.one_of(KINDS) or ""
        predicate, first, second = self.words.pop(0), 1, 2
        if self.take("from argument"):
            first = int(self.words.pop(0))
            self.must("to")
            second = int(self.words.pop(0))
        return {(each[first - 1], each[second - 1]) for each in self.reference.atoms(self.state, mark, predicate)}


def _distance(start: str, targets: set[str], relation: set[Pair]) -> float:
    reached, length = {start}, 0
    while not reached & targets:
        further = reached | {second for first, second in relation if first in reached}
        if further == reached:
            return inf
        reached, length = further, length + 1
    return length
