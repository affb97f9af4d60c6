"""What ``solve`` says in words: why there is no proper policy, and why an automaton did not suffice."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpaplan.errors import STOPPED, LimitError
from gpaplan.limits import AnyLimits

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton
    from gpaplan.automata.matching import Match
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
    automaton: PolicyAutomaton, solution: Solution, settings: SpaceSettings, limits: AnyLimits
) -> AutomatonExplanation:
    """Where and why an automaton did not suffice for what was solved with it, or that it did."""
    from gpaplan.learning.counterexamples import find_counterexample

    matching = solution.matching
    if solution.fallback and matching is not None and matching.overtaken:
        return AutomatonExplanation(None, "The whole problem was solved before it was known if the automaton suffices.")
    if not solution.fallback:
        if solution.status in STOPPED:
            stopped = f"{STOPPED[solution.status].name} came before it was known whether the automaton suffices."
            return AutomatonExplanation(None, stopped[0].upper() + stopped[1:])
        if solution.solves:
            how = (
                "reaches the goal with probability one"
                if solution.proper
                else "gives up only where the goal is out of reach"
            )
            looks = "" if matching is None else matching_words(matching)
            text = f"The automaton sufficed: a policy on its edges {how}."
            return AutomatonExplanation(True, text + (f" {looks[0].upper()}{looks[1:]}." if looks else ""))
    without = solution if solution.fallback and solution.solves else None
    task = solution.space.task
    match: Match = "strict" if matching is None or matching.match == "strict" else "coarse"
    level = 0 if matching is None else matching.level
    try:
        found = find_counterexample(
            automaton, task, without, settings, failed=True, match=match, level=level, limits=limits
        )
    except (LimitError, KeyboardInterrupt) as error:
        end = str(error) or "looking for the reason was interrupted"
        return AutomatonExplanation(False, f"The automaton did not suffice; why is not known: {end}.")
    if found is None:
        return AutomatonExplanation(False, "The automaton did not suffice; why was not found.")
    return AutomatonExplanation(False, found.sentence, found)


def automaton_verdict(solution: Solution, matching: Matching) -> str:
    """What the answer says of the automaton in a line."""
    if matching.overtaken:
        return "gave way: the whole problem was solved first"
    if solution.fallback or not solution.solves:
        return "did not suffice" + (": solved without it" if solution.solves else "")
    looks = matching_words(matching)
    return f"sufficed; {looks}" if looks else "sufficed"


def matching_words(matching: Matching) -> str:
    """How coarsely states were compared with an automaton; nothing if all were to the letter."""
    from gpaplan.automata.matching import WAYS

    every = sum(matching.states.values())
    words = {way.name: way.words for way in WAYS}
    found = [
        f"{count:,} {words[name]}" for name, count in matching.states.items() if name in words and name != "strict"
    ]
    return f"of {every:,} states matched, {', '.join(found)}" if found else ""


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
