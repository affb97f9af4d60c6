"""What the commands that read a policy share."""

from __future__ import annotations

from pathlib import Path

import click

from gpaplan.policies.policy import Policy
from gpaplan.tasks.task import GroundTask

dead_end_cost_option = click.option(
    "--dead-end-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="D",
    help="What giving up costs. Default: what the policy's file says.",
)


def load_policy(path: Path, task: GroundTask) -> Policy:
    """Read a policy; a warning says if it was made for other costs."""
    policy = Policy.read(task, path)
    if policy.cost != task.cost:
        click.echo(
            f"{path}: warning: the policy was made for {policy.cost} costs, and the task has {task.cost} costs "
            f"(--cost {policy.cost})",
            err=True,
        )
    return policy
