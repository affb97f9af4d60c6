"""Rule lists on all problems of a class up to a size, against what is known of them and against plain enumeration."""

import random
from itertools import product

import pytest

from gpaplan import LimitError, Limits, UsageError, solve
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.loop import smallest_failure
from gpaplan.ppddl import parse_domain, parse_problem, write_problem
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.proofs.conditions import parse_condition
from gpaplan.proofs.enumeration import VerificationBySize, object_counts, verify_rules
from gpaplan.proofs.examples import common_conditions, structure_of
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.concepts_reference import Reference
from tests.paths import ROOT
from tests.reference import Interpreter, State

RULES = ROOT / "tests" / "regression" / "reproducers"


def rule_file(name: str) -> RuleList:
    return RuleList.parse((RULES / f"{name}.rules").read_text(encoding="utf-8"))


def examples(name: str, *thetas: tuple[int, ...]) -> tuple[Domain, list[Problem]]:
    tasks = [generate(name, *theta) for theta in thetas]
    return tasks[0].domain, [each.problem for each in tasks]


def verified(rules: RuleList, domain: Domain, problems: list[Problem], **sizes: int) -> VerificationBySize:
    least, most = object_counts(domain, problems, {name.replace("all_", ""): count for name, count in sizes.items()})
    return verify_rules(rules, domain, common_conditions(domain, problems), most=most, least=least)


TOWERS = [(3, seed) for seed in range(6)] + [(5, 1)]


def test_the_first_list_for_towers_fails_with_five_blocks_and_not_with_four() -> None:
    domain, problems = examples("blocksworld-towers", *TOWERS)
    result = verified(rule_file("blocksworld-towers"), domain, problems, block=5)
    assert result.sizes == [{"block": 3}, {"block": 4}, {"block": 5}]
    assert (result.at_failure, result.random.failing, result.any.failing) == (7 * 500, 18, 25)
    assert result.random.first is not None
    assert result.random.first.kind == "stuck"
    assert "keeps no action" in result.random.first.reason


@pytest.mark.parametrize(
    ("family", "thetas", "sizes"),
    [("blocksworld-towers", TOWERS, {"block": 5}), ("schedule", [(1, 1), (1, 2), (2, 2), (2, 3)], {"packet": 3})],
)
def test_the_lists_that_were_learned_again_do_not_fail(
    family: str, thetas: list[tuple[int, ...]], sizes: dict[str, int]
) -> None:
    domain, problems = examples(family, *thetas)
    text = (ROOT / "docs" / "results" / "relearned" / f"{family}.rules").read_text(encoding="utf-8")
    result = verified(RuleList.parse(text), domain, problems, **sizes)
    assert result.problems > 3
    assert result.any.failing == 0


def test_the_first_list_for_schedule_fails_with_two_classes() -> None:
    domain, problems = examples("schedule", (1, 1), (1, 2), (2, 2), (2, 3))
    rules = RuleList.parse("tick: (empty pending)\nserve:\nprocess-arrival:\nserve-nothing:")
    assert verified(rules, domain, problems, packet=3).random.failing > 0


def test_the_list_for_one_tower_is_right_there_and_fails_on_other_towers_of_three_blocks() -> None:
    domain, problems = examples("blocksworld", (3,), (4,))
    assert verified(rule_file("blocksworld"), domain, problems, block=6).any.failing == 0
    _, towers = examples("blocksworld-towers", *TOWERS)
    result = verified(rule_file("blocksworld"), domain, towers, block=3)
    assert result.random.failing > 0


def test_delivery_is_fine_under_random_choice_and_loops_under_an_adversary() -> None:
    thetas = [(1, 3, 1, 1, 0), (1, 4, 2, 1, 0), (2, 5, 2, 1, 1), (3, 4, 3, 2, 2), (4, 6, 3, 2, 3), (1, 5, 2, 0, 4)]
    domain, problems = examples("delivery", *thetas)
    result = verified(rule_file("delivery"), domain, problems, place=4, parcel=1)
    assert result.random.failing == 0
    assert result.any.first is not None
    assert result.any.first.kind == "loop"


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_trying_every_problem_one_by_one(seed: int) -> None:
    """Random rule lists for a small domain, all of whose problems are written down one by one."""
    domain = parse_domain(SWITCHES)
    rng = random.Random(seed)
    pool = [
        "on: (is ?x !lit/1)", "on:", "off: (not (is ?x @lit/1))", "off:", "pass: (is ?y !lit/1)", "pass: jammed",
        "pass: (related ?x ?y wire), (not jammed)", "free:",
    ]  # fmt: skip
    rules = RuleList.parse("\n".join(rng.sample(pool, 3)))
    conditions = [parse_condition("(not (@jammed))", domain)]
    found = verify_rules(rules, domain, conditions, most={"lamp": 2}, least={"lamp": 2})
    any_failing = random_failing = count = 0
    for problem in two_lamps(domain):
        fails_any, fails_random = by_hand(domain, problem, rules)
        count, any_failing, random_failing = count + 1, any_failing + fails_any, random_failing + fails_random
    # two problems that differ by the names of the lamps are looked at once
    assert count / 2 <= found.problems <= count
    assert any_failing / 2 <= found.any.failing <= any_failing
    assert random_failing / 2 <= found.random.failing <= random_failing
    for verdict in (found.any, found.random):
        if verdict.first is not None:
            again = parse_problem(domain, write_problem(verdict.first.problem))
            assert by_hand(domain, again, rules)[verdict is found.random]


SWITCHES = """(define (domain switches) (:requirements :typing :probabilistic-effects :negative-preconditions)
  (:types lamp) (:predicates (lit ?x - lamp) (wire ?x ?y - lamp) (jammed))
  (:action on :parameters (?x - lamp) :precondition (and (not (lit ?x)) (not (jammed)))
    :effect (probabilistic 1/2 (lit ?x) 1/4 (jammed)))
  (:action off :parameters (?x - lamp) :precondition (lit ?x) :effect (not (lit ?x)))
  (:action free :precondition (jammed) :effect (probabilistic 1/2 (not (jammed))))
  (:action pass :parameters (?x ?y - lamp) :precondition (and (lit ?x) (wire ?x ?y))
    :effect (and (lit ?y) (probabilistic 1/2 (not (lit ?x))))))"""


def two_lamps(domain: Domain) -> list[Problem]:
    wires = ["(wire a a)", "(wire a b)", "(wire b a)", "(wire b b)"]
    init = [*wires, "(lit a)", "(lit b)", "(jammed)"]
    found = []
    for held, asked in product(product([0, 1], repeat=len(init)), product([0, 1], repeat=2)):
        facts = " ".join(text for text, holds in zip(init, held, strict=True) if holds)
        goal = " ".join(text for text, holds in zip(["(lit a)", "(lit b)"], asked, strict=True) if holds)
        text = f"(define (problem p) (:domain switches) (:objects a b - lamp) (:init {facts}) (:goal (and {goal})))"
        found.append(parse_problem(domain, text))
    return found


def by_hand(domain: Domain, problem: Problem, rules: RuleList) -> tuple[bool, bool]:
    """Whether a list fails under any and under random choice, from the definitions, with the reference interpreters."""
    interpreter = Interpreter(domain, problem)
    reference = Reference(ground(domain, problem, relevance=False))
    graph: dict[State, list[set[State]]] = {}
    rest = [interpreter.initial_state()]
    while rest:
        state = rest.pop()
        if state in graph:
            continue
        graph[state] = []
        if interpreter.is_goal(state):
            continue
        named = frozenset(GroundAtom(atom[0], atom[1:]) for atom in state)
        applicable = [GroundAction(*action) for action in interpreter.applicable(state)]
        _, kept = reference.decide(named, applicable, rules)
        graph[state] = [set(interpreter.transitions(state, (each.schema, each.arguments))) for each in kept]
        rest += [each for outcomes in graph[state] for each in outcomes]
    goals = {state for state in graph if interpreter.is_goal(state)}
    reaching = set(goals)
    while more := {s for s, kept in graph.items() if any(outcomes & reaching for outcomes in kept)} - reaching:
        reaching |= more
    loops = set(graph) - goals
    while out := {s for s in loops if graph[s] and not any(outcomes <= loops for outcomes in graph[s])}:
        loops -= out
    return bool(loops), reaching != set(graph)


def test_conditions_are_read_written_and_checked() -> None:
    domain = generate("delivery", 1, 3, 1, 0, 0).domain
    for text in ["(forall (?c - parcel) (exists (?p - place) (@at ?c ?p)))", "(connected road)", "(not (@empty))"]:
        assert str(parse_condition(text, domain)) == text
    for text, message in [
        ("(exists (?x - place) (at ?x))", "takes 2"),
        ("(connected at ?x)", "unknown predicate"),
        ("(rod a b)", "mean 'road'"),
        ("(vehicle-at ?x)", "unknown variable"),
        ("(forall (?x - plaice) (vehicle-at ?x))", "unknown type"),
        ("(connected empty)", "two arguments"),
        ("(@road a b)", "unknown predicate '@road'"),
    ]:
        with pytest.raises(UsageError, match=message):
            parse_condition(text, domain)


def test_the_class_of_examples_holds_in_each_of_them_and_not_elsewhere() -> None:
    domain, problems = examples("delivery", (1, 4, 2, 1, 0), (2, 5, 2, 1, 1), (3, 4, 3, 2, 2))
    conditions = common_conditions(domain, problems)
    assert "(connected road)" in map(str, conditions)
    assert all(structure_of(domain, each).satisfies(condition) for each in problems for condition in conditions)
    apart = """(define (problem p) (:domain delivery) (:objects a b - place c - parcel)
                 (:init (vehicle-at a) (empty) (at c b)) (:goal (at c a)))"""
    structure = structure_of(domain, parse_problem(domain, apart))
    assert "(connected road)" in [str(each) for each in conditions if not structure.satisfies(each)]


def test_learning_is_told_a_smallest_problem_that_can_be_solved() -> None:
    """A list that only ever clears blocks away builds no tower; one that does nothing fails where there is a way."""
    tasks = [ground(generate("blocksworld-towers", *theta)) for theta in TOWERS]
    idle = RuleList.parse("pick:\nput-down:\n")
    task, words = smallest_failure(idle, tasks, work=10_000_000)
    assert task is not None
    assert words == ""
    assert len(task.objects) <= 3
    assert solve(task).proper
    assert smallest_failure(idle, tasks, work=1) == (None, "")


def test_learning_is_told_what_was_checked() -> None:
    tasks = [ground(generate("gripper", balls)) for balls in (1, 2, 3)]
    rules = RuleList.parse("drop: (related ?b ?r !ball-in)\npick: (not (related ?b ?r @ball-in))\nmove:\n")
    task, words = smallest_failure(rules, tasks, work=10_000_000)
    assert task is None
    assert words.startswith("all ")


def test_a_limit_leaves_what_is_known() -> None:
    """How the list fails, if it does; and if not, on how many problems it does not."""
    domain, problems = examples("blocksworld-towers", *TOWERS)
    conditions, rules = common_conditions(domain, problems), rule_file("blocksworld-towers")

    def after(looks: int) -> VerificationBySize:
        stop = Limits().start()
        stop.strike_after(looks)
        return verify_rules(rules, domain, conditions, most={"block": 5}, least={"block": 3}, limits=stop)

    with pytest.raises(LimitError, match="looking at all problems was stopped by the time limit"):
        after(1)
    with pytest.raises(
        LimitError, match="looking at all problems, after 252 on which the list does not fail, was stop"
    ):
        after(50)
    found = after(200)
    assert (found.stopped, found.sizes[-1]) == ("time", {"block": 5})
    assert 0 < found.any.failing < 25
    assert found.any.first is not None
