"""``gpaplan show``: an automaton as text, graph or page."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from gpaplan.automata.abstraction import identity
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli.conventions import FILE, json_option, print_json
from gpaplan.errors import UsageError
from gpaplan.files import written_whole


@click.command()
@click.argument("file", metavar="AUTOMATON", type=FILE)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "dot", "json", "html"]),
    default="text",
    show_default=True,
    help="A summary, Graphviz, the file itself in its normal form, or a page to be explored in a browser.",
)
@click.option(
    "--degree",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="How coarsely to look: 1 without counts, 2 without extents of relations either, 3 without relations.",
)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Default: standard output.")
@json_option
def command(file: Path, format_name: str, degree: int, output: Path | None, as_json: bool) -> None:
    """Show an automaton."""
    given = PolicyAutomaton.read(file)
    automaton = given.coarsened(degree)
    if as_json and output is None and format_name != "text":
        raise UsageError("--json prints a summary; give -o FILE to write another format as well")
    if output is not None or not as_json:
        writers: dict[str, Callable[[], str]] = {
            "text": lambda: automaton.summary() + "\n",
            "dot": automaton.to_dot,
            "json": automaton.to_text,
            "html": lambda: given.to_html(degree=degree),
        }
        text = writers[format_name]()
        if output is None:
            sys.stdout.write(text)
        else:
            with written_whole(output) as stream:
                stream.write(text)
            click.echo(f"written to {output}", err=True)
    if as_json:
        print_json(
            {
                "status": "ok",
                "domain": automaton.domain_name,
                "vertices": len(automaton.vertices),
                "edges": len(automaton.edges),
                "abstraction": identity(automaton.abstraction),
                "settings": automaton.settings,
                "training": [example._asdict() for example in automaton.training],
                "output": None if output is None else str(output),
            }
        )
