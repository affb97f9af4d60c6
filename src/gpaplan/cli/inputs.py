"""What a command is given: the files of a task, policies and automata, what they say of costs and relevance, and the
options that become records (how states are counted, how problems are solved, how an actor decides)."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gpaplan.acting.view import ActingSettings
from gpaplan.cli import conventions
from gpaplan.cli.conventions import show_warning
from gpaplan.cli.options import COUNT, argument, bundled, declared, option, output_option, relevance_option, setting
from gpaplan.errors import Diagnostic, UsageError
from gpaplan.limits import AnyLimits, started as start
from gpaplan.ppddl import Domain, ParsedTask, parse_domain, parse_task
from gpaplan.ppddl.loading import ParsedDomain, parse_domain_or_task
from gpaplan.solving.heuristics import ADMISSIBLE, HeuristicName, PatternDatabases
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import LRTDP, SOLVERS, SoftFLARES, SSiPP, make_solver
from gpaplan.spaces.state_space import SpaceSettings
from gpaplan.tasks.grounding import CostMode, ground
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.canonical import CanonicalAbstraction
    from gpaplan.automata.filters import TransitionFilter
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.learning.teaching import Teacher
    from gpaplan.pictures import Look
    from gpaplan.policies.policy import Policy
    from gpaplan.proofs.certificates import Standing


@dataclass
class TaskFiles:
    """DOMAIN [PROBLEM]. Once the task is grounded: what there was to warn of, and how many seconds each step took."""

    domain_file: Path
    problem_file: Path | None
    problem_name: str | None
    cost: CostMode = "auto"
    relevance: bool | None = None
    """Whether to drop what the goal cannot depend on; None: as the automaton and the policy ask for, else yes."""
    warnings: Sequence[Diagnostic] = field(default=(), init=False)
    shown: set[str] = field(default_factory=set)
    """Warnings that were shown: each is once, also if the task is grounded again."""
    seconds: dict[str, float] = field(default_factory=dict, init=False)

    def ground(self, *, limits: AnyLimits, automaton: TransitionFilter | None = None) -> GroundTask:
        """Parse and ground the task; warnings go to standard error.

        Unless it was asked for, an ``automaton`` decides whether everything is kept.
        """
        found = self._ground(parse_task, self.problem_file, limits, automaton)
        assert not isinstance(found, Domain)
        return found

    def ground_with(
        self, policy_file: Path | None, gpa_file: Path | None = None, *, limits: AnyLimits
    ) -> tuple[GroundTask, Policy | None, TransitionFilter | None]:
        """The task, the policy of a file for it, and an automaton, which say what is dropped unless it was asked for.
        A warning says if they were made for other costs."""
        from gpaplan.policies.policy import Policy
        from gpaplan.policies.policy_file import OtherAtomsError

        automaton = load_automaton(gpa_file)
        task, policy = self.ground(limits=limits, automaton=automaton), None
        if policy_file is not None:
            try:
                policy = Policy.read(task, policy_file, limits=limits)
            except OtherAtomsError:
                if self.relevance is not None or (automaton is not None and automaton.relevance != "either"):
                    raise
                self.relevance = not task.relevance
                task = self.ground(limits=limits)
                policy = Policy.read(task, policy_file, limits=limits)
            _warn_of_costs(policy_file, "the policy was made for", [policy.cost], task.cost)
        compare_costs(gpa_file, automaton, task.cost)
        return task, policy, automaton

    def ground_unless_alone(self, *, limits: AnyLimits, max_actions: int) -> GroundTask | Domain:
        """The same, but the domain as it is if there is no problem. A file that is given twice is meant once: an editor
        that checks the open file with the domain next to it does that when the domain is open.
        """
        problem_file = self.problem_file
        with contextlib.suppress(OSError):  # whoever reads them will say what is wrong
            if problem_file is not None and problem_file.samefile(self.domain_file):
                problem_file = None
        return self._ground(parse_domain_or_task, problem_file, limits, max_actions=max_actions)

    def _ground(
        self,
        parse: Callable[..., ParsedDomain | ParsedTask],
        problem_file: Path | None,
        limits: AnyLimits,
        automaton: TransitionFilter | None = None,
        **options: Any,
    ) -> GroundTask | Domain:
        begun, stop = time.perf_counter(), start(limits)
        with _no_search_for_cycles():
            parsed = parse(self.domain_file, problem_file, self.problem_name, limits=stop)
            self._warn(parsed.warnings)
            read = time.perf_counter()
            self.seconds = {"parse": read - begun}
            if isinstance(parsed, ParsedDomain):
                return parsed.domain
            relevance = relevance_for(self.relevance, automaton)
            task = ground(parsed, cost=self.cost, relevance=relevance, limits=stop, **options)
            self.seconds["ground"] = time.perf_counter() - read
        return task

    def _warn(self, warnings: Sequence[Diagnostic]) -> None:
        self.warnings = warnings
        for text in dict.fromkeys(warning.render() for warning in warnings):
            if text not in self.shown:
                show_warning(text)
            self.shown.add(text)


@contextlib.contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """For a task, which may be millions of objects and not one cycle: to look through them all would take a second in
    which nothing else happens, Ctrl-C included. They stay until the command ends, so they are not looked through later.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


problem_name_option = option(
    "--problem-name", str, "The problem to take from a file that holds several.", metavar="NAME"
)


@bundled
def task_arguments(
    domain_file: Path = argument("DOMAIN"),
    problem_file: Path | None = argument("[PROBLEM]", required=False),
    problem_name: str | None = problem_name_option,
    cost: CostMode = setting(SpaceSettings, "cost"),
    relevance: bool | None = relevance_option,
) -> TaskFiles:
    """DOMAIN [PROBLEM] and the options that choose among problems and costs, and say what is dropped."""
    return TaskFiles(domain_file, problem_file, problem_name, cost, relevance)


def ground_all(
    domain_file: Path,
    problem_files: Iterable[Path | None],
    cost: CostMode,
    *,
    limits: AnyLimits,
    automaton: TransitionFilter | None = None,
    relevance: bool | None = None,
) -> list[GroundTask]:
    """The tasks of a domain and several problems."""
    shown: set[str] = set()
    files = [TaskFiles(domain_file, problem, None, cost, relevance, shown) for problem in problem_files]
    return [each.ground(limits=limits, automaton=automaton) for each in files]


def load_automaton(file: Path | None) -> TransitionFilter | None:
    """Read an automaton, or rules. Once it is known what the problems cost, `compare_costs` is to be called."""
    from gpaplan.automata.filters import TransitionFilter

    return None if file is None else TransitionFilter.read(file)


class DomainAndRules(NamedTuple):
    """A domain with a rule list of it."""

    domain_file: Path
    domain: Domain
    rules_file: Path
    rules: RuleFilter


@bundled
def domain_and_rules(
    domain_file: Path = argument("DOMAIN"), rules_file: Path = argument("RULES")
) -> DomainAndRules:  # fmt: skip
    """DOMAIN RULES, which are exchanged if the second alone is PPDDL."""
    from gpaplan.data import is_ppddl

    if is_ppddl(rules_file) and not is_ppddl(domain_file):
        domain_file, rules_file = rules_file, domain_file
    domain = parse_domain(domain_file)
    return DomainAndRules(domain_file, domain, rules_file, load_rules(rules_file, domain))


def load_rules(file: Path, domain: Domain) -> RuleFilter:
    """One rule list: a rule a line, or what was learned or written by `learn`; it is checked against the domain.
    `DataError` says what is wrong and where."""
    from gpaplan.automata.filters import TransitionFilter
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.concepts.rules import RuleError, RuleList
    from gpaplan.data import read_text
    from gpaplan.errors import DataError

    text = read_text(file, str(file), "rules")
    try:
        if not text.lstrip().startswith("{"):
            return RuleFilter.of(domain, RuleList.parse(text, domain))
        rules = TransitionFilter.read(file)
        if not isinstance(rules, RuleFilter):
            raise UsageError("this is an automaton;  'gpaplan learn --abstraction concepts' learns rules")
        if len(rules.lists) > 1:
            raise UsageError("it holds several rule lists")
        rules.lists[0].check(domain)
    except RuleError as error:
        raise DataError(error.message, str(file), line=error.line, column=error.column) from None
    except UsageError as error:
        raise DataError(str(error), str(file), "rules") from None
    return rules


def standing_of(automaton: TransitionFilter | None, task: GroundTask) -> Standing | None:
    """What a certificate says of a problem; None if the automaton has none. Nothing is searched for it."""
    if automaton is None or automaton.certificate is None:
        return None
    from gpaplan.proofs.certificates import standing

    return standing(automaton, task.domain, task.problem)


def relevance_for(asked_for: bool | None, automaton: TransitionFilter | None = None) -> bool:
    """Whether to drop what the goal cannot depend on: what was asked for, or what an automaton was learned with."""
    return asked_for if asked_for is not None else automaton is None or automaton.relevance != "off"


def compare_costs(file: Path | None, automaton: TransitionFilter | None, cost: str) -> None:
    """Warn if an automaton was learned with other costs."""
    if file is not None and automaton is not None:
        _warn_of_costs(file, "the automaton was learned with", automaton.cost_modes, cost)


def _warn_of_costs(file: Path, what: str, modes: Sequence[str], cost: str) -> None:
    """Warn of what was made for other costs than those of the task."""
    if modes and cost not in modes:
        made = f"{what} {' and '.join(modes)} costs, and the task has {cost} costs"
        show_warning(f"{file}: warning: {made} (--cost {modes[0]})")


def chosen_abstraction(
    old: TransitionFilter | None, file: Path | None, features: dict[str, Any]
) -> CanonicalAbstraction | None:
    """What --goals, --ignore and their like ask for; None if the automaton that is updated decides."""
    from gpaplan.automata.automaton import given_automaton
    from gpaplan.automata.canonical import CanonicalAbstraction

    wanted = CanonicalAbstraction(**features)
    if old is None:
        return wanted
    options = given_automaton(old).abstraction.options
    if features and wanted.options != options:
        raise UsageError(f"'{file}' was learned with {options}; leave {spelled(features)} out")
    return None


def spelled(features: dict[str, Any]) -> str:
    """The options that asked for some features."""
    return " and ".join(f"--no-{name}" if value is False else f"--{name}" for name, value in features.items())


@bundled
def teach_options(
    teach: str = option(
        "--teach", ["on", "off"], "Learn from this very problem where no policy is found in a moment.", "on"
    ),
    save_gpa: Path | None = output_option("what was learned from it", "--save-gpa", required=False),
    cache: Path | None = option(
        "--teach-cache",
        conventions.FOLDER,
        "Keep what was learned in this folder, and begin with what is there for the same domain.",
        metavar="FOLDER",
    ),
) -> Teacher | None:
    """Who learns from the problem, if anybody does."""
    if teach == "off" and (save_gpa or cache):
        raise UsageError("--save-gpa and --teach-cache keep what is learned, and with --teach off nothing is")
    from gpaplan.learning.teaching import Teacher

    return None if teach == "off" else Teacher(cache, save_gpa)


def teacher_without(gpa_file: Path | None, teacher: Teacher | None) -> Teacher | None:
    """The teacher, unless an automaton is given."""
    if gpa_file is not None and teacher is not None and (teacher.file or teacher.cache):
        raise UsageError("--save-gpa and --teach-cache keep what is learned, and with --gpa nothing is: leave one out")
    return teacher if gpa_file is None else None


# --- options that become records ---

max_outcomes_option = setting(SpaceSettings, "max_outcomes")
cost_option = setting(SpaceSettings, "cost")
seed_option = setting(RunSettings, "seed")
dead_end_cost_option = setting(ActingSettings, "dead_end_cost")
gpa_option = option("--gpa", conventions.INPUT, "Act by this automaton.")
assume_option = option(
    "--assume", str, "Problems fulfil this condition. May be repeated.", multiple=True, metavar="CONDITION"
)


@bundled
def look_option(
    look_file: Path | None = option(
        "--look", conventions.INPUT, "TOML that says what predicates are drawn as in pictures of states."
    ),
) -> Look:
    """What pictures look like."""
    from gpaplan.pictures import read_look

    return {} if look_file is None else read_look(look_file)


def space_options(symmetry: str = "auto") -> Any:
    """How states are counted, as a record."""

    @bundled
    def space(given: dict[str, Any] = declared(SpaceSettings, "symmetry", "max_outcomes", symmetry=symmetry)) -> Any:
        return SpaceSettings(**given)

    return space


@bundled
def run_options(
    given: dict[str, Any] = declared(RunSettings),
    epsilon: float = setting(LRTDP, "epsilon"),
    patterns: dict[str, Any] = declared(PatternDatabases, "variables", "states", "work", prefix="pdb_"),
    flares: dict[str, Any] = declared(
        SoftFLARES, "horizon", "distance", "labelling", "alpha", "beta", prefix="flares_"
    ),
    ssipp: dict[str, Any] = declared(SSiPP, "steps", prefix="ssipp_"),
    space: SpaceSettings = space_options(),
) -> RunSettings:
    """All that decides how a task is solved."""
    own = {SSiPP.name: ssipp, SoftFLARES.name: flares}.get(given["solver"], {})
    if given["solver"] is not None:
        given["solver"] = SOLVERS[given["solver"]](epsilon=epsilon, **own)
    elif epsilon != LRTDP().epsilon:
        given["solver"] = LRTDP(epsilon=epsilon)
    if given["heuristic"] in ("pdb", "best"):
        given["heuristic"] = PatternDatabases(**patterns, landmarks=given["heuristic"] == "best")
    elif other := next((key for key, value in patterns.items() if value != getattr(PatternDatabases(), key)), None):
        raise UsageError(f"--pdb-{other} is for pattern databases: give --heuristic pdb or best")
    return RunSettings(**given, space=space)


def training_options(defaults: RunSettings) -> Any:
    """How problems are solved to optimality."""
    usual = defaults.first_solver

    @bundled
    def settings(
        solver: str = option("--solver", ["lrtdp", "ilao", "lao", "vi"], "How the problems are solved.", usual.name),
        heuristic: HeuristicName = option(
            "--heuristic", ADMISSIBLE, "What guides the solver; all of these are admissible.", str(defaults.heuristic)
        ),
        epsilon: float = setting(LRTDP, "epsilon", epsilon=usual.epsilon),
        dead_end_cost: float | None = setting(RunSettings, "dead_end_cost"),
        cost: CostMode = cost_option,
        seed: int = seed_option,
        space: SpaceSettings = space_options(),
    ) -> RunSettings:
        chosen = replace(defaults, solver=make_solver(solver, epsilon), heuristic=heuristic)
        return replace(chosen, dead_end_cost=dead_end_cost, seed=seed, space=replace(space, cost=cost))

    return settings


@bundled
def actor_options(
    steps: int = option("--steps", COUNT, "Look ahead this many steps.", 10),
    decision_states: int = option("--decision-states", COUNT, "Look at this many states at most for a decision.", 1000),
    work: dict[str, Any] = declared(ActingSettings, "work", prefix="decision_"),
    acting: dict[str, Any] = declared(ActingSettings, "heuristic", "match"),
    space: dict[str, Any] = declared(SpaceSettings, "symmetry", "max_outcomes"),
    others: dict[str, Any] = declared(ActingSettings, "dead_end_cost", "seed"),
) -> dict[str, Any]:
    """How an actor decides, as options of `gpaplan.Actor`."""
    solver = SSiPP(steps=steps, max_states=decision_states)
    return {"solver": solver, **work, **acting, **space, **others}
