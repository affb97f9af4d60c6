"""``gpaplan learn``: an automaton from small problems."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gpaplan.cli import conventions
from gpaplan.cli.settings import training_options
from gpaplan.learning.learn import Ties, learn
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.limits import Limits
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.costs import check_same_costs
from gpaplan.tasks.task import GroundTask


@click.command()
@click.argument("domain_file", metavar="DOMAIN", type=conventions.FILE)
@click.argument("problem_files", metavar="PROBLEM...", type=conventions.FILE, nargs=-1, required=True)
@conventions.output_option
@click.option("--update", type=conventions.FILE, metavar="FILE", help="Add to the automaton of this file.")
@conventions.learning_options
@training_options(TRAINING)
@conventions.relevance_option
@click.option("--jobs", type=conventions.COUNT, help="Problems solved at the same time.  [default: all cores]")
@conventions.limits_options
@conventions.json_option
def command(
    domain_file: Path,
    problem_files: tuple[Path, ...],
    output: Path,
    update: Path | None,
    ties: Ties,
    features: dict[str, Any],
    settings: RunSettings,
    relevance: bool | None,
    jobs: int | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Learn an automaton from the optimal policies of small problems.

    Each PROBLEM is solved on its own; the time limit is that of one problem. The automaton keeps no names and no
    numbers of objects: use it to solve larger problems of the domain ('gpaplan solve --gpa FILE').
    """
    started = time.perf_counter()
    old = None if update is None else conventions.load_automaton(update)
    abstraction = conventions.chosen_abstraction(old, update, features)
    settings = replace(settings, limits=limits)
    files = [conventions.TaskFiles(domain_file, path, None, relevance) for path in problem_files]
    tasks = [each.ground(settings.space.cost, limits=limits, automaton=old) for each in files]
    check_same_costs((task.problem.name, task.cost) for task in tasks)
    conventions.compare_costs(update, old, tasks[0].cost)
    solutions = _solve_all(tasks, settings, jobs or os.cpu_count() or 1)
    solved = time.perf_counter()
    automaton = learn(tasks[-1].domain, solutions, abstraction=abstraction, ties=ties, automaton=old)
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
    record = {
        "status": "ok",
        "cost_mode": tasks[0].cost,
        "vertices": len(automaton.vertices),
        "edges": len(automaton.edges),
        "training": rows,
    }
    seconds = {"solve": solved - started, "learn": ended - solved, "total": ended - started}
    table = [(str(row["problem"]), f"expected cost {row['value']:.6f}, {row['seconds']:.3f} s") for row in rows]
    table.append(conventions.costs_row(tasks[0]))
    table.append(("automaton", f"{len(automaton.vertices)} vertices, {len(automaton.edges)} edges"))
    table.append(("time", f"solving {seconds['solve']:.3f} s, learning {seconds['learn']:.3f} s"))
    table.append(("written to", str(output)))
    title = f"{automaton.domain_name}: learned from {len(rows)} problems"
    conventions.answer(as_json, {**record, "seconds": seconds, "output": str(output)}, title, table)


def _solve_all(tasks: list[GroundTask], settings: RunSettings, jobs: int) -> list[Solution]:
    solutions: list[Solution] = []
    for solution in solve_to_optimality(tasks, settings, jobs=min(jobs, len(tasks))):
        solutions.append(solution)
        filled = 30 * len(solutions) // len(tasks)
        bar = f"[{'#' * filled}{'.' * (30 - filled)}]"
        conventions.show_progress(f"{bar} {len(solutions)} of {len(tasks)} problems solved")
    conventions.clear_progress()
    return solutions
