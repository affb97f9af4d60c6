"""Limits of commands whose work does not look at them itself: show and report."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections import deque
from pathlib import Path

import pytest

from gpaplan import system
from gpaplan.cli import main
from gpaplan.cli.watching import kept_within
from gpaplan.errors import LimitError
from gpaplan.experiments.record import write_records
from gpaplan.experiments.results import Results
from gpaplan.limits import Limits
from tests.experiments.samples import sample_record

SOON = Limits(seconds=0.05)
ENDLESS = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"


def run(folder: Path, *arguments: str) -> int:
    with contextlib.chdir(folder), pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def walk_forever(seen: list[bytes] | deque[bytes]) -> None:
    while True:
        seen.append(bytes(1000))


def test_endless_work_ends_at_its_limit() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(LimitError, match="a walk was stopped by the time limit"), kept_within(SOON, "a walk"):
        walk_forever(deque(maxlen=1))
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_endless_question_to_sqlite_ends_too(tmp_path: Path) -> None:
    with Results(tmp_path / "results.sqlite", write=True) as results:
        with pytest.raises(LimitError, match="time limit"), kept_within(SOON, "a question"), results._reading():
            results._database.execute(ENDLESS).fetchone()
        assert len(results) == 0, "it can still be asked"


def test_memory_is_looked_at() -> None:
    most = Limits(megabytes=system.resident_megabytes(os.getpid()) + 50)
    with pytest.raises(LimitError, match="memory limit"), kept_within(most, "a hoard"):
        walk_forever([])


def test_an_interrupt_stays_one() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with pytest.raises(KeyboardInterrupt), kept_within(Limits(seconds=1000), "a walk"):
            signal.raise_signal(number)


def test_what_ends_in_time_is_left_alone() -> None:
    with kept_within(Limits(seconds=1000, megabytes=1e9), "a step"):
        done = 1
    assert done == 1


def test_show_and_report_stop_at_their_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records([sample_record(number) for number in range(3)], tmp_path / "records.csv")
    (tmp_path / "trace.json").write_text('{"format": "gpaplan trace", "version": 1, "trials": []}')
    for command in (["report", "records.csv"], ["show", "trace.json"]):
        for limit, code, status in (("--time-limit", 10, "time-limit"), ("--memory-limit", 11, "memory-limit")):
            assert run(tmp_path, *command, limit, "1e-9", "--json") == code
            assert json.loads(capsys.readouterr().out)["status"] == status
    assert not (tmp_path / "report").exists()


def test_a_file_that_would_need_too_much_is_not_parsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "trace.json").write_text("[" + "[]," * 1_000_000 + "[]]")
    enough = system.resident_megabytes(os.getpid()) + 100
    assert run(tmp_path, "show", "trace.json", "--memory-limit", f"{enough}") == 11
    assert "reading 'trace.json', which takes up to" in capsys.readouterr().err
