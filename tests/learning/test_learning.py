"""Learning automata: from solutions and policies, by and by, with abstractions of one's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpaplan import (
    CanonicalAbstraction,
    ConstrainedStateSpace,
    DataError,
    GroundAction,
    GroundAtom,
    GroundTask,
    LAOStar,
    LimitError,
    Limits,
    MismatchError,
    Policy,
    PolicyAutomaton,
    Solution,
    StateSpace,
    UsageError,
    ValueIteration,
    ground,
    learn,
    parse_task,
    solve,
)
from gpaplan.automata.canonical import AbstractAction, AbstractState, Role
from gpaplan.automata.filters import TrainingExample
from gpaplan.benchmarks import generate
from gpaplan.learning.edges import Ties


@cache
def task_of(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


@cache
def best(name: str, *theta: int) -> Solution:
    return solve(task_of(name, *theta), LAOStar(epsilon=1e-8), heuristic="lmcut")


GRIPPER = task_of("gripper", 1).domain


# --- what is in an automaton ---


def test_the_automaton_of_one_ball() -> None:
    automaton = learn(GRIPPER, [best("gripper", 1)])
    assert automaton.settings == {"cost": "unit", "relevance": "either", "ties": "harmonize"}
    assert automaton.training == (TrainingExample("gripper-1", 3, best("gripper", 1).value),)
    assert (len(automaton), len(automaton.vertices)) == (3, 2)
    assert repr(automaton) == "PolicyAutomaton('gripper': 2 vertices, 3 edges)"
    pick = next(edge for edge in automaton.edges if str(edge.action).startswith("pick"))
    ball, hand, room = Role(("ball",)), Role(("free", "hand")), Role(("robot-in", "room"))
    assert pick.action == AbstractAction("pick", (ball, room, hand))
    assert pick.origins == {"gripper-1": 2}
    assert set(pick.targets) == set(automaton.vertices)
    assert isinstance(pick.source, AbstractState)
    assert pick.source.roles == ((ball, "one"), (hand, "many"), (room, "one"), (Role(("room",)), "one"))
    assert pick.source.relations == (("ball-in", (ball, room), "all"),)
    assert automaton.covers[pick.source] == (
        "gripper-1: (ball-in ball0 room-a) (free left) (free right) (robot-in room-a)",
        "gripper-1: (ball-in ball0 room-b) (free left) (free right) (robot-in room-b)",
    )
    assert list(automaton.edges_from(pick.source)) == [pick]
    assert automaton.targets(pick.source, AbstractAction("drop", (ball, room, hand))) is None


def test_only_a_few_states_are_kept_of_each_vertex() -> None:
    automaton = learn(GRIPPER, [best("gripper", 4)], ties="all")
    assert {len(states) for states in automaton.covers.values()} <= {1, 2, 3}
    assert set(automaton.covers) == set(automaton.vertices)


def test_goal_states_have_no_edges() -> None:
    """Whatever a policy says there."""
    task = task_of("gripper", 1)
    solution = best("gripper", 1)
    goal = ["(ball-in ball0 room-b)", "(free left)", "(free right)", "(robot-in room-b)"]
    at_goal = frozenset(GroundAtom(*_split(atom)) for atom in goal)
    policy = Policy(task, {**solution.policy, at_goal: GroundAction("move", ("room-b", "room-a"))})
    automaton = learn(GRIPPER, [solution.policy])
    assert learn(GRIPPER, [policy]) == automaton
    assert automaton.accepts(policy)


def _split(atom: str) -> tuple[str, tuple[str, ...]]:
    name, *arguments = atom.strip("()").split()
    return name, tuple(arguments)


def test_giving_up_is_not_learned() -> None:
    task = task_of("gripper", 2)
    solution = solve(task, ValueIteration(), dead_end_cost=2.0)
    assert not learn(GRIPPER, [solution]).edges
    assert not learn(GRIPPER, [solution.policy]).edges


# --- by and by ---


def test_learning_goes_on_where_it_ended() -> None:
    examples = [best("gripper", balls) for balls in (1, 2, 3)]
    at_once = learn(GRIPPER, examples)
    by_and_by = PolicyAutomaton.empty(GRIPPER)
    for example in examples:
        by_and_by = learn(GRIPPER, [example], automaton=by_and_by)
    assert by_and_by.to_text() == at_once.to_text()
    assert [example.problem for example in at_once.training] == ["gripper-1", "gripper-2", "gripper-3"]
    assert learn(GRIPPER, [examples[0]], automaton=at_once).to_text() == at_once.to_text()


@pytest.mark.parametrize(
    ("name", "thetas"), [("gripper", ((2,), (3,), (4,))), ("schedule", ((1, 2), (1, 3))), ("keva", ((4, 2), (5, 2)))]
)
def test_harmonizing_makes_smaller_automata(name: str, thetas: tuple[tuple[int, ...], ...]) -> None:
    examples = [best(name, *theta) for theta in thetas]
    domain = task_of(name, *thetas[0]).domain
    kinds: tuple[Ties, ...] = ("harmonize", "first", "all")
    sizes = [len(learn(domain, examples, ties=ties)) for ties in kinds]
    assert sizes == sorted(sizes)
    if name == "gripper":
        assert sizes[0] < sizes[2]


def test_settings_of_all_examples_are_kept() -> None:
    automaton = learn(GRIPPER, [best("gripper", 1)], ties="first")
    automaton = learn(GRIPPER, [best("gripper", 2)], ties="all", automaton=automaton)
    automaton = learn(GRIPPER, [best("gripper", 3)], ties="first", automaton=automaton)
    assert automaton.settings == {"cost": "unit", "relevance": "either", "ties": ["all", "first"]}


def test_wrong_uses_are_refused() -> None:
    example = best("gripper", 1)
    with pytest.raises(UsageError, match="unknown way to break ties 'some'; it is 'first', 'harmonize' or 'all'"):
        learn(GRIPPER, [example], ties="some")  # type: ignore[call-overload]
    automaton = learn(GRIPPER, [example])
    with pytest.raises(UsageError, match="continued with its own abstraction"):
        learn(GRIPPER, [example], automaton=automaton, abstraction=CanonicalAbstraction(goals=True))
    with pytest.raises(MismatchError, match=r"merged: options \{'goals': False\} and \{'goals': True\}"):
        automaton.merge(learn(GRIPPER, [example], abstraction=CanonicalAbstraction(goals=True)))
    other = task_of("keva", 2, 1)
    with pytest.raises(MismatchError, match="for domain 'gripper', and the other automaton is of domain 'keva'"):
        automaton.merge(PolicyAutomaton.empty(other.domain))
    for foreign in (best("keva", 2, 1), best("keva", 2, 1).policy):
        with pytest.raises(MismatchError, match="for domain 'gripper', and problem 'keva-2-1' is of domain 'keva'"):
            learn(GRIPPER, [foreign], automaton=automaton)


def test_the_fallback_is_solved_and_what_is_said_of_it_is_true() -> None:
    """With turns the whole problem starts from the heuristic; as in the paper, from the values of the search before."""
    automaton = learn(GRIPPER, [best("gripper", 1)])
    task = task_of("gripper", 4)
    found = solve(task, ValueIteration(), automaton=automaton)
    assert (found.fallback, found.guarantee) == (True, "optimal")
    found = solve(task, heuristic="lmcut", automaton=automaton, symmetry="off")
    assert (found.fallback, found.guarantee) == (True, "optimal")
    found = solve(task, heuristic="lmcut", automaton=automaton, symmetry="off", fallback="full")
    assert (found.fallback, found.guarantee) == (True, "none")
    assert found.lower_bound < found.value
    assert {"constrained", "search", "verify", "total"} == set(found.seconds)
    assert found.value == pytest.approx(12.0)


def test_a_limit_is_for_both_phases() -> None:
    automaton = learn(GRIPPER, [best("gripper", 1)])
    task, limits = task_of("gripper", 12), Limits(seconds=0.3)
    found = solve(task, heuristic="blind", automaton=automaton, limits=limits, symmetry="off")
    assert found.status == "time-limit"
    assert found.seconds["total"] >= 0.3


@pytest.mark.parametrize("milliseconds", [2, 4, 6, 8, 10, 12, 15, 20, 30])
def test_a_limit_is_not_taken_for_a_task_without_a_proper_policy(milliseconds: int) -> None:
    """Wherever the limit comes, also right after the constrained task was found to have none."""
    automaton = learn(GRIPPER, [best("gripper", 1)])
    task, limits = task_of("gripper", 14), Limits(seconds=milliseconds / 1000)
    try:
        found = solve(task, heuristic="blind", automaton=automaton, limits=limits, symmetry="off")
    except LimitError:
        return
    assert found.status == "time-limit"
    assert found.reason is None


# --- explanations ---


def test_an_explanation_says_what_is_kept_and_why_the_rest_is_not() -> None:
    automaton = learn(GRIPPER, [best("gripper", balls) for balls in (1, 2, 3, 4)])
    task = task_of("gripper", 6)
    space = StateSpace(task)
    explanation = automaton.explain(task, space.atoms(space.initial))
    assert explanation.known
    assert {action.schema for action in explanation.kept} == {"pick"}
    assert [(str(each.action), each.reason) for each in explanation.pruned] == [
        ("(move room-a room-b)", "no edge for move({robot-in, room}, {room})")
    ]
    text = str(explanation).splitlines()
    assert text[0] == f"abstract state: {explanation.label}"
    assert "edge: pick({ball}, {robot-in, room}, {free, hand}) -> 2 abstract states" in text
    assert "kept: (pick ball5 room-a right)" in text
    assert text[-1] == "pruned: (move room-a room-b): no edge for move({robot-in, room}, {room})"


def test_an_outcome_that_no_example_has_is_a_reason_too() -> None:
    """One ball left in each room: with three balls and more there are always some elsewhere."""
    task = task_of("gripper", 2)
    automaton = learn(GRIPPER, [best("gripper", 4)])
    space = StateSpace(task)
    space.explore()
    reasons = {
        each.reason.split(" {")[0].split(" one")[0].split(" many")[0]
        for state in range(len(space))
        for each in automaton.explain(task, space.atoms(state), match="strict").pruned
        if not space.is_goal(state)
    }
    assert "the edge does not lead to" in reasons
    unknown = automaton.explain(
        task_of("gripper", 1), ["(robot-in room-a)", "(held ball0 left)", "(free right)"], match="strict"
    )
    assert not unknown.known
    assert not unknown.edges
    assert not unknown.kept
    assert str(unknown).splitlines()[0].endswith("  (not known)")


def test_explanations_and_the_constrained_search_agree() -> None:
    automaton = learn(GRIPPER, [best("gripper", 3)])
    task = task_of("gripper", 3)
    space = StateSpace(task)
    space.explore()
    constrained = ConstrainedStateSpace(task, automaton)
    for state in range(len(space)):
        if not space.is_goal(state):
            atoms = space.atoms(state)
            kept = [transition.action for transition in constrained.transitions(constrained.state(atoms))]
            assert list(automaton.explain(task, atoms, match="strict").kept) == kept


# --- an abstraction of one's own ---


class WhereTheBallsAre:
    """For Gripper: how many balls are in the first room (none, one or more) and held, and where the robot is."""

    name = "where the balls are"

    def __init__(self, many: int = 2) -> None:
        self.many = many

    @property
    def options(self) -> dict[str, Any]:
        return {"many": self.many, "rooms": ("first", "second")}

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:
        first = next(each.name for each in task.problem.objects if each.types == ("room",))
        waiting = sum(atom.predicate == "ball-in" and atom.arguments[1] == first for atom in atoms)
        held = sum(atom.predicate == "held" for atom in atoms)
        here = GroundAtom("robot-in", (first,)) in atoms
        return f"{min(waiting, self.many)} waiting, {held} held, robot in the {'first' if here else 'second'} room"

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:  # noqa: ARG002
        return action.schema


def test_an_abstraction_in_python_works_everywhere(tmp_path: Path) -> None:
    examples = [best("gripper", balls) for balls in (2, 3, 4, 5)]
    automaton = learn(GRIPPER, examples, abstraction=WhereTheBallsAre())
    assert "2 waiting, 0 held, robot in the first room" in automaton.vertices
    for example in examples:
        assert automaton.accepts(example)
        assert automaton.accepts(example.policy)
    task = task_of("gripper", 8)
    found = solve(task, heuristic="lmcut", automaton=automaton)
    assert (found.status, found.fallback) == ("solved", False)
    assert found.value == pytest.approx(2.25 * 8 + 7)
    assert found.expanded < solve(task, heuristic="lmcut").expanded
    space = StateSpace(task)
    explanation = automaton.explain(task, space.atoms(space.initial))
    assert {action.schema for action in explanation.kept} == {"pick"}
    assert [each.reason for each in explanation.pruned] == ["no edge for move"]
    assert "abstraction  where the balls are (many=2" in automaton.summary()

    automaton.write(tmp_path / "a.json")
    assert PolicyAutomaton.read(tmp_path / "a.json", abstraction=WhereTheBallsAre()) == automaton
    with pytest.raises(
        DataError, match=r'abstraction: is "where the balls are" with .* not "where the balls are" with'
    ):
        PolicyAutomaton.read(tmp_path / "a.json", abstraction=WhereTheBallsAre(many=3))
    with pytest.raises(DataError, match=r"abstraction\.name: is \"where the balls are\": give that abstraction"):
        PolicyAutomaton.read(tmp_path / "a.json")
    with pytest.raises(MismatchError, match="different abstractions"):
        automaton.merge(learn(GRIPPER, examples[:1], abstraction=WhereTheBallsAre(many=3)))
    with pytest.raises(MismatchError, match="different abstractions"):
        automaton.merge(learn(GRIPPER, examples[:1]))


def test_a_coarse_abstraction_falls_back() -> None:
    """All states alike and one action known: nothing is left, and the whole problem is solved."""

    class Nothing(WhereTheBallsAre):
        name = "nothing"

        def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:  # noqa: ARG002
            return str(len(atoms))

    automaton = learn(GRIPPER, [best("gripper", 2)], abstraction=Nothing())
    found = solve(task_of("gripper", 3), heuristic="lmcut", automaton=automaton)
    assert (found.status, found.fallback) == ("solved", True)
    assert found.value == pytest.approx(9.75)


# --- goals ---


def test_goal_features_tell_apart_what_the_goal_does() -> None:
    """Two doors look alike, but the goal wants one of them open."""
    text = """
    (define (domain doors) (:requirements :typing :negative-preconditions) (:types door) (:predicates (open ?d - door))
      (:action open :parameters (?d - door) :precondition (not (open ?d)) :effect (open ?d)))
    (define (problem doors-2) (:domain doors) (:objects a b c - door) (:init) (:goal (open b)))
    """
    parsed = parse_task(text)
    task = ground(parsed.domain, parsed.problem, relevance=False)
    solution = solve(task, LAOStar(), heuristic="lmcut")
    blind = learn(task.domain, [solution])
    seeing = learn(task.domain, [solution], abstraction=CanonicalAbstraction(goals=True))
    assert len(blind.explain(task, []).kept) == 3
    (kept,) = seeing.explain(task, []).kept
    assert str(kept) == "(open b)"
    assert "@open/1" in str(seeing.vertices[0])
    assert {role.features for role, _ in seeing.explain(task, []).label.roles} == {  # type: ignore[union-attr]
        ("door",),
        ("!open/1", "@open/1", "door"),
    }


PARCELS = """
(define (domain parcels) (:requirements :adl :typing) (:types parcel address)
  (:predicates (heavy ?p - parcel) (to ?p - parcel ?a - address) (delivered ?p - parcel) (lost ?p - parcel))
  (:action deliver :parameters (?p - parcel) :precondition (not (heavy ?p)) :effect (delivered ?p))
  (:action lose :parameters (?p - parcel) :precondition (and (heavy ?p) (delivered ?p) (lost ?p)) :effect (lost ?p)))
"""


def parcels(goal: str) -> dict[str, list[str]]:
    """The features of a parcel that was delivered before, of one that can be delivered, of a heavy one that cannot, and
    of one more that was delivered before, at the start, if they are for the goal."""
    problem = f"""
    (define (problem four) (:domain parcels) (:objects early light stuck other - parcel home - address)
      (:init (delivered early) (delivered other) (heavy stuck) (to early home) (to light home)) (:goal {goal}))
    """
    parsed = parse_task(PARCELS + problem)
    task = ground(parsed.domain, parsed.problem)
    space = StateSpace(task)
    table = CanonicalAbstraction(goals=True).table(task)
    return {
        name: [feature for feature in role.features if feature[0] in "@!"]
        for name, role in table.roles(space, space.initial).items()
        if name != "home"
    }


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("(and (delivered early) (delivered light))", "early light"),
        ("(forall (?p - parcel) (delivered ?p))", "early light stuck other"),
        ("(forall (?p - parcel) (imply (not (heavy ?p)) (delivered ?p)))", "early light other"),
        ("(forall (?p - parcel) (imply (exists (?a - address) (to ?p ?a)) (delivered ?p)))", "early light"),
        ("(forall (?p - parcel ?a - address) (imply (to ?p ?a) (delivered ?p)))", "early light"),
        ("(forall (?p - parcel) (forall (?a - address) (or (delivered ?p) (not (to ?p ?a)))))", "early light"),
        ("(not (exists (?p - parcel) (and (to ?p home) (not (delivered ?p)))))", "early light"),
        ("(forall (?p ?q - parcel) (imply (and (heavy ?q) (to ?p home) (not (= ?p early))) (delivered ?p)))", "light"),
        ("(forall (?p ?q - parcel) (imply (and (heavy ?q) (to ?q home)) (delivered ?p)))", ""),
        ("(exists (?p ?q - parcel) (and (to ?p home) (to ?q home) (delivered ?q)))", "early light"),
        ("(exists (?p - parcel) (and (heavy ?p) (exists (?p) (and (to ?p home) (delivered ?p)))))", "early light"),
        ("(exists (?p - parcel) (and (heavy ?p) (delivered ?p)))", "stuck"),
        ("(exists (?p - parcel) (and (delivered ?p) (not (= ?p light))))", "early stuck other"),
        ("(or (not (delivered early)) (and (delivered light) (heavy light)) (delivered other))", "other"),
        ("(not (or (not (delivered light)) (heavy light)))", "light"),
        ("(or (heavy stuck) (delivered light))", ""),
        ("(imply (heavy early) (delivered light))", ""),
    ],
)
def test_a_goal_asks_for_its_atoms_whether_or_not_they_can_change(goal: str, wanted: str) -> None:
    """An atom that was true from the start counts like one that became true, and one that stays false is missing."""
    for name, features in parcels(goal).items():
        missing = ["!delivered/1"] if name in ("light", "stuck") else []
        assert features == ([*missing, "@delivered/1"] if name in wanted.split() else []), name


def test_parcels_play_one_role_whenever_they_were_delivered() -> None:
    goals = CanonicalAbstraction(goals=True)
    parsed = parse_task(
        PARCELS + "(define (problem two) (:domain parcels) (:objects a b - parcel) (:init (delivered a))"
        " (:goal (forall (?p - parcel) (delivered ?p))))"
    )
    space = StateSpace(ground(parsed.domain, parsed.problem))
    space.explore()
    (end,) = (state for state in range(len(space)) if space.is_goal(state))
    assert [(str(role), count) for role, count in goals.state(space.task, space.atoms(end)).roles] == [
        ("{@delivered/1, delivered, parcel}", "many")
    ]
