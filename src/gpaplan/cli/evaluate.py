"""``gpaplan evaluate``: the exact cost and goal probability of a policy."""

from __future__ import annotations

import math
from pathlib import Path

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import max_outcomes_option
from gpaplan.cli.options import option
from gpaplan.limits import Limits
from gpaplan.policies.evaluation import Evaluation, evaluate
from gpaplan.policies.policy import show_state
from gpaplan.spaces.state_space import Symmetry, describe


@options.command("gpaplan evaluate domain.ppddl gripper-3.ppddl --policy policy.json")
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    policy_file: Path = option(
        "--policy", conventions.INPUT, "The policy, as 'gpaplan solve -o' writes it.", required=True
    ),
    dead_end_cost: float | None = inputs.dead_end_cost_option,
    symmetry: str = option(
        "--symmetry",
        ["auto", "off"],
        "Evaluate up to the symmetry that the policy's file names (auto), or on the states themselves (off).",
        "auto",
    ),
    max_outcomes: int = max_outcomes_option,
    limits: Limits = options.limits_options,
) -> None:
    """Compute the exact expected cost and goal probability of a policy.

    Both follow from the policy's linear equations, which are solved and not iterated.
    """
    stop = limits.start()
    task, policy, _ = files.ground_with(policy_file, limits=stop)
    assert policy is not None
    if symmetry == "off":
        policy = policy.unfolded(limits=stop)
    result = evaluate(task, policy, dead_end_cost=dead_end_cost, max_outcomes=max_outcomes, limits=stop)
    record = {
        "status": "ok",
        "cost_mode": task.cost,
        **result.to_json(),
        "symmetry": describe(symmetry, policy.symmetry),
        **task.count_dropped(),
    }
    title = f"{task.domain.name} / {task.problem.name}, policy '{policy_file}'"
    rows = [*_rows(result, policy.symmetry), *conventions.dropped_rows(task), conventions.costs_row(task)]
    conventions.answer(record, title, rows)


def _rows(result: Evaluation, symmetry: Symmetry | None) -> list[tuple[str, str]]:
    closed = "yes: it has a decision in every state that it can lead to"
    if result.open_state is not None:
        closed = f"no: undefined in {show_state(result.open_state)}"
    rows = [
        ("expected cost", f"{result.cost:.10g}" if math.isfinite(result.cost) else "infinite"),
        ("goal probability", f"{result.goal_probability:.10g}"),
        ("closed", closed),
        (
            "proper",
            "yes: it reaches the goal with probability one" if result.proper else "no: it may never reach the goal",
        ),
        ("states", f"{result.states:,}{conventions.up_to(symmetry)}"),
    ]
    return rows if symmetry is None else [*rows, ("symmetry", conventions.show_symmetry(symmetry))]
