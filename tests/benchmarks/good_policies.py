"""The good policies that docs/benchmarks.md describes in words, as functions from a state and a goal to an action.

They know nothing but the atoms of a state and those of the goal, and are the same for every size and every map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from tests.reference import Action, GroundAtom, State

Policy: TypeAlias = Callable[[State, frozenset[GroundAtom]], Action]


def rows(atoms: Iterable[GroundAtom], predicate: str) -> list[tuple[str, ...]]:
    """The arguments of the atoms of a predicate, in order."""
    return sorted(atom[1:] for atom in atoms if atom[0] == predicate)


def table(atoms: Iterable[GroundAtom], predicate: str) -> dict[str, str]:
    """The second argument of the atoms of a predicate, by the first."""
    return {row[0]: row[1] for row in rows(atoms, predicate)}


def one(atoms: Iterable[GroundAtom], predicate: str) -> str:
    """The last argument of the first atom of a predicate."""
    return rows(atoms, predicate)[0][-1]


def next_hop(ways: Iterable[tuple[str, ...]], start: str, targets: Iterable[str]) -> str:
    """The first step of a shortest way to the nearest target, which the start is not."""
    neighbours: dict[str, list[str]] = {}
    for begin, end in ways:
        neighbours.setdefault(begin, []).append(end)
    wanted, towards, queue = set(targets), {start: start}, [start]
    for place in queue:
        for end in (end for end in neighbours[place] if end not in towards):
            towards[end] = end if place == start else towards[place]
            if end in wanted:
                return towards[end]
            queue.append(end)
    raise AssertionError("there is no way")


def deliver(state: State, goal: frozenset[GroundAtom]) -> Action:
    """Doors are opened on every shortest way, though a way around may be cheaper."""
    here, belongs = one(state, "vehicle-at"), table(goal, "at")
    misplaced = [(parcel, place) for parcel, place in rows(state, "at") if belongs[parcel] != place]
    carried = rows(state, "carried")
    if carried and belongs[carried[0][0]] == here:
        return "drop", (carried[0][0], here)
    at_hand = [parcel for parcel, place in misplaced if place == here]
    if not carried and at_hand:
        return "pick", (at_hand[0], here)
    targets = [belongs[carried[0][0]]] if carried else [place for _, place in misplaced]
    onward = next_hop(rows(state, "road"), here, targets)
    return "open" if ("shut", here, onward) in state else "move", (here, onward)


def maintain(state: State, _goal: frozenset[GroundAtom]) -> Action:
    here, located = one(state, "technician-at"), rows(state, "located")
    work = {machine: "inspect" for (machine,) in rows(state, "doubtful")}
    work |= {machine: "repair" for (machine,) in rows(state, "broken")}
    at_hand = [machine for machine, place in located if place == here and machine in work]
    if at_hand:
        return work[at_hand[0]], (at_hand[0], here)
    targets = [place for machine, place in located if machine in work]
    return "walk", (here, next_hop(rows(state, "road"), here, targets))


def build_towers(state: State, goal: frozenset[GroundAtom]) -> Action:
    below, wanted = table(state, "above"), table(goal, "above")
    free = {block for (block,) in rows(state, "top")}

    def right(block: str) -> bool:
        """Whether it and all below it stand as they are to stand."""
        if block not in wanted:
            return ("on-table", block) in state
        return below.get(block) == wanted[block] and right(wanted[block])

    for (held,) in rows(state, "held"):
        onto = wanted.get(held)
        return ("put", (held, onto)) if onto in free and right(onto) else ("put-down", (held,))
    wrong = sorted(block for block in free if not right(block))
    fitting = [block for block in wrong if wanted.get(block) in free and right(wanted[block])]
    block = (fitting + [each for each in wrong if each in below])[0]
    return ("pick", (block, below[block])) if block in below else ("pick-from-table", (block,))


def cross_rectangle(state: State, goal: frozenset[GroundAtom]) -> Action:
    """Lanes are left out of account: this is proper, not optimal."""
    dangers = set(rows(state, "danger"))
    columns, lines = rows(state, "next-column"), rows(state, "next-row")
    x, y = one(state, "in-column"), one(state, "in-row")
    fields = {f"{x} {y}": (x, y) for x, _ in columns for y, _ in lines if (x, y) not in dangers}
    ways = [(f"{x} {y}", f"{x2} {y}") for x, x2 in columns for y in {y for y, _ in lines}]
    ways += [(f"{x} {y}", f"{x} {y2}") for y, y2 in lines for x in {x for x, _ in columns}]
    free = sorted((start, end) for start, end in ways if start in fields and end in fields)
    x2, y2 = fields[next_hop(free, f"{x} {y}", [f"{one(goal, 'in-column')} {one(goal, 'in-row')}"])]
    return ("drive-along-row", (x, x2, y)) if x2 != x else ("drive-along-column", (y, y2, x))


def deliver_pizza(state: State, goal: frozenset[GroundAtom]) -> Action:
    here, home, loaded = one(state, "car-at"), one(goal, "pizza-at"), ("pizza-in-car",) in state
    if not loaded and ("pizza-at", home) not in state:
        return "load", (here,)
    if loaded and here == home:
        return "unload", (here,)
    onward = next_hop(rows(state, "road"), here, [home if loaded else one(goal, "car-at")])
    if not here.startswith("booth"):
        return "drive", (here, onward)
    if loaded and ("paid", here) not in state:
        return "pay", (here,)
    return "pass-paid" if loaded else "pass-unpaid", (here, onward)


def travel(state: State, goal: frozenset[GroundAtom]) -> Action:
    """One aircraft does all the work."""
    plane, belongs, levels = rows(state, "ready"), table(goal, "at"), table(state, "below")
    for person, aircraft in rows(state, "boarding"):
        return "finish-boarding", (person, aircraft)
    for person, aircraft in rows(state, "leaving"):
        return "finish-leaving", (person, aircraft, table(state, "parked")[aircraft])
    for aircraft, city in rows(state, "flying"):
        return "finish-flight", (aircraft, city)
    for (aircraft,) in rows(state, "refuelling"):
        level = table(state, "fuel")[aircraft]
        return "finish-refuelling", (aircraft, level, levels[level])
    ((aircraft,), *_) = plane
    here, level = table(state, "parked")[aircraft], table(state, "fuel")[aircraft]
    aboard = [person for person, where in rows(state, "aboard") if where == aircraft]
    waiting = [(person, city) for person, city in rows(state, "at") if city != belongs[person]]
    for person in [person for person in aboard if belongs[person] == here]:
        return "start-leaving", (person, aircraft)
    for person in [person for person, city in waiting if city == here]:
        return "start-boarding", (person, aircraft, here)
    empty_tank = level not in levels.values()
    if empty_tank:
        return "start-refuelling", (aircraft, level, levels[level])
    lower = next(low for low, high in levels.items() if high == level)
    return "start-flight", (aircraft, here, belongs[aboard[0]] if aboard else waiting[0][1], level, lower)


def collect_coins(state: State, _goal: frozenset[GroundAtom]) -> Action:
    """One coin after the other, with one elevator."""
    floors, positions, where = rows(state, "next-floor"), rows(state, "beside"), table(state, "elevator-at")
    left = [row for row in rows(state, "coin-at") if ("collected", row[0]) not in state]
    coin, floor, spot = left[0]
    elevator, shaft = rows(state, "shaft")[0]
    level = where[elevator]
    if ("inside", elevator) in state:
        if level == floor:
            return "step-out", (elevator, floor, shaft)
        return "go", (elevator, level, next_hop(floors, level, [floor]))
    ((here, position),) = rows(state, "walker-at")
    if (here, position) == (floor, spot):
        return "collect", (coin, floor, spot)
    if here != floor and position == shaft:
        if level == here:
            return "step-in", (elevator, here, shaft)
        return "go", (elevator, level, next_hop(floors, level, [here]))
    onward = next_hop(positions, position, [spot if here == floor else shaft])
    if ("gate", here, onward) in state:
        ((first_floor, first),) = rows(state, "entrance")
        return "try-gate", (here, position, onward, first_floor, first)
    return "walk", (here, position, onward)


GOOD: dict[str, Policy] = {
    "delivery": deliver,
    "maintenance": maintain,
    "blocksworld-towers": build_towers,
    "rectangle-tireworld": cross_rectangle,
    "cosanostra": deliver_pizza,
    "zenotravel": travel,
    "elevators": collect_coins,
}
