"""Problems of unified-planning: its own examples, and what they do not have.

The answers come from unified-planning: the optimum that an example states, its validator of plans, and a breadth-first
search with its simulator. Where pyperplan takes a problem, its A* with LM-cut is asked too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="the package unified-planning is not installed")

from unified_planning.engines import CompilationKind, SequentialSimulatorMixin
from unified_planning.engines.results import ValidationResultStatus
from unified_planning.environment import get_environment
from unified_planning.shortcuts import (
    And,
    BoolType,
    Compiler,
    Exists,
    Fluent,
    Forall,
    Iff,
    InstantaneousAction,
    Int,
    IntType,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    Not,
    Object,
    OneshotPlanner,
    Or,
    PlanValidator,
    Plus,
    Problem,
    SequentialSimulator,
    UserType,
    Variable,
)
from unified_planning.test.examples import get_example_problems

from gpaplan import LRTDP, UsageError, ground, learn, solve
from gpaplan.errors import CostError, InputError, UnsupportedError
from gpaplan.interop.unified_planning import FEATURES, from_unified_planning
from gpaplan.policies.policy import Policy
from gpaplan.ppddl import parse_task, write_domain, write_problem

get_environment().credits_stream = None
EXAMPLES: dict[str, Any] = get_example_problems()
CLASSICAL = sorted(name for name, each in EXAMPLES.items() if each.problem.kind.features <= FEATURES)
OTHERS = sorted(set(EXAMPLES) - set(CLASSICAL))


def shortest(problem: Problem) -> int | None:
    """The length of a shortest plan, by breadth-first search with unified-planning's simulator."""
    with SequentialSimulator(problem) as simulator:
        assert isinstance(simulator, SequentialSimulatorMixin)
        fluents = list(problem.initial_values)

        def key(state: Any) -> tuple[bool, ...]:
            return tuple(state.get_value(each).is_true() for each in fluents)

        layer = [simulator.get_initial_state()]
        seen = {key(layer[0])}
        length = 0
        while layer:
            if any(simulator.is_goal(state) for state in layer):
                return length
            reached = []
            for state in layer:
                for action, arguments in simulator.get_applicable_actions(state):
                    following = simulator.apply(state, action, arguments)
                    if following is not None and key(following) not in seen:
                        seen.add(key(following))
                        reached.append(following)
            layer = reached
            length += 1
    return None


def value_and_length(problem: Problem) -> tuple[float, int]:
    """gpaplan's optimal cost, and the length of a plan that unified-planning found valid."""
    converted = from_unified_planning(problem)
    solution = solve(ground(converted), LRTDP(), heuristic="lmcut")
    assert solution.guarantee == "optimal"
    plan = converted.plan(solution.policy)
    with PlanValidator(problem_kind=problem.kind) as validator:
        assert validator.validate(problem, plan).status == ValidationResultStatus.VALID
    return solution.value, len(plan.actions)


def test_there_are_examples_of_both_kinds() -> None:
    assert len(CLASSICAL) > 15
    assert len(OTHERS) > 30


@pytest.mark.parametrize("name", CLASSICAL)
def test_examples_have_optimal_plans(name: str) -> None:
    example = EXAMPLES[name]
    value, length = value_and_length(example.problem)
    if example.problem.quality_metrics:
        assert value == pytest.approx(float(example.optimum))
    else:
        assert value == length == shortest(example.problem)


@pytest.mark.parametrize("name", CLASSICAL)
def test_conversions_are_ppddl(name: str) -> None:
    converted = from_unified_planning(EXAMPLES[name].problem)
    again = parse_task(write_domain(converted.domain) + write_problem(converted.problem))
    assert (again.domain, again.problem) == (converted.domain, converted.problem)
    # the library's writer does not always name what it uses
    assert all("the requirement" in each.message for each in again.warnings)


@pytest.mark.parametrize("name", [name for name in CLASSICAL if "hierarchical_blocks_world" in name])
def test_pyperplan_finds_plans_of_the_same_length(name: str) -> None:
    pytest.importorskip("up_pyperplan", reason="the package up-pyperplan is not installed")
    problem = EXAMPLES[name].problem
    if "EXISTENTIAL_CONDITIONS" in problem.kind.features:
        pytest.skip("pyperplan takes no existential conditions")
    with OneshotPlanner(name="pyperplan", params={"search": "astar", "heuristic": "lmcut"}) as planner:
        plan = planner.solve(problem).plan
    assert value_and_length(problem)[0] == len(plan.actions)


@pytest.mark.parametrize("name", OTHERS)
def test_other_examples_are_refused_by_name(name: str) -> None:
    problem = EXAMPLES[name].problem
    if not isinstance(problem, Problem):
        with pytest.raises(UsageError, match=type(problem).__name__):
            from_unified_planning(problem)
        return
    with pytest.raises(UnsupportedError) as caught:
        from_unified_planning(problem)
    missing = sorted(problem.kind.features - FEATURES)
    assert [feature in finding.message for feature, finding in zip(missing, caught.value.diagnostics, strict=True)] == [
        True for _ in missing
    ]


def test_a_compiler_of_unified_planning_removes_what_is_refused() -> None:
    problem = EXAMPLES["robot_fluent_of_user_type"].problem
    with pytest.raises(UnsupportedError, match="USERTYPE_FLUENTS_REMOVING"):
        from_unified_planning(problem)
    with Compiler(problem_kind=problem.kind, compilation_kind=CompilationKind.USERTYPE_FLUENTS_REMOVING) as compiler:
        compiled = compiler.compile(problem, CompilationKind.USERTYPE_FLUENTS_REMOVING).problem
    value, length = value_and_length(compiled)
    assert value == length == shortest(compiled)


# --- what the examples do not have ---


def lamps(count: int = 3) -> Problem:
    """A switch inverts all lamps that are not broken; another action makes a lamp what a second one is."""
    lamp = UserType("Lamp")
    on, broken = Fluent("on", BoolType(), lamp=lamp), Fluent("Broken", BoolType(), lamp=lamp)
    every, other = Variable("lamp", lamp), Variable("Lamp", lamp)
    invert = InstantaneousAction("invert")
    invert.add_effect(on(every), Not(on(every)), Not(broken(every)), forall=[every])
    copy = InstantaneousAction("copy", source=lamp, target=lamp)
    copy.add_precondition(Not(Iff(on(copy.source), on(copy.target))))
    copy.add_effect(on(copy.target), on(copy.source))
    problem = Problem("lamps")
    problem.add_fluent(on, default_initial_value=False)
    problem.add_fluent(broken, default_initial_value=False)
    problem.add_actions([invert, copy])
    objects = [Object(f"lamp {index}", lamp) for index in range(count)]
    problem.add_objects(objects)
    problem.set_initial_value(broken(objects[0]), True)
    problem.set_initial_value(on(objects[1]), True)
    problem.add_goal(Forall(Iff(on(every), Exists(on(other), other)), every))
    problem.add_goal(Or(on(objects[0]), And(on(objects[1]), broken(objects[1]))))
    return problem


@pytest.mark.parametrize("count", [2, 3, 4])
def test_assignments_of_formulas_and_quantified_effects(count: int) -> None:
    problem = lamps(count)
    value, length = value_and_length(problem)
    assert value == length == shortest(problem)


def test_names_are_told_apart() -> None:
    """Case, blanks, digits in front, and words of the language."""
    thing = UserType("object")
    other = UserType("not")
    problem = Problem("Names!")
    upper, lower = Fluent("P", BoolType(), X=thing, x=thing), Fluent("p", BoolType())
    act = InstantaneousAction("and", X=thing, x=thing)
    act.add_effect(upper(act.X, act.x), True)
    second = InstantaneousAction("2nd step")
    first_object, second_object = Object("A b", thing), Object("a-b", thing)
    second.add_precondition(upper(first_object, second_object))
    second.add_effect(lower, True)
    problem.add_fluents(
        [upper, lower],
    )
    for fluent in (upper, lower):
        problem.fluents_defaults[fluent] = problem.environment.expression_manager.FALSE()
    problem.add_actions([act, second])
    problem.add_objects([first_object, second_object, Object("c", other)])
    problem.add_goal(lower)
    converted = from_unified_planning(problem)
    again = parse_task(write_domain(converted.domain) + write_problem(converted.problem))
    assert (again.domain, again.problem) == (converted.domain, converted.problem)
    assert value_and_length(problem) == (2, 2)
    assert shortest(problem) == 2


def chain(length: int) -> Problem:
    place = UserType("Place")
    at, step = Fluent("at", BoolType(), place=place), Fluent("step", BoolType(), a=place, b=place)
    move = InstantaneousAction("move", a=place, b=place)
    move.add_precondition(And(at(move.a), step(move.a, move.b)))
    move.add_effect(at(move.a), False)
    move.add_effect(at(move.b), True)
    problem = Problem(f"chain-{length}")
    problem.add_fluent(at, default_initial_value=False)
    problem.add_fluent(step, default_initial_value=False)
    problem.add_action(move)
    places = [Object(f"p{index}", place) for index in range(length + 1)]
    problem.add_objects(places)
    problem.set_initial_value(at(places[0]), True)
    for a, b in pairwise(places):
        problem.set_initial_value(step(a, b), True)
    problem.add_goal(at(places[-1]))
    return problem


def test_problems_of_one_domain_are_learned_from() -> None:
    small = [from_unified_planning(chain(length)) for length in (2, 3)]
    assert small[0].domain == small[1].domain
    solutions = [solve(ground(each), LRTDP(), heuristic="lmcut") for each in small]
    automaton = learn(small[0].domain, solutions)
    large = solve(ground(from_unified_planning(chain(9))), LRTDP(), automaton=automaton)
    assert large.value == 9


def test_costs() -> None:
    problem = chain(3)
    (move,) = problem.actions
    problem.add_quality_metric(MinimizeActionCosts({move: Int(4)}))
    assert value_and_length(problem) == (12, 3)
    problem.clear_quality_metrics()
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    assert value_and_length(problem) == (3, 3)
    problem.clear_quality_metrics()
    problem.add_quality_metric(MinimizeActionCosts({}, default=Int(0)))
    with pytest.raises(CostError, match="costs 0"):
        ground(from_unified_planning(problem))


def test_costs_that_are_refused() -> None:
    problem = chain(2)
    (move,) = problem.actions
    problem.add_quality_metric(MinimizeActionCosts({}))
    with pytest.raises(UnsupportedError, match="an action without a cost"):
        from_unified_planning(problem)
    problem.clear_quality_metrics()
    toll = Fluent("toll", IntType(), a=UserType("Place"))
    problem.add_fluent(toll, default_initial_value=3)
    problem.add_quality_metric(MinimizeActionCosts({move: Plus(toll(move.a), 1)}))
    with pytest.raises(InputError, match=r"total-cost|number"):
        from_unified_planning(problem)
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    with pytest.raises(UnsupportedError, match="more than one quality metric"):
        from_unified_planning(problem)


def test_a_policy_that_does_not_lead_to_the_goal_is_no_plan() -> None:
    converted = from_unified_planning(chain(2))
    task = ground(converted)
    with pytest.raises(UsageError, match="does not lead to the goal"):
        converted.plan(Policy(task, {task.initial_state: None}))
