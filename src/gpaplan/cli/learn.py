"""``gpaplan learn``: an automaton from small problems."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import conventions, inputs, options, progress_line, streams, tables
from gpaplan.cli.guidance import example
from gpaplan.cli.rules import LearnedRules, judged, learn_rules_from, rules_from_file
from gpaplan.cli.settings import training_options
from gpaplan.display import counted
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.choosing import MANY, better
from gpaplan.learning.learn import Ties, learn
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.limits import Limits
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.tasks.costs import check_same_costs
from gpaplan.tasks.task import GroundTask


@click.command(
    cls=options.Command,
    epilog=example(
        "gpaplan learn domain.ppddl gripper-2.ppddl gripper-3.ppddl -o gripper.gpa.json",
    ),
)
@click.argument("domain_file", metavar="DOMAIN", type=streams.INPUT)
@click.argument("problem_files", metavar="PROBLEM...", type=streams.INPUT, nargs=-1, required=True)
@options.output_option("the automaton")
@click.option("--update", type=streams.INPUT, metavar="FILE", help="Add to the automaton in this file.")
@click.option(
    "--abstraction",
    type=click.Choice(["auto", "canonical", "concepts"]),
    default="auto",
    show_default=True,
    help="What the automaton sees: the roles of objects, rules over derived features, or what does better on the "
    "problems of --validate; without any, on the largest PROBLEM.",
)
@click.option(
    "--validate",
    "validation_files",
    type=streams.INPUT,
    multiple=True,
    metavar="PROBLEM",
    help="Try what was learned on this problem, and choose by the outcome. May be repeated.",
)
@click.option(
    "--rules", "rules_file", type=streams.INPUT, metavar="FILE", help="Use the rules in this file instead of learning."
)
@click.option(
    "--budget",
    type=options.POSITIVE,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for learning rules; then the best so far are kept.",
)
@options.learning_options
@training_options(TRAINING)
@options.relevance_option
@click.option("--jobs", type=options.COUNT, metavar="N", help="Solve this many problems at once.  [default: all cores]")
@options.limits_options
@options.json_option
def command(
    domain_file: Path,
    problem_files: tuple[Path, ...],
    output: Path,
    update: Path | None,
    abstraction: str,
    validation_files: tuple[Path, ...],
    rules_file: Path | None,
    budget: float,
    ties: Ties,
    features: dict[str, Any],
    settings: RunSettings,
    relevance: bool | None,
    jobs: int | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Learn an automaton from small problems.

    Each PROBLEM is solved on its own; the time limit is that of one problem. The automaton does not depend on the names
    or number of objects: use it to solve larger problems of the domain ('gpaplan solve --gpa FILE'), or to act in them
    ('gpaplan simulate --gpa FILE').

    By default it sees the roles of objects (canonical abstraction). On maps and in towers all objects play one role;
    there, rules over derived features say more: '--abstraction concepts', or give larger problems, here or with
    --validate, and both are tried where that is needed.
    """
    started = time.perf_counter()
    old = None if update is None else inputs.load_automaton(update)
    seen = chosen_kind(abstraction, features, rules_file, old)
    settings = replace(settings, limits=limits)

    def grounded(paths: tuple[Path, ...]) -> list[GroundTask]:
        files = [inputs.TaskFiles(domain_file, path, None, relevance) for path in paths]
        return [each.ground(settings.space.cost, limits=limits, automaton=old) for each in files]

    tasks, validation = grounded(problem_files), grounded(validation_files)
    check_same_costs((task.problem.name, task.cost) for task in (*tasks, *validation))
    inputs.compare_costs(update, old, tasks[0].cost)
    work = _Work(tasks, validation, old, update, settings, ties, features, jobs, budget, limits)
    found = work.rules(rules_file) if seen == "concepts" else work.chosen(may_change=seen == "auto")
    found.automaton.write(output)
    automaton = found.automaton
    ended = time.perf_counter()
    record = {
        "status": "ok",
        "cost_mode": tasks[0].cost,
        "abstraction": automaton.abstraction.name,
        "vertices": len(automaton.vertices),
        "edges": len(automaton.edges),
        **found.record,
    }
    seconds = {"solve": work.solving, "learn": ended - started - work.solving, "total": ended - started}
    table = [*found.rows, tables.costs_row(tasks[0])]
    table.append(("automaton", f"{len(automaton.vertices)} vertices, {len(automaton.edges)} edges"))
    table.append(("time", f"solving {seconds['solve']:.3f} s, learning {seconds['learn']:.3f} s"))
    table.append(("written to", str(output)))
    title = f"{automaton.domain_name}: learned from {counted(len(tasks), 'problem')}"
    conventions.answer(as_json, {**record, "seconds": seconds, "output": str(output)}, title, table)


def chosen_kind(
    abstraction: str, features: dict[str, Any], rules_file: Path | None, old: PolicyAutomaton | None
) -> str:
    """What is learned: ``canonical``, ``concepts``, or ``auto``."""
    if rules_file is not None and (features or abstraction == "canonical"):
        raise UsageError("rules are no canonical abstraction: leave --rules out, or its options")
    if rules_file is not None or abstraction == "concepts":
        if features:
            given = options.spelled(features)
            raise UsageError(f"{given} belong to canonical abstraction; with rules, leave them out")
        return "concepts"
    if old is not None:
        return "concepts" if old.abstraction.name == "concepts" else "canonical"
    return "canonical" if features else abstraction


@dataclass
class _Work:
    """What there is to learn from, and how."""

    tasks: list[GroundTask]
    validation: list[GroundTask]
    old: PolicyAutomaton | None
    update: Path | None
    settings: RunSettings
    ties: Ties
    features: dict[str, Any]
    jobs: int | None
    budget: float
    limits: Limits
    solving: float = 0.0
    solutions: list[Solution] = field(default_factory=list)

    def chosen(self, *, may_change: bool) -> LearnedRules:
        """The canonical automaton; or rules, if that may be and they do better on the validation problems.

        If there are none, the largest problem is held out, where that is worth while: both are learned from the others
        and compared on it. What is taken is learned from all, rules from the others and with it for validation.
        """
        found = self.canonical()
        if self.validation:
            return self._better(found, found.automaton, may_change=may_change)
        held_out = self._held_out() if may_change else None
        if held_out is None:
            return found
        others = [solution for solution in self.solutions if solution is not held_out]
        without_it = replace(
            self, tasks=[each.space.task for each in others], validation=[held_out.space.task], solutions=others
        )
        told = [("held out", f"{held_out.space.task.problem.name}, to choose by")]
        return without_it._better(found, without_it._learned(), may_change=True, least=MANY, told=told)

    def _better(
        self,
        found: LearnedRules,
        roles: PolicyAutomaton,
        *,
        may_change: bool,
        least: int = 0,
        told: Sequence[tuple[str, str]] = (),
    ) -> LearnedRules:
        """What was found; or rules, if they do better on the validation problems than an automaton of roles.

        Where each of these takes less than so many states without an automaton, there is nothing to choose. What is
        ``told`` comes before the verdicts.
        """
        plain: dict[str, tuple[int | None, float | None]] = {}
        cost = self.settings.dead_end_cost
        first = judged(roles, self.validation, plain, cost, self.limits)
        if first.is_small(least):
            return found
        verdicts = [*told, ("canonical", first.words)]
        found.record["validation"] = {"canonical": first.to_json()}
        if first.suffices or not may_change:
            found.rows += verdicts
            return found
        try:
            other = self.rules(None)
        except (LimitError, UsageError) as error:
            progress_line.clear_progress()
            found.rows += [*verdicts, ("concepts", f"none were learned: {error}")]
            return found
        second = judged(other.automaton, self.validation, plain, cost, self.limits)
        best, name = (found, "canonical") if better(first, second) else (other, "concepts")
        best.record["validation"] = {"canonical": first.to_json(), "concepts": second.to_json()}
        best.rows += [*verdicts, ("concepts", second.words), ("taken", name)]
        return best

    def _held_out(self) -> Solution | None:
        """The largest problem; None if no other has fewer objects."""
        sizes = [len(solution.space.task.objects) for solution in self.solutions]
        largest = max(self.solutions, key=lambda each: (len(each.space.task.objects), each.expanded))
        return largest if min(sizes) < max(sizes) else None

    def canonical(self) -> LearnedRules:
        """Learn the automaton of optimal policies."""
        started = time.perf_counter()
        self.solutions = _solve_all(self.tasks, self.settings, self.jobs or os.cpu_count() or 1)
        self.solving += time.perf_counter() - started
        automaton = self._learned()
        rows = [
            {
                "problem": s.space.task.problem.name,
                "value": s.value,
                "states": s.policy_states,
                "symmetry": s.symmetry is not None,
                "seconds": s.seconds["total"],
            }
            for s in self.solutions
        ]
        table = [(str(row["problem"]), f"expected cost {row['value']:.6f}, {row['seconds']:.3f} s") for row in rows]
        return LearnedRules(automaton, {"training": rows}, table)

    def _learned(self) -> PolicyAutomaton:
        """The automaton of the solutions."""
        abstraction = inputs.chosen_abstraction(self.old, self.update, self.features)
        domain = self.tasks[-1].domain
        return learn(domain, self.solutions, abstraction=abstraction, ties=self.ties, automaton=self.old)

    def rules(self, file: Path | None) -> LearnedRules:
        """Learn rules, or take them from a file."""
        if file is not None:
            found = rules_from_file(file, self.tasks)
        else:
            found = learn_rules_from(
                self.tasks,
                self.validation,
                seconds=self.budget,
                seed=self.settings.seed,
                dead_end_cost=self.settings.dead_end_cost,
                limits=self.limits,
            )
        if self.old is not None:
            found.automaton = self.old.merge(found.automaton)
        found.record.setdefault("training", [each._asdict() for each in found.automaton.training])
        return found


def _solve_all(tasks: list[GroundTask], settings: RunSettings, jobs: int) -> list[Solution]:
    solutions: list[Solution] = []
    for solution in solve_to_optimality(tasks, settings, jobs=min(jobs, len(tasks))):
        solutions.append(solution)
        filled = 30 * len(solutions) // len(tasks)
        bar = f"[{'#' * filled}{'.' * (30 - filled)}]"
        progress_line.show_progress(f"{bar} {len(solutions)} of {len(tasks)} problems solved")
    progress_line.clear_progress()
    return solutions
