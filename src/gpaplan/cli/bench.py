"""``gpaplan bench``: run a suite of experiments."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from gpaplan import system
from gpaplan.cli import conventions, options
from gpaplan.cli.conventions import EXIT_CODES, INPUT_NAME, RESULTS, answer, show_warning
from gpaplan.cli.options import COUNT, argument, declared, flag, option
from gpaplan.display import counted, hidden, note
from gpaplan.errors import UsageError
from gpaplan.experiments.cluster import ClusterPool, is_open_to_others
from gpaplan.experiments.one_run import environment
from gpaplan.experiments.record import Record, Results
from gpaplan.experiments.runner import LocalPool, Progress, WorkerPool, exit_code_of_skipped, run_suite
from gpaplan.experiments.suite import Protocol, Suite
from gpaplan.experiments.suite_file import load_suite, packaged_suites
from gpaplan.statuses import Status

_UNSET: dict[str, Any] = dict.fromkeys(("time_limit", "memory_limit", "match", "give_up_after", "once_at_limit"))
_PROTOCOL = declared(Protocol, *_UNSET, **_UNSET)
"""Settings of the protocol, none of which is given."""


@options.command("gpaplan bench --list", "gpaplan bench quick --dry-run")
def command(
    suite_name: str | None = argument("[SUITE]", INPUT_NAME, required=False),
    output: Path | None = option(
        "-o --output",
        RESULTS,
        "The results file; runs that it has are not run again.  [default: NAME.csv, by the suite's name]",
    ),
    jobs: int | None = option("--jobs", COUNT, "Runs at the same time.  [default: all cores]"),
    scheduler: str | None = option(
        "--scheduler",
        str,
        "Run on the Dask cluster of this scheduler (tls://HOST:PORT, or tcp://HOST:PORT).",
        metavar="ADDRESS",
    ),
    runs: int | None = option("--runs", COUNT, "Runs of each problem."),
    settings: dict[str, Any] = _PROTOCOL,
    domains: tuple[str, ...] = option(
        "--domain", str, "Only runs of this domain; may be repeated.", multiple=True, metavar="NAME"
    ),
    solvers: tuple[str, ...] = option(
        "--solver", str, "Only runs of this solver; may be repeated.", multiple=True, metavar="NAME"
    ),
    retry: bool = flag("--retry", "Run again what is recorded as 'crashed' or 'error'."),
    dry_run: bool = flag("--dry-run", "Say what would be run, and run nothing."),
    list_suites: bool = flag("--list", "List the suites that come with gpaplan."),
    quiet: bool = flag("--quiet", "Show no progress."),
) -> int:
    """Run a suite of experiments and record every run.

    SUITE is the name of a suite that comes with gpaplan ('gpaplan bench --list'), or a TOML file ('-' for standard
    input). Each run is a process of its own. A suite that was stopped goes on where it stopped: give the same command
    again. Runs, limits and the like that are given here take the place of the suite's.
    """
    if list_suites:
        suites = packaged_suites()
        return answer({"status": "ok", "suites": suites}, "Suites that come with gpaplan", list(suites.items()))
    if suite_name is None:
        raise UsageError("which suite? give the name of one ('gpaplan bench --list'), or a TOML file")
    if scheduler is not None and jobs is not None:
        raise UsageError("--jobs is for runs on this machine; with --scheduler the cluster's workers decide")
    suite = load_suite(suite_name).override(runs=runs, **settings).part(domains=domains, solvers=solvers)
    output = output or Path(f"{suite.name}.csv")
    jobs = jobs or os.cpu_count() or 1
    if dry_run:
        return _dry_run(suite, output, jobs)
    if scheduler is None:
        system.need_posix("gpaplan bench")
    started = time.perf_counter()
    with Results(output, write=True) as results:
        _warn(suite, results, jobs if scheduler is None else None)
        with hidden() if quiet else nullcontext():
            progress, interrupted = _run(suite, results, jobs, scheduler, retry, quiet)
    seconds = time.perf_counter() - started
    _report(progress, interrupted, output, seconds)
    if interrupted or not progress.skipped:
        return EXIT_CODES[Status.INTERRUPTED] if interrupted else 0
    return exit_code_of_skipped(progress.skipped_status)


def _run(
    suite: Suite, results: Results, jobs: int, scheduler: str | None, retry: bool, quiet: bool
) -> tuple[Progress, bool]:
    """Run the suite; whether it was interrupted."""
    last = Progress(suite, 0, 0)
    learning: list[str] = []

    def show(progress: Progress) -> None:
        nonlocal last, learning
        last = progress
        if quiet:
            return
        done = progress.recorded_before + progress.done
        new = [] if progress.learning in ([], learning) else [f"learning: {', '.join(progress.learning)}"]
        new += [] if progress.last is None else [f"[{done}/{progress.total}] {described(progress.last)}"]
        learning = progress.learning
        for line in new:
            conventions.echo(line, err=True)
        limited = sum(progress.statuses.get(status, 0) for status in (Status.TIME_LIMIT, Status.MEMORY_LIMIT))
        note(f"{done:,} of {progress.total:,} runs: {progress.failed:,} failed, {limited:,} at a limit")

    try:
        pool: WorkerPool = LocalPool(jobs) if scheduler is None else _connected(scheduler)
        return run_suite(suite, results, pool, show=show, retry=retry), False
    except KeyboardInterrupt:
        return last, True


def described(record: Record) -> str:
    """A record in a line."""
    automaton = " with automaton" if record.gpa else ""
    cost = "" if record.value is None else f", cost {record.value:.4f}"
    seconds = record.seconds_total if record.seconds is None else record.seconds
    time_taken = "" if seconds is None else f", {seconds:.3f} s"
    fallback = ", fallback" if record.fallback else ""
    reason = f" ({record.message})" if record.message else ""
    run = f"{record.problem} {record.solver}{automaton}, run {record.run}"
    return f"{run}: {record.status}{cost}{fallback}{time_taken}{reason}"


def _connected(scheduler: str) -> ClusterPool:
    if is_open_to_others(scheduler):
        show_warning(
            f"warning: whoever reaches the scheduler at {scheduler} can run any program as you on its workers, for it "
            "asks for no certificate; use one at tls://HOST:PORT"
        )
    return ClusterPool(scheduler)


# --- what is printed ---


def _report(progress: Progress, interrupted: bool, output: Path, seconds: float) -> None:
    status = "interrupted" if interrupted else "incomplete" if progress.skipped else "ok"
    recorded = progress.recorded_before + progress.done
    for domain, reason in progress.skipped.items():
        conventions.echo(f"{domain}: no automaton, so no runs with it: {reason}", err=True)
    if interrupted:
        conventions.echo(
            "interrupted; what is recorded stays, and the same command goes on where this one stopped", err=True
        )
    record = {
        "status": status,
        "suite": progress.suite.name,
        "runs": progress.total,
        "recorded": recorded,
        "new": progress.done,
        "learned": progress.learned,
        "statuses": dict(sorted(progress.statuses.items())),
        "skipped": progress.skipped,
        "output": str(output),
        "seconds": seconds,
    }
    rows = [("recorded", f"{recorded:,} of {progress.total:,} runs, {progress.done:,} of them now")]
    rows += [(name, f"{count:,}") for name, count in sorted(progress.statuses.items(), key=lambda each: -each[1])]
    rows.append(("automata", f"{progress.learned} learned now"))
    rows.append(("time", f"{seconds:.1f} s"))
    rows.append(("written to", str(output)))
    answer(record, progress.suite.name, rows)


def _dry_run(suite: Suite, output: Path, jobs: int) -> int:
    """How many runs of each domain there are, and how many of them are recorded."""
    known: set[str] = set()
    if output.exists():
        with Results(output) as results:
            known = {record.key for record in results.records() if record.status != Status.NOT_RUN}
    runs = suite.runs()
    left = [run for run in runs if run.key not in known]
    longest = sum(run.plan.protocol.time_limit for run in left) / jobs
    plans, rows = [], []
    for plan in suite.domains:
        own, protocol = [run.key for run in runs if run.plan is plan], plan.protocol
        recorded = len(known.intersection(own))
        sizes = {"domain": plan.name, "problems": len(plan.test), "training": len(plan.training)}
        plans.append({**sizes, "runs": len(own), "recorded": recorded})
        with_gpa = " and ".join("with" if gpa else "without" for gpa in sorted(protocol.gpa, reverse=True))
        text = f"{len(plan.test)} problems, {', '.join(protocol.solvers)}, {with_gpa} automaton, "
        text += f"{counted(len(protocol.seeds), 'run')}: {len(own):,}, {recorded:,} of them recorded\n"
        rows.append((plan.name, f"{text}at most {protocol.time_limit:g} s, {protocol.memory_limit:g} MB a run"))
    record: dict[str, Any] = {"status": "ok", "suite": suite.name, "runs": len(runs), "left": len(left)}
    record |= {"domains": plans, "longest_seconds": longest, "output": str(output)}
    rows.append(("in all", f"{len(runs):,} runs, {len(left):,} to be done"))
    rows.append(("at most", f"{longest / 3600:,.1f} hours, {jobs} at a time, if every run took its whole time"))
    rows.append(("results", str(output)))
    return answer(record, f"{suite.name}: nothing is run", rows)


def _warn(suite: Suite, results: Results, jobs: int | None) -> None:
    """What makes results hard to compare: too little memory for the limit, or records of another machine."""
    most = max(plan.protocol.memory_limit for plan in suite.domains)
    available = system.available_megabytes()
    if jobs is not None and available is not None and jobs * most > available:
        show_warning(
            f"warning: {counted(jobs, 'run')} of {most:,.0f} MB may need more memory than is free "
            f"({available:,.0f} MB); "
            "the system may then kill runs. Use --memory-limit, or fewer --jobs"
        )
    here = environment()
    keys = {run.key for run in suite.runs()}
    for name in ("version", "machine"):
        others = sorted({getattr(r, name) for r in results.records() if r.key in keys} - {here[name]})
        if others:
            show_warning(
                f"warning: some runs in '{results.name}' were recorded with another {name} "
                f"({'; '.join(others)}, and here it is {here[name]}); times may not compare"
            )
