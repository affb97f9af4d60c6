"""Tables of two columns for people, and the rows that several commands have."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpaplan.cli import colour, streams

if TYPE_CHECKING:
    from gpaplan.spaces.symmetry import Symmetry
    from gpaplan.tasks.task import GroundTask


def costs_row(task: GroundTask) -> tuple[str, str]:
    """What actions cost, and why that is not what the metric says."""
    from gpaplan.tasks.grounding import costs_of

    return "costs", str(costs_of(task))


def dropped_rows(task: GroundTask) -> list[tuple[str, str]]:
    """What was dropped, where something was."""
    them = "it" if len(task.dropped_atoms) + len(task.dropped_actions) == 1 else "them"
    return [("dropped", f"{task.dropped}: the goal cannot depend on {them}")] if task.dropped else []


def up_to(symmetry: object) -> str:
    """What follows a number of states: that they are counted up to symmetry, where they are."""
    return " up to symmetry" if symmetry else ""


def show_symmetry(symmetry: Symmetry | None) -> str:
    """The classes of interchangeable objects in a few words."""
    if symmetry is None:
        return "off: there are not enough interchangeable objects"
    shown = [f"{len(objects):,} like {objects[0]}" for objects in symmetry.classes]
    return "interchangeable: " + ", ".join(shown[:6]) + (", …" if len(shown) > 6 else "")


def print_rows(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """A two-column table for people, on standard error where standard output is that of a file."""
    width = max(len(name) for name, _ in rows)
    say = functools.partial(colour.echo, err=streams.output_is_taken())
    say(colour.title(title))
    for name, value in rows:
        for number, line in enumerate(value.splitlines() or [""]):
            label, text = colour.paint_row(name, line)
            padding = " " * (width - len(name))
            say(f"  {label}{padding}  {text}" if number == 0 else f"  {'':<{width}}  {text}")
