"""All at once, and in plain English: check a problem, solve it, learn from it where that helps, and say what to do.

    briefing = gpaplan.run("domain.ppddl", "problem.ppddl")
    print(briefing)

The problem is solved as `gpaplan.solve` does it, which learns from it where it takes more than a moment. If even that
gives no policy for every state, an actor decides state by state in a few trials, which show how it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from gpaplan.acting.trials import ActingSimulation, simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.automata.rules import RuleFilter
from gpaplan.display import counted, plain
from gpaplan.learning.teaching import Teacher
from gpaplan.limits import Limits
from gpaplan.pages import assemble
from gpaplan.ppddl.loading import Source
from gpaplan.solving.run import solve_with
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.goal import goal_parts
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundTask

__all__ = ["Briefing", "run"]

_TRIALS = 20
"""Trials of an actor where no policy is found: if all reach the goal, 95 % of all trials do, or nearly so."""
_WORK = 300_000_000
"""Of solving, before an actor takes over: about half a minute."""
_MISSED = {"horizon": "ended after {actions}", "dead-end": "met a dead end", "give-up": "gave up"}
"""How trials end that miss the goal, in words."""
_IMPROPER = "No policy reaches the goal with probability one."


@dataclass(frozen=True)
class Briefing:
    """What came of a task: its solution, and more; ``print`` shows it as a page of text, and so does a notebook."""

    task: GroundTask
    missing: tuple[str, ...]
    """The parts of the goal that can never be reached."""
    solution: Solution
    automaton: TransitionFilter | None = None
    """What was learned from the problem; None if that was not needed, or nothing useful came of it."""
    learned: str | None = None
    """That in words; None if nothing was to be learned."""
    trials: ActingSimulation | None = None
    """Trials of acting, where no policy was found."""

    @property
    def sections(self) -> list[tuple[str, list[str]]]:
        """The page: headings, and what stands below each."""
        parts = {
            "The problem": self._problem(),
            "The policy": self._policy(),
            "What was learned": self._learned(),
            "What can go wrong": self._risks(),
        }
        return [(title, list(lines)) for title, lines in parts.items()]

    def _problem(self) -> Iterator[str]:
        core = self.task.core
        sizes = [counted(len(self.task.objects), "object"), f"{core.atom_count:,} atoms that can change"]
        yield f"{', '.join(sizes)} and {counted(core.action_count, 'action')}."

    def _policy(self) -> Iterator[str]:
        found = self.solution
        if found.status == Status.NO_PROPER_POLICY:
            yield _IMPROPER
            if found.goal_probability:
                best = "The best policy" if found.reason is None or found.reason.proven else "The best policy found"
                yield f"{best} reaches it with probability {found.goal_probability:.6g}."
        elif found.solves:
            yield f"There is a policy that decides in {counted(found.policy_states or 0, 'state')}. {self._cost()}"
        elif self.trials is not None:
            yield "The problem is too large for a policy that says what to do in every state."
            acted = self.trials
            reached = acted.ends.get("goal", 0)
            yield f"Deciding state by state, the goal was reached in {reached} of {acted.trials} trials" + (
                f", at a cost of {acted.goal_cost:.4g} on average." if reached else "."
            )
            yield f"The least possible cost is at least {found.lower_bound:.4g}."
        else:
            yield f"No policy was found ({found.status})."

    def _cost(self) -> str:
        found = self.solution
        cost = f"Its expected cost is {found.value:.6g}"
        if found.guarantee == Guarantee.OPTIMAL:
            return f"{cost}, and no policy costs less."
        if found.gap is None or not found.lower_bound:
            return f"{cost}; how good that is is not known."
        least = f"the least possible cost is at least {found.lower_bound:.6g}"
        return f"{cost}; {least}, so it is at most {found.gap / found.lower_bound:.0%} above the optimum."

    def _learned(self) -> Iterator[str]:
        automaton = self.automaton
        if automaton is None:
            known = "Nothing." if self.solution.status == Status.NO_PROPER_POLICY else "Nothing so far."
            yield "Nothing: the problem was solved as it is." if self.solution.solves else known
            return
        learned = (self.learned or "").removesuffix(".")
        yield f"{learned[:1].upper()}{learned[1:]}:"
        if isinstance(automaton, RuleFilter):
            for number, each in enumerate(automaton.named(), 1):
                yield f"  {number}. {automaton.words(each.rule)}"
            yield "In a state the first of these that fits an action decides."
        if self.trials is not None and not self.trials.goal_rate:
            yield "It does not help so far: no trial reached the goal by it."

    def _risks(self) -> Iterator[str]:
        found = self.solution
        if self.trials is not None:
            missed = [f"{count} {_MISSED[end]}" for end, count in self.trials.ends.items() if end != "goal"]
            if missed:
                actions = counted(self.trials.horizon, "action")
                yield f"Trials that missed the goal: {', '.join(missed).format(actions=actions)}."
            yield "Trials show what is likely. They prove nothing."
        elif found.proper:
            yield "Nothing that the model knows of: the goal is reached with probability one."
        elif found.reason is not None:
            yield str(found.reason).removeprefix(f"{_IMPROPER} ")
        elif not found.solves and found.status != Status.NO_PROPER_POLICY:
            yield "That is not known: no policy was found."
        elif found.goal_probability is not None:
            yield f"The goal is missed with probability {1 - found.goal_probability:.6g}."

    def next_steps(self, files: str = "DOMAIN PROBLEM", gpa: str = "learned.gpa.json") -> list[str]:
        """Commands to go on with, each with what it is for; with the names of the files, if there are any."""
        found = self.solution
        so = "" if found.dead_end_cost is None else f" --dead-end-cost {found.dead_end_cost:g}"
        if self.missing:
            return [f"gpaplan check {files}    # which actions can never happen, and why"]
        if found.status == Status.NO_PROPER_POLICY:
            where = f"gpaplan check {files} --states    # where the dead ends are"
            best = f"gpaplan solve {files} --dead-end-cost 100    # the best policy if giving up costs so much"
            return [best] if found.goal_probability is None else [where, best]
        if not found.solves:
            keep = f"gpaplan run {files}{so} --save-gpa {gpa}    # keep what was learned"
            longer = f"gpaplan learn {files}{so} -o {gpa}    # learn longer, out of smaller problems that are made"
            act = f"gpaplan simulate {files}{so} --gpa {gpa} --trace trace.json    # act, and keep what happened"
            helps = self.automaton is not None and (self.trials is None or self.trials.goal_rate > 0)
            return [keep if helps else longer, act]
        learned = "" if self.automaton is None else f" --save-gpa {gpa}"
        steps = [
            f"gpaplan run {files}{so} -o policy.json{learned}    # the same, and keep what was found",
            f"gpaplan serve {files} --open    # look at it: why it does what it does, and what if",
        ]
        if found.guarantee != Guarantee.OPTIMAL:
            steps.append(f"gpaplan solve {files}{so} --prove    # go on until it is proven optimal")
        if self.automaton is not None:
            domain = files.split()[0]
            steps.append(f"gpaplan solve {domain} LARGER --gpa {gpa}    # use what was learned on a larger problem")
        return steps

    def __str__(self) -> str:
        lines = [f"{self.task.domain.name} / {self.task.problem.name}"]
        for title, texts in self.sections:
            lines += ["", title, *(f"  {text}" for text in texts)]
        return "\n".join(lines)

    def to_html(self) -> str:
        """The page for a browser, which needs nothing else."""
        name = escape(self.task.problem.name)
        steps = "".join(f"<p><code>{escape(step)}</code></p>" for step in self.next_steps())
        body = f"<h1>{name}</h1>{self._repr_html_()}<h2>Next</h2>{steps}"
        return assemble("rules.html", title=name, body=body)

    def _repr_html_(self) -> str:
        parts = ((title, "".join(f"<p>{escape(text)}</p>" for text in texts)) for title, texts in self.sections)
        return "".join(f"<h2>{title}</h2>{text}" for title, text in parts)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "status": str(self.solution.status),
            "domain": self.task.domain.name,
            "problem": self.task.problem.name,
            "text": str(self),
            "missing": list(self.missing),
            "solution": self.solution.to_json(),
            "learned": None if self.automaton is None else self.automaton.size_words,
            "trials": None if self.trials is None else plain(self.trials.to_json()),
        }


def run(
    domain: AnyTask,
    problem: Source | None = None,
    *,
    dead_end_cost: float | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    teach: bool = True,
    teacher: Teacher | None = None,
) -> Briefing:
    """Check a problem, solve it, learn from it where that helps, and say in plain English what came of it.

    ``domain`` and ``problem`` are files, or ``domain`` is a task, or a file that holds both. Without ``teach``
    nothing is learned; a ``teacher`` of your own may have a cache.
    """
    task = given_task(domain if problem is None else (domain, problem))  # type: ignore[arg-type]
    limits = limits or Limits()
    missing = tuple(str(part) for part in goal_parts(task, limits=limits) if not part.reachable)
    settings = RunSettings(dead_end_cost=dead_end_cost, seed=seed, limits=limits, work=_WORK)
    teacher = teacher or Teacher()
    found = solve_with(task, settings, teacher=teacher if teach else None)
    briefing = Briefing(task, missing, found, teacher.learned, teacher.words)
    if found.solves or found.status in (Status.NO_PROPER_POLICY, Status.INTERRUPTED):
        return briefing
    acted = simulate_acting(
        task, teacher.learned, trials=_TRIALS, dead_end_cost=dead_end_cost, seed=seed, limits=limits
    )
    return replace(briefing, trials=acted)
