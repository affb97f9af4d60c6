"""``gpaplan explain``: what a policy does in a state, what else it could do there, and what an automaton says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gpaplan.acting.view import ActingSettings
from gpaplan.automata.explanation import Explanation
from gpaplan.automata.filters import Match
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import max_outcomes_option
from gpaplan.cli.options import option, setting
from gpaplan.data import parse_json, read_text, typed
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.files import can_be_read
from gpaplan.limits import Limits
from gpaplan.policies.explanation import PolicyExplanation
from gpaplan.policies.policy import Policy, show_state
from gpaplan.solving.completion import Completion
from gpaplan.spaces.state_space import StateSpace


@options.command(
    "gpaplan explain domain.ppddl gripper-3.ppddl --policy policy.json",
    "gpaplan explain domain.ppddl gripper-9.ppddl --gpa gripper.gpa.json",
)
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    policy_file: Path | None = option("--policy", conventions.INPUT, "The policy that is explained."),
    gpa_file: Path | None = option("--gpa", conventions.INPUT, "Say also what this automaton keeps and prunes."),
    match: Match = setting(ActingSettings, "match"),
    state_text: str | None = option(
        "--state",
        conventions.INPUT_NAME,
        "The state: '(on a b) (clear c) …', or a file with such a text or with a JSON list of atoms.  "
        "[default: the initial state]",
        metavar="FILE|ATOMS",
    ),
    max_states: int = option(
        "--max-states",
        options.COUNT_OR_ZERO,
        "Where the policy says nothing, solve from the state and from what its actions lead to, within N states "
        "in all; 0: estimate instead.",
        10_000,
    ),
    dead_end_cost: float | None = inputs.dead_end_cost_option,
    max_outcomes: int = max_outcomes_option,
    limits: Limits = options.limits_options,
) -> None:
    """Say what each applicable action in a state costs if the policy is followed from then on.

    The costs are exact. Where an action leads out of the policy the task is solved from there; if that takes too many
    states, the cost is a lower bound, and is marked. Without --policy the task is solved from the state.
    """
    stop = limits.start()
    task, given, automaton = files.ground_with(policy_file, gpa_file, limits=stop)
    policy = Policy(task, {}) if given is None else given
    space = StateSpace(task, max_outcomes=max_outcomes, limits=stop)
    named = [] if state_text is None else read_state(state_text)
    state = space.initial if state_text is None else space.state(named)
    passed_over = list(map(str, task.dropped_among(named)))
    covered = space.atoms(state) in policy
    completion = Completion(policy, dead_end_cost, max_outcomes, max_states, stop)
    found = completion.explain(space, state)
    advice = None if automaton is None else automaton.explain(task, space.atoms(state), match=match)
    record = {
        "status": "ok",
        "domain": task.domain.name,
        "problem": task.problem.name,
        "cost_mode": task.cost,
        "policy": None if policy_file is None else str(policy_file),
        "covered": covered,
        "solved": completion,
        "passed_over": passed_over,
        **task.count_dropped(),
        **found.to_json(),
        "gpa": None if advice is None else {"file": str(gpa_file), **advice.to_json()},
    }
    atoms = conventions.wrapped(show_state(found.state, most=len(found.state)).strip("{}"))
    rows = [
        ("state", atoms or "no fluent atom holds"),
        ("passed over", conventions.wrapped(" ".join(passed_over))),
        ("policy", _policy_words(policy_file, covered, found)),
        ("decision", conventions.wrapped(found.summary)),
        ("changes", "\n".join(conventions.wrapped(each) for each in _shown(found))),
        ("solved", _solved_words(completion)),
        *conventions.dropped_rows(task),
        conventions.costs_row(task),
    ]
    if advice is not None:
        rows.append(("automaton", conventions.wrapped(_automaton_words(gpa_file, advice))))
    conventions.answer(record, f"{task.domain.name} / {task.problem.name}", rows)
    if not conventions.wants_json():
        conventions.echo("\n".join(["", *_table(found, advice)]))


# --- the state ---


def read_state(given: str) -> list[str]:
    """The atoms of ``--state``: written there, or in a file."""
    if given.lstrip().startswith("("):
        return _atoms(given, "--state")
    if not can_be_read(given):
        raise UsageError(f"--state: '{given}' is no file, and no atoms such as '(on a b) (clear c)'")
    text = read_text(given, given, "a state")
    if text.lstrip().startswith("["):
        return typed(parse_json(text, given, "a state"), list[str], given)
    return _atoms(text, given)


def _atoms(text: str, where: str) -> list[str]:
    """Atoms in parentheses, with spaces, ends of lines and comments between them."""
    text = re.sub(r";.*", "", text)
    rest = re.sub(r"\([^()]*\)", " ", text).split()
    if rest:
        raise UsageError(f"{where}: '{' '.join(rest)[:60]}' is no atom; a state is written as '(on a b) (clear c) …'")
    return re.findall(r"\([^()]*\)", text)


# --- words ---


def _policy_words(file: Path | None, covered: bool, found: PolicyExplanation) -> str:
    given = "none given" if file is None else f"'{file}'"
    if covered or found.decision == "goal":
        return given
    given += "" if file is None else ", which does not cover this state"
    how = "none was found" if found.decision == "uncovered" else "what follows was found"
    return f"{given}; {how} by solving from this state"


_MOST_OUTCOMES = 8  # lines


def _shown(found: PolicyExplanation) -> list[str]:
    """The outcomes of the action taken, the likeliest ones if there are very many."""
    shown = [str(each) for each in found.outcomes[:_MOST_OUTCOMES]]
    more = len(found.outcomes) - len(shown)
    return [*shown, f"… and {more:,} less likely outcomes"] if more else shown


def _solved_words(completion: Completion) -> str:
    """What was solved where the policy says nothing; nothing if it says all that was asked for."""
    asked, solved = completion.asked, completion.solved
    if not asked:
        return ""
    count = f"{asked:,}" if solved == asked else f"{solved:,} of {asked:,}"
    text = f"from {count} {'state' if asked == 1 else 'states'} that the policy does not cover"
    if completion.expanded:
        text += f", {counted(completion.expanded, 'state')} expanded"
    rest = "" if solved == asked else "; for the rest there are estimates (--max-states)"
    return conventions.wrapped(text + rest)


def _automaton_words(file: Path | None, advice: Explanation) -> str:
    known = "knows this state" if advice.known else "has no vertex for this state"
    count = len(advice.kept) + len(advice.pruned)
    matched = "" if advice.last_match.name == "strict" or not count else f", which is matched {advice.matched}"
    kept = f"keeps {len(advice.kept):,} of {count:,} actions"
    why = f"; why is said with states compared {advice.last_match.words}" if matched and advice.match is None else ""
    return f"'{file}' {known}{matched}, and {kept}{why}"


def _table(found: PolicyExplanation, advice: Explanation | None) -> Iterator[str]:
    """The applicable actions, one in a line, and why the automaton keeps or prunes them."""
    rows = [("action", "expected cost", "compared")]
    rows += [(str(each.action), each.show_cost(), each.verdict) for each in found.actions]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    said = {} if advice is None else {each.action: f"pruned: {each.reason}" for each in advice.pruned}
    if advice is not None and advice.reasons:
        said |= {action: f"kept: {reason}" for action, reason in zip(advice.kept, advice.reasons, strict=True)}
    notes = ["" if advice is None else "automaton"]
    notes += [said.get(each.action, "" if advice is None else "kept") for each in found.actions]
    for (action, cost, verdict), note in zip(rows, notes, strict=True):
        line = f"  {action:<{widths[0]}}  {cost:>{widths[1]}}  {verdict:<{widths[2]}}  {note}"
        yield line.rstrip()
