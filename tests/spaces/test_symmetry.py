"""Interchangeable objects: which they are, what they save, and that nothing else changes."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gpaplan import (
    LRTDP,
    CanonicalAbstraction,
    ConstrainedStateSpace,
    DataError,
    GroundAction,
    GroundAtom,
    GroundTask,
    Policy,
    PolicyAutomaton,
    StateSpace,
    UsageError,
    ValueIteration,
    evaluate,
    find_symmetry,
    ground,
    learn,
    load,
    parse_domain,
    parse_problem,
    simulate,
    solve,
    verify,
)
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.solving.solvers import SOLVERS, make_solver
from gpaplan.spaces.state_space import symmetry_of
from tests.commands import run

SMALL = [
    ("gripper", (4,)),
    ("rover", (1, 3, 4, 2)),
    ("rover", (2, 3, 3, 2)),
    ("schedule", (1, 4)),
    ("schedule", (2, 4)),
    ("keva", (6, 2)),
    ("delicate-can", (6,)),
]


def task_of(name: str, *theta: int, seed: int = 0) -> GroundTask:
    benchmark = generate(name, *theta, seed=seed)
    return ground(benchmark.domain, benchmark.problem, relevance=False)


MEETING = """
(define (domain meeting)
  (:requirements :adl :probabilistic-effects)
  (:types guest table)
  (:constants host - guest)
  (:predicates (at ?g - guest ?t - table) (knows ?x ?y - guest) (idle ?g - guest) (friend ?x ?y - guest) (over))
  (:action sit :parameters (?g - guest ?t - table) :precondition (idle ?g)
    :effect (probabilistic 0.8 (and (at ?g ?t) (not (idle ?g)))))
  (:action leave :parameters (?g - guest ?t - table) :precondition (at ?g ?t) :effect (and (not (at ?g ?t)) (idle ?g)))
  (:action meet :parameters (?x ?y - guest ?t - table)
    :precondition (and (at ?x ?t) (at ?y ?t) (not (= ?x ?y))) :effect (knows ?x ?y))
  (:action end :precondition (idle host) :effect (over)))
"""


def meeting(guests: int, tables: int, init: str = "", goal: str = "(over)") -> GroundTask:
    domain = parse_domain(MEETING)
    names = [f"g{number}" for number in range(guests)]
    idle = " ".join(f"(idle {name})" for name in [*names, "host"])
    objects = f"{' '.join(names)} - guest {' '.join(f't{number}' for number in range(tables))} - table"
    text = f"""(define (problem meeting-1) (:domain meeting) (:objects {objects})
                 (:init {idle} {init}) (:goal {goal}))"""
    return ground(domain, parse_problem(domain, text), relevance=False)


# --- which objects are interchangeable ---


def test_the_classes_of_the_benchmarks() -> None:
    assert find_symmetry(task_of("gripper", 3)).classes == (("ball0", "ball1", "ball2"), ("left", "right"))
    assert [len(objects) for objects in find_symmetry(task_of("schedule", 2, 5)).classes] == [3, 2]
    assert [len(objects) for objects in find_symmetry(task_of("rover", 1, 4, 6, 2)).classes] == [2, 2, 2]
    assert [len(objects) for objects in find_symmetry(task_of("delicate-can", 6)).classes] == [4]
    assert [len(objects) for objects in find_symmetry(task_of("keva", 9, 2)).classes] == [5]


def test_what_tells_objects_apart() -> None:
    assert find_symmetry(meeting(3, 2)).classes == (("g0", "g1", "g2"), ("t0", "t1"))  # but not the constant
    assert find_symmetry(meeting(3, 2, goal="(and (over) (idle g1))")).classes == (("g0", "g2"), ("t0", "t1"))
    assert find_symmetry(meeting(3, 2, init="(friend g0 g1)")).classes == (("t0", "t1"),)  # a static atom
    assert find_symmetry(meeting(3, 2, init="(friend g0 g1) (friend g1 g0)")).classes[0] == ("g0", "g1")
    everyone = " ".join(f"(friend g{x} g{y})" for x in range(3) for y in range(3))
    assert find_symmetry(meeting(3, 2, init=everyone)).classes[0] == ("g0", "g1", "g2")
    assert find_symmetry(meeting(3, 2, init="(at g0 t1)")).classes == (("g0", "g1", "g2"), ("t0", "t1"))  # fluent


def test_a_circle_has_no_interchangeable_objects() -> None:
    """Each guest looks like every other, and no swap is a symmetry."""
    circle = " ".join(f"(friend g{x} g{(x + 1) % 6})" for x in range(6))
    assert find_symmetry(meeting(6, 1, init=circle)).classes == ()


def test_types_and_costs_tell_objects_apart() -> None:
    domain = parse_domain("""
        (define (domain coins) (:requirements :typing :action-costs) (:types coin - object gold - coin)
          (:predicates (spent ?c - coin)) (:functions (total-cost) (worth ?c - coin))
          (:action spend :parameters (?c - coin) :effect (and (spent ?c) (increase (total-cost) (worth ?c)))))""")
    text = """(define (problem coins-1) (:domain coins) (:objects a b c d - coin e - gold)
                (:init (= (worth a) 1) (= (worth b) 1) (= (worth c) 2) (= (worth d) 1) (= (worth e) 1))
                (:goal (forall (?c - coin) (spent ?c))) (:metric minimize (total-cost)))"""
    problem = parse_problem(domain, text)
    assert find_symmetry(ground(domain, problem, cost="unit")).classes == (("a", "b", "c", "d"),)
    assert find_symmetry(ground(domain, problem)).classes == (("a", "b", "d"),)


def test_what_the_goal_asks_of_atoms_that_are_never_deleted_tells_objects_apart() -> None:
    domain = parse_domain(
        "(define (domain shop) (:requirements :adl) (:predicates (sold ?x) (seen ?x) (paid))"
        " (:action sell :parameters (?x) :precondition (not (sold ?x)) :effect (sold ?x))"
        " (:action look :parameters (?x) :precondition (sold ?x) :effect (seen ?x))"
        " (:action pay :parameters () :precondition (and) :effect (paid)))"
    )
    facts = "(:domain shop) (:objects a b c d) (:init (sold a) (sold b) (sold c))"

    def classes(goal: str) -> tuple[tuple[str, ...], ...]:
        problem = parse_problem(domain, f"(define (problem p) {facts} (:goal {goal}))")
        return find_symmetry(ground(domain, problem, relevance=False)).classes

    assert classes("(paid)") == (("a", "b", "c", "d"),)
    assert classes("(and (paid) (sold b))") == (("a", "c", "d"),)
    assert classes("(and (paid) (sold a) (sold b) (sold c))") == (("a", "b", "c"),)
    assert classes("(forall (?x) (sold ?x))") == (("a", "b", "c", "d"),)
    assert classes("(and (paid) (or (sold c) (sold d)))") == (("a", "b"), ("c", "d"))


def test_modes() -> None:
    few, many = task_of("gripper", 2), task_of("gripper", 3)
    assert symmetry_of(few, "auto") is None
    assert symmetry_of(few, "on") is not None
    assert symmetry_of(many, "auto") is not None
    assert symmetry_of(many, "off") is None
    assert symmetry_of(task_of("delicate-can", 3), "on") is None
    with pytest.raises(UsageError, match="unknown symmetry 'aut';  did you mean 'auto'"):
        solve(many, symmetry="aut")
    with pytest.raises(UsageError, match="another task"):
        StateSpace(few, symmetry=find_symmetry(many))


# --- representatives ---


@pytest.mark.parametrize("balls", [1, 2, 3, 7, 40])
def test_gripper_has_6b_minus_1_states_up_to_symmetry(balls: int) -> None:
    for seed in (0, 3):
        found = StateSpace(task_of("gripper", balls, seed=seed), symmetry="on").explore()
        assert (found.complete, found.states) == (True, 6 * balls - 1)


@pytest.mark.parametrize("packets", [2, 3, 7, 40])
def test_schedule_has_24p_minus_17_states_up_to_symmetry(packets: int) -> None:
    found = StateSpace(task_of("schedule", 1, packets), symmetry="on").explore()
    assert (found.complete, found.states) == (True, 24 * packets - 17)


def test_one_of_a_thousand_equal_balls_is_picked() -> None:
    space = StateSpace(task_of("gripper", 1000), symmetry="on")
    assert [str(each.action) for each in space.transitions(space.initial)] == [
        "(move room-a room-b)",
        "(pick ball0 room-a left)",
    ]
    assert len(space.applicable(space.initial)) == 2001


def test_equal_arguments_are_taken_in_order() -> None:
    """Of two guests who sit at one table, and of the two orders of any two, one is tried."""
    space = StateSpace(meeting(5, 1), symmetry="on")
    state = space.state(["(at g1 t0)", "(at g3 t0)", "(idle g0)", "(idle g2)", "(idle g4)", "(idle host)"])
    meetings = [str(each.action) for each in space.transitions(state) if each.action.schema == "meet"]
    assert len(meetings) == 1
    assert len([each for each in space.applicable(state) if each.schema == "meet"]) == 2


@pytest.mark.parametrize(("guests", "graphs"), [(3, 4), (4, 11), (5, 34)])
def test_relations_of_every_shape(guests: int, graphs: int) -> None:
    """Who knows whom: a graph has the representative of those it is isomorphic to, and no other."""
    symmetry = find_symmetry(meeting(guests, 1))
    pairs = list(combinations(range(guests), 2))
    found = set()
    for chosen in range(2 ** len(pairs)):
        edges = [pair for bit, pair in enumerate(pairs) if chosen >> bit & 1]
        found.add(symmetry.representative(f"(knows g{x} g{y})" for pair in edges for x, y in (pair, pair[::-1])))
    assert len(found) == graphs  # the graphs with so many vertices


def test_graphs_that_colours_do_not_tell_apart() -> None:
    """A hexagon and two triangles: every vertex has two neighbours that have two neighbours."""
    symmetry = find_symmetry(meeting(6, 1))

    def knows(edges: list[tuple[int, int]], names: list[int]) -> frozenset[GroundAtom]:
        return symmetry.representative(
            f"(knows g{names[x]} g{names[y]})" for pair in edges for x, y in (pair, pair[::-1])
        )

    hexagon = [(number, (number + 1) % 6) for number in range(6)]
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    orders = [[0, 1, 2, 3, 4, 5], [3, 1, 4, 0, 5, 2], [5, 3, 1, 4, 2, 0], [2, 0, 3, 1, 5, 4]]
    assert len({knows(hexagon, names) for names in orders}) == 1
    assert len({knows(triangles, names) for names in orders}) == 1
    assert knows(hexagon, orders[0]) != knows(triangles, orders[0])


def test_many_pairs_are_placed_in_order() -> None:
    """Forty guests at forty tables, one at each: any choice is as good as any other."""
    symmetry = find_symmetry(meeting(40, 40))
    orders = [list(range(40)), list(range(39, -1, -1)), [(7 * number) % 40 for number in range(40)]]
    found = {symmetry.representative(f"(at g{g} t{t})" for g, t in enumerate(order)) for order in orders}
    assert len(found) == 1


def test_a_state_by_its_atoms_is_its_representative() -> None:
    task = task_of("gripper", 3)
    space = StateSpace(task, symmetry="on")
    held = [
        space.state([f"(held ball{ball} {hand})", f"(free {other})", "(robot-in room-a)"]
                    + [f"(ball-in ball{each} room-a)" for each in range(3) if each != ball])
        for ball in range(3)
        for hand, other in (("left", "right"), ("right", "left"))
    ]  # fmt: skip
    assert len(set(held)) == 1


# --- solving ---


@pytest.mark.parametrize(("name", "theta"), SMALL)
def test_the_benchmarks_have_the_same_values(name: str, theta: tuple[int, ...]) -> None:
    task = task_of(name, *theta, seed=5)
    plain = solve(task, ValueIteration(), symmetry="off")
    for solver in SOLVERS:
        found = solve(task, make_solver(solver), heuristic="lmcut", symmetry="on")
        assert found.status == "solved"
        assert math.isclose(found.value, plain.value, rel_tol=1e-6)
        assert found.proper
        assert verify(task, found.policy.unfolded())
        assert math.isclose(evaluate(task, found.policy.unfolded()).cost, found.value, rel_tol=1e-9)
    found = solve(task, ValueIteration(), symmetry="on")
    assert (found.guarantee, found.symmetry_mode) == ("optimal", "on")
    assert found.generated < plain.generated


def test_larger_benchmarks_have_their_closed_forms() -> None:
    for name, theta in (("gripper", (40,)), ("schedule", (1, 40)), ("delicate-can", (20,)), ("rover", (1, 4, 20, 2))):
        found = solve(task_of(name, *theta), ValueIteration(), symmetry="auto")
        assert found.guarantee == "optimal"
        known = DOMAINS[name].optimal_cost(*theta)
        assert known is not None
        assert math.isclose(found.value, known, rel_tol=1e-6)


@pytest.mark.parametrize("goals", [False, True])
@pytest.mark.parametrize("name", ["gripper", "schedule", "delicate-can"])
def test_automata_and_symmetry_go_together(name: str, goals: bool) -> None:
    """Examples solved with symmetry teach what those without do, and an automaton prunes representatives alike."""
    sizes: dict[str, list[tuple[int, ...]]] = {
        "gripper": [(2,), (3,), (4,)],
        "schedule": [(1, 2), (1, 3), (1, 4), (1, 5)],
        "delicate-can": [(4,), (5,)],
    }
    tasks = [task_of(name, *theta) for theta in sizes[name]]
    automata: dict[str, PolicyAutomaton] = {}
    for mode in ("off", "on"):
        examples = [solve(task, heuristic="lmcut", symmetry="on" if mode == "on" else "off") for task in tasks]
        automata[mode] = learn(tasks[0].domain, examples, abstraction=CanonicalAbstraction(goals), ties="all")
    assert automata["on"].edges == automata["off"].edges
    for task in tasks:
        spaces = [ConstrainedStateSpace(task, automata["on"], symmetry="on" if on else "off") for on in (True, False)]
        up_to_symmetry, plain = (space.explore() for space in spaces)
        assert up_to_symmetry.states <= plain.states
        representatives = {
            find_symmetry(task).representative(spaces[1].atoms(state)) for state in range(len(spaces[1]))
        }
        assert representatives == {spaces[0].atoms(state) for state in range(len(spaces[0]))}
        found = solve(task, automaton=automata["on"], heuristic="lmcut", symmetry="on")
        assert (found.status, found.fallback) == ("solved", False)
        assert math.isclose(found.value, solve(task, ValueIteration()).value, rel_tol=1e-6)


def test_the_fallback_starts_from_representatives() -> None:
    task = task_of("gripper", 4)
    nothing = PolicyAutomaton.empty(task.domain)
    found = solve(task, automaton=nothing, heuristic="lmcut", symmetry="on")
    assert (found.fallback, found.status) == (True, "solved")
    assert math.isclose(found.value, 12, rel_tol=1e-6)


def test_heuristics_and_abstractions_in_python_see_representatives() -> None:
    task = task_of("gripper", 4)
    symmetry = find_symmetry(task)
    seen: list[frozenset[GroundAtom]] = []

    def carried(state: frozenset[GroundAtom]) -> float:
        seen.append(state)
        return float(sum(GroundAtom("ball-in", (f"ball{ball}", "room-b")) not in state for ball in range(4)))

    carried.admissible = True  # type: ignore[attr-defined]
    found = solve(task, heuristic=carried, symmetry="on")
    assert found.guarantee == "optimal"
    assert math.isclose(found.value, 12)
    assert all(symmetry.representative(state) == state for state in seen)

    class Carried:
        name = "carried"
        options: ClassVar[dict[str, Any]] = {}

        def state(self, _task: GroundTask, atoms: frozenset[GroundAtom]) -> str:
            return " ".join(sorted({f"{atom.predicate}-{atom.arguments[-1]}" for atom in atoms}))

        def action(self, _task: GroundTask, _atoms: frozenset[GroundAtom], action: GroundAction) -> str:
            return f"{action.schema}-{action.arguments[1]}"

    automaton = learn(task.domain, [found], abstraction=Carried())
    again = solve(task, automaton=automaton, symmetry="on")
    assert again.fallback is False
    assert math.isclose(again.value, 12)


def test_equal_input_gives_equal_output() -> None:
    first, second = (solve(task_of("delicate-can", 6), LRTDP(), symmetry="on") for _ in range(2))
    assert first.policy.to_text() == second.policy.to_text()
    assert (first.expanded, first.estimate) == (second.expanded, second.estimate)


# --- policies ---


def test_a_policy_gives_the_action_of_every_symmetric_state() -> None:
    task = task_of("gripper", 2)
    policy = solve(task, symmetry="on").policy
    assert "representatives" in repr(policy)
    for ball, other_ball in (("ball0", "ball1"), ("ball1", "ball0")):
        for hand, other_hand in (("left", "right"), ("right", "left")):
            state = [
                "(robot-in room-b)",
                f"(held {ball} {hand})",
                f"(free {other_hand})",
                f"(ball-in {other_ball} room-b)",
            ]
            assert str(policy.action(state)) == f"(drop {ball} room-b {hand})"
            assert policy[frozenset(task.atoms[index] for index in task.atom_indices(state))] is not None
    with pytest.raises(UsageError, match="up to symmetry"):
        policy.action(["(robot-in room-a)"])
    with pytest.raises(KeyError):
        policy[frozenset({GroundAtom("robot-in", ("room-a",))})]


def test_trials_of_both_forms_cost_the_same() -> None:
    task = task_of("delicate-can", 7, seed=2)
    policy = solve(task, symmetry="on").policy
    cost = evaluate(task, policy).cost
    for form in (policy, policy.unfolded()):
        runs = simulate(task, form, trials=2000, horizon=10_000)
        assert runs.goal_rate == 1
        assert abs(runs.mean_cost - cost) < 5 * runs.sd_cost / math.sqrt(2000)


def test_a_policy_and_a_space_must_have_the_same_symmetry() -> None:
    task = task_of("gripper", 3)
    policy = solve(task, symmetry="on").policy
    with pytest.raises(UsageError, match="same symmetry"):
        policy.column(StateSpace(task))
    with pytest.raises(UsageError, match="same symmetry"):
        policy.unfolded().column(StateSpace(task, symmetry="on"))
    assert policy.unfolded().unfolded() is not policy
    assert policy.unfolded().symmetry is None


def test_files_say_up_to_what(tmp_path: Path) -> None:
    task = task_of("gripper", 3)
    policy = solve(task, symmetry="on").policy
    path = tmp_path / "policy.json"
    policy.write(path, unfold=False)
    record = json.loads(path.read_text())
    assert record["version"] == 2
    assert record["symmetry"] == [["ball0", "ball1", "ball2"], ["left", "right"]]
    again = Policy.read(task_of("gripper", 3), path)
    assert again.to_text() == policy.to_text()
    assert evaluate(again.task, again).cost == evaluate(task, policy).cost == 9.75
    assert evaluate(task, again).cost == 9.75  # of another grounding
    assert policy.write(path).symmetry is None
    assert json.loads(path.read_text())["version"] == 1
    assert Policy.read(task, path).symmetry is None


def test_any_state_may_stand_for_its_class_in_a_file(tmp_path: Path) -> None:
    """By hand one writes other states than the representatives."""
    task = task_of("gripper", 3)
    policy = solve(task, symmetry="on").policy
    path = tmp_path / "policy.json"
    names = {"ball0": "ball2", "ball2": "ball0", "left": "right", "right": "left"}
    text = policy.to_text()
    header, _, states = text.partition('"states"')
    for old, new in names.items():
        states = states.replace(old, new.upper())
    path.write_text(f'{header}"states"{states.lower()}')
    assert path.read_text() != text
    again = Policy.read(task, path)
    assert set(again) == set(policy)
    assert evaluate(task, again) == evaluate(task, policy)
    assert verify(task, again.unfolded())
    record = json.loads(path.read_text())
    record["states"].append(json.loads(text)["states"][0])
    path.write_text(json.dumps(record))
    with pytest.raises(DataError, match="up to symmetry of interchangeable objects"):
        Policy.read(task, path)


def test_smaller_classes_are_classes(tmp_path: Path) -> None:
    """A file may know fewer interchangeable objects than are found."""
    task = task_of("gripper", 3)
    symmetry = find_symmetry(task).restricted([["ball1", "ball0"]])
    policy = solve(task, symmetry=symmetry).policy
    policy.write(tmp_path / "policy.json", unfold=False)
    again = Policy.read(task, tmp_path / "policy.json")
    assert again.symmetry is not None
    assert again.symmetry.classes == (("ball0", "ball1"),)
    assert evaluate(task, again).cost == 9.75


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [
        ("balls", "symmetry: must be null or a list of classes, each a list of objects"),
        ([["ball0", 1]], "symmetry[0][1]: must be a text, not 1"),
        ([["ball0", "bal1"]], "has no object 'bal1';  did you mean 'ball1'"),
        ([["ball0", "left"]], "objects 'ball0' and 'left' are not interchangeable in problem 'gripper-3'"),
        ([["room-a", "room-b"]], "objects 'room-b' and 'room-a' are not interchangeable"),
        ([["ball0", "ball1"], ["ball1", "ball2"]], "object 'ball1' is listed twice"),
        ([["ball0"]], "has at least two"),
    ],
)
def test_what_is_wrong_with_the_classes_of_a_file_is_said(symmetry: object, message: str, tmp_path: Path) -> None:
    task = task_of("gripper", 3)
    record = solve(task, symmetry="on").policy.to_json()
    record["symmetry"] = symmetry
    (tmp_path / "policy.json").write_text(json.dumps(record))
    with pytest.raises(DataError) as caught:
        Policy.read(task, tmp_path / "policy.json")
    assert message in str(caught.value)


# --- the command line ---


def gpaplan(*arguments: str) -> tuple[int, dict[str, Any]]:
    result = run(*arguments, "--json")
    record: dict[str, Any] = json.loads(result.stdout)
    return result.returncode, record


def test_the_commands_go_together(tmp_path: Path) -> None:
    domain, problem = map(str, generate("gripper", 6).write(tmp_path))
    policy = str(tmp_path / "policy.json")
    code, solved = gpaplan("solve", domain, problem, "--heuristic", "lmcut", "--output", policy)
    assert (code, solved["guarantee"], solved["value"], solved["unfolded"]) == (0, "optimal", 18.5, True)
    assert solved["symmetry"]["mode"] == "auto"
    assert (solved["symmetry"]["on"], solved["symmetry"]["sizes"]) == (True, [6, 2])
    code, plain = gpaplan("evaluate", domain, problem, "--policy", policy)
    assert (code, plain["cost"], plain["symmetry"]["on"]) == (0, 18.5, False)
    task = load(domain, problem)
    solve(task, heuristic="lmcut").policy.write(policy, unfold=False)
    code, up_to_symmetry = gpaplan("evaluate", domain, problem, "--policy", policy)
    assert (code, up_to_symmetry["cost"], up_to_symmetry["symmetry"]["on"]) == (0, 18.5, True)
    code, plain = gpaplan("evaluate", domain, problem, "--policy", policy, "--symmetry", "off")
    assert (code, plain["cost"], plain["symmetry"]["on"]) == (0, 18.5, False)
    code, runs = gpaplan("simulate", domain, problem, "--policy", policy)
    assert (code, runs["goal_rate"]) == (0, 1)
    code, counted = gpaplan("check", domain, problem, "--states", "--symmetry", "on")
    assert (code, counted["states"], counted["symmetry"]["on"]) == (0, 35, True)
    code, exported = gpaplan(
        "export", domain, problem, "--format", "drn", "-o", str(tmp_path / "model.drn"), "--symmetry", "on"
    )
    assert (code, exported["states"]) == (0, 35)
    small = str(generate("gripper", 3).write(tmp_path)[1])
    code, learned = gpaplan("learn", domain, small, "-o", str(tmp_path / "gpa.json"), "--symmetry", "on")
    assert (code, learned["training"][0]["symmetry"]) == (0, True)
    code, refused = gpaplan("check", domain, problem, "--symmetry", "on")
    assert (code, refused["errors"][0]["message"][:31]) == (31, "--symmetry goes with --states: ")
