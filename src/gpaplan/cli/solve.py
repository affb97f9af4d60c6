"""``gpaplan solve``: find a policy."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpaplan import interrupts
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.filters import Match, RelaxedMatch, TransitionFilter
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.conventions import Row
from gpaplan.cli.options import flag, option
from gpaplan.display import Shown, plain
from gpaplan.errors import STOPPED, LimitError, UsageError
from gpaplan.files import STDIN, alone_with
from gpaplan.limits import AnyLimits, Limits
from gpaplan.policies.policy import Policy
from gpaplan.settings import changed
from gpaplan.solving.run import Progress, SoFar, solve_with
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Matching, Solution
from gpaplan.spaces.state_space import SpaceSettings
from gpaplan.statuses import Guarantee, Status

if TYPE_CHECKING:
    from gpaplan.learning.counterexamples import Counterexample
    from gpaplan.learning.teaching import Teacher


@options.command(
    "gpaplan solve domain.ppddl gripper-3.ppddl -o policy.json",
    "gpaplan solve domain.ppddl gripper-9.ppddl --gpa gripper.gpa.json",
)
def command(
    output: Path | None = options.output_option("the policy, as JSON,", required=False),
    gpa_file: Path | None = option(
        "--gpa", conventions.INPUT, "Solve under this automaton first, and without it only if that does not suffice."
    ),
    limits: Limits = options.limits_options,
    files: inputs.TaskFiles = inputs.task_arguments,
    settings: RunSettings = inputs.run_options,
    explain: bool = flag("--explain", "Say where and why the automaton of --gpa did not suffice."),
    learn: bool = flag(
        "--learn", "If the automaton of --gpa does not suffice, add what is found without it to its file."
    ),
    teacher: Teacher | None = inputs.teach_options,
    unfold: bool = flag(
        "--unfold",
        "Write the policy on the states themselves, even if these are more than 10,000; by default it is then written "
        "up to the symmetry found.",
    ),
    progress_as: str = option(
        "--progress",
        ["line", "json"],
        "How to show on standard error how far it is: a line where somebody looks at it, or a JSON object a line, "
        "whenever the cost or the bound has improved.",
        "line",
    ),
) -> int:
    """Find a policy that reaches the goal at the least expected cost.

    The policy is checked before it is reported: 'value' is its exact expected cost, 'guarantee' what is proven of it.
    """
    started, stop = time.perf_counter(), limits.start()
    if unfold and output is None:
        raise UsageError("--unfold says how a policy is written: give --output FILE")
    automaton = _automaton(gpa_file, settings, explain, learn)
    task = files.ground(limits=stop, automaton=automaton)
    inputs.compare_costs(gpa_file, automaton, task.cost)
    left = None if limits.seconds is None else limits.seconds - (time.perf_counter() - started)
    if left is not None and left <= 0:
        raise LimitError("the search", "time")
    standing = inputs.standing_of(automaton, task)
    progress = _json_lines() if progress_as == "json" else None
    settings = replace(settings, limits=replace(limits, seconds=left))
    teacher = inputs.teacher_without(gpa_file, teacher)
    solution = solve_with(task, settings, automaton, progress=progress, teacher=teacher)
    explanation = None
    if explain and automaton is not None:
        rest = None if left is None else max(1e-3, left - solution.seconds["total"])
        explanation = explain_automaton(automaton, solution, settings.space, replace(limits, seconds=rest))
    written = None if output is None else _write(solution, output, unfold, limits, started)
    learned = _learn(gpa_file, solution) if learn and gpa_file is not None else None
    seconds = {**files.seconds, **solution.seconds}
    del seconds["total"]
    seconds["total"] = time.perf_counter() - started  # of all, and behind them
    record = solution.to_json()
    use = {"fallback": record.pop("fallback"), "matching": record.pop("matching")}
    certificate = None if standing is None else standing._asdict()
    use |= {"file": str(gpa_file), "learned": learned, "explanation": explanation, "certificate": certificate}
    gpa = None if automaton is None else use
    record |= {"domain": task.domain.name, "problem": task.problem.name, "gpa": gpa, **task.count_dropped()}
    record |= {"output": None if output is None else str(output), "seconds": seconds}
    record["unfolded"] = None if written is None else written.symmetry is None
    record["taught"] = taught = None if teacher is None or teacher.learned is None else teacher.words
    kind = "" if written is None else f", on {len(written):,} states{conventions.up_to(written.symmetry)}"
    rows = [
        ("certificate", None if standing is None else conventions.wrapped(standing.words)),
        *_rows(solution, automaton, seconds, learned),
        ("learned", taught),
        ("written to", f"{output}{kind if solution.symmetry else ''}" if output else None),
    ]
    code = conventions.answer(record, f"{task.domain.name} / {task.problem.name}", rows)
    if explanation is not None and not conventions.wants_json():
        conventions.echo(str(explanation), err=conventions.output_is_taken())
    return code


def _automaton(file: Path | None, settings: RunSettings, explain: bool, learn: bool) -> TransitionFilter | None:
    """What --gpa gives; it must be there, and be of the right kind, if another option is about it."""
    asked = {"learn": learn, "explain": explain}
    needy = [name for name in (*asked, "fallback", "match") if asked.get(name) or name in changed(settings)]
    if file is None and needy:
        raise UsageError(f"--{needy[0]} needs an automaton: give --gpa FILE")
    if learn and str(file) == STDIN:
        raise UsageError("--learn adds to the automaton's file: give --gpa a file, not standard input")
    automaton = inputs.load_automaton(file)
    if learn and automaton is not None and automaton.sizes["rules"]:
        raise UsageError(f"--learn adds edges to an automaton, and '{file}' holds a {automaton.noun}: leave it out")
    return automaton


def _write(solution: Solution, output: Path, unfold: bool, limits: Limits, started: float) -> Policy:
    """Write the policy. Unless it is asked for, unfolding it must end within the limits."""
    left = None if limits.seconds is None else max(limits.seconds - (time.perf_counter() - started), 0.05)
    within = Limits(None if unfold else left, limits.megabytes)
    return solution.policy.write(output, unfold=True if unfold else None, limits=within)


def _learn(file: Path, solution: Solution) -> int:
    """Add what was found without the automaton to its file; returns how many edges are new or have new targets.

    The file is read again, so that what others have added is kept, and others wait until it is written.
    """
    if not solution.fallback or not solution.solves or solution.status != Status.SOLVED:
        return 0
    from gpaplan.learning.loop import learn

    with alone_with(file):
        before = PolicyAutomaton.read(file)
        after = learn(solution.space.task.domain, [solution], automaton=before)
        after.write(file)
    return after.count_new(before)


def _json_lines() -> Progress:
    """What writes how far the search is, a JSON object a line, whenever the cost or the bound has improved."""
    started = time.perf_counter()
    known: list[tuple[float, float]] = []

    def progress(so_far: SoFar) -> None:
        value, bound = so_far.value, so_far.lower_bound
        if known != [(value, bound)]:
            known[:] = [(value, bound)]
            line = {
                "seconds": time.perf_counter() - started,
                "value": value,
                "lower_bound": bound,
                "gap": value - bound,
            }
            click.echo(json.dumps(plain({**line, "expanded": so_far.space.core.expanded_count})), err=True)

    return progress


def _distance(solution: Solution) -> str:
    """How far from the optimum the policy may be, in words."""
    if solution.gap is None:
        return ""
    if solution.guarantee == Guarantee.OPTIMAL:
        return f"  (gap {solution.gap:.2g})"
    if not solution.lower_bound:
        return ""
    return f"  (at most {100 * solution.gap / solution.lower_bound:.3g} % above the optimum)"


def _rows(
    solution: Solution, automaton: TransitionFilter | None, seconds: dict[str, float], learned: int | None
) -> list[Row]:
    known, reason = solution.goal_probability, solution.reason
    rows: list[Row] = [("status", solution.status)]
    if reason is not None:
        rows.append(("reason", conventions.wrapped(str(reason))))
    if solution.closed:
        most = "not known" if solution.upper_bound is None else f"at most {solution.upper_bound:.6f}"
        unknown = f"{most}: proper by certificate; --effort proven searches for it"
        rows.append(("expected cost", unknown if math.isnan(solution.value) else f"{solution.value:.6f}"))
        rows.append(
            ("goal probability", "1" if solution.proper else f"{known:.6f}" if known is not None else "unknown")
        )
    elif solution.status == Status.NO_PROPER_POLICY:
        rows.append(("policy", "none was found"))
    else:
        rows.append(("policy", "not closed: it leads to states where it is undefined"))
        rows.append(("goal probability", "unknown" if known is None else f"{known:.6f} before it gets there"))
    rows += [
        ("guarantee", f"{solution.guarantee}{_distance(solution)}"),
        ("lower bound", f"{solution.lower_bound:.6f}, from {solution.bound_by}"),
        conventions.costs_row(solution.space.task),
        ("solver", solution.solver + (f", heuristic {solution.heuristic}" if solution.heuristic else "")),
        ("heuristic", solution.heuristic_choice),
        ("policy", f"found by {solution.policy_by}" if solution.policy_by != "the search itself" else None),
        (
            "states",
            f"{solution.expanded:,} expanded of {solution.generated:,}"
            + (f"; {solution.policy_states:,} in the policy" if solution.policy_states is not None else "")
            + (", up to symmetry" if solution.symmetry else ""),
        ),
        *conventions.dropped_rows(solution.space.task),
        ("time", ", ".join(f"{name} {value:.3f} s" for name, value in seconds.items())),
    ]
    if solution.symmetry or solution.symmetry_mode == "on":
        rows.append(("symmetry", conventions.show_symmetry(solution.symmetry)))
    if automaton is not None and solution.matching is not None:
        rows.append(("automaton", conventions.wrapped(automaton_verdict(automaton, solution, solution.matching))))
    if learned is not None:
        rows.append(("learned", f"{learned} edges" if learned else "nothing"))
    rows.append(("next", conventions.wrapped(_next(solution))))
    return rows


def _next(solution: Solution) -> str:
    """What to do where there is no policy that is known to reach the goal; nothing where there is one."""
    if solution.reason is not None and solution.goal_probability == 0:
        return "see what is never true, and why: 'gpaplan check DOMAIN PROBLEM --states'"
    if solution.reason is not None:
        return solution.reason.advice
    more = "give it more time (--time-limit, --memory-limit), or let it decide without a policy"
    return "" if solution.closed else f"{more}: 'gpaplan simulate DOMAIN PROBLEM --online'"


# --- how the automaton did ---


@dataclass(frozen=True, slots=True)
class AutomatonExplanation(Shown):
    """Whether an automaton sufficed, and a state that shows why not, if one was found."""

    sufficed: bool | None
    """None if a limit came before that was known."""
    text: str
    counterexample: Counterexample | None = None

    def __str__(self) -> str:
        details = "" if self.counterexample is None else f"\n{self.counterexample}"
        return conventions.wrapped(self.text) + details


def explain_automaton(
    automaton: TransitionFilter, solution: Solution, settings: SpaceSettings, limits: AnyLimits
) -> AutomatonExplanation:
    """Where and why an automaton did not suffice for what was solved with it, or that it did."""
    from gpaplan.learning.counterexamples import find_counterexample

    matching = solution.matching
    if solution.fallback and matching is not None and matching.overtaken:
        return AutomatonExplanation(None, "The whole problem was solved before it was known if the automaton suffices.")
    if _is_cut_short(solution):
        stopped = f"{STOPPED[solution.status].name} came before it was known whether the automaton suffices."
        return AutomatonExplanation(None, stopped[0].upper() + stopped[1:])
    if not solution.fallback and solution.solves:
        how = (
            "reaches the goal with probability one"
            if solution.proper
            else "gives up only where the goal is out of reach"
        )
        words = [] if matching is None else [level_words(automaton, matching), matching_words(automaton, matching)]
        relaxed = "".join(f" {each[0].upper()}{each[1:]}." for each in words if each)
        return AutomatonExplanation(True, f"The automaton sufficed: a policy on its edges {how}.{relaxed}")
    without = solution if solution.fallback and solution.solves else None
    task = solution.space.task
    match: Match = "strict" if matching is None or matching.match == "strict" else "coarse"
    level = 0 if matching is None else matching.level
    try:
        found = find_counterexample(
            automaton, task, without, settings, failed=True, match=match, level=level, limits=limits
        )
    except (LimitError, KeyboardInterrupt) as error:
        interrupts.taken()
        end = str(error) or "looking for the reason was interrupted"
        return AutomatonExplanation(False, f"The automaton did not suffice; why is not known: {end}.")
    if found is None:
        return AutomatonExplanation(False, "The automaton did not suffice; why was not found.")
    return AutomatonExplanation(False, found.sentence, found)


def _is_cut_short(solution: Solution) -> bool:
    """Whether a limit came before it was known if the automaton suffices."""
    return solution.status in STOPPED and (not solution.fallback or "constrained" not in solution.seconds)


def automaton_verdict(automaton: TransitionFilter, solution: Solution, matching: Matching) -> str:
    """What the answer says of the automaton in a line."""
    if matching.overtaken:
        return "gave way: the whole problem was solved first"
    if _is_cut_short(solution) and (solution.fallback or not solution.solves):
        return f"was tried, and {STOPPED[solution.status].name} came before it was known whether it suffices"
    level, relaxed = level_words(automaton, matching), matching_words(automaton, matching)
    if solution.fallback or not solution.solves:
        even = f", even when {level}" if level else ""
        return f"did not suffice{even}" + (": solved without it" if solution.solves else "")
    when = f" when {level}" if level else ""
    return f"sufficed{when}" + (f"; {relaxed}" if relaxed else "")


def level_words(automaton: TransitionFilter, matching: Matching) -> str:
    """How coarsely an automaton was used as a whole; nothing if states were at first compared exactly."""
    if matching.level == 0:
        return ""
    return f"every state was compared {_matches(automaton, matching)[0].words}"


def matching_words(automaton: TransitionFilter, matching: Matching) -> str:
    """How many states were matched by another match than the one that is tried first, and how many by none."""
    _, *others = _matches(automaton, matching)
    found = [(matching.states.get(each.name, 0), each.words) for each in others]
    found.append((matching.states.get("none", 0), "at no level"))
    said = [f"{count:,} {words}" for count, words in found if count]
    listed = "; and ".join(filter(None, ["; ".join(said[:-1]), *said[-1:]]))
    return f"of {sum(matching.states.values()):,} states it matched {listed}" if said else ""


def _matches(automaton: TransitionFilter, matching: Matching) -> tuple[RelaxedMatch, ...]:
    """The relaxed matches, in the order in which they were tried."""
    return automaton.levels(matching.match)[matching.level]
