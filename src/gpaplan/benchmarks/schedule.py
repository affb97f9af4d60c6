"""Schedule(classes, packets): a router queues arriving packets and serves them before they grow too old.

The router works in cycles: arrivals of each class, one tick of the clock, service of one packet. Packet i has class
i mod classes. A queued packet has 3 ticks to live; when they are over it is dropped, and must be reclaimed, to wait
for another arrival, before service goes on.

With one class a cycle of three actions (arrival, tick, service) serves a packet unless its arrival fails, with
probability 0.06: 3 p / 0.94. With more classes one tick can age
several arrivals, and no closed form is known.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, classes: int, packets: int) -> ProblemParts:
    """All packets wait, dealt out to the classes in turn; all must be served."""
    class_names = names.number("class", classes)
    packet_names = names.number("packet", packets)
    fresh, middle, last = names.permute(["u2", "u1", "u0"])
    members = [f"{packet} {class_names[index % classes]}" for index, packet in enumerate(packet_names)]
    return ProblemParts(
        f"Schedule({classes}, {packets}): serve all packets.",
        {"class": class_names, "packet": packet_names, "age": [fresh, middle, last]},
        [
            "(arrival-phase)",
            atoms("pending", class_names),
            atoms("class-of", members),
            atoms("waiting", packet_names),
            f"(fresh {fresh}) (older {fresh} {middle}) (older {middle} {last}) (expires {last})",
        ],
        [atoms("served", packet_names)],
    )


def _cost(classes: int, packets: int) -> Fraction | None:
    return Fraction(3 * packets) / Fraction(94, 100) if classes == 1 else None


def _states(classes: int, packets: int) -> int | None:
    """With one class at most one packet arrives a cycle, so each age holds one packet at most, and one is dropped.

    Three places can be taken (in the arrival phase the ages u2, u1, u0; in the service phase u1, u0, dropped), the
    first of them only by this cycle's arrival; every other packet waits or is served. Either there was no attempt, in
    which case the class is still pending, or a failed one, so that some packet still waits, or a successful one.
    """
    if classes != 1:
        return None

    def settle(taken: int, unless_all_served: bool = False) -> int:
        """The ways to put packets into the taken places and let every other one wait or be served."""
        return perm(packets, taken) * ((1 << max(packets - taken, 0)) - unless_all_served)

    no_attempt = settle(0) + 2 * settle(1) + settle(2)
    failure = settle(0, True) + 2 * settle(1, True) + settle(2, True)
    success = settle(1) + 2 * settle(2) + settle(3)
    goal_in_service_phase = 1
    return 2 * (no_attempt + failure + success) - goal_in_service_phase


FAMILY = Family(
    name="schedule",
    parameters=("classes", "packets"),
    minima=(1, 1),
    description="a router queues arriving packets and serves them before they expire",
    write_problem=write_problem,
    closed_form_cost=_cost,
    closed_form_states=_states,
)
