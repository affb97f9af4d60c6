"""The families on maps and with random problems, and those without an instance seed that came with them.

Numbers of states and optimal costs are given here as numbers, enumerated by the reference interpreter and found by
value iteration or, where there are dead ends, by a linear program; closed forms are compared with enumeration on many
problems.
"""

from __future__ import annotations

import hashlib
from itertools import product

import pytest

from gpaplan import StateSpace, find_dead_ends, ground, solve
from gpaplan.benchmarks import FAMILIES, Benchmark, generate
from gpaplan.benchmarks.blocksworld import towers
from gpaplan.errors import UsageError
from gpaplan.ppddl import parse_task
from tests.benchmarks.test_generators import Theta, enumerate_states, label
from tests.oracles import certain_states, least_expected_cost
from tests.reference import Interpreter

KNOWN: list[tuple[str, Theta, int, float]] = [
    ("delivery", (1, 3, 1, 0, 0), 10, 4.25),
    ("delivery", (1, 4, 2, 0, 1), 94, 7.5),
    ("delivery", (2, 4, 2, 0, 0), 94, 8.5),
    ("delivery", (3, 4, 2, 1, 0), 188, 9.5),
    ("delivery", (4, 5, 2, 2, 0), 688, 9.5),
    ("delivery", (1, 5, 1, 4, 2), 74, 13 + 1 / 4 - 2 / 7),
    ("maintenance", (1, 4, 2, 0), 22, 6.0),
    ("maintenance", (2, 5, 3, 1), 37, 5.0),
    ("maintenance", (3, 6, 3, 2), 104, 26 / 3),
    ("maintenance", (4, 7, 3, 3), 79, 25 / 3),
    ("blocksworld-towers", (2, 0), 3, 7 / 4),
    ("blocksworld-towers", (3, 0), 34, 119 / 18),
    ("blocksworld-towers", (4, 1), 231, 77 / 6),
    ("zenotravel", (2, 1, 1, 0), 44, 11.0),
    ("zenotravel", (3, 1, 1, 0), 90, 26.0),
    ("zenotravel", (3, 2, 1, 0), 504, 34.0),
    ("elevators", (2, 2, 1, 1, 0, 0), 12, 5.0),
    ("elevators", (3, 3, 1, 2, 2, 0), 96, 13.0),
    ("elevators", (3, 3, 2, 2, 2, 1), 315, 9.0),
]

WITH_DEAD_ENDS: list[tuple[str, Theta, int, float]] = [
    ("rectangle-tireworld", (2, 0, 0, 0), 7, 2.5),
    ("rectangle-tireworld", (3, 1, 1, 0), 17, 4.5),
    ("rectangle-tireworld", (5, 2, 0, 0), 49, 8.25),
    ("rectangle-tireworld", (5, 2, 6, 1), 50, 9.25),
    ("rectangle-tireworld", (6, 2, 12, 2), 72, 11.75),
    ("cosanostra", (1,), 40, 7.0),
    ("cosanostra", (2,), 160, 10.0),
    ("cosanostra", (3,), 528, 13.0),
]

LARGE: list[tuple[str, Theta]] = [
    *(("delivery", (kind, 50, 10, 20, 0)) for kind in (1, 2, 3, 4)),
    *(("maintenance", (kind, 50, 10, 0)) for kind in (1, 2, 3, 4)),
    ("blocksworld-towers", (40, 0)),
    ("rectangle-tireworld", (30, 8, 300, 0)),
    ("cosanostra", (15,)),
    ("zenotravel", (20, 10, 6, 0)),
    ("elevators", (10, 10, 3, 10, 20, 0)),
    ("rover", (4, 15, 30, 20)),
]


def space_of(benchmark: Benchmark) -> StateSpace:
    space = StateSpace(ground(benchmark.domain, benchmark.problem))
    assert space.explore().complete
    return space


def agrees_with_closed_form(name: str, theta: Theta, cost: float) -> bool:
    return FAMILIES[name].optimal_cost(*theta) in (pytest.approx(cost), None)


@pytest.mark.parametrize(("name", "theta", "states", "cost"), KNOWN, ids=label)
def test_state_space_and_optimal_cost(name: str, theta: Theta, states: int, cost: float) -> None:
    benchmark = generate(name, *theta)
    space = enumerate_states(benchmark)
    assert space.states == states
    assert space.cost == pytest.approx(cost, abs=1e-6)
    assert agrees_with_closed_form(name, theta, cost)
    assert find_dead_ends(space_of(benchmark)).without_proper_policy == 0


@pytest.mark.parametrize(("name", "theta", "states", "cost"), WITH_DEAD_ENDS, ids=label)
def test_dead_ends_can_be_avoided_at_the_known_cost(name: str, theta: Theta, states: int, cost: float) -> None:
    benchmark = generate(name, *theta)
    assert len(Interpreter(benchmark.domain, benchmark.problem).explore(10_000)) == states
    space = space_of(benchmark)
    assert least_expected_cost(space) == pytest.approx(cost)
    assert agrees_with_closed_form(name, theta, cost)
    assert 0 < find_dead_ends(space).count < states
    assert space.initial in certain_states(space)


SWEPT: dict[str, list[Theta]] = {
    "delivery": list(product((1, 2, 3, 4), (3, 4), (1, 2), (0, 2), range(3))),
    "maintenance": list(product((1, 2, 3, 4), (3, 6), (1, 4), range(3))),
    "blocksworld-towers": list(product((3, 4), range(8))),
    "rectangle-tireworld": list(product((3, 5), (0, 2), (0, 4), range(4))),
    "cosanostra": [(4,), (5,)],
    "zenotravel": list(product((2, 4), (1, 3), (1,), range(4))),
    "elevators": list(product((2, 3), (2, 3), (1, 2), (1, 3), (0, 3), range(2))),
}


@pytest.mark.parametrize("name", list(SWEPT))
def test_closed_forms_hold_for_every_instance_seed(name: str) -> None:
    for theta in SWEPT[name]:
        benchmark = generate(name, *theta)
        task = ground(benchmark.domain, benchmark.problem)
        solution = solve(task, heuristic="lmcut")
        assert solution.guarantee == "optimal", theta
        assert agrees_with_closed_form(name, theta, solution.value), theta


def test_no_closed_form_is_claimed_where_none_is_known() -> None:
    assert FAMILIES["delivery"].optimal_cost(1, 5, 2, 0, 0) is None
    assert FAMILIES["delivery"].optimal_cost(2, 5, 1, 1, 0) is None
    assert FAMILIES["maintenance"].optimal_cost(1, 60, 40, 0) is None
    assert FAMILIES["blocksworld-towers"].optimal_cost(3, 0) is None


# --- draws and seeds ---


@pytest.mark.parametrize(("name", "theta", "_states", "_cost"), [*KNOWN[1::3], *WITH_DEAD_ENDS[1::3]], ids=label)
def test_a_seed_changes_no_count_and_no_cost(name: str, theta: Theta, _states: int, _cost: float) -> None:
    natural, permuted = (space_of(generate(name, *theta, seed=seed)) for seed in (0, 3))
    assert len(natural) == len(permuted)
    assert least_expected_cost(natural) == pytest.approx(least_expected_cost(permuted))


DIGESTS = {
    ("delivery", (4, 12, 3, 4, 1)): "d500a7ddd670b55e",
    ("maintenance", (4, 12, 3, 1)): "0db7552f69f349dd",
    ("blocksworld-towers", (9, 1)): "d66357e96451f064",
    ("rectangle-tireworld", (7, 2, 9, 1)): "ca4ce816cf464e99",
    ("cosanostra", (5,)): "8b860223503f7b83",
    ("zenotravel", (5, 3, 2, 1)): "926e5bf00fc36f3f",
    ("elevators", (4, 4, 2, 3, 5, 1)): "af0c6c8326e2960c",
}


@pytest.mark.parametrize(("name", "theta"), list(DIGESTS), ids=label)
def test_a_problem_is_the_same_to_the_last_byte_always(name: str, theta: Theta) -> None:
    """The same in every version of Python, and of this package: results refer to these problems by θ and seed."""
    benchmark = generate(name, *theta, seed=2)
    text = benchmark.domain_text + benchmark.problem_text
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name, theta]


@pytest.mark.parametrize(("name", "theta"), [each for each in DIGESTS if each[0] != "cosanostra"], ids=label)
def test_another_instance_seed_is_another_problem_of_the_same_size(name: str, theta: Theta) -> None:
    one, other = (generate(name, *theta[:-1], instance_seed) for instance_seed in (1, 2))
    assert one.domain_text == other.domain_text
    assert one.problem.objects == other.problem.objects
    assert one.problem.init != other.problem.init


def test_the_towers_of_the_goal_are_others_than_those_at_the_start() -> None:
    for blocks, instance_seed in product((2, 3), range(50)):
        start, goal = towers(blocks, instance_seed)
        assert sorted(start) != sorted(goal)
        assert sorted(block for tower in goal for block in tower) == list(range(blocks))


# --- sizes and texts ---


@pytest.mark.parametrize(("name", "theta"), LARGE, ids=label)
def test_large_problems_are_generated_and_grounded(name: str, theta: Theta) -> None:
    benchmark = generate(name, *theta)
    assert ground(benchmark.domain, benchmark.problem).actions
    assert max(map(len, benchmark.problem_text.splitlines())) <= 120


@pytest.mark.parametrize(("name", "theta"), list(DIGESTS), ids=label)
def test_texts_are_readable_and_fit_together(name: str, theta: Theta) -> None:
    benchmark = generate(name, *theta)
    assert benchmark.domain.name == benchmark.problem.domain_name == benchmark.name == name
    assert benchmark.problem.name == benchmark.problem_name
    assert not parse_task(benchmark.domain_text, benchmark.problem_text).warnings
    lines = (benchmark.domain_text + benchmark.problem_text).splitlines()
    assert max(map(len, lines)) <= 120
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize(
    ("name", "theta", "message"),
    [
        ("delivery", (5, 4, 1, 0, 0), r"'map' must be 1 \(line\), 2 \(ring\), 3 \(grid\) or 4 \(random\), not 5"),
        ("delivery", (0, 4, 1, 0, 0), "'map' must be at least 1, not 0"),
        ("delivery", (2, 2, 1, 0, 0), "a ring has at least 3 'places', not 2"),
        ("delivery", (1, 4, 1, 4, 0), "'doors' must be at most 3, the number of roads, not 4"),
        ("maintenance", (2, 2, 1, 0), "a ring has at least 3 'places', not 2"),
        ("rectangle-tireworld", (3, 4, 0, 0), "'lanes' must be at most the 'size' 3, not 4"),
        ("rectangle-tireworld", (3, 1, 5, 0), "'dangers' must be at most 4, so that a way remains, not 5"),
        ("elevators", (2, 2, 1, 1, 4, 0), "'gates' must be at most 3, all but the entrance, not 4"),
        ("blocksworld-towers", (3, -1), "'instance seed' must be at least 0, not -1"),
    ],
)
def test_sizes_that_do_not_exist_are_refused(name: str, theta: Theta, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        generate(name, *theta)
