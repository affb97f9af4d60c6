"""How a state is compared with an automaton: exactly, or at a coarser abstraction level.

Strictly, an action is kept in a state if an edge leaves the state's abstract state with that action and has every
outcome among its targets. Training that is one combination short then keeps nothing, although nothing new is there: two
packets wait where training had one. So where a state is no vertex, or every edge lacks an outcome, the match is
relaxed, step by step, until an action is kept:

    strict      exactly
    goals       an outcome that is a goal is fine, whether or not training showed it; so in all that follow
    counts      one object in a role or many are the same
    extents     a relation that holds for some or for all are the same
    relations   relations are not compared

The edges of all vertices that are then equal apply. Each match keeps what those before it keep. If the task that this
leaves has no proper policy, the automaton as a whole is used at the next level: in every state from ``counts`` on,
then from ``extents`` on, and so forth.

These are the matches of canonical abstraction. Automata that are rule lists have others (`gpaplan.automata.rules`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gpaplan.errors import UsageError

if TYPE_CHECKING:
    from gpaplan.automata.abstraction import FullAbstraction

__all__ = ["Match", "RelaxedMatch", "by_level", "given_match", "matches_of"]

Match: TypeAlias = Literal["strict", "coarse"]
"""How states are compared with an automaton: exactly, or as coarsely as it takes."""


class RelaxedMatch(NamedTuple):
    """How far the match of a state with an automaton is relaxed; the strict one is not."""

    name: str
    """In one word, such as ``counts``."""
    level: int
    """The abstraction level: an index into the abstraction's ``levels``."""
    accepts_goals: bool
    """Whether an outcome that is a goal is fine, whatever the edges say."""
    words: str
    """The same in a few words."""

    def __str__(self) -> str:
        return self.words


MATCHES = (
    RelaxedMatch("strict", 0, False, "exactly"),
    RelaxedMatch("goals", 0, True, "exactly, but for outcomes that are goals"),
    RelaxedMatch("counts", 1, True, "without regard to how many objects play a role"),
    RelaxedMatch("extents", 2, True, "without regard to numbers, of objects and of what relations hold for"),
    RelaxedMatch("relations", 3, True, "by roles alone"),
)


def given_match(given: Match) -> Match:
    """What is given, if it is one of these."""
    if given not in ("strict", "coarse"):
        raise UsageError(f"states are matched 'strict' or 'coarse', not {given!r}")
    return given


def matches_of(abstraction: FullAbstraction[Any, Any], match: Match) -> tuple[RelaxedMatch, ...]:
    """The matches, in the order in which they are tried; those that see what others saw are left out."""
    if given_match(match) == "strict":
        return abstraction.matches[:1]
    levels = abstraction.levels
    return tuple(
        each
        for each in abstraction.matches
        if each.level == 0 or (each.level < len(levels) and levels[each.level] not in levels[: each.level])
    )


def by_level(matches: tuple[RelaxedMatch, ...]) -> tuple[tuple[RelaxedMatch, ...], ...]:
    """What is tried in all states, level by level: all matches, then those from the next level on, and so forth."""
    starts = [i for i, each in enumerate(matches) if i == 0 or each.level > matches[i - 1].level]
    return tuple(matches[start:] for start in starts)
