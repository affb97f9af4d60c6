"""Why a rule keeps an action, as a sentence about the state, to the letter."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, strategies as st

from gpaplan import Actor, GroundTask, RuleFilter, StateSpace, ground
from gpaplan.benchmarks import generate
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.reasons import Reasons
from gpaplan.concepts.rules import Rule, RuleList, parse_rule
from tests.concepts.delivery import WALKERS, task
from tests.examples import examples
from tests.expression_strategies import literals

THETAS = {
    "delivery": (1, 6, 2, 2, 13),
    "gripper": (3,),
    "blocksworld": (4,),
    "blocksworld-towers": (6, 1),
    "triangle-tireworld": (3,),
    "maintenance": (3, 6, 2, 2),
    "rectangle-tireworld": (5, 1, 3, 4),
    "rover": (2, 3, 2, 1),
    "elevators": (3, 4, 2, 3, 2, 1),
}


@cache
def task_of(family: str) -> GroundTask:
    made = generate(family, *THETAS[family])
    return ground(made.domain, made.problem)


def after(space: StateSpace, actions: list[str]) -> int:
    """The state to which actions lead if something always comes of them."""
    state = space.initial
    for action in actions:
        outcomes = next(each.outcomes for each in space.transitions(state) if str(each.action) == action)
        state = next(each.state for each in outcomes if each.state != state)
    return state


SENTENCES = [
    (
        "delivery",
        [],
        "pick: (is ?c !at/1)",
        "(pick parcel0 place0)",
        "pick parcel0 place0, since parcel0 is not yet at place3",
    ),
    (
        "delivery",
        ["(pick parcel0 place0)"],
        "move: (nearer ?to ?from (some (inverse @at) carried) road)",
        "(move place0 place1)",
        "the goal wants parcel0 at place3 and parcel0 is carried, so move place0 place1, one step nearer by road to "
        "place3",
    ),
    (
        "delivery",
        ["(pick parcel0 place0)", "(move place0 place1)"],
        "open: (not empty), (related ?from ?to (minus road (inverse @at)))",
        "(open place1 place2)",
        "not empty, so open place1 place2, since (road place1 place2) holds and the goal does not want place2 at "
        "place1",
    ),
    (
        "delivery",
        [],
        "move: empty, (not (empty shut/1)), (is ?to (every (inverse at) any))",
        "(move place0 place1)",
        "empty and (shut place1 place2) holds, so move place0 place1, since no (at … place1) holds",
    ),
    (
        "gripper",
        [],
        "pick: (not (is ?r @ball-in/2))",
        "(pick ball0 room-a left)",
        "pick ball0 room-a left, since the goal wants no (ball-in … room-a)",
    ),
    ("gripper", [], "move:", "(move room-a room-b)", "move room-a room-b, since no rule before it fits"),
    (
        "gripper",
        ["(pick ball0 room-a left)", "(move room-a room-b)"],
        "drop: (is ?r @ball-in/2)",
        "(drop ball0 room-b left)",
        "drop ball0 room-b left, since the goal wants (ball-in ball0 room-b)",
    ),
    (
        "blocksworld",
        [],
        "pick: (is ?below !above/1)",
        "(pick block0 block1)",
        "pick block0 block1, since block1 is not yet above block0",
    ),
    (
        "blocksworld-towers",
        [],
        "pick: (is ?b (some (star above) !on-table/1))",
        "(pick block5 block4)",
        "pick block5 block4, since steps of above lead from block5 to block0 and block0 is not yet on-table",
    ),
    (
        "triangle-tireworld",
        [],
        "drive: (not flat), (not (nearer ?to ?from @car-at/1 road))",
        "(drive p1-1 p2-1)",
        "not flat, so drive p1-1 p2-1, since p2-1 is not nearer than p1-1 by road to the nearest X with goal "
        "(car-at X)",
    ),
    (
        "maintenance",
        [],
        "walk: (nearer ?to ?from (some (inverse located) !in-order/1) road)",
        "(walk place3 place0)",
        "(located machine0 place0) holds and machine0 is not yet in-order, so walk place3 place0, one step nearer by "
        "road to place0",
    ),
    (
        "rectangle-tireworld",
        [],
        "drive-along-row: (not (related ?x2 ?y danger)), (nearer ?x2 ?x @in-column/1 next-column)",
        "(drive-along-row column0 column1 row0)",
        "the goal wants column4 in-column, so drive-along-row column0 column1 row0, one step nearer by next-column to "
        "column4, since (danger column1 row0) does not hold",
    ),
    (
        "rover",
        [],
        "take-image: (not (is ?o imaged))",
        "(take-image rover0 objective0 waypoint1)",
        "take-image rover0 objective0 waypoint1, since objective0 is not imaged",
    ),
    (
        "elevators",
        [],
        "walk: (not (empty (some coin-at/1/3 shaft/2))), (nearer ?p2 ?p shaft/2 beside)",
        "(walk floor0 position0 position1)",
        "some (coin-at coin0 … position1) holds and (shaft elevator1 position1) holds, so walk floor0 position0 "
        "position1, one step nearer by beside to position1",
    ),
]


@pytest.mark.parametrize(("family", "before", "rule", "action", "sentence"), SENTENCES)
def test_a_rule_says_why_in_a_sentence(
    family: str, before: list[str], rule: str, action: str, sentence: str | None
) -> None:
    task = task_of(family)
    space = StateSpace(task)
    state = after(space, before)
    parsed = parse_rule(rule)
    _, kept = Evaluator(task).fits(space, state, RuleList((parsed,)))
    assert action in [str(task.action(index)) for index in kept]
    ground_action = task.action(task.action_index(action))
    assert Reasons(task).sentence(space, state, parsed, ground_action) == sentence


@pytest.mark.parametrize(
    ("relation", "why"),
    [
        ("@at", "the goal wants x at d"),
        ("(then @at road)", "the goal wants x at d and (road d c) holds"),
        ("(into @at place)", "the goal wants x at d and d is a place"),
    ],
)
def test_an_action_leads_to_where_its_own_object_belongs(relation: str, why: str) -> None:
    walkers = task(WALKERS)
    space = StateSpace(walkers)
    action = walkers.action(walkers.action_index("(open x b c)"))
    target = "c" if "then" in relation else "d"
    sentence = Reasons(walkers).sentence(
        space, space.initial, parse_rule(f"open: (nearer-for ?x ?to ?from {relation} road)"), action
    )
    assert sentence == f"{why}, so open x b c, one step nearer by road to {target}"


def test_a_rule_without_conditions_says_that_no_other_comes_first() -> None:
    task = task_of("gripper")
    space = StateSpace(task)
    action = task.action(task.action_index("(move room-a room-b)"))
    first = Reasons(task).sentence(space, space.initial, parse_rule("move:"), action, is_first=True)
    assert first == "move room-a room-b, wherever it can be done"


DELIVERY = """
    drop: (related ?c ?p @at)
    pick: (is ?c !at/1)
    move: (nearer ?to ?from (some (inverse @at) carried) road)
    open: (not empty)
"""
CARRYING = (
    "rule 3: the goal wants parcel0 at place3 and parcel0 is carried, so move place0 place1, one step nearer by road "
    "to place3"
)


def test_an_actor_and_an_explanation_say_the_same_sentence() -> None:
    task = task_of("delivery")
    automaton = RuleFilter.of(task.domain, DELIVERY)
    space = StateSpace(task)
    atoms = space.atoms(after(space, ["(pick parcel0 place0)"]))
    decision = Actor(task, automaton).decide(atoms)
    assert str(decision.action) == "(move place0 place1)"
    assert decision.reason.startswith(f"{CARRYING}; kept by the automaton; the best such action by ")
    explanation = automaton.explain(task, atoms)
    assert explanation.reasons == (CARRYING,)
    assert f"kept: (move place0 place1): {CARRYING}" in str(explanation)
    assert explanation.to_json()["reasons"] == [CARRYING]


def test_where_no_rule_decides_it_is_said_which_schemas_rules_are_about() -> None:
    task = task_of("delivery")
    automaton = RuleFilter.of(task.domain, "move: (nearer ?to ?from (some (inverse @at) carried) road)")
    space = StateSpace(task)
    explanation = automaton.explain(task, space.atoms(space.initial))
    assert explanation.reasons == ("some rule is about move",)
    later = RuleFilter.of(task.domain, ["pick: (is ?c @at/1)", "move: (is ?to shut/1)"])
    found = later.explain(task, space.atoms(after(space, ["(pick parcel0 place0)"])))
    assert found.reasons == ("rule 2: move place0 place1, since (shut place1 place2) holds",)


@examples(100)
@given(st.data())
def test_whatever_the_rule_there_is_a_sentence(data: st.DataObject) -> None:
    """Random rules in random states: whatever must be found to say why, is found."""
    task = task_of(data.draw(st.sampled_from(["delivery", "blocksworld-towers", "elevators"])))
    space, evaluator = StateSpace(task), Evaluator(task)
    state = space.initial
    for _ in range(data.draw(st.integers(0, 6))):
        state = data.draw(st.sampled_from([each.state for one in space.transitions(state) for each in one.outcomes]))
    action = data.draw(st.sampled_from(list(space.applicable(state))))
    drawn = data.draw(st.lists(literals(task.domain, action.schema), min_size=1, max_size=3))
    held = [each if evaluator.literal(space, state, each, action) else each.negation() for each in drawn]
    sentence = Reasons(task).sentence(space, state, Rule(action.schema, tuple(held)), action)
    assert " ".join((action.schema, *action.arguments)) in sentence
