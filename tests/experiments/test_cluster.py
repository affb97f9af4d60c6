"""Suites on a real Dask cluster: a scheduler and two workers, each a process of its own, on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from gpaplan.cli import main
from gpaplan.errors import UsageError
from gpaplan.experiments.cluster import ClusterPool, is_open_to_others
from tests.experiments.samples import (
    EIGHT,
    ENDLESS,
    PATIENCE,
    bench_json,
    children,
    end,
    is_alive,
    rows,
    start_bench,
    wait_for,
    write_suite,
)
from tests.paths import ROOT

pytest.importorskip("distributed")


class Cluster:
    """A scheduler, and workers as they are asked for."""

    def __init__(self, folder: Path, certificates: tuple[str, ...] | None = None) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._options: list[str] = []
        if certificates is not None:
            names = ("--tls-ca-file", "--tls-cert", "--tls-key")
            self._options = [text for pair in zip(names, certificates, strict=True) for text in pair]
            self._options += ["--protocol", "tls"]
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0")
        self.address = wait_for(lambda: _address(self._file), "the scheduler")

    def _start(self, module: str, *more: str, **environment: str) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self._file)]
        options += self._options
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
    write_suite(tmp_path, EIGHT)
    path = tmp_path / "sample.csv"
    cluster.add_worker()
    first = bench_json(tmp_path, "sample.toml", "--scheduler", cluster.address, "--runs", "1")
    assert (first["new"], first["learned"]) == (4, 1)
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
    assert (record["recorded"], record["new"], record["statuses"]) == (8, 4, {"solved": 8})
    found = rows(path)
    assert len(found) == len({row["key"] for row in found}) == 8
    assert all(row in found for row in before)


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
    assert rows(tmp_path / "sample.csv") == []


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Made as docs/howto/run-on-a-cluster.md says."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates")
    page = (ROOT / "docs" / "howto" / "run-on-a-cluster.md").read_text()
    (commands,) = re.findall(r"```sh\n(umask 077\n.*?)```", page, re.DOTALL)
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run(["sh", "-ec", commands], cwd=folder, check=True, capture_output=True)
    return tuple(str(folder / name) for name in ("ca.pem", "node.pem", "node-key.pem"))


def test_a_suite_runs_over_tls_and_nobody_without_a_certificate_is_let_in(
    tmp_path: Path, certificates: tuple[str, ...]
) -> None:
    import dask

    write_suite(tmp_path, EIGHT)
    names = ("ca-file", "client.cert", "client.key")
    ours = {f"distributed.comm.tls.{name}": file for name, file in zip(names, certificates, strict=True)}
    variables = {f"DASK_{name.upper().replace('-', '_').replace('.', '__')}": file for name, file in ours.items()}
    with dask.config.set(ours), contextlib.closing(Cluster(tmp_path, certificates)) as cluster:
        assert cluster.address.startswith("tls://127.0.0.1:")
        cluster.add_worker()
        options = ("--scheduler", cluster.address, "--runs", "1")
        done = bench_json(tmp_path, "sample.toml", *options, env={**os.environ, **variables})
        assert (done["new"], done["statuses"]) == (4, {"solved": 4})
        with dask.config.set(dict.fromkeys(ours)), pytest.raises(UsageError, match="needs certificates; tell Dask"):
            ClusterPool(cluster.address, timeout=1)
        with pytest.raises(UsageError, match="no Dask scheduler answers"):
            ClusterPool(cluster.address.replace("tls://", "tcp://"), timeout=1)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("tcp://127.0.0.1:8786", False),
        ("tcp://127.1.2.3:8786", False),
        ("tcp://[::1]:8786", False),
        ("tcp://localhost:8786", False),
        ("tls://node1:8786", False),
        ("tcp://node1:8786", True),
        ("tcp://10.0.0.1:8786", True),
        ("tcp://0.0.0.0:8786", True),
        ("ucx://node1:8786", True),
    ],
)
def test_who_may_reach_a_scheduler(address: str, expected: bool) -> None:
    assert is_open_to_others(address) == expected


def test_a_scheduler_that_all_may_use_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(*_given: object) -> None:
        raise UsageError("nobody is there")

    monkeypatch.setattr("gpaplan.experiments.cluster._connect", unreachable)
    write_suite(tmp_path, EIGHT)
    with contextlib.chdir(tmp_path):
        for address, warned in (("tcp://10.0.0.1:8786", True), ("tcp://127.0.0.1:8786", False)):
            with pytest.raises(SystemExit):
                main(["bench", "sample.toml", "--scheduler", address])
            errors = capsys.readouterr().err
            assert "nobody is there" in errors
            assert ("can run any program as you on its workers" in errors) == warned


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpaplan.experiments import cluster
    from gpaplan.experiments.child import InfrastructureError

    monkeypatch.setattr(cluster, "__version__", "9.9")
    with pytest.raises(InfrastructureError, match=r"a worker has gpaplan 9\.9, not 0\.1; install the same version"):
        cluster._on_worker({}, "name", "0.1")


def test_a_run_that_kills_its_workers_is_a_result() -> None:
    from distributed import KilledWorker

    class Failed:
        status = "error"

        def result(self, timeout: float) -> None:  # noqa: ARG002
            raise KilledWorker("task", cast(Any, None), 3)

    found = ClusterPool._outcome(cast(ClusterPool, None), cast(Any, Failed()))
    assert isinstance(found, dict)
    assert (found["status"], found["message"]) == ("crashed", "the worker that ran it died, 4 times in a row")


def test_there_must_be_a_scheduler() -> None:
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        ClusterPool("tcp://127.0.0.1:9", timeout=0.2)
    with pytest.raises(UsageError, match="is not the address of a Dask scheduler"):
        ClusterPool("127.0.0.1")


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'gpaplan\[cluster\]'"):
        ClusterPool("tcp://127.0.0.1:9")
