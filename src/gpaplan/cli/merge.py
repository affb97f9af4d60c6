"""``gpaplan merge``: several automata, or rule lists, as one."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

from gpaplan.automata.filters import TransitionFilter
from gpaplan.cli import conventions, options
from gpaplan.cli.options import argument, output_option


@options.command("gpaplan merge gripper.gpa.json grown.gpa.json -o merged.gpa.json")
def command(
    files: tuple[Path, ...] = argument("AUTOMATON...", nargs=-1, required=True),
    output: Path = output_option("the automaton"),
) -> None:
    """Merge automata of one domain: edges with the same source and action are joined. Of rule lists each decides."""
    merged = reduce(TransitionFilter.merge, [TransitionFilter.read(path) for path in files])
    merged.write(output)
    record = {"status": "ok", **merged.sizes, "output": str(output)}
    conventions.say(record, f"{output}: {merged.size_words}")
