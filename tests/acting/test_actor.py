"""Actors: what they decide, that they get there, and that they avoid what they see."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, strategies as st

from gpaplan import (
    GroundTask,
    LimitError,
    Limits,
    Policy,
    PolicyAutomaton,
    RuleFilter,
    SSiPP,
    StateSpace,
    UsageError,
    ground,
    learn,
    load,
    solve,
)
from gpaplan.acting.actor import Actor, Decision
from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from tests.examples import examples
from tests.paths import DOMAINS
from tests.policy_automata import learned, random_automaton
from tests.properties.test_automaton import explored
from tests.strategies import tasks

RING = """
(define (domain ring)
  (:requirements :typing :probabilistic-effects)
  (:types place)
  (:predicates (at ?p - place) (road ?from ?to - place) (exit ?p - place) (out))
  (:action drive :parameters (?from ?to - place) :precondition (and (at ?from) (road ?from ?to))
    :effect (probabilistic 9/10 (and (not (at ?from)) (at ?to))))
  (:action leave :parameters (?p - place) :precondition (and (at ?p) (exit ?p))
    :effect (and (not (at ?p)) (out))))
"""


def ring(size: int, goal: str) -> GroundTask:
    """One-way streets round a ring, which can be left in one place."""
    places = " ".join(f"p{i}" for i in range(size))
    roads = " ".join(f"(road p{i} p{(i + 1) % size})" for i in range(size))
    problem = f"""(define (problem ring-{size}) (:domain ring) (:objects {places} - place)
      (:init (at p0) (exit p{size // 2}) {roads}) (:goal {goal}))"""
    return load(RING + problem)


def task_of(name: str, *theta: int) -> GroundTask:
    files = generate(name, *theta)
    return ground(files.domain, files.problem)


def run(task: GroundTask, actor: Actor, most: int, seed: int = 0) -> tuple[list[Decision], float]:
    """Act until nothing is to be done or for so many steps; the decisions, and what they cost."""
    choose = random.Random(seed)
    space = StateSpace(task)
    state, cost = space.initial, 0.0
    decisions: list[Decision] = []
    actor.begin()
    while len(decisions) < most:
        decisions.append(actor.decide(space.atoms(state)))
        action = decisions[-1].action
        if action is None:
            break
        taken = next(each for each in space.transitions(state) if each.action == action)
        cost += taken.cost
        weights = [outcome.probability for outcome in taken.outcomes]
        state = choose.choices([outcome.state for outcome in taken.outcomes], weights)[0]
    return decisions, cost


def test_an_automaton_that_leads_in_circles_is_given_up() -> None:
    """It keeps driving on, was learned for goals on the ring, and the ring is longer than what is looked at."""
    automaton = learn(ring(6, "(at p5)").domain, [solve(ring(6, "(at p5)"))])
    task = ring(40, "(out)")
    space = ConstrainedStateSpace(task, automaton, match="coarse")
    assert all(each.action.schema == "drive" for each in space.transitions(space.initial))
    actor = Actor(task, automaton, solver=SSiPP(steps=2, max_states=4), heuristic="blind")
    decisions, _ = run(task, actor, 20_000)
    assert decisions[-1].source == "goal"
    assert any(each.source == "search" and "does not help" in each.reason for each in decisions)


def test_a_heuristic_that_leads_astray_is_learned_away() -> None:
    """Where the way out seems nearest one cannot get on, and the values learned on the way say so."""
    task = ring(30, "(out)")
    actor = Actor(task, heuristic=lambda atoms: 1.0 if any(a.arguments == ("p3",) for a in atoms) else 50.0)
    decisions, _ = run(task, actor, 20_000)
    assert decisions[-1].source == "goal"


STREETS = """
(define (domain streets)
  (:requirements :typing :probabilistic-effects)
  (:types place)
  (:predicates (at ?p - place) (street ?from ?to - place) (icy ?p - place))
  (:action drive :parameters (?from ?to - place) :precondition (and (at ?from) (street ?from ?to))
    :effect (probabilistic 3/4 (and (not (at ?from)) (at ?to))))
  (:action skid :parameters (?from ?to ?other - place)
    :precondition (and (at ?from) (icy ?from) (street ?from ?to) (street ?from ?other))
    :effect (and (not (at ?from)) (probabilistic 1/2 (at ?to) 1/2 (at ?other)))))
"""


def streets(size: int, seed: int) -> GroundTask:
    """One-way streets on which every place can be reached from every other."""
    choose = random.Random(seed)
    order = list(range(size))
    choose.shuffle(order)
    pairs = set(zip(order, order[1:] + order[:1], strict=True))
    pairs |= {tuple(choose.sample(range(size), 2)) for _ in range(size)}  # type: ignore[misc]
    roads = " ".join(f"(street p{a} p{b})" for a, b in sorted(pairs))
    icy = " ".join(f"(icy p{place})" for place in range(size) if choose.random() < 0.3)
    names = " ".join(f"p{place}" for place in range(size))
    return load(
        f"{STREETS} (define (problem streets-{size}) (:domain streets) (:objects {names} - place)"
        f" (:init (at p{order[0]}) {roads} {icy}) (:goal (at p{order[-1]})))"
    )


@examples(60)
@given(
    st.integers(3, 14),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([0.0, 0.05, 0.2, 0.6, 1.0]),
    st.integers(1, 3),
    st.sampled_from(["ff", "blind", "hadd"]),
)
def test_without_dead_ends_the_goal_is_reached_whatever_the_automaton(
    size: int, seed: int, goals: bool, share: float, steps: int, heuristic: str
) -> None:
    """Also if nothing can be solved ahead, because every look ahead is cut short."""
    task = streets(size, seed)
    automaton = random_automaton(explored(task), goals, share, seed)
    actor = Actor(task, automaton, solver=SSiPP(steps=steps, max_states=2 * steps), heuristic=heuristic, seed=seed)
    decisions, _ = run(task, actor, 20_000, seed)
    assert decisions[-1].source == "goal"


@examples(80)
@given(tasks(), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 1000))
def test_a_dead_end_that_can_be_seen_is_not_walked_into(pair: tuple[Domain, Problem], share: float, seed: int) -> None:
    """If some action leads somewhere else, and surely to no state that the heuristic knows to be a dead end, the one
    taken does not lead to one either, whatever the automaton says; and where an actor says that there is no way to the
    goal there is none."""
    task = ground(*pair, cost="unit")
    space = explored(task)
    automaton = random_automaton(space, False, share, seed)
    actor = Actor(task, automaton, solver=SSiPP(steps=1, max_states=1), symmetry="off", seed=seed)
    hopeless = hopeless_states(space)
    for state in range(len(space)):
        if space.is_goal(state):
            continue
        actor.begin()
        atoms = space.atoms(state)
        decision = actor.decide(atoms)
        if decision.source == "dead-end":
            assert state in hopeless
            continue
        assert decision.action is not None
        risky = {
            each.action: any(math.isinf(_estimate(actor, space.atoms(outcome.state))) for outcome in each.outcomes)
            for each in space.transitions(state)
            if any(outcome.state != state for outcome in each.outcomes)
        }
        if not all(risky.values()):
            assert not risky.get(decision.action, False)


def test_waiting_for_ever_is_no_way_round_a_risk() -> None:
    """The only action without a risk changes nothing: the one that may lead to the goal is taken, and says its risk."""
    domain = """
        (define (domain leap) (:requirements :strips :probabilistic-effects)
          (:predicates (leapt) (across))
          (:action wait :parameters () :precondition (not (leapt)) :effect (not (leapt)))
          (:action leap :parameters () :precondition (not (leapt))
            :effect (and (leapt) (probabilistic 1/2 (across)))))"""
    task = load(domain, "(define (problem ditch) (:domain leap) (:init) (:goal (across)))")
    decision = Actor(task, solver=SSiPP(steps=1, max_states=1), symmetry="off").decide(frozenset())
    assert decision.action is not None
    assert decision.action.schema == "leap"
    assert decision.risk == pytest.approx(0.5, abs=1e-3)


def _estimate(actor: Actor, atoms: frozenset[object]) -> float:
    from gpaplan._core import Search
    from gpaplan.solving.heuristics import make_heuristic

    space = StateSpace(actor.task)
    heuristic = make_heuristic("ff", actor.task)
    search = Search(space=space.core, heuristic=heuristic, epsilon=1e-5, dead_end_cost=math.inf, seed=0)
    return search.value(space.state(atoms))  # type: ignore[arg-type]


def hopeless_states(space: StateSpace) -> set[int]:
    alive = {state for state in range(len(space)) if space.is_goal(state)}
    changed = True
    while changed:
        changed = False
        for state in set(range(len(space))) - alive:
            outcomes = (o for _, _, found in space.core.transitions(state) for _, o in found)
            if any(outcome in alive for outcome in outcomes):
                alive.add(state)
                changed = True
    return set(range(len(space))) - alive


def test_what_decides_is_said() -> None:
    task = task_of("gripper", 3)
    space = StateSpace(task)
    solution = solve(task, symmetry="off")
    start = space.atoms(space.initial)
    by_policy = Actor(task, policy=solution.policy).decide(start)
    assert (by_policy.source, by_policy.action) == ("policy", solution.policy.action(start))
    by_automaton = Actor(task, learned("gripper", 1, 2, 3)).decide(map(str, start))
    assert (by_automaton.source, by_automaton.matched) == ("automaton", "strict")
    assert by_automaton.action is not None
    assert by_automaton.action.schema == "pick"
    by_search = Actor(task).decide(start)
    assert (by_search.source, by_search.matched) == ("search", None)
    assert by_search.looked_at > 1
    assert by_search.value is not None
    empty = PolicyAutomaton.empty(task.domain)
    assert "keeps nothing" in Actor(task, empty).decide(start).reason
    goal = [
        atom if "room-a" not in atom.arguments else atom._replace(arguments=(atom.arguments[0], "room-b"))
        for atom in start
        if atom.predicate == "ball-in"
    ]
    at_goal = Actor(task).decide([*goal, *(atom for atom in start if atom.predicate != "ball-in")])
    assert (at_goal.source, at_goal.action) == ("goal", None)


def test_a_policy_that_gives_up_is_followed() -> None:
    task = load(DOMAINS / "dead-end.ppddl")
    solution = solve(task, dead_end_cost=0.5)
    decision = Actor(task, policy=solution.policy).decide(StateSpace(task).atoms(0))
    assert (decision.source, decision.action) == ("give-up", None)
    assert Actor(task, dead_end_cost=0.5).decide(StateSpace(task).atoms(0)).source == "give-up"


def test_a_policy_up_to_symmetry_decides_for_every_state() -> None:
    task = task_of("gripper", 6)
    policy = solve(task).policy
    assert policy.symmetry is not None
    decisions, cost = run(task, Actor(task, policy=policy), 1000)
    assert {each.source for each in decisions} == {"policy", "goal"}
    assert cost >= 18


SIZES: dict[str, tuple[list[tuple[int, ...]], tuple[int, ...]]] = {
    "gripper": ([(1,), (2,), (3,)], (7,)),
    "rover": ([(1, 3, 2, 2), (1, 3, 3, 2)], (1, 3, 6, 2)),
    "schedule": ([(1, 2), (1, 3), (1, 4)], (1, 6)),
    "delicate-can": ([(2,), (3,), (4,)], (6,)),
    "keva": ([(3, 1), (5, 2), (7, 3)], (9, 4)),
}
"""Of problems that are learned from, and of one that is acted in."""


@pytest.mark.parametrize("name", SIZES)
def test_acting_costs_what_the_policy_costs(name: str) -> None:
    """Within three standard errors, under an automaton that suffices, looking only three steps ahead."""
    small, large = SIZES[name]
    solved = [solve(task_of(name, *theta), heuristic="lmcut") for theta in small]
    automaton = learn(solved[0].space.task.domain, solved)
    task = task_of(name, *large)
    optimal = solve(task, heuristic="lmcut").value
    actor = Actor(task, automaton, solver=SSiPP(steps=3))
    costs = []
    for seed in range(150):
        decisions, cost = run(task, actor, 10_000, seed)
        assert decisions[-1].source == "goal"
        costs.append(cost)
    mean = math.fsum(costs) / len(costs)
    error = math.sqrt(math.fsum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1) / len(costs))
    assert optimal is not None
    assert abs(mean - optimal) <= 3 * error + 1e-9


def test_memory_is_bounded_and_what_was_visited_is_kept() -> None:
    task = task_of("rover", 1, 3, 4, 2)
    actor = Actor(task, megabytes=0.02, symmetry="off")
    decisions, _ = run(task, actor, 5_000)
    assert decisions[-1].source == "goal"
    free = Actor(task, symmetry="off")
    run(task, free, 5_000)
    assert len(actor._whole.space) < len(free._whole.space)


def test_the_same_seed_gives_the_same_decisions() -> None:
    task = task_of("triangle-tireworld", 3)
    automaton = learned("triangle-tireworld", 1, 2)
    runs = [run(task, Actor(task, automaton, seed=7), 500, 3) for _ in range(2)]
    plain = [[(each.action, each.reason) for each in decisions] for decisions, _ in runs]
    assert plain[0] == plain[1]


def test_an_actor_hurries() -> None:
    """However little work may be done, some action is taken."""
    task = task_of("blocksworld", 6)
    decision = Actor(task, work=1).decide(StateSpace(task).atoms(0))
    assert decision.action is not None
    assert decision.looked_at <= 2


def test_limits_hold_for_all_decisions_together() -> None:
    task = task_of("gripper", 3)
    stop = Limits(seconds=60).start()
    actor = Actor(task, limits=stop)
    stop.interrupt()
    with pytest.raises(LimitError, match="the decision was stopped by an interrupt"):
        run(task, actor, 10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"work": 0}, "work must be a whole number of at least 1, not 0"),
        ({"megabytes": -1}, "megabytes must be a number above 0"),
        ({"dead_end_cost": 0}, "dead_end_cost must be a number above 0"),
        ({"solver": "lrtdp"}, "an actor looks ahead by SSiPP"),
        ({"match": "loose"}, "loose"),
        ({"wrok": 1}, "there is no setting 'wrok';  did you mean 'work'"),
    ],
)
def test_mistakes_are_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Actor(task_of("gripper", 1), learned("gripper", 1), **options)  # type: ignore[arg-type]


def test_a_state_is_matched_with_a_vertex() -> None:
    task = task_of("gripper", 4)
    automaton = learned("gripper", 1, 2, 3)
    space = ConstrainedStateSpace(task, automaton)
    space.transitions(space.initial)
    source = automaton.on(task).table.state(space, space.initial)
    place = space.vertex_of(space.initial)
    assert place is not None
    assert automaton.vertices[place] == source


def test_a_policy_of_another_grounding_is_taken() -> None:
    one, other = task_of("gripper", 2), task_of("gripper", 2)
    policy: Policy = solve(one, symmetry="off").policy
    assert Actor(other, policy=policy).decide(StateSpace(other).atoms(0)).source == "policy"


LINE = """
drive: (nearer ?to ?from exit road)
leave: (is ?p exit)
"""


def test_where_rules_keep_one_action_states_are_hardly_estimated() -> None:
    task = ring(60, "(out)")
    actor = Actor(task, automaton=RuleFilter.of(task.domain, LINE), solver=SSiPP(steps=10, max_states=10))
    for place in range(30):
        decision = actor.decide([f"(at p{place})"])
        assert str(decision.action) == f"(drive p{place} p{place + 1})"
    estimated = [view.search.evaluation_count for view in actor._views]
    assert sum(estimated) <= 10


def test_a_reason_is_found_when_it_is_asked_for() -> None:
    task = ring(6, "(out)")
    actor = Actor(task, automaton=RuleFilter.of(task.domain, LINE))
    decision = actor.decide(["(at p0)"])
    assert callable(decision.why)
    assert decision.reason == decision.to_json()["reason"]
    assert decision.reason.startswith("rule 1: ")
