"""Exported models: their text, and what a model checker says of them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gpaplan import LimitError, Limits, StateSpace, ground, parse_task
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.spaces.export import FORMATS, exact_decimals, explored
from gpaplan.tasks.task import GroundTask
from tests.chains import Row, Rows, task_of
from tests.commands import run as gpaplan

CASES = [
    *(("gripper", (balls,)) for balls in (1, 2, 3)),
    *(("schedule", theta) for theta in ((1, 2), (1, 3))),
    *(("delicate-can", (cans,)) for cans in (2, 3, 4)),
]


def benchmark_task(name: str, theta: tuple[int, ...]) -> GroundTask:
    benchmark = generate(name, *theta)
    return ground(benchmark.domain, benchmark.problem, relevance=False)


def write(task: GroundTask, name: str, folder: Path) -> tuple[StateSpace, str]:
    space = explored(StateSpace(task))
    path = folder / f"model.{name}"
    path.write_text("".join(FORMATS[name](space)))
    return space, str(path)


def check(path: str, name: str) -> tuple[Any, float, float]:
    """Storm's model of a file, the least expected cost and the largest goal probability."""
    stormpy = pytest.importorskip("stormpy")
    text = 'Rmin=? [F "goal"]; Pmax=? [F "goal"]'
    if name == "drn":
        properties = stormpy.parse_properties(text)
        model = stormpy.build_model_from_drn(path)
    else:
        program = stormpy.parse_prism_program(path)
        properties = stormpy.parse_properties(text, program)
        # In rational numbers: what the file says, to the last digit.
        model = stormpy.build_model[stormpy.Rational](program, properties)
    environment = stormpy.Environment()
    environment.solver().min_max().method = stormpy.environments.MinMaxMethod.POLICY_ITERATION
    results = [stormpy.model_checking(model, each, environment=environment) for each in properties]
    start = model.initial_states[0]
    cost, probability = (float(result.get_value(start)) for result in results)
    return model, cost, probability


@pytest.mark.parametrize("name", ["drn", "prism"])
@pytest.mark.parametrize(("domain", "theta"), CASES)
def test_storm_finds_the_optimal_cost(name: str, domain: str, theta: tuple[int, ...], tmp_path: Path) -> None:
    space, path = write(benchmark_task(domain, theta), name, tmp_path)
    model, cost, probability = check(path, name)
    assert model.nr_states == len(space)
    assert cost == pytest.approx(DOMAINS[domain].optimal_cost(*theta), rel=1e-6)
    assert probability == 1


@pytest.mark.parametrize("name", ["drn", "prism"])
def test_storm_on_dead_ends_and_awkward_numbers(name: str, tmp_path: Path) -> None:
    third, seventh = Fraction(1, 3), Fraction(1, 7)
    rows: Rows = {
        0: Row(Fraction(5, 2), {0: third, 1: third, 2: third}),
        1: Row(Fraction(1), {3: 1 - 2 * seventh, 0: seventh, 4: seventh}),
        2: "open",
        3: "goal",
        4: Row(Fraction(1), {4: Fraction(1)}),
    }
    space, path = write(task_of(rows), name, tmp_path)
    model, cost, probability = check(path, name)
    assert model.nr_states == len(space) == 5
    assert cost >= 1e11  # which is Storm's infinity among rational numbers
    # x0 = x0/3 + x1/3, x1 = 5/7 + x0/7
    assert probability == pytest.approx(5 / 13, rel=1e-6)


@pytest.mark.parametrize("name", ["drn", "prism"])
def test_storm_on_costs_that_depend_on_the_state(name: str, tmp_path: Path) -> None:
    parsed = parse_task(
        "(define (domain d) (:requirements :adl :action-costs) (:functions (total-cost)) (:predicates (a) (g))"
        " (:action one :precondition (not (a)) :effect (and (a) (increase (total-cost) 1)))"
        " (:action two :effect (and (g) (increase (total-cost) 3) (when (not (a)) (increase (total-cost) 4)))))"
        "(define (problem p) (:domain d) (:init) (:goal (g)) (:metric minimize (total-cost)))"
    )
    _, path = write(ground(parsed.domain, parsed.problem, cost="metric"), name, tmp_path)
    assert check(path, name)[1] == pytest.approx(4, rel=1e-6)


def test_the_text_of_a_small_model() -> None:
    rows: Rows = {0: Row(Fraction(5, 2), {0: Fraction(1, 5), 1: Fraction(4, 5)}), 1: "goal"}
    space = explored(StateSpace(task_of(rows)))
    assert "".join(FORMATS["drn"](space)) == (
        "@type: MDP\n@parameters\n\n@reward_models\ncost\n@nr_states\n2\n@nr_choices\n2\n@model\n"
        "state 0 [0] init\n\taction step0() [2.5]\n\t\t0 : 0.2\n\t\t1 : 0.8\n"
        "state 1 [0] goal\n\taction stay() [0]\n\t\t1 : 1\n"
    )
    prism = "".join(FORMATS["prism"](space))
    assert "  [a0] s=0 -> 0.2 : (s'=0) + 0.8 : (s'=1);\n  [stay] s=1 -> true;\n" in prism
    assert "  [a0] true : 2.5; // (step0)\n" in prism


@pytest.mark.parametrize(
    "numbers", [[1.0], [1 / 3] * 3, [0.1] * 10, [0.7000000000000001, 0.3], [1e-300, 1.0], [0.2, 0.8]]
)
def test_probabilities_sum_to_exactly_one(numbers: list[float]) -> None:
    texts = exact_decimals(numbers)
    assert sum(map(Fraction, texts)) == 1
    assert [float(Decimal(text)) for text in texts] == pytest.approx(numbers, rel=1e-15)


def test_an_export_keeps_its_limits() -> None:
    with pytest.raises(LimitError, match="the export was stopped by the time limit"):
        explored(StateSpace(benchmark_task("gripper", (18,))), limits=Limits(seconds=0.05))


def test_the_command(tmp_path: Path) -> None:
    domain, problem = map(str, generate("gripper", 2).write(tmp_path))
    output = str(tmp_path / "model.drn")
    result = gpaplan("export", domain, problem, "--format", "drn", "-o", output)
    assert result.stdout == f"{output}: 27 states, 70 state-action pairs; costs: unit: the problem has no :metric\n"
    assert gpaplan("export", domain, problem, "--format", "drn", "-o", "-").stdout == Path(output).read_text()
    assert gpaplan("export", domain, problem, "--format", "drn", "-o", "-", "--json").returncode == 31
    result = gpaplan("export", domain, problem, "--format", "prism", "-o", str(tmp_path / "no" / "where"))
    assert result.returncode == 31
    assert "there is no folder" in result.stderr
