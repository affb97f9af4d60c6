"""Running a suite on a Dask cluster.

Each run is a Dask task, and the task does on its worker what `LocalPool` does here: it starts a process for the run and
watches over it (`gpaplan.experiments.child`). Results come back to the one client, which alone writes the results file.

If a worker dies, its runs' processes die with it, and Dask gives its tasks to other workers; a result that the client
has received is never asked for again. So every run is recorded exactly once, however often it had to be started. If the
client goes away, the scheduler takes its tasks back: a run notices that nobody wants it and ends.

Dask asks nobody who they are: whoever reaches a scheduler has its workers run any code. Only certificates change that;
they are what Dask's own configuration says.
"""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import logging
import queue
import re
import uuid
from typing import TYPE_CHECKING, Any

from gpaplan.errors import UsageError
from gpaplan.experiments.child import CancelledError, InfrastructureError, Job, run_job
from gpaplan.experiments.one_run import environment
from gpaplan.experiments.runner import ATTEMPTS, RunnerError
from gpaplan.statuses import Status
from gpaplan.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

_ADDRESS = re.compile(r"(tcp|tls|ucx)://([^/\s]+):\d+")


def is_open_to_others(scheduler: str) -> bool:
    """Whether the address is one that others may reach, and that asks for no certificate."""
    found = _ADDRESS.fullmatch(scheduler)
    if found is None or found[1] == "tls" or found[2] == "localhost":
        return False
    try:
        return not ipaddress.ip_address(found[2].strip("[]")).is_loopback
    except ValueError:  # a name
        return True


class ClusterPool:
    """The workers of a Dask scheduler. There may be none yet, and they may come and go."""

    def __init__(self, scheduler: str, *, timeout: float = 20.0) -> None:
        self.scheduler = scheduler
        self._client = _connect(scheduler, timeout)
        self._session = uuid.uuid4().hex[:12]
        self._jobs: dict[str, tuple[Job, int]] = {}
        """What has not ended yet, and how often it was submitted."""
        self._futures: dict[str, Future[Any]] = {}
        self._done: queue.SimpleQueue[str] = queue.SimpleQueue()

    def submit(self, key: str, job: Job) -> None:
        attempt = self._jobs.get(key, (job, 0))[1] + 1
        self._jobs[key] = job, attempt
        name = f"gpaplan-run-{key}-{self._session}.{attempt}"
        future = self._client.submit(_on_worker, job, name, __version__, key=name, pure=False)
        self._futures[key] = future
        future.add_done_callback(lambda _: self._done.put(key))

    def next(self, timeout: float) -> tuple[str, dict[str, Any] | Exception] | None:
        try:
            key = self._done.get(timeout=timeout)
        except queue.Empty:
            if self._futures and self._client.status not in ("running", "connecting"):
                raise self._connection_error() from None
            return None
        outcome = self._outcome(self._futures.pop(key))
        job, attempt = self._jobs[key]
        if isinstance(outcome, InfrastructureError) and attempt < ATTEMPTS:
            self.submit(key, job)  # on another worker, perhaps
            return None
        del self._jobs[key]
        return key, outcome

    def _outcome(self, future: Future[Any]) -> dict[str, Any] | Exception:
        from distributed import KilledWorker

        if future.status in ("cancelled", "lost"):
            return self._connection_error()
        try:
            found = future.result(timeout=60)
        except KilledWorker as error:
            message = f"the worker that ran it died, {error.allowed_failures + 1} times in a row"
            return {**environment(), "status": Status.CRASHED, "message": message}
        except InfrastructureError as error:
            return error
        except Exception as error:
            kind = type(error).__name__
            message = f"a worker cannot run it ({kind}: {error}); install the same version of gpaplan on the workers"
            return InfrastructureError(message)
        assert isinstance(found, dict)
        return found

    def _connection_error(self) -> RunnerError:
        return RunnerError(
            f"the connection to the Dask scheduler at {self.scheduler} is lost. What was recorded is safe: start the "
            "scheduler and give the same command again, and it goes on where it stopped"
        )

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._futures.values()), force=True)
        self._futures.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=10)


def _connect(scheduler: str, timeout: float) -> Client:
    if not _ADDRESS.fullmatch(scheduler):
        raise UsageError(f"'{scheduler}' is not the address of a Dask scheduler; one looks like tcp://HOST:8786")
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--scheduler needs Dask, which is not installed here; install it: pip install 'gpaplan[cluster]'"
        ) from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said in our own words
    gc.collect()  # a client that failed before and is collected while this one starts would wait for a lock of this one
    try:
        return Client(scheduler, timeout=timeout, set_as_default=False)
    except TypeError as error:
        if "ssl_context" not in str(error):
            raise
        raise UsageError(
            f"'{scheduler}' needs certificates; tell Dask of them (docs/howto/run-on-a-cluster.md): "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and …__CLIENT__KEY"
        ) from None
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(
            f"no Dask scheduler answers at '{scheduler}' ({reason}); 'dask scheduler' starts one"
        ) from None


# --- on the worker ---


def _on_worker(job: Job, name: str, version: str) -> dict[str, Any]:
    """Run a job on a worker, as long as somebody wants its result."""
    from distributed import Reschedule, get_worker

    if version != __version__:
        raise InfrastructureError(f"a worker has gpaplan {__version__}, not {version}; install the same version there")
    worker = get_worker()

    def wanted() -> bool:
        task = worker.state.tasks.get(name)
        return task is not None and task.state != "cancelled" and worker.status.name not in ("closing", "closed")

    try:
        return run_job(job, wanted=wanted)
    except CancelledError:
        raise Reschedule from None  # the worker is about to close: another one shall do it, if anybody wants it
