"""``gpaplan export``: the reachable Markov decision process, for model checkers."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.cli.conventions import (
    clear_progress,
    json_option,
    limits_options,
    load_automaton,
    load_task,
    print_json,
    progress_line,
    task_arguments,
)
from gpaplan.cli.settings import space_options
from gpaplan.errors import UsageError
from gpaplan.files import written_whole
from gpaplan.limits import Limits
from gpaplan.spaces.export import FORMATS, explored
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.spaces.symmetry import describe, mode_of
from gpaplan.tasks.grounding import ground


@click.command()
@task_arguments
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), required=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write; '-' for standard output.")
@click.option(
    "--gpa", "gpa_file", type=click.Path(path_type=Path), metavar="FILE", help="Only what this automaton allows."
)
@space_options
@limits_options
@json_option
def command(
    domain_file: Path,
    problem_file: Path | None,
    problem_name: str | None,
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
    stop = limits.start(
        progress_line(lambda seconds: f"{len(spaces[-1]):,} states, {seconds:.1f} s" if spaces else "grounding …")
    )
    parsed = load_task(domain_file, problem_file, problem_name)
    task = ground(parsed.domain, parsed.problem, cost=space_settings.cost, limits=stop)
    space = (
        StateSpace(task, space_settings)
        if gpa_file is None
        else ConstrainedStateSpace(task, load_automaton(gpa_file, space_settings.cost), space_settings)
    )
    spaces.append(space)
    explored(space, limits=stop)
    clear_progress()
    if output == "-":
        sys.stdout.writelines(FORMATS[format_name](space))
        return
    with written_whole(output) as file:
        file.writelines(FORMATS[format_name](space))
    if as_json:
        print_json(
            {
                "status": "ok",
                "format": format_name,
                "states": len(space),
                "state_action_pairs": space.core.pair_count,
                "symmetry": describe(mode_of(space_settings.symmetry), space.symmetry),
                "output": output,
            }
        )
    else:
        click.echo(f"{output}: {len(space):,} states, {space.core.pair_count:,} state-action pairs")
