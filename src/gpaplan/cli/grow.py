"""``gpaplan grow``: an automaton from problems of growing size, learned only from those that need it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.learn import choice_rows, chosen_kind, rule_rows
from gpaplan.cli.options import example, option
from gpaplan.cli.sources import SYNTAX, Source, solving_options, source_argument
from gpaplan.display import counted
from gpaplan.errors import STOPPED, UsageError
from gpaplan.learning.constants import PATIENCE
from gpaplan.learning.edges import Examples, Ties
from gpaplan.learning.growth import Step, grow
from gpaplan.learning.loop import rules_after_growth
from gpaplan.learning.solving import Solving
from gpaplan.learning.validation import TriedProblem, Validation, validate

_ENDS = {
    "exhausted": "there are no more problems",
    "too-large": "what is left is beyond the budget of states",
    **{status: reason.name for status, reason in STOPPED.items()},
}


@click.command(cls=options.Command, epilog=f"{SYNTAX}\n{example('gpaplan grow gripper 1..6 -o grown.gpa.json')}")
@source_argument
@options.output_option("the automaton")
@option("--update", conventions.INPUT, "Start from the automaton in this file.")
@option(
    "--validate held_out",
    conventions.INPUT_NAME,
    "Try the result on these problems too: ranges in quotes, or a file. May be repeated.",
    multiple=True,
    metavar="RANGES|FILE",
)
@option("--patience", options.COUNT, "End when N problems in a row needed nothing new.", PATIENCE)
@option(
    "--examples",
    ["optimal", "safe"],
    "What a problem teaches: an optimal policy, or all actions that are safe (then prune the result).",
    "optimal",
)
@option(
    "--abstraction",
    ["auto", "canonical", "concepts"],
    "What the automaton sees: the roles of objects, rules over derived features, or roles first, and rules where "
    "these prune too little or never suffice.",
    "auto",
)
@options.learning_options
@click.option("--explain", is_flag=True, help="Show for each problem that was not covered yet why, with a state.")
@solving_options
@options.relevance_option
@options.json_option
def command(
    source: tuple[str, ...],
    output: Path,
    update: Path | None,
    held_out: tuple[str, ...],
    patience: int,
    examples: Examples,
    abstraction: str,
    ties: Ties,
    features: dict[str, Any],
    explain: bool,
    solving: Solving,
    relevance: bool | None,
    as_json: bool,
) -> int:
    """Grow an automaton: learn only from the problems on which the automaton so far fails.

    Problems are taken in ascending order of size. Each is solved with the automaton and, within the budget, without;
    if the automaton leaves no proper policy, or a dearer one, the problem is learned from. The file is written whenever
    something was learned; a limit or an interrupt leaves what was learned so far.
    """
    started = time.perf_counter()
    old = None if update is None else inputs.load_automaton(update)
    kind = chosen_kind(abstraction, features, None, old)
    if update is not None and kind == "concepts":
        raise UsageError("rules are not grown from an automaton: leave --update out, and merge what was learned")
    roles = inputs.chosen_abstraction(old, update, features)
    problems = Source(source, solving.settings.space.cost, inputs.relevance_for(relevance, old))
    instances = problems.instances(solving.limits())
    checks = problems.more(held_out, solving.limits())
    inputs.compare_costs(update, old, instances[0].costs.mode)
    done = [0]
    show = conventions.progress_line(lambda spent: f"{done[0]} of at most {len(instances)} problems, {spent:.1f} s")
    solving.progress = None if show is None else lambda _: show()

    def on_step(step: Step, automaton: PolicyAutomaton) -> None:
        if step.learned and not conventions.output_is_taken():
            automaton.write(output)
        done[0] += 1

    how: dict[str, Any] = {"ties": ties, "examples": examples, "patience": patience, "solving": solving}
    growth = grow(instances, automaton=old, abstraction=roles, **how, on_step=on_step)
    other = None
    if kind != "canonical" and not solving.out_of_time:
        must, progress = kind == "concepts", conventions.show_progress
        other = rules_after_growth(growth, checks, solving, must=must, progress=progress)
    learned = growth.automaton if other is None else other.automaton
    learned.write(output)
    rows = validate(checks, learned, solving=solving) if not solving.out_of_time else []
    sufficed = bool(rows) and all(row.sufficed for row in rows)
    hint = growth.hint if examples == "optimal" and other is None and not sufficed else None
    conventions.clear_progress()
    seconds = {"grow": growth.seconds, "total": time.perf_counter() - started}
    record = {
        "status": solving.stopped_by or "ok",
        "cost_mode": instances[0].costs.mode,
        **growth.to_json(),
        **{part: learned.sizes[part] for part in ("vertices", "edges")},
        "validation": [row.to_json() for row in rows],
        "hint": hint,
        "abstraction": learned.kind,
        "rules": None,
        "seconds": seconds,
        "output": str(output),
    }
    choice = None if other is None else other.choice
    if other is not None and choice is not None and other.rules is not None:
        learning = other.rules.to_json()
        record["rules"] = {"learning": learning, **choice.to_json(), "taken": choice.taken == "concepts"}
    title = f"{growth.automaton.domain_name}: grown on {counted(len(growth.steps), 'problem')}"
    needed = [not step.needed_nothing for step in reversed(growth.steps)]
    in_a_row = needed.index(True) if True in needed else len(needed)
    size = f"{learned.size_words}, learned from {len(growth.training)} of {len(growth.steps)} problems"
    ended = _ENDS.get(growth.stopped_by, f"{in_a_row} problems in a row needed nothing new")
    table = [(step.instance.name, _describe_step(step)) for step in growth.steps]
    table += [("ended", f"{growth.stopped_by}: {ended}"), ("costs", str(instances[0].costs))]
    if other is not None and choice is not None:
        table += [*(rule_rows(other) if choice.taken == "concepts" else ()), *choice_rows(choice)]
    table += [
        (learned.noun, size),
        ("time", f"growing {seconds['grow']:.3f} s, total {seconds['total']:.3f} s"),
        ("written to", str(output)),
    ]
    conventions.answer(as_json, record, title, table if hint is None else [*table, ("hint", hint)])
    if not as_json:
        if rows:
            title = f"validation: {sum(row.sufficed for row in rows)} of {len(rows)} solved without fallback"
            conventions.print_rows(title, [(row.instance.name, _describe_validation(row)) for row in rows])
        treated: list[TriedProblem] = [*(growth.steps if explain else ()), *rows]
        for each in treated:
            if each.counterexample is not None:
                conventions.echo(str(each.counterexample), err=conventions.output_is_taken())
    return conventions.EXIT_CODES.get(record["status"], 0)


def _describe_step(step: Step) -> str:
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
