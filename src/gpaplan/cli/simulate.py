"""``gpaplan simulate``: trials of a policy."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from gpaplan.cli import conventions
from gpaplan.errors import STOP_REASONS, LimitError, UsageError
from gpaplan.limits import Limits
from gpaplan.policies.evaluation import simulate
from gpaplan.policies.policy import Policy
from gpaplan.tasks.costs import CostMode
from gpaplan.traces.recording import record_trials


@click.command()
@conventions.task_arguments
@click.option("--policy", default="random", show_default=True, metavar="FILE", help="A policy's file, or 'random'.")
@conventions.dead_end_cost_option
@click.option("--trials", type=click.IntRange(min=1, max=2**31), default=100, show_default=True)
@click.option("--horizon", type=click.IntRange(min=1, max=2**32 - 1), default=100, show_default=True)
@click.option(
    "--trace", "trace_file", type=conventions.FILE, metavar="FILE", help="Keep the first trials there, as JSON."
)
@click.option(
    "--trace-trials",
    type=conventions.COUNT,
    default=20,
    show_default=True,
    metavar="N",
    help="How many trials --trace keeps.",
)
@conventions.seed_option
@conventions.limits_options
@conventions.json_option
def command(
    files: conventions.TaskFiles,
    cost: CostMode,
    policy: str,
    dead_end_cost: float | None,
    trials: int,
    horizon: int,
    trace_file: Path | None,
    trace_trials: int,
    seed: int,
    limits: Limits,
    as_json: bool,
) -> int:
    """Run trials of a policy and report what they cost.

    The policy 'random' draws each applicable action with equal probability. A trial that does not reach the goal within
    the horizon costs the horizon, or what it spent if that is more; one that gives up costs what it spent and the
    dead-end cost.
    """
    if policy != "random" and not Path(policy).exists():
        raise UsageError(f"unknown policy '{policy}'; it is no file, and the built-in policy is 'random'")
    stop = limits.start()
    task = files.ground(cost, limits=stop)
    chosen: Policy | Literal["random"] = "random"
    if policy != "random":
        chosen = conventions.load_policy(Path(policy), task, stop)
    result = simulate(task, chosen, trials=trials, horizon=horizon, seed=seed, dead_end_cost=dead_end_cost, limits=stop)
    if result.stopped_by and result.trials == 0:
        raise LimitError("the simulation", result.stopped_by)
    kept = None
    if trace_file is not None:
        kept = min(trace_trials, result.trials)
        record_trials(task, chosen, trials=kept, horizon=horizon, seed=seed, dead_end_cost=dead_end_cost).write(
            trace_file
        )
    record = result.to_json() | {"trace": None if trace_file is None else str(trace_file)}
    stopped_by = record.pop("stopped_by")
    status = STOP_REASONS[stopped_by].status if stopped_by else "ok"
    rows = [
        ("trials", f"{result.trials:,} of {trials:,}" if stopped_by else f"{result.trials:,}"),
        ("horizon", f"{result.horizon:,}"),
        ("mean cost", f"{result.mean_cost:.4f}"),
        ("standard deviation", f"{result.sd_cost:.4f}"),
        ("goal rate", f"{100 * result.goal_rate:.1f} %"),
        conventions.costs_row(task),
        ("seed", f"{result.seed}"),
    ]
    if trace_file is not None:
        rows.append(("trace", f"{trace_file}, of {kept} trials"))
    title = f"{task.domain.name} / {task.problem.name}, policy '{policy}'"
    conventions.answer(as_json, {"status": status, "policy": policy, "cost_mode": task.cost, **record}, title, rows)
    return conventions.EXIT_CODES.get(status, 0)
