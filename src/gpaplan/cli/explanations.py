"""What ``solve`` says in words: why there is no proper policy, and why an automaton did not suffice."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpaplan import interrupts
from gpaplan.automata.filters import RelaxedMatch
from gpaplan.errors import STOPPED, LimitError
from gpaplan.limits import AnyLimits

if TYPE_CHECKING:
    from gpaplan.automata.filters import Match, TransitionFilter
    from gpaplan.learning.counterexamples import Counterexample
    from gpaplan.solving.solution import Matching, Solution
    from gpaplan.spaces.settings import SpaceSettings

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class AutomatonExplanation:
    """Whether an automaton sufficed, and a state that shows why not, if one was found."""

    sufficed: bool | None
    """None if a limit came before that was known."""
    text: str
    counterexample: Counterexample | None = None

    def to_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        found = self.counterexample
        return {
            "sufficed": self.sufficed,
            "text": self.text,
            "counterexample": None if found is None else found.to_json(),
        }

    def __str__(self) -> str:
        details = "" if self.counterexample is None else f"\n{self.counterexample}"
        return wrapped(self.text) + details


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


def wrapped(text: str) -> str:
    """A text in lines of bearable width, broken between words only."""
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def reason_rows(solution: Solution) -> list[tuple[str, str]]:
    """Rows of the answer that say why there is no proper policy; none where there is one."""
    reason = solution.reason
    if reason is None:
        return []
    rows = [("reason", wrapped(str(reason)))]
    return [*rows, ("advice", wrapped(reason.advice))] if reason.advice else rows
