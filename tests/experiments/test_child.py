"""One run, one process: whatever becomes of the process is a result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from gpaplan.experiments.child import CancelledError, InfrastructureError, Job, run_job
from gpaplan.experiments.runner import _learning_job, _solving_job
from gpaplan.experiments.suite import Suite
from gpaplan.experiments.suite_file import load_suite
from tests.experiments.samples import ENDLESS, HUNGRY, SMALL, is_alive, wait_for, write_suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load_suite(str(write_suite(tmp_path, SMALL)))


@pytest.fixture
def job(suite: Suite) -> Job:
    return _solving_job(suite.runs()[-2], None)


def first_job(folder: Path, text: str, time_limit: float | None = None, memory_limit: float | None = None) -> Job:
    suite = load_suite(str(write_suite(folder, text))).override(time_limit=time_limit, memory_limit=memory_limit)
    return _solving_job(suite.runs()[0], None)


def script(text: str) -> list[str]:
    """A process that stands in for a run's."""
    head = "import json, os, signal, sys, time\ndef say(**words): print(json.dumps(words), flush=True)\n"
    return [sys.executable, "-c", head + text]


def test_a_run_is_solved(job: Job) -> None:
    found = run_job(job)
    assert (found["status"], found["message"]) == ("solved", "")
    assert found["value"] == pytest.approx(9.75)
    assert found["goal_rate"] == 1
    assert found["mean_cost"] == pytest.approx(9.75, abs=1)
    assert found["goal_probability"] == 1
    assert found["fallback"] is None
    assert found["expanded"] <= found["generated"] == 87
    for name in ("", "_parse", "_ground", "_search", "_verify", "_total", "_cpu"):
        assert found[f"seconds{name}"] >= 0
    assert found["seconds_total"] >= found["seconds"] >= found["seconds_search"]
    assert found["peak_mb"] > 1


def test_the_same_job_gives_the_same_result(job: Job) -> None:
    first, second = run_job(job), run_job(job)
    measured = [name for name in first if name.startswith("seconds")] + ["peak_mb", "started"]
    assert {k: v for k, v in first.items() if k not in measured} == {
        k: v for k, v in second.items() if k not in measured
    }
    other = run_job({**job, "seed": job["seed"] + 1})
    assert other["value"] == first["value"]
    costs = [(found["mean_cost"], found["sd_cost"]) for found in (first, other)]
    assert costs[0] != costs[1], "trials have the run's seed"


def test_an_automaton_is_learned_and_used(suite: Suite) -> None:
    learned = run_job(_learning_job(suite.domains[0]))
    assert learned["status"] == "learned"
    assert [row["problem"] for row in json.loads(learned["training"])] == ["gripper(1)", "gripper(2)"]
    guided = next(run for run in suite.runs() if run.gpa)
    found = run_job({**_solving_job(guided, None), "automaton": learned["text"]})
    assert (found["status"], found["fallback"]) == ("solved", 0)


def test_limits_within_the_process(tmp_path: Path) -> None:
    found = run_job(first_job(tmp_path, ENDLESS, time_limit=1))
    assert found["status"] == "time-limit"
    assert found["seconds"] > 0
    assert found["seconds_ground"] > 0
    found = run_job(first_job(tmp_path, HUNGRY, memory_limit=150))
    assert found["status"] == "memory-limit"
    assert found["peak_mb"] > 100


def test_a_problem_without_a_proper_policy(job: Job) -> None:
    domain = """(define (domain luck) (:requirements :probabilistic-effects) (:predicates (at-start) (at-goal))
        (:action try :precondition (at-start) :effect (and (not (at-start)) (probabilistic 1/4 (at-goal)))))"""
    text = "(define (problem luck-1) (:domain luck) (:init (at-start)) (:goal (at-goal)))"
    found = run_job({**job, "problem": {"label": "x", "domain": domain, "text": text, "name": None}})
    assert found["status"] == "no-proper-policy"
    assert found["value"] is None
    assert found["goal_probability"] == pytest.approx(0.25)


def test_an_error_in_the_process_is_a_result(job: Job) -> None:
    found = run_job({**job, "problem": {**job["problem"], "text": "(define (problem p) (:domain gripper)"}})
    assert found["status"] == "error"
    assert "<string>:1" in found["message"]
    found = run_job({**job, "solver": "nonsense"})
    assert (found["status"], "unknown solver 'nonsense'" in found["message"]) == ("error", True)
    found = run_job({**job, "trials": "many"})
    assert found["status"] == "error"
    assert "trials must be a whole number" in found["message"]


# --- from outside ---

QUICK = {"time_limit": 0.2, "memory_limit": 50.0}


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("sys.stdin.read(); say(version='1'); os.abort()", "crashed", "killed by SIGABRT"),
        ("sys.stdin.read(); say(version='1'); sys.exit(3)", "crashed", "exit code 3"),
        ("sys.stdin.read(); say(version='1')", "crashed", "exit code 0"),
        ("sys.stdin.read(); say(version='1'); sys.exit('no luck')", "crashed", "no luck"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "crashed", "killed by SIGKILL"),
        ("say(version='1'); say(status='solved', value=3.0); os.abort()", "solved", "killed by SIGABRT"),
        (
            "say(version='1'); say(status='solved'); print('{\"sta', end='', flush=True); os.abort()",
            "solved",
            "SIGABRT",
        ),
    ],
)
def test_processes_that_crash(text: str, status: str, message: str) -> None:
    found = run_job({"time_limit": 1000.0, "memory_limit": 1000.0}, command=script(text))
    assert found["status"] == status
    assert message in found["message"]
    assert found["version"] in ("1", __import__("gpaplan").__version__)
    assert found["machine"]


@pytest.mark.parametrize(
    "text",
    [
        "say(version='1'); time.sleep(10000)",
        "time.sleep(10000)",
        "[signal.signal(n, signal.SIG_IGN) for n in (signal.SIGTERM, signal.SIGINT)]; time.sleep(10000)",
        "sys.stdin.read(); say(version='1'); sys.stdout.close(); os.close(1); os.close(2); time.sleep(10000)",
    ],
    ids=["idle", "never reads its job", "ignores signals", "closes its streams"],
)
def test_processes_that_hang_are_ended(text: str) -> None:
    found = run_job({**QUICK, "padding": "x" * 300_000}, command=script(text), grace=0.3)
    assert found["status"] == "time-limit"
    assert "ended from outside" in found["message"]


def test_a_busy_machine_does_not_keep_a_job_from_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpaplan.experiments.child._LOOK", 0.0)  # nothing is done between two looks
    text = "job = sys.stdin.read(); say(version='1'); say(status='solved', message='', value=float(len(job)))"
    assert run_job({**QUICK, "padding": "x" * 300_000}, command=script(text), grace=20)["value"] > 300_000


def test_a_process_that_takes_too_much_memory_is_ended() -> None:
    text = "say(version='1'); hoard = bytearray(400_000_000); time.sleep(10000)"
    found = run_job({"time_limit": 1000.0, "memory_limit": 50.0}, command=script(text))
    assert found["status"] == "memory-limit"
    assert "ended from outside" in found["message"]
    assert found["peak_mb"] > 155


def test_a_solution_is_kept_if_what_follows_is_ended() -> None:
    text = "say(version='1'); say(status='solved', value=3.0); hoard = bytearray(400_000_000); time.sleep(10000)"
    found = run_job({"time_limit": 1000.0, "memory_limit": 50.0}, command=script(text))
    assert (found["status"], found["value"]) == ("solved", 3.0)
    assert "ended from outside" in found["message"]


def test_much_output_on_standard_error_does_no_harm() -> None:
    text = "sys.stdin.read(); sys.stderr.write('x' * 1_000_000); say(version='1'); say(status='solved', message='')"
    assert run_job({"time_limit": 1000.0, "memory_limit": 1000.0}, command=script(text))["status"] == "solved"


@pytest.mark.parametrize("command", [["/nonexistent/python"], script("sys.exit('cannot import gpaplan')")])
def test_what_cannot_be_started_is_no_result(command: list[str]) -> None:
    with pytest.raises(InfrastructureError, match=r"cannot start a process|cannot import gpaplan"):
        run_job({"time_limit": 1000.0, "memory_limit": 1000.0}, command=command)


def test_a_run_that_is_not_wanted_any_more_is_ended(tmp_path: Path) -> None:
    started = tmp_path / "pid"
    text = f"open({str(started)!r}, 'w').write(str(os.getpid())); os.rename({str(started)!r}, {str(started) + '2'!r}); "
    wanted = threading.Event()
    wanted.set()
    errors: list[BaseException] = []

    def work() -> None:
        try:
            job = {"time_limit": 1000.0, "memory_limit": 1000.0}
            run_job(job, wanted=wanted.is_set, command=script(text + "time.sleep(10000)"))
        except CancelledError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    pid = int(wait_for(lambda: Path(f"{started}2").exists() and Path(f"{started}2").read_text(), "the process"))
    wanted.clear()
    thread.join(60)
    assert len(errors) == 1
    assert not is_alive(pid)


def test_a_run_dies_with_its_parent(tmp_path: Path) -> None:
    """However the parent dies: the kernel sees to it."""
    job = tmp_path / "job.json"
    job.write_text(json.dumps(first_job(tmp_path, ENDLESS)))
    program = f"import json; from gpaplan.experiments.child import run_job; run_job(json.load(open({str(job)!r})))"
    parent = subprocess.Popen([sys.executable, "-c", program])
    try:
        from tests.experiments.samples import children

        (child,) = wait_for(lambda: children(parent.pid), "the run's process")
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        wait_for(lambda: not is_alive(child), "the end of the run's process")
    finally:
        if parent.poll() is None:
            parent.kill()
            parent.wait()


def test_nothing_else_gets_between_the_lines_of_a_result(job: Job, tmp_path: Path) -> None:
    """A library that prints to standard output does not spoil the result."""
    (tmp_path / "sitecustomize.py").write_text("print('hello')\nimport atexit\natexit.register(print, 'good-bye')\n")
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(tmp_path)}
    program = (
        "import json, sys; from gpaplan.experiments.child import run_job;"
        "sys.stderr.write(run_job(json.load(sys.stdin))['status'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(job), capture_output=True, text=True, env=environment
    )
    assert done.stderr.endswith("solved"), done.stderr
