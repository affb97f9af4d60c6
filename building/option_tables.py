"""The tables of options in docs/command-line.md, out of what the commands declare; ``python -m building.option_tables``
writes them.

A table stands between ``<!-- options: solve -->`` and ``<!-- end -->``. What is said of an option is its help text. The
page may say more, after a ``<br>`` in its row, and that stays. Options that mean the same for an earlier command, and
of which the page says no more, are listed together.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from gpaplan.cli import gpaplan

PAGE = Path(__file__).parents[1] / "docs" / "command-line.md"
_TABLE = re.compile(r"<!-- options: ([\w ]+) -->\n(.*?)<!-- end -->", re.DOTALL)
_ROW = re.compile(r"^\| `(-[\w-]+).*?<br>(.*) \|$", re.MULTILINE)
_EARLIER = ("check", "solve", "learn", "simulate")
"""Commands whose options others have."""


def filled(page: str) -> str:
    """The page with the tables as they should be."""
    return _TABLE.sub(lambda found: f"<!-- options: {found[1]} -->\n{_table(found[1], found[2])}<!-- end -->", page)


def _table(name: str, before: str) -> str:
    more = dict(_ROW.findall(before))
    alike: dict[str, list[str]] = {}
    lines = ["| Option | Meaning |", "|---|---|"]
    for option in _options(name):
        said = more.get(option.opts[0])
        home = None if said else next((each for each in _EARLIER if each != name and _has(each, option)), None)
        if home is not None and name not in _EARLIER[: _EARLIER.index(home)]:
            alike.setdefault(home, []).append(_spelled(option))
        else:
            lines.append(f"| {_spelled(option)} | {_meaning(option)}{f'<br>{said}' if said else ''} |")
    lines += [f"| {', '.join(names)} | as for [`{home}`](#gpaplan-{home}) |" for home, names in alike.items()]
    return "\n".join([*lines, ""])


def _options(name: str) -> list[click.Option]:
    command: click.Command = gpaplan
    for word in name.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, name
        command = found
    return [each for each in command.params if isinstance(each, click.Option)]


def _has(name: str, option: click.Option) -> bool:
    return any((_spelled(each), _meaning(each)) == (_spelled(option), _meaning(option)) for each in _options(name))


def _spelled(option: click.Option) -> str:
    """Its names, the longest with what stands for its value."""
    *short, name = (f"`{each}`" for each in (*option.opts, *option.secondary_opts))
    value = option.metavar or ""
    if isinstance(option.type, click.Choice):
        value = "|".join(option.type.choices)
    value = value.replace("|", "\\|")
    return ", ".join([*short, name if option.is_flag else f"{name[:-1]} {value}`"])


def _meaning(option: click.Option) -> str:
    text = re.sub(r"\s*\[(default: .*?)\]", r" (\1)", option.help or "").replace("|", "\\|")
    if option.show_default and option.default is not None:
        kind = "," if isinstance(option.default, int) else "g" if isinstance(option.default, float) else ""
        text += f" (default: {option.default:{kind}})"
    return re.sub(r"(?<![\w`-])(--[a-z][\w-]*)", r"`\1`", text)


def main() -> None:
    """Write the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
