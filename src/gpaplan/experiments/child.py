"""Starting the process of one run and watching over it until it has ended, one way or another.

`run_job` gives the job to a fresh process and returns what became of it, always: a process that crashes, hangs, or
takes more memory than it may has a result too. The limits are the process's own business first (`gpaplan.limits`,
inside the search); the watch from outside is for a process that does not keep them. Time: it is killed when its limit
and a grace have passed. Memory: its resident memory is looked at every tenth of a second, and it is killed when that
exceeds the limit and an allowance. (``RLIMIT_AS`` and ``RLIMIT_DATA`` would count address space, which the core
reserves in advance, and not memory in use.)

Only a process that cannot be started, or ends before it has read its job, is no result but an `InfrastructureError`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpaplan import system
from gpaplan.experiments.one_run import environment
from gpaplan.statuses import Status

Job = dict[str, Any]

COMMAND = (sys.executable, "-P", "-m", "gpaplan.experiments.one_run")

_LOOK = 0.1
"""Seconds between two looks at the memory of a process."""
_MOST_ERRORS = 4000
"""Bytes of standard error that are looked at, from its end."""


class InfrastructureError(Exception):
    """A run could not be started. That says nothing about the problem, and it may be tried again."""


class CancelledError(Exception):
    """The run is not wanted any more; its process has been ended."""


def grace_of(job: Job) -> float:
    """Seconds after the time limit in which a process may end by itself: it still checks the policy and runs trials."""
    return 60.0 + 0.1 * float(job["time_limit"])


def allowance_of(job: Job) -> float:
    """Megabytes of resident memory at which a process is killed."""
    return 100.0 + 1.1 * float(job["memory_limit"])


def run_job(
    job: Job,
    *,
    wanted: Callable[[], bool] = lambda: True,
    grace: float | None = None,
    command: Sequence[str] = COMMAND,
) -> dict[str, Any]:
    """Run a job in a process of its own and return its result. ``wanted`` is asked now and then whether to go on."""
    system.need_posix("a run in a process of its own")
    kills = system.processes_killed_for_memory()
    with contextlib.ExitStack() as files:
        try:
            given, errors = (files.enter_context(tempfile.TemporaryFile()) for _ in range(2))
            given.write(json.dumps({**job, "parent": os.getpid()}).encode())
            given.seek(0)
            process = subprocess.Popen(
                command,
                stdin=given,  # a file: a pipe that is not written to at once, as on a busy machine, never would be
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C is for the suite, which then ends its runs
            )
        except OSError as error:
            raise InfrastructureError(f"cannot start a process: {error.strerror or error}") from error
        watch = _Watch(process, job, grace_of(job) if grace is None else grace)
        try:
            reason = watch.follow(wanted)
        finally:
            if process.returncode is None:
                process.kill()
                watch.output, _ = process.communicate()
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _MOST_ERRORS))
        watch.errors = errors.read().decode("utf-8", "replace").strip().splitlines()
    if reason == "cancelled":
        raise CancelledError
    return watch.result(reason, ran_out=system.processes_killed_for_memory() > kills)


@dataclass
class _Watch:
    """A process, and what it has said and needed."""

    process: subprocess.Popen[bytes]
    job: Job
    grace: float
    output: bytes = b""
    errors: list[str] = field(default_factory=list)
    peak: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def follow(self, wanted: Callable[[], bool]) -> str:
        """Listen to the process until it ends (``""``) or must be ended, and why."""
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.output, _ = self.process.communicate(timeout=_LOOK)
                return ""
            self.peak = max(self.peak, system.resident_megabytes(self.process.pid))
            if self.peak > allowance_of(self.job):
                return "memory"
            if time.monotonic() > self.started + float(self.job["time_limit"]) + self.grace:
                return "time"
            if not wanted():
                return "cancelled"

    def result(self, reason: str, *, ran_out: bool) -> dict[str, Any]:
        """What is recorded: what the process said last, and how it ended if that was not as it should be."""
        lines = [each for line in self.output.split(b"\n")[:-1] if (each := _object(line)) is not None]
        if not lines and not reason and self.process.returncode > 0:
            last = self.errors[-1] if self.errors else f"exit code {self.process.returncode}"
            raise InfrastructureError(f"the process of a run ended before it began: {last}")
        found: dict[str, Any] = {**environment(), "status": Status.CRASHED, "message": ""}
        for line in lines:
            found |= line
        if (ended := self._unusual_end(reason, ran_out, done=len(lines) > 1)) is not None:
            if found["status"] == Status.CRASHED:  # else what the search has found stays; only its trials are missing
                found["status"] = ended[0]
            found["message"] = ended[1]
            found["seconds_total"] = time.monotonic() - self.started
            found["peak_mb"] = max(self.peak, found.get("peak_mb") or 0.0)
        return found

    def _unusual_end(self, reason: str, ran_out: bool, *, done: bool) -> tuple[Status, str] | None:
        code = self.process.returncode
        if reason == "time":
            after = f"{float(self.job['time_limit']):g} s and {self.grace:g} s of grace"
            return Status.TIME_LIMIT, f"ended from outside after {after}: it did not stop by itself"
        if reason == "memory":
            most = f"{allowance_of(self.job):,.0f} MB"
            return Status.MEMORY_LIMIT, f"ended from outside: it held {self.peak:,.0f} MB, more than {most}"
        if code == 0 and done:
            return None
        if code == -signal.SIGKILL and ran_out:
            return Status.MEMORY_LIMIT, "killed by the kernel: the machine ran out of memory"
        names = {number.value: number.name for number in signal.Signals}
        how = f"killed by {names.get(-code, f'signal {-code}')}" if code < 0 else f"exit code {code}"
        said = f": {self.errors[-1][:500]}" if self.errors else ""
        return Status.CRASHED, f"the process ended unexpectedly ({how}){said}"


def _object(line: bytes) -> dict[str, Any] | None:
    """A line of a result; None for anything that somebody else has printed."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
