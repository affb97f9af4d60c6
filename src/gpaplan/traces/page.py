"""How a trace shows itself: a page to step through trials (data for the skeleton of ``gpaplan/pages``), and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gpaplan.display import counted
from gpaplan.pages import assemble, embedded, graph
from gpaplan.tasks.task import GroundAtom
from gpaplan.traces.trace import Trace, Trial, TrialEnd, TrialStep

ENDS: dict[TrialEnd, str] = {
    "goal": "the goal is reached",
    "horizon": "the horizon is reached",
    "dead-end": "a dead end",
    "give-up": "the policy gives up",
    "undefined": "the policy is undefined here",
    "limit": "a limit came first",
}
"""What ended a trial, in words."""


def to_html(trace: Trace) -> str:
    """The whole page. The same trace gives the same text."""
    seen = None if trace.automaton is None else trace.automaton.graph_data()
    drawing = "" if seen is None else graph.on_page(seen)
    return assemble("trace.html", data=embedded(page_data(trace)), drawing=drawing)


def page_data(trace: Trace) -> dict[str, Any]:
    """What the scripts need to know, as plain data. Atoms are referred to by their places."""
    atoms: dict[GroundAtom, int] = {}
    seen = None if trace.automaton is None else trace.automaton.graph_data()
    vertices = {} if seen is None else {f"v{i}": graph.words_of(seen, each) for i, each in enumerate(seen["vertices"])}
    goals = sum(trial.end == "goal" for trial in trace.trials)
    return {
        "title": trace.problem,
        "name": f"{trace.problem}: trace",
        "counts": [
            f"domain {trace.domain}",
            counted(len(trace.trials), "trial"),
            f"{goals:,} of them to the goal",
            f"{trace.cost_mode} costs",
        ],
        "trials": [_trial(trial, atoms) for trial in trace.trials],
        "atoms": [str(atom) for atom in atoms],
        "vertices": vertices,
    }


def _trial(trial: Trial, atoms: dict[GroundAtom, int]) -> dict[str, Any]:
    return {
        "seed": str(trial.seed),
        "end": trial.end,
        "words": ENDS[trial.end],
        "cost": trial.cost,
        "initial": _places(sorted(trial.initial), atoms),
        "steps": [_step(step, atoms) for step in trial.steps],
    }


def _step(step: TrialStep, atoms: dict[GroundAtom, int]) -> dict[str, Any]:
    known = {
        "decided by": step.source,
        "because": step.reason,
        "abstract state": step.vertex,
        "expected cost from here": None if step.value is None else f"{step.value:.6g}",
        "decided in": None if step.milliseconds is None else f"{step.milliseconds:.3g} ms",
    }
    return {
        "action": str(step.action),
        "cost": step.cost,
        "added": _places(step.added, atoms),
        "deleted": _places(step.deleted, atoms),
        "terms": [[name, text] for name, text in known.items() if text],
        "vertex": step.vertex,
    }


def _places(names: Iterable[GroundAtom], atoms: dict[GroundAtom, int]) -> list[int]:
    return [atoms.setdefault(name, len(atoms)) for name in names]


def summary(trace: Trace) -> str:
    """All trials step by step: the action, and below it what it changed and why it was taken."""
    title = f"{trace.domain} / {trace.problem}, {counted(len(trace.trials), 'trial')}, {trace.cost_mode} costs"
    return "\n".join(
        [title, *(line for number, trial in enumerate(trace.trials, 1) for line in _trial_lines(number, trial))]
    )


def _trial_lines(number: int, trial: Trial) -> Iterator[str]:
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
