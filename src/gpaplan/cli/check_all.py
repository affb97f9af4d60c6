"""``gpaplan check`` of many files and folders at once, and the mending of what has one answer.

A problem is checked with the domain that it names: the one in its own file, else the nearest one among the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpaplan.cli import conventions, inputs
from gpaplan.display import counted
from gpaplan.errors import Diagnostic, Fix, GpaplanError, InputError, UsageError
from gpaplan.files import written_whole
from gpaplan.limits import AnyLimits
from gpaplan.ppddl.loading import ParsedTask, defined_in, parse_domain_or_task
from gpaplan.tasks.goal import goal_parts
from gpaplan.tasks.grounding import CostMode, ground
from gpaplan.tasks.unused import unused_parts, why_never

_SUFFIXES = (".ppddl", ".pddl")


@dataclass
class _Found:
    """What there is to say of a file."""

    errors: dict[str, Diagnostic] = field(default_factory=dict)
    warnings: dict[str, Diagnostic] = field(default_factory=dict)
    """By their text, since a domain is read with each of its problems."""
    notes: list[str] = field(default_factory=list)
    """What is never used, or never reached."""

    def to_json(self, file: Path) -> dict[str, Any]:
        parts = {"errors": self.errors, "warnings": self.warnings}
        shown = {name: [each.to_json() for each in found.values()] for name, found in parts.items()}
        return {"file": str(file), **shown, "notes": self.notes}


def check_all(paths: Sequence[Path], cost: CostMode, strict: bool, limits: AnyLimits, as_json: bool) -> int:
    """Check all files, and those of folders. Returns the exit code."""
    found = _check_files(_files(paths), cost, limits)
    wrong = sum(bool(each.errors) for each in found.values())
    odd = sum(bool(each.warnings or each.notes) for each in found.values())
    status = "errors" if wrong else "warnings" if odd else "ok"
    lines = [
        conventions.paint_message(one)
        for file, each in found.items()
        for one in (*each.errors, *each.warnings, *(f"{file}: {note}" for note in each.notes))
    ]
    lines.append(f"{counted(len(found), 'file')}: {wrong} with errors, {odd} with something to look at")
    files = [each.to_json(file) for file, each in found.items()]
    conventions.say(as_json, {"status": status, "files": files}, "\n".join(lines))
    return InputError.exit_code if wrong else conventions.NOT_STRICT if strict and odd else 0


def mend(paths: Sequence[Path], limits: AnyLimits) -> None:
    """Mend what has one answer, and say so on standard error."""
    files = _files(paths)
    while fixes := [fix for each in _check_files(files, None, limits).values() for fix in _fixes(each)]:
        for source in {fix.span.source.name: fix.span.source for fix in fixes}.values():
            if Path(source.name).read_bytes() != source.text.encode():
                raise UsageError(f"'{source.name}' is not UTF-8, or has a byte order mark: it cannot be mended")
            text, own = source.text, {fix for fix in fixes if fix.span.source.name == source.name}
            for span, new in sorted(own, key=lambda fix: (fix.span.start, fix.text), reverse=True):
                conventions.echo(
                    f"{source.name}:{span.line}: {text[span.start : span.end] or 'added'} -> {new.strip()}", err=True
                )
                text = text[: span.start] + new + text[span.end :]
            with written_whole(source.name) as stream:
                stream.buffer.write(text.encode())


def _fixes(found: _Found) -> Iterator[Fix]:
    return (each.fix for each in (*found.errors.values(), *found.warnings.values()) if each.fix is not None)


def _files(paths: Sequence[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        inside = [each for each in sorted(path.rglob("*")) if each.suffix in _SUFFIXES] if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"there is no {' or '.join(_SUFFIXES)} file in '{path}'")
        found |= dict.fromkeys(inside)
    return list(found)


def _check_files(files: Sequence[Path], cost: CostMode | None, limits: AnyLimits) -> dict[Path, _Found]:
    """What there is to say of each file; without costs, only what reading them shows."""
    found = {file: _Found() for file in files}
    defined = {file: defined_in(file) for file in files}
    unused: dict[Path, list[set[str]]] = {}
    for file, (domains, problems) in defined.items():
        for name, of in problems.items() or [(None, "")]:
            is_alone = of in domains or not of  # a problem that names no domain is wrong by itself
            home = file if is_alone else _nearest(file, [each for each in files if of in defined[each][0]])
            if home is None:
                error = Diagnostic(f"no domain '{of}' is among the files", file=str(file))
                found[file].errors[error.render()] = error
                continue
            try:
                parsed = parse_domain_or_task(home, None if home == file else file, name, limits=limits)
                for warning in parsed.warnings:
                    found.get(Path(warning.path or file), found[file]).warnings[warning.render()] = warning
                if isinstance(parsed, ParsedTask) and cost is not None:
                    task = ground(parsed, cost=cost, relevance=inputs.relevance_for(None), limits=limits)
                    never = [part.text for part in goal_parts(task, limits=limits) if not part.reachable]
                    found[file].notes += [f"the goal is never reached: {text}" for text in never]
                    found[file].notes += why_never(task) if never else []
                    unused.setdefault(home, []).append(set(unused_parts(task)))
            except InputError as error:
                for each in error.diagnostics:
                    found.get(Path(each.path or file), found[file]).errors[each.render()] = each
            except GpaplanError as error:
                found[file].errors[str(error)] = Diagnostic(str(error), file=str(file))
    for home, parts in unused.items():
        found[home].notes += sorted(set.intersection(*parts))  # what is unused in all of its problems
    return found


def _nearest(file: Path, homes: Sequence[Path]) -> Path | None:
    """The file that shares most folders with another."""
    return max(homes, key=lambda home: len(os.path.commonpath([home.resolve(), file.resolve()])), default=None)
