"""Maps of each kind, the random choices that they are made of, and the shortest walk on them."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given, strategies as st

from gpaplan.benchmarks.maintenance import shortest_walk
from gpaplan.benchmarks.maps import GRID, LINE, RANDOM, RING, RandomChoices, both_ways, make_map

KINDS = [LINE, RING, GRID, RANDOM]


def test_a_line_a_ring_and_a_grid_have_the_roads_one_expects() -> None:
    assert make_map(LINE, 4, RandomChoices()).roads == ((0, 1), (1, 2), (2, 3))
    assert make_map(RING, 4, RandomChoices()).roads == ((0, 1), (1, 2), (2, 3), (0, 3))
    assert make_map(GRID, 6, RandomChoices()).roads == ((0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5))
    assert make_map(GRID, 4, RandomChoices()).roads == ((0, 1), (0, 2), (1, 3), (2, 3))


@given(kind=st.sampled_from(KINDS), places=st.integers(3, 60), number=st.integers(0, 1000))
def test_every_map_is_connected_and_has_each_road_once(kind: int, places: int, number: int) -> None:
    made = make_map(kind, places, RandomChoices("map", number))
    assert len(made.distances(0)) == places, "a place out of reach has no distance"
    assert len(set(made.roads)) == len(made.roads)
    assert all(0 <= one < other < places for one, other in made.roads)
    assert len(both_ways(made.roads)) == 2 * len(made.roads)


@pytest.mark.parametrize(("places", "roads"), [(2, 1), (3, 3), (4, 5), (10, 14), (50, 74)])
def test_a_random_map_is_a_tree_with_more_roads(places: int, roads: int) -> None:
    assert len(make_map(RANDOM, places, RandomChoices(1)).roads) == roads


def test_distances_are_those_one_counts() -> None:
    assert make_map(LINE, 5, RandomChoices()).distances(1) == [1, 0, 1, 2, 3]
    assert make_map(RING, 5, RandomChoices()).distances(1) == [1, 0, 1, 2, 2]
    assert make_map(GRID, 9, RandomChoices()).distances(0) == [0, 1, 2, 1, 2, 3, 2, 3, 4]


def test_a_random_choice_depends_on_its_purpose_alone() -> None:
    first = RandomChoices("delivery", 3)
    assert [first.below(10) for _ in range(8)] == [RandomChoices("delivery", 3).below(10)] + [
        first_of_rest(k) for k in range(7)
    ]
    assert RandomChoices("delivery", 3).shuffle(range(9)) != RandomChoices("delivery", 4).shuffle(range(9))


def first_of_rest(skipped: int) -> int:
    again = RandomChoices("delivery", 3)
    return [again.below(10) for _ in range(skipped + 2)][-1]


@given(number=st.integers(0, 1000), count=st.integers(0, 9))
def test_a_sample_has_no_item_twice(number: int, count: int) -> None:
    sample = RandomChoices(number).sample(range(9), count)
    assert len(set(sample)) == len(sample) == count
    assert sorted(RandomChoices(number).shuffle("abcdef")) == list("abcdef")


def test_every_order_of_three_is_drawn_about_as_often() -> None:
    drawn = [tuple(RandomChoices(number).shuffle("abc")) for number in range(1200)]
    assert all(drawn.count(order) == pytest.approx(200, abs=60) for order in permutations("abc"))


@given(data=st.data(), kind=st.sampled_from(KINDS), places=st.integers(3, 12))
def test_the_shortest_walk_is_the_best_order_of_its_stops(data: st.DataObject, kind: int, places: int) -> None:
    made = make_map(kind, places, RandomChoices(places))
    place = st.integers(0, places - 1)
    start, stops = data.draw(place), data.draw(st.lists(place, min_size=1, max_size=5, unique=True))
    orders = ([start, *order] for order in permutations(stops))
    best = min(sum(made.distances(one)[other] for one, other in pairwise(order)) for order in orders)
    assert shortest_walk(made, start, stops) == best
