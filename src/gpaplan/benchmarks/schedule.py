"""Schedule(classes, packets): a router queues arriving packets and serves them before they grow too old.

The router works in cycles: arrivals of each class, one tick of the clock, service of one packet. Packet i has class
i mod classes. A queued packet has 3 ticks to live; when they are over it is dropped, and must be reclaimed, to wait
for another arrival, before service goes on.

With one class a cycle of three actions (arrival, tick, service) serves a packet unless its arrival fails, with
probability 0.06: 3 p / 0.94. With more classes one tick can age several arrivals, and no closed form is known.
"""

from __future__ import annotations

from fractions import Fraction

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


FAMILY = Family(
    name="schedule",
    least={"classes": 1, "packets": 1},
    description="a router queues arriving packets and serves them before they expire",
    write_problem=write_problem,
    closed_form_cost=lambda classes, packets: Fraction(3 * packets) / Fraction(94, 100) if classes == 1 else None,
)
