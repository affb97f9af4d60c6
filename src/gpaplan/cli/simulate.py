"""``gpaplan simulate``: trials of a policy, or of an actor that decides state by state."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gpaplan.acting.trials import choose_horizon, simulate_acting
from gpaplan.cli import conventions, inputs, options, progress_line, streams, tables
from gpaplan.cli.actors import actor_options, gpa_option
from gpaplan.cli.options import example, option
from gpaplan.display import counted
from gpaplan.errors import STOP_REASONS, LimitError
from gpaplan.limits import Limits
from gpaplan.policies.evaluation import Simulation, TrialSettings, check_is_policy, simulate
from gpaplan.policies.policy import Policy
from gpaplan.tasks.grounding import CostMode
from gpaplan.tasks.task import GroundTask
from gpaplan.traces.recording import record_trials

if TYPE_CHECKING:
    from gpaplan.automata.filters import TransitionFilter


@click.command(
    cls=options.Command,
    epilog=example(
        "gpaplan simulate domain.ppddl gripper-3.ppddl --policy policy.json --trials 1000",
        "gpaplan simulate domain.ppddl gripper-9.ppddl --gpa gripper.gpa.json --trace trace.json",
    ),
)
@inputs.task_arguments
@option("--policy", streams.INPUT_NAME, "The file of a policy, or 'random'.", "random")
@gpa_option
@click.option("--online", is_flag=True, help="Look ahead where there is no policy, or it is silent; implied by --gpa.")
@options.declared(TrialSettings, "trials")
@option("--horizon", options.COUNT, "End a trial after this many steps; without it, as many as the problem may take.")
@option("--jobs", options.COUNT, "Run this many trials in parallel.", 1)
@option("--trace trace_file", streams.OUTPUT, "Write the first trials to this file, as JSON; '-' for standard output.")
@option("--trace-trials", options.COUNT, "How many trials --trace writes.", 20)
@inputs.teach_options
@actor_options
@options.limits_options
@options.json_option
def command(
    files: inputs.TaskFiles,
    cost: CostMode,
    policy: str,
    gpa_file: Path | None,
    online: bool,
    trials: int,
    horizon: int | None,
    jobs: int,
    trace_file: Path | None,
    trace_trials: int,
    teach: tuple[bool, Path | None],
    options: dict[str, Any],
    limits: Limits,
    as_json: bool,
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
    automaton = None if gpa_file is None else inputs.load_automaton(gpa_file)
    policy_file = None if policy == "random" else Path(policy)
    task, given = files.ground_with(policy_file, cost, limits=stop, automaton=automaton)
    plan = {"trials": trials, "horizon": choose_horizon(task, stop) if horizon is None else horizon}
    chosen: Policy | Literal["random"] = "random" if given is None else given
    kept = 0 if trace_file is None else trace_trials
    lessons = {name: options[name] for name in ("seed", "dead_end_cost")}
    automaton = inputs.take_lessons(task, gpa_file, teach, limits, **lessons) or automaton
    online = online or teach[0]
    if gpa_file is not None or online:
        inputs.compare_costs(gpa_file, automaton, task.cost)
        record, rows = _act(task, chosen, automaton, plan | {"jobs": jobs, "kept": kept}, options, limits, trace_file)
    else:
        record, rows = _follow(task, chosen, plan, options, stop, trace_file, kept)
    stopped_by = record.pop("stopped_by")
    status = STOP_REASONS[stopped_by].status if stopped_by else "ok"
    ran = record["trials"]
    rows[0] = ("trials", f"{ran:,} of {trials:,}" if stopped_by else f"{ran:,}")
    rows += [*tables.dropped_rows(task), tables.costs_row(task), ("seed", f"{record['seed']}")]
    advice = _next_step(record, gpa_file, stopped_by) if ran and (policy != "random" or gpa_file or online) else ""
    rows += [("next", advice)] if advice else []
    if trace_file is not None:
        rows.append(("trace", f"{trace_file}, of {counted(min(kept, ran), 'trial')}"))
    title = f"{task.domain.name} / {task.problem.name}, {_decider_words(policy, gpa_file, online)}"
    record |= {"trace": None if trace_file is None else str(trace_file), **task.count_dropped()}
    conventions.answer(as_json, {"status": status, "policy": policy, "cost_mode": task.cost, **record}, title, rows)
    return conventions.EXIT_CODES.get(status, 0)


def _decider_words(policy: str, gpa_file: Path | None, online: bool) -> str:
    parts = [f"policy '{policy}'"] if policy != "random" or not (gpa_file or online) else []
    parts += [f"acting by '{gpa_file}'"] if gpa_file else ["acting by looking ahead"] if online else []
    return ", ".join(parts)


def _next_step(record: dict[str, Any], gpa_file: Path | None, stopped_by: str) -> str:
    """What to do about trials that missed the goal, or were left to search, in a line; empty if there is nothing."""
    if record.get("ends", {}).get("horizon"):
        return f"give trials more steps: --horizon {10 * record['horizon']}"
    if record["goal_rate"] < 1 and gpa_file is None:
        return "learn from the problem first ('gpaplan learn DOMAIN PROBLEM -o FILE', then --gpa FILE)"
    if record["goal_rate"] < 1:
        return "learn from more problems like this one ('gpaplan learn'), or look farther (--decision-work)"
    if stopped_by:
        return "give it more time (--time-limit), or run fewer trials (--trials)"
    if gpa_file is not None and 2 * record["sources"].get("search", 0) > record["decisions"]:
        return "the automaton leaves most decisions to search; learn from this very problem ('gpaplan learn')"
    return ""


Result = tuple[dict[str, Any], list[tuple[str, str]]]


def _rows(result: Simulation, goal_rate: str) -> list[tuple[str, str]]:
    """What is the same for all trials."""
    if result.stopped_by and result.trials == 0:
        raise LimitError("the simulation", result.stopped_by)
    return [
        ("trials", ""),
        ("horizon", f"{result.horizon:,}"),
        ("goal rate", goal_rate),
        ("mean cost", f"{result.mean_cost:.4f}"),
        ("standard deviation", f"{result.sd_cost:.4f}"),
    ]


def _follow(
    task: GroundTask,
    policy: Policy | Literal["random"],
    plan: dict[str, int],
    options: dict[str, Any],
    stop: Any,
    trace_file: Path | None,
    kept: int,
) -> Result:
    """Trials of a policy as it is."""
    drawn: dict[str, Any] = {"seed": options["seed"], "dead_end_cost": options["dead_end_cost"]}
    result = simulate(task, policy, **plan, **drawn, limits=stop)
    rows = _rows(result, f"{100 * result.goal_rate:.1f} %")
    if trace_file is not None:
        first = min(kept, result.trials)
        record_trials(task, policy, trials=first, horizon=plan["horizon"], **drawn).write(trace_file)
    return result.to_json(), rows


def _act(
    task: GroundTask,
    policy: Policy | Literal["random"],
    automaton: TransitionFilter | None,
    plan: dict[str, int],
    options: dict[str, Any],
    limits: Limits,
    trace_file: Path | None,
) -> Result:
    """Trials of an actor."""

    def report(done: int, _reached: int) -> None:
        progress_line.show_progress(f"{done:,} of {plan['trials']:,} trials")

    known = policy if isinstance(policy, Policy) else None
    if known is not None and options["dead_end_cost"] is None:
        options = options | {"dead_end_cost": known.dead_end_cost}
    result = simulate_acting(task, automaton, known, **plan, **options, limits=limits, progress=report)
    progress_line.clear_progress()
    low, high = result.goal_interval
    shares = ", ".join(f"{name} {100 * number / result.decisions:.1f} %" for name, number in result.sources.items())
    rows = [
        *_rows(result, f"{100 * result.goal_rate:.1f} %  (95 %: {100 * low:.1f} to {100 * high:.1f} %)"),
        ("cost at the goal", f"{result.goal_cost:.4f}"),
        ("steps", f"{result.mean_steps:.1f}"),
        ("ends", ", ".join(f"{name} {number:,}" for name, number in result.ends.items())),
        ("decided by", shares or "nothing was decided"),
        ("decision", f"{result.milliseconds:.2f} ms on average, {result.slowest:.1f} ms at the most"),
    ]
    if trace_file is not None and result.trace is not None:
        result.trace.write(trace_file)
    return result.to_json(), rows
