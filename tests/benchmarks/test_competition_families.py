"""The families after competition domains: known optimal costs, and names that do not matter."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from gpaplan import ground, parse_problem, solve
from gpaplan.benchmarks import DOMAINS, FAMILIES, SOURCE_SHAPED, generate
from gpaplan.benchmarks.triangle_tireworld import roads, spares


def test_all_families_are_to_be_had_by_name() -> None:
    others = ["triangle-tireworld", "triangle-tireworld-little", "blocksworld", "blocksworld-towers", "delivery"]
    others += ["maintenance", "rectangle-tireworld", "cosanostra", "zenotravel", "elevators"]
    assert list(FAMILIES) == [*DOMAINS, *SOURCE_SHAPED, *others]
    for name, family in FAMILIES.items():
        assert family.name == name


@pytest.mark.parametrize(("size", "cost"), [(1, 6.25), (2, 11.859375), (3, 19.2177734375)])
@pytest.mark.parametrize("seed", [0, 3])
def test_the_triangle_tireworld_costs_what_the_competition_problems_cost(size: int, cost: float, seed: int) -> None:
    benchmark = generate("triangle-tireworld", size, seed=seed)
    solution = solve(ground(benchmark.domain, benchmark.problem), heuristic="lmcut", dead_end_cost=500)
    assert solution.value == pytest.approx(cost, abs=1e-4)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [0, 3])
def test_without_a_spare_in_the_car_the_triangle_tireworld_costs_what_its_closed_form_says(
    size: int, seed: int
) -> None:
    benchmark = generate("triangle-tireworld-little", size, seed=seed)
    solution = solve(ground(benchmark.domain, benchmark.problem), heuristic="lmcut")
    assert solution.guarantee == "optimal"
    assert solution.value == pytest.approx(6 * size - 0.5)
    assert solution.value == pytest.approx(FAMILIES["triangle-tireworld-little"].optimal_cost(size))


@pytest.mark.parametrize("size", [1, 2, 5, 20])
def test_one_way_alone_has_a_spare_in_every_place(size: int) -> None:
    """What the proof of the closed form says of the map, by counting: no other way is proper."""
    goal, with_spare = (1, 2 * size + 1), set(spares(size))
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for start, end in roads(size):
        if end == goal or end in with_spare:
            onward.setdefault(start, []).append(end)

    @cache
    def ways(place: tuple[int, int]) -> Counter[int]:
        """How many ways of each length lead from a place to the goal."""
        if place == goal:
            return Counter([0])
        counts: Counter[int] = Counter()
        for each in onward.get(place, []):
            counts.update({1 + length: number for length, number in ways(each).items()})
        return counts

    assert ways((1, 1)) == {4 * size: 1}


@pytest.mark.parametrize("blocks", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", [0, 5])
def test_the_blocksworld_costs_what_its_closed_form_says(blocks: int, seed: int) -> None:
    benchmark = generate("blocksworld", blocks, seed=seed)
    solution = solve(ground(benchmark.domain, benchmark.problem), heuristic="lmcut")
    assert solution.guarantee == "optimal"
    assert solution.value == pytest.approx(FAMILIES["blocksworld"].optimal_cost(blocks))


def test_a_blocksworld_with_other_towers_has_the_known_cost() -> None:
    """From one order of five blocks to another; the cost is known from two other planners."""
    domain = generate("blocksworld", 2).domain
    problem = parse_problem(
        domain,
        """(define (problem towers) (:domain blocksworld) (:objects a b c d e - block)
             (:init (hand-empty) (above b a) (above a e) (above e d) (above d c) (on-table c) (top b))
             (:goal (and (hand-empty) (on-table d) (above c d) (above a c) (above b a) (above e b) (top e))))""",
    )
    assert solve(ground(domain, problem), heuristic="lmcut").value == pytest.approx(19.4444, abs=1e-4)
