"""``gpaplan merge``: several automata as one."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import click

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import colour
from gpaplan.cli.conventions import print_json
from gpaplan.cli.options import example, json_option, output_option
from gpaplan.cli.streams import INPUT, output_is_taken


@click.command(epilog=example("gpaplan merge gripper.gpa.json grown.gpa.json -o merged.gpa.json"))
@click.argument("files", metavar="AUTOMATON...", type=INPUT, nargs=-1, required=True)
@output_option("the automaton")
@json_option
def command(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Merge automata of one domain: edges with the same source and action are joined."""
    merged = reduce(PolicyAutomaton.merge, [PolicyAutomaton.read(path) for path in files])
    merged.write(output)
    if as_json:
        record = {"status": "ok", "vertices": len(merged.vertices), "edges": len(merged.edges), "output": str(output)}
        print_json(record)
    else:
        text = f"{output}: {len(merged.vertices)} vertices, {len(merged.edges)} edges"
        colour.echo(text, err=output_is_taken())
