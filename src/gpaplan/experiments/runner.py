"""Running a suite: what is not recorded yet is run, and what ends is recorded.

`run_suite` is the same wherever the runs happen. A *pool* runs jobs: `LocalPool` here, on this machine, or
`gpaplan.experiments.cluster.ClusterPool`. Only this process, and only its main thread, writes to the results file.

First the automata that runs need and that are not stored are learned, each in a process of its own, then the runs
follow. A domain whose automaton cannot be learned loses its runs with the automaton, and nothing else.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from gpaplan import interrupts
from gpaplan.errors import STOPPED, GpaplanError
from gpaplan.experiments.child import CancelledError, InfrastructureError, Job, run_job
from gpaplan.experiments.one_run import environment
from gpaplan.experiments.record import COLUMNS, Record
from gpaplan.experiments.results import Results, StoredAutomaton
from gpaplan.experiments.sparing import Sparing, known_before
from gpaplan.experiments.suite import DomainPlan, Run, Suite, SuiteInstance, sha256
from gpaplan.statuses import Status

ATTEMPTS = 4
"""How often a run is tried whose process cannot be started."""


class RunnerError(GpaplanError):
    """Runs cannot be started here."""

    exit_code = 31


class WorkerPool(Protocol):
    """Where jobs are run."""

    def submit(self, key: str, job: Job) -> None:
        """Run a job some time; its result comes out of `next` under the key."""

    def next(self, timeout: float) -> tuple[str, dict[str, Any] | Exception] | None:
        """A result, or None if there was none for so many seconds."""

    def running(self) -> list[tuple[str, float]]:
        """The keys of jobs under way, and for how many seconds, if that is known."""

    def close(self) -> None:
        """End what is under way, and wait until it has ended."""


# --- on this machine ---


class LocalPool:
    """So many processes at a time, each watched by a thread."""

    def __init__(self, jobs: int, run: Callable[..., dict[str, Any]] = run_job) -> None:
        self._run = run
        self._threads = ThreadPoolExecutor(jobs)
        self._done: queue.SimpleQueue[tuple[str, dict[str, Any] | Exception]] = queue.SimpleQueue()
        self._running: dict[str, float] = {}
        self._closed = threading.Event()

    def _work(self, key: str, job: Job) -> None:
        self._running[key] = time.monotonic()
        try:
            outcome: dict[str, Any] | Exception = self._attempt(job)
        except CancelledError:
            return
        except Exception as error:
            outcome = error
        finally:
            del self._running[key]
        self._done.put((key, outcome))

    def _attempt(self, job: Job) -> dict[str, Any]:
        """Run a job; if its process cannot be started, wait a little and try again."""
        for attempt in range(ATTEMPTS):
            try:
                return self._run(job, wanted=lambda: not self._closed.is_set())
            except InfrastructureError:
                if attempt == ATTEMPTS - 1 or self._closed.wait(2.0**attempt):
                    raise
        raise AssertionError

    def submit(self, key: str, job: Job) -> None:
        self._threads.submit(self._work, key, job)

    def next(self, timeout: float) -> tuple[str, dict[str, Any] | Exception] | None:
        try:
            return self._done.get(timeout=timeout)
        except queue.Empty:
            return None

    def running(self) -> list[tuple[str, float]]:
        now = time.monotonic()
        return [(key, now - started) for key, started in sorted(self._running.copy().items(), key=lambda item: item[1])]

    def close(self) -> None:
        self._closed.set()
        self._threads.shutdown(cancel_futures=True)


# --- the suite ---


@dataclass
class Progress:
    """How far a suite is. The same object is updated and shown again and again."""

    suite: Suite
    total: int
    recorded_before: int
    """Runs that were in the results file at the start."""
    done: int = 0
    """Runs recorded since then."""
    learned: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    """How many runs ended in which way, recorded before or now."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Why the automaton of a domain could not be learned, by the domain's name."""
    skipped_runs: int = 0
    skipped_status: str = ""
    last: Record | None = None
    """The record that was written last."""
    running: list[Run] = field(default_factory=list)
    learning: list[str] = field(default_factory=list)
    seconds_left: float | None = None
    """A guess from the runs of the same kind that have ended."""

    @property
    def left(self) -> int:
        return self.total - self.recorded_before - self.done - self.skipped_runs

    @property
    def failed(self) -> int:
        return self.statuses[Status.CRASHED] + self.statuses[Status.ERROR]


Show = Callable[[Progress], None]
_Waiting = tuple[Run, StoredAutomaton | None]


def run_suite(
    suite: Suite,
    results: Results,
    pool: WorkerPool,
    *,
    show: Show | None = None,
    retry: bool = False,
    width: Callable[[], int] = lambda: 1,
) -> Progress:
    """Run what is not recorded. With ``retry`` that includes runs whose record says that they crashed or failed. Runs
    that the suite's settings allow to spare are recorded as that.

    ``width`` says how many runs happen at a time, for the guess of the time left.
    """
    with contextlib.closing(pool):
        runs = {run.key: run for run in suite.runs()}
        results.begin(suite, runs.values())
        known = {record.key: record for record in results.records() if record.key in runs}
        again = {key for key, record in known.items() if (retry and record.failed) or record.status == Status.NOT_RUN}
        todo = [run for key, run in runs.items() if key not in known or key in again]
        progress = Progress(suite, len(runs), len(runs) - len(todo))
        progress.statuses.update(record.status for key, record in known.items() if key not in again)
        sparing = known_before(runs, (record for key, record in known.items() if key not in again))
        guess = _Guess(known.values())
        runner = _Runner(results, pool, progress, show or (lambda _: None), width, guess, sparing)
        runner.learn_all(todo)
        todo = [run for run in todo if not (run.gpa and run.plan.name in progress.skipped)]
        progress.skipped_runs = len(runs) - progress.recorded_before - len(todo)
        runner.run_all(todo, {key: known[key] for key in again})
        runner.show(progress)
        return progress


@dataclass
class _Runner:
    results: Results
    pool: WorkerPool
    progress: Progress
    show: Show
    width: Callable[[], int]
    guess: _Guess
    sparing: Sparing

    def learn_all(self, todo: list[Run]) -> None:
        """Learn the automata that are needed and not stored."""
        progress = self.progress
        needed = {run.plan.training_key: run.plan for run in todo if run.gpa}
        missing = {key: plan for key, plan in needed.items() if self.results.automaton(key) is None}
        for key, plan in missing.items():
            self.pool.submit(key, _learning_job(plan))
        while missing:
            progress.learning = [plan.name for plan in missing.values()]
            for key, found in self.ended():
                plan = missing.pop(key)
                if found["status"] == "learned":
                    self.results.add_automaton(_stored(key, plan, found))
                    progress.learned += 1
                    continue
                progress.skipped_status = found["status"]
                for run in todo:  # several domains may share the training problems
                    if run.gpa and run.plan.training_key == key:
                        progress.skipped[run.plan.name] = found["message"] or found["status"]
        progress.learning = []

    def run_all(self, todo: list[Run], again: Mapping[str, Record]) -> None:
        """Run what is left and record it; ``again`` are the records that are replaced."""
        progress = self.progress
        trained = {run.plan.training_key for run in todo if run.gpa}
        automata = {key: self.results.automaton(key) for key in trained}
        waiting = {run.key: (run, automata[run.plan.training_key] if run.gpa else None) for run in todo}
        held = self.start(todo, waiting, again)
        while waiting:
            running = self.pool.running()
            progress.running = [waiting[key][0] for key, _ in running if key in waiting]
            progress.seconds_left = self.guess.left((run for run, _ in waiting.values()), dict(running), self.width())
            for key, found in self.ended():
                run, automaton = waiting.pop(key)
                record = _record(run, found, automaton)
                self.results.add(record, replace=key in again)
                self.guess.learn(record)
                if self.sparing.learn(run, record.status):
                    held = self.start(held, waiting, again)
                progress.done += 1
                progress.statuses[record.status] += 1
                progress.running = [each for each in progress.running if each is not run]
                progress.last = record
                self.show(progress)
                progress.last = None

    def start(self, held: list[Run], waiting: dict[str, _Waiting], again: Mapping[str, Record]) -> list[Run]:
        """Submit the runs that must be made, and record those that need not; returns those of which it is not known."""
        found = self.sparing.sort(held)
        for run in found.ready:
            self.pool.submit(run.key, _solving_job(*waiting[run.key]))
        for run, reason in found.spared:
            del waiting[run.key]
            before = again.get(run.key)
            self.progress.statuses[Status.NOT_RUN] += 1
            if before is not None and (before.status, before.message) == (Status.NOT_RUN, reason):
                self.progress.recorded_before += 1
                continue
            outcome = {"status": Status.NOT_RUN, "message": reason, **environment()}
            self.results.add(_record(run, outcome, None), replace=before is not None)
            self.progress.done += 1
        return found.held

    def ended(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Show the progress, wait a little, and give the key and result of a job that has ended, if one has."""
        self.show(self.progress)
        interrupts.check()
        ended = self.pool.next(0.5)
        if ended is not None:
            yield ended[0], _outcome(ended[1])


def _outcome(outcome: dict[str, Any] | Exception) -> dict[str, Any]:
    if isinstance(outcome, InfrastructureError):
        raise RunnerError(
            f"{outcome} (tried {ATTEMPTS} times). What was recorded is safe; mend this and give the same command "
            "again, and it goes on where it stopped"
        ) from outcome
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


# --- jobs and records ---


def _problem(instance: SuiteInstance) -> dict[str, Any]:
    return {
        "label": instance.label,
        "domain": instance.domain_text,
        "text": instance.problem_text,
        "name": instance.problem_name,
    }


def _learning_job(plan: DomainPlan) -> Job:
    return {
        "kind": "learn",
        "problems": [_problem(instance) for instance in plan.training],
        "time_limit": plan.protocol.time_limit,
        "memory_limit": plan.protocol.memory_limit,
        **plan.protocol.of_training(),
    }


def _solving_job(run: Run, automaton: StoredAutomaton | None) -> Job:
    return {
        "kind": "solve",
        "problem": _problem(run.instance),
        "automaton": None if automaton is None else automaton.text,
        **run.settings,
    }


def _stored(key: str, plan: DomainPlan, found: dict[str, Any]) -> StoredAutomaton:
    values = {each.name: found[each.name] for each in fields(StoredAutomaton) if each.name in found}
    return StoredAutomaton(**{**values, "key": key, "domain": plan.name, "hash": sha256(found["text"])})


def _record(run: Run, found: dict[str, Any], automaton: StoredAutomaton | None) -> Record:
    values = {**run.described(), **{name: value for name, value in found.items() if name in COLUMNS}}
    if automaton is not None:
        values |= {
            "vertices": automaton.vertices,
            "edges": automaton.edges,
            "learn_seconds": automaton.seconds,
            "automaton_hash": automaton.hash,
        }
    return Record(**values)


# --- the time left ---


class _Guess:
    """How long runs take, by what runs like them took: the same problem, else the same solver on another problem."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._means: dict[tuple[Any, ...], tuple[int, float]] = {}
        for record in records:
            self.learn(record)

    def learn(self, record: Record) -> None:
        seconds = record.seconds_total
        if seconds is None:
            return
        kind = (record.domain, record.solver, record.gpa)
        for key in ((*kind, record.problem), kind, ()):
            count, mean = self._means.get(key, (0, 0.0))
            self._means[key] = count + 1, mean + (seconds - mean) / (count + 1)

    def left(self, runs: Iterable[Run], running: dict[str, float], width: int) -> float | None:
        if () not in self._means:
            return None
        total = 0.0
        for run in runs:
            kind = (run.plan.name, run.solver, int(run.gpa))
            keys = ((*kind, run.instance.label), kind, ())
            expected = next(self._means[key][1] for key in keys if key in self._means)
            total += max(0.0, expected - running.get(run.key, 0.0))
        return total / max(1, width)


def exit_code_of_skipped(status: str) -> int:
    """The exit code of a suite that could not learn an automaton."""
    return STOPPED[status].exit_code if status in STOPPED else 31 if status == Status.ERROR else 1
