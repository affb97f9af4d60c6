"""The page to step through the trials of a trace."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import accumulate, islice
from urllib.parse import quote

from gpaplan.display import counted
from gpaplan.pages import assemble, graph
from gpaplan.pictures import Look
from gpaplan.pictures.drawing import draw_in
from gpaplan.pictures.scene import Scene
from gpaplan.tasks.task import GroundTask
from gpaplan.traces.trace import ENDS, Trace, Trial, TrialStep

MOST_PICTURES = 300
"""On a page; one has 7 to 17 KB (zenotravel, delivery with 20 places, triangle tireworld)."""


def to_html(trace: Trace, task: GroundTask | None = None, look: Look | None = None) -> str:
    """The whole page. The same trace gives the same text."""
    images = iter(()) if task is None else _images(trace, Scene(task, look or {}))
    seen = None if trace.automaton is None else trace.automaton.graph_data()
    goals = sum(trial.end == "goal" for trial in trace.trials)
    counts = [f"domain {trace.domain}", counted(len(trace.trials), "trial"), f"{goals:,} of them to the goal"]
    return assemble(
        "trace.html",
        title=f"{escape(trace.problem)}: trace",
        name=escape(trace.problem),
        counts=escape(" · ".join([*counts, f"{trace.cost_mode} costs"])),
        trials="\n".join(_trial(number, trial, images) for number, trial in enumerate(trace.trials, 1)),
        drawing="" if seen is None else f'<div class="drawing">\n{graph.on_page(seen)}\n</div>',
    )


def _images(trace: Trace, scene: Scene) -> Iterator[str]:
    """Pictures of the states of all trials, in order; as images they can neither run nor fetch anything."""
    states = islice((state for trial in trace.trials for state in trial.states()), MOST_PICTURES)
    known = [scene.task.with_initial_state(state).initial_state for state in states]
    for state in known:
        draw_in(scene, state)  # so that all boxes have the size of the largest one
    for state in known:
        yield f'<img alt="The state" src="data:image/svg+xml,{quote(draw_in(scene, state))}">'


def _trial(number: int, trial: Trial, images: Iterator[str]) -> str:
    end = f"{counted(len(trial.steps), 'step')}, cost {trial.cost:g}, {ENDS[trial.end]} (seed {trial.seed})"
    start = escape(" ".join(map(str, sorted(trial.initial)))) + next(images, "")
    spent = accumulate(step.cost for step in trial.steps)
    steps = "\n".join(
        _step(f"trial {number}, step {place} of {len(trial.steps)}, cost {total:g}", step, next(images, ""))
        for place, (step, total) in enumerate(zip(trial.steps, spent, strict=True), 1)
    )
    return f"<details><summary>Trial {number}: {end}</summary>\n<p>{start}</p>\n{steps}\n</details>"


def _step(where: str, step: TrialStep, image: str) -> str:
    """The action and why it was taken, in which abstract state, what it changed, and the state that came of it."""
    known = {
        "decided by": step.source,
        "because": step.reason,
        "abstract state": step.vertex,
        "expected cost from here": None if step.value is None else f"{step.value:.6g}",
        "decided in": None if step.milliseconds is None else f"{step.milliseconds:.3g} ms",
    }
    terms = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in known.items() if text)
    changes = [*(f"− {atom}" for atom in step.deleted), *(f"+ {atom}" for atom in step.added)]
    changed = "".join(f"<br>{escape(each)}" for each in changes) or "<br>nothing changed"
    return (
        f'<div class="step" data-where="{where}" data-vertex="{escape(step.vertex or "")}">'
        f"{image}<b>{escape(str(step.action))}</b> cost {step.cost:g}"
        f'<dl>{terms}</dl><span class="changes">{changed.removeprefix("<br>")}</span></div>'
    )
