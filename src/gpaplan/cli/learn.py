"""``gpaplan learn``: an automaton from small problems."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

from gpaplan.cli.conventions import (
    chosen_abstraction,
    clear_progress,
    json_option,
    learning_options,
    load_automaton,
    load_task,
    memory_limit_option,
    print_json,
    print_rows,
    seed_option,
    symmetry_option,
    time_limit_option,
)
from gpaplan.errors import STOP_REASONS, LimitError, UsageError
from gpaplan.learning.learn import Ties, learn
from gpaplan.limits import Limits
from gpaplan.ppddl.syntax import Domain
from gpaplan.solving.solution import Solution, solve
from gpaplan.solving.solvers import make_solver
from gpaplan.spaces.symmetry import SymmetryMode
from gpaplan.tasks.grounding import CostMode, ground
from gpaplan.tasks.task import GroundTask

_REASONS = {reason.status: name for name, reason in STOP_REASONS.items()}


@dataclass(frozen=True, slots=True)
class _Settings:
    solver: str
    heuristic: str
    epsilon: float
    limits: Limits
    seed: int
    symmetry: SymmetryMode


@click.command()
@click.argument("domain_file", metavar="DOMAIN", type=click.Path(path_type=Path))
@click.argument("problem_files", metavar="PROBLEM...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Write it there.")
@click.option("--update", type=click.Path(path_type=Path), metavar="FILE", help="Add to the automaton of this file.")
@learning_options
@click.option("--solver", type=click.Choice(["lao", "ilao", "lrtdp", "vi"]), default="lao", show_default=True)
@click.option("--heuristic", type=click.Choice(["blind", "hmax", "lmcut"]), default="lmcut", show_default=True)
@click.option("--epsilon", type=click.FloatRange(min=0, min_open=True), default=1e-8, show_default=True)
@click.option(
    "--cost",
    type=click.Choice(["unit", "metric"]),
    default="unit",
    show_default=True,
    help="1 for each action, or the costs that the problems' :metric names.",
)
@symmetry_option
@click.option("--jobs", type=click.IntRange(min=1), help="Problems solved at the same time.  [default: all cores]")
@seed_option
@time_limit_option
@memory_limit_option
@json_option
def command(
    domain_file: Path,
    problem_files: tuple[Path, ...],
    output: Path,
    update: Path | None,
    ties: Ties,
    goals: bool | None,
    ignore: tuple[str, ...],
    solver: str,
    heuristic: str,
    epsilon: float,
    cost: CostMode,
    symmetry: SymmetryMode,
    jobs: int | None,
    seed: int,
    time_limit: float | None,
    memory_limit: float | None,
    as_json: bool,
) -> None:
    """Learn an automaton from the optimal policies of small problems.

    Each PROBLEM is solved on its own; the time limit is that of one problem. The automaton keeps no names and no
    numbers of objects: use it to solve larger problems of the domain ('gpaplan solve --gpa FILE').
    """
    started = time.perf_counter()
    old = None if update is None else load_automaton(update, cost)
    abstraction = chosen_abstraction(old, update, goals, ignore)
    settings = _Settings(solver, heuristic, epsilon, Limits(time_limit, memory_limit), seed, symmetry)
    tasks = []
    domain: Domain | None = None
    for path in problem_files:
        parsed = load_task(domain_file, path, None)
        domain = parsed.domain
        tasks.append(ground(parsed.domain, parsed.problem, cost=cost))
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


def _solve_all(tasks: list[GroundTask], settings: _Settings, jobs: int) -> list[Solution]:
    """Solve the problems side by side, in threads: the core lets go of the interpreter lock."""
    solutions: list[Solution] = []
    with ThreadPoolExecutor(min(jobs, len(tasks))) as pool:
        for solution in pool.map(lambda task: _solve_one(task, settings), tasks):
            solutions.append(solution)
            _show_progress(len(solutions), len(tasks))
    clear_progress()
    return solutions


def _solve_one(task: GroundTask, settings: _Settings) -> Solution:
    solution = solve(
        task,
        make_solver(settings.solver, settings.epsilon),
        heuristic=settings.heuristic,
        limits=settings.limits,
        seed=settings.seed,
        symmetry=settings.symmetry,
    )
    name = task.problem.name
    if solution.status in _REASONS:
        raise LimitError(f"solving the training problem '{name}'", _REASONS[solution.status])
    if solution.status != "solved":
        raise UsageError(f"the training problem '{name}' has no policy that reaches the goal with probability one")
    return solution


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = 30 * done // total
        sys.stderr.write(f"\r\x1b[K[{'#' * filled}{'.' * (30 - filled)}] {done} of {total} problems solved")
        sys.stderr.flush()
