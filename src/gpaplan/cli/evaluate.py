"""``gpaplan evaluate``: the exact cost and goal probability of a policy."""

from __future__ import annotations

import math
from pathlib import Path

import click

from gpaplan.cli.conventions import (
    dead_end_cost_option,
    json_option,
    limits_options,
    load_policy,
    load_task,
    print_json,
    print_rows,
    show_symmetry,
    task_arguments,
)
from gpaplan.cli.settings import max_outcomes_option
from gpaplan.limits import Limits
from gpaplan.policies.evaluation import Evaluation, evaluate
from gpaplan.policies.policy import show_state
from gpaplan.spaces.symmetry import Symmetry, describe
from gpaplan.tasks.grounding import CostMode, ground


@click.command()
@task_arguments
@click.option("--policy", "policy_file", type=click.Path(path_type=Path), required=True, metavar="FILE")
@dead_end_cost_option
@click.option(
    "--symmetry",
    type=click.Choice(["auto", "off"]),
    default="auto",
    show_default=True,
    help="auto: up to the symmetry that the policy's file names; off: on the states themselves.",
)
@max_outcomes_option
@limits_options
@json_option
def command(
    domain_file: Path,
    problem_file: Path | None,
    problem_name: str | None,
    cost: CostMode,
    policy_file: Path,
    dead_end_cost: float | None,
    symmetry: str,
    max_outcomes: int,
    limits: Limits,
    as_json: bool,
) -> None:
    """Compute the exact expected cost and goal probability of a policy.

    Both follow from the policy's linear equations, which are solved and not iterated.
    """
    stop = limits.start()
    parsed = load_task(domain_file, problem_file, problem_name)
    task = ground(parsed.domain, parsed.problem, cost=cost, limits=stop)
    policy = load_policy(policy_file, task)
    if symmetry == "off":
        policy = policy.unfolded(limits=stop)
    result = evaluate(task, policy, dead_end_cost=dead_end_cost, max_outcomes=max_outcomes, limits=stop)
    if as_json:
        print_json({"status": "ok", **result.to_json(), "symmetry": describe(symmetry, policy.symmetry)})
    else:
        print_rows(f"{task.domain.name} / {task.problem.name}, policy '{policy_file}'", _rows(result, policy.symmetry))


def _rows(result: Evaluation, symmetry: Symmetry | None) -> list[tuple[str, str]]:
    closed = "yes"
    if result.open_state is not None:
        closed = f"no: undefined in {show_state(result.open_state)}"
    rows = [
        ("expected cost", f"{result.cost:.10g}" if math.isfinite(result.cost) else "infinite"),
        ("goal probability", f"{result.goal_probability:.10g}"),
        ("closed", closed),
        ("proper", "yes" if result.proper else "no: it may never reach the goal"),
        ("states", f"{result.states:,}"),
    ]
    return rows if symmetry is None else [*rows, ("symmetry", show_symmetry(symmetry))]
