"""``gpaplan compare``: two automata or rule lists on the same problems."""

from __future__ import annotations

from pathlib import Path

from gpaplan.automata.filters import TransitionFilter
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import argument
from gpaplan.data import is_ppddl
from gpaplan.learning.comparison import ProblemComparison, compare_filters
from gpaplan.limits import Limits
from gpaplan.tasks.grounding import CostMode


@options.command("gpaplan compare gripper.gpa.json grown.gpa.json domain.ppddl gripper-3.ppddl")
def command(
    first_file: Path = argument("FIRST"),
    second_file: Path = argument("SECOND"),
    domain_file: Path = argument("DOMAIN"),
    problem_files: tuple[Path, ...] = argument("PROBLEM...", nargs=-1, required=True),
    cost: CostMode = cost_option,
    limits: Limits = options.limits_options,
) -> None:
    """Compare two automata or rule lists: how acting with each goes, and in which state they first differ."""
    if is_ppddl(first_file) and not is_ppddl(domain_file):  # the domain came first, as elsewhere
        first_file, second_file, domain_file = second_file, domain_file, first_file
    first, second = TransitionFilter.read(first_file), TransitionFilter.read(second_file)
    tasks = inputs.ground_all(domain_file, problem_files, cost, limits=limits, automaton=first)
    found = compare_filters(first, second, tasks, limits=limits)
    rows = [row for each in found for row in _rows(each, (str(first_file), str(second_file)))]
    record = {"status": "ok", "first": first.size_words, "second": second.size_words, "problems": found}
    conventions.answer(record, f"{first_file} ({first.size_words}), {second_file} ({second.size_words})", rows)


def _rows(found: ProblemComparison, files: tuple[str, str]) -> list[tuple[str, str]]:
    said = [
        f"{file}: goal in {acted.ends.get('goal', 0)} of {acted.trials} trials, mean cost {acted.mean_cost:.4g}"
        for file, acted in zip(files, found.acted, strict=True)
    ]
    said.append("neither is better" if found.better is None else f"{files[found.better]} is better")
    said.append("no difference was found near the start" if found.difference is None else str(found.difference))
    return [(found.problem, "\n".join(said))]
