"""``gpaplan prune``: what of an automaton is needed."""

from __future__ import annotations

import re
import time
from pathlib import Path

from gpaplan.automata.filters import TransitionFilter
from gpaplan.benchmarks import FAMILIES
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.options import argument, flag
from gpaplan.cli.sources import SYNTAX, Source, solving_options, source_argument
from gpaplan.data import is_ppddl
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.learning.instances import Instance, instance_of
from gpaplan.learning.pruning import Pruning, missing_training, prune
from gpaplan.learning.solving import Solving


@options.command("gpaplan prune grown.gpa.json gripper 1..6 -o pruned.gpa.json", epilog=f"{SYNTAX}\n")
def command(
    automaton_file: Path = argument("AUTOMATON"),
    source: tuple[str, ...] = source_argument,
    output: Path = options.output_option("the automaton"),
    partial: bool = flag("--partial", "Do not insist on the problems that the automaton was learned from."),
    solving: Solving = solving_options,
    relevance: bool | None = options.relevance_option,
) -> int:
    """Remove the edges of an automaton, or the rules of a list, that no problem needs.

    The problems of SOURCE, and those that the automaton was learned from, must all be solved without fallback
    afterwards as they are before, at no higher cost. Training problems of a generator are made again by their names;
    those of files must be among the PROBLEMs.
    """
    started = time.perf_counter()
    if is_ppddl(automaton_file) and not is_ppddl(Path(source[0])):  # the domain came first, as elsewhere
        automaton_file, source = Path(source[0]), (str(automaton_file), *source[1:])
    automaton = TransitionFilter.read(automaton_file)
    problems = Source(source, solving.settings.space.cost, inputs.relevance_for(relevance, automaton))
    instances = _with_training(automaton, problems, problems.instances(solving.limits()), partial)
    costs = instances[0].costs
    inputs.compare_costs(automaton_file, automaton, costs.mode)

    result = prune(instances, automaton, solving=solving)
    result.automaton.write(output)
    seconds = {"prune": result.seconds, "total": time.perf_counter() - started}
    record = {"status": solving.stopped_by or "ok", **result.to_json(), "cost_mode": costs.mode}
    record |= {f"{part}_before": automaton.sizes[part] for part in ("edges", "rules")}
    part = "rule" if automaton.sizes["rules"] else "edge"
    title = f"{automaton.domain_name}: {counted(len(result.removed), part)} removed"
    rows = [*_rows(automaton, result, seconds["total"], output), ("costs", str(costs))]
    return conventions.answer({**record, "seconds": seconds, "output": str(output)}, title, rows)


def _with_training(
    automaton: TransitionFilter, source: Source, instances: list[Instance], partial: bool
) -> list[Instance]:
    """The problems given, and before them those that the automaton was learned from."""
    missing = missing_training(automaton, instances)
    found = []
    unknown = []
    for each in missing:
        match = re.fullmatch(r"(?P<name>.+?)(?P<theta>(-\d+)+)", each.problem)
        if source.generator is not None and match is not None and match["name"] == source.generator:
            theta = [int(number) for number in match["theta"][1:].split("-")]
            found.append(instance_of(FAMILIES[source.generator], theta, relevance=source.relevance))
        else:
            unknown.append(each.problem)
    if unknown and not partial:
        raise UsageError(
            f"the automaton was learned from {', '.join(sorted(unknown))}, which is not among the problems given; "
            "add it, or say --partial to go without what it guarantees there"
        )
    return [*found, *instances]


def _rows(
    before: TransitionFilter, result: Pruning[TransitionFilter], seconds: float, output: Path
) -> list[tuple[str, str]]:
    rows = []
    for each in result.checked:
        was = f" (was {each.cost_before:.6f})" if each.dearer else ""
        states = f"{each.states:,} states (were {each.states_before:,}){', up to symmetry' if each.symmetry else ''}"
        rows.append((each.problem, f"cost {each.cost:.6f}{was}; {states}{', training' if each.training else ''}"))
    rows += [(name, "not solved by the automaton within the budget: not looked at") for name in result.unsolved]
    rows += [("before", before.size_words), ("after", result.automaton.size_words), ("time", f"{seconds:.3f} s")]
    early = f"{result.stopped_by}; what is written is valid, and may be larger than need be"
    return [*rows, ("written to", str(output)), ("ended early", early if result.stopped_by else "")]
