"""How a state is compared with an automaton: to the letter, or by a coarser look.

Strictly, an action is kept in a state if an edge leaves the state's abstract state with that action and has every
outcome among its targets. Training that is one combination short then keeps nothing, although nothing new is there: two
packets wait where training had one. So where a state is no vertex, or every edge lacks an outcome, the state is looked
at again, each time more coarsely, until an action is kept:

    strict      to the letter
    goals       an outcome that is a goal is fine, whether or not training showed it; so in all ways that follow
    counts      one object in a role or many are the same
    extents     a relation that holds for some or for all are the same
    relations   relations are not compared

The edges of all vertices that are then equal apply. Each way keeps what the ways before it keep. If the task that this
leaves has no proper policy, the automaton as a whole is used at the next degree: in every state from ``counts`` on,
then from ``extents`` on, and so forth.

These are the ways of canonical abstraction. Automata that are rule lists have others (`gpaplan.automata.rules`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gpaplan.errors import UsageError

if TYPE_CHECKING:
    from gpaplan.automata.abstraction import Look

__all__ = ["Match", "Way", "levels", "match_of", "ways_of"]

Match: TypeAlias = Literal["strict", "coarse"]
"""How states are compared with an automaton: to the letter, or as coarsely as it takes."""


class Way(NamedTuple):
    """A way to compare a state with an automaton."""

    name: str
    """In one word, such as ``counts``."""
    degree: int
    """Of coarseness: an index into the abstraction's ``degrees``."""
    accepts_goals: bool
    """Whether an outcome that is a goal is fine, whatever the edges say."""
    words: str
    """The same in a few words."""

    def __str__(self) -> str:
        return self.words


WAYS = (
    Way("strict", 0, False, "to the letter"),
    Way("goals", 0, True, "to the letter, but for outcomes that are goals"),
    Way("counts", 1, True, "without regard to how many objects play a role"),
    Way("extents", 2, True, "without regard to numbers, of objects and of what relations hold for"),
    Way("relations", 3, True, "by roles alone"),
)


def match_of(given: Match) -> Match:
    """What is given, if it is a way to match."""
    if given not in ("strict", "coarse"):
        raise UsageError(f"states are matched 'strict' or 'coarse', not {given!r}")
    return given


def ways_of(look: Look[Any, Any], match: Match) -> tuple[Way, ...]:
    """The ways to compare, in the order in which they are tried; those that see what others saw are left out."""
    if match_of(match) == "strict":
        return look.ways[:1]
    degrees = look.degrees
    return tuple(
        way
        for way in look.ways
        if way.degree == 0 or (way.degree < len(degrees) and degrees[way.degree] not in degrees[: way.degree])
    )


def levels(ways: tuple[Way, ...]) -> tuple[tuple[Way, ...], ...]:
    """What is tried in all states, level by level: all ways, then those from the next degree on, and so forth."""
    starts = [i for i, way in enumerate(ways) if i == 0 or way.degree > ways[i - 1].degree]
    return tuple(ways[start:] for start in starts)
