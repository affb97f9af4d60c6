"""The benchmark generators against what is known about their state spaces and optimal costs.

The numbers of states and of state-action pairs and the costs are given here as numbers, so that neither an encoding
nor a closed form can change unnoticed. Everything is enumerated by the reference interpreter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpaplan.benchmarks import DOMAINS, Benchmark, generate
from gpaplan.errors import UsageError
from gpaplan.ppddl import parse_task
from tests.reference import Interpreter

Theta = tuple[int, ...]


@dataclass(frozen=True)
class StateSpace:
    states: int
    pairs: int
    """Applicable actions, summed over the reachable states that are no goal states."""
    cost: float
    """The least expected number of actions to the goal."""


def enumerate_states(benchmark: Benchmark) -> StateSpace:
    """The whole reachable state space, and its optimal cost by value iteration."""
    interpreter = Interpreter(benchmark.domain, benchmark.problem)
    states = interpreter.explore(100_000)
    index = {state: number for number, state in enumerate(states)}
    choices: list[list[list[tuple[float, int]]]] = []
    for state in states:
        actions = [] if interpreter.is_goal(state) else interpreter.applicable(state)
        found = (interpreter.transitions(state, action) for action in actions)
        choices.append([[(float(chance), index[successor]) for successor, chance in each.items()] for each in found])
    return StateSpace(len(states), sum(map(len, choices)), optimal_cost(choices))


def optimal_cost(choices: list[list[list[tuple[float, int]]]]) -> float:
    """Value iteration at one per action; states without a choice are goal states here."""
    values = [0.0] * len(choices)
    residual = 1.0
    while residual > 1e-11:
        residual = 0.0
        for state in reversed(range(len(choices))):
            if choices[state]:
                value = 1 + min(
                    sum(chance * values[successor] for chance, successor in each) for each in choices[state]
                )
                residual = max(residual, abs(value - values[state]))
                values[state] = value
    return values[0]


KNOWN: list[tuple[str, Theta, int, int, float]] = [
    ("gripper", (1,), 7, 12, 3.25),
    ("gripper", (2,), 27, 70, 5.5),
    ("gripper", (3,), 87, 272, 9.75),
    ("gripper", (4,), 255, 886, 12.0),
    ("rover", (1, 3, 1, 2), 36, 96, 20 / 3),
    ("rover", (1, 4, 1, 2), 47, 162, 20 / 3),
    ("rover", (1, 4, 2, 2), 127, 466, 31 / 3),
    ("rover", (1, 4, 3, 2), 319, 1202, 15.0),
    ("rover", (1, 2, 2, 1), 32, 61, 28 / 3),
    ("rover", (1, 5, 2, 1), 77, 331, 28 / 3),
    ("rover", (2, 3, 1, 2), 144, 768, 17 / 3),
    ("rover", (2, 3, 2, 2), 504, 2928, 28 / 3),
    ("schedule", (1, 1), 11, 13, 3 / 0.94),
    ("schedule", (1, 2), 57, 78, 6 / 0.94),
    ("schedule", (1, 3), 233, 331, 9 / 0.94),
    ("schedule", (1, 4), 821, 1184, 12 / 0.94),
    ("schedule", (2, 2), 71, 103, 6.149338),
    ("schedule", (2, 3), 347, 541, 9.221187),
    ("schedule", (3, 3), 431, 705, 9.199723),
    ("keva", (2, 1), 19, 22, 6.0),
    ("keva", (3, 1), 64, 88, 6.0),
    ("keva", (4, 2), 210, 329, 12.0),
    ("keva", (5, 2), 620, 1032, 12.0),
    ("delicate-can", (2,), 12, 10, 5.4),
    ("delicate-can", (3,), 41, 46, 7.5),
    ("delicate-can", (4,), 142, 188, 9.6),
    ("delicate-can", (5,), 491, 718, 11.7),
]


def label(value: object) -> str | None:
    return "-".join(map(str, value)) if isinstance(value, tuple) else None


@pytest.mark.parametrize(("name", "theta", "states", "pairs", "cost"), KNOWN, ids=label)
def test_state_space_and_optimal_cost(name: str, theta: Theta, states: int, pairs: int, cost: float) -> None:
    space = enumerate_states(generate(name, *theta))
    assert (space.states, space.pairs) == (states, pairs)
    assert space.cost == pytest.approx(cost, abs=1e-6)
    closed_form = DOMAINS[name].optimal_cost(*theta)
    assert closed_form is None or closed_form == pytest.approx(cost, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "theta"), [("rover", (2, 3, 1, 2)), ("rover", (1, 2, 1, 2)), ("rover", (1, 4, 1, 1)), ("schedule", (2, 2))]
)
def test_no_closed_form_is_claimed_where_none_is_known(name: str, theta: Theta) -> None:
    assert DOMAINS[name].optimal_cost(*theta) is None


# --- seeds -------------------------------------------------------------------------------------------------------

SMALL: list[tuple[str, Theta]] = [
    ("gripper", (3,)),
    ("rover", (2, 3, 2, 2)),
    ("schedule", (2, 3)),
    ("keva", (5, 2)),
    ("delicate-can", (4,)),
]


@pytest.mark.parametrize(("name", "theta"), SMALL)
def test_a_seed_changes_names_and_nothing_else(name: str, theta: Theta) -> None:
    natural, permuted = generate(name, *theta), generate(name, *theta, seed=3)
    assert permuted.domain_text == natural.domain_text
    assert permuted.problem_text != natural.problem_text

    new_name = {old.name: new.name for old, new in zip(natural.problem.objects, permuted.problem.objects, strict=True)}
    assert sorted(new_name) == sorted(new_name.values())
    kept = natural.problem_text.replace(natural.problem_name, permuted.problem_name)
    renamed = re.sub(r"[a-z][a-z0-9-]*", lambda match: new_name.get(match.group(), match.group()), kept)
    assert re.sub(r"\s+", " ", renamed) == re.sub(r"\s+", " ", permuted.problem_text)


@pytest.mark.parametrize(("name", "theta"), SMALL)
def test_a_seed_changes_no_count_and_no_cost(name: str, theta: Theta) -> None:
    natural, permuted = (enumerate_states(generate(name, *theta, seed=seed)) for seed in (0, 3))
    assert (natural.states, natural.pairs) == (permuted.states, permuted.pairs)
    assert natural.cost == pytest.approx(permuted.cost, abs=1e-8)


def test_a_seed_always_gives_the_same_names() -> None:
    first = generate("gripper", 6, seed=7)
    assert first == generate("gripper", 6, seed=7)
    assert first.problem_name == "gripper-6-seed-7"
    assert [declared.name for declared in first.problem.objects if declared.types == ("ball",)] == [
        "ball2", "ball4", "ball1", "ball5", "ball3", "ball0",
    ]  # fmt: skip


# --- θ -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "theta", "message"),
    [
        ("gripper", (), r"gripper takes 1 parameter \(balls\), not 0"),
        ("gripper", (1, 2), r"gripper takes 1 parameter \(balls\), not 2"),
        ("gripper", (0,), "gripper: 'balls' must be at least 1, not 0"),
        ("gripper", (-3,), "gripper: 'balls' must be at least 1, not -3"),
        ("rover", (1, 4, 3), r"\(rovers, waypoints, samples, objectives\), not 3"),
        ("rover", (0, 4, 3, 2), "'rovers' must be at least 1"),
        ("rover", (1, 1, 3, 2), "'waypoints' must be at least 2"),
        ("rover", (1, 4, 0, 2), "'samples' must be at least 1"),
        ("rover", (1, 4, 3, 0), "'objectives' must be at least 1"),
        ("schedule", (0, 3), "'classes' must be at least 1"),
        ("schedule", (1, 0), "'packets' must be at least 1"),
        ("keva", (5, 3), "'planks' must be at least 6, two for each level of the 'height' 3, not 5"),
        ("keva", (4, 0), "'height' must be at least 1"),
        ("delicate-can", (1,), "'cans' must be at least 2"),
    ],
)
def test_sizes_that_do_not_exist_are_refused(name: str, theta: Theta, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        generate(name, *theta)
    with pytest.raises(UsageError, match=message):
        DOMAINS[name].optimal_cost(*theta)


def test_sizes_that_nobody_can_write_are_refused() -> None:
    with pytest.raises(UsageError, match="gripper: 'balls' must be at most 10,000,000 to be written, not 100,000,000"):
        generate("gripper", 10**8)
    assert DOMAINS["gripper"].optimal_cost(10**8) == 3.25 * 10**8 - 1


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="seed"):
        generate("gripper", 1, seed=-1)


def test_unknown_domains_are_refused_with_a_hint() -> None:
    with pytest.raises(UsageError, match="unknown benchmark domain 'griper';  did you mean 'gripper'"):
        generate("griper", 3)
    with pytest.raises(UsageError, match="gripper, rover, schedule, keva, delicate-can"):
        generate("zzz", 3)


def test_underscores_may_stand_for_hyphens() -> None:
    assert generate("delicate_can", 3) == generate("delicate-can", 3)


# --- texts and files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "theta"), SMALL)
def test_texts_are_readable_and_fit_together(name: str, theta: Theta) -> None:
    benchmark = generate(name, *theta)
    assert benchmark.domain.name == benchmark.problem.domain_name == benchmark.name == name
    assert benchmark.problem.name == benchmark.problem_name
    assert DOMAINS[name].name == name
    assert not parse_task(benchmark.domain_text, benchmark.problem_text).warnings
    lines = (benchmark.domain_text + benchmark.problem_text).splitlines()
    assert max(map(len, lines)) <= 120
    assert not any(line.endswith(" ") for line in lines)


def test_long_lists_are_wrapped() -> None:
    assert max(map(len, generate("rover", 3, 12, 40, 20).problem_text.splitlines())) <= 110


def test_write_makes_a_domain_and_a_problem_file(tmp_path: Path) -> None:
    benchmark = generate("rover", 1, 4, 3, 2)
    domain, problem = benchmark.write(tmp_path / "new" / "folder")
    assert (domain.name, problem.name) == ("domain.ppddl", "rover-1-4-3-2.ppddl")
    assert domain.read_text(encoding="utf-8") == benchmark.domain_text
    assert problem.read_text(encoding="utf-8") == benchmark.problem_text
    benchmark.write(tmp_path / "new" / "folder")
    assert sorted(path.name for path in domain.parent.iterdir()) == ["domain.ppddl", "rover-1-4-3-2.ppddl"]


def test_write_where_it_cannot_is_an_error_of_usage(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a directory")
    with pytest.raises(UsageError, match="cannot write to"):
        generate("gripper", 1).write(tmp_path / "taken")


def test_titles() -> None:
    assert [family.title for family in DOMAINS.values()] == ["Gripper", "Rover", "Schedule", "Keva", "Delicate Can"]
