"""``gpaplan compare``: two automata or rule lists on the same problems."""

from __future__ import annotations

from pathlib import Path

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import example
from gpaplan.learning.comparing import ProblemComparison, compare_filters
from gpaplan.limits import Limits
from gpaplan.tasks.grounding import CostMode


@click.command(
    cls=options.Command,
    epilog=example("gpaplan compare gripper.gpa.json grown.gpa.json domain.ppddl gripper-3.ppddl"),
)
@click.argument("first_file", metavar="FIRST", type=conventions.INPUT)
@click.argument("second_file", metavar="SECOND", type=conventions.INPUT)
@click.argument("domain_file", metavar="DOMAIN", type=conventions.INPUT)
@click.argument("problem_files", metavar="PROBLEM...", type=conventions.INPUT, nargs=-1, required=True)
@cost_option
@options.limits_options
@options.json_option
def command(
    first_file: Path,
    second_file: Path,
    domain_file: Path,
    problem_files: tuple[Path, ...],
    cost: CostMode,
    limits: Limits,
    as_json: bool,
) -> None:
    """Compare two automata or rule lists: how acting with each goes, and in which state they first differ."""
    first, second = inputs.load_automaton(first_file), inputs.load_automaton(second_file)
    tasks = [
        inputs.TaskFiles(domain_file, file, None).ground(cost, limits=limits, automaton=first) for file in problem_files
    ]
    found = compare_filters(first, second, tasks, limits=limits)
    rows = [row for each in found for row in _rows(each, (str(first_file), str(second_file)))]
    record = {"status": "ok", "first": first.size_words, "second": second.size_words, "problems": found}
    conventions.answer(as_json, record, f"{first_file} ({first.size_words}), {second_file} ({second.size_words})", rows)


def _rows(found: ProblemComparison, files: tuple[str, str]) -> list[tuple[str, str]]:
    said = [
        f"{file}: goal in {acted.ends.get('goal', 0)} of {acted.trials} trials, mean cost {acted.mean_cost:.4g}"
        for file, acted in zip(files, found.acted, strict=True)
    ]
    said.append("neither is better" if found.better is None else f"{files[found.better]} is better")
    said.append("no difference was found near the start" if found.difference is None else str(found.difference))
    return [(found.problem, "\n".join(said))]
