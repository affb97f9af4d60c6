"""Automata that are rule lists: the abstraction by concepts.

A list of rules (`gpaplan.concepts`) says which actions to take: in a state the first rule that fits an applicable
action decides, and all applicable actions that fit it are kept. As an automaton it has a vertex for each rule, the
states in which that rule decides, one for the states in which none does, one for goals, and an edge for each rule:

    automaton = rule_automaton(domain, ["pick: (is ?ball (not @ball-in/1))", …])
    solve(task, automaton=automaton)

Rules do not ask what may come of an action. The targets of an edge are those that were met in training, to be looked
at; they constrain nothing. Of several lists that are merged each decides for itself, and what one keeps is kept.

Looked at more coarsely, first all rules count, not only those that decide, and then all schemas that rules are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from gpaplan import _core
from gpaplan.automata.abstraction import DomainVocabulary, FullAbstraction, LabelTable
from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.matching import MATCHES, RelaxedMatch
from gpaplan.concepts.encoding import Encoder
from gpaplan.concepts.reasons import Reasons
from gpaplan.concepts.rules import Rule, RuleList, parse_rule
from gpaplan.errors import UsageError
from gpaplan.ppddl.syntax import Domain
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundTask

__all__ = ["AnyRules", "Concepts", "RuleReasons", "RuleTable", "rule_automaton"]

AnyRules: TypeAlias = RuleList | str | Sequence[Rule | str]
"""A rule list; or its text, a rule a line; or rules one by one."""

GOAL, NO_RULE, DECIDED, ANY = "goal", "no rule fits", "a rule decides", "any state"


@dataclass(frozen=True, slots=True)
class Concepts(FullAbstraction[str, str]):
    """The abstraction by rule lists: of an action it sees which of the rules it fits, of a state which rule decides.

    ``also`` are further lists, which decide for themselves. ``level`` is the abstraction level, from 0.
    """

    rules: RuleList
    also: tuple[RuleList, ...] = ()
    level: int = 0

    name: ClassVar[str] = "concepts"
    """In files, and on the command line."""
    checks_outcomes: ClassVar[bool] = False
    """What may come of an action does not matter to rules."""
    matches: ClassVar[tuple[RelaxedMatch, ...]] = (
        MATCHES[0],
        RelaxedMatch("rules", 1, True, "by any rule that an action fits, whether or not another one comes before it"),
        RelaxedMatch("schemas", 2, True, "by the schemas that rules are about"),
    )
    """How states are compared with it."""

    @property
    def options(self) -> dict[str, Any]:
        """What a file says of it: the rules."""
        also = {"also": [each.to_json() for each in self.also]} if self.also else {}
        return {"rules": self.rules.to_json(), **also}

    @property
    def lists(self) -> tuple[RuleList, ...]:
        """All lists."""
        return (self.rules, *self.also)

    @property
    def levels(self) -> tuple[Concepts, ...]:
        """Itself, and the coarser levels."""
        return tuple(replace(self, level=level) for level in range(3))

    def coarsened(self, label: str) -> str:
        """What this level leaves of a state's label."""
        return label if self.level == 0 else ANY

    def coarser_edges(self) -> Iterator[Edge]:
        """The edges that a coarser level has besides those of the rules."""
        numbered = self.numbered()
        if self.level > 0:
            yield from (Edge(ANY, f"fits {number}: {rule}", (ANY,)) for number, rule in numbered)
        if self.level > 1:
            schemas = sorted({rule.schema for _, rule in numbered})
            yield from (Edge(ANY, f"{schema}, by no rule", (ANY,)) for schema in schemas)

    def named(self) -> Iterator[tuple[RuleList, str, Rule]]:
        """The rules of all lists, each with its list and its name: ``rule 3``, or of several lists ``rule 2.3``."""
        for place, rules in enumerate(self.lists, 1):
            for number, rule in enumerate(rules.rules, 1):
                yield rules, (f"rule {place}.{number}" if self.also else f"rule {number}"), rule

    def numbered(self) -> list[tuple[str, Rule]]:
        """The rules, each with what it is called."""
        return [(number, rule) for _, number, rule in self.named()]

    def source(self, number: str) -> str:
        """The label of the states in which a rule decides."""
        return DECIDED if self.also else f"{number} decides"

    def merged(self, other: Concepts) -> Concepts:
        """The abstraction by the lists of both."""
        first, *also = dict.fromkeys((*self.lists, *other.lists))
        return Concepts(first, tuple(also))

    def labels_in(self, wider: Concepts) -> dict[str, str]:
        """What each label is called by an abstraction that has the lists of this one among others."""
        names = {NO_RULE: NO_RULE, GOAL: GOAL, DECIDED: DECIDED}
        numbers = {(each, rule): number for each, number, rule in wider.named()}
        for each, number, rule in self.named():
            other = numbers[each, rule]
            names[f"{number}: {rule}"] = f"{other}: {rule}"
            names[self.source(number)] = wider.source(other)
        return names

    def missing(self, source: str, action: str) -> str:  # noqa: ARG002
        """Why an action is not kept in a state with this label, in words."""
        if source in (NO_RULE, GOAL, ANY):
            return "it fits no rule" if source != GOAL else "a goal is reached"
        return f"{source}, which it does not fit"

    def table(self, task: GroundTask) -> RuleTable:
        """The abstraction on the states of a task."""
        return RuleTable(task, self)

    def reasons(self, task: GroundTask) -> RuleReasons:
        """Why rules keep actions, for the states of a task."""
        return RuleReasons(task, self)


class RuleReasons:
    """Why rules keep actions, as sentences about states of one task."""

    def __init__(self, task: GroundTask, abstraction: Concepts) -> None:
        self._reasons = Reasons(task)
        self._rules = {
            f"{number}: {rule}": (number, rule, rule == rules.rules[0]) for rules, number, rule in abstraction.named()
        }

    def why(self, space: StateSpace, state: int, action: GroundAction, label: str) -> str:
        """Why an action is kept, given its label: ``rule 3: …``. Where only schemas are looked at, that is all there is
        to say."""
        decides = not label.startswith("fits ")
        found = self._rules.get(label.removeprefix("fits "))
        if found is None:
            return f"some rule is about {action.schema}"
        number, rule, is_first = found
        sentence = self._reasons.sentence(space, state, rule, action, is_first=is_first or not decides)
        return f"{number}: {sentence}" if decides else f"{number}, which does not decide here: {sentence}"


def rule_list(given: AnyRules) -> RuleList:
    """Rules in any form as a list."""
    if isinstance(given, RuleList):
        return given
    if isinstance(given, str):
        return RuleList.parse(given)
    return RuleList(tuple(each if isinstance(each, Rule) else parse_rule(each) for each in given))


class RuleTable(LabelTable[str, str]):
    """The abstraction by rules on the states of one task."""

    def __init__(self, task: GroundTask, abstraction: Concepts) -> None:
        for rules in abstraction.lists:
            rules.check(task.domain)
        encoder = Encoder(task)
        lists = [encoder.rules(rules) for rules in abstraction.lists]
        core = _core.RuleAbstraction(task.core, len(task.objects), encoder.wanted, encoder.nodes, lists)
        numbered = abstraction.numbered()
        declared = [schema.name for schema in task.domain.schemas]
        schemas = sorted({rule.schema for _, rule in numbered}, key=declared.index)
        actions = [f"{number}: {rule}" for number, rule in numbered]
        actions += [f"fits {action}" for action in actions] + [f"{schema}, by no rule" for schema in schemas]
        sources = dict.fromkeys(abstraction.source(number) for number, _ in numbered)
        names = _Names([*sources, NO_RULE, GOAL, "other rules", "other schemas"], [*actions, "by no rule"])
        super().__init__(core, names)
        others, other_schemas = len(names.states) - 2, len(names.states) - 1
        count = len(numbered)
        self._coarser = [(others, number) for number in range(count, 2 * count)]
        self._coarser += [(other_schemas, number) for number in range(2 * count, len(actions))]

    def edge_set(self, edges: Iterable[Edge]) -> _core.EdgeSet:
        """The edges of an automaton, and those that only coarser levels have, by number."""
        found = _core.EdgeSet()
        own = [(self.state_id(str(edge.source)), self.action_id(str(edge.action))) for edge in edges]
        for source, action in [*own, *self._coarser]:
            found.add(source, action, 0)
        return found


class _Names:
    """Labels by their places in two lists."""

    def __init__(self, states: list[str], actions: list[str]) -> None:
        self.states, self.actions = states, actions
        self.spell_out, self.spell_out_action = states.__getitem__, actions.__getitem__
        self.intern = {name: place for place, name in enumerate(states)}.__getitem__
        self.intern_action = {name: place for place, name in enumerate(actions)}.__getitem__


def rule_automaton(domain: Domain, rules: AnyRules | Concepts, **origin: Any) -> PolicyAutomaton:
    """The automaton of rules. Raises `UsageError` if a rule names something that the domain does not have.

    Each edge has all vertices for targets; `gpaplan.learning.rules` knows those that training met.
    """
    abstraction = rules if isinstance(rules, Concepts) else Concepts(rule_list(rules))
    if not any(len(each) for each in abstraction.lists):
        raise UsageError("there is no rule")
    for each in abstraction.lists:
        each.check(domain)
    sources = dict.fromkeys(abstraction.source(number) for number, _ in abstraction.numbered())
    targets = (*sources, NO_RULE, GOAL)
    edges = [Edge(abstraction.source(number), f"{number}: {rule}", targets) for number, rule in abstraction.numbered()]
    origin["settings"] = {"relevance": "either", **origin.get("settings", {})}
    return PolicyAutomaton(domain.name, DomainVocabulary.of(domain), abstraction, edges, **origin)
