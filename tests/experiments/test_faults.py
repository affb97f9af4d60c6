"""The command as a whole, with real processes, and what may happen to them: nothing recorded is lost or doubled."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpaplan.experiments.record import Results, read_records
from tests.experiments.samples import (
    COMMAND,
    EIGHT,
    ENDLESS,
    bench,
    bench_json,
    children,
    end,
    is_alive,
    rows,
    start_bench,
    wait_for,
    write_suite,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_suite(tmp_path, EIGHT)
    write_suite(tmp_path, ENDLESS, "endless")
    return tmp_path


def check_complete(path: Path, before: list[dict[str, Any]], count: int) -> None:
    """All runs are there, each once, and what was recorded before is what it was."""
    after = rows(path)
    assert len(after) == len({row["key"] for row in after}) == count
    known = {row["key"]: row for row in after}
    for row in before:
        assert known[row["key"]] == row
    with Results(path) as results:
        assert len(results.records()) == count


def test_a_suite_as_a_whole(folder: Path) -> None:
    done = bench(folder, "sample.toml", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "recorded    8 of 8 runs, 8 of them now" in done.stdout
    assert done.stderr.splitlines()[0] == "learning: gripper"
    assert sum(": solved, cost " in line for line in done.stderr.splitlines()) == 8
    records = read_records(folder / "sample.csv")
    assert {record.status for record in records} == {"solved"}
    for record in records:
        assert record.value == pytest.approx(record.optimal)
    again = bench_json(folder, "sample.toml", "--quiet")
    assert (again["status"], again["runs"], again["recorded"], again["new"], again["learned"]) == ("ok", 8, 8, 0, 0)
    plan = bench_json(folder, "sample.toml", "--dry-run", "--runs", "3")
    assert (plan["runs"], plan["left"], plan["domains"][0]["recorded"]) == (12, 4, 8)
    assert not (folder / "other.csv").exists()


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    done = bench(folder, "sample.toml", "--dry-run")
    assert done.returncode == 0
    assert "8 runs, 8 to be done" in done.stdout
    assert not list(folder.glob("*.csv"))


def test_kill_9_of_the_suite(folder: Path) -> None:
    path = folder / "sample.csv"
    process = start_bench(folder, "sample.toml", "--jobs", "1")
    try:
        wait_for(lambda: len(rows(path)) >= 3, "three records")
        os.kill(process.pid, signal.SIGKILL)
    finally:
        end(process)
    before = rows(path)
    assert 3 <= len(before) <= 8
    record = bench_json(folder, "sample.toml")
    assert record["new"] == 8 - len(before)
    check_complete(path, before, 8)


def test_kill_9_of_the_suite_leaves_no_process_behind(folder: Path) -> None:
    process = start_bench(folder, "endless.toml", "--jobs", "1")
    try:
        (child,) = wait_for(lambda: children(process.pid), "the run's process")
    finally:
        os.kill(process.pid, signal.SIGKILL)
        end(process)
    wait_for(lambda: not is_alive(child), "the end of the run's process")
    with Results(folder / "endless.csv", write=True) as results:
        assert len(results) == 0, "the lock went with the process"


def test_kill_9_of_one_run_is_a_result(folder: Path) -> None:
    process = start_bench(folder, "endless.toml", "--jobs", "1")
    try:
        (child,) = wait_for(lambda: children(process.pid), "the run's process")
        os.kill(child, signal.SIGKILL)
        _, errors = process.communicate(timeout=120)
    finally:
        end(process)
    assert process.returncode == 0, errors
    crashed, solved = rows(folder / "endless.csv")
    assert (crashed["problem"], crashed["status"]) == ("schedule(1,40)", "crashed")
    assert "killed by SIGKILL" in crashed["message"]
    assert (solved["problem"], solved["status"]) == ("gripper(1)", "solved")
    assert bench_json(folder, "endless.toml")["new"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_cleanly(number: signal.Signals, folder: Path) -> None:
    text = ENDLESS.split("[[domain]]")
    write_suite(folder, f"{text[0]}[[domain]]{text[2]}[[domain]]{text[1]}", "endless")  # the short run comes first
    process = start_bench(folder, "endless.toml", "--jobs", "1", "--json")
    path = folder / "endless.csv"
    try:
        wait_for(lambda: rows(path), "the first record")
        (child,) = wait_for(lambda: children(process.pid), "the second run's process")
        process.send_signal(number)
        output, errors = process.communicate(timeout=120)
    finally:
        end(process)
    assert process.returncode == 12
    assert not is_alive(child)
    record = json.loads(output)
    assert (record["status"], record["runs"], record["recorded"]) == ("interrupted", 2, 1)
    assert "goes on where this one stopped" in errors
    assert "Traceback" not in errors
    check_complete(path, [], 1)
    assert [entry.name for entry in folder.iterdir() if "lock" in entry.name or "journal" in entry.name] == []


def test_two_suites_at_a_time_do_not_share_a_file(folder: Path) -> None:
    first = start_bench(folder, "endless.toml", "--jobs", "1", "-o", "results.csv")
    try:
        wait_for(lambda: children(first.pid), "the run's process")
        second = bench(folder, "sample.toml", "-o", "results.csv")
        assert second.returncode == 31
        assert "another 'gpaplan bench' is writing to 'results.csv'" in second.stderr
        assert bench(folder, "sample.toml", "-o", "results.csv", "--dry-run").returncode == 0
    finally:
        end(first)
    assert bench(folder, "sample.toml", "-o", "results.csv", "--runs", "1").returncode == 0
    check_complete(folder / "results.csv", [], 4)


def test_a_line_that_was_cut_short_is_run_again(folder: Path) -> None:
    path = folder / "sample.csv"
    assert bench(folder, "sample.toml", "--runs", "1", "--jobs", "1").returncode == 0
    before = rows(path)
    os.truncate(path, path.stat().st_size - 40)
    record = bench_json(folder, "sample.toml", "--runs", "1")
    assert (record["recorded"], record["new"]) == (4, 1)
    check_complete(path, before[:-1], 4)


def test_a_damaged_file_stops_the_suite(folder: Path) -> None:
    path = folder / "sample.csv"
    assert bench(folder, "sample.toml", "--runs", "1").returncode == 0
    path.write_text(path.read_text().replace(",solved,", ",sold,", 1))
    done = bench(folder, "sample.toml", "--runs", "1")
    assert done.returncode == 35
    assert "sample.csv: line 2.status:" in done.stderr


def test_a_full_disk_stops_the_suite_with_what_to_do(folder: Path) -> None:
    mount = folder / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(mount)], capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        path = mount / "results.csv"
        done = bench(folder, "sample.toml", "--runs", "5", "-o", str(path))
        assert done.returncode == 31
        assert "give the same command again, and it goes on where it stopped" in done.stderr
        assert "Traceback" not in done.stderr
        before = rows(path)
        assert len(before) < 20
        subprocess.run(["mount", "-o", "remount,size=4m", str(mount)], check=True)
        assert bench_json(folder, "sample.toml", "-o", str(path), "--runs", "1")["recorded"] == 4
        known = {row["key"]: row for row in rows(path)}
        assert all(known[row["key"]] == row for row in before)
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def test_training_that_fails_is_said_and_the_rest_is_run(folder: Path) -> None:
    from gpaplan.benchmarks import generate

    for balls in (1, 2):
        generate("gripper", balls).write(folder)
    (folder / "hopeless.ppddl").write_text(
        "(define (problem hopeless) (:domain gripper) (:objects a b - room l - hand x - ball)"
        " (:init (robot-in a) (free l)) (:goal (ball-in x b)))"
    )
    text = 'runs = 1\nsolvers = ["vi"]\ntime_limit = 60\nmemory_limit = 2000\n[[domain]]\nfile = "domain.ppddl"\n'
    write_suite(folder, text + 'training = ["hopeless.ppddl"]\ntest = ["gripper-1.ppddl", "gripper-2.ppddl"]\n')
    done = bench(folder, "sample.toml", "--json")
    assert done.returncode == 31
    record = json.loads(done.stdout)
    assert (record["status"], record["runs"], record["recorded"]) == ("incomplete", 4, 2)
    assert "the training problem 'hopeless' has no policy" in record["skipped"]["gripper"]
    assert "leave it out" in done.stderr


def test_lines_on_a_terminal(folder: Path) -> None:
    """Standard error is a terminal: a line for every run, beside the one that says how far it is."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, "sample.toml", "--jobs", "1", "--runs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, cwd=folder)
    os.close(theirs)
    seen = b""
    try:
        while True:
            ready, _, _ = select.select([ours], [], [], 120)
            assert ready, "the terminal fell silent"
            try:
                piece = os.read(ours, 65536)
            except OSError:  # what a terminal without a writer says on Linux
                break
            if not piece:
                break
            seen += piece
        output, _ = process.communicate(timeout=120)
    finally:
        end(process)
        os.close(ours)
    assert process.returncode == 0
    text = seen.decode()
    assert [f"[{number}/4]" in text for number in range(1, 5)] == [True] * 4
    assert "recorded    4 of 4 runs" in output


def test_runs_are_spared_on_request(folder: Path) -> None:
    text = ENDLESS.split("[[domain]]")[0] + '[[domain]]\ngenerator = "schedule"\ntest = [[1, 38], [1, 39], [1, 40]]\n'
    suite = str(write_suite(folder, text, "ladder"))
    options = ("--runs", "2", "--time-limit", "0.5", "--give-up-after", "2", "--once-at-limit", "--jobs", "2")
    assert bench_json(folder, suite, *options)["statuses"] == {"not-run": 4, "time-limit": 2}
    left = bench_json(folder, suite, "--runs", "2", "--time-limit", "0.5", "--dry-run")["left"]
    assert left == 4, "they are to be run without these options"


def test_the_list_of_suites(folder: Path) -> None:
    suites = bench_json(folder, "--list")["suites"]
    assert next(iter(suites)) == "quick"
    assert {"paper", "paper-gripper", "paper-rover", "paper-schedule", "paper-keva", "paper-delicate-can"} < set(suites)
