"""``gpaplan merge``: several automata as one."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import click

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli.conventions import FILE, json_option, output_option, print_json


@click.command()
@click.argument("files", metavar="AUTOMATON...", type=FILE, nargs=-1, required=True)
@output_option
@json_option
def command(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Merge automata of one domain: edges with the same source and action are joined."""
    merged = reduce(PolicyAutomaton.merge, [PolicyAutomaton.read(path) for path in files])
    merged.write(output)
    if as_json:
        record = {"status": "ok", "vertices": len(merged.vertices), "edges": len(merged.edges), "output": str(output)}
        print_json(record)
    else:
        click.echo(f"{output}: {len(merged.vertices)} vertices, {len(merged.edges)} edges")
