"""``gpaplan act``: states in, actions out, as JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gpaplan.acting.actor import Actor
from gpaplan.acting.session import LONGEST_LINE, Session
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import actor_options, gpa_option
from gpaplan.cli.options import option
from gpaplan.errors import LimitError
from gpaplan.files import read_lines
from gpaplan.learning.teaching import Teacher
from gpaplan.limits import Limits


@options.command("echo '{}' | gpaplan act domain.ppddl gripper-9.ppddl --gpa gripper.gpa.json", has_json=False)
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    gpa_file: Path | None = gpa_option,
    policy: Path | None = option("--policy", conventions.INPUT, "Follow this policy where it is defined."),
    teacher: Teacher | None = inputs.teach_options,
    options: dict[str, Any] = actor_options,
    limits: Limits = options.limits_options,
) -> None:
    """Decide for a robot or a simulator: a state in, an action out, as JSON lines.

    \b
    On standard input, one request a line:
      {"state": ["(on a b)", ...]}          exactly these atoms hold (static ones may be left out)
      {"added": [...], "deleted": [...]}    what has changed since the request before
      {"reset": true}                       a new run, from the problem's initial state
      {}                                    the state is as before; at first the initial one
    On standard output, one answer a line:
      {"action": "(pick a)", "source": "automaton", "reason": "...", "value": 3.2, ...}

    "action" is null at a goal, in a dead end and where it is better to give up; "source" says which. What is wrong with
    a request is its answer's "error", and the next one may follow. An "id" comes back in the answer. A state that
    cannot come about, such as a robot in two places, is answered with a "warning".
    """
    conventions.claim_input("the requests")
    stop = limits.start()
    task, known, automaton = files.ground_with(policy, gpa_file, limits=stop)
    lessons = {name: options[name] for name in ("seed", "dead_end_cost")}
    teacher = inputs.teacher_without(gpa_file, teacher if policy is None else None)
    if teacher is not None and (automaton := teacher.before_acting(task, **lessons, limits=stop)) is not None:
        conventions.echo(f"learned {teacher.words}", err=True)
    session = Session(Actor(task, automaton, known, **options, limits=stop), limits=stop)
    if not session.checks_states:
        conventions.echo("the task is large: it is not checked whether a state can come about", err=True)
    if (standing := inputs.standing_of(automaton, task)) is not None:
        conventions.echo(standing.words, err=True)
    conventions.echo(f"ready: {task.domain.name} / {task.problem.name}", err=True)

    def poll() -> None:
        if stop.check():
            raise LimitError("acting", stop.reason)

    for line in read_lines(LONGEST_LINE, poll):
        poll()
        if line.strip():
            click.echo(session.answer_line(line))
