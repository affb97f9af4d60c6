"""Pictures of states: what is recognised, where it is drawn, and that names from anywhere stay text."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from gpaplan import ground, parse_domain, parse_problem
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.errors import DataError, UsageError
from gpaplan.pictures import draw, read_look
from gpaplan.pictures.scene import Scene, forest_of, lay_out, line_of
from gpaplan.tasks.task import GroundTask

SVG = "{http://www.w3.org/2000/svg}"


def task_of(predicates: str, effect: str, objects: str, init: str, goal: str, types: str = "thing") -> GroundTask:
    """A task whose only action changes what the test is about; ``effect`` has parameters ?x and ?y."""
    domain = parse_domain(
        f"(define (domain d) (:requirements :typing) (:types {types}) (:predicates {predicates})"
        f" (:action change :parameters (?x ?y - {types.split()[0]}) :effect {effect}))"
    )
    text = f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"
    return ground(domain, parse_problem(domain, text), relevance=False)


def texts(svg: str) -> list[str]:
    return ["".join(each.itertext()) for each in ET.fromstring(svg).iter(f"{SVG}text")]


def classes(svg: str, tag: str) -> list[str]:
    return [each.get("class", "") for each in ET.fromstring(svg).iter(SVG + tag)]


def spot_of(svg: str, text: str) -> tuple[float, float]:
    """Where a text is drawn."""

    def walk(element: ET.Element, x: float, y: float) -> tuple[float, float] | None:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag == f"{SVG}text" and "".join(element.itertext()) == text:
            return x, y
        return next((found for each in element if (found := walk(each, x, y))), None)

    found = walk(ET.fromstring(svg), 0, 0)
    assert found is not None, text
    return found


def test_a_map_has_places_roads_marks_things_and_goals() -> None:
    task = ground(generate("delivery", 3, 12, 3, 3, 1))
    picture = draw(task)
    assert classes(picture, "rect").count("place") == 12
    assert classes(picture, "path").count("road") == 17 + 1  # and one in the legend
    assert classes(picture, "path").count("mark") == 3 + 1
    at = next(atom for atom in task.initial_state if atom.predicate == "vehicle-at").arguments[0]
    (x, y), (x2, y2) = spot_of(picture, at), spot_of(picture, "vehicle-at")
    assert 0 <= x2 - x < 20
    assert 0 < y2 - y < 40
    assert {f"goal: {atom.arguments[0]}" for atom in task.goal_atoms} <= {*texts(picture)}
    assert "3 of 3 goals unmet" in texts(picture)


def test_a_goal_that_holds_is_not_marked() -> None:
    task = ground(generate("delivery", 3, 12, 3, 3, 1))
    kept = [atom for atom in task.initial_state if atom.predicate != "at"]
    picture = draw(task, [*kept, *task.goal_atoms])
    assert "the goal is reached" in texts(picture)
    assert not any(text.startswith("goal:") for text in texts(picture))


def test_a_tower_is_a_stack() -> None:
    """What holds of all that is below is drawn as what is directly below."""
    task = task_of(
        "(on ?a ?b - thing)", "(not (on ?x ?y))", "a b c e - thing", "(on a b) (on b c) (on a c)", "(on e a)"
    )
    picture = draw(task)
    heights = [spot_of(picture, name)[1] for name in "abc"]
    assert heights[0] < heights[1] < heights[2]
    assert spot_of(picture, "e")[1] > heights[0], "on the ground"
    assert "goal: on a" in texts(picture)
    assert "stacked: on" in texts(picture)


def test_a_level_is_a_bar() -> None:
    task = ground(generate("zenotravel", 3, 2, 2, 1))
    picture = draw(task)
    level = next(atom for atom in task.initial_state if atom.predicate == "fuel").arguments[1]
    assert "fuel" in texts(picture)
    assert level in texts(picture)
    assert "below" not in texts(picture), "a scale is no map"
    assert classes(picture, "rect").count("place") == 2, "the frames of two bars"


def test_lines_that_an_atom_relates_are_a_grid() -> None:
    picture = draw(ground(generate("elevators", 4, 5, 2, 3, 2, 1)))
    assert classes(picture, "rect").count("place") == 20
    assert spot_of(picture, "floor0")[1] > spot_of(picture, "floor3")[1]
    assert spot_of(picture, "position0")[0] < spot_of(picture, "position4")[0]
    assert spot_of(picture, "walker-at")[0] == pytest.approx(spot_of(picture, "position0")[0], abs=12)


INSPECTION = """(define (domain inspection) (:requirements :typing)
  (:types spot level - object pylon pad - spot)
  (:predicates (line ?a ?b - spot) (bridge ?a ?b - spot) (drone-at ?s - spot) (battery ?l - level)
    (less ?high ?low - level) (seen ?p - pylon))
  (:action fly :parameters (?a ?b - spot ?h ?l - level)
    :precondition (and (drone-at ?a) (line ?a ?b) (battery ?h) (less ?h ?l))
    :effect (and (drone-at ?b) (not (drone-at ?a)) (battery ?l) (not (battery ?h))))
  (:action look :parameters (?p - pylon) :precondition (drone-at ?p) :effect (seen ?p)))"""


def test_a_predicate_of_one_object_is_a_level_if_nothing_else_changes_on_its_scale() -> None:
    domain = parse_domain(INSPECTION)
    text = """(define (problem p) (:domain inspection) (:objects home - pad a b c - pylon l0 l1 l2 - level)
      (:init (drone-at home) (battery l2) (less l2 l1) (less l1 l0) (bridge a c)
        (line home a) (line home b) (line b c)) (:goal (seen b)))"""
    picture = draw(ground(domain, parse_problem(domain, text), relevance=False))
    assert texts(picture)[2:4] == ["battery", "l2"]
    assert not {"l0", "l1"} & {*texts(picture)}, "a scale is no map"
    assert classes(picture, "rect").count("mover") == 1, "the drone"
    assert {"place kind0", "place kind1"} <= {*classes(picture, "rect")}, "places of several types"
    assert {"road one-way", "road dashed one-way"} <= {*classes(picture, "path")}, "each predicate has its own line"
    width = float(ET.fromstring(picture).get("width", ""))
    xs = [
        float(x)
        for each in ET.fromstring(picture).iter(f"{SVG}path")
        for x in re.findall(r"[ML](\S+)", each.get("d", ""))
    ]
    assert max(xs) + 10 <= width, "no road leaves the picture"


def test_what_never_changes_is_no_place_of_what_moves_and_none_in_what_is_in_something() -> None:
    domain = parse_domain("""(define (domain beds) (:requirements :typing) (:types patient bed ward tool lamp)
      (:predicates (in ?p - patient ?b - bed) (of ?b - bed ?w - ward) (needs ?p - patient ?w - ward)
        (fits ?t - tool ?l - lamp) (over ?l - lamp ?w - ward) (clean ?b - bed))
      (:action admit :parameters (?p - patient ?b - bed) :precondition (clean ?b)
        :effect (and (in ?p ?b) (not (clean ?b)))))""")
    text = """(define (problem p) (:domain beds)
      (:objects ann bob - patient bed0 bed1 - bed w - ward jack - tool l - lamp)
      (:init (of bed0 w) (of bed1 w) (needs ann w) (needs bob w) (fits jack l) (over l w) (clean bed0))
      (:goal (in bob bed0)))"""
    task = ground(domain, parse_problem(domain, text), relevance=False)
    assert Scene(task, {}).positions - {"clean"} == {"in", "of", "over"}
    assert {"needs w", "fits l"} <= {*texts(draw(task))}
    assert "mover" not in classes(draw(task), "rect"), "(clean bed0) is no place"


def test_what_is_only_planned_is_dashed() -> None:
    task = ground(generate("keva", 4, 2))
    assert classes(draw(task), "rect").count("box planned") == 4
    placed = [each for each in task.initial_state if each.predicate != "in-box"]
    assert "box planned" not in classes(draw(task, [*placed, *task.goal_atoms]), "rect")


def test_the_cell_in_a_marked_column_and_row_is_marked() -> None:
    assert classes(draw(ground(generate("rectangle-tireworld", 5, 2, 4, 1))), "rect").count("here") == 1


def test_what_is_not_recognised_is_labelled() -> None:
    task = task_of(
        "(likes ?a ?b - thing) (odd ?a - thing) (late)",
        "(likes ?x ?y)",
        "a b c - thing",
        "(odd a) (late)",
        "(likes a b)",
    )
    assert {"a", "b", "c", "odd", "late", "goal: likes b"} <= {*texts(draw(task))}
    picture = draw(task, ["(likes a b)", "(likes a c)", "(likes b a)"])
    assert {"likes b", "likes c", "likes a"} <= {*texts(picture)}


def test_names_are_text() -> None:
    task = ground(generate("gripper", 1))
    task.problem = replace(task.problem, name="<script>&\x00\u202e")
    picture = draw(task)
    assert "<script" not in picture
    assert texts(picture)[0] == "<script>&\ufffd\ufffd"


SIZES = {
    "rover": (2, 4, 2, 1),
    "keva": (4, 2),
    "keva-shah": (4, 2),
    "elevators": (3, 3, 1, 2, 1, 1),
    "cosanostra": (2,),
}
SIZES |= {"rectangle-tireworld": (4, 1, 2, 1), "zenotravel": (3, 2, 1, 1), "maintenance": (2, 5, 2, 1)}
SIZES |= {"delivery": (4, 7, 2, 1, 1), "schedule": (2, 2), "schedule-ippc": (1, 2), "blocksworld-towers": (4, 1)}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_a_picture_that_is_xml(name: str) -> None:
    task = ground(generate(name, *SIZES.get(name, (2,))))
    picture = draw(task)
    assert picture == draw(task)
    assert picture._repr_svg_() == picture
    said = {word for text in texts(picture) for word in text.split()}
    hidden = Scene(task, {}).unseen
    assert {atom.predicate for atom in task.initial_state if len(atom.arguments) < 2} <= said | hidden


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = "from gpaplan import ground; from gpaplan.benchmarks import generate; from gpaplan.pictures import draw;"
    code += "print(draw(ground(generate('delivery', 4, 20, 4, 4, 1))), draw(ground(generate('rover', 2, 6, 3, 2))))"
    runs = [subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": n}, capture_output=True) for n in "12"]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.startswith(b"<svg")


def test_a_look_says_what_predicates_are(tmp_path: Path) -> None:
    file = tmp_path / "look.toml"
    file.write_text('shut = "hidden"\nroad = "label"\n')
    picture = draw(ground(generate("delivery", 1, 4, 1, 1, 1)), look=read_look(file))
    assert "mark" not in classes(picture, "path")
    assert "road" not in classes(picture, "path")
    assert any(text.startswith("road place") for text in texts(picture))


def test_wrong_looks(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'rod', which is not in domain 'delivery'; did you mean 'road'"):
        draw(ground(generate("delivery", 1, 4, 1, 1, 1)), look={"rod": "map"})
    file = tmp_path / "look.toml"
    file.write_text('road = "mop"')
    with pytest.raises(DataError, match='"mop" is not known here;  there are map, position'):
        read_look(file)


def test_lines_and_forests() -> None:
    assert line_of({("a", "b"), ("b", "c")}) == ["a", "b", "c"]
    assert line_of({("a", "b"), ("b", "c"), ("a", "c")}) == ["a", "b", "c"], "an order"
    assert line_of({("b", "a"), ("a", "b"), ("b", "c"), ("c", "b")}) == ["a", "b", "c"]
    assert line_of({("a", "b"), ("a", "c")}) == line_of({("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")}) == []
    assert line_of({("a", "b"), ("c", "b")}) == line_of({("a", "b"), ("b", "c"), ("c", "a")}) == []
    assert forest_of({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}
    assert forest_of({("a", "b"), ("b", "a")}) == forest_of({("a", "b"), ("a", "c")}) == set()


@pytest.mark.parametrize("size", [(3, 3), (2, 7), (8, 7)])
def test_grids_look_like_grids(size: tuple[int, int]) -> None:
    names = {f"p{x}-{y}": (x, y) for x in range(size[0]) for y in range(size[1])}
    roads = [
        (a, b) for a in names for b in names if sum(abs(m - n) for m, n in zip(names[a], names[b], strict=True)) == 1
    ]
    spots = lay_out(sorted(names, key=lambda name: name[::-1]), roads)
    assert {len({spot[axis] for spot in spots.values()}) for axis in (0, 1)} == {*size}
    assert len({*spots.values()}) == len(names)


def test_no_two_places_meet() -> None:
    for edges in ([("a", f"x{i}") for i in range(9)], [*pairwise("abcdefga")], [("a", "b"), ("c", "d"), ("d", "e")]):
        places = sorted({name for edge in edges for name in edge})
        spots = [*lay_out(places, edges).values()]
        assert all(max(abs(m - n) for m, n in zip(a, b, strict=True)) >= 1 for a in spots for b in spots if a is not b)


def test_what_is_carried_is_drawn_in_what_carries_it() -> None:
    benchmark = generate("rover", 1, 3, 1, 1)
    task = ground(benchmark.domain, benchmark.problem, relevance=False)
    state = {each for each in task.initial_state if each.predicate not in ("sample-at", "empty")}
    at = spot_of(draw(task, [*state, "(carrying rover0 sample0)"]), "sample0")
    rover = spot_of(draw(task, [*state, "(carrying rover0 sample0)"]), "rover0")
    assert 0 < at[0] - rover[0] < 20
    assert 0 < at[1] - rover[1] < 40
    assert "carrying sample0" not in texts(draw(task, [*state, "(carrying rover0 sample0)"]))


def test_scales_rise_with_the_numbers_of_their_names() -> None:
    benchmark = generate("schedule", 2, 3)
    task = ground(benchmark.domain, benchmark.problem, relevance=False)
    (scale,) = Scene(task, {}).levels.values()
    assert scale == sorted(scale)


def test_what_holds_of_one_place_stands_out() -> None:
    benchmark = generate("triangle-tireworld", 2)
    svg = draw(ground(benchmark.domain, benchmark.problem, relevance=False))
    assert classes(svg, "rect").count("mover") == 1
    assert classes(svg, "rect").count("fact") == texts(svg).count("spare-at") > 1


def test_a_long_line_is_folded() -> None:
    names = [f"p{n:02}" for n in range(14)]
    spots = lay_out(names, pairwise(names))
    assert len({y for _, y in spots.values()}) == 3
    assert all(abs(spots[a][0] - spots[b][0]) + abs(spots[a][1] - spots[b][1]) == 1 for a, b in pairwise(names))
