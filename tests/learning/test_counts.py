"""Automata that do not count objects: what docs/automata.md says of them, and that they suffice where it says so."""

from __future__ import annotations

from functools import cache

import pytest

from gpaplan import CanonicalAbstraction, PolicyAutomaton, Solution, ground, learn, solve
from gpaplan.automata.canonical import Counts
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.experiments.suite_file import load_suite
from gpaplan.learning.solving import solve_to_optimality
from tests.paths import ROOT

Theta = tuple[int, ...]

TABLE = {
    cells[0]: cells[1:]
    for cells in (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "automata.md").read_text(encoding="utf-8").splitlines()
        if " of 1" in line or " of 2" in line
    )
    if len(cells) == 9
}
"""The table that bench/matching.py prints, by its rows."""
QUICK = [row for row in TABLE if not row.startswith("keva-shah")]
"""All but those whose training takes seconds."""


def problems(name: str) -> tuple[list[Theta], list[Theta]]:
    """The paper's training and test problems of a family."""
    (domain,) = load_suite(f"paper-{name}").domains
    training, test = ([tuple(map(int, each.theta.split())) for each in part] for part in (domain.training, domain.test))
    return list(dict.fromkeys(training)), list(dict.fromkeys(test))


@cache
def examples(name: str, relevance: bool) -> list[Solution]:
    tasks = [ground(generate(name, *theta), relevance=relevance) for theta in problems(name)[0]]
    return list(solve_to_optimality(tasks))


def learned(row: str, counts: Counts) -> PolicyAutomaton:
    name, _, relevance = row.partition(", relevance ")
    solutions = examples(name, relevance != "off")
    return learn(solutions[0].space.task.domain, solutions, abstraction=CanonicalAbstraction(counts=counts))


def test_the_table_has_every_family_of_the_paper() -> None:
    families = {domain.name for suite in ("paper", "paper-first-encodings") for domain in load_suite(suite).domains}
    assert {row.partition(",")[0] for row in TABLE} == families


@pytest.mark.parametrize("row", QUICK)
def test_automata_are_as_large_as_the_table_says(row: str) -> None:
    one_many, presence = (learned(row, counts) for counts in ("one-many", "presence"))
    sizes = [len(one_many.vertices), len(presence.vertices), len(one_many.edges), len(presence.edges)]
    assert list(map(str, sizes)) == TABLE[row][:4]


@pytest.mark.parametrize("row", QUICK)
@pytest.mark.parametrize(("counts", "column"), [("one-many", 4), ("presence", 5)])
def test_training_suffices_where_the_table_says_so(row: str, counts: Counts, column: int) -> None:
    """Strictly, without fallback, and at the optimal cost."""
    name = row.partition(",")[0]
    automaton, tests = learned(row, counts), problems(name)[1]
    sufficed = 0
    for theta in tests:
        task = ground(generate(name, *theta), relevance=not row.endswith("off"))
        found = solve(task, automaton=automaton, match="strict", fallback="none")
        if found.solves:
            sufficed += 1
            assert found.value == pytest.approx(FAMILIES[name].optimal_cost(*theta), abs=1e-4), theta
    assert f"{sufficed} of {len(tests)}" == TABLE[row][column]
