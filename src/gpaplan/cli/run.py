"""``gpaplan run``: check, solve, learn where that helps, and say in plain English what came of it."""

from __future__ import annotations

import shlex
import tempfile
import webbrowser
from pathlib import Path

from gpaplan.briefing import Briefing, run
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import seed_option
from gpaplan.cli.options import flag, setting
from gpaplan.files import write_text
from gpaplan.learning.teaching import Teacher
from gpaplan.limits import Limits
from gpaplan.solving.settings import RunSettings


@options.command("gpaplan run domain.ppddl gripper-3.ppddl --page gripper-3.html")
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    dead_end_cost: float | None = setting(RunSettings, "dead_end_cost"),
    seed: int = seed_option,
    output: Path | None = options.output_option("the policy, as JSON,", required=False),
    teacher: Teacher | None = inputs.teach_options,
    page_file: Path | None = options.output_option(
        "what came of it, as a page for a browser,", "--page", required=False
    ),
    opens: bool = flag("--open", "Show that page in the browser."),
    limits: Limits = options.limits_options,
) -> int:
    """Do it all: check the problem, solve it, learn from it where that helps, and say what came of it.

    It is solved as 'gpaplan solve' does it; if it is too large for that, an actor shows what it can do.
    """
    task = files.ground(limits=limits.start())
    found = run(task, dead_end_cost=dead_end_cost, seed=seed, limits=limits, teach=teacher is not None, teacher=teacher)
    if output is not None and found.solution.closed:
        found.solution.policy.write(output)
    if opens and page_file is None:
        page_file = Path(tempfile.mkdtemp(prefix="gpaplan-")) / "problem.html"
    if page_file is not None:
        write_text(page_file, found.to_html())
    if conventions.wants_json():
        conventions.print_json({**found.to_json(), "page": None if page_file is None else str(page_file)})
    else:
        _print(found, files, teacher)
    if page_file is not None and opens:
        webbrowser.open(page_file.resolve().as_uri())
    return conventions.EXIT_CODES[found.solution.status] if found.trials is None else 0


def _print(found: Briefing, files: inputs.TaskFiles, teacher: Teacher | None) -> None:
    title, *lines = str(found).split("\n")
    headings = {name for name, _ in found.sections}
    conventions.echo(conventions.bold(title))
    for line in lines:
        conventions.echo(conventions.bold(line) if line in headings else line)
    names = [shlex.quote(str(each)) for each in (files.domain_file, files.problem_file) if each is not None]
    names += [] if files.cost == "auto" else [f"--cost {files.cost}"]
    conventions.echo("\n" + conventions.bold("Next"))
    gpa = {} if teacher is None or teacher.file is None else {"gpa": shlex.quote(str(teacher.file))}
    for step in found.next_steps(" ".join(names), **gpa):
        conventions.echo(f"  {step}")
