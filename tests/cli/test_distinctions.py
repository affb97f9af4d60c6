"""``--counts``, ``--relations`` and ``--no-types`` of ``learn`` and ``grow``: what automata do not tell apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpaplan import CanonicalAbstraction, PolicyAutomaton, ground, grow, instances_of_generator, learn
from gpaplan.automata.canonical import facts_of
from gpaplan.benchmarks import generate
from gpaplan.learning.solving import solve_to_optimality
from tests import commands
from tests.commands import as_json

OPTIONS: dict[str, dict[str, Any]] = {
    "": {},
    "--counts presence": {"counts": "presence"},
    "--counts one-many --relations all-some --types": {},
    "--relations presence": {"relations": "presence"},
    "--relations none": {"relations": "none"},
    "--no-types": {"types": False},
    "--counts presence --relations none --no-types": {"counts": "presence", "relations": "none", "types": False},
    "--goals --counts presence --ignore free": {"goals": True, "counts": "presence", "ignore": ("free",)},
}
"""On the command line, and of the abstraction."""


def gpaplan(*arguments: object, code: int = 0) -> str:
    done = commands.gpaplan(*arguments, code=code)
    return done.stderr if code else done.stdout


def written(folder: Path, *balls: int) -> list[Path]:
    """The files of the domain and of problems of Gripper."""
    files = [generate("gripper", count).write(folder) for count in balls]
    return [files[0][0], *(problem for _, problem in files)]


@pytest.mark.parametrize("given", OPTIONS)
def test_learning_sees_what_the_options_say(given: str, tmp_path: Path) -> None:
    files, output = written(tmp_path, 1, 2, 3), tmp_path / "a.gpa.json"
    record = as_json("learn", *files, "-o", output, "--abstraction", "canonical", *given.split())
    abstraction = CanonicalAbstraction(**OPTIONS[given])
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2, 3)]
    expected = learn(tasks[0].domain, solve_to_optimality(tasks), abstraction=abstraction)

    found = PolicyAutomaton.read(output)
    assert found.abstraction == abstraction
    assert found == expected
    assert found.to_text() == output.read_text(encoding="utf-8")
    assert (record["vertices"], record["edges"]) == (len(expected.vertices), len(expected.edges))

    options = json.loads(output.read_text(encoding="utf-8"))["abstraction"]["options"]
    plain = {name: list(value) if name == "ignore" else value for name, value in OPTIONS[given].items()}
    assert options == {"goals": False, **plain}
    facts = [fact for vertex in found.vertices for fact in facts_of(vertex)]
    counts = {fact.value for fact in facts if fact.kind == "role"}
    assert counts == ({"some"} if abstraction.counts == "presence" else {"one", "many"})
    extents = {fact.value for fact in facts if fact.kind == "relation"}
    assert extents <= {"all-some": {"all", "some"}, "presence": {"any"}, "none": set()}[abstraction.relations]
    assert bool(extents) == (abstraction.relations != "none")
    features = {name for fact in facts if fact.kind == "role" for name in fact.what.strip("{}").split(", ")}
    assert bool(features & {"room", "ball", "hand"}) == abstraction.types
    for name in plain:
        assert f"{name}=" in gpaplan("show", output)


@pytest.mark.parametrize("given", [each for each in OPTIONS if each])
def test_solving_sees_what_learning_saw(given: str, tmp_path: Path) -> None:
    """A problem that was learned from is solved at its optimal cost."""
    domain, *problems = written(tmp_path, 1, 2, 3)
    output = tmp_path / "a.gpa.json"
    gpaplan("learn", domain, *problems, "-o", output, "--abstraction", "canonical", *given.split())
    found = as_json("solve", domain, problems[-1], "--gpa", output, "--match", "strict", "--heuristic", "lmcut")
    assert (found["gpa"]["fallback"], found["value"]) == (False, pytest.approx(9.75))
    assert found["gpa"]["matching"]["states"]["strict"] > 0
    assert as_json("solve", domain, problems[-1], "--gpa", output)["gpa"]["matching"]["level"] == 0


@pytest.mark.parametrize("given", ["--counts presence", "--counts presence --relations none --no-types"])
def test_growing_sees_what_the_options_say(given: str, tmp_path: Path) -> None:
    output = tmp_path / "a.gpa.json"
    gpaplan("grow", "gripper", "1..4", "-o", output, *given.split())
    expected = grow(instances_of_generator("gripper", "1..4"), abstraction=CanonicalAbstraction(**OPTIONS[given]))
    assert PolicyAutomaton.read(output) == expected.automaton


def test_automata_are_added_to_as_they_were_learned(tmp_path: Path) -> None:
    domain, *problems = written(tmp_path, 1, 2, 3)
    first, more, usual = (tmp_path / f"{name}.gpa.json" for name in ("first", "more", "usual"))
    gpaplan("learn", domain, problems[0], "-o", first, "--counts", "presence", "--no-types")
    gpaplan("learn", domain, *problems[1:], "-o", more, "--update", first)
    assert PolicyAutomaton.read(more).abstraction == CanonicalAbstraction(counts="presence", types=False)
    gpaplan("learn", domain, *problems[1:], "-o", more, "--update", first, "--counts", "presence", "--no-types")
    refused = gpaplan("learn", domain, problems[1], "-o", more, "--update", first, "--no-types", code=31)
    assert "was learned with {'goals': False, 'counts': 'presence', 'types': False}; leave --no-types out" in refused
    gpaplan("learn", domain, problems[0], "-o", usual)
    refused = gpaplan("merge", first, usual, "-o", more, code=36)
    assert "automata of different abstractions cannot be merged: options" in refused


def test_rules_have_none_of_these(tmp_path: Path) -> None:
    domain, problem = written(tmp_path, 1)
    learning = ("learn", domain, problem, "-o", tmp_path / "a.gpa.json", "--abstraction", "concepts")
    assert "--counts and --no-types belong to canonical abstraction" in gpaplan(
        *learning, "--counts", "presence", "--no-types", code=31
    )
    assert "'few' is not one of" in gpaplan("learn", domain, problem, "-o", "a", "--counts", "few", code=31)
