"""``gpaplan merge``: several automata, or rule lists, as one."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import click

from gpaplan.automata.filters import TransitionFilter
from gpaplan.cli import conventions
from gpaplan.cli.conventions import INPUT, output_is_taken, print_json
from gpaplan.cli.options import example, json_option, output_option


@click.command(epilog=example("gpaplan merge gripper.gpa.json grown.gpa.json -o merged.gpa.json"))
@click.argument("files", metavar="AUTOMATON...", type=INPUT, nargs=-1, required=True)
@output_option("the automaton")
@json_option
def command(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Merge automata of one domain: edges with the same source and action are joined. Of rule lists each decides."""
    merged = reduce(TransitionFilter.merge, [TransitionFilter.read(path) for path in files])
    merged.write(output)
    if as_json:
        print_json({"status": "ok", **merged.sizes, "output": str(output)})
    else:
        conventions.echo(f"{output}: {merged.size_words}", err=output_is_taken())
