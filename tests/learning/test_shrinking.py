"""Small problems out of a large one: what they keep, that they can be solved, and that they differ."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from gpaplan import GroundTask, LimitError, Limits, UsageError, find_variables, load, solve
from gpaplan.benchmarks import generate
from gpaplan.learning.drafts import Draft, Large
from gpaplan.learning.shrinking import Shrinker, SmallProblem, shrink
from gpaplan.limits import started
from gpaplan.ppddl import parse_problem, write_problem
from gpaplan.ppddl.syntax import Constant, ForAll
from tests.commands import gpaplan


def large(name: str, *theta: int) -> GroundTask:
    benchmark = generate(name, *theta)
    return load(benchmark.domain, benchmark.problem_text)


def facts(small: SmallProblem, predicate: str) -> set[tuple[str, ...]]:
    """What the initial state says of a predicate."""
    return {tuple(term.name for term in atom.arguments) for atom in small.problem.init if atom.predicate == predicate}


def test_they_are_small_ordinary_different_and_have_something_to_do() -> None:
    task = large("delivery", 4, 30, 6, 4, 0)
    found = shrink(task, count=20)
    assert len(found) == 20
    texts = [write_problem(each.problem) for each in found]
    assert len(set(texts)) == 20
    assert len({each.problem.name for each in found}) == 20
    for small, text in zip(found, texts, strict=True):
        assert len(small.task.objects) < len(task.objects)
        assert small.states <= 3000
        again = load(task.domain, text)
        assert parse_problem(task.domain, text) == small.problem
        assert solve(again).value == pytest.approx(small.cost)
        assert small.cost > 0
    assert [each.states for each in found] == sorted(each.states for each in found)


def test_the_seed_decides() -> None:
    task = large("rover", 1, 6, 10, 3)
    one, again, other = (shrink(task, count=5, seed=seed) for seed in (1, 1, 2))
    assert [each.problem for each in one] == [each.problem for each in again]
    assert [each.problem for each in one] != [each.problem for each in other]


def test_there_may_be_several_large_problems() -> None:
    tasks = [large("gripper", 20), large("gripper", 30)]
    assert {each.source for each in shrink(tasks, count=12)} == {"gripper-20", "gripper-30"}


def test_the_budget_is_counted_in_states() -> None:
    task = large("gripper", 20)
    assert len(shrink(task, count=20, budget=1)) == 1
    assert len(shrink(task, count=20, budget=2_000)) < 20
    with pytest.raises(UsageError, match="at least 1, not 0"):
        shrink(task, count=0)
    with pytest.raises(LimitError):
        shrink(task, limits=Limits(seconds=1e-9))


def test_those_that_are_wanted_are_kept() -> None:
    """The others were made, too, and do not come again."""
    task = large("delivery", 1, 30, 6, 0, 0)
    shrinker = Shrinker([task], stop=started(None))
    found = shrinker.make(5, most=600, budget=100_000, wanted=lambda small: small.cost > 5)
    assert len(found) == 5
    assert all(each.cost > 5 for each in found)
    assert shrinker.made > 5


def test_towers_stay_towers() -> None:
    """Each block stands somewhere, nothing stands on two, and goals do not contradict each other."""
    found = shrink(large("blocksworld-towers", 20, 1), count=30)
    assert len(found) == 30
    assert max(len(each.task.objects) for each in found) >= 5
    for small in found:
        below = [block for block, _ in facts(small, "above")] + [block for (block,) in facts(small, "on-table")]
        held = [block for (block,) in facts(small, "held")]
        assert sorted([*below, *held]) == sorted(each.name for each in small.problem.objects)
        assert len(held) + len(facts(small, "hand-empty")) == 1
        top = {block for (block,) in facts(small, "top")}
        assert top == set(below) - {under for _, under in facts(small, "above")}


def test_zenotravel_gives_problems_too() -> None:
    found = shrink(large("zenotravel", 10, 8, 3, 0), count=20)
    assert len(found) > 15
    for small in found:
        for variable in find_variables(small.task):
            assert sum(atom in small.task.initial_state for atom in variable.atoms) <= 1


RING = """
(define (domain ring) (:requirements :typing :probabilistic-effects)
  (:types place car) (:constants home - place)
  (:predicates (road ?a ?b - place) (at ?c - car ?p - place) (two-way ?a ?b - place))
  (:action drive :parameters (?c - car ?a ?b - place)
    :precondition (and (at ?c ?a) (road ?a ?b))
    :effect (probabilistic 0.9 (and (at ?c ?b) (not (at ?c ?a))))))
(define (problem ring12) (:domain ring)
  (:objects {places} - place c1 c2 c3 - car)
  (:init {roads} (at c1 p0) (at c2 p3) (at c3 p3))
  (:goal (and (at c1 home) (at c2 p9) (at c3 p5))))
"""


def test_one_way_roads_stay_one_way_and_constants_stay() -> None:
    names = [f"p{i}" for i in range(12)]
    ring = ["home", *names]
    roads = " ".join(f"(road {a} {b})" for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))
    roads += " ".join(f"(two-way {a} {b}) (two-way {b} {a})" for a, b in pairwise(ring))
    task = load(RING.format(places=" ".join(names), roads=roads))
    found = shrink(task, count=15)
    assert found
    for small in found:
        assert "home" in small.task.objects
        assert all((b, a) not in facts(small, "road") for a, b in facts(small, "road"))
        assert all((b, a) in facts(small, "two-way") for a, b in facts(small, "two-way"))
        for car in (each.name for each in small.problem.objects if each.types == ("car",)):
            assert len([1 for name, _ in facts(small, "at") if name == car]) == 1


LIGHTS = """
(define (domain lights) (:requirements :typing :adl :probabilistic-effects :action-costs)
  (:types room lamp) (:predicates (inside ?l - lamp ?r - room) (lit ?l - lamp) (here ?r - room) (broken ?l - lamp))
  (:functions (distance ?a ?b - room) (total-cost))
  (:action go :parameters (?a ?b - room) :precondition (and (here ?a) (not (= ?a ?b)))
    :effect (and (here ?b) (not (here ?a)) (increase (total-cost) (distance ?a ?b))))
  (:action light :parameters (?l - lamp ?r - room) :precondition (and (here ?r) (inside ?l ?r) (not (broken ?l)))
    :effect (and (increase (total-cost) 1) (probabilistic 0.5 (lit ?l) {risk} (broken ?l)))))
(define (problem lights9) (:domain lights)
  (:objects {rooms} - room {lamps} - lamp)
  (:init (here r0) {inside} {distances})
  (:goal (forall (?l - lamp) (lit ?l)))
  (:metric minimize (total-cost)))
"""


def lights(risk: float) -> GroundTask:
    rooms, lamps = [f"r{i}" for i in range(9)], [f"l{i}" for i in range(12)]
    inside = " ".join(f"(inside {lamp} r{i % 9})" for i, lamp in enumerate(lamps))
    distances = " ".join(
        f"(= (distance {a} {b}) {1 + abs(i - j)})" for i, a in enumerate(rooms) for j, b in enumerate(rooms) if i != j
    )
    text = LIGHTS.format(rooms=" ".join(rooms), lamps=" ".join(lamps), inside=inside, distances=distances, risk=risk)
    return load(text)


def test_quantified_goals_and_costs_of_the_metric() -> None:
    found = shrink(lights(0.0), count=10)
    assert len(found) == 10
    for small in found:
        assert isinstance(small.problem.goal, ForAll)
        assert small.task.cost == "metric"
        kept = {each.name for each in small.problem.objects}
        rooms = [name for name in kept if name.startswith("r")]
        assert len(small.problem.values) >= len(rooms) * (len(rooms) - 1)
        assert all(isinstance(t, Constant) and t.name in kept for v in small.problem.values for t in v.term.arguments)
        for lamp in (each.name for each in small.problem.objects if each.types == ("lamp",)):
            assert len([1 for name, _ in facts(small, "inside") if name == lamp]) == 1


def test_dead_ends_that_cannot_be_avoided_need_a_cost() -> None:
    task = lights(0.25)
    assert shrink(task, count=3, budget=5_000) == []
    found = shrink(task, count=3, dead_end_cost=50)
    assert len(found) == 3
    assert all(0 < each.cost < 50 for each in found)


LOCKS = """
(define (domain locks) (:requirements :typing :probabilistic-effects) (:types basin barge)
  (:predicates (up ?a ?b - basin) (in ?x - barge ?a - basin) (clear ?a - basin))
  (:action ascend :parameters (?x - barge ?a ?b - basin) :precondition (and (in ?x ?a) (up ?a ?b) (clear ?b))
    :effect (probabilistic 0.8 (and (in ?x ?b) (not (in ?x ?a)) (clear ?a) (not (clear ?b))))))"""


def test_of_what_excludes_each_other_one_is_left_where_objects_are_merged() -> None:
    """A basin with a barge that is merged with one that is clear is one or the other."""
    basins = [f"a{i}" for i in range(14)]
    order = " ".join(f"(up {a} {b})" for a, b in pairwise(basins))
    clear = " ".join(f"(clear {a})" for a in basins if a not in ("a0", "a3"))
    large = load(
        LOCKS,
        f"(define (problem locks14) (:domain locks) (:objects {' '.join(basins)} - basin x0 x1 - barge)"
        f" (:init {order} {clear} (in x0 a0) (in x1 a3)) (:goal (and (in x0 a12) (in x1 a13))))",
    )
    found = shrink(large, count=5)
    assert found
    for small in found:
        taken = {basin for _, basin in facts(small, "in")}
        assert taken.isdisjoint(basin for (basin,) in facts(small, "clear"))


LEVELS = """
(define (domain tank)
  (:requirements :typing :probabilistic-effects)
  (:types place level)
  (:predicates (road ?a ?b - place) (next ?more ?less - level) (at ?p - place) (fuel ?l - level) (seen ?p - place))
  (:action drive :parameters (?a ?b - place ?l ?m - level)
    :precondition (and (at ?a) (road ?a ?b) (fuel ?l) (next ?l ?m))
    :effect (and (at ?b) (not (at ?a)) (seen ?b) (probabilistic 1/2 (and (fuel ?m) (not (fuel ?l)))))))"""


def test_half_of_the_problems_keep_all_levels_of_a_counter() -> None:
    """With fewer of them it runs out sooner, and something else is good."""
    places, levels = [f"p{i}" for i in range(12)], [f"l{i}" for i in range(9)]
    roads = " ".join(f"(road {a} {b}) (road {b} {a})" for a, b in pairwise(places))
    order = " ".join(f"(next {more} {less})" for less, more in pairwise(levels))
    large = load(
        LEVELS,
        f"(define (problem trip) (:domain tank) (:objects {' '.join(places)} - place {' '.join(levels)} - level)"
        f" (:init (at p0) (fuel l8) {roads} {order}) (:goal (and (seen p3) (seen p6))))",
    )
    small = shrink(large, count=20, dead_end_cost=100)
    kept = [sum("level" in each.types for each in one.problem.objects) for one in small]
    assert 5 <= kept.count(9) < len(kept)


def test_the_command_writes_files_that_can_be_solved(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 12).write(tmp_path)
    done = gpaplan("shrink", str(domain), str(problem), "-n", "3", "-o", str(tmp_path / "small"), "--json")
    record = json.loads(done.stdout)
    assert len(record["problems"]) == 3
    for each in record["problems"]:
        assert solve(load(domain, each["file"])).value == pytest.approx(each["cost"])
    shown = gpaplan("shrink", str(domain), str(problem), "-n", "3", "-o", str(tmp_path / "small")).stdout
    assert "3 small problems out of 1 large one" in shown


def test_the_command_says_what_to_do_where_nothing_is_found(tmp_path: Path) -> None:
    file = tmp_path / "lights.ppddl"
    text = "(define (domain d) (:predicates (a) (b)) (:action x :parameters () :effect (a)))"
    file.write_text(text + "(define (problem p) (:domain d) (:init) (:goal (b)))")
    done = gpaplan("shrink", str(file), str(file), "-o", str(tmp_path / "small"), code=31)
    assert "no small problem was found that can be solved" in done.stderr
    assert "--dead-end-cost" in done.stderr


# --- islands, where to walk is rarely enough ---

ISLANDS = """(define (domain islands) (:requirements :typing :negative-preconditions)
  (:types cell toll)
  (:predicates (path ?a ?b - cell) (bridge ?a ?b - cell) (here ?c - cell) (keeps ?t - toll ?c - cell) (shut ?c - cell))
  (:action walk :parameters (?a ?b - cell) :precondition (and (here ?a) (path ?a ?b))
    :effect (and (here ?b) (not (here ?a))))
  (:action pay :parameters (?t - toll ?c - cell) :precondition (and (here ?c) (keeps ?t ?c))
    :effect (and (not (keeps ?t ?c)) (not (shut ?c))))
  (:action cross :parameters (?a ?b - cell) :precondition (and (here ?a) (bridge ?a ?b) (not (shut ?a)))
    :effect (and (here ?b) (not (here ?a)))))"""


def islands(number: int, size: int) -> GroundTask:
    """Rows of cells with a bridge from the last cell of each, where a toll is kept, to the first one of the next."""
    rows = [[f"c{row}-{place}" for place in range(size)] for row in range(number)]
    ways = [("path", a, b) for row in rows for a, b in pairwise(row)]
    ways += [("bridge", one[-1], other[0]) for one, other in pairwise(rows)]
    facts = [f"({way} {a} {b}) ({way} {b} {a})" for way, a, b in ways]
    facts += [f"(keeps t{place} {row[-1]}) (shut {row[-1]})" for place, row in enumerate(rows[:-1])]
    names = " ".join(name for row in rows for name in row)
    tolls = " ".join(f"t{place}" for place in range(number - 1))
    return load(
        ISLANDS,
        f"(define (problem islands) (:domain islands) (:objects {names} - cell {tolls} - toll)"
        f" (:init (here c0-0) {' '.join(facts)}) (:goal (here {rows[-1][-1]})))",
    )


def test_what_stands_for_something_else_holds_where_that_does() -> None:
    """A bridge is shut where somebody keeps a toll: else a cell may be shut for ever."""
    for small in shrink(islands(6, 5), count=20):
        assert {cell for (cell,) in facts(small, "shut")} == {cell for _, cell in facts(small, "keeps")}


def test_islands_stay_apart_where_cells_are_merged_along_paths() -> None:
    """As long as a cell of each is left."""
    source = random.Random(0)
    whole = Large(islands(2, 6), source, started(None))
    sizes = {kind: min(4, len(names)) for kind, names in whole.kinds.items()}
    drafts = [Draft(whole, whole.states[0], "contract", sizes, source) for _ in range(100)]
    assert sum(any(name == "bridge" for name, _ in draft.facts) for draft in drafts) > 80


BERTHS = """(define (domain berths) (:requirements :typing :negative-preconditions)
  (:types ship berth)
  (:predicates (next ?a ?b - berth) (in ?s - ship ?b - berth) (taken ?b - berth) (free ?b - berth))
  (:action shift :parameters (?s - ship ?a ?b - berth)
    :precondition (and (in ?s ?a) (next ?a ?b) (free ?b) (not (taken ?b)))
    :effect (and (in ?s ?b) (not (in ?s ?a)) (taken ?b) (not (free ?b)) (free ?a) (not (taken ?a)))))"""


def test_a_berth_is_free_or_taken_by_a_ship() -> None:
    """What is taken stands for where ships are, and is one of two that exclude each other."""
    berths = [f"b{place}" for place in range(12)]
    ways = " ".join(f"(next {a} {b}) (next {b} {a})" for a, b in pairwise(berths))
    ships = " ".join(f"(in s{place} b{place}) (taken b{place})" for place in range(4))
    free = " ".join(f"(free {berth})" for berth in berths[4:])
    task = load(
        BERTHS,
        f"(define (problem harbour) (:domain berths) (:objects {' '.join(berths)} - berth s0 s1 s2 s3 - ship)"
        f" (:init {ways} {ships} {free}) (:goal (and (in s3 b11) (in s2 b10))))",
    )
    made = shrink(task, count=20)
    assert len(made) == 20
    for small in made:
        taken = {berth for (berth,) in facts(small, "taken")}
        assert taken == {berth for _, berth in facts(small, "in")}
        assert not taken & {berth for (berth,) in facts(small, "free")}
