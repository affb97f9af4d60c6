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
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan import system
from gpaplan.experiments.one_run import environment
from gpaplan.statuses import Status

__all__ = ["COMMAND", "CancelledError", "InfrastructureError", "Job", "run_job"]

Job = dict[str, Any]

COMMAND = (sys.executable, "-P", "-m", "gpaplan.experiments.one_run")

_LOOK = 0.1
"""Seconds between two looks at the memory of a process."""


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
    data = json.dumps({**job, "parent": os.getpid()}).encode()
    system.need_posix("a run in a process of its own")
    kills = system.processes_killed_for_memory()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the suite, which then ends its runs
        )
    except OSError as error:
        raise InfrastructureError(f"cannot start a process: {error.strerror or error}") from error
    watch = _Watch(process, data, job, grace_of(job) if grace is None else grace)
    try:
        reason = watch.follow(wanted)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
    if reason == "cancelled":
        raise CancelledError
    return watch.result(reason, ran_out=system.processes_killed_for_memory() > kills)


@dataclass
class _Watch:
    """The streams of a process, and what has come through them."""

    process: subprocess.Popen[bytes]
    data: bytes
    job: Job
    grace: float

    def __post_init__(self) -> None:
        self.started = time.monotonic()
        self.output = b""
        self.errors = b""
        self.peak = 0.0

    def follow(self, wanted: Callable[[], bool]) -> str:
        """Feed the process and listen until it ends (``""``) or must be ended, and why."""
        deadline = self.started + float(self.job["time_limit"]) + self.grace
        most = allowance_of(self.job)
        streams = self.process.stdin, self.process.stdout, self.process.stderr
        with selectors.DefaultSelector() as selector:
            for stream, event in zip(streams, (selectors.EVENT_WRITE, *[selectors.EVENT_READ] * 2), strict=True):
                assert stream is not None
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, event)
            looked = 0.0
            while any(key.fileobj is not self.process.stdin for key in selector.get_map().values()):
                for key, _ in selector.select(timeout=_LOOK):
                    self._transfer(key.fileobj, selector)
                now = time.monotonic()
                if now - looked < _LOOK:
                    continue
                looked = now
                self.peak = max(self.peak, system.resident_megabytes(self.process.pid))
                if self.peak > most:
                    return "memory"
                if now > deadline:
                    return "time"
                if not wanted():
                    return "cancelled"
        return self._await_the_end(deadline, wanted)

    def _transfer(self, stream: Any, selector: selectors.BaseSelector) -> None:
        """Move what can be moved without waiting; a stream that has ended is closed."""
        feeding = stream is self.process.stdin
        try:
            if feeding:
                self.data = self.data[os.write(stream.fileno(), self.data[:65536]) :]
                ended = not self.data
            else:
                piece = os.read(stream.fileno(), 65536)
                ended = not piece
                if stream is self.process.stdout:
                    self.output += piece
                else:
                    self.errors = (self.errors + piece)[-4000:]
        except BlockingIOError:
            return
        except OSError:  # the process has gone
            ended = True
        if ended:
            selector.unregister(stream)
            with contextlib.suppress(OSError):
                stream.close()

    def _await_the_end(self, deadline: float, wanted: Callable[[], bool]) -> str:
        while True:
            try:
                self.process.wait(_LOOK)
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline:
                    return "time"
                if not wanted():
                    return "cancelled"
            else:
                return ""

    def result(self, reason: str, *, ran_out: bool) -> dict[str, Any]:
        """What is recorded: what the process said last, and how it ended if that was not as it should be."""
        lines = [each for line in self.output.split(b"\n")[:-1] if (each := _object(line)) is not None]
        if not lines and not reason and self.process.returncode > 0:
            said = self.errors.decode("utf-8", "replace").strip().splitlines()
            last = said[-1] if said else f"exit code {self.process.returncode}"
            raise InfrastructureError(f"the process of a run ended before it began: {last}")
        found: dict[str, Any] = {**environment(), "status": Status.CRASHED, "message": ""}
        for line in lines:
            found |= line
        ended = self._unusual_end(reason, ran_out, done=len(lines) > 1)
        if ended is not None:
            status, message = ended
            # What the search has found before the end came stays found; only its trials may be missing.
            found |= (
                {"message": message} if found["status"] != Status.CRASHED else {"status": status, "message": message}
            )
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
        how = f"killed by {_signal_name(-code)}" if code < 0 else f"exit code {code}"
        said = self.errors.decode("utf-8", "replace").strip().splitlines()
        return Status.CRASHED, f"the process ended unexpectedly ({how})" + (f": {said[-1][:500]}" if said else "")


def _object(line: bytes) -> dict[str, Any] | None:
    """A line of a result; None for anything that somebody else has printed."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
