"""The reference interpreter against cases worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from gpaplan.ppddl import parse_task
from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Constant,
    Delete,
    Domain,
    Effect,
    EffectOutcome,
    Equals,
    ForAllEffect,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Not,
    Number,
    Or,
    Predicate,
    Probabilistic,
    Problem,
    Schema,
    TypeDeclaration,
    TypedName,
    Variable,
    When,
)
from tests.examples import examples
from tests.paths import DOMAINS
from tests.reference import Interpreter, State
from tests.strategies import MOST_OUTCOMES, tasks

P, Q, R = Atom("p"), Atom("q"), Atom("r")
TRUTH = And()


def chance(*outcomes: tuple[str, Effect]) -> Probabilistic:
    return Probabilistic(tuple(EffectOutcome(Fraction(probability), effect) for probability, effect in outcomes))


def both(*effects: Effect) -> AndEffect:
    return AndEffect(effects)


def propositional(
    effect: Effect, *init: Atom, precondition: Formula = TRUTH, goal: Formula | None = None
) -> Interpreter:
    """A task with three atoms and one action."""
    predicates = tuple(Predicate(name) for name in "pqr")
    domain = Domain("three-atoms", predicates=predicates, schemas=(Schema("act", (), precondition, effect),))
    return Interpreter(domain, Problem("one-action", "three-atoms", init=init, goal=goal))


def successors(interpreter: Interpreter) -> dict[str, str]:
    """The transitions of ``act`` from the initial state, as ``{"pq": "1/3"}``."""
    found = interpreter.transitions(interpreter.initial_state(), ("act", ()))
    return {"".join(sorted(name for (name,) in state)): str(probability) for state, probability in found.items()}


class TestEffects:
    def test_an_atom_both_deleted_and_added_is_true(self) -> None:
        assert successors(propositional(both(Add(P), Delete(P)))) == {"p": "1"}
        assert successors(propositional(both(Delete(P), Add(P)), P)) == {"p": "1"}

    def test_deletes_come_first_across_independent_choices(self) -> None:
        effect = both(chance(("1/2", Add(P))), chance(("1/2", Delete(P))))
        assert successors(propositional(effect, P)) == {"p": "3/4", "": "1/4"}

    def test_conditions_see_the_state_before(self) -> None:
        swap = both(
            When(P, both(Delete(P), Add(Q))),
            When(Q, both(Delete(Q), Add(P))),
        )
        assert successors(propositional(swap, P)) == {"q": "1"}
        assert successors(propositional(swap, Q)) == {"p": "1"}
        assert successors(propositional(swap, P, Q)) == {"pq": "1"}

    def test_a_condition_inside_an_outcome_sees_the_state_before(self) -> None:
        effect = both(Add(P), chance(("1/2", When(P, Add(Q)))))
        assert successors(propositional(effect)) == {"p": "1"}
        assert successors(propositional(effect, P)) == {"p": "1/2", "pq": "1/2"}

    def test_the_missing_probability_changes_nothing(self) -> None:
        assert successors(propositional(chance(("1/3", Add(P)), ("1/4", Add(Q))))) == {
            "p": "1/3",
            "q": "1/4",
            "": "5/12",
        }

    def test_impossible_outcomes_have_no_successor(self) -> None:
        assert successors(propositional(chance(("0", Add(P)), ("1", Add(Q))))) == {"q": "1"}

    def test_choices_in_one_conjunction_are_independent(self) -> None:
        effect = both(chance(("1/2", Add(P))), chance(("1/3", Add(Q))), Add(R))
        assert successors(propositional(effect)) == {"r": "1/3", "pr": "1/3", "qr": "1/6", "pqr": "1/6"}

    def test_a_choice_within_a_choice(self) -> None:
        effect = chance(("1/2", both(Add(P), chance(("1/3", Add(Q)), ("1/3", Add(R))))), ("1/4", Add(Q)))
        assert successors(propositional(effect)) == {"p": "1/6", "pq": "1/6", "pr": "1/6", "q": "1/4", "": "1/4"}

    def test_identical_successors_are_merged_and_outcomes_are_not(self) -> None:
        interpreter = propositional(chance(("1/4", Add(P)), ("1/4", both(Add(P), Delete(Q))), ("1/2", Add(Q))))
        start = interpreter.initial_state()
        assert successors(interpreter) == {"p": "1/2", "q": "1/2"}
        assert [str(outcome[0]) for outcome in interpreter.outcomes(start, ("act", ()))] == ["1/4", "1/4", "1/2"]

    def test_no_effect_stays(self) -> None:
        assert successors(propositional(both(), P)) == {"p": "1"}


class TestQuantities:
    def test_changes_add_up_over_each_outcome(self) -> None:
        effect = both(
            Change("decrease", "reward", Number(Fraction(1))),
            Change("increase", "total-cost", Number(Fraction(3))),
            chance(("1/5", both(Add(P), Change("increase", "reward", Number(Fraction(5, 2)))))),
        )
        interpreter = propositional(effect)
        assert interpreter.outcomes(frozenset(), ("act", ())) == [
            (Fraction(1, 5), frozenset({("p",)}), Fraction(3, 2), Fraction(3)),
            (Fraction(4, 5), frozenset(), Fraction(-1), Fraction(3)),
        ]

    def test_amounts_from_static_functions(self) -> None:
        amount = FunctionTerm("weight", (Variable("?x"),))
        domain = Domain(
            "weights", schemas=(Schema("lift", (TypedName("?x"),), And(), Change("increase", "total-cost", amount)),)
        )
        values = tuple(
            FunctionValue(FunctionTerm("weight", (Constant(name),)), Fraction(weight))
            for name, weight in (("a", 2), ("b", 7))
        )
        problem = Problem("two", "weights", objects=(TypedName("a"), TypedName("b")), values=values)
        interpreter = Interpreter(domain, problem)
        costs = [interpreter.outcomes(frozenset(), action)[0][3] for action in interpreter.applicable(frozenset())]
        assert costs == [2, 7]


def typed_task(parameter: TypedName, effect: Effect | None = None) -> Interpreter:
    """Constant c, objects a, b, d; types: bird and fish are animals, a penguin is both, d is of no type."""
    types = (
        TypeDeclaration("animal"),
        TypeDeclaration("bird", ("animal",)),
        TypeDeclaration("fish", ("animal",)),
        TypeDeclaration("penguin", ("bird", "fish")),
    )
    marked = Atom("marked", (Variable(parameter.name),))
    schemas = (Schema("act", (parameter,), Not(marked), Add(marked)), Schema("all", (), And(), effect or both()))
    domain = Domain(
        "zoo", (), types, (TypedName("c", ("penguin",)),), (Predicate("marked", (TypedName("?x"),)),), (), schemas
    )
    objects = (TypedName("a", ("bird",)), TypedName("b", ("fish",)), TypedName("d"))
    return Interpreter(domain, Problem("zoo-1", "zoo", objects=objects))


class TestTypes:
    @pytest.mark.parametrize(
        ("types", "members"),
        [
            (("object",), "cabd"),
            (("animal",), "cab"),
            (("bird",), "ca"),
            (("fish",), "cb"),
            (("penguin",), "c"),
            (("penguin", "fish"), "cb"),
            (("bird", "fish"), "cab"),
        ],
    )
    def test_parameters_range_over_subtypes_constants_first(self, types: tuple[str, ...], members: str) -> None:
        interpreter = typed_task(TypedName("?x", types))
        actions = interpreter.applicable(interpreter.initial_state())
        assert actions == [*(("act", (name,)) for name in members), ("all", ())]

    def test_a_universal_effect_changes_every_member(self) -> None:
        marked = Atom("marked", (Variable("?y"),))
        interpreter = typed_task(TypedName("?x"), ForAllEffect((TypedName("?y", ("bird",)),), Add(marked)))
        expected: State = frozenset({("marked", "c"), ("marked", "a")})
        assert interpreter.transitions(frozenset(), ("all", ())) == {expected: 1}

    def test_a_universal_effect_makes_independent_copies_of_a_choice(self) -> None:
        marked = Atom("marked", (Variable("?y"),))
        effect = ForAllEffect((TypedName("?y", ("fish",)),), chance(("1/3", Add(marked))))
        found = typed_task(TypedName("?x"), effect).transitions(frozenset(), ("all", ()))
        assert {len(state): probability for state, probability in found.items()} == {
            0: Fraction(4, 9),
            1: Fraction(2, 9),
            2: Fraction(1, 9),
        }
        assert len(found) == 4


class TestFormulas:
    @pytest.mark.parametrize(
        ("formula", "truth"),
        [
            (And(), True),
            (Or(), False),
            (P, True),
            (Q, False),
            (Not(Q), True),
            (And((P, Q)), False),
            (Or((P, Q)), True),
            (Imply(P, Q), False),
            (Imply(Q, P), True),
            (Equals(Constant("a"), Constant("a")), True),
            (Equals(Constant("a"), Constant("b")), False),
        ],
    )
    def test_connectives_in_the_state_with_only_p(self, formula: Formula, truth: bool) -> None:
        interpreter = propositional(both(), P, precondition=formula, goal=formula)
        assert interpreter.is_goal(interpreter.initial_state()) is truth
        assert bool(interpreter.applicable(interpreter.initial_state())) is truth

    def test_without_a_goal_no_state_is_a_goal_state(self) -> None:
        assert not propositional(both()).is_goal(frozenset())


@pytest.mark.parametrize(
    ("file", "problem_name", "states", "pairs", "goals"),
    [
        ("conditional", None, 5, 4, 1),
        ("constants", None, 8, 10, 1),
        ("dead-end", None, 4, 3, 1),
        ("disjunctive", None, 6, 8, 2),
        ("either-types", None, 9, 22, 1),
        ("empty-precondition", None, 2, 3, 1),
        ("imply-quantified", None, 4, 4, 1),
        ("metric-cost", None, 3, 3, 1),
        ("nested-probabilistic", None, 6, 4, 2),
        ("no-goal", None, 2, 2, 0),
        ("two-problems", "short", 2, 1, 1),
        ("two-problems", "long", 4, 3, 1),
        ("universal-effect", None, 8, 7, 1),
    ],
)
def test_the_tiny_domains(file: str, problem_name: str | None, states: int, pairs: int, goals: int) -> None:
    text = (DOMAINS / f"{file}.ppddl").read_text(encoding="utf-8")
    task = parse_task(text, problem_name=problem_name)
    assert len(task.warnings) == (task.problem.goal is None)
    interpreter = Interpreter(task.domain, task.problem)
    reached = interpreter.explore(1000)
    assert len(reached) == states
    assert sum(len(interpreter.applicable(state)) for state in reached if not interpreter.is_goal(state)) == pairs
    assert sum(map(interpreter.is_goal, reached)) == goals


@examples(35)
@given(tasks())
def test_probabilities_sum_to_one_on_random_tasks(task: tuple[Domain, Problem]) -> None:
    interpreter = Interpreter(*task)
    for state in interpreter.explore(5):
        for action in interpreter.applicable(state):
            transitions = interpreter.transitions(state, action)
            assert sum(transitions.values()) == 1
            assert min(transitions.values()) > 0
            assert len(interpreter.outcomes(state, action)) <= MOST_OUTCOMES
