"""``gpaplan shrink``: small problems out of a large one."""

from __future__ import annotations

from pathlib import Path

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option, seed_option
from gpaplan.cli.options import argument, option, setting
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.files import write_files
from gpaplan.learning.constants import SMALL
from gpaplan.learning.shrinking import shrink
from gpaplan.limits import Limits
from gpaplan.ppddl import write_problem
from gpaplan.solving.settings import RunSettings
from gpaplan.tasks.grounding import CostMode, check_same_costs


@options.command("gpaplan shrink domain.ppddl gripper-9.ppddl -n 5 -o small")
def command(
    domain_file: Path = argument("DOMAIN"),
    problem_files: tuple[Path, ...] = argument("PROBLEM...", nargs=-1, required=True),
    number: int = option("-n", options.COUNT, "So many problems, if there are.", 20),
    directory: Path = option(
        "-o --output", conventions.DIRECTORY, "Where to write; created if missing.", required=True, metavar="DIR"
    ),
    max_states: int = option("--max-states", options.COUNT, "A problem may have this many states.", SMALL),
    dead_end_cost: float | None = setting(RunSettings, "dead_end_cost"),
    cost: CostMode = cost_option,
    seed: int = seed_option,
    relevance: bool | None = options.relevance_option,
    limits: Limits = options.limits_options,
) -> None:
    """Make small problems out of a large one, or out of several.

    They are of the same domain, with fewer objects and less to do, keep what the large one keeps (exclusions among
    atoms, roads both ways), can be solved, and differ up to symmetry. 'gpaplan learn' makes such problems by itself;
    here they can be looked at.
    """
    stop = limits.start()
    tasks = inputs.ground_all(domain_file, problem_files, cost, limits=stop, relevance=relevance)
    check_same_costs((task.problem.name, task.cost) for task in tasks)
    found = shrink(tasks, count=number, states=max_states, seed=seed, dead_end_cost=dead_end_cost, limits=stop)
    if not found:
        hint = "" if dead_end_cost is not None else ", or --dead-end-cost, if dead ends cannot be avoided"
        raise UsageError(f"no small problem was found that can be solved; try --max-states above {max_states:,}{hint}")
    texts = {f"{each.problem.name}.ppddl": write_problem(each.problem) for each in found}
    written = list(zip(found, write_files(directory, texts), strict=True))
    record = {
        "status": "ok",
        "cost_mode": tasks[0].cost,
        "problems": [
            {"problem": each.problem.name, "states": each.states, "cost": each.cost, "way": each.way, "file": str(path)}
            for each, path in written
        ],
        "output": str(directory),
    }
    rows = []
    for each, path in written:
        size = f"{counted(len(each.task.objects), 'object')}, {counted(each.states, 'state')}"
        rows.append((path.name, f"{size}, cost {each.cost:.6f}"))
    title = f"{tasks[0].domain.name}: {counted(len(found), 'small problem')} out of {counted(len(tasks), 'large one')}"
    conventions.answer(record, title, [*rows, ("written to", str(directory))])
