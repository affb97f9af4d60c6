"""``gpaplan grow``: an automaton from problems of growing size, learned only from those that need it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.options import flag, option
from gpaplan.cli.sources import SYNTAX, Source, solving_options, source_argument
from gpaplan.display import counted
from gpaplan.errors import STOPPED
from gpaplan.learning.constants import PATIENCE
from gpaplan.learning.edges import Ties
from gpaplan.learning.growth import Growth, GrowthStep, TriedProblem, Validation, grow, validate
from gpaplan.learning.solving import Solving
from gpaplan.tasks.grounding import Costs

_ENDS = {
    "exhausted": "there are no more problems",
    "too-large": "what is left is beyond the budget of states",
    **{status: reason.name for status, reason in STOPPED.items()},
}


@options.command("gpaplan grow gripper 1..6 -o grown.gpa.json", epilog=f"{SYNTAX}\n")
def command(
    source: tuple[str, ...] = source_argument,
    output: Path = options.output_option("the automaton"),
    update: Path | None = option("--update", conventions.INPUT, "Start from the automaton in this file."),
    held_out: tuple[str, ...] = option(
        "--validate",
        conventions.INPUT_NAME,
        "Try the result on these problems too: ranges in quotes, or a file. May be repeated.",
        multiple=True,
        metavar="RANGES|FILE",
    ),
    patience: int = option("--patience", options.COUNT, "End when N problems in a row needed nothing new.", PATIENCE),
    ties: Ties = options.ties_option,
    features: dict[str, Any] = options.features_options,
    explain: bool = flag("--explain", "Show for each problem that was not covered yet why, with a state."),
    solving: Solving = solving_options,
    relevance: bool | None = options.relevance_option,
) -> int:
    """Grow an automaton: learn only from the problems on which the automaton so far fails.

    Problems are taken in ascending order of size. Each is solved with the automaton and, within the budget, without;
    if the automaton leaves no proper policy, or a dearer one, the problem is learned from. The file is written whenever
    something was learned; a limit or an interrupt leaves what was learned so far. The automaton sees the roles of
    objects; 'gpaplan learn' also learns rules, and takes what does better.
    """
    started = time.perf_counter()
    old = inputs.load_automaton(update)
    roles = inputs.chosen_abstraction(old, update, features)
    problems = Source(source, solving.settings.space.cost, inputs.relevance_for(relevance, old))
    instances = problems.instances(solving.limits())
    checks = problems.more(held_out, solving.limits())
    inputs.compare_costs(update, old, instances[0].costs.mode)

    def on_step(step: GrowthStep, automaton: PolicyAutomaton) -> None:
        if step.learned and not conventions.output_is_taken():
            automaton.write(output)

    growth = grow(
        instances, automaton=old, abstraction=roles, ties=ties, patience=patience, solving=solving, on_step=on_step
    )
    growth.automaton.write(output)
    rows = validate(checks, growth.automaton, solving=solving) if not solving.out_of_time else []
    seconds = {"grow": growth.seconds, "total": time.perf_counter() - started}
    hint = None if rows and all(row.sufficed for row in rows) else growth.hint
    record = {
        "status": solving.stopped_by or "ok",
        "cost_mode": instances[0].costs.mode,
        **growth.to_json(),
        "validation": [row.to_json() for row in rows],
        "hint": hint,
        "seconds": seconds,
        "output": str(output),
    }
    table = [
        *_growth_rows(growth, instances[0].costs),
        ("time", f"growing {seconds['grow']:.3f} s, total {seconds['total']:.3f} s"),
        ("written to", str(output)),
        ("hint", hint),
    ]
    title = f"{growth.automaton.domain_name}: grown on {counted(len(growth.steps), 'problem')}"
    code = conventions.answer(record, title, table)
    if rows and not conventions.wants_json():
        title = f"validation: {sum(row.sufficed for row in rows)} of {len(rows)} solved without fallback"
        conventions.print_rows(title, [(row.instance.name, _describe_validation(row)) for row in rows])
    for each in () if conventions.wants_json() else (*(growth.steps if explain else ()), *rows):
        if each.counterexample is not None:
            conventions.echo(str(each.counterexample), err=conventions.output_is_taken())
    return code


def _growth_rows(growth: Growth, costs: Costs) -> list[tuple[str, str]]:
    """What became of each problem, why that was all, and what was learned."""
    needed = [not step.needed_nothing for step in reversed(growth.steps)]
    in_a_row = needed.index(True) if True in needed else len(needed)
    ended = _ENDS.get(growth.stopped_by, f"{in_a_row} problems in a row needed nothing new")
    learned_from = f"learned from {len(growth.training)} of {len(growth.steps)} problems"
    return [
        *((step.instance.name, _describe_step(step)) for step in growth.steps),
        ("ended", f"{growth.stopped_by}: {ended}"),
        ("costs", str(costs)),
        (growth.automaton.noun, f"{growth.automaton.size_words}, {learned_from}"),
    ]


def _describe_step(step: GrowthStep) -> str:
    optimum = "" if step.optimum is None else f", optimum {step.optimum:.6f}"
    learned = f"{counted(step.new_edges, 'edge')} learned"
    cost = "" if step.cost is None else f"{step.cost:.6f}"
    words = {
        "sufficed": f"sufficed{', cost ' * bool(cost)}{cost}{', optimal' * bool(optimum)}",
        "leapfrogged": f"leapfrogged: cost {cost}, too large to be solved without",
        "costly": f"costly: {cost}{optimum}; {learned}",
        "failed": f"not covered yet{optimum}; {learned}",
        "fallback": f"not covered yet, too large to be solved without; {learned} from the fallback",
        "unsolvable": "no policy reaches the goal with probability one (--dead-end-cost would allow giving up)",
        "too-large": "too large: nothing was found within the budget",
    }[step.outcome]
    return words if step.outcome == "unsolvable" else f"{words}; {_states(step)}"


def _describe_validation(row: Validation) -> str:
    """One line about a problem that was validated with."""
    if not row.sufficed:
        return f"{'not covered' if row.status == 'failed' else row.status}; {_states(row)}"
    worth = "optimal" if row.optimal else "optimum unknown" if row.reference is None else f"optimum {row.reference:.6f}"
    return f"sufficed, cost {row.cost:.6f}, {worth}; {_states(row)}"


def _states(row: TriedProblem) -> str:
    without = "" if row.expanded_without is None else f", {row.expanded_without:,} without"
    return f"{counted(row.expanded, 'state')}{without}{', up to symmetry' if row.symmetry else ''}"
