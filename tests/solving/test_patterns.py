"""Pattern databases from Python and from the command line: settings, symmetry, the best heuristic, dead ends."""

from __future__ import annotations

import json
from math import inf, prod
from typing import Any

import pytest
from click.testing import CliRunner

from gpaplan import (
    GroundTask,
    Limits,
    PatternDatabases,
    RunSettings,
    StateSpace,
    UsageError,
    _core,
    find_variables,
    ground,
    load,
    solve,
)
from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.ppddl import parse_domain, parse_problem
from gpaplan.solving.heuristics import make_heuristic
from tests.floats import at_most, near

RIVER = """
(define (domain river)
  (:requirements :probabilistic-effects)
  (:predicates (near) (bridge) (far) (drowned) (open))
  (:action jump :precondition (near) :effect (and (not (near)) (probabilistic 0.9 (far) 0.1 (drowned))))
  (:action walk :precondition (and (near) (open)) :effect (and (not (near)) (bridge)))
  (:action cross :precondition (bridge) :effect (and (not (bridge)) (far))))
(define (problem p) (:domain river) (:init (near) (open)) (:goal (far)))
"""

AT_ONCE = PatternDatabases(staged=False)


def task_of(name: str, *theta: int) -> Any:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


def test_estimates_are_probability_aware() -> None:
    """A block may fall onto another one, and has to be picked up there: LM-cut counts the lucky outcome only."""
    task = task_of("blocksworld", 3)
    space = StateSpace(task)
    known = make_heuristic("pdb", task).evaluate(space.core, space.initial)
    assert known == pytest.approx(solve(task, "vi").value, rel=1e-6)
    assert make_heuristic("lmcut", task).evaluate(space.core, space.initial) < known - 2


def test_pattern_databases_find_the_optimum() -> None:
    task = task_of("rover", 1, 3, 2, 2)
    found = solve(task, "ilao", heuristic=PatternDatabases())
    assert found.guarantee == "optimal"
    assert found.heuristic == "pdb"
    assert found.value == pytest.approx(solve(task, "vi").value)


def test_costs_are_partitioned_so_that_estimates_add_up() -> None:
    """A pattern of one variable sees one ball, which takes 2.25 steps at the least; the sum sees all of them."""
    task = task_of("gripper", 4)
    space = StateSpace(task)
    tables = make_heuristic(PatternDatabases(variables=1), task)
    assert tables.evaluate(space.core, space.initial) == pytest.approx(4 * 2.25)


def test_values_are_raised_when_tables_grow() -> None:
    """What a search knew before is then at least what the larger tables say."""
    task = task_of("triangle-tireworld", 5)
    heuristic = make_heuristic("pdb", task)
    space = StateSpace(task, symmetry="off")
    search = _core.Search(space=space.core, heuristic=heuristic, epsilon=1e-5, dead_end_cost=inf, seed=0)
    search.lrtdp(Limits(states=15_000).start())
    values = search.values()
    met = [state for state, value in enumerate(values) if value >= 0]
    assert len(met) > 25_000  # so tables have grown once
    first = PatternDatabases(variables=2, work=20_000, orders=4, staged=False)
    before, after = (made.evaluate_all(space.core) for made in (make_heuristic(first, task), heuristic))
    assert sum(before[state] + 1e-6 < after[state] for state in met) > 1000
    assert all(at_most(after[state], values[state], 1e-6) for state in met)


@pytest.mark.parametrize("name", ["pdb", "best"])
@pytest.mark.parametrize("mode", ["on", "off"])
def test_up_to_symmetry_the_optimum_is_the_same(name: str, mode: Any) -> None:
    for task in (task_of("gripper", 4), task_of("schedule", 2, 2)):
        found = solve(task, "lrtdp", heuristic=name, symmetry=mode)  # type: ignore[arg-type]
        assert found.guarantee == "optimal"
        assert found.value == pytest.approx(solve(task, "vi", symmetry="off").value, rel=1e-6)


def test_dead_ends_and_their_cost() -> None:
    task = load(RIVER, relevance=False)
    space = StateSpace(task)
    space.explore()
    sure, careless = (make_heuristic(AT_ONCE, task, dead_end_cost=cost) for cost in (None, 5.0))
    assert sure.evaluate(space.core, space.initial) == pytest.approx(2)
    assert careless.evaluate(space.core, space.initial) == pytest.approx(1.5)
    drowned = next(i for i in range(len(space)) if "(drowned)" in map(str, space.atoms(i)))
    assert sure.evaluate(space.core, drowned) == inf
    assert careless.evaluate(space.core, drowned) == inf
    assert solve(task, "lrtdp", heuristic="pdb", dead_end_cost=5).value == pytest.approx(1.5)


def test_the_same_tables_every_time() -> None:
    task = task_of("keva", 4, 2)
    first, second = (make_heuristic(AT_ONCE, task) for _ in range(2))
    assert first.patterns == second.patterns
    space = StateSpace(task)
    space.explore(max_states=500)
    assert first.evaluate_all(space.core) == second.evaluate_all(space.core)


def test_a_limit_while_tables_are_made() -> None:
    task = task_of("rover", 1, 4, 6, 2)
    stop = Limits().start()
    stop.strike_after(20)
    with pytest.raises(_core.Stopped):
        make_heuristic(AT_ONCE, task, stop)
    again = Limits().start()
    again.strike_after(20)
    solution = solve(task, "ilao", heuristic=AT_ONCE, limits=again)
    assert solution.status == "time-limit"
    assert solution.expanded == 0
    assert at_most(solution.lower_bound, solve(task, "vi").value, 1e-6)


def test_tables_grow_with_the_number_of_estimates() -> None:
    """At first there are little ones, of two variables at the most; in the end those that all could be made at once.
    No estimate of any stage exceeds the optimum."""
    task = task_of("rover", 1, 3, 2, 2)
    space = StateSpace(task, symmetry="off")
    space.explore()
    optimum = solve(task, "vi", symmetry="off").value
    staged, full = make_heuristic("pdb", task), make_heuristic(AT_ONCE, task)
    little = staged.patterns
    assert max(map(len, little)) <= 2
    assert little != full.patterns
    asked = 0
    while asked <= 310_000:
        estimates = staged.evaluate_all(space.core)
        assert estimates[space.initial] > 0
        assert at_most(estimates[space.initial], optimum, 1e-6)
        asked += len(estimates)
    assert staged.patterns == full.patterns
    assert staged.evaluate_all(space.core) == full.evaluate_all(space.core)


def test_a_limit_while_tables_grow_leaves_those_that_there_are() -> None:
    task = task_of("rover", 1, 3, 2, 2)
    space = StateSpace(task)
    staged = make_heuristic("pdb", task)
    little, estimate = staged.patterns, staged.evaluate(space.core, space.initial)
    ended = Limits(seconds=1e-9).start()
    while not ended.check():
        pass

    def ask() -> None:
        for _ in range(100_000):
            assert staged.evaluate(space.core, space.initial, ended) == estimate

    with pytest.raises(_core.Stopped):
        ask()
    assert staged.patterns == little
    staged.evaluate(space.core, space.initial)
    assert staged.patterns != little


def steps_and_coins(steps: int, coins: int) -> GroundTask:
    """Steps that need one another, of which the goal names but the last: a landmark each, and patterns see only a few.
    Coins that must show heads in a row: pattern databases are probability-aware, and LM-cut is not."""
    schemas = [
        f"(:action step{i} :precondition (and (s{i}) (not (s{i + 1}))) :effect (s{i + 1}))" for i in range(steps)
    ]
    tails = [f"1/2 (and (not (c{i})) (c0))" if i else "" for i in range(coins)]
    schemas += [
        f"(:action toss{i} :precondition (c{i}) :effect (probabilistic 1/2 (and (not (c{i})) (c{i + 1})) {tails[i]}))"
        for i in range(coins)
    ]
    atoms = [f"(s{i})" for i in range(steps + 1)] + [f"(c{i})" for i in range(coins + 1)]
    return load(
        f"(define (domain d) (:requirements :adl :probabilistic-effects) (:predicates {' '.join(atoms)})"
        f"{' '.join(schemas)})"
        f"(define (problem p) (:domain d) (:init (s0) (c0)) (:goal (and (s{steps}) (c{coins}))))"
    )


@pytest.mark.parametrize("staged", [True, False])
@pytest.mark.parametrize(("steps", "coins", "choice"), [(12, 0, "lmcut"), (0, 3, "patterns"), (12, 2, "both")])
def test_the_best_heuristic_takes_what_pays(steps: int, coins: int, choice: str, staged: bool) -> None:
    """At first LM-cut alone if it is staged: tables are made when its estimates have taken as long."""
    task = steps_and_coins(steps, coins)
    space = StateSpace(task)
    space.explore()
    best = make_heuristic(PatternDatabases(landmarks=True, staged=staged), task)
    if staged:
        assert best.comparison[:2] == ("lmcut", 0)
        assert best.evaluate_all(space.core) == make_heuristic("lmcut", task).evaluate_all(space.core)
        while not best.comparison[1]:
            best.evaluate_all(space.core)
    assert best.comparison[0] == choice
    tables = make_heuristic(PatternDatabases(staged=staged), task).evaluate_all(space.core)
    landmarks = make_heuristic("lmcut", task).evaluate_all(space.core)
    larger = [max(pair) for pair in zip(tables, landmarks, strict=True)]
    assert best.evaluate_all(space.core) == {"lmcut": landmarks, "patterns": tables, "both": larger}[choice]
    assert (larger != landmarks) == (choice != "lmcut")
    assert (larger != tables) == (choice != "patterns")


def test_other_heuristics_take_nothing() -> None:
    assert make_heuristic("lmcut", task_of("gripper", 3)).comparison[0] == ""


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        PatternDatabases(work=0)
    with pytest.raises(UsageError, match="must be a whole number"):
        PatternDatabases(work=1e6)  # type: ignore[arg-type]
    assert RunSettings(heuristic=PatternDatabases()).proves_optimality


def sizes_of(task: GroundTask, settings: PatternDatabases) -> list[int]:
    """How many states the projections have that are looked at."""
    sizes = list(map(len, find_variables(task)))
    return [prod(sizes[variable] for variable in pattern) for pattern in make_heuristic(settings, task).patterns]


def test_projections_are_no_larger_than_they_may_be() -> None:
    task = task_of("rover", 1, 3, 2, 2)
    limits = (2, 6, 20, 5000)
    largest = [max(sizes_of(task, PatternDatabases(staged=False, states=states))) for states in limits]
    assert all(size <= states for size, states in zip(largest, limits, strict=True))
    assert largest == sorted(set(largest))  # and larger where they may be
    assert sizes_of(task, PatternDatabases(staged=False, states=1)) == []


def test_more_work_finds_more_patterns() -> None:
    task = task_of("rover", 1, 3, 2, 2)
    found = [len(sizes_of(task, PatternDatabases(staged=False, work=work))) for work in (1, 100, 5000)]
    assert found == sorted(set(found))
    assert found[0] == 1


MOST = {"variables": 2**31 - 1, "states": 2**31 - 1, "orders": 2**31 - 1, "work": 2**60}


@pytest.mark.parametrize("name", MOST)
def test_settings_have_a_largest_value(name: str) -> None:
    """One more is refused, since the core could not count it."""
    with pytest.raises(UsageError, match=f"at most {MOST[name]:,}, not {MOST[name] + 1:,}"):
        PatternDatabases(**{name: MOST[name] + 1})  # type: ignore[arg-type]


def test_the_largest_settings_work() -> None:
    """Nothing that the core makes of them overflows: if it did, there would be no orders left, or no patterns."""
    task = task_of("blocksworld", 4)
    space = StateSpace(task)
    largest = make_heuristic(PatternDatabases(staged=False, **MOST), task)  # type: ignore[arg-type]
    assert largest.evaluate(space.core, space.initial) == pytest.approx(11.08333)
    assert max(map(len, largest.patterns)) > AT_ONCE.variables


def test_the_options_of_the_command(tmp_path: Any) -> None:
    made = generate("gripper", 5)
    (tmp_path / "d.ppddl").write_text(made.domain_text)
    (tmp_path / "p.ppddl").write_text(made.problem_text)
    files = [str(tmp_path / "d.ppddl"), str(tmp_path / "p.ppddl")]
    good = CliRunner().invoke(gpaplan, ["solve", *files, "--heuristic", "pdb", "--pdb-variables", "2"])
    assert "optimal" in good.output
    assert "heuristic pdb" in good.output
    expanded = {}
    for given in ("", "--pdb-work=500", "--pdb-work=1", "--pdb-states=3"):
        arguments = ["solve", *files, "--solver=ilao", "--heuristic=pdb", "--symmetry=off", "--json", *given.split()]
        expanded[given] = json.loads(CliRunner().invoke(gpaplan, arguments).stdout)["expanded"]
    assert expanded[""] < expanded["--pdb-work=500"] < expanded["--pdb-work=1"] == expanded["--pdb-states=3"]
    for option, value in (("--pdb-states", 10**20), ("--pdb-variables", 5 * 10**9), ("--pdb-work", 10**20)):
        refused = CliRunner().invoke(gpaplan, ["solve", *files, "--heuristic", "best", option, str(value)])
        assert f"is not in the range 1<=x<={MOST[option.removeprefix('--pdb-')]}" in refused.output


def test_an_action_may_have_more_outcomes_than_projections_keep() -> None:
    places = [f"o{number}" for number in range(200)]
    text = f"""(define (domain wide) (:requirements :probabilistic-effects)
      (:constants {" ".join(places)}) (:predicates (at ?x) (start) (done))
      (:action go :parameters () :precondition (start)
        :effect (and (not (start)) (probabilistic {" ".join(f"1/200 (at {place})" for place in places)})))
      (:action end :parameters (?x) :precondition (at ?x) :effect (and (not (at ?x)) (done))))
    (define (problem p) (:domain wide) (:init (start)) (:goal (done)))"""
    domain = parse_domain(text)
    task = ground(domain, parse_problem(domain, text))
    assert solve(task, "ilao", heuristic=AT_ONCE, symmetry="off").value == near(2)
