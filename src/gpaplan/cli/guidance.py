"""What helps while a command is typed: examples at the end of its help, and what a shell completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def completed_from(
    names: Callable[[], Iterable[str]], *, or_file: bool = False
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """By what a shell completes a value that is one of some names, or else a file."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if or_file else [])

    return complete


def example(*commands: str) -> str:
    """The end of a command's help: commands that a newcomer can copy."""
    return "\n".join(["\b", "Example:" if len(commands) == 1 else "Examples:", *(f"  {each}" for each in commands)])
