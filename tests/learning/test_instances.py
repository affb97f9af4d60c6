"""Problems to learn from: sizes written as ranges, files in the order of their sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpaplan import UsageError, instances_of_files, instances_of_generator
from gpaplan.benchmarks import family, generate
from gpaplan.learning.instances import parse_sizes


@pytest.mark.parametrize(
    ("name", "ranges", "sizes"),
    [
        ("gripper", ["3"], [(3,)]),
        ("gripper", ["2..4"], [(2,), (3,), (4,)]),
        ("gripper", ["1..7..3"], [(1,), (4,), (7,)]),
        ("gripper", ["5,1,2..3"], [(1,), (2,), (3,), (5,)]),
        ("schedule", ["1", "2..3"], [(1, 2), (1, 3)]),
        ("rover", ["1", "3..4", "1..2", "2"], [(1, 3, 1, 2), (1, 3, 2, 2), (1, 4, 1, 2), (1, 4, 2, 2)]),
        ("keva", ["3..7..2:1..3"], [(3, 1), (5, 2), (7, 3)]),
        ("keva", ["9:1..2"], [(9, 1), (9, 2)]),
        ("keva", ["2..4", "1..2"], [(2, 1), (3, 1), (4, 1), (4, 2)]),  # a level takes two planks
        ("keva", ["3:1", "+", "4..6..2:1..2"], [(3, 1), (4, 1), (6, 2)]),
    ],
)
def test_ranges_describe_sizes_in_ascending_order(name: str, ranges: list[str], sizes: list[tuple[int, ...]]) -> None:
    assert parse_sizes(family(name), ranges) == sorted(sizes, key=lambda theta: (sum(theta), theta))


@pytest.mark.parametrize(
    ("name", "ranges", "message"),
    [
        ("gripper", ["4..1"], "the range 4..1 is empty"),
        ("gripper", ["x"], "'x' is no range"),
        ("gripper", ["1..4..0"], "is empty"),
        ("gripper", ["1", "2"], "takes a range for each of 1 parameter"),
        ("gripper", [], "takes a range for each of 1 parameter"),
        ("gripper", ["1", "+"], "0 given"),
        ("gripper", ["0"], "'balls' must be at least 1"),
        ("keva", ["1..3:1..2"], "the same number of values, not 3, 2"),
        ("keva", ["1..9", "20"], "keva"),
        ("gripper", ["1..999999999"], "more than 100,000"),
        ("schedule", ["1..1000", "2..1000"], "more than 100,000"),
    ],
)
def test_what_is_no_range_is_refused(name: str, ranges: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        parse_sizes(family(name), ranges)


def test_generated_instances_are_what_the_generator_writes() -> None:
    (instance,) = instances_of_generator("delicate-can", "3")
    assert (instance.name, instance.theta) == ("delicate-can-3", (3,))
    assert instance.known_cost == pytest.approx(7.5)
    assert instance.task().problem.name == "delicate-can-3"


def test_files_are_ordered_by_size(tmp_path: Path) -> None:
    files = [generate("gripper", balls).write(tmp_path) for balls in (3, 1, 2)]
    instances = instances_of_files(files[0][0], [problem for _, problem in files])
    assert [instance.name for instance in instances] == ["gripper-1", "gripper-2", "gripper-3"]
    assert instances[0].known_cost is None


def test_two_files_with_one_problem_are_refused(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 1).write(tmp_path)
    with pytest.raises(UsageError, match="both have a problem named 'gripper-1'"):
        instances_of_files(domain, [problem, problem])
    with pytest.raises(UsageError, match="no problems"):
        instances_of_files(domain, [])
