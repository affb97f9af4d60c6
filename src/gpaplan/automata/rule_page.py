"""Showing rules: as text, and on a page, in order, with what training shows of each."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.automata.page import origin_lines
from gpaplan.automata.rules import RuleFilter, RuleUse
from gpaplan.display import counted
from gpaplan.pages import assemble
from gpaplan.pictures import Look
from gpaplan.pictures.drawing import draw_in
from gpaplan.pictures.scene import Scene
from gpaplan.tasks.task import GroundTask

_STATES = 1000
"""Among so many states a picture is looked for."""
_ABOUT = (
    "In a state the first rule that fits an applicable action decides, and the actions that fit it are kept. "
    "Where there are several lists, each decides for itself."
)


def summary(rules: RuleFilter) -> str:
    """The rules in words and as they are written, and where they come from."""
    lines = [f"rules for domain '{rules.domain_name}'", *origin_lines(rules)]
    if rules.settings.get("note"):
        lines.append(f"  known        {rules.settings['note']}")
    for name, text in _proven(rules):
        lines.append(f"  {name:<12} {text}")
    for name, rule, use, _ in rules.named():
        lines += ["", f"  {name:<12} {rules.words(rule)}", f"  {'':<12} {rule}", f"  {'':<12} {_used(use)}"]
    return "\n".join(lines)


def _proven(rules: RuleFilter) -> list[tuple[str, str]]:
    """What the certificate says: the claim, the class, the rank, and the bound on the cost."""
    if rules.certificate is None:
        return []
    found = {name: rules.certificate.get(name) for name in ("claim", "class", "falls", "costs")}
    sentences = [str(each) for each in found["class"] or ()]
    of_class = list(zip(["of problems", *[""] * len(sentences)], sentences, strict=False))
    costs = [("cost", str(found["costs"]))] if found["costs"] else []
    return [("certified", f"{found['claim']}"), *of_class, ("rank", f"{found['falls']}"), *costs]


def _used(use: RuleUse) -> str:
    return f"used in {counted(use.count, 'transition')} of training" if use.count else "not used in training"


def to_html(rules: RuleFilter, task: GroundTask | None = None, look: Look | None = None) -> str:
    """The whole page, for a task with a picture of a state in which each rule decides. The same rules give the same
    text."""
    pictures = {} if task is None else dict(_pictures(rules, Scene(task, look or {})))
    body = [f"<h1>{escape(rules.domain_name)}</h1>", f"<p>{_ABOUT}</p>"]
    body.append(f"<h2>Rules ({len(rules)}), in order: the first that fits decides</h2>")
    body.append("<ol>")
    for name, rule, use, _ in rules.named():
        body += [f"<li><p>{escape(rules.words(rule))}</p>", f"<p><code>{escape(str(rule))}</code></p>"]
        body.append(_paragraph(_used(use)))
        body += [pictures[name]] if name in pictures else [_paragraph(f"for example in {e}") for e in use.examples[:1]]
        body.append("</li>")
    body.append("</ol>")
    if rules.certificate is not None:
        body.append("<h2>What is proven, for problems of every size</h2>")
        body += [_paragraph(f"{name}: {text}" if name else text) for name, text in _proven(rules)]
    body.append("<h2>Where they come from</h2>")
    body += map(_paragraph, _origin(rules))
    return assemble("rules.html", title=f"{escape(rules.domain_name)}: rules", body="\n".join(body))


def _pictures(rules: RuleFilter, scene: Scene) -> Iterable[tuple[str, str]]:
    """For each rule the first state that it decides in, on the way that the rules lead."""
    space, on_task = ConstrainedStateSpace(scene.task, rules), rules.on(scene.task)
    space.explore(max_states=_STATES)
    first: dict[str, tuple[int, int]] = {}
    for state in filter(space.core.is_expanded, range(len(space))):
        for action, _, _ in space.core.transitions(state)[:1]:
            for each in on_task.deciding(space, state):
                first.setdefault(each.name, (state, action))
    for name, (state, action) in first.items():
        source = quote(draw_in(scene, space.atoms(state)))
        text = f"For example {scene.task.action(action)} here:"
        yield name, f'{_paragraph(text)}<img alt="A state in which it decides" src="data:image/svg+xml,{source}">'


def _origin(rules: RuleFilter) -> Iterable[str]:
    yield from (line.strip() for line in origin_lines(rules))
    yield from (f"{key}: {value}" for key, value in sorted(rules.settings.items()))


def _paragraph(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'
