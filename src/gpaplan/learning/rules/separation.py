"""The cheapest literals that tell good actions from bad ones: a minimum hitting set, found exactly.

Each pair of a good and a bad row must differ in some literal that is selected, so that the literals in which a pair
differs are a set that the selection must hit; of all selections that hit every set one of the least complexity is
found, as an integer program, by HiGHS (`scipy.optimize.milp`). There are far too many pairs to write them all down.
The program begins with those that a greedy selection meets, and is given those that its own solution does not
separate, until there are none: a selection that is the cheapest for some pairs, and separates all of them, is the
cheapest for all.

SciPy is optional (``pip install gpaplan[rules]``); `is_available` says whether it is there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import accumulate, islice, product
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from gpaplan import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.uint8]

__all__ = ["Selection", "is_available", "select_literals"]

MOST_PAIRS = 160
"""In the integer program. If it would need more, the greedy selection is taken."""
_PAIRS_OF_ROUND = 20
"""That are added at once."""
_LOOKED_AT = 12
"""Good rows, and as many bad ones, of those that a selection takes for one: the pairs that differ least are added."""
_NODES = 200
"""Of the branch and bound of one program."""


class Selection(NamedTuple):
    """Literals, by number, that separate good rows from bad ones."""

    literals: tuple[int, ...]
    """Ascending."""
    is_cheapest: bool
    """Whether no selection of less complexity does. Not so if a program was too large, or its time was over."""
    alike: int
    """So many pairs differ in no literal at all, and are not separated."""
    pairs: int
    """So many were given to the integer program."""


def is_available() -> bool:
    """Whether SciPy is installed."""
    return find_spec("scipy") is not None


def select_literals(
    columns: Sequence[int],
    complexities: Sequence[int],
    good: Iterable[int],
    bad: Iterable[int],
    *,
    most_pairs: int = MOST_PAIRS,
    seconds: float = math.inf,
    stop: _core.Stop | None = None,
) -> Selection:
    """The cheapest literals such that each good and each bad row differ in one of them.

    Bit ``i`` of a column says whether its literal holds on row ``i``. The integer programs have so many ``seconds`` in
    all; then the greedy selection is taken. Without that the same rows give the same selection. Raises
    `_core.Stopped` when ``stop`` says so.
    """
    rows = _Rows(columns, list(good), list(bad))
    if not columns:
        return Selection((), True, rows.alike, 0)
    program = _Program(complexities, monotonic() + seconds, _core.Stop() if stop is None else stop)
    greedy, missed = _greedily(rows, complexities)
    while missed:
        if len(program.sets) + len(missed) > most_pairs or not program.add(missed):
            return Selection(tuple(greedy), False, rows.alike, len(program.sets))
        missed = rows.not_separated(program.selected)
    return Selection(tuple(program.selected), program.is_exact, rows.alike, len(program.sets))


class _Rows:
    """The good and the bad rows, as rows of bits; those with the same values of all literals are one."""

    def __init__(self, columns: Sequence[int], good: Sequence[int], bad: Sequence[int]) -> None:
        import numpy as np

        size = max((*good, *bad), default=0) // 8 + 1
        mask = (1 << 8 * size) - 1
        packed = b"".join((column & mask).to_bytes(size, "little") for column in columns)
        matrix = np.frombuffer(packed, dtype=np.uint8).reshape(len(columns), size)
        bits = np.unpackbits(matrix, axis=1, bitorder="little").T
        self.good, good_counts = _distinct(bits, good)
        self.bad, bad_counts = _distinct(bits, bad)
        counts = {row.tobytes(): count for row, count in zip(self.bad, bad_counts, strict=True)}
        self.alike = sum(
            count * counts.get(row.tobytes(), 0) for row, count in zip(self.good, good_counts, strict=True)
        )

    def not_separated(self, selected: Sequence[int]) -> list[tuple[int, ...]]:
        """For some pairs that the selection does not separate the literals in which they differ; none if there are
        no such pairs."""
        groups: dict[bytes, tuple[list[Any], list[Any]]] = {}
        for side, rows in enumerate((self.good, self.bad)):
            for row in rows:
                groups.setdefault(row[list(selected)].tobytes(), ([], []))[side].append(row)
        found: dict[tuple[int, ...], None] = {}
        both = [(some_good, some_bad) for some_good, some_bad in groups.values() if some_good and some_bad]
        for some_good, some_bad in both:
            pairs = product(some_good[:_LOOKED_AT], some_bad[:_LOOKED_AT])
            differences = {_difference(*pair) for pair in pairs} - {()}
            if not differences:  # the first few are alike; others need not be
                every = (_difference(*pair) for pair in product(some_good, some_bad))
                differences = set(islice((each for each in every if each), 1))
            smallest = sorted(differences, key=_size_first)
            found |= dict.fromkeys(smallest[: max(1, _PAIRS_OF_ROUND // len(both))])
        return sorted(found, key=_size_first)[:_PAIRS_OF_ROUND]


def _size_first(difference: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(difference), difference


def _distinct(bits: Rows, rows: Sequence[int]) -> tuple[list[Rows], list[int]]:
    """Rows in order, without repetition, and how often each occurs."""
    found: dict[bytes, Rows] = {}
    counts: dict[bytes, int] = {}
    for row in rows:
        values = bits[row]
        key = values.tobytes()
        found.setdefault(key, values)
        counts[key] = counts.get(key, 0) + 1
    return list(found.values()), list(counts.values())


def _difference(one: Rows, other: Rows) -> tuple[int, ...]:
    """The literals in which two rows differ."""
    return tuple((one != other).nonzero()[0].tolist())


class _Program:
    """The integer program: sets, each of which must be hit, and the selection that does so for the least weight."""

    def __init__(self, complexities: Sequence[int], deadline: float, stop: _core.Stop) -> None:
        self._complexities = complexities
        self._deadline = deadline
        self._stop = stop
        self.sets: list[tuple[int, ...]] = []
        self.selected: list[int] = []
        self.is_exact = True

    def add(self, sets: Iterable[tuple[int, ...]]) -> bool:
        """Add sets and select anew; whether a selection was found in time."""
        if self._stop.check():
            raise _core.Stopped(self._stop.reason)
        left = self._deadline - monotonic()
        if left <= 0:
            return False
        self.sets += sets
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_matrix

        useful = self._useful()
        indices = [number for hit in useful.values() for number in hit]
        ends = [0, *accumulate(map(len, useful.values()))]
        matrix = csc_matrix(([1.0] * len(indices), indices, ends), shape=(len(self.sets), len(useful)))
        answer = milp(
            [self._complexities[literal] for literal in useful],
            integrality=[1] * len(useful),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, lb=1),
            options={"time_limit": min(left, 1e6), "node_limit": _NODES, "mip_rel_gap": 0.0},
        )
        self.is_exact = answer.status == 0
        if answer.x is None:
            return False
        self.selected = sorted(literal for literal, value in zip(useful, answer.x, strict=True) if value > 0.5)
        return True

    def _useful(self) -> dict[int, list[int]]:
        """The literals that are worth looking at, each with the numbers of the sets that it hits: of those that hit the
        same sets the cheapest, or the first, and none if a literal that is as cheap hits all of them and more."""
        hits: dict[int, list[int]] = {}
        for number, each in enumerate(self.sets):
            for literal in each:
                hits.setdefault(literal, []).append(number)
        masks = {literal: sum(1 << number for number in hit) for literal, hit in hits.items()}
        kept: list[int] = []
        for literal in sorted(hits, key=lambda each: (self._complexities[each], -len(hits[each]), each)):
            if not any(masks[literal] & ~masks[other] == 0 for other in kept):
                kept.append(literal)
        return {literal: hits[literal] for literal in kept}


def _greedily(rows: _Rows, complexities: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """A selection that separates all pairs that can be, and the pairs that it met: always a literal is added that
    separates the most of the pairs at hand for its complexity."""
    found: list[int] = []
    met: dict[tuple[int, ...], None] = {}
    while missed := rows.not_separated(found):
        met |= dict.fromkeys(missed)
        gains: dict[int, int] = {}
        for pair in missed:
            for literal in pair:
                gains[literal] = gains.get(literal, 0) + 1
        best = min(gains, key=lambda literal: (-gains[literal] / complexities[literal], literal))
        found = sorted({*found, best})
    return found, list(met)
