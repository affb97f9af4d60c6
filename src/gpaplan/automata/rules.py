"""Rule lists that prune: which actions to take in a state, and what training shows of each rule.

In a state the first rule of a list (`gpaplan.concepts`) that fits an applicable action decides, and all applicable
actions that fit it are kept:

    rules = RuleFilter.of(domain, ["pick: (is ?ball (not @ball-in/1))", …])
    solve(task, automaton=rules)

Rules do not ask what may come of an action. Of several lists, which come from merging, each decides for itself, and
what one keeps is kept. Compared more coarsely, first all rules count, not only those that decide, and then all schemas
that rules are about.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Self, TypeAlias

from gpaplan import _core
from gpaplan.automata.filters import MATCHES, RelaxedMatch, TaskFilter, TransitionFilter
from gpaplan.concepts.encoding import Evaluator, core_filter
from gpaplan.concepts.reasons import Reasons
from gpaplan.concepts.rules import Rule, RuleList, parse_rule
from gpaplan.concepts.words import rule_in_words
from gpaplan.display import counted
from gpaplan.errors import UsageError, misplaced
from gpaplan.pictures import Look
from gpaplan.policies.policy import Policy
from gpaplan.ppddl.syntax import Domain, DomainVocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundTask

AnyRules: TypeAlias = RuleList | str | Sequence[Rule | str]
"""A rule list; or its text, a rule a line; or rules one by one."""

_MATCHES = (
    MATCHES[0],
    RelaxedMatch("rules", 1, True, "by any rule that an action fits, whether or not another one comes before it"),
    RelaxedMatch("schemas", 2, True, "by the schemas that rules are about"),
)


@dataclass(frozen=True, slots=True)
class RuleUse:
    """What training shows of a rule."""

    transitions: Mapping[str, int] = field(default_factory=dict)
    """How many transitions it had in each training problem."""
    examples: tuple[str, ...] = ()
    """A few states in which it decides."""

    @property
    def count(self) -> int:
        """The transitions of all problems."""
        return sum(self.transitions.values())

    def joined(self, other: RuleUse) -> RuleUse:
        """What both show."""
        problems = sorted({*self.transitions, *other.transitions})
        most = {each: max(self.transitions.get(each, 0), other.transitions.get(each, 0)) for each in problems}
        return RuleUse(most, tuple(dict.fromkeys((*self.examples, *other.examples)))[:3])


class NamedRule(NamedTuple):
    """A rule of a list."""

    name: str
    """What it is called: ``rule 3``, or of several lists ``rule 2.3``."""
    rule: Rule
    """The rule itself."""
    use: RuleUse
    """What training shows of it."""
    is_first: bool
    """Whether it is the first of its list."""


class RuleFilter(TransitionFilter):
    """One rule list or several for a domain, with what training shows of each rule."""

    noun = "rule list"
    kind = "concepts"
    nothing_fits = "no rule fits any action there"
    all_matches = _MATCHES

    def __init__(
        self,
        domain_name: str,
        vocabulary: DomainVocabulary,
        lists: Mapping[RuleList, Sequence[RuleUse]],
        **origin: Any,
    ) -> None:
        super().__init__(domain_name, vocabulary, **origin)
        self.lists = tuple(lists)
        self.uses = {rules: tuple(uses) for rules, uses in lists.items()}
        """For each list what training shows of its rules."""

    @classmethod
    def of(cls, domain: Domain, rules: AnyRules, *also: AnyRules, **origin: Any) -> RuleFilter:
        """Rules, in one list or several, in any form, about which nothing is known. Raises `UsageError` if a rule names
        something that the domain does not have."""
        lists = [rule_list(each) for each in (rules, *also)]
        if not any(map(len, lists)):
            raise UsageError("there is no rule")
        for each in lists:
            each.check(domain)
        unused = {each: (RuleUse(),) * len(each) for each in lists}
        return cls(domain.name, DomainVocabulary.of(domain), unused, **origin)

    def __len__(self) -> int:
        return sum(map(len, self.lists))

    def __eq__(self, other: object) -> bool:
        """The same lists for the same domain, wherever they came from."""
        if not isinstance(other, RuleFilter):
            return NotImplemented
        return self.vocabulary == other.vocabulary and self.lists == other.lists

    def __hash__(self) -> int:
        return hash((self.domain_name, self.lists))

    @property
    def sizes(self) -> dict[str, int]:
        """How many rules there are."""
        return {"vertices": 0, "edges": 0, "rules": len(self)}

    @property
    def size_words(self) -> str:
        """The same in words."""
        return counted(len(self), "rule")

    def named(self) -> Iterator[NamedRule]:
        """All rules, in order."""
        for place, rules in enumerate(self.lists, 1):
            for number, (rule, use) in enumerate(zip(rules.rules, self.uses[rules], strict=True), 1):
                name = f"rule {place}.{number}" if len(self.lists) > 1 else f"rule {number}"
                yield NamedRule(name, rule, use, number == 1)

    def words(self, rule: Rule) -> str:
        """A rule in plain English."""
        return rule_in_words(rule, dict(self.vocabulary.predicates))

    def without(self, place: int) -> RuleFilter:
        """The lists without a rule, given by its place among all of them."""
        left: dict[RuleList, list[RuleUse]] = {}
        for rules, uses in self.uses.items():
            kept = [pair for i, pair in enumerate(zip(rules.rules, uses, strict=True)) if i != place]
            if kept:
                left[RuleList(tuple(rule for rule, _ in kept))] = [use for _, use in kept]
            place -= len(rules)
        return self.with_lists(left)

    def with_lists(self, lists: Mapping[RuleList, Sequence[RuleUse]], **origin: Any) -> Self:
        """Other lists of the same domain, and of the same origin where none is given."""
        origin = {"training": self.training, "settings": self.settings, **origin}
        return type(self)(self.domain_name, self.vocabulary, lists, **origin)

    def certified(self, certificate: Mapping[str, Any] | None) -> Self:
        """The same with a certificate."""
        found = self.with_lists(self.uses)
        found.certificate = certificate
        return found

    def _merged(self, other: RuleFilter, **origin: Any) -> Self:
        lists = dict(self.uses)
        for rules, uses in other.uses.items():
            known = lists.get(rules, (RuleUse(),) * len(rules))
            lists[rules] = tuple(one.joined(two) for one, two in zip(known, uses, strict=True))
        return self.with_lists(lists, **origin)

    def on(self, task: GroundTask) -> RuleTaskFilter:
        """The rules on the states of a task."""
        self.check_task(task)
        return RuleTaskFilter(task, self)

    def to_text(self) -> str:
        """The rules as their file has them."""
        from gpaplan.automata.rule_file import write_rules

        return write_rules(self)

    def summary(self) -> str:
        """What the rules say, and how often training used them."""
        from gpaplan.automata.rule_page import summary

        return summary(self)

    def to_html(self, *, level: int = 0, task: GroundTask | None = None, look: Look | None = None) -> str:
        """One self-contained page with the rules in order; for a task, each with a picture of where it decides."""
        from gpaplan.automata.rule_page import to_html

        self.coarsened(level)
        return to_html(self, task, look)


def rule_list(given: AnyRules) -> RuleList:
    """Rules in any form as a list."""
    if isinstance(given, RuleList):
        return given
    if isinstance(given, str):
        return RuleList.parse(given)
    if not isinstance(given, Iterable):
        raise misplaced(given, "rule list", 'pass a list of rules such as "pick: (is ?ball (not @ball-in/1))"')
    return RuleList(tuple(each if isinstance(each, Rule) else parse_rule(each) for each in given))


class RuleTaskFilter(TaskFilter):
    """Rule lists on the states of one task."""

    def __init__(self, task: GroundTask, rules: RuleFilter) -> None:
        self.task = task
        self._lists = rules.lists
        self._named = list(rules.named())
        self._asked = core_filter(task, *rules.lists)
        self._reasons: Reasons | None = None

    def core(self, matches: Sequence[RelaxedMatch], *, lenient: bool = False) -> _core.RuleFilter:
        """The filter of the rules."""
        return core_filter(self.task, *self._lists, levels=[each.level for each in matches], lenient=lenient)

    def deciding(self, space: StateSpace, state: int) -> list[NamedRule]:
        """The rule of each list that decides in a state; none in a goal."""
        numbers, _ = self._asked.decide(space.core, state)
        found, first = [], 0
        for rules, number in zip(self._lists, numbers, strict=True):
            if number != _core.NO_ACTION:
                found.append(self._named[first + number])
            first += len(rules)
        return found

    def fitting(self, space: StateSpace, state: int, action: int) -> tuple[NamedRule | None, NamedRule | None]:
        """The first deciding rule that an action fits, and the first rule at all."""
        one, other = self._asked.fitting(space.core, state, action)
        return (
            None if one == _core.NO_ACTION else self._named[one],
            None if other == _core.NO_ACTION else self._named[other],
        )

    def why(self, space: StateSpace, state: int, action: int) -> str:
        """``rule 3: …``. Where only schemas count, that is all there is to say."""
        deciding, other = self.fitting(space, state, action)
        found, named = deciding or other, self.task.action(action)
        if found is None:
            return f"some rule is about {named.schema}"
        if self._reasons is None:
            self._reasons = Reasons(self.task)
        is_first = found.is_first or deciding is None
        sentence = self._reasons.sentence(space, state, found.rule, named, is_first=is_first)
        return f"{found.name}{'' if deciding else ', which does not decide here'}: {sentence}"

    def _seen(self, space: StateSpace, state: int, last: RelaxedMatch) -> tuple[dict[str, Any], Callable[..., Any]]:
        """Which rules decide; of an action which other rule it fits."""
        names = [each.name for each in self.deciding(space, state)]
        label = f"{' and '.join(names)} {'decides' if len(names) == 1 else 'decide'}" if names else "no rule fits"
        missing = f"{label}, which it does not fit" if names and last.level == 0 else "it fits no rule"
        seen = label if last.level == 0 else "any state"

        def refused(action: int, _: int) -> tuple[str, str]:
            other = self.fitting(space, state, action)[1]
            return f"fits {'no rule' if other is None else other.name}", missing

        known = bool(names), bool(names) or last.level > 0
        return {"label": label, "known": known[0], "seen": seen, "seen_known": known[1]}, refused


# --- acting by rules ---


class RulePolicy(Policy):
    """In each state one of the actions that a rule list keeps, drawn at random whenever it is asked for.

    ``choice`` is what is proven of it on this task: ``any`` or ``random``; its expected cost is at most ``bound``, if
    that is proven. Its states are not listed: nothing that goes through all of them, such as writing it to a file, can
    be done with it.
    """

    def __init__(
        self, task: GroundTask, rules: RuleList, choice: str, *, seed: int = 0, bound: float | None = None
    ) -> None:
        self.task, self.cost, self.dead_end_cost, self.symmetry = task, task.cost, None, None
        self.rules, self.choice, self.seed, self.bound = rules, choice, seed, bound
        self._random = random.Random(seed)
        self._space, self._evaluator = StateSpace(task), Evaluator(task)

    def decision(self, indices: tuple[int, ...]) -> int:
        """The index of an action that is kept in the state of these atoms; ``NO_ACTION`` if none is."""
        kept = self._evaluator.fits(self._space, self._space.core.intern(indices), self.rules)[1]
        return self._random.choice(kept) if kept else _core.NO_ACTION

    def for_task(self, task: GroundTask) -> Policy:
        """The same for another grounding."""
        return self if task is self.task else self.__reduce__()[0](task, self.rules, self.choice)

    @property
    def _decisions(self) -> Any:  # type: ignore[override]
        raise UsageError(
            "the policy acts by a rule list, and its states are not listed;  ask it for the action of a state "
            "(policy.action), or let gpaplan act and gpaplan simulate follow the list (--gpa)"
        )

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"RulePolicy({self.task.problem.name!r}: {len(self.rules)} rules)"

    def __reduce__(self) -> Any:
        return partial(RulePolicy, seed=self.seed, bound=self.bound), (self.task, self.rules, self.choice)
