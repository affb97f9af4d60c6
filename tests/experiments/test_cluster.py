"""Suites on a real Dask cluster: a scheduler and two workers, each a process of its own, on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from gpaplan.errors import UsageError
from tests.experiments.samples import (
    ENDLESS,
    PATIENCE,
    SMALL,
    bench_json,
    children,
    end,
    is_alive,
    rows,
    start_bench,
    wait_for,
    write_suite,
)

pytest.importorskip("distributed")


class Cluster:
    """A scheduler, and workers as they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0")
        self.address = wait_for(lambda: _address(self._file), "the scheduler")

    def _start(self, module: str, *more: str, **environment: str) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self._file)]
        with open(self.folder / f"{module}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *options, *more],
                stdout=log,
                stderr=log,
                env={**os.environ, **environment},
                cwd=self.folder,
            )

    def add_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start a worker for one run at a time, and wait until the scheduler knows it."""
        from distributed import Client

        worker = self._start("dask_worker", "--nthreads", "1", "--no-nanny", **environment)
        self.workers.append(worker)
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)
        return worker

    def runs(self) -> list[int]:
        """The processes of runs under way."""
        return [pid for worker in self.workers for pid in children(worker.pid)]

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


def _address(file: Path) -> str:
    try:
        return str(json.loads(file.read_text())["address"])
    except (OSError, ValueError):
        return ""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with contextlib.closing(Cluster(tmp_path)) as found:
        yield found


STUCK = """
import os, sys, time
if "gpaplan.experiments.one_run" in sys.orig_argv:
    parent = os.getppid()
    open(os.environ["STUCK"], "w").close()
    while os.getppid() == parent:
        time.sleep(0.05)
    os._exit(1)
"""
"""Makes the runs of a worker say that they have begun, and then wait for the end of the worker."""


def test_a_worker_is_killed_in_the_middle_and_every_run_is_recorded_once(cluster: Cluster, tmp_path: Path) -> None:
    write_suite(tmp_path, SMALL)
    path = tmp_path / "sample.sqlite"
    cluster.add_worker()
    first = bench_json(tmp_path, "sample.toml", "--scheduler", cluster.address, "--runs", "1")
    assert (first["new"], first["learned"]) == (6, 1)
    before = rows(path)
    (tmp_path / "stuck").mkdir()
    (tmp_path / "stuck" / "sitecustomize.py").write_text(STUCK)
    begun = tmp_path / "begun"
    doomed = cluster.add_worker(PYTHONPATH=str(tmp_path / "stuck"), STUCK=str(begun))
    suite = start_bench(tmp_path, "sample.toml", "--scheduler", cluster.address, "--json")
    try:
        wait_for(begun.exists, "a run on the second worker")
        doomed.send_signal(signal.SIGKILL)
        output, errors = suite.communicate(timeout=PATIENCE)
    finally:
        end(suite)
    assert suite.returncode == 0, errors
    record = json.loads(output)
    assert (record["recorded"], record["new"], record["statuses"]) == (12, 6, {"solved": 12})
    found = rows(path)
    assert len(found) == len({row["key"] for row in found}) == 12
    assert found[:6] == before


def test_a_run_ends_with_the_suite_and_the_suite_with_the_scheduler(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker()
    write_suite(tmp_path, ENDLESS)
    command = ("sample.toml", "--scheduler", cluster.address)
    for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 12)):
        suite = start_bench(tmp_path, *command)
        try:
            (child,) = wait_for(cluster.runs, "a run")
            suite.send_signal(number)
            suite.communicate(timeout=PATIENCE)
        finally:
            end(suite)
        assert suite.returncode == code
        wait_for(lambda: not is_alive(child), "the end of a run that nobody wants")  # noqa: B023
    suite = start_bench(tmp_path, *command)
    try:
        wait_for(cluster.runs, "a run")
        cluster.scheduler.send_signal(signal.SIGKILL)
        _, errors = suite.communicate(timeout=PATIENCE)
    finally:
        end(suite)
    assert suite.returncode == 31
    assert "the connection to the Dask scheduler" in errors
    assert "goes on where it stopped" in errors
    assert "Traceback" not in errors
    assert rows(tmp_path / "sample.sqlite") == []


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpaplan.experiments import cluster
    from gpaplan.experiments.child import InfrastructureError

    monkeypatch.setattr(cluster, "__version__", "9.9")
    with pytest.raises(InfrastructureError, match=r"a worker has gpaplan 9\.9, not 0\.1; install the same version"):
        cluster._on_worker({}, None, "name", "0.1")


def test_a_run_that_kills_its_workers_is_a_result() -> None:
    from distributed import KilledWorker

    from gpaplan.experiments.cluster import ClusterPool

    class Failed:
        status = "error"

        def result(self, timeout: float) -> None:  # noqa: ARG002
            raise KilledWorker("task", cast(Any, None), 3)

    found = ClusterPool._outcome(cast(ClusterPool, None), cast(Any, Failed()))
    assert isinstance(found, dict)
    assert (found["status"], found["message"]) == ("crashed", "the worker that ran it died, 4 times in a row")


def test_there_must_be_a_scheduler() -> None:
    from gpaplan.experiments.cluster import ClusterPool

    with pytest.raises(UsageError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        ClusterPool("tcp://127.0.0.1:9", timeout=0.2)
    with pytest.raises(UsageError, match="is not the address of a Dask scheduler"):
        ClusterPool("127.0.0.1")


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpaplan.experiments.cluster import ClusterPool

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'gpaplan\[cluster\]'"):
        ClusterPool("tcp://127.0.0.1:9")
