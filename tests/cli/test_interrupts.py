"""Ctrl-C and SIGTERM: every phase of every command ends soon, says so, and leaves nothing behind."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gpaplan.benchmarks import generate
from tests.long_tasks import deep_quantifiers, long_text, many_outcomes
from tests.system_processes import processor_seconds, wait_until_busy

GPAPLAN = (sys.executable, "-m", "gpaplan")
MOST_AFTER = 10
"""Processor seconds from the signal to the end, a few tenths as a rule. What never asks for a signal works on."""


class Ended:
    """What became of a process that got a signal."""

    def __init__(self, arguments: Sequence[str], busy: float, number: signal.Signals, folder: Path) -> None:
        with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
            process = subprocess.Popen([*GPAPLAN, *arguments], stdout=out, stderr=err, text=True)
            wait_until_busy(process, busy)
            before = processor_seconds(process.pid)
            process.send_signal(number)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.after = used.ru_utime + used.ru_stime - before
        self.output = (folder / "out").read_text()
        self.errors = (folder / "err").read_text()

    def check(self) -> None:
        assert "Traceback" not in self.errors, self.errors
        assert self.code == 12, (self.code, self.errors)
        assert self.after <= MOST_AFTER


def written(folder: Path, text: str) -> str:
    path = folder / "task.ppddl"
    path.write_text(text)
    return str(path)


PHASES: dict[str, Callable[[Path], list[str]]] = {
    "reading": lambda folder: ["check", written(folder, long_text(300_000))],
    "grounding": lambda folder: ["check", *map(str, generate("blocksworld", 150).write(folder))],
    "quantifiers": lambda folder: ["check", written(folder, deep_quantifiers(60))],
    "outcomes": lambda folder: ["solve", written(folder, many_outcomes(40)), f"--max-outcomes={2**50}"],
    "learning": lambda folder: [
        "learn",
        *map(str, generate("triangle-tireworld", 8).write(folder)),
        "--jobs=2",
        f"--output={folder / 'tireworld.gpa.json'}",
    ],
}


@pytest.mark.parametrize(
    ("phase", "number"),
    [
        *((phase, signal.SIGINT) for phase in PHASES),
        *((phase, signal.SIGTERM) for phase in ("reading", "learning")),  # in Python, and with processes below it
    ],
)
def test_every_phase_ends_soon(phase: str, number: signal.Signals, tmp_path: Path) -> None:
    Ended(PHASES[phase](tmp_path), 1.0, number, tmp_path).check()


def test_a_large_policy_is_interrupted_while_it_is_read(tmp_path: Path) -> None:
    """It is a right one: wherever the signal comes, in decoding 60 MB or in checking them, much is still to be done."""
    files = [str(path) for path in generate("gripper", 17).write(tmp_path)]
    balls = [[f'"(ball-in ball{each} room-{room})"' for room in "ab"] for each in range(17)]
    entries = ",".join(
        f'{{"state": [{", ".join(state)}, "(free left)", "(free right)", "(robot-in room-a)"], '
        '"action": "(move room-a room-b)"}'
        for state in itertools.product(*balls)
    )
    head = '"format": "gpaplan policy", "version": 1, "domain": "gripper", "problem": "gripper-17", "cost": "unit"'
    (tmp_path / "policy.json").write_text(f'{{{head}, "dead_end_cost": null, "states": [{entries}]}}')
    arguments = ["evaluate", *files, "--policy", str(tmp_path / "policy.json")]
    Ended(arguments, 0.4, signal.SIGINT, tmp_path).check()


@pytest.mark.parametrize("option", ["--policy", "problem"])
def test_a_silent_pipe_is_given_up(option: str, tmp_path: Path) -> None:
    domain, problem = map(str, generate("gripper", 2).write(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    files = [domain, str(tmp_path / "pipe")] if option == "problem" else [domain, problem]
    more = [] if option == "problem" else ["--policy", str(tmp_path / "pipe")]
    command = [*GPAPLAN, "simulate", *files, *more, "--time-limit=0.3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 10
    assert "was stopped by the time limit" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("option", ["", "--json"])
def test_an_interrupt_while_the_command_is_imported(number: signal.Signals, option: str) -> None:
    """From the first line of the package on; before that there is only Python, which ends in its own way."""
    script = (
        "import os, runpy, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'click': os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.argv[1:] = [each for each in sys.argv[1:] if each]\n"
        "runpy.run_module('gpaplan', run_name='__main__')\n"
    )
    command = [sys.executable, "-c", script, "bench", "--list", option]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 12
    assert done.stderr == "interrupted\n"
    assert (json.loads(done.stdout)["status"] if option else done.stdout) == ("interrupted" if option else "")


def interrupted_where(
    condition: str,
    arguments: Sequence[str],
    action: str = "interrupt()",
    number: signal.Signals = signal.SIGINT,
    module: str = "gpaplan",
) -> subprocess.CompletedProcess[str]:
    """A command that gets a signal at the first call, or return, of the main thread for which a condition holds."""
    script = (
        "import itertools, os, runpy, sys\n"
        "count = itertools.count()\n"
        f"def interrupt(): os.kill(os.getpid(), {int(number)})\n"
        "class Dying:\n"
        "    def __del__(self): interrupt()\n"
        "def look(frame, event, function):\n"
        "    code, caller = frame.f_code, frame.f_back and frame.f_back.f_code\n"
        f"    if {condition}:\n"
        "        sys.setprofile(None)\n"
        "        print('now', flush=True)\n"
        f"        {action}\n"
        "sys.setprofile(look)\n"
        f"runpy.run_module('{module}', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        input='{"kind": "learn", "parent": null}',
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "now\n" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("nth", [0, 3, 30, 100, 150])
def test_an_interrupt_at_any_import(nth: int, number: signal.Signals) -> None:
    condition = (
        "'gpaplan.cli' in sys.modules and event == 'call' and code.co_name == '_find_and_load' "
        f"and next(count) == {nth}"
    )
    done = interrupted_where(condition, ["bench", "--list"], number=number)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (12, "now\n", "interrupted")


def in_the_core_import(nth: int) -> str:
    """At the nth event after it began. The binding library aborts the process if making its enumerations fails."""
    importing = "event == 'c_call' and function.__name__ == 'exec_dynamic' and '_core' in str(frame.f_locals)"
    return f"(next(count) if {importing} or count.__reduce__()[1][0] else -1) == {nth}"


def test_an_interrupt_while_the_process_of_a_run_imports_the_core() -> None:
    done = interrupted_where(in_the_core_import(500), [], module="gpaplan.experiments.one_run")
    assert json.loads(done.stdout.splitlines()[-1])["message"] == "interrupted by a signal"


@pytest.mark.parametrize("nth", [0, 50, 500, 1000])
def test_an_interrupt_while_the_core_is_imported(nth: int) -> None:
    done = interrupted_where(in_the_core_import(nth), ["bench", "--list"])
    assert (done.returncode, done.stdout, done.stderr.strip()) == (12, "now\n", "interrupted")


SUITE = """
runs = 1
time_limit = 60
memory_limit = 800
solvers = ["lrtdp"]
trials = 1
[[domain]]
generator = "gripper"
training = [[1]]
test = [[1]]
"""


@pytest.mark.parametrize(
    ("condition", "action"),
    [
        ("event == 'call' and code.co_name == '__hash__' and caller.co_name == 'typed'", "interrupt()"),
        ("event == 'call' and code.co_name == 'learn_all'", "Dying()"),
    ],
    ids=["by msgspec", "in a destructor"],
)
def test_an_interrupt_that_is_swallowed_is_not_lost(condition: str, action: str, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE)
    done = interrupted_where(
        condition, ["bench", f"{tmp_path / 'suite.toml'}", f"--output={tmp_path / 'results.csv'}"], action
    )
    assert done.returncode == 12, done.stderr
    assert "0 of 2 runs, 0 of them now" in done.stdout


def test_an_interrupt_that_nobody_sees_until_the_end_is_told_by_the_exit_code(tmp_path: Path) -> None:
    condition = "event == 'call' and code.co_name == 'write_problem'"
    done = interrupted_where(condition, ["generate", "gripper", "2", f"--output={tmp_path}"], "Dying()")
    assert done.returncode == 12
    assert done.stdout.endswith("gripper-2.ppddl\n")


def test_an_interrupt_while_the_core_calls_python(tmp_path: Path) -> None:
    """It ends the search, once, whether or not the function lets it through; what is done after that goes on."""
    script = (
        "import os, signal, sys\n"
        "from gpaplan import Limits, interrupts, load, solve\n"
        "interrupts.listen()\n"
        "task, calls = load(*sys.argv[1:]), 0\n"
        "def interrupt(): os.kill(os.getpid(), signal.SIGINT)\n"
        "def swallowing(state):\n"
        "    try: interrupt()\n"
        "    except KeyboardInterrupt: return 0.0\n"
        "def raising(state):\n"
        "    interrupt()\n"
        "print(solve(task, heuristic=swallowing, symmetry='off').status)\n"
        "print(solve(task, symmetry='off').status)\n"
        "print(solve(task, limits=Limits().start(interrupt), symmetry='off').status)\n"
        "print(solve(task, symmetry='off').status)\n"
        "try: solve(task, heuristic=raising, symmetry='off')\n"
        "except KeyboardInterrupt: print(interrupts.taken())\n"
    )
    files = map(str, generate("gripper", 7).write(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", script, *files], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split() == ["interrupted", "solved", "interrupted", "solved", "True"], done.stderr


def test_an_ignored_interrupt_stays_ignored(tmp_path: Path) -> None:
    """As in the background of a script: `nohup` and `&` mean what they say."""
    files = [str(path) for path in generate("gripper", 3).write(tmp_path)]
    script = (
        "import os, runpy, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "runpy.run_module('gpaplan', run_name='__main__')\n"
    )
    subprocess.run([sys.executable, "-c", script, "check", *files], capture_output=True, timeout=60, check=True)


def test_what_a_killed_run_leaves_is_a_file_of_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys, time\n"
        "from gpaplan.files import written_whole\n"
        "with written_whole(sys.argv[1]) as file:\n"
        "    file.write('half of it')\n"
        "    file.flush()\n"
        "    print('there', flush=True)\n"
        "    time.sleep(600)\n"
    )
    target = tmp_path / "domain.ppddl"
    with subprocess.Popen([sys.executable, "-c", script, str(target)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        generate("gripper", 2).write(tmp_path)  # another run, while this one lives
        whole = target.read_text()
        process.kill()
    assert target.read_text() == whole
    generate("gripper", 2).write(tmp_path)  # and one after it
    assert target.read_text() == whole
    left, *others = sorted(path.name for path in tmp_path.iterdir())
    assert left.startswith(f".domain.ppddl.{process.pid}-")
    assert others == ["domain.ppddl", "gripper-2.ppddl"]
    os.utime(tmp_path / left, (0, 0))
    generate("gripper", 2).write(tmp_path)  # and one long after it
    assert sorted(path.name for path in tmp_path.iterdir()) == others


def test_a_stopped_run_leaves_no_file(tmp_path: Path) -> None:
    task = written(tmp_path, long_text(100_000))
    process = subprocess.Popen(
        [*GPAPLAN, "export", task, "--format=drn", f"--output={tmp_path / 'task.drn'}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 120
    while process.poll() is None and not list(tmp_path.glob(".task.drn.*")):
        assert time.monotonic() < until
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) in (0, 12)
    assert not list(tmp_path.glob(".task.drn.*"))
