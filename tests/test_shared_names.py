"""Names and codes that Python and the core share stand in the core; what Python says of each must cover all of them."""

from __future__ import annotations

import enum
from typing import get_args, get_type_hints

import pytest

from gpaplan import _core
from gpaplan.benchmarks import generate
from gpaplan.errors import STOP_REASONS
from gpaplan.learning.edges import Ties
from gpaplan.solving.heuristics import HEURISTICS, make_heuristic
from gpaplan.solving.solvers import SoftFLARES
from gpaplan.tasks.grounding import ground


def test_every_reason_to_stop_has_a_status_and_an_exit_code() -> None:
    # The first is that of a run to its end, the last that of a turn, which is never the end of a run.
    assert list(STOP_REASONS) == _core.stop_reasons()[1:-1]
    assert _core.stop_reasons()[0] == _core.Stop().reason


def test_every_heuristic_of_the_core_is_described_and_can_be_made() -> None:
    assert list(HEURISTICS) == [*_core.heuristic_names(), "pdb", "best"]
    gripper = generate("gripper", 1)
    task = ground(gripper.domain, gripper.problem)
    assert all(make_heuristic(name, task) for name in HEURISTICS)


def test_the_types_of_options_are_the_names_of_the_core() -> None:
    hints = get_type_hints(SoftFLARES)
    assert list(get_args(Ties)) == _core.tie_names()
    assert list(get_args(hints["distance"])) == _core.distance_names()
    assert list(get_args(hints["labelling"])) == _core.labelling_names()


@pytest.mark.parametrize("codes", [_core.LiftedKind])
def test_codes_are_numbers_and_different(codes: type[enum.IntEnum]) -> None:
    assert sorted(codes) == list(range(len(codes)))
