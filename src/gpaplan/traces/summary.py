"""Traces as text."""

from __future__ import annotations

from collections.abc import Iterator

from gpaplan.display import counted
from gpaplan.traces.page import ENDS
from gpaplan.traces.trace import Trace, Trial, TrialStep


def summary(trace: Trace) -> str:
    """All trials step by step: the action, and below it what it changed and why it was taken."""
    title = f"{trace.domain} / {trace.problem}, {counted(len(trace.trials), 'trial')}, {trace.cost_mode} costs"
    return "\n".join([title, *(line for number, trial in enumerate(trace.trials, 1) for line in _trial(number, trial))])


def _trial(number: int, trial: Trial) -> Iterator[str]:
    end = f"{counted(len(trial.steps), 'step')}, cost {trial.cost:g}, {ENDS[trial.end]}"
    yield f"trial {number}: {end} (seed {trial.seed})"
    width = len(str(len(trial.steps)))
    for place, step in enumerate(trial.steps, 1):
        yield f"  {place:>{width}}  {step.action}  cost {step.cost:g}"
        yield from (f"  {'':{width}}    {line}" for line in _details(step))


def _details(step: TrialStep) -> Iterator[str]:
    changes = [*(f"-{atom}" for atom in step.deleted), *(f"+{atom}" for atom in step.added)]
    yield " ".join(changes) or "nothing changed"
    why = ", ".join(each for each in (step.source, step.vertex, step.reason) if each)
    if why:
        yield f"decided by {why}" if step.source else why
