"""``gpaplan export``: the reachable Markov decision process, for model checkers."""

from __future__ import annotations

from pathlib import Path

from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import space_options
from gpaplan.cli.options import option
from gpaplan.files import written_whole
from gpaplan.limits import Limits
from gpaplan.spaces.export import FORMATS, explored
from gpaplan.spaces.state_space import SpaceSettings, StateSpace, describe, mode_of
from gpaplan.tasks.grounding import costs_of


@options.command("gpaplan export domain.ppddl gripper-3.ppddl --format drn -o gripper.drn")
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    format_name: str = option(
        "--format", list(FORMATS), "For Storm, or for PRISM and all who read its language.", required=True
    ),
    output: Path = options.output_option("the model"),
    gpa_file: Path | None = option("--gpa", conventions.INPUT, "Write only what this automaton allows."),
    space_settings: SpaceSettings = space_options(symmetry="off"),
    limits: Limits = options.limits_options,
) -> None:
    """Write the reachable Markov decision process for a model checker.

    The format drn is Storm's explicit one, prism the PRISM language. The goal states are labelled 'goal' and the
    rewards are named 'cost'.
    """
    stop = limits.start()
    task, _, automaton = files.ground_with(None, gpa_file, limits=stop)
    if automaton is None:
        space = StateSpace(task, space_settings, limits=stop)
    else:
        space = ConstrainedStateSpace(task, automaton, space_settings, limits=stop)
    explored(space, limits=stop)
    with written_whole(output) as file:
        file.writelines(FORMATS[format_name](space))
    record = {
        "status": "ok",
        "format": format_name,
        "cost_mode": task.cost,
        "states": len(space),
        "state_action_pairs": space.core.pair_count,
        "symmetry": describe(mode_of(space_settings.symmetry), space.symmetry),
        "output": str(output),
        **task.count_dropped(),
    }
    states = f"{len(space):,} states{conventions.up_to(space.symmetry)}"
    lines = [f"{output}: {states}, {space.core.pair_count:,} state-action pairs; costs: {costs_of(task)}"]
    lines += [f"dropped: {text}" for _, text in conventions.dropped_rows(task)]
    conventions.say(record, "\n".join(lines))
