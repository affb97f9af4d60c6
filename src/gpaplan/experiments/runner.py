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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from gpaplan import interrupts
from gpaplan.errors import STOPPED, GpaplanError
from gpaplan.experiments.child import CancelledError, InfrastructureError, Job, run_job
from gpaplan.experiments.one_run import environment
from gpaplan.experiments.record import COLUMNS, Record, Results, StoredAutomaton
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

    def close(self) -> None:
        """End what is under way, and wait until it has ended."""


# --- on this machine ---


class LocalPool:
    """So many processes at a time, each watched by a thread."""

    def __init__(self, jobs: int, run: Callable[..., dict[str, Any]] = run_job) -> None:
        self._run = run
        self._threads = ThreadPoolExecutor(jobs)
        self._done: queue.SimpleQueue[tuple[str, dict[str, Any] | Exception]] = queue.SimpleQueue()
        self._closed = threading.Event()

    def _work(self, key: str, job: Job) -> None:
        try:
            outcome: dict[str, Any] | Exception = self._attempt(job)
        except CancelledError:
            return
        except Exception as error:
            outcome = error
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
    learning: list[str] = field(default_factory=list)

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
) -> Progress:
    """Run what is not recorded. With ``retry`` that includes runs whose record says that they crashed or failed. Runs
    that the suite's settings allow to spare are recorded as that."""
    with contextlib.closing(pool):
        runs = {run.key: run for run in suite.runs()}
        results.begin(runs.values())
        known = {record.key: record for record in results.records() if record.key in runs}
        again = {key for key, record in known.items() if (retry and record.failed) or record.status == Status.NOT_RUN}
        todo = [run for key, run in runs.items() if key not in known or key in again]
        progress = Progress(suite, len(runs), len(runs) - len(todo))
        progress.statuses.update(record.status for key, record in known.items() if key not in again)
        runner = _Runner(results, pool, progress, show or (lambda _: None), _Sparing())
        for key, record in known.items():
            if key not in again:
                runner.sparing.learn(runs[key], record.status)
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
    sparing: _Sparing

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
            for key, found in self.ended():
                run, automaton = waiting.pop(key)
                record = _record(run, found, automaton)
                with interrupts.held():  # what is recorded is counted
                    self.results.add(record, replace=key in again)
                    progress.done += 1
                    progress.statuses[record.status] += 1
                    progress.last = record
                if self.sparing.learn(run, record.status):
                    held = self.start(held, waiting, again)
                self.show(progress)
                progress.last = None

    def start(self, held: list[Run], waiting: dict[str, _Waiting], again: Mapping[str, Record]) -> list[Run]:
        """Submit the runs that must be made, and record those that need not; returns those of which it is not known."""
        unknown = []
        for run in held:  # in the order of the suite: what is spared may spare those after it
            reason = self.sparing.reason(run)
            if reason is None:
                unknown.append(run)
            elif reason:
                del waiting[run.key]
                self.spare(run, reason, again.get(run.key))
            else:
                self.pool.submit(run.key, _solving_job(*waiting[run.key]))
        return unknown

    def spare(self, run: Run, reason: str, before: Record | None) -> None:
        """Record that a run is not made, unless that is recorded."""
        self.sparing.learn(run, Status.NOT_RUN)
        self.progress.statuses[Status.NOT_RUN] += 1
        if before is not None and (before.status, before.message) == (Status.NOT_RUN, reason):
            self.progress.recorded_before += 1
            return
        outcome = {"status": Status.NOT_RUN, "message": reason, **environment()}
        self.results.add(_record(run, outcome, None), replace=before is not None)
        self.progress.done += 1

    def ended(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Show the progress, wait a little, and give the key and result of a job that has ended, if one has."""
        self.show(self.progress)
        interrupts.check()
        key, outcome = self.pool.next(0.5) or ("", {})
        if isinstance(outcome, InfrastructureError):
            raise RunnerError(
                f"{outcome} (tried {ATTEMPTS} times). What was recorded is safe; mend this and give the same command "
                "again, and it goes on where it stopped"
            ) from outcome
        if isinstance(outcome, Exception):
            raise outcome
        if outcome:
            yield key, outcome


class _Sparing:
    """Runs that can be spared, because those before them say what they would: that the limit comes first.

    Two settings of a domain ask for it, ``give_up_after`` and ``once_at_limit`` (docs/experiments.md). The first run of
    a problem decides for all of them, so what is spared does not depend on how many runs happen at a time, or on where
    a suite was stopped. What is spared is recorded as ``not-run``; such a record keeps no run from being made later.
    """

    def __init__(self) -> None:
        self._met_limit: dict[tuple[str, str, bool, int], bool] = {}

    def learn(self, run: Run, status: str) -> bool:
        """Take note of how a run ended; returns whether that may decide about others."""
        if run.index == 0:
            limits = (Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.NOT_RUN)
            self._met_limit[run.plan.name, run.solver, run.gpa, run.size] = status in limits
        return run.index == 0

    def reason(self, run: Run) -> str | None:
        """Why a run can be spared; empty if it cannot, and None if that is not known yet."""
        protocol, cell = run.plan.protocol, (run.plan.name, run.solver, run.gpa)
        number = protocol.give_up_after
        if number and not run.gpa and run.size >= number:
            before = [self._met_limit.get((*cell, size)) for size in range(run.size - number, run.size)]
            if None in before and False not in before:
                return None
            if all(before):
                words = {1: "the problem before this one", 2: "two problems in a row before this one"}
                return f"{words.get(number, f'{number} problems in a row before this one')} met the limit"
        if protocol.once_at_limit and run.index > 0:
            first = self._met_limit.get((*cell, run.size))
            return None if first is None else "the first run met the limit" if first else ""
        return ""


# --- jobs and records ---


def _problem(instance: SuiteInstance) -> dict[str, Any]:
    return {
        "label": instance.label,
        "domain": instance.domain_text,
        "text": instance.problem_text,
        "name": instance.problem_name,
    }


def _learning_job(plan: DomainPlan) -> Job:
    limits = {"time_limit": plan.protocol.time_limit, "memory_limit": plan.protocol.memory_limit}
    return {"kind": "learn", "problems": list(map(_problem, plan.training)), **limits, **plan.protocol.of_training()}


def _solving_job(run: Run, automaton: StoredAutomaton | None) -> Job:
    text = None if automaton is None else automaton.text
    return {"kind": "solve", "problem": _problem(run.instance), "automaton": text, **run.settings}


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


def exit_code_of_skipped(status: str) -> int:
    """The exit code of a suite that could not learn an automaton."""
    return STOPPED[status].exit_code if status in STOPPED else 31 if status == Status.ERROR else 1
