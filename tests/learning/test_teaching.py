"""Learning from the task that is solved or acted in: when that happens, what comes of it, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import gpaplan
from gpaplan import GroundTask, Limits, RuleFilter, RunSettings, Teacher, _core, load
from gpaplan.acting.trials import simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.solving.run import solve_with
from gpaplan.solving.solution import Solution

GOOD = """pick: (is ?c !at/1)
move: (nearer ?to ?from (some (inverse @at) carried) road)
move: (nearer ?to ?from (some (inverse at) !at/1) road), (not (is ?from (some (inverse @at) carried)))
drop:"""


def task_of(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return load(made.domain, made.problem_text)


class Generous(Teacher):
    """With more work than it is given."""

    def learn(self, task: GroundTask, settings: RunSettings, work: int, stop: _core.Stop) -> TransitionFilter | None:
        return super().learn(task, settings, work + 20_000_000, stop)


@pytest.fixture
def delivery(monkeypatch: pytest.MonkeyPatch) -> GroundTask:
    """A task that is learned from before there is a policy."""
    monkeypatch.setattr("gpaplan.solving.portfolio.BEFORE_LEARNING", 1)
    return task_of("delivery", 1, 12, 4, 0, 1)


def solved(task: GroundTask, teacher: Teacher | None, threads: int = 2) -> Solution:
    return solve_with(task, RunSettings(effort="first", threads=threads), teacher=teacher)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_task_without_a_policy_is_learned_from(delivery: GroundTask, threads: int) -> None:
    """Its answer does not depend on threads, and nothing is claimed that was not proven of the whole task."""
    teacher = Generous()
    found, again = solved(delivery, teacher), solved(delivery, Generous(), threads)
    assert teacher.learned is not None
    assert teacher.made
    assert "learn" in found.seconds
    assert found.solves
    assert (found.guarantee, found.fallback) == ("none", None)
    assert found.lower_bound <= solved(delivery, None).value
    assert "small problems made out of this one" in teacher.words
    assert (found.value, found.expanded, found.policy_by) == (again.value, again.expanded, again.policy_by)


def test_the_search_under_what_was_learned_finds_policies() -> None:
    """On a map where the others take a thousand times as many states."""

    class Knows(Teacher):
        def known(self, task: GroundTask) -> TransitionFilter:
            return RuleFilter.of(task.domain, RuleList.parse(GOOD))

    found = solved(task_of("delivery", 2, 80, 20, 0, 0), Knows())
    assert found.solves
    assert found.expanded < 2_000
    assert found.policy_by.startswith("weighted LAO* under what was learned with ff")


def test_what_is_solved_in_a_moment_teaches_nothing() -> None:
    teacher = Teacher()
    assert solved(task_of("gripper", 4), teacher).solves
    assert (teacher.learned, teacher.words) == (None, "nothing")


def test_what_cannot_be_learned_from_is_left_at_that(delivery: GroundTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpaplan.learning.shrinking.Shrinker.make", lambda *_given, **_how: [])
    teacher = Teacher()
    assert solved(delivery, teacher).solves
    assert teacher.learned is None


def test_a_cache_is_for_one_domain_and_is_checked(delivery: GroundTask, tmp_path: Path) -> None:
    folder, file = tmp_path / "cache", tmp_path / "learned.gpa.json"
    first = Generous(folder, file)
    solved(delivery, first)
    (kept,) = folder.iterdir()
    assert kept.read_text() == file.read_text()
    second = Teacher(folder)
    assert solved(task_of("delivery", 1, 12, 4, 0, 2), second).solves
    assert second.learned == first.learned
    assert second.made == []
    assert second.words.endswith("from an earlier run")
    assert Teacher(folder).known(task_of("gripper", 2)) is None
    kept.write_text("{}")
    assert Teacher(folder).known(delivery) is None


def test_without_teaching_nothing_is_learned(delivery: GroundTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Teacher, "learn", lambda *_given: pytest.fail("it was asked to learn"))
    assert gpaplan.solve(delivery, teach=False, effort="first").solves
    assert gpaplan.run(delivery, teach=False).automaton is None
    with pytest.raises(pytest.fail.Exception):
        gpaplan.solve(delivery)


def test_acting_is_taught_where_looking_ahead_is_not_enough() -> None:
    assert Teacher().before_acting(task_of("gripper", 2)) is None
    task = task_of("delivery", 1, 30, 6, 0, 0)
    teacher = Teacher()
    learned = teacher.before_acting(task)
    assert learned is not None
    acted = simulate_acting(task, learned, trials=3, limits=Limits(seconds=60))
    assert acted.goal_rate == 1
    assert acted.sources["automaton"] > 0.9 * acted.decisions
