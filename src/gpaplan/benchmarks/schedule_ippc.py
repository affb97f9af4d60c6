"""Schedule-ippc(classes, packets): the router of Schedule, in the vocabulary of the competition's generator.

What a packet goes through is a relation to a constant: its status (available, queued, served), its class, its time to
live. A cycle is that of Schedule: each class is processed, the clock is updated, one packet or none is served. A served
packet is available again as well, and may be queued and served a second time. Older times to live are kept when a
packet ages, as in the competition's file. To reclaim a packet ends the router's life, and with it all hope, with
probability 0.7.

With one class a cycle of three actions (process-arrivals, time-update, packet-serve) serves a packet unless its arrival
fails, with probability 0.06: 3 p / 0.94, with a variance of 3² · 0.06/0.94² for each packet. With several classes there
is no policy that reaches the goal for certain. If all arrivals succeed, the queue grows in every cycle: after p − 1
services at least p − 1 packets are in it, or one was dropped. Then one packet at most is available, too few for all
classes, and the clock stands still.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.benchmarks import schedule
from gpaplan.benchmarks.family import Names, ProblemParts, atoms, lay_out, unknown

DOMAIN = """\
; Schedule, with packets that have a status, a class and times to live: arrivals, an update of the clock, service.
(define (domain schedule-ippc)
  (:requirements :typing :universal-preconditions :conditional-effects :probabilistic-effects)
  (:types packet class timestep phase packet-status)
  (:constants
    {classes} - class
    u0 u1 u2 u3 - timestep
    arrivals service - phase
    available queued served - packet-status)

  (:predicates
    (alive)
    (current-phase ?ph - phase)
    (processed-arrivals ?c - class)
    (need-to-process-arrivals ?c - class)
    (status ?p - packet ?s - packet-status)
    (packet-class ?p - packet ?c - class)         ; of a queued packet
    (time-to-live ?p - packet ?t - timestep)      ; the least one counts
    (dropped ?p - packet)
    (not-dropped ?p - packet))

  ; Each class has one chance a cycle, and it may come to nothing.
  (:action process-arrivals
    :parameters (?p - packet ?c - class)
    :precondition (and (current-phase arrivals) (status ?p available) (need-to-process-arrivals ?c))
    :effect (and
      (not (need-to-process-arrivals ?c))
      (processed-arrivals ?c)
      (probabilistic 0.94
        (and (not (status ?p available)) (status ?p queued) (packet-class ?p ?c) (time-to-live ?p u3)))))

  ; Every queued packet grows older; one whose time is over is dropped.
  (:action time-update
    :parameters ()
    :precondition (and (current-phase arrivals) (forall (?c - class) (processed-arrivals ?c)))
    :effect (and
      (not (current-phase arrivals))
      (current-phase service)
      (forall (?p - packet)
        (and
          (when (time-to-live ?p u0) (and (dropped ?p) (not (not-dropped ?p))))
          (when (time-to-live ?p u1) (time-to-live ?p u0))
          (when (time-to-live ?p u2) (time-to-live ?p u1))
          (when (time-to-live ?p u3) (time-to-live ?p u2))))))

  (:action packet-serve
    :parameters (?p - packet ?c - class)
    :precondition (and (current-phase service) (packet-class ?p ?c) (forall (?q - packet) (not-dropped ?q)))
    :effect (and
      (status ?p served)
      (status ?p available)
      (not (status ?p queued))
      (not (packet-class ?p ?c))
      (forall (?t - timestep) (not (time-to-live ?p ?t)))
      (not (current-phase service))
      (current-phase arrivals)
      (forall (?k - class) (and (need-to-process-arrivals ?k) (not (processed-arrivals ?k))))))

  (:action serve-nothing
    :parameters ()
    :precondition (and (current-phase service) (forall (?q - packet) (not-dropped ?q)))
    :effect (and
      (not (current-phase service))
      (current-phase arrivals)
      (forall (?k - class) (and (need-to-process-arrivals ?k) (not (processed-arrivals ?k))))))

  ; Mostly the last thing that the router does.
  (:action reclaim-packet
    :parameters (?p - packet ?c - class)
    :precondition (and (current-phase service) (packet-class ?p ?c))
    :effect (and
      (not (dropped ?p))
      (not-dropped ?p)
      (not (packet-class ?p ?c))
      (forall (?t - timestep) (not (time-to-live ?p ?t)))
      (not (status ?p queued))
      (status ?p available)
      (probabilistic 0.7 (not (alive))))))
"""


def write_domain(classes: int, packets: int) -> str:  # noqa: ARG001
    """The classes are constants, so there is a domain for each number of them."""
    return DOMAIN.format(classes=lay_out(_classes(classes)))


def write_problem(names: Names, classes: int, packets: int) -> ProblemParts:
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


FAMILY = replace(
    schedule.FAMILY,
    name="schedule-ippc",
    description="Schedule in the vocabulary of the competition's generator",
    domain_text=write_domain,
    write_problem=write_problem,
    closed_form_states=unknown,
    paper_domain="schedule",
)
