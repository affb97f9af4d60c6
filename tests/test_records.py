"""``to_json`` means the same on every class: plain data that ``json.dumps`` takes as it is."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import gpaplan
from gpaplan import (
    Actor,
    DataError,
    Evaluation,
    GroundAction,
    GroundAtom,
    PolicyAutomaton,
    evaluate,
    find_dead_ends,
    find_variables,
    ground,
    grow,
    instances_of_generator,
    learn,
    learn_rules,
    prune,
    record_trials,
    simulate,
    solve,
    validate,
    verify,
)
from gpaplan.acting.trials import simulate_acting
from gpaplan.automata.canonical import AbstractAction, AbstractState
from gpaplan.automata.filters import MATCHES
from gpaplan.benchmarks import generate
from gpaplan.display import plain
from gpaplan.learning.counterexamples import find_counterexample
from gpaplan.ppddl import parse_task
from gpaplan.solving.solution import Matching
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.goal import goal_parts
from tests.paths import ROOT
from tests.public_names import MODULES, named


def results() -> dict[str, Any]:
    """One of each class that has a ``to_json``."""
    task = ground(generate("gripper", 2))
    solution = solve(task, heuristic="lmcut")
    instances = instances_of_generator("schedule", "1", "2..4")
    growth = grow(instances)
    warned = parse_task(ROOT / "tests" / "domains" / "no-goal.ppddl")
    counterexample = find_counterexample(PolicyAutomaton.empty(task.domain), task)
    assert counterexample is not None
    explanation = PolicyAutomaton.empty(task.domain).explain(task, task.initial_state)
    learning = learn_rules(task.domain, [task])
    found = [
        task,
        solution,
        solve(ground(warned)),
        solution.policy,
        learn(task.domain, [solution]),
        evaluate(task, solution.policy),
        verify(task, solution.policy),
        simulate(task, solution.policy, trials=3),
        record_trials(task, solution.policy, trials=3),
        solution.policy.explain(),
        solution.policy.explain().actions[0],
        solution.policy.explain().outcomes[0],
        learn(task.domain, [solution]).explain(task, task.initial_state),
        explanation,
        explanation.pruned[0],
        Actor(task).decide(task.initial_state),
        simulate_acting(task, trials=2),
        growth,
        growth.steps[0],
        *validate(instances[:1], growth.automaton),
        prune(instances, growth.automaton),
        counterexample,
        solve(ground(warned)).reason,
        find_dead_ends(StateSpace(task)),
        *goal_parts(task),
        find_variables(task)[0],
        learning,
        learning.training[0],
        Matching("coarse", 0, {"strict": 3, "counts": 2}, overtaken=False),
        gpaplan.run(task),
        *warned.warnings,
    ]
    return {f"{type(each).__name__}-{place}": each for place, each in enumerate(found)}


RESULTS = results()


@pytest.mark.parametrize("name", RESULTS)
def test_plain_data(name: str) -> None:
    record = RESULTS[name].to_json()
    assert isinstance(record, dict)
    assert json.loads(json.dumps(record, allow_nan=False)) == record, "it is what JSON makes of it"


def test_atoms_actions_and_labels_are_texts() -> None:
    assert plain({"atom": GroundAtom("on", ("a", "b")), "state": frozenset({GroundAtom("q"), GroundAtom("p")})}) == {
        "atom": "(on a b)",
        "state": ["(p)", "(q)"],
    }
    assert plain((GroundAction("move", ("a",)), AbstractAction("move", ()), MATCHES[2])) == [
        "(move a)",
        "move()",
        "counts",
    ]
    assert plain(AbstractState((), ("lit",), ())) == "lit"


def test_every_class_with_to_json_is_tried() -> None:
    classes = {named(name) for name in MODULES}
    tried = {type(each) for each in RESULTS.values()}
    untried = {each.__name__ for each in classes - tried if hasattr(each, "to_json")}
    assert untried <= {
        "Diagnostic",
        "Difference",
        "Instance",
        "RuleFilter",
        "RuleList",
        "RulePolicy",
        "TransitionFilter",
        "TriedProblem",
        *("AbstractAction", "AbstractState", "GroundAction", "GroundAtom", "RelaxedMatch"),  # texts
    }  # a rule list is a list, and a policy by certificate does not list its states


def test_infinity_is_none() -> None:
    task = ground(generate("gripper", 1))
    nowhere = gpaplan.Policy(task, {})
    found = evaluate(task, nowhere)
    assert found.cost == math.inf
    assert found.to_json()["cost"] is None
    assert found.to_json()["open_state"] == sorted(map(str, StateSpace(task).atoms(0)))
    assert verify(task, nowhere).to_json()["evaluation"] == found.to_json()
    assert Evaluation(True, True, 2.0, 1.0, 3).to_json()["open_state"] is None


def test_texts_are_those_of_the_files(tmp_path: Any) -> None:
    task = ground(generate("gripper", 2))
    solution = solve(task, heuristic="lmcut")
    automaton = learn(task.domain, [solution])
    for each in (solution.policy, automaton, record_trials(task, solution.policy)):
        each.write(tmp_path / "file.json")
        text = (tmp_path / "file.json").read_text(encoding="utf-8")
        assert text == each.to_text()
        assert json.loads(text) == each.to_json()


def test_an_automaton_from_plain_data() -> None:
    task = ground(generate("gripper", 2))
    automaton = learn(task.domain, [solve(task, heuristic="lmcut")])
    again = PolicyAutomaton.from_json(automaton.to_json())
    assert again == automaton
    assert again.to_text() == automaton.to_text()
    with pytest.raises(DataError, match="<data>"):
        PolicyAutomaton.from_json({**automaton.to_json(), "edges": 3})


@pytest.mark.parametrize("symmetry", ["off", "on"])
def test_a_policy_from_plain_data(symmetry: Any) -> None:
    task = ground(generate("gripper", 3))
    policy = solve(task, heuristic="lmcut", symmetry=symmetry).policy
    again = gpaplan.Policy.from_json(task, policy.to_json())
    assert again.to_text() == policy.to_text()
    with pytest.raises(DataError, match="<data>: domain"):
        gpaplan.Policy.from_json(ground(generate("keva", 4, 2)), policy.to_json())
