"""Random small tasks about parcels, the carriers that bring them to their places, and the fuel of these.

Here several variables must be looked at together: a parcel and the places of all carriers, since any of them may bring
it. And stocks matter: moving uses up fuel, by chance perhaps, and filling up costs something, takes one step or two, is
done anywhere or at one place, or cannot be done at all. Carriers are interchangeable, however they begin, and so are
parcels with the same goal.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

CHANCES = tuple(map(Fraction, ("1", "1/2", "3/10")))
COSTS = (1, 2, 7)


@st.composite
def tasks_with_carriers(draw: st.DrawFn) -> str:
    """The text of a domain and a problem of it, with the metric of least total cost."""
    places = draw(st.integers(2, 3))
    carriers = draw(st.integers(1, 3 if places == 2 else 2))
    levels = draw(st.integers(1, 2 if carriers > 1 else 4))
    parcels = draw(st.integers(1, 2 if carriers == 1 else 1))
    where = [f"p{i}" for i in range(places)]
    init = [f"(next l{i} l{i + 1})" for i in range(levels)] + ["(depot p0)"]
    for carrier in range(carriers):
        init.append(f"(at c{carrier} {draw(st.sampled_from(where))})")
        init.append(f"(fuel c{carrier} l{draw(st.integers(0, levels))})")
    goal = []
    for parcel in range(parcels):
        start = draw(st.integers(0, places - 1))
        init.append(f"(lies x{parcel} p{start})")
        goal.append(f"(lies x{parcel} p{(start + draw(st.integers(1, places - 1))) % places})")
    names = [f"c{i}" for i in range(carriers)], [f"x{i}" for i in range(parcels)], [f"l{i}" for i in range(levels + 1)]
    objects = f"{' '.join(where)} - place {' '.join(names[0])} - carrier {' '.join(names[1])} - parcel "
    return f"""(define (domain carriers) (:requirements :typing :probabilistic-effects :fluents)
      (:types place carrier parcel level)
      (:predicates (at ?c - carrier ?p - place) (fuel ?c - carrier ?l - level) (lies ?x - parcel ?p - place)
                   (in ?x - parcel ?c - carrier) (depot ?p - place) (next ?l ?m - level) (filling ?c - carrier))
      (:functions (total-cost))
      {_move(draw)}
      {_refill(draw)}
      (:action load :parameters (?x - parcel ?c - carrier ?p - place) :precondition (and (at ?c ?p) (lies ?x ?p))
        :effect (and {_cost(draw)} {_by_chance(draw, "(and (not (lies ?x ?p)) (in ?x ?c))")}))
      (:action unload :parameters (?x - parcel ?c - carrier ?p - place) :precondition (and (at ?c ?p) (in ?x ?c))
        :effect (and {_cost(draw)} {_by_chance(draw, "(and (not (in ?x ?c)) (lies ?x ?p))")})))
    (define (problem some) (:domain carriers)
      (:objects {objects}{" ".join(names[2])} - level)
      (:init (= (total-cost) 0) {" ".join(init)}) (:goal (and {" ".join(goal)})) (:metric minimize (total-cost)))"""


def _cost(draw: st.DrawFn) -> str:
    return f"(increase (total-cost) {draw(st.sampled_from(COSTS))})"


def _by_chance(draw: st.DrawFn, effect: str) -> str:
    chance = draw(st.sampled_from(CHANCES))
    return effect if chance == 1 else f"(probabilistic {chance} {effect})"


def _move(draw: st.DrawFn) -> str:
    away = "(not (at ?c ?p)) (at ?c ?q)"
    used = "(not (fuel ?c ?m)) (fuel ?c ?l)"
    effect = draw(
        st.sampled_from(
            [
                f"{away} {used}",
                f"(probabilistic 1/2 (and {away} {used}))",
                f"{away} (probabilistic 1/2 (and {used}))",
                f"(probabilistic 1/2 (and {away}) 1/2 (and {used}))",
            ]
        )
    )
    return f"""(:action move :parameters (?c - carrier ?p ?q - place ?l ?m - level)
        :precondition (and (at ?c ?p) (fuel ?c ?m) (next ?l ?m) (not (filling ?c)))
        :effect (and {_cost(draw)} {effect}))"""


def _refill(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["anywhere", "at the depot", "in two steps", "never"]))
    if kind == "never":
        return ""
    more = _by_chance(draw, "(and (not (fuel ?c ?l)) (fuel ?c ?m) (not (filling ?c)))")
    place = "(depot ?p)" if kind == "at the depot" else ""
    begins = kind == "in two steps"
    first = f"""(:action begin :parameters (?c - carrier) :precondition (not (filling ?c))
        :effect (and {_cost(draw)} (filling ?c)))"""
    return f"""{first if begins else ""}
      (:action refill :parameters (?c - carrier ?p - place ?l ?m - level)
        :precondition (and (at ?c ?p) {place} (fuel ?c ?l) (next ?l ?m) {"(filling ?c)" if begins else ""})
        :effect (and {_cost(draw)} {more}))"""
