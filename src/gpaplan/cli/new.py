"""``gpaplan new``: a working example to change into a domain of one's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from gpaplan.benchmarks import family as family_of, generate
from gpaplan.cli import conventions, options
from gpaplan.cli.options import argument, option
from gpaplan.errors import UsageError
from gpaplan.files import write_files

_FILES = ("domain.ppddl", "small.ppddl", "large.ppddl", "tests.toml")
_SMALL, _LARGE = 1, 4
"""By so much at most the numbers of a family's smallest problem are raised for the two problems."""


@options.command("gpaplan new plants", "gpaplan new trucks --like delivery")
def command(
    folder: Path = argument("DIR", conventions.DIRECTORY),
    like: str | None = option(
        "--like",
        str,
        "Begin with a copy of this benchmark domain; 'gpaplan generate --list' has their names.",
        metavar="NAME",
    ),
) -> None:
    """Begin a domain of your own: a domain with comments, a small and a large problem, and a file of tests.

    DIR is made if need be. A file that is there already is left alone, and the command fails.
    """
    there = next((name for name in _FILES if (folder / name).exists()), None)
    if there is not None:
        raise UsageError(f"'{folder / there}' is there already; give another folder")
    files = [str(path) for path in write_files(folder, _template() if like is None else _copied(like))]
    after = f"\nNext: cd {folder}\n      gpaplan run domain.ppddl small.ppddl\n      gpaplan test tests.toml"
    conventions.say({"status": "ok", "files": files}, "\n".join([*files, after]))


def _template() -> dict[str, str]:
    folder = resources.files("gpaplan") / "templates"
    return {name: (folder / name).read_text(encoding="utf-8") for name in _FILES}


def _copied(like: str) -> dict[str, str]:
    """A benchmark domain with two of its problems."""
    family = family_of(like)

    def problem(more: int) -> tuple[str, str]:
        theta = list(family.least.values())
        for place, least in enumerate(family.least.values()):  # each number as far as it may be raised
            raised = ([*theta[:place], least + by, *theta[place + 1 :]] for by in range(more, -1, -1))
            theta = next((each for each in raised if family.objection(*each) is None), theta)
        made = generate(family.name, *theta)
        return made.domain_text, made.problem_text

    (domain, small), (same, large) = problem(_SMALL), problem(_LARGE)
    if domain != same:
        raise UsageError(f"the text of '{like}' depends on the size of the problem; use 'gpaplan generate {like}'")
    return dict(zip(_FILES, (domain, small, large, _template()["tests.toml"]), strict=True))
