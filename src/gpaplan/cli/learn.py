"""``gpaplan learn``: an automaton from small problems, or from small ones that are made out of a large one."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpaplan.automata.filters import TransitionFilter
from gpaplan.automata.rules import RuleFilter
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import training_options
from gpaplan.cli.options import argument, flag, option
from gpaplan.display import counted
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import ACTING_STATES, RULE_SECONDS
from gpaplan.learning.edges import Ties
from gpaplan.learning.loop import Choice, Learning, learn_problems
from gpaplan.learning.solving import TRAINING
from gpaplan.limits import Limits
from gpaplan.ppddl import parse_domain
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.learning.validation import ProblemScore

QUESTIONS = 1_000
"""That Z3 is asked at most by --certify (docs/decisions/0049)."""


@options.command("gpaplan learn domain.ppddl gripper-2.ppddl gripper-3.ppddl -o gripper.gpa.json")
def command(
    domain_file: Path = argument("DOMAIN"),
    problem_files: tuple[Path, ...] = argument("PROBLEM...", nargs=-1, required=True),
    output: Path = options.output_option("the automaton"),
    update: Path | None = option("--update", conventions.INPUT, "Add to the automaton in this file."),
    abstraction: str = option(
        "--abstraction",
        ["auto", "canonical", "concepts"],
        "What the automaton sees: the roles of objects, rules over derived features, or what does better on the "
        "problems of --validate; without any, on the largest PROBLEM, or on problems that are made.",
        "auto",
    ),
    validation_files: tuple[Path, ...] = option(
        "--validate",
        conventions.INPUT,
        "Try what was learned on this problem, and choose by the outcome. May be repeated.",
        multiple=True,
        metavar="PROBLEM",
    ),
    rules_file: Path | None = option("--rules", conventions.INPUT, "Use the rules in this file instead of learning."),
    start_file: Path | None = option(
        "--start", conventions.INPUT, "Begin with the rules in this file, and learn better ones."
    ),
    budget: float = option(
        "--budget",
        options.POSITIVE,
        "Work for learning rules, as much as takes about so long; then the best so far are kept.",
        RULE_SECONDS,
        metavar="SECONDS",
    ),
    is_to_certify: bool = flag("--certify", "Try to prove rules for every size, as 'certify' does."),
    ties: Ties = options.ties_option,
    features: dict[str, Any] = options.features_options,
    settings: RunSettings = training_options(TRAINING),
    relevance: bool | None = options.relevance_option,
    jobs: int | None = option("--jobs", options.COUNT, "Solve this many problems at once.  [default: all cores]"),
    limits: Limits = options.limits_options,
) -> int:
    """Learn an automaton from small problems, or out of one that is too large.

    Small problems are solved; the time limit is that of one problem. Out of a PROBLEM that is too large smaller ones
    are made and learned from ('gpaplan shrink' shows such problems). The automaton does not depend on the names or
    number of objects: use it to solve larger problems of the domain ('gpaplan solve --gpa FILE'), or to act in them
    ('gpaplan simulate --gpa FILE'). Of three small problems or more, larger ones are made to try it on.

    First it sees the roles of objects (canonical abstraction). What was learned is tried on problems that are held out,
    in searches and in acting; where roles prune too little or do not carry, rules over derived features are learned,
    and the better of both is taken. What acts worse than no automaton at all is shown, and not written.
    """
    from gpaplan.learning.rules.recording import recorded_rules

    started = time.perf_counter()
    old = inputs.load_automaton(update)
    kind = _chosen_kind(abstraction, features, rules_file, start_file, old)
    start = None if start_file is None else inputs.load_rules(start_file, parse_domain(domain_file))
    ground: Any = {"cost": settings.space.cost, "limits": limits, "automaton": old or start, "relevance": relevance}
    every = inputs.ground_all(domain_file, (*problem_files, *validation_files), **ground)
    tasks, validation = every[: len(problem_files)], every[len(problem_files) :]
    inputs.compare_costs(update, old, tasks[0].cost)
    if rules_file is not None:
        domain = tasks[-1].domain
        (given,) = inputs.load_rules(rules_file, domain).lists
        learned = recorded_rules(domain, given, tasks, note=f"written by hand: {rules_file.name}")
        found = Learning(learned if old is None else old.merge(learned))
    else:
        found = learn_problems(
            tasks,
            validation,
            abstraction=inputs.chosen_abstraction(old, update, features) if kind == "canonical" else kind,
            ties=ties,
            automaton=old,
            settings=replace(settings, limits=limits),
            seconds=budget,
            jobs=jobs or os.cpu_count() or 1,
            start=None if start is None else start.lists[0],
        )
    is_kept, proof = kind != "auto" or found.is_worth_having, ""
    if is_kept and is_to_certify:
        proven, proof = _certified(found.automaton, [*tasks, *(each.task for each in found.made)], limits)
        found = replace(found, automaton=proven)
    if is_kept:
        found.automaton.write(output)
    outlook = _outlook_rows(found) if rules_file is None else []
    return _answer(found, tasks, time.perf_counter() - started, str(output) if is_kept else "", proof, outlook)


def _answer(
    found: Learning,
    tasks: Sequence[GroundTask],
    total: float,
    written: str,
    proof: str,
    outlook: list[tuple[str, str]],
) -> int:
    """Say what was learned, and whether a file was written; returns the exit code."""
    seconds = {"solve": found.solving_seconds, "learn": total - found.solving_seconds, "total": total}
    record = {"status": "ok" if written else "not-written", "cost_mode": tasks[0].cost, **_record(found)}
    table = [
        *_rows(found),
        *[("left out", f"{name}: no policy reaches the goal with probability one") for name in found.left_out],
        conventions.costs_row(tasks[0]),
        (found.automaton.noun, found.automaton.size_words),
        ("time", f"solving {seconds['solve']:.3f} s, learning {seconds['learn']:.3f} s"),
        ("written to", written or "no file, since acting is worse with it than without"),
        ("certified" if found.automaton.certificate else "no proof", proof),
        *outlook,
    ]
    title = f"{found.automaton.domain_name}: learned from {counted(len(tasks) - len(found.left_out), 'problem')}"
    return conventions.answer({**record, "seconds": seconds, "output": written or None}, title, table)


def _chosen_kind(
    abstraction: str,
    features: dict[str, Any],
    taken: Path | None,
    begun_with: Path | None,
    old: TransitionFilter | None,
) -> str:
    """What is learned: ``canonical``, ``concepts``, or ``auto``; rules are given to be taken, or to begin with."""
    if taken is not None and begun_with is not None:
        raise UsageError("--rules takes rules as they are, --start begins with them: give one of the two")
    rules_file = taken or begun_with
    if rules_file is not None and (features or abstraction == "canonical"):
        raise UsageError("rules are no canonical abstraction: leave --rules and --start out, or its options")
    if rules_file is not None or abstraction == "concepts":
        if features:
            raise UsageError(f"{inputs.spelled(features)} belong to canonical abstraction; with rules, leave them out")
        return "concepts"
    if old is not None:
        return "concepts" if old.kind == "concepts" else "canonical"
    return "canonical" if features else abstraction


def _record(found: Learning) -> dict[str, Any]:
    """What was learned, from what, and how it was chosen."""
    record: dict[str, Any] = {"abstraction": found.automaton.kind, **found.automaton.sizes}
    if found.automaton.kind == "concepts":
        record["training"] = [each._asdict() for each in found.automaton.training]
        record |= {} if found.rules is None else {"learning": found.rules.to_json()}
    else:
        record["training"] = [_solved(each) for each in found.solutions]
    record |= {} if found.choice is None else {"validation": found.choice.to_json()}
    return record | {
        "made": [{"problem": each.problem.name, "states": each.states, "cost": each.cost} for each in found.made],
        "dropped": found.dropped,
        "left_out": list(found.left_out),
        "checked": found.checked or None,
        "certificate": found.automaton.certificate and found.automaton.certificate["choice"],
        "unknown": found.unknown,
        "next": found.next_step,
    }


def _solved(solution: Solution) -> dict[str, Any]:
    return {
        "problem": solution.space.task.problem.name,
        "value": solution.value,
        "states": solution.policy_states,
        "symmetry": solution.symmetry is not None,
        "seconds": solution.seconds["total"],
    }


def _rows(found: Learning) -> list[tuple[str, str]]:
    """The same for people."""
    verdicts = [] if found.choice is None else _choice_rows(found.choice)
    if isinstance(found.automaton, RuleFilter):
        rules = [(each.name, str(each.rule)) for each in found.automaton.named()]
        return [*rules, *([] if found.rules is None else [("", found.rules.note)]), *verdicts]
    solved = map(_solved, found.solutions)
    return [(row["problem"], f"expected cost {row['value']:.6f}, {row['seconds']:.3f} s") for row in solved] + verdicts


def _certified(rules: TransitionFilter, tasks: Sequence[GroundTask], limits: Limits) -> tuple[TransitionFilter, str]:
    """The same with a certificate, if one is found by a few questions to Z3, and what is proven; or why not."""
    from gpaplan.cli.certify import need_z3, small_ones
    from gpaplan.proofs.certificates import certify

    need_z3()
    if not isinstance(rules, RuleFilter):
        return rules, "roles were learned, and only rules can be proven (--abstraction concepts)"
    domain = tasks[0].domain
    problems = small_ones(domain, [each.problem for each in tasks])
    try:
        proven = certify(rules, domain, problems, questions=QUESTIONS, limits=limits)
    except (LimitError, UsageError) as error:
        return rules, str(error)
    return proven, proven.certificate["claim"] if proven.certificate else ""


def _choice_rows(choice: Choice) -> list[tuple[str, str]]:
    """How automata of roles and of rules do, and which was taken."""
    more = f", and {counted(choice.joined, 'larger problem')} joined of those given" * bool(choice.joined)
    rows = [("held out", f"{choice.held_out}{more}, to choose by")] if choice.held_out else []
    rows += [(name, score.words) for name, score in choice.scores.items()]
    if choice.refusal:
        rows.append(("concepts", f"none were learned: {choice.refusal}"))
    return [*rows, ("taken", choice.taken)] if choice.other is not None else rows


def _outlook_rows(found: Learning) -> list[tuple[str, str]]:
    """On what it was tried, by size, what is not known of it, and what to do next."""
    rows = []
    if found.made:
        states = sorted(each.states for each in found.made)
        sizes = f"{states[0]:,} to {states[-1]:,} states, in {counted(found.rounds, 'round')}"
        more = f"; {found.dropped} more were not needed" if found.dropped else ""
        rows.append(("made", f"{counted(len(states), 'small problem')} of {sizes}, to learn from{more}"))
    tried = [] if found.choice is None else sorted(found.choice.score.rows, key=lambda row: row.objects)
    parts = tried[: len(tried) // 2], tried[len(tried) // 2 : -1], tried[-1:]
    rows += [("tried on", _tried(part)) for part in parts if part]
    if found.choice is not None and rows:
        kept = f"{1 - found.choice.score.searched:.0%} of them kept to the automaton"
        rows.append(("", f"(a decision looked at {ACTING_STATES} states there, and {kept})"))
    if found.checked:
        alike = found.checked.replace("like these", "like those learned from")
        rows.append(("checked", f"the goal is reached with probability one, under random choice, on {alike}"))
    rows += [("not known", text) for text in found.unknown]
    return [*rows, ("next", found.next_step)]


def _tried(rows: Sequence[ProblemScore]) -> str:
    """How acting went on problems of about one size."""
    what = rows[0].problem if len(rows) == 1 else counted(len(rows), "problem")
    sizes = sorted({row.objects for row in rows})
    size = f"{sizes[0]} objects" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} objects"
    trials, reached = sum(row.acted.trials for row in rows), sum(row.acted.reached for row in rows)
    bare = sum(row.acted_without.reached for row in rows)
    text = f"{what}, {size}: acting reaches the goal in {reached} of {counted(trials, 'trial')} ({bare} without it)"
    if any(row.best is None for row in rows):
        return text
    ratio = sum(row.ratio for row in rows) / len(rows)
    cost = f", cost {rows[0].acted.cost:.2f}," if len(rows) == 1 else ""
    return f"{text}{cost} at {max(1.0, ratio):.2f} times the least known cost"
