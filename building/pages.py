"""Examples in the pages of the documentation: what a page shows, and running it as its reader would.

The fenced blocks of a page are one session, top to bottom. tests/test_docs.py runs them in this tree; ``make wheel``
runs those of some pages in an environment that has nothing but the wheel.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Block", "Step", "blocks", "claims", "commands", "follow", "steps", "without_times"]


class Block(NamedTuple):
    """A fenced block: what the fence says, and what is in it."""

    language: str
    text: str
    line: int


class Step(NamedTuple):
    """Something to run, and what the page shows of it; None if it shows nothing."""

    language: str
    """``gpaplan`` for a command, which may be the end of a pipe, ``python``, or ``file`` for one to write."""
    text: str
    shown: str | None


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, top to bottom."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield Block(match[1], match[2], page.count("\n", 0, match.start()) + 1)


def claims(readme: str) -> list[str]:
    """What the README says of the demo that holds on every machine, in the words in which the demo prints it."""
    shown = readme.partition("What the demo shows")[2].partition("\nThen try")[0]
    patterns = {
        r"An automaton of (\d+) vertices": r"{} vertices",
        r"LRTDP expands ([\d,]+) states": r"{}",
        r"instead of ([\d,]+), at the optimal cost": r"{}",
        r"rooms: ([\d,]+) states up to symmetry": r"all {} states up to symmetry",
        r"in (\d+) of \d+ trials": r"goal {}",
    }
    found = {pattern: re.search(pattern, " ".join(shown.split())) for pattern in patterns}
    missing = [pattern for pattern, match in found.items() if match is None]
    if missing:
        raise SystemExit(f"the README does not say this of the demo any more: {missing[0]}")
    return [patterns[pattern].format(match[1]) for pattern, match in found.items() if match is not None]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output shown below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def without_times(text: str) -> str:
    """The text with every time in seconds or milliseconds made the same, and without blanks at the ends of lines."""
    text = re.sub(r" *\b\d+(\.\d+)? (m?s)\b", r" 0 \2", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def steps(page: str) -> list[Step]:
    """All that a page asks its reader to run of gpaplan, in its order: blocks, and commands within the text.

    A command that is only named, as in "`gpaplan explain` says why", is asked for its help.
    """
    found: list[Step] = []
    pattern = r"^ *```(?P<language>\w*)\n(?P<text>.*?)^ *```$|`(?P<inline>gpaplan [^`\n]+)`"
    for match in re.finditer(pattern, page, re.MULTILINE | re.DOTALL):
        if inline := match["inline"]:
            named_only = re.fullmatch(r"gpaplan [a-z]+", inline)
            found.append(Step("gpaplan", f"{inline} --help" if named_only else inline, None))
            continue
        block = Block(match["language"], match["text"], page.count("\n", 0, match.start()) + 1)
        if block.language == "console":
            found += [Step("gpaplan", command, shown) for command, shown in commands(block)]
        elif block.language == "sh":
            lines = [line.partition(" #")[0].strip() for line in block.text.splitlines()]
            found += [Step("gpaplan", line, None) for line in lines if re.match(r"(echo .* \| )?gpaplan ", line)]
        elif block.language == "python":
            found.append(Step("python", block.text, None))
        elif block.language == "text" and found and found[-1].language == "python":
            found[-1] = found[-1]._replace(shown=block.text)
        elif block.language in ("ppddl", "toml") and re.match(r"[;#] file: \S+\n", block.text):
            found.append(Step("file", block.text, None))
    return found


def follow(page: str, programs: Path, folder: Path, env: dict[str, str]) -> int:
    """Run all steps of a page in a folder, with the programs of an environment; how many there were. Each Python block
    stands for itself.

    Stops the program with what went wrong, if a step fails or prints something else than is shown.
    """
    todo = steps(page)
    for step in todo:
        if step.language == "file":
            (folder / step.text.split(maxsplit=3)[2]).write_text(step.text, encoding="utf-8")
            continue
        given = None
        if step.language == "python":
            command = [str(programs / "python"), "-c", step.text]
        else:
            words = shlex.split(step.text)
            if "|" in words:  # echo TEXT | gpaplan …: there may be no shell here, and no echo
                given = " ".join(words[1 : words.index("|")]) + "\n"
                words = words[words.index("|") + 1 :]
            command = [str(programs / words[0]), *words[1:]]
        done = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=folder
        )
        if done.returncode != 0:
            raise SystemExit(f"{done.stdout}failed ({done.returncode}): {step.text}")
        if step.shown is not None and without_times(done.stdout) != without_times(step.shown):
            raise SystemExit(f"{done.stdout}\nis not what the page shows after:\n{step.text}")
    return len(todo)
