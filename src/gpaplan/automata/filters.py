"""What prunes a search: one contract for automata, rule lists and filters of your own.

    solve(task, automaton=what)      # a `TransitionFilter`, the file of one, or an object with a method `keeps`

A `TransitionFilter` says which actions exist in the states of a domain's problems, and what it was learned from. On one
task it is a `TaskFilter`: this makes the filters that state spaces of the core take
(src/core/automata/matching_filter.hpp), and says of a state what is kept, what is pruned, and why.

A state is compared with a filter exactly, or at a coarser abstraction level. Of an automaton, strictly, an action is
kept in a state if an edge leaves the state's abstract state with that action and has every outcome among its targets.
Training that is one combination short then keeps nothing, although nothing new is there: two packets wait where
training had one. So where a state is no vertex, or every edge lacks an outcome, the match is relaxed, step by step,
until an action is kept:

    strict      exactly
    goals       an outcome that is a goal is fine, whether or not training showed it; so in all that follow
    counts      one object in a role or many are the same
    extents     a relation that holds for some or for all are the same
    relations   relations are not compared

The edges of all vertices that are then equal apply. Each match keeps what those before it keep. If the task that this
leaves has no proper policy, the automaton as a whole is used at the next level: in every state from ``counts`` on,
then from ``extents`` on, and so forth.

These are the matches of automata. Rule lists have others (`gpaplan.automata.rules`).

`gpaplan.automata.automaton` has automata, `gpaplan.automata.rules` rule lists, `gpaplan.automata.own_filter` what makes
a filter of an object of your own.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from gpaplan import _core
from gpaplan.display import html_frame
from gpaplan.errors import MismatchError, UsageError, misplaced
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl.syntax import Domain, DomainVocabulary
from gpaplan.spaces.state_space import MAX_OUTCOMES, AnySymmetry, SpaceSettings, StateSpace, named_errors, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.canonical import AnyAbstraction
    from gpaplan.automata.explanation import Explanation, Nearness
    from gpaplan.policies.policy import Decisions, Policy


Relevance: TypeAlias = Literal["on", "off", "either"]
"""Whether what a goal cannot depend on was dropped, or kept, or there was nothing of that kind."""


def relevance_of(task: GroundTask) -> Relevance:
    """What a filter that is learned from a task says of it."""
    if not task.has_irrelevant_parts:
        return "either"
    return "on" if task.relevance else "off"


Match: TypeAlias = Literal["strict", "coarse"]
"""How states are compared with an automaton: exactly, or as coarsely as it takes."""


class RelaxedMatch(NamedTuple):
    """How far the match of a state with an automaton is relaxed; the strict one is not."""

    name: str
    """In one word, such as ``counts``."""
    level: int
    """The abstraction level: an index into the abstraction's ``levels``."""
    accepts_goals: bool
    """Whether an outcome that is a goal is fine, whatever the edges say."""
    words: str
    """The same in a few words."""

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> str:
        """Its name."""
        return self.name


MATCHES = (
    RelaxedMatch("strict", 0, False, "exactly"),
    RelaxedMatch("goals", 0, True, "exactly, but for outcomes that are goals"),
    RelaxedMatch("counts", 1, True, "without regard to how many objects play a role"),
    RelaxedMatch("extents", 2, True, "without regard to numbers, of objects and of what relations hold for"),
    RelaxedMatch("relations", 3, True, "by roles alone"),
)


class TrainingExample(NamedTuple):
    """A problem that a filter was learned from."""

    problem: str
    states: int
    """States of its policy, goals not counted."""
    cost: float | None
    """The expected cost of its policy, where known."""
    symmetry: bool = False
    """Whether the states are counted up to symmetry of interchangeable objects."""

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", expected cost {self.cost:g}"
        return f"{self.problem}: {self.states} states{' up to symmetry' if self.symmetry else ''}{cost}"


# --- for a domain ---


class TransitionFilter(ABC):
    """What prunes a search in the problems of a domain. It never changes; `merge` makes new ones."""

    noun: ClassVar[str]
    """What it is, in a word or two."""
    kind: str
    """What it sees: ``canonical``, the name of another abstraction, ``concepts`` for rules, or ``filter``."""
    has_file: ClassVar[bool] = True
    """Whether it can be written and read again."""
    nothing_fits: ClassVar[str]
    """What there is to say where it keeps nothing, if nothing that it knows is near."""
    certificate: Mapping[str, Any] | None = None
    """What is proven of it for problems of every size, and from what (`gpaplan.proofs.certificates`)."""

    def __init__(
        self,
        domain_name: str,
        vocabulary: DomainVocabulary,
        *,
        training: Iterable[TrainingExample] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.domain_name = domain_name
        self.vocabulary = vocabulary
        self.training = tuple(sorted(set(training), key=_order))
        self.settings = dict(settings or {})
        """What learning was asked for, such as ``ties`` and ``cost``; lists where examples differ."""

    @property
    def abstraction_record(self) -> dict[str, Any]:
        """What it sees, as plain data, with options if there are any."""
        return {"name": self.kind}

    @property
    def sizes(self) -> dict[str, int]:
        """How many ``vertices``, ``edges`` and ``rules`` it has."""
        return {"vertices": 0, "edges": 0, "rules": 0}

    @property
    def size_words(self) -> str:
        """The same in words."""
        return f"a {self.noun}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.domain_name!r}: {self.size_words})"

    @property
    def cost_modes(self) -> tuple[str, ...]:
        """``"unit"``, ``"metric"`` or both: the costs of the examples. Empty where that was not recorded."""
        modes = self.settings.get("cost", ())
        return (modes,) if isinstance(modes, str) else tuple(modes)

    @property
    def relevance(self) -> Relevance:
        """Whether the problems of the examples were grounded without what their goals cannot depend on.

        ``"on"`` or ``"off"``, or ``"either"`` where all of it matters.
        """
        found: Relevance = self.settings.get("relevance", "either")
        return found

    # --- using it ---

    @property
    @abstractmethod
    def all_matches(self) -> tuple[RelaxedMatch, ...]:
        """How a state can be compared with it, in the order in which that is tried; first strictly."""

    def matches(self, match: Match) -> tuple[RelaxedMatch, ...]:
        """Those of them that are tried."""
        if match not in ("strict", "coarse"):
            raise UsageError(f"states are matched 'strict' or 'coarse', not {match!r}")
        return self.all_matches[:1] if match == "strict" else self.all_matches

    def levels(self, match: Match) -> tuple[tuple[RelaxedMatch, ...], ...]:
        """What is tried in all states, level by level: all matches, then those from the next level on, and so forth."""
        matches = self.matches(match)
        starts = [i for i, each in enumerate(matches) if i == 0 or each.level > matches[i - 1].level]
        return tuple(matches[start:] for start in starts)

    @abstractmethod
    def on(self, task: GroundTask) -> TaskFilter:
        """The filter on the states of a task. Raises `MismatchError` if the task is of another domain, or was grounded
        with another relevance than those that it was learned from."""

    def explain(
        self,
        task: GroundTask,
        state: Iterable[AnyAtom],
        *,
        match: Match = "coarse",
        level: int = 0,
        settings: SpaceSettings | None = None,
    ) -> Explanation:
        """Which actions are kept in a state, which are pruned, and why; ``match`` and ``level`` are those of
        `ConstrainedStateSpace`."""
        space = StateSpace(task, settings)
        return self.on(task).explain(space, space.state(state), self.levels(match)[level])

    def accepts(self, policy: Policy | Decisions) -> Acceptance:
        """Whether all that a policy does, from the initial state on, is kept, strictly; if not, the first thing that is
        not."""
        from gpaplan.policies.policy import Policy

        actions: Mapping[int, int]
        if isinstance(policy, Policy):
            space = StateSpace(policy.task, symmetry=policy.symmetry)
            actions = dict(enumerate(policy.column(space)))
        else:
            space, actions = policy.space, policy.decisions
        task, strictly = space.task, self.matches("strict")
        on_task = self.on(task)
        core = on_task.core(strictly)
        seen = {*(queue := [space.initial])}
        for state in queue:
            action = actions.get(state, _core.NO_ACTION)
            if action in (_core.NO_ACTION, _core.GIVE_UP) or space.is_goal(state):
                continue
            if (action, True, _core.NO_ACTION) not in core.match_actions(space.core, state)[1]:
                found, named = on_task.explain(space, state, strictly), task.action(action)
                pruned = next(each for each in found.pruned if each.action == named)
                reason = f"in {found.label} the action {named}: {pruned.reason}"
                return Acceptance(False, reason, space.atoms(state), named)
            new = [each for each in space.core.successors(state, action) if each not in seen]
            seen.update(new)
            queue += new
        return Acceptance(True)

    def nearness(self, explanation: Explanation, action: GroundAction | None) -> Nearness:  # noqa: ARG002
        """What it knows that is nearest to a state in which nothing, or not this action, is kept, if it can say so."""
        from gpaplan.automata.explanation import Nearness

        return Nearness()

    # --- merging ---

    def merge(self, other: TransitionFilter) -> Self:
        """What is kept by this one, and what is kept by the other one."""
        self.check_domain(other.vocabulary, other.domain_name, f"the other {other.noun}")
        if type(self) is not type(other):
            raise MismatchError(f"{self.noun} and {other.noun}, of different abstractions, cannot be merged")
        relevance = {each.relevance for each in (self, other)} - {"either"}
        if len(relevance) > 1:
            raise MismatchError(
                "automata learned with and without relevance cannot be merged: their states speak of different atoms; "
                "learn one of them again (--relevance on or off, in Python ground(…, relevance=…))"
            )
        settings = _joined_settings(self.settings, other.settings)
        settings["relevance"] = next(iter(relevance), "either")
        return self._merged(other, training=(*self.training, *other.training), settings=settings)

    __or__ = merge

    def _merged(self, other: Any, **origin: Any) -> Self:  # noqa: ARG002
        """Merged with one of the same type and domain, of this origin."""
        raise self._refusal("merged")

    def check_domain(self, vocabulary: DomainVocabulary, name: str, what: str) -> None:
        """Raise `MismatchError` with the differences unless the vocabulary, of a domain of this name, is the same."""
        differences = self.vocabulary.differences(vocabulary)
        if differences and name != self.domain_name:
            learned = f"the {self.noun} was learned for domain '{self.domain_name}', and {what} is of domain '{name}'"
            raise MismatchError(f"{learned};  both must be of one domain")
        if differences:
            learned = f"the {self.noun} was learned for another version of domain '{name}' than {what} has"
            raise MismatchError(f"{learned}\n(- the {self.noun}'s, + the other's):\n" + "\n".join(differences))

    def check_task(self, task: GroundTask) -> None:
        """Raise `MismatchError` unless a task is of the same domain, and its states speak of the same things."""
        self.check_domain(DomainVocabulary.of(task.domain), task.domain.name, f"problem '{task.problem.name}'")
        grounded = "either" if self.relevance == "either" else relevance_of(task)
        if grounded not in ("either", self.relevance):
            raise MismatchError(
                f"the {self.noun} was learned with relevance {self.relevance}, and problem '{task.problem.name}' is "
                f"grounded with relevance {grounded}: their states speak of different atoms; ground the problem as the "
                f"others were (--relevance {self.relevance}, in Python relevance={self.relevance == 'on'}), or learn "
                "again"
            )

    # --- files ---

    def to_text(self) -> str:
        """As its file has it; what is equal and of equal origin gives equal text."""
        raise self._refusal("written")

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `from_json` takes it."""
        record: dict[str, Any] = json.loads(self.to_text())
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any], *, abstraction: AnyAbstraction | None = None) -> Self:
        """From what `to_json` gave, checked like a file."""
        from gpaplan.automata.automaton_file import filter_of
        from gpaplan.data import parse_json

        plain = parse_json(json.dumps(record), "<data>", "an automaton")
        return cls._expected(filter_of(plain, "<data>", abstraction), "<data>")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, which appears as a whole or not at all."""
        from gpaplan.files import write_text

        write_text(path, self.to_text())

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, abstraction: AnyAbstraction | None = None) -> Self:
        """Read a file. Everything in it is checked; nothing in it is executed. `TransitionFilter.read` takes any.

        An automaton of an abstraction of your own needs that abstraction again.
        """
        from gpaplan.automata.automaton_file import filter_of
        from gpaplan.data import read_json

        return cls._expected(filter_of(*read_json(path, "an automaton"), abstraction), os.fspath(path))

    @classmethod
    def _expected(cls, found: TransitionFilter, name: str) -> Self:
        if not isinstance(found, cls):
            raise UsageError(
                f"'{name}' holds no {cls.noun};  read it by {type(found).__name__}.read, or pass the file's name"
            )
        return found

    # --- showing it ---

    def summary(self) -> str:
        """A few lines for people."""
        return f"{self.noun} for domain '{self.domain_name}'"

    def to_html(self, *, level: int = 0) -> str:  # noqa: ARG002
        """One self-contained page that shows it, and opens at an abstraction level."""
        raise self._refusal("shown")

    def _refusal(self, done: str) -> UsageError:
        return UsageError(f"a {self.noun} of your own cannot be {done}: all that is known of it is what it keeps")

    def coarsened(self, level: int) -> Self:
        """The same at an abstraction level; only some have more than one, 0."""
        if level != 0:
            raise UsageError(f"a {self.noun} is shown at level 0 only")
        return self

    @property
    def formats(self) -> dict[str, Callable[[], str]]:
        """How it can be shown, by name, besides ``html``."""
        return {"text": lambda: self.summary() + "\n", "json": self.to_text}

    def graph_data(self) -> dict[str, Any] | None:
        """Its graph for a page, as plain data; None if it has none."""
        return None

    def _repr_html_(self) -> str:
        """In a notebook: the page in a frame."""
        return html_frame(self.to_html(), repr(self))


def _order(example: TrainingExample) -> tuple[str, int, float, bool]:
    return example.problem, example.states, -1.0 if example.cost is None else example.cost, example.symmetry


def _joined_settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of both; where they differ, the list of all values, whichever came first."""
    joined = {**one, **other}
    for key in one.keys() & other.keys():
        if one[key] != other[key]:
            values = [v for each in (one[key], other[key]) for v in (each if isinstance(each, list) else [each])]
            joined[key] = sorted({repr(value): value for value in values}.values(), key=repr)
    return joined


# --- on a task ---


class TaskFilter(ABC):
    """A filter on the states of one task."""

    task: GroundTask

    @abstractmethod
    def core(self, matches: Sequence[RelaxedMatch], *, lenient: bool = False) -> _core.TransitionFilter:
        """A filter for one space. Matches are tried in turn; if it is ``lenient``, all actions are kept after that."""

    def explain(self, space: StateSpace, state: int, matches: Sequence[RelaxedMatch]) -> Explanation:
        """What is kept and pruned in a state of a space that is not filtered, and why."""
        from gpaplan.automata.explanation import Explanation, PrunedAction

        number, found = self.core(matches).match_actions(space.core, state)
        last, named = matches[min(number, len(matches) - 1)], self.task.action
        seen, refused = self._seen(space, state, last)
        kept = [action for action, is_kept, _ in found if is_kept]
        return Explanation(
            **seen,
            match=matches[number] if number < len(matches) else None,
            last_match=last,
            kept=tuple(map(named, kept)),
            pruned=tuple(PrunedAction(named(each), *refused(each, end)) for each, is_kept, end in found if not is_kept),
            reasons=tuple(filter(None, (self.why(space, state, action) for action in kept))),
        )

    @abstractmethod
    def _seen(
        self, space: StateSpace, state: int, last: RelaxedMatch
    ) -> tuple[dict[str, Any], Callable[[int, int], tuple[Any, ...]]]:
        """What an `Explanation` says of a state, by the match that was tried last; and of an action that is pruned, and
        the outcome that is refused, if it is that: its label, the reason, and the outcome's label."""

    def why(self, space: StateSpace, state: int, action: int) -> str:  # noqa: ARG002
        """Why an action is kept in a state, in a sentence about it; nothing if there is nothing more to say."""
        return ""

    def vertex_of(self, space: StateSpace, state: int, match: RelaxedMatch) -> int | None:  # noqa: ARG002
        """The vertex that a state is matched with, by its place; None where there are no vertices."""
        return None


# --- what is given ---


@runtime_checkable
class ActionFilter(Protocol):
    """What prunes actions by a test of your own. It is asked in each state that is expanded, and up to symmetry in
    representatives of states."""

    def keeps(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> bool:
        """Whether an action is kept in the state in which these fluent atoms hold."""


AnyFilter: TypeAlias = TransitionFilter | ActionFilter | str | os.PathLike[str]
"""What prunes: an automaton, a rule list, the file of one, or, where a task is at hand, a filter of your own."""


def given_filter(given: AnyFilter, domain: Domain | None = None) -> TransitionFilter:
    """What is meant; a filter of your own, if there is a domain that it is for."""
    if isinstance(given, TransitionFilter):
        return given
    if isinstance(given, str | os.PathLike):
        return TransitionFilter.read(given)
    if domain is None or isinstance(given, type) or not isinstance(given, ActionFilter):
        wanted = "pass what learn, grow(…).automaton or PolicyAutomaton.read gives, or an object with a method keeps"
        raise misplaced(given, "automaton", wanted)
    from gpaplan.automata.own_filter import OwnFilter

    return OwnFilter(domain, given)


# --- what is left of a task ---


class ConstrainedStateSpace(StateSpace):
    """The state space of a task in which only those actions exist that an automaton, or another filter, keeps.

    The constraint is computed for the states that are expanded, and for no others. With ``match="coarse"`` a state in
    which no action would exist is compared again, more and more coarsely (`gpaplan.automata.filters`), and with a
    ``level`` above 0 all states are compared that coarsely from the start. If the constraint is ``lenient`` it says
    nothing in a state where it would leave no action even so: there, all of them exist.
    """

    def __init__(
        self,
        task: AnyTask,
        automaton: AnyFilter,
        settings: SpaceSettings | None = None,
        *,
        max_outcomes: int = MAX_OUTCOMES,
        symmetry: AnySymmetry = "off",
        match: Match = "strict",
        level: int = 0,
        lenient: bool = False,
        on_task: TaskFilter | None = None,
        limits: AnyLimits = None,
    ) -> None:
        """``on_task`` is the automaton on the task, if that is at hand from another space of the same thread."""
        settings = settings or SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes)
        self.task = task = given_task(task)
        self.automaton = automaton = given_filter(automaton, task.domain)
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        classes = None if self.symmetry is None else self.symmetry.core
        self.filter = automaton.on(task) if on_task is None else on_task
        self.matches = automaton.levels(match)[level]
        """How states are compared with the automaton, in the order in which it is tried."""
        with named_errors(task):
            self._kept = self.filter.core(self.matches, lenient=lenient)
            self.core = _core.StateSpace(task.core, settings.max_outcomes, classes, self._kept, stop)

    def match_of(self, state: int) -> RelaxedMatch | None:
        """How an expanded state was matched; None if it was not."""
        number = self._kept.match_of(state)
        return self.matches[number] if number < len(self.matches) else None

    def vertex_of(self, state: int) -> int | None:
        """The first of the automaton's vertices that an expanded state was matched with, by its place; None if
        there is none."""
        match = self.match_of(state)
        return None if match is None else self.filter.vertex_of(self, state, match)

    def matched(self) -> dict[str, int]:
        """How many expanded states were matched by each relaxed match, by its name; ``none`` for those by none."""
        names = [*(relaxed.name for relaxed in self.matches), "none"]
        return {name: count for name, count in zip(names, self._kept.match_counts(self.core), strict=False) if count}


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Whether a policy is accepted, and in which state with which action it is not; truthy if accepted."""

    accepted: bool
    reason: str = ""
    """The first violation, in words."""
    state: frozenset[GroundAtom] | None = None
    action: GroundAction | None = None

    def __bool__(self) -> bool:
        return self.accepted
