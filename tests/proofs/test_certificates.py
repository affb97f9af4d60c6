"""Proofs for every size: what is proven is checked again, agrees with enumeration, and breaks where it must."""

from __future__ import annotations

import json
import math
import pickle
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from gpaplan import LimitError, Limits, StateSpace, UsageError, ground, solve
from gpaplan.acting.actor import Actor
from gpaplan.automata.rules import RuleFilter, RulePolicy
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.rules import RuleList
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.proofs.certificates import Certificate, NotProven, certificate_of, certify, standing
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.enumeration import verify_rules
from gpaplan.proofs.obligations import Claim, Obligation, Step, has_no_model, parse_measure
from gpaplan.proofs.search import Prover, small_universes
from tests.commands import as_json, gpaplan
from tests.paths import ROOT
from tests.proofs.certified_lists import dearest, published

pytest.importorskip("z3")

MAINTENANCE = "walk: (nearer ?to ?from (some (inverse located) !in-order/1) road)\nrepair:\ninspect:"


def family(name: str, *thetas: tuple[int, ...]) -> tuple[Domain, list[Problem]]:
    tasks = [generate(name, *theta) for theta in thetas]
    return tasks[0].domain, [each.problem for each in tasks]


THETAS = [(1, 3, 2, 0), (1, 3, 2, 4), (1, 3, 2, 6), (1, 2, 2, 3)]


def maintenance() -> tuple[Domain, list[Problem]]:
    return family("maintenance", *THETAS)


@cache
def certified() -> RuleFilter:
    return certify(MAINTENANCE, *maintenance())


def certificate() -> Certificate:
    found = certificate_of(certified(), maintenance()[0])
    assert found is not None
    return found


def test_maintenance_is_proven_for_every_size() -> None:
    found, (_, problems) = certificate(), maintenance()
    assert tuple(map(str, found.rank)) == (
        "(set !in-order/1)",
        "(distance technician-at/1 (some (inverse located) !in-order/1) road)",
    )
    assert "(connected road)" in map(str, found.conditions)
    assert found.open_obligations() == []
    assert [found.open_conditions(each) for each in problems] == [[]] * len(problems)
    large = generate("maintenance", 3, 30, 1, 0).problem
    assert found.open_conditions(large) == []


def test_what_is_proven_does_not_fail_where_all_problems_are_tried() -> None:
    found, (domain, _) = certificate(), maintenance()
    result = verify_rules(RuleList.parse(MAINTENANCE), domain, found.conditions, most={"place": 3, "machine": 2})
    assert result.problems > 50
    assert result.any.failing == 0


@pytest.mark.parametrize("number", range(3))
def test_without_a_rule_it_is_not_proven(number: int) -> None:
    rules = RuleList.parse(MAINTENANCE).rules
    with pytest.raises(NotProven):
        certify(RuleList((*rules[:number], *rules[number + 1 :])), *maintenance())


def test_without_a_condition_or_a_measure_an_obligation_is_open() -> None:
    found = certificate()
    index = list(map(str, found.conditions)).index("(connected road)")
    uses = tuple(tuple(each for each in one if each != index) for one in found.uses)
    left = replace(found, uses=uses).open_obligations(100_000)
    assert "some rule fits" in map(str, left)
    swapped = replace(found, rank=found.rank[::-1], steps=(Step(0, 0), Step(1, 0), Step(1, 0)))
    with pytest.raises(UsageError):  # other obligations than those that have proofs
        swapped.open_obligations()


def test_a_distance_is_from_objects_of_one_sort() -> None:
    """From two it could fall in turn, for ever: nearer from a place, then from a machine."""
    found = certificate()
    wrong = parse_measure("(distance (not technician-at/1) (some (inverse located) !in-order/1) road)")
    with pytest.raises(UsageError, match="several sorts"):
        replace(found, rank=(found.rank[0], wrong)).open_obligations()


def test_measures_are_read_from_what_they_print() -> None:
    for text in [
        "(set !at/1)",
        "(literal (not empty))",
        "(decides 3)",
        "(pairs (minus at @at))",
        "(distance here/1 (some (inverse at) !at/1) road)",
    ]:
        assert str(parse_measure(text)) == text


def test_a_problem_outside_of_the_class_is_told_why() -> None:
    found, (domain, problems) = certificate(), maintenance()
    problem = replace(problems[0], init=tuple(each for each in problems[0].init if each.predicate != "road"))
    assert "(connected road)" in map(str, found.open_conditions(problem))
    there = standing(certified(), domain, problem)
    assert there is not None
    assert not there.choice
    assert "along road every place can be reached from every other" in there.words
    assert standing(certified().without(0), domain, problem) is None  # another list
    other = generate("gripper", 1)
    with pytest.raises(UsageError, match="another domain"):
        certificate_of(certified(), other.domain)
    away = standing(certified(), other.domain, other.problem)
    assert away is not None
    assert "another domain" in away.words


def test_a_certificate_of_another_list_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "changed.gpa.json"
    file.write_text(certified().to_text().replace('"schema": "repair"', '"schema": "inspect"'), encoding="utf-8")
    with pytest.raises(UsageError, match="another rule list"):
        certificate_of(RuleFilter.read(file), maintenance()[0])


def test_a_problem_of_the_class_is_certified_without_a_search(tmp_path: Path) -> None:
    file = tmp_path / "maintenance.gpa.json"
    certified().write(file)
    domain, problem = generate("maintenance", 3, 12, 4, 2).write(tmp_path)
    record = as_json("solve", domain, problem, "--gpa", file)
    assert record["gpa"]["certificate"]["choice"] == "any"
    assert "proper by certificate" in gpaplan("solve", domain, problem, "--gpa", file).stdout
    assert as_json("simulate", domain, problem, "--gpa", file, "--trials", 2)["certificate"]["outside"] == []
    assert "certified    the goal is reached with probability one" in gpaplan("show", file).stdout
    assert "for every machine X: some (located X …)" in certified().to_html()


def test_nothing_is_searched_where_the_effort_is_to_be_small(tmp_path: Path) -> None:
    instance = generate("maintenance", 3, 400, 30, 1)
    task = ground(instance.domain, instance.problem)
    found = solve(task, automaton=certified(), effort="first")
    assert (found.status, found.proper, found.certificate, found.solver) == ("solved", True, "any", "certificate")
    assert (found.expanded, found.gap, found.policy_states, found.fallback) == (0, None, None, False)
    assert math.isnan(found.value)
    assert 0 < found.lower_bound < math.inf
    assert found.to_json()["value"] is None
    for one in (found, pickle.loads(pickle.dumps(found))):
        assert isinstance(one.policy, RulePolicy)
        assert one.policy.action(task.initial_state) is not None
        with pytest.raises(UsageError, match="not listed"):
            one.policy.write(tmp_path / "policy.json")
    # where a little work finds a policy, its cost is said, too
    small = ground(generate("maintenance", 3, 12, 2, 2))
    searched, plain = solve(small, automaton=certified()), solve(small)
    assert searched.certificate == "any"
    assert plain.value <= searched.value < math.inf
    # a task that begins elsewhere is not the problem that was tested
    elsewhere = small.with_initial_state([])
    assert solve(elsewhere, automaton=certified(), effort="first", limits=Limits(states=1000)).certificate is None


def test_acting_by_a_certificate_takes_only_what_the_list_keeps() -> None:
    task = ground(generate("delivery", 4, 8, 2, 2, 1))
    rules = RuleFilter.read(ROOT / "docs" / "results" / "certificates" / "delivery.json")
    actor, space, evaluator = Actor(task, rules, seed=1), StateSpace(task), Evaluator(task)
    assert actor.certified is not None
    rng, state, sources = random.Random(0), space.initial, set()
    for _ in range(200):
        decision = actor.decide(space.atoms(state))
        if decision.action is None:
            break
        kept = evaluator.fits(space, state, rules.lists[0])[1]
        sources.add("drawn" in decision.reason)
        assert task.action_index(decision.action) in kept
        (step,) = (each for each in space.transitions(state) if each.action == decision.action)
        state = rng.choice([each.state for each in step.outcomes])
    assert space.is_goal(state)
    assert sources == {True, False}


def test_on_the_command_line(tmp_path: Path) -> None:
    domain, problem = generate("maintenance", 1, 3, 2, 0).write(tmp_path)
    file = tmp_path / "maintenance.gpa.json"
    certified().write(file)
    assert certificate_of(RuleFilter.read(file), maintenance()[0]) == certificate()
    folder = tmp_path / "smt"
    record = as_json("certificate", "check", domain, file, problem, "--obligations", folder)
    assert record["outside"] == {"maintenance-1-3-2-0": []}
    assert "sat" not in record["cvc5"]
    texts = [each.read_text(encoding="utf-8") for each in sorted(folder.iterdir())]
    assert len(texts) == len(certificate().uses)
    assert all("(check-sat)" in text for text in texts)
    rules = tmp_path / "walk.rules"
    rules.write_text(MAINTENANCE.replace("repair:\n", ""), encoding="utf-8")
    said = gpaplan("certify", domain, rules, problem, "--counterexample", tmp_path / "fails.ppddl", code=21).stdout
    assert "keeps no action" in said
    assert f"gpaplan learn {domain} {problem} {tmp_path / 'fails.ppddl'}" in " ".join(said.split())
    gpaplan("check", domain, tmp_path / "fails.ppddl")
    assert "no certificate" in gpaplan("certificate", "check", domain, rules, code=31).stderr


def test_what_is_learned_may_be_proven_at_once(tmp_path: Path) -> None:
    """Rules, if few questions suffice; roles never."""
    files = [each for balls in (1, 2, 3) for each in generate("gripper", balls).write(tmp_path)]
    given, output = (files[0], *files[1::2]), tmp_path / "gripper.gpa.json"
    record = as_json("learn", *given, "--abstraction", "concepts", "--certify", "-o", output)
    assert record["certificate"] == "any"
    found = certificate_of(RuleFilter.read(output), generate("gripper", 1).domain)
    assert found is not None
    assert found.open_obligations() == []
    roles = gpaplan("learn", *given, "--abstraction", "canonical", "--certify", "-o", output).stdout
    assert "only rules can be proven" in roles


def test_rules_that_were_learned_without_what_goals_cannot_depend_on_are_proven_with_it() -> None:
    assert certified().relevance == "off"
    domain, problems = family("delicate-can", (2,))
    rules = RuleFilter.of(domain, published("delicate-can").rules, settings={"relevance": "on"})
    with pytest.raises(LimitError):  # it had been refused
        certify(rules, domain, problems, questions=1)


def test_nearer_or_as_near_is_proven_under_random_choice_from_what_other_obligations_need() -> None:
    rules = "repair:\ninspect:\nwalk: (not (nearer ?from ?to (some (inverse located) !in-order/1) road))"
    found = certificate_of(certify(rules, *maintenance()), maintenance()[0])
    assert found is not None
    assert found.choice == "random"
    assert found.open_obligations() == []


def test_what_is_assumed_may_be_used_and_must_hold_of_the_problems() -> None:
    domain, problems = maintenance()
    with pytest.raises(UsageError, match="does not fulfil what is assumed"):
        certify(MAINTENANCE, domain, problems, assume=["(acyclic road)"])
    two = "(exists (?x ?y - machine) (not (= ?x ?y)))"
    found = certificate_of(certify(MAINTENANCE, domain, problems, assume=["(connected road)", two]), domain)
    assert found is not None
    assert str(found.conditions[0]) == "(connected road)"
    assert two not in map(str, found.conditions)  # it is not needed


def test_what_is_open_is_said_with_what_was_enumerated() -> None:
    with pytest.raises(NotProven, match=r"it is open that .*;  on all .* problems of up to . objects that are like"):
        certify(MAINTENANCE, *maintenance(), work=1)


def test_a_limit_or_an_interrupt_after_the_proof_leaves_a_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """When it comes is counted: by questions to Z3, and by the conditions that were tried."""
    domain, problems = maintenance()
    looks, drop = 0, Prover.drop

    def stopped(after: int) -> Certificate:
        found = certificate_of(certify(MAINTENANCE, domain, problems, questions=after), domain)
        assert found is not None
        assert found.stopped == "time"
        return found

    with pytest.raises(LimitError, match=r"the proof, after 0 obligations, was stopped by the limit of questions"):
        stopped(10)
    with pytest.raises(LimitError, match=r"after [1-9]\d* obligations with the rank \(set !in-order/1\), then"):
        stopped(60)
    assert len(stopped(80).conditions) > len(certificate().conditions)

    def interrupted(prover: Prover, condition: Condition) -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            raise KeyboardInterrupt
        drop(prover, condition)

    monkeypatch.setattr(Prover, "drop", interrupted)
    files = [each for theta in THETAS for each in generate("maintenance", *theta).write(tmp_path)]
    rules, output = tmp_path / "list.rules", tmp_path / "certified.gpa.json"
    rules.write_text(MAINTENANCE, encoding="utf-8")
    few = gpaplan("certify", files[0], rules, *files[1::2], "--questions", 20, code=10).stderr
    assert "the proof, after 0 obligations, was stopped" in few
    said = gpaplan("certify", files[0], rules, *files[1::2], "-o", output, code=12).stdout
    assert "stopped by" in said
    found = certificate_of(RuleFilter.read(output), domain)
    assert found is not None
    assert found.open_obligations() == []


def test_a_universe_that_is_not_decided_refutes_nothing() -> None:
    """With little work the larger universes are given up, one after the other, and never the last."""
    domain, problems = maintenance()
    universes = small_universes(domain, problems)
    conditions = list(certificate().conditions)
    prover = Prover(Claim(domain, RuleList.parse(MAINTENANCE)), conditions, universes, 1, Limits().start())
    assert len(universes) > 1
    assert prover.is_small(Obligation("fits"))
    assert len(prover.universes) == 1


def test_a_second_prover_finds_no_model_of_what_must_have_none() -> None:
    pytest.importorskip("cvc5")
    answers = certificate().second_opinion()
    assert "sat" not in answers
    assert answers.count("unsat") > len(answers) / 2


OUR_OWN = ["cosanostra"]
"""Lists that were written by hand, where those that were learned are not proven."""


@pytest.mark.parametrize(
    "file", sorted((ROOT / "docs" / "results" / "certificates").iterdir()), ids=lambda file: file.stem
)
def test_the_certificates_of_published_lists_hold(file: Path) -> None:
    """They are of the lists that the page of results has, and every obligation is proven again."""
    records = json.loads((ROOT / "docs" / "results" / "records-rules.json").read_text(encoding="utf-8"))
    rules, domain = RuleFilter.read(file), generate(file.stem, *FAMILIES[file.stem].least.values()).domain
    found = certificate_of(rules, domain)
    assert found is not None
    assert found.open_obligations() == []
    assert found.to_json() == rules.certificate  # also the words
    if file.stem in records and file.stem not in OUR_OWN:
        assert str(found.rules).splitlines() == [rule.strip() for rule in records[file.stem]["rules"]]


@pytest.mark.parametrize(
    ("name", "thetas"),
    [
        ("gripper", [(1,), (3,)]),
        ("schedule", [(1, 1), (1, 3)]),
        ("rover", [(1, 3, 2, 1), (1, 3, 1, 2)]),
        ("delicate-can", [(2,), (4,)]),
    ],
)
def test_no_choice_costs_more_than_the_bound(name: str, thetas: list[tuple[int, ...]]) -> None:
    certificate = published(name)
    for theta in thetas:
        task = ground(generate(name, *theta), cost="unit", relevance=False)
        assert certificate.open_conditions(task.problem) == []
        bound = certificate.most_actions(task.problem)
        assert bound is not None
        cost = dearest(task, certificate.rules)
        assert cost <= bound + 1e-6
        assert bound < 3 * cost


def test_a_lower_bound_is_not_proven() -> None:
    found = published("gripper")
    assert found.bound
    lower = tuple((weight * Fraction(99, 100), measure) for weight, measure in found.bound)
    left = replace(found, bound=lower).open_obligations(100_000)
    assert [each.rule for each in left if each.kind == "pays"] == [0, 1, 2]
    negative = ((Fraction(-1), found.bound[0][1]), *found.bound[1:])
    with pytest.raises(UsageError, match="negative"):
        replace(found, bound=negative).open_obligations()


def test_the_bound_counts_what_else_may_enter_a_set() -> None:
    """All classes are pending after serving, whatever the action speaks of."""
    found = published("schedule")
    claim = Claim(found.domain, found.rules)
    assert not all(
        has_no_model(claim, each, found.conditions, 100_000)
        for each in claim.entering(parse_measure("(set pending/1)"))
    )


def test_a_bound_is_said_without_a_search(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 200).write(tmp_path)
    file = ROOT / "docs" / "results" / "certificates" / "gripper.json"
    record = as_json("solve", domain, problem, "--gpa", file, "--effort", "first")
    assert (record["upper_bound"], record["expanded"]) == (851, 0)
    assert "after at most 851 actions on average" in record["gpa"]["certificate"]["words"]
