"""`gpaplan compare`: which of two does better, and where they first differ."""

from gpaplan import RuleFilter, ground
from gpaplan.benchmarks import generate
from gpaplan.learning.comparison import ProblemComparison, compare_filters

RIGHT = "drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:"
ONE_BALL = "drop: (is ?r @ball-in/2)\nmove: (not (empty held/1))\npick: (not (is ?r @ball-in/2))\nmove:"


def compared(first: str, second: str) -> ProblemComparison:
    benchmark = generate("gripper", 4)
    one, other = (RuleFilter.of(benchmark.domain, text) for text in (first, second))
    (found,) = compare_filters(one, other, [ground(benchmark)])
    return found


def test_the_cheaper_one_is_better_and_the_first_difference_is_shown() -> None:
    found = compared(RIGHT, ONE_BALL)
    assert [each.goal_rate for each in found.acted] == [1.0, 1.0]
    assert found.better == 0
    assert found.difference is not None
    assert found.difference.steps == 1
    assert all(action.startswith("(pick") for action in found.difference.kept[0])
    assert found.difference.kept[1] == ("(move room-a room-b)",)


def test_what_is_the_same_differs_nowhere() -> None:
    found = compared(RIGHT, RIGHT)
    assert found.better is None
    assert found.difference is None
    assert found.to_json()["difference"] is None
