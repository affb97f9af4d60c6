"""Conditions and obligations about many objects end as too large, before they are written out."""

import pytest

from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import TooLargeError
from gpaplan.ppddl import parse_domain, parse_problem
from gpaplan.ppddl.syntax import Problem
from gpaplan.proofs import certificates, conditions, enumeration, universes
from gpaplan.proofs.certificates import NotProven, certify
from gpaplan.proofs.conditions import Structure, parse_condition
from gpaplan.proofs.enumeration import object_counts, smallest_failure, verify_rules
from gpaplan.proofs.examples import common_conditions
from gpaplan.proofs.search import Prover
from gpaplan.proofs.universes import Finite

DOMAIN = parse_domain("""(define (domain downlink) (:requirements :typing :probabilistic-effects)
  (:types satellite station image orbit)
  (:predicates (in ?s - satellite ?o - orbit) (next ?a ?b - orbit) (over ?o - orbit ?g - station)
    (holds ?s - satellite ?i - image) (received ?g - station ?i - image) (locked ?s - satellite ?g - station))
  (:action drift :parameters (?s - satellite ?a ?b - orbit) :precondition (and (in ?s ?a) (next ?a ?b))
    :effect (and (not (in ?s ?a)) (in ?s ?b)))
  (:action lock :parameters (?s - satellite ?o - orbit ?g - station) :precondition (and (in ?s ?o) (over ?o ?g))
    :effect (probabilistic 4/5 (locked ?s ?g)))
  (:action send :parameters (?s - satellite ?g - station ?i - image)
    :precondition (and (locked ?s ?g) (holds ?s ?i))
    :effect (probabilistic 7/10 (and (not (holds ?s ?i)) (received ?g ?i)))))""")
RULES = RuleList.parse("send: (related ?g ?i @received)\nlock:\ndrift:")


def downlink(satellites: int, orbits: int, images: int) -> Problem:
    """Orbits in a line, all of them over a station."""
    moves = " ".join(f"(next o{i} o{i + 1})" for i in range(orbits - 1))
    names = {"satellite": satellites, "orbit": orbits, "image": images}
    objects = " ".join(f"{kind[0]}{i} - {kind}" for kind, count in names.items() for i in range(count))
    places = " ".join(f"(in s{i} o{i % orbits})" for i in range(satellites))
    windows = " ".join(f"(over o{i} g)" for i in range(orbits))
    held = " ".join(f"(holds s{i % satellites} i{i})" for i in range(images))
    goal = " ".join(f"(received g i{i})" for i in range(images))
    return parse_problem(
        DOMAIN,
        f"(define (problem p) (:domain downlink) (:objects {objects} g - station)"
        f"(:init {moves} {places} {windows} {held}) (:goal (and {goal})))",
    )


def structure(orbits: int) -> Structure:
    objects = {f"o{i}": frozenset({"orbit", "object"}) for i in range(orbits)}
    return Structure(DOMAIN, objects, {})


def clauses(text: str, orbits: int) -> list[list[int]]:
    start = structure(orbits)
    numbers = {("next", atom): index for index, atom in enumerate(start.atoms("next"))}
    return start.clauses([parse_condition(text, DOMAIN)], numbers)


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("(acyclic next)", 3 + 3 + 2),
        ("(exists (?x - orbit) (forall (?y - orbit) (next ?x ?y)))", 3**3),
        ("(forall (?v ?w ?x ?y ?z - orbit) (imply (and (next ?v ?w) (next ?x ?y)) (next ?y ?z)))", None),
    ],
)
def test_what_a_condition_takes_is_counted_before_it_is_written(
    text: str, small: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With three orbits it is short; with thirty it would be 10^32 ways round, 30^30 clauses, 24 million clauses."""
    if small is not None:
        assert len(clauses(text, 3)) == small
    counted = 0
    write = conditions._Clauses.write

    def counting(self: conditions._Clauses, literals: int) -> None:
        nonlocal counted
        write(self, literals)
        counted += literals

    monkeypatch.setattr(conditions._Clauses, "write", counting)
    with pytest.raises(TooLargeError, match="too long to be written out for 30 objects"):
        clauses(text, 30)
    assert 0 < counted <= conditions.MOST_WRITTEN


def test_a_short_condition_about_many_objects_is_written_as_before() -> None:
    one = clauses("(forall (?x - orbit) (exists (?y - orbit) (next ?x ?y)))", 60)
    assert [len(each) for each in one] == [60] * 60
    assert len(clauses("(forall (?x ?y - orbit) (imply (next ?x ?y) (next ?y ?x)))", 60)) == 60 * 59


def test_where_all_problems_have_many_orbits_what_the_list_does_is_not_known() -> None:
    problems = [downlink(1, 24, 1), downlink(2, 24, 2)]
    assert "(acyclic next)" in map(str, common_conditions(DOMAIN, problems))
    assert smallest_failure(RULES, DOMAIN, problems, work=10_000_000) == (None, "")
    least, most = object_counts(DOMAIN, problems, {"": 2})
    with pytest.raises(TooLargeError, match="too long to be written out for"):
        verify_rules(RULES, DOMAIN, common_conditions(DOMAIN, problems), most=most, least=least)


def test_choices_of_atoms_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five orbits can be next to each other in 2^25 ways."""
    monkeypatch.setattr(enumeration, "MOST_CHOICES", 1_000)
    with pytest.raises(TooLargeError, match="too many ways to choose the atoms of 'next' for 8 objects"):
        verify_rules(RULES, DOMAIN, [], most={"satellite": 1, "station": 1, "image": 1, "orbit": 5}, least={"orbit": 5})


def test_numbers_of_objects_of_many_types_are_not_all_made_at_once() -> None:
    ranges = [range(1, 4), range(2, 3), range(5)]
    by_hand = [(i, 2, k) for i in range(1, 4) for k in range(5)]
    assert list(enumeration._by_sum(ranges)) == sorted(by_hand, key=lambda counts: (sum(counts), counts))
    assert next(enumeration._by_sum([range(1, 6)] * 20)) == (1,) * 20


def test_a_proof_about_many_objects_ends_as_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3")
    monkeypatch.setattr(universes, "MOST_WRITTEN", 10_000)
    monkeypatch.setattr(certificates, "ENUMERATED", 1)  # it would find that an image may be asked for at two stations
    with pytest.raises(NotProven, match=r"not proven: .* too long to be written out for 32 objects"):
        certify(RULES, DOMAIN, [downlink(3, 24, 4)])


def test_a_universe_that_is_too_large_is_left_out_of_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3")
    rules = RuleList.parse("walk: (nearer ?to ?from (some (inverse located) !in-order/1) road)\nrepair:\ninspect:")
    tasks = [generate("maintenance", *theta) for theta in [(1, 3, 2, 0), (1, 3, 2, 4), (1, 3, 2, 6), (1, 2, 2, 3)]]
    left: list[Finite] = []
    leave = Prover._leave

    def noted(self: Prover, universe: Finite) -> None:
        left.append(universe)
        leave(self, universe)

    monkeypatch.setattr(Prover, "_leave", noted)
    monkeypatch.setattr(universes, "MOST_WRITTEN", 300)
    proven = certify(rules, tasks[0].domain, [each.problem for each in tasks]).certificate
    assert proven is not None
    assert proven["choice"] == "any"
    assert left
