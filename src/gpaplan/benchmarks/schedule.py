"""Schedule(classes, packets): a router queues arriving packets and serves them before they grow too old.

The router works in cycles: arrivals of each class, one tick of the clock, service of one packet. Packet i has class
i mod classes. A queued packet has 3 ticks to live; when they are over it is dropped, and must be reclaimed, to wait
for another arrival, before service goes on.

With one class a cycle of three actions (arrival, tick, service) serves a packet unless its arrival fails, with
probability 0.06: 3 p / 0.94. With more classes one tick can age several arrivals, and no closed form is known.

Schedule-ippc(classes, packets): the router of Schedule, in the vocabulary of the competition's generator.

What a packet goes through is a relation to a constant: its status (available, queued, served), its class, its time to
live. A cycle is that of Schedule: each class is processed, the clock is updated, one packet or none is served. A served
packet is available again as well, and may be queued and served a second time. Older times to live are kept when a
packet ages, as in the competition's file. To reclaim a packet ends the router's life, and with it all hope, with
probability 0.7.

With one class its optimal cost is that of Schedule. With several classes there is no policy that reaches the goal for
certain. If all arrivals succeed, the queue grows in every cycle: after p − 1 services at least p − 1 packets are in it,
or one was dropped. Then one packet at most is available, too few for all classes, and the clock stands still.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out, read_domain


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


def write_domain(classes: int, packets: int) -> str:  # noqa: ARG001
    """The classes are constants, so there is a domain for each number of them."""
    return read_domain("schedule-ippc").replace("class0 - class", f"{lay_out(_classes(classes))} - class")


def write_ippc(names: Names, classes: int, packets: int) -> ProblemParts:
    """All packets are available, and all must be served."""
    packet_names = names.number("packet", packets)
    return ProblemParts(
        f"Schedule-ippc({classes}, {packets}): serve all packets, and stay alive.",
        {"packet": packet_names},
        [
            "(alive)",
            "(current-phase arrivals)",
            atoms("need-to-process-arrivals", _classes(classes)),
            atoms("status", (f"{packet} available" for packet in packet_names)),
            atoms("not-dropped", packet_names),
        ],
        ["(alive)", atoms("status", (f"{packet} served" for packet in packet_names))],
    )


def _classes(count: int) -> list[str]:
    return [f"class{index}" for index in range(count)]


IPPC = replace(
    FAMILY,
    name="schedule-ippc",
    description="Schedule in the vocabulary of the competition's generator",
    write_domain=write_domain,
    write_problem=write_ippc,
    paper_domain="schedule",
)
