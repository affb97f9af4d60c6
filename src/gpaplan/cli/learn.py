"""``gpaplan learn``: an automaton from small problems."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from gpaplan.cli.conventions import (
    chosen_abstraction,
    clear_progress,
    json_option,
    learning_options,
    limits_options,
    load_automaton,
    load_task,
    print_json,
    print_rows,
)
from gpaplan.cli.settings import training_options
from gpaplan.learning.learn import Ties, learn
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.limits import Limits
from gpaplan.ppddl.syntax import Domain
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundTask


@click.command()
@click.argument("domain_file", metavar="DOMAIN", type=click.Path(path_type=Path))
@click.argument("problem_files", metavar="PROBLEM...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Write it there.")
@click.option("--update", type=click.Path(path_type=Path), metavar="FILE", help="Add to the automaton of this file.")
@learning_options
@training_options(TRAINING)
@click.option("--jobs", type=click.IntRange(min=1), help="Problems solved at the same time.  [default: all cores]")
@limits_options
@json_option
def command(
    domain_file: Path,
    problem_files: tuple[Path, ...],
    output: Path,
    update: Path | None,
    ties: Ties,
    goals: bool | None,
    ignore: tuple[str, ...],
    settings: RunSettings,
    jobs: int | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Learn an automaton from the optimal policies of small problems.

    Each PROBLEM is solved on its own; the time limit is that of one problem. The automaton keeps no names and no
    numbers of objects: use it to solve larger problems of the domain ('gpaplan solve --gpa FILE').
    """
    started = time.perf_counter()
    old = None if update is None else load_automaton(update, settings.space.cost)
    abstraction = chosen_abstraction(old, update, goals, ignore)
    settings = replace(settings, limits=limits)
    tasks = []
    domain: Domain | None = None
    for path in problem_files:
        parsed = load_task(domain_file, path, None)
        domain = parsed.domain
        tasks.append(ground(parsed.domain, parsed.problem, cost=settings.space.cost))
    assert domain is not None
    solutions = _solve_all(tasks, settings, jobs or os.cpu_count() or 1)
    solved = time.perf_counter()
    automaton = learn(domain, solutions, abstraction=abstraction, ties=ties, automaton=old)
    automaton.write(output)
    ended = time.perf_counter()
    rows = [
        {
            "problem": s.space.task.problem.name,
            "value": s.value,
            "states": s.policy_states,
            "symmetry": s.symmetry is not None,
            "seconds": s.seconds["total"],
        }
        for s in solutions
    ]
    if as_json:
        record = {"status": "ok", "vertices": len(automaton.vertices), "edges": len(automaton.edges), "training": rows}
        seconds = {"solve": solved - started, "learn": ended - solved, "total": ended - started}
        print_json({**record, "seconds": seconds, "output": str(output)})
        return
    table = [(str(row["problem"]), f"expected cost {row['value']:.6f}, {row['seconds']:.3f} s") for row in rows]
    table.append(("automaton", f"{len(automaton.vertices)} vertices, {len(automaton.edges)} edges"))
    table.append(("time", f"solving {solved - started:.3f} s, learning {ended - solved:.3f} s"))
    table.append(("written to", str(output)))
    print_rows(f"{automaton.domain_name}: learned from {len(rows)} problems", table)


def _solve_all(tasks: list[GroundTask], settings: RunSettings, jobs: int) -> list[Solution]:
    solutions: list[Solution] = []
    for solution in solve_to_optimality(tasks, settings, jobs=min(jobs, len(tasks))):
        solutions.append(solution)
        _show_progress(len(solutions), len(tasks))
    clear_progress()
    return solutions


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = 30 * done // total
        sys.stderr.write(f"\r\x1b[K[{'#' * filled}{'.' * (30 - filled)}] {done} of {total} problems solved")
        sys.stderr.flush()
