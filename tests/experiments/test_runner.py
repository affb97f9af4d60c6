"""Running a suite: what is recorded is not run again, and whatever ends is recorded once."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpaplan.experiments.child import InfrastructureError, Job
from gpaplan.experiments.one_run import environment
from gpaplan.experiments.record import Results, WriteError
from gpaplan.experiments.runner import LocalPool, Progress, RunnerError, exit_code_of_skipped, run_suite
from gpaplan.experiments.suite import Suite
from gpaplan.experiments.suite_file import load_suite
from tests.experiments.samples import SMALL, rows, sample_record, write_suite

SOLVED = {"status": "solved", "message": "", "value": 1.0, "seconds": 2.0, "seconds_total": 3.0}
LEARNED = {
    "status": "learned",
    "message": "",
    "training": "[]",
    "text": "{}",
    "vertices": 1,
    "edges": 1,
    "seconds": 1.0,
}


class Desk:
    """A pool that runs nothing: a function says what becomes of a job."""

    def __init__(self, answer: Callable[[Job], dict[str, Any] | Exception]) -> None:
        self.answer = answer
        self.jobs: list[tuple[str, Job]] = []
        self.submitted: list[Job] = []
        self.closed = False

    def submit(self, key: str, job: Job) -> None:
        self.jobs.append((key, job))
        self.submitted.append(job)

    def next(self, timeout: float) -> tuple[str, dict[str, Any] | Exception] | None:  # noqa: ARG002
        key, job = self.jobs.pop(0)
        found = self.answer(job)
        return key, found if isinstance(found, Exception) else {**environment(), **found}

    def close(self) -> None:
        self.closed = True


def well(job: Job) -> dict[str, Any]:
    return LEARNED if job["kind"] == "learn" else SOLVED


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load_suite(str(write_suite(tmp_path, SMALL)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.csv"


def run(suite: Suite, path: Path, desk: Desk, **options: Any) -> Progress:
    with Results(path, write=True) as results:
        return run_suite(suite, results, desk, **options)


def test_everything_is_run_once_and_then_nothing(suite: Suite, path: Path) -> None:
    desk = Desk(well)
    progress = run(suite, path, desk)
    assert desk.closed
    assert (progress.total, progress.done, progress.recorded_before, progress.learned) == (12, 12, 0, 1)
    assert progress.statuses == {"solved": 12}
    assert [job["kind"] for job in desk.submitted] == ["learn", *["solve"] * 12]
    assert sum(job["automaton"] is not None for job in desk.submitted[1:]) == 6
    again = Desk(well)
    progress = run(suite, path, again)
    assert not again.submitted
    assert (progress.done, progress.recorded_before, progress.left) == (0, 12, 0)
    assert len({row["key"] for row in rows(path)}) == len(rows(path)) == 12


def test_a_larger_suite_runs_what_is_new(suite: Suite, path: Path) -> None:
    run(suite.override(runs=1), path, Desk(well))
    desk = Desk(well)
    assert run(suite, path, desk).done == 6
    assert [job["kind"] for job in desk.submitted] == ["solve"] * 6, "the automaton is stored"


def test_records_have_what_repeats_a_run(suite: Suite, path: Path) -> None:
    run(suite, path, Desk(well))
    with Results(path) as results:
        record = next(record for record in results.records() if record.gpa and record.run == 1 and record.size == 2)
        automaton = results.automaton(suite.domains[0].training_key)
    assert automaton is not None
    assert (record.suite, record.domain, record.problem, record.theta) == ("sample", "gripper", "gripper(3)", "3")
    assert (record.solver, record.heuristic, record.seed, record.optimal) == ("lrtdp", "ff", 1, 9.75)
    assert (record.time_limit, record.memory_limit, record.trials, record.horizon) == (60, 2000, 100, 100)
    assert record.training == '["gripper(1)", "gripper(2)"]'
    assert (record.vertices, record.edges, record.learn_seconds) == (1, 1, 1.0)
    assert record.automaton_hash == automaton.hash
    assert {len(value) for value in (record.key, record.problem_hash, record.domain_hash, automaton.hash)} == {64}
    assert record.version
    assert record.machine


def test_failures_are_records_and_are_repeated_only_on_request(suite: Suite, path: Path) -> None:
    def badly(job: Job) -> dict[str, Any]:
        if job["kind"] == "solve" and job["seed"] == 1:
            return {"status": "crashed", "message": "boom"}
        return well(job)

    progress = run(suite, path, Desk(badly))
    assert progress.statuses == {"solved": 6, "crashed": 6}
    assert progress.failed == 6
    quiet = Desk(well)
    assert run(suite, path, quiet).statuses == {"solved": 6, "crashed": 6}
    assert not quiet.submitted
    progress = run(suite, path, Desk(well), retry=True)
    assert (progress.done, progress.recorded_before) == (6, 6)
    assert progress.statuses == {"solved": 12}
    assert len(rows(path)) == 12


def test_a_domain_whose_automaton_cannot_be_learned(suite: Suite, path: Path) -> None:
    def badly(job: Job) -> dict[str, Any]:
        return SOLVED if job["kind"] == "solve" else {"status": "time-limit", "message": "too slow"}

    text = SMALL + '[[domain]]\nname = "twin"\ngenerator = "gripper"\ntraining = [[1], [2]]\ntest = [[4]]\n'
    twins = load_suite(str(write_suite(path.parent, text, "twins")))
    progress = run(twins, path.with_name("twins.csv"), Desk(badly))
    assert progress.skipped == {"gripper": "too slow", "twin": "too slow"}
    progress = run(suite, path, Desk(badly))
    assert progress.skipped == {"gripper": "too slow"}
    assert (progress.done, progress.skipped_runs, progress.left) == (6, 6, 0)
    assert {row["gpa"] for row in rows(path)} == {0}
    assert run(suite, path, Desk(well)).done == 6, "it is tried again"


def test_exit_codes_of_suites_without_an_automaton() -> None:
    codes = {status: exit_code_of_skipped(status) for status in ("time-limit", "memory-limit", "error", "crashed")}
    assert codes == {"time-limit": 10, "memory-limit": 11, "error": 31, "crashed": 1}


@pytest.mark.parametrize("failing", ["learn", "solve"])
def test_runs_that_cannot_be_started_end_the_suite(failing: str, suite: Suite, path: Path) -> None:
    def never(job: Job) -> dict[str, Any] | Exception:
        broken = job["kind"] == failing and (failing == "learn" or job["seed"] == 1)
        return InfrastructureError("no more processes") if broken else well(job)

    desk = Desk(never)
    with pytest.raises(RunnerError, match=r"no more processes .* goes on where it stopped"):
        run(suite, path, desk)
    assert desk.closed
    assert len(rows(path)) == (0 if failing == "learn" else 6)
    run(suite, path, Desk(well))
    assert len(rows(path)) == 12


def test_a_full_disk_ends_the_suite_and_nothing_recorded_is_lost(suite: Suite, path: Path) -> None:
    desk = Desk(well)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Results(path, write=True) as results:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))
        try:
            with pytest.raises(WriteError, match=r"cannot write to .* goes on where it stopped"):
                run_suite(suite, results, desk)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert desk.closed
    before = rows(path)
    assert 0 < len(before) < 12
    run(suite, path, Desk(well))
    assert len(rows(path)) == 12
    assert all(row in rows(path) for row in before)


# --- runs that can be spared ---

LADDER = """
runs = 3
time_limit = 60
memory_limit = 2000
solvers = ["lrtdp", "vi"]
give_up_after = 2
once_at_limit = true

[[domain]]
generator = "gripper"
training = [[1]]
test = [[1], [2], [3], [4], [5], [6]]
"""


@pytest.fixture
def ladder(tmp_path: Path) -> Suite:
    return load_suite(str(write_suite(tmp_path, LADDER, "ladder")))


def limited(*labels: str, gpa: bool = False, solver: str = "lrtdp") -> Callable[[Job], dict[str, Any]]:
    """Runs of these problems with the solver meet a limit, a limit of time and one of memory in turn."""

    def answer(job: Job) -> dict[str, Any]:
        if job["kind"] == "solve" and (job["solver"], job["automaton"] is not None) == (solver, gpa):
            label = job["problem"]["label"]
            if label in labels:
                status = ("time-limit", "memory-limit")[labels.index(label) % 2]
                return {"status": status, "message": ""}
        return well(job)

    return answer


def cells(path: Path, solver: str = "lrtdp", gpa: int = 0) -> list[str]:
    """What became of each problem: the statuses of its runs, by their initials."""
    found: dict[int, str] = {}
    for row in sorted(rows(path), key=lambda row: (row["size"], row["run"])):
        if (row["solver"], row["gpa"]) == (solver, gpa):
            found[row["size"]] = found.get(row["size"], "") + row["status"][0]
    return list(found.values())


def test_a_baseline_at_its_limit_twice_in_a_row_is_not_run_on_later_problems(ladder: Suite, path: Path) -> None:
    desk = Desk(limited("gripper(1)", "gripper(3)", "gripper(4)"))
    progress = run(ladder, path, desk)
    assert cells(path) == ["tnn", "sss", "mnn", "tnn", "nnn", "nnn"], "one problem at the limit is not enough"
    assert cells(path, gpa=1) == cells(path, "vi") == cells(path, "vi", 1) == ["sss"] * 6
    assert len(desk.submitted) == 1 + 72 - 12
    assert (progress.total, progress.done, progress.left) == (72, 72, 0)
    assert progress.statuses == {"solved": 57, "time-limit": 2, "memory-limit": 1, "not-run": 12}
    messages = {(row["size"], row["run"]): row["message"] for row in rows(path) if row["status"] == "not-run"}
    assert messages.pop((4, 0)) == messages.pop((5, 2)) == "two problems in a row before this one met the limit"
    assert messages.pop((3, 1)) == "the first run met the limit"


def test_runs_with_the_automaton_are_all_made(ladder: Suite, path: Path) -> None:
    every = [f"gripper({balls})" for balls in range(1, 7)]
    run(ladder, path, Desk(limited(*every, gpa=True)))
    assert cells(path, gpa=1) == ["tnn", "mnn"] * 3
    assert cells(path) == ["sss"] * 6


def test_what_is_spared_does_not_depend_on_the_order_in_which_runs_end(ladder: Suite, path: Path) -> None:
    class Backwards(Desk):
        def next(self, timeout: float) -> tuple[str, dict[str, Any] | Exception] | None:
            self.jobs.reverse()
            return super().next(timeout)

    answer = limited("gripper(1)", "gripper(3)", "gripper(4)", "gripper(5)", "gripper(6)")
    run(ladder, path, Backwards(answer))
    assert cells(path) == ["tnn", "sss", "mnn", "tnn", "nnn", "nnn"]


def test_a_suite_that_spares_runs_goes_on_where_it_stopped(ladder: Suite, path: Path) -> None:
    def broken(job: Job) -> dict[str, Any] | Exception:
        known = job["kind"] != "solve" or job["problem"]["label"] != "gripper(4)"
        return limited("gripper(3)", "gripper(4)")(job) if known else InfrastructureError("no more processes")

    with pytest.raises(RunnerError):
        run(ladder, path, Desk(broken))
    run(ladder, path, Desk(limited("gripper(3)", "gripper(4)")))
    assert cells(path) == ["sss", "sss", "tnn", "mnn", "nnn", "nnn"]
    again = Desk(well)
    progress = run(ladder, path, again)
    assert not again.submitted
    assert (progress.done, progress.recorded_before, progress.left) == (0, 72, 0)
    assert progress.statuses["not-run"] == 10


def test_what_was_spared_is_run_without_the_settings(ladder: Suite, path: Path) -> None:
    run(ladder, path, Desk(limited("gripper(3)", "gripper(4)")))
    desk = Desk(well)
    progress = run(ladder.override(give_up_after=0, once_at_limit=False), path, desk)
    assert (len(desk.submitted), progress.done, progress.recorded_before) == (10, 10, 62)
    assert cells(path) == ["sss", "sss", "tss", "mss", "sss", "sss"]
    assert len(rows(path)) == 72


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, "the problem before this one met the limit"), (3, "3 problems in a row before this one met the limit")],
)
def test_how_many_problems_at_the_limit_are_enough(ladder: Suite, path: Path, number: int, expected: str) -> None:
    every = [f"gripper({balls})" for balls in range(1, 7)]
    run(ladder.override(give_up_after=number), path, Desk(limited(*every)))
    assert [cell[0] for cell in cells(path)].count("n") == 6 - number
    assert expected in {row["message"] for row in rows(path)}


def test_a_crash_is_no_limit(ladder: Suite, path: Path) -> None:
    def crash(job: Job) -> dict[str, Any]:
        return {"status": "crashed", "message": "boom"} if job["kind"] == "solve" else LEARNED

    assert run(ladder, path, Desk(crash)).statuses == {"crashed": 72}


def test_nothing_is_spared_unless_asked_for(suite: Suite, path: Path) -> None:
    every = [f"gripper({balls})" for balls in range(1, 4)]
    run(suite, path, Desk(limited(*every)))
    assert cells(path) == ["tt", "mm", "tt"]


# --- the local pool ---


def test_a_start_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[Job] = []

    def run(job: Job, **_: Any) -> dict[str, Any]:
        attempts.append(job)
        if len(attempts) < 3:
            raise InfrastructureError("busy")
        return SOLVED

    pool = LocalPool(1, run)
    monkeypatch.setattr(pool._closed, "wait", lambda _: False)
    pool.submit("key", {"kind": "solve"})
    found = pool.next(60)
    pool.close()
    assert found == ("key", SOLVED)
    assert len(attempts) == 3


def test_closing_a_pool_drops_what_waits() -> None:
    import threading

    begun, seen = threading.Event(), []

    def run(job: Job, wanted: Callable[[], bool]) -> dict[str, Any]:
        from gpaplan.experiments.child import CancelledError

        seen.append(job)
        begun.set()
        while wanted():
            pass
        raise CancelledError

    pool = LocalPool(1, run)
    for number in range(5):
        pool.submit(str(number), {"number": number})
    assert begun.wait(60)
    pool.close()
    assert seen == [{"number": 0}]
    assert pool.next(0) is None


# --- the display ---


def test_a_record_in_a_line() -> None:
    from gpaplan.cli.bench import described

    assert described(sample_record(value=None, seconds=None, status="crashed", message="boom")) == (
        "gripper(1) lrtdp, run 0: crashed, 0.300 s (boom)"
    )
    assert described(sample_record(gpa=1, fallback=1)).endswith(
        "with automaton, run 0: solved, cost 5.5000, fallback, 0.100 s"
    )
