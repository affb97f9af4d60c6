"""Values that are known by looking: a delivery problem; and rule lists as constraints, with and without symmetry."""

from __future__ import annotations

import pytest

from gpaplan import StateSpace, _core, ground, parse_task
from gpaplan.concepts.encoding import Encoder, Evaluator, core_filter
from gpaplan.concepts.expressions import parse_concept, parse_literal, parse_relation
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from tests.concepts.delivery import DOMAIN, RULES, WALKERS, explored, task

SPACE = explored()
EVALUATOR = Evaluator(SPACE.task)


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("any", "depot a b c d x y z"),
        ("parcel", "x y z"),
        ("place", "depot a b c d"),
        ("=depot", "depot"),
        ("at/2", "c depot"),
        ("@at/1", "x y z"),
        ("!at/1", "x z"),
        ("!at/2", "depot c"),
        ("carrying", ""),
        ("(same at @at)", "y"),
        ("(and place (not (some road any)))", "d"),
        ("(and place (some (plus road) here))", "depot a b c"),
        ("(some (minus road shut) =depot)", "a"),
        ("(and place (every (inverse @at) !at/1))", "a b c d"),
        ("shown/3", ""),
        ("@shown/2", ""),
    ],
)
def test_the_initial_state(text: str, objects: str) -> None:
    assert EVALUATOR.concept(SPACE, SPACE.initial, parse_concept(text)) == set(objects.split())


def test_relations_and_literals_of_the_initial_state() -> None:
    start = SPACE.initial
    assert EVALUATOR.relation(SPACE, start, parse_relation("!at")) == {("x", "depot"), ("z", "c")}
    near = parse_literal("(nearer ?to ?from !at/2 road)")
    assert EVALUATOR.literal(SPACE, start, near, "(move a depot)")
    assert not EVALUATOR.literal(SPACE, start, near.negation(), "(move a depot)")
    assert not EVALUATOR.literal(SPACE, start, near, "(move a b)")
    behind_the_gate = parse_literal("(nearer ?from ?to =depot (minus road shut))")
    assert EVALUATOR.literal(SPACE, start, behind_the_gate, "(move b c)")
    assert not EVALUATOR.literal(SPACE, start, parse_literal("loaded"))
    assert EVALUATOR.literal(SPACE, start, parse_literal("(not !loaded)"))
    with pytest.raises(UsageError, match="about an action"):
        EVALUATOR.literal(SPACE, start, near)
    with pytest.raises(UsageError, match="another task"):
        EVALUATOR.concept(StateSpace(SPACE.task.with_initial_state([])), 0, parse_concept("any"))


def test_each_person_has_places_of_their_own() -> None:
    walkers = task(WALKERS)
    space, evaluator = StateSpace(walkers), Evaluator(walkers)

    def steps(text: str, state: int = space.initial) -> list[str]:
        _, kept = evaluator.fits(space, state, RuleList.parse(text))
        return [" ".join(walkers.action(each).arguments) for each in kept]

    by_road = "(nearer-for ?x ?to ?from @at road)"
    assert (steps(f"walk: {by_road}"), steps(f"open: {by_road}")) == (["y b a"], ["x b c"])
    assert (steps(f"walk: (not {by_road})"), steps(f"open: (not {by_road})")) == (["x b a"], ["y b c"])
    assert steps("walk: (nearer-for ?x ?from ?to (then at road) road)") == []
    open_road = "(nearer-for ?x ?to ?from @at (minus road shut))"
    assert steps(f"walk: {open_road}") == ["x b a", "y b a"]
    opened = next(each for each in space.transitions(space.initial) if str(each.action) == "(open y b c)")
    assert steps(f"walk: {open_road}", opened.outcomes[0].state) == ["x b c", "y b a"]


def test_the_core_refuses_nodes_that_are_none() -> None:
    core = SPACE.task.core
    count = len(SPACE.task.objects)
    objects, argument, complement, some, flag, is_in = map(
        _core.node_kind, ("objects", "argument", "complement", "some", "flag", "is")
    )
    wrong: list[list[list[int]]]
    wrong = [[[objects, count]], [[complement, 0]], [[99]], [[]], [[objects, 1], [some, 0, 0]], [[argument, 0, 3, 7]]]
    wrong.append([[flag, 0]])
    for nodes in wrong:
        with pytest.raises(_core.InternalError):
            _core.Evaluator(core, count, [], nodes)
    with pytest.raises(_core.InternalError):
        _core.Evaluator(core, 2, [], [])
    evaluator = _core.Evaluator(core, count, [], [[objects, 1], [is_in, 5, 0]])
    with pytest.raises(IndexError):
        evaluator.holds(SPACE.core, 0, 2, 0)
    with pytest.raises(ValueError, match="concept"):
        evaluator.objects(SPACE.core, 0, 1)
    with pytest.raises(_core.InternalError):
        _core.RuleFilter(core, count, [], [[objects, 1]], [[(0, [0])]])


# --- rules ---


def reached(space: _core.StateSpace) -> list[int]:
    space.explore(2**62, _core.Stop())
    return list(range(len(space)))


def test_a_rule_list_as_a_constraint() -> None:
    whole, rules = task(), RuleList.parse(RULES)
    constrained = _core.StateSpace(whole.core, 100, filter=core_filter(whole, rules))
    evaluator, space = Evaluator(whole), StateSpace(whole)
    states = reached(constrained)
    assert 5 < len(states) < len(SPACE) / 2
    for state in states:
        twin = space.core.intern(constrained.atoms(state))
        kept = evaluator.fits(space, twin, rules)[1]
        assert [action for action, _, _ in constrained.transitions(state)] == kept
        assert bool(kept) != space.is_goal(twin)


def test_a_rule_list_up_to_symmetry() -> None:
    """The representatives that are met are those of the states that are met without symmetry."""
    text = """(define (problem many) (:domain delivery) (:objects a b - place x y z - parcel)
        (:init (here a) (road a b) (road b a) (at x a) (at y a) (at z b))
        (:goal (and (at x b) (at y b) (at z b))))"""
    parsed = parse_task(DOMAIN + text, None)
    many = ground(parsed.domain, parsed.problem)
    rules = RuleList.parse("drop: (related ?x ?p @at)\npick: (is ?x !at/1)\nmove:")
    up_to = StateSpace(many, symmetry="on")
    assert up_to.symmetry is not None
    plain = _core.StateSpace(many.core, 100, filter=core_filter(many, rules))
    folded = _core.StateSpace(many.core, 100, up_to.symmetry.core, core_filter(many, rules))
    representatives = {tuple(up_to.core.atoms(up_to.core.intern(plain.atoms(state)))) for state in reached(plain)}
    assert {tuple(folded.atoms(state)) for state in reached(folded)} == representatives
    assert len(representatives) < len(plain)


def test_the_rules_lead_to_the_goal() -> None:
    """Following them from the start, and opening until the gate is open, delivers everything."""
    rules, space = RuleList.parse(RULES), StateSpace(task())
    evaluator, state = Evaluator(space.task), space.initial
    for _ in range(40):
        if space.is_goal(state):
            break
        _, kept = evaluator.fits(space, state, rules)
        (chosen,) = [each for each in space.transitions(state) if each.action == space.task.action(kept[0])]
        state = next((each.state for each in chosen.outcomes if each.state != state), state)
    assert space.is_goal(state)
    assert evaluator.fits(space, state, rules) == (None, [])


# --- the pool ---


def test_a_pool_of_deliveries() -> None:
    """What rules of deliveries need is among what is generated, also from several problems."""
    rows = [(0, state, action) for state in range(0, len(SPACE), 3) for action in SPACE.core.applicable(state)]
    pool = Pool([(SPACE.task, SPACE), (SPACE.task, SPACE)], rows)
    assert list(pool.schemas) == ["move", "open", "pick", "drop"]
    assert not pool.stopped
    texts = {name: [str(each) for each in schema.literals] for name, schema in pool.schemas.items()}
    assert "(is ?x !at/1)" in texts["pick"]
    assert "(related ?x ?p @at)" in texts["drop"]
    assert "(nearer ?to ?from !at/2 (minus road shut))" in texts["move"]
    assert "loaded" in texts["move"]
    assert len({str(each) for each in pool.concepts}) == len(pool.concepts) <= 1500


def test_a_pool_has_what_rules_by_hand_say() -> None:
    walkers = task(WALKERS)
    space, evaluator = StateSpace(walkers), Evaluator(walkers)
    space.explore()
    literal = parse_literal("(nearer-for ?x ?to ?from (into (then @at road) (not shut/1)) road)")
    rows = [(0, state, action) for state in range(len(space)) for action in space.core.applicable(state)]
    pool = Pool([(walkers, space)], rows, max_complexity=2, seeds=[literal])
    values = [evaluator.literal(space, state, literal, action) for _, state, action in rows]
    for schema, found in pool.schemas.items():
        column = int.from_bytes(pool.column(schema, literal), "little")
        assert [bool(column >> place & 1) for place in range(len(found.rows))] == [values[row] for row in found.rows]
    assert literal in pool.schemas["walk"].literals


def test_a_pool_keeps_to_its_limits() -> None:
    rows = [(0, state, action) for state in range(20) for action in SPACE.core.applicable(state)]
    pool = Pool([(SPACE.task, SPACE)], rows, max_concepts=30, max_columns=7)
    assert len(pool.concepts) == 30
    assert max(len(schema.literals) for schema in pool.schemas.values()) == 7
    stop = _core.Stop()
    stop.interrupt()
    assert Pool([(SPACE.task, SPACE)], rows, stop=stop).stopped
    with pytest.raises(UsageError):
        Pool([], [])


def test_equal_parts_are_one_node() -> None:
    encoder = Encoder(SPACE.task)
    encoder.add(parse_concept("(and (some road here) (not (some road here)))"))
    assert len(encoder.nodes) == 5
