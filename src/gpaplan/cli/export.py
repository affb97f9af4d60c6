"""``gpaplan export``: the reachable Markov decision process, for model checkers."""

from __future__ import annotations

from pathlib import Path

import click

from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import space_options
from gpaplan.cli.options import example, option
from gpaplan.files import written_whole
from gpaplan.limits import Limits
from gpaplan.spaces.export import FORMATS, explored
from gpaplan.spaces.state_space import SpaceSettings, StateSpace, describe, mode_of
from gpaplan.tasks.grounding import costs_of


@click.command(
    cls=options.Command, epilog=example("gpaplan export domain.ppddl gripper-3.ppddl --format drn -o gripper.drn")
)
@inputs.task_arguments
@option("--format format_name", list(FORMATS), "For Storm, or for PRISM and all who read its language.", required=True)
@options.output_option("the model")
@click.option(
    "--gpa", "gpa_file", type=conventions.INPUT, metavar="FILE", help="Write only what this automaton allows."
)
@space_options(symmetry="off")
@options.limits_options
@options.json_option
def command(
    files: inputs.TaskFiles,
    space_settings: SpaceSettings,
    format_name: str,
    output: Path,
    gpa_file: Path | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Write the reachable Markov decision process for a model checker.

    The format drn is Storm's explicit one, prism the PRISM language. The goal states are labelled 'goal' and the
    rewards are named 'cost'.
    """
    stop = limits.start()
    automaton = None if gpa_file is None else inputs.load_automaton(gpa_file)
    task = files.ground(space_settings.cost, limits=stop, automaton=automaton)
    if automaton is None:
        space = StateSpace(task, space_settings, limits=stop)
    else:
        inputs.compare_costs(gpa_file, automaton, task.cost)
        space = ConstrainedStateSpace(task, automaton, space_settings, limits=stop)
    explored(space, limits=stop)
    with written_whole(output) as file:
        file.writelines(FORMATS[format_name](space))
    if as_json:
        conventions.print_json(
            {
                "status": "ok",
                "format": format_name,
                "cost_mode": task.cost,
                "states": len(space),
                "state_action_pairs": space.core.pair_count,
                "symmetry": describe(mode_of(space_settings.symmetry), space.symmetry),
                "output": str(output),
                **task.count_dropped(),
            }
        )
    else:
        states = f"{len(space):,} states{conventions.up_to(space.symmetry)}"
        lines = [f"{output}: {states}, {space.core.pair_count:,} state-action pairs; costs: {costs_of(task)}"]
        lines += [f"dropped: {text}" for _, text in conventions.dropped_rows(task)]
        conventions.echo("\n".join(lines), err=conventions.output_is_taken())
