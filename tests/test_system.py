"""The system says what it holds; and what is done where it is another one, played on this one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gpaplan import UsageError, _core, system
from gpaplan.experiments.child import run_job
from gpaplan.files import alone_with, read_bytes, written_whole


class ByteLocks:
    """Windows' locks of single bytes, which a process has against itself too."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.taken: dict[tuple[int, int], int] = {}

    def locking(self, descriptor: int, how: int, size: int) -> None:
        assert (how, size) == (self.LK_NBLCK, 1)
        key = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        owner = self.taken.get(key)
        if owner is not None and owner != descriptor and is_open(owner, key[0]):
            raise PermissionError
        self.taken[key] = descriptor


def is_open(descriptor: int, file: int) -> bool:
    try:
        return os.fstat(descriptor).st_ino == file
    except OSError:
        return False


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if on Windows: no locks of files, no replacing of open files, no waiting for pipes."""
    monkeypatch.setattr(system, "_fcntl", None)
    monkeypatch.setattr(system, "_msvcrt", ByteLocks())
    monkeypatch.setattr(system, "is_posix", lambda: False)
    replace = os.replace

    def replace_closed(source: str, target: str) -> None:
        for number in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                assert os.readlink(f"/proc/self/fd/{number}") not in (
                    os.path.realpath(source),
                    os.path.realpath(target),
                )
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_closed)


def test_both_languages_agree_on_the_memory_of_this_process() -> None:
    held = _core.resident_memory() / 1e6
    assert held > 1
    assert system.resident_megabytes(os.getpid()) == pytest.approx(held, rel=0.2)
    peak = system.peak_megabytes()
    assert peak is not None
    assert peak >= 0.8 * held


def test_a_process_that_is_gone_holds_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert system.resident_megabytes(process.pid) == 0


def test_the_peak_where_there_is_no_kernel_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    known = system.peak_megabytes()
    monkeypatch.setattr(system, "_kernel_says", lambda *_: None)
    assert known is not None
    assert system.peak_megabytes() == pytest.approx(known, rel=0.2)
    assert system.available_megabytes() is None
    assert system.processes_killed_for_memory() == 0
    assert "unknown processor" in system.machine()["machine"]


def test_a_process_that_looks_for_its_parent_ends_after_it(tmp_path: Path) -> None:
    """As on macOS. The one in the middle ends, and the one that it started must follow."""
    child = "import os, time, gpaplan.system as s; s._watch_the_parent(os.getppid(), 0.01)"
    middle = (
        f"import subprocess, sys, time; print(subprocess.Popen([sys.executable, '-c', {child!r}]).pid); time.sleep(2)"
    )
    found = subprocess.run([sys.executable, "-c", middle], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    pid = int(found.stdout)
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("it goes on without its parent")


@pytest.mark.usefixtures("windows")
def test_on_windows_files_are_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    for text in ("first", "second"):
        with written_whole(file) as writing:
            writing.write(text)
        assert file.read_text() == text
    assert [each.name for each in tmp_path.iterdir()] == ["policy.json"]
    assert read_bytes(file, 100) == b"second"


@pytest.mark.usefixtures("windows")
def test_on_windows_one_waits_for_the_other(tmp_path: Path) -> None:
    file = tmp_path / "automaton.json"
    file.write_text("0")
    inside = threading.Event()
    order: list[str] = []

    def second() -> None:
        inside.wait()
        with alone_with(file):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with alone_with(file):
        inside.set()
        time.sleep(0.3)
        order.append("first")
        with written_whole(file) as writing:
            writing.write("1")
    thread.join()
    assert order == ["first", "second"]


@pytest.mark.usefixtures("windows")
def test_on_windows_runs_are_refused_in_words() -> None:
    with pytest.raises(UsageError, match="needs Linux or macOS"):
        run_job({"time_limit": 1, "memory_limit": 1})


def test_a_folder_is_no_file_whatever_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(UsageError, match="is a directory, not a file"):
        read_bytes(tmp_path, 10)
