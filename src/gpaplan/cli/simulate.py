"""``gpaplan simulate``: trials of a policy, or of an actor that decides state by state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpaplan.acting.trials import ActingSimulation, choose_horizon, simulate_acting
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import actor_options, gpa_option
from gpaplan.cli.options import flag, option, setting
from gpaplan.display import counted
from gpaplan.errors import STOP_REASONS, LimitError
from gpaplan.learning.teaching import Teacher
from gpaplan.limits import Limits
from gpaplan.traces.trials import Simulation, TrialSettings, check_is_policy, simulate


@options.command(
    "gpaplan simulate domain.ppddl gripper-3.ppddl --policy policy.json --trials 1000",
    "gpaplan simulate domain.ppddl gripper-9.ppddl --gpa gripper.gpa.json --trace trace.json",
)
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    policy: str = option("--policy", conventions.INPUT_NAME, "The file of a policy, or 'random'.", "random"),
    gpa_file: Path | None = gpa_option,
    online: bool = flag("--online", "Look ahead where there is no policy, or it is silent; implied by --gpa."),
    trials: int = setting(TrialSettings, "trials"),
    horizon: int | None = option(
        "--horizon", options.COUNT, "End a trial after this many steps; without it, as many as the problem may take."
    ),
    jobs: int = option("--jobs", options.COUNT, "Run this many trials in parallel.", 1),
    trace_file: Path | None = options.output_option("the first trials, as JSON,", "--trace", required=False),
    trace_trials: int = option("--trace-trials", options.COUNT, "How many trials --trace writes.", 20),
    teacher: Teacher | None = inputs.teach_options,
    options: dict[str, Any] = actor_options,
    limits: Limits = options.limits_options,
) -> int:
    """Run trials of a policy and report what they cost.

    The policy 'random' draws each applicable action with equal probability. A trial that does not reach the goal within
    the horizon costs the horizon, or what it spent if that is more; one that gives up costs what it spent and the
    dead-end cost.

    With --gpa, or with --online, no policy is needed for all states: in each state the action is that of the policy
    where it is defined, else found by looking ahead from that very state, under the automaton first. --steps,
    --decision-states, --decision-work, --heuristic, --match and --symmetry say how.
    """
    check_is_policy(policy)
    stop = limits.start()
    policy_file = None if policy == "random" else Path(policy)
    task, given, automaton = files.ground_with(policy_file, gpa_file, limits=stop)
    kept = 0 if trace_file is None else trace_trials
    horizon = choose_horizon(task, stop) if horizon is None else horizon
    plan: dict[str, Any] = {"trials": trials, "horizon": horizon, "kept": kept}
    lessons: dict[str, Any] = {name: options[name] for name in ("seed", "dead_end_cost")}
    acts = gpa_file is not None or online
    teacher = inputs.teacher_without(gpa_file, teacher) if acts and given is None else None
    if teacher is not None:
        automaton = teacher.before_acting(task, **lessons, limits=stop)
    result: Simulation
    if acts:
        if given is not None and options["dead_end_cost"] is None:
            options = options | {"dead_end_cost": given.dead_end_cost}
        result = simulate_acting(task, automaton, given, **plan, **options, jobs=jobs, limits=limits)
    else:
        result = simulate(task, given or "random", **plan, **lessons, limits=stop)
    stopped_by, ran = result.stopped_by, result.trials
    if stopped_by and ran == 0:
        raise LimitError("the simulation", stopped_by)
    if trace_file is not None and result.trace is not None:
        result.trace.write(trace_file)
    rows = [("trials", f"{ran:,} of {trials:,}" if stopped_by else f"{ran:,}"), *_rows(result)]
    rows += [*conventions.dropped_rows(task), conventions.costs_row(task), ("seed", f"{result.seed}")]
    advice = _next_step(result, gpa_file) if policy != "random" or acts else _NOT_RANDOM if result.goal_rate < 1 else ""
    rows += [("next", advice)] if advice else []
    standing = inputs.standing_of(automaton, task)
    rows += [("certificate", conventions.wrapped(standing.words))] if standing is not None else []
    if trace_file is not None:
        rows.append(("trace", f"{trace_file}, of {counted(min(kept, ran), 'trial')}"))
    decider = _decider_words(policy, gpa_file, automaton is not None, online)
    title = f"{task.domain.name} / {task.problem.name}, {decider}"
    status = STOP_REASONS[stopped_by].status if stopped_by else "ok"
    record = {"status": status, "policy": policy, "cost_mode": task.cost, **result.to_json()}
    record["certificate"] = None if standing is None else standing._asdict()
    record |= {"trace": None if trace_file is None else str(trace_file), **task.count_dropped()}
    record.pop("stopped_by")
    return conventions.answer(record, title, rows)


_DECIDED = {
    "policy": "the policy",
    "automaton": "look-ahead among the actions that the automaton keeps",
    "search": "look-ahead among all actions",
}
"""The sources of decisions in words."""
_NOT_RANDOM = "the actions were drawn: decide them by looking ahead (--online), or give a policy (--policy, --gpa)"


def _decider_words(policy: str, gpa_file: Path | None, is_taught: bool, online: bool) -> str:
    parts = [f"policy '{policy}'"] if policy != "random" or not (gpa_file or online) else []
    if gpa_file or online:
        by = f"'{gpa_file}'" if gpa_file else "what was learned" if is_taught else "looking ahead"
        parts.append(f"acting by {by}")
    return ", ".join(parts)


def _next_step(result: Simulation, gpa_file: Path | None) -> str:
    """What to do about trials that missed the goal, or were left to search, in a line; empty if there is nothing."""
    acting = result if isinstance(result, ActingSimulation) else None
    ends = {} if acting is None else acting.ends
    if gpa_file is not None and acting is not None and 2 * acting.sources.get("search", 0) > acting.decisions:
        return "the automaton leaves most decisions to search; learn from this very problem ('gpaplan learn')"
    if "horizon" in ends and "dead-end" not in ends and (gpa_file is not None or result.goal_rate > 0):
        return f"give trials more steps: --horizon {10 * result.horizon}"
    if "dead-end" in ends and gpa_file is None:
        return "see where dead ends are ('gpaplan check DOMAIN PROBLEM --states'), and why ('gpaplan serve')"
    if result.goal_rate < 1 and gpa_file is None:
        return "learn from the problem first ('gpaplan learn DOMAIN PROBLEM -o FILE', then --gpa FILE)"
    if result.goal_rate < 1:
        return "learn from more problems like this one ('gpaplan learn'), or look farther (--decision-work)"
    if result.stopped_by:
        return "give it more time (--time-limit), or run fewer trials (--trials)"
    return ""


def _rows(result: Simulation) -> list[tuple[str, str]]:
    """What came of the trials, and of an actor how it decided."""
    costs = [("mean cost", f"{result.mean_cost:.4f}"), ("standard deviation", f"{result.sd_cost:.4f}")]
    rows, rate = [("horizon", f"{result.horizon:,}")], f"{100 * result.goal_rate:.1f} %"
    if not isinstance(result, ActingSimulation):
        return [*rows, ("goal rate", rate), *costs]
    low, high = result.goal_interval
    shares = [f"{_DECIDED[name]} {100 * number / result.decisions:.1f} %" for name, number in result.sources.items()]
    return [
        *rows,
        ("goal rate", f"{rate}  (95 %: {100 * low:.1f} to {100 * high:.1f} %)"),
        *costs,
        ("cost at the goal", f"{result.goal_cost:.4f}" if result.goal_rate > 0 else "the goal was not reached"),
        ("steps", f"{result.mean_steps:.1f}"),
        ("ends", ", ".join(f"{name} {number:,}" for name, number in result.ends.items())),
        ("decided by", "\n".join(shares) or "nothing was decided"),
        ("decision", f"{result.milliseconds:.2f} ms on average, {result.slowest:.1f} ms at the most"),
    ]
