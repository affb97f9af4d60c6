"""A slice of the mutants of certificates: what is dropped is missed, and what is proven does not fail."""

from __future__ import annotations

import pytest

from tests.proofs.certified_lists import problems
from tests.proofs.mutants import SIZES, Judge, Mutant, certified, enumerated, mutants

pytest.importorskip("z3")

SLICES = {"maintenance": range(0, 26, 4), "gripper": (1, 9, 25), "delivery": (12,)}


def chosen(family: str) -> list[Mutant]:
    found = list(mutants(certified(family), problems(family)[0]))
    return [found[number] for number in SLICES[family]]


@pytest.mark.parametrize(
    ("family", "number"), [(family, number) for family, own in SLICES.items() for number in range(len(own))]
)
def test_a_mutant_is_refuted_or_right(family: str, number: int) -> None:
    mutant, certificate, given = chosen(family)[number], certified(family), problems(family)[1]
    verdict, _ = Judge(certificate, given).judged(mutant)
    found = enumerated(mutant, SIZES[family])
    assert found is not None
    failing = (found.any if certificate.choice == "any" else found.random).failing
    assert verdict != "proven" or not failing


def test_there_are_more_than_two_hundred_mutants() -> None:
    assert sum(len(list(mutants(certified(family), problems(family)[0]))) for family in SIZES) > 200
