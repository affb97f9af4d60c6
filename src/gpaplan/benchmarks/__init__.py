"""Benchmark domains, each with a generator of problems of any size.

``generate("gripper", 5)`` is a `Benchmark`: a domain and a problem as readable PPDDL text. `DOMAINS` has for each
of five domains its `Family`: what its parameters θ count, and its optimal cost in closed form, where that is known.

The encodings are our own. Those of the five were written so that their optimal expected costs are the ones published
for domains of these names and sizes; they are not the files those results were obtained with. `SOURCE_SHAPED` has other
encodings of three of them, in the vocabularies of the sources that the paper names. `FAMILIES` has all of these and
more: after domains of the planning competitions of 2006 and 2008 and of the literature, and on maps of several kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gpaplan.benchmarks import (
    blocksworld,
    cosanostra,
    delicate_can,
    delivery,
    elevators,
    gripper,
    keva,
    maintenance,
    rectangle_tireworld,
    rover,
    schedule,
    triangle_tireworld,
    zenotravel,
)
from gpaplan.benchmarks.family import Benchmark, Family
from gpaplan.errors import UsageError, did_you_mean

__all__ = ["DOMAINS", "FAMILIES", "SOURCE_SHAPED", "Benchmark", "Family", "family", "generate"]


def _by_name(*families: Family) -> Mapping[str, Family]:
    return MappingProxyType({family.name: family for family in families})


DOMAINS = _by_name(gripper.FAMILY, rover.FAMILY, schedule.FAMILY, keva.FAMILY, delicate_can.FAMILY)
"""The paper's domains."""

SOURCE_SHAPED = _by_name(schedule.IPPC, keva.SHAH, delicate_can.SHAH)
"""Other encodings of three of the paper's domains, in the vocabularies of their sources."""

_OTHERS = (triangle_tireworld.FAMILY, triangle_tireworld.LITTLE, blocksworld.FAMILY, blocksworld.TOWERS)
_MORE = (delivery, maintenance, rectangle_tireworld, cosanostra, zenotravel, elevators)
FAMILIES = _by_name(*DOMAINS.values(), *SOURCE_SHAPED.values(), *_OTHERS, *(module.FAMILY for module in _MORE))
"""All domains with a generator."""


def family(name: str) -> Family:
    """The benchmark domain of this name; underscores may stand for hyphens."""
    found = FAMILIES.get(str(name).lower().replace("_", "-"))
    if found is None:
        hint = did_you_mean(str(name), FAMILIES) or f"there are {', '.join(FAMILIES)}"
        raise UsageError(f"unknown benchmark domain '{name}';  {hint}")
    return found


def generate(name: str, *theta: int, seed: int = 0) -> Benchmark:
    """The task of size θ of a benchmark domain; the seed permutes object names and nothing else.

    >>> generate("rover", 1, 4, 3, 2).problem_name
    'rover-1-4-3-2'
    """
    return family(name).generate(*theta, seed=seed)
