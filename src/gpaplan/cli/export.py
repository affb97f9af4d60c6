"""``gpaplan export``: the reachable Markov decision process, for model checkers."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.cli import conventions
from gpaplan.cli.settings import plain_space_options
from gpaplan.errors import UsageError
from gpaplan.files import written_whole
from gpaplan.limits import Limits
from gpaplan.spaces.export import FORMATS, explored
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.spaces.symmetry import describe, mode_of
from gpaplan.tasks.costs import costs_of


@click.command()
@conventions.task_arguments
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), required=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write; '-' for standard output.")
@click.option("--gpa", "gpa_file", type=conventions.FILE, metavar="FILE", help="Only what this automaton allows.")
@plain_space_options
@conventions.limits_options
@conventions.json_option
def command(
    files: conventions.TaskFiles,
    space_settings: SpaceSettings,
    format_name: str,
    output: str,
    gpa_file: Path | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Write the reachable Markov decision process for a model checker.

    The format drn is Storm's explicit one, prism the PRISM language. The goal states are labelled 'goal' and the
    rewards are named 'cost'.
    """
    if as_json and output == "-":
        raise UsageError("--json and -o - both write to standard output; give a file")
    spaces: list[StateSpace] = []
    stop = conventions.start_counting(limits, spaces)
    automaton = None if gpa_file is None else conventions.load_automaton(gpa_file)
    task = files.ground(space_settings.cost, limits=stop, automaton=automaton)
    if automaton is None:
        space = StateSpace(task, space_settings, limits=stop)
    else:
        conventions.compare_costs(gpa_file, automaton, task.cost)
        space = ConstrainedStateSpace(task, automaton, space_settings, limits=stop)
    spaces.append(space)
    explored(space, limits=stop)
    conventions.clear_progress()
    if output == "-":
        sys.stdout.writelines(FORMATS[format_name](space))
        return
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
                "output": output,
                **task.count_dropped(),
            }
        )
    else:
        states = f"{len(space):,} states{conventions.up_to(space.symmetry)}"
        click.echo(f"{output}: {states}, {space.core.pair_count:,} state-action pairs; costs: {costs_of(task)}")
        for _, text in conventions.dropped_rows(task):
            click.echo(f"dropped: {text}")
