"""What the process of one run does: ``python -m gpaplan.experiments.one_run``.

It reads a job, one JSON object, from standard input, and writes lines of JSON to standard output: first its
environment, then the result so far, and the whole result at the end. Whoever started it takes the last line that came:
if the process is ended after it has solved the problem, say because the trials need too much memory, the solution is
recorded nevertheless.

A job is ``{"kind": "solve", …}`` or ``{"kind": "learn", …}``, with the problems as text. The limits count from the
start of the work; the search gets what parsing and grounding have left of the time.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpaplan import interrupts, system
from gpaplan.display import plain
from gpaplan.statuses import Status

if TYPE_CHECKING:
    from gpaplan.limits import AnyLimits
    from gpaplan.solving.settings import RunSettings
    from gpaplan.solving.solution import Solution
    from gpaplan.tasks.task import GroundTask

Emit = Callable[[dict[str, Any]], None]

_LONGEST_MESSAGE = 2000  # characters


def main() -> None:
    """Do the job of standard input."""
    started = time.perf_counter()
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not get between the lines of the result
    system.die_with_the_parent()
    system.be_the_first_to_go()

    def emit(record: dict[str, Any]) -> None:
        output.write(json.dumps(plain(record)) + "\n")
        output.flush()

    emit(environment())
    job = json.loads(sys.stdin.buffer.read())
    if job["parent"] not in (None, os.getppid()):
        os._exit(1)  # the parent died before we could ask to be told of it
    result: dict[str, Any] = {}

    def collect(part: dict[str, Any]) -> None:
        result.update(part)
        result["seconds_total"] = time.perf_counter() - started
        result["peak_mb"] = system.peak_megabytes()
        emit(result)

    try:
        with interrupts.held():
            importlib.import_module("gpaplan._core")  # must not be interrupted
        (_learn if job["kind"] == "learn" else _solve)(job, collect)
    except BaseException as error:
        collect(_failure(error))


def _failure(error: BaseException) -> dict[str, Any]:
    """What is recorded of a run that ended with an exception."""
    from gpaplan.errors import GpaplanError, LimitError

    message = str(error)
    status = Status.ERROR
    if isinstance(error, LimitError) and error.reason.status in (Status.TIME_LIMIT, Status.MEMORY_LIMIT):
        status = error.reason.status
    elif isinstance(error, MemoryError):
        status, message = Status.MEMORY_LIMIT, "out of memory"
    elif isinstance(error, KeyboardInterrupt):
        status, message = Status.CRASHED, "interrupted by a signal"
    elif not isinstance(error, GpaplanError):
        import traceback

        traceback.print_exception(error)
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"
    return {"status": status, "message": message[:_LONGEST_MESSAGE]}


def run_settings(job: dict[str, Any]) -> RunSettings:
    """The record of what decides a run, or the training."""
    from gpaplan.limits import Limits
    from gpaplan.settings import declarations, with_changes
    from gpaplan.solving.settings import RunSettings
    from gpaplan.solving.solvers import make_solver
    from gpaplan.spaces.state_space import SpaceSettings

    known = declarations(RunSettings) | declarations(SpaceSettings)
    given = {"symmetry": "off"} | {name: value for name, value in job.items() if name in known and value is not None}
    given |= {"solver": make_solver(job["solver"], job["epsilon"]), "heuristic": job["heuristic"] or "blind"}
    return with_changes(RunSettings(limits=Limits(job["time_limit"], job["memory_limit"])), **given)


# --- solving ---


def _solve(job: dict[str, Any], collect: Emit) -> None:
    """Parse, ground, solve, verify, simulate."""
    started = time.perf_counter()
    import gpaplan.automata.filters  # noqa: F401  now: importing must not count as solving
    from gpaplan.automata.filters import TransitionFilter
    from gpaplan.errors import LimitError
    from gpaplan.limits import Limits
    from gpaplan.solving.run import solve_with

    imported = time.perf_counter()
    settings = run_settings(job)
    automaton = None if job["automaton"] is None else TransitionFilter.from_json(json.loads(job["automaton"]))
    task, seconds = _ground(job["problem"], job, settings.limits)
    seconds["seconds_parse"] += time.perf_counter() - imported - sum(seconds.values())
    begun_with = {"message": "ended during the search", "cost_mode": task.cost}
    collect({"status": Status.CRASHED, **begun_with, **seconds})
    left = job["time_limit"] - (time.perf_counter() - started)
    if left <= 0:
        raise LimitError("the search", "time")
    begun, cpu = time.perf_counter(), time.process_time()
    solution = solve_with(task, replace(settings, limits=Limits(left, job["memory_limit"])), automaton)
    seconds = {"seconds": time.perf_counter() - begun, "seconds_cpu": time.process_time() - cpu}
    if solution.status == Status.INTERRUPTED:
        raise KeyboardInterrupt
    collect(_solved(solution) | seconds)
    if solution.decisions:
        collect(_trials(task, solution, job))


def _ground(problem: dict[str, Any], job: dict[str, Any], limits: AnyLimits) -> tuple[GroundTask, dict[str, float]]:
    from gpaplan.limits import started as start
    from gpaplan.ppddl import parse_task
    from gpaplan.tasks.grounding import ground

    started = time.perf_counter()
    stop = start(limits)
    parsed = parse_task(problem["domain"], problem["text"], problem["name"], limits=stop)
    read = time.perf_counter()
    relevance = job.get("relevance", "off") == "on"
    task = ground(parsed.domain, parsed.problem, cost=job["cost"], relevance=relevance, limits=stop)
    return task, {"seconds_parse": read - started, "seconds_ground": time.perf_counter() - read}


_FOUND = ("status", "value", "estimate", "goal_probability", "guarantee", "expanded", "generated")
"""What a record and a solution call alike."""


def _solved(solution: Solution) -> dict[str, Any]:
    seconds = solution.seconds
    return {
        **{name: getattr(solution, name) for name in _FOUND},
        "message": "",
        "fallback": None if solution.fallback is None else int(solution.fallback),
        "seconds_search": sum(seconds.get(part, 0.0) for part in ("search", "constrained", "whole")),
        "seconds_verify": seconds["verify"],
    }


def _trials(task: GroundTask, solution: Solution, job: dict[str, Any]) -> dict[str, Any]:
    """The paper's measure of cost; of a policy that a limit cut short too."""
    from gpaplan.limits import Limits
    from gpaplan.traces.trials import simulate

    patience = Limits(max(30.0, 0.03 * job["time_limit"]))
    found = simulate(
        task, solution.policy, trials=job["trials"], horizon=job["horizon"], seed=job["seed"], limits=patience
    )
    if found.stopped_by:
        return {"message": f"the {job['trials']} trials were not finished"}
    return {"mean_cost": found.mean_cost, "sd_cost": found.sd_cost, "goal_rate": found.goal_rate}


# --- learning ---


def _learn(job: dict[str, Any], collect: Emit) -> None:
    """Solve the training problems to optimality and learn their automaton."""
    from gpaplan.automata.canonical import CanonicalAbstraction
    from gpaplan.learning.loop import learn
    from gpaplan.learning.solving import solve_to_optimality
    from gpaplan.limits import started as started_limits

    started = time.perf_counter()
    settings = run_settings(job)
    stop = started_limits(settings.limits)  # one clock for all of it
    tasks = (_ground(problem, job, stop)[0] for problem in job["problems"])
    solutions = list(solve_to_optimality(tasks, replace(settings, limits=stop)))
    rows = [
        {"problem": label, "value": each.value, "states": each.policy_states, "seconds": each.seconds["total"]}
        for label, each in zip((problem["label"] for problem in job["problems"]), solutions, strict=True)
    ]
    domain, abstraction = solutions[0].space.task.domain, CanonicalAbstraction(job["goals"])
    automaton = learn(domain, solutions, abstraction=abstraction, ties=job["ties"], limits=stop)
    collect(
        {
            "status": "learned",
            "message": "",
            "training": json.dumps(rows),
            "text": automaton.to_text(),
            "vertices": len(automaton.vertices),
            "edges": len(automaton.edges),
            "seconds": time.perf_counter() - started,
        }
    )


# --- the process ---


def environment() -> dict[str, Any]:
    """What a record says of the machine and the versions; nothing that names the machine."""
    from gpaplan.version import __version__

    return {
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        **system.machine(),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


if __name__ == "__main__":
    main()
