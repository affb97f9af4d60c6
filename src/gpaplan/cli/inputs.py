"""What a command is given: the files of a task, policies and automata, what they say of costs and relevance, and the
options that become records (how states are counted, how problems are solved, how an actor decides)."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gpaplan import _core
from gpaplan.acting.view import ActingSettings
from gpaplan.cli import conventions
from gpaplan.cli.conventions import show_warning
from gpaplan.cli.options import COUNT, Decorator, bundled, declared, in_order, option, relevance_option, spelled
from gpaplan.errors import Diagnostic, UsageError
from gpaplan.settings import declarations
from gpaplan.solving.heuristics import ADMISSIBLE, AnyHeuristic, HeuristicName, PatternDatabases
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import LRTDP, SoftFLARES, Solver, SSiPP, make_solver
from gpaplan.spaces.state_space import SpaceSettings

if TYPE_CHECKING:
    from gpaplan.automata.canonical import CanonicalAbstraction
    from gpaplan.automata.filters import TransitionFilter
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.learning.teaching import Teacher
    from gpaplan.limits import AnyLimits
    from gpaplan.policies.policy import Policy
    from gpaplan.ppddl import Domain, ParsedTask
    from gpaplan.proofs.certificates import Standing
    from gpaplan.tasks.grounding import CostMode
    from gpaplan.tasks.task import GroundTask


@dataclass
class TaskFiles:
    """DOMAIN [PROBLEM]. Once the task is grounded: what there was to warn of, and how many seconds each step took."""

    domain_file: Path
    problem_file: Path | None
    problem_name: str | None
    relevance: bool | None = None
    """Whether to drop what the goal cannot depend on; None: as the automaton and the policy ask for, else yes."""
    warnings: Sequence[Diagnostic] = field(default=(), init=False)
    seconds: dict[str, float] = field(default_factory=dict, init=False)

    def ground(
        self, cost: CostMode, *, limits: AnyLimits, automaton: TransitionFilter | None = None, **options: Any
    ) -> GroundTask:
        """Parse and ground the task, with the options of `gpaplan.ground`; warnings go to standard error.

        Unless it was asked for, an ``automaton`` decides whether everything is kept.
        """
        from gpaplan.limits import started as start
        from gpaplan.ppddl import parse_task

        started = time.perf_counter()
        stop = start(limits)
        with _no_search_for_cycles():
            parsed = parse_task(self.domain_file, self.problem_file, self.problem_name, limits=stop)
            options["relevance"] = relevance_for(self.relevance, automaton)
            return self._ground(parsed, started, cost, stop, options)

    def ground_with(
        self, policy_file: Path | None, cost: CostMode, *, limits: AnyLimits, automaton: TransitionFilter | None = None
    ) -> tuple[GroundTask, Policy | None]:
        """The task, and the policy of a file for it. Unless it was asked for, the file decides what is dropped."""
        from gpaplan.policies.policy_file import OtherAtomsError

        task = self.ground(cost, limits=limits, automaton=automaton)
        if policy_file is None:
            return task, None
        try:
            return task, load_policy(policy_file, task, limits)
        except OtherAtomsError:
            if self.relevance is not None or (automaton is not None and automaton.relevance != "either"):
                raise
            self.relevance = not task.relevance
        task = self.ground(cost, limits=limits)
        return task, load_policy(policy_file, task, limits)

    def ground_unless_alone(self, cost: CostMode, *, limits: AnyLimits, **options: Any) -> GroundTask | Domain:
        """The same, but the domain as it is if there is no problem. A file that is given twice is meant once: an editor
        that checks the open file with the domain next to it does that when the domain is open.
        """
        from gpaplan.limits import started as start
        from gpaplan.ppddl.loading import ParsedTask, parse_domain_or_task

        started = time.perf_counter()
        stop = start(limits)
        with _no_search_for_cycles():
            problem_file = None if self._is_given_twice() else self.problem_file
            parsed = parse_domain_or_task(self.domain_file, problem_file, self.problem_name, limits=stop)
            if isinstance(parsed, ParsedTask):
                options["relevance"] = relevance_for(self.relevance)
                return self._ground(parsed, started, cost, stop, options)
        self._warn(parsed.warnings)
        self.seconds = {"parse": time.perf_counter() - started}
        return parsed.domain

    def _is_given_twice(self) -> bool:
        with contextlib.suppress(OSError):  # whoever reads them will say what is wrong
            return self.problem_file is not None and self.problem_file.samefile(self.domain_file)
        return False

    def _ground(
        self, parsed: ParsedTask, started: float, cost: CostMode, stop: _core.Stop, options: dict[str, Any]
    ) -> GroundTask:
        from gpaplan.tasks.grounding import ground

        self._warn(parsed.warnings)
        read = time.perf_counter()
        task = ground(parsed, cost=cost, limits=stop, **options)
        self.seconds = {"parse": read - started, "ground": time.perf_counter() - read}
        return task

    def _warn(self, warnings: Sequence[Diagnostic]) -> None:
        if not self.warnings:  # once, if the task is grounded again
            for warning in warnings:
                show_warning(warning.render())
        self.warnings = warnings


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


task_arguments = bundled(
    "files",
    TaskFiles,
    click.argument("domain_file", metavar="DOMAIN", type=conventions.INPUT),
    click.argument("problem_file", metavar="[PROBLEM]", type=conventions.INPUT, required=False),
    click.option("--problem-name", metavar="NAME", help="The problem to take from a file that holds several."),
    declared(SpaceSettings, "cost"),
    relevance_option,
)
"""DOMAIN [PROBLEM] and the options that choose among problems and costs, and say what is dropped."""


def load_policy(file: Path, task: GroundTask, limits: AnyLimits) -> Policy:
    """Read a policy; a warning says if it was made for other costs."""
    from gpaplan.policies.policy import Policy

    policy = Policy.read(task, file, limits=limits)
    _warn_of_costs(file, "the policy was made for", [policy.cost], task.cost)
    return policy


def load_automaton(file: Path) -> TransitionFilter:
    """Read an automaton, or rules. Once it is known what the problems cost, `compare_costs` is to be called."""
    from gpaplan.automata.filters import TransitionFilter

    return TransitionFilter.read(file)


def load_rules(file: Path, domain: Domain) -> RuleFilter:
    """One rule list: a rule a line, or what was learned or written by `learn`; it is checked against the domain.
    `DataError` says what is wrong and where."""
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.concepts.rules import RuleError, RuleList
    from gpaplan.data import read_text
    from gpaplan.errors import DataError

    text = read_text(file, str(file), "rules")
    try:
        if not text.lstrip().startswith("{"):
            return RuleFilter.of(domain, RuleList.parse(text, domain))
        rules = RuleFilter.read(file)
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


def _teacher(teach: str, save_gpa: Path | None, cache: Path | None) -> Teacher | None:
    if teach == "off" and (save_gpa or cache):
        raise UsageError("--save-gpa and --teach-cache keep what is learned, and with --teach off nothing is")
    from gpaplan.learning.teaching import Teacher

    return None if teach == "off" else Teacher(cache, save_gpa)


def teacher_without(gpa_file: Path | None, teacher: Teacher | None) -> Teacher | None:
    """The teacher, unless an automaton is given."""
    if gpa_file is not None and teacher is not None and (teacher.file or teacher.cache):
        raise UsageError("--save-gpa and --teach-cache keep what is learned, and with --gpa nothing is: leave one out")
    return teacher if gpa_file is None else None


teach_options = bundled(
    "teacher",
    _teacher,
    option("--teach", ["on", "off"], "Learn from this very problem where no policy is found in a moment.", "on"),
    option("--save-gpa", conventions.OUTPUT, "Write what was learned from it to this file."),
    option(
        "--teach-cache cache",
        click.Path(file_okay=False, path_type=Path),
        "Keep what was learned in this folder, and begin with what is there for the same domain.",
        metavar="FOLDER",
    ),
)
"""Who learns from the problem, if anybody does."""


# --- options that become records ---

max_outcomes_option = declared(SpaceSettings, "max_outcomes")
cost_option = declared(SpaceSettings, "cost")
seed_option = declared(RunSettings, "seed")


def space_options(symmetry: str = "auto") -> Decorator:
    """With the command's ``--cost`` they become ``space_settings``."""
    return bundled(
        "space_settings", SpaceSettings, declared(SpaceSettings, "symmetry", "max_outcomes", symmetry=symmetry)
    )


_PATTERNS = ("variables", "states", "work")
_FLARES = ("horizon", "distance", "labelling", "alpha", "beta")
_OF_RUN = tuple(declarations(RunSettings))

run_options = in_order(
    declared(RunSettings, *_OF_RUN),
    declared(LRTDP, "epsilon"),
    declared(PatternDatabases, *_PATTERNS, prefix="pdb_"),
    declared(SoftFLARES, *_FLARES, prefix="flares_"),
    declared(SSiPP, "steps", prefix="ssipp_"),
    space_options(),
)
"""All that decides how a task is solved; `run_settings` makes the record of them."""


def run_settings(space_settings: SpaceSettings, options: dict[str, Any]) -> RunSettings:
    """The record of `run_options`, which it takes out of all options of a command."""
    values = {name: options.pop(name) for name in _OF_RUN}
    own = {name: options.pop(name) for name in ("epsilon", *(f"flares_{each}" for each in _FLARES), "ssipp_steps")}
    values["solver"] = _make_solver(values["solver"], own)
    values["heuristic"] = _make_heuristic(values["heuristic"], {each: options.pop(f"pdb_{each}") for each in _PATTERNS})
    return RunSettings(**values, space=space_settings)


def _make_heuristic(name: HeuristicName | None, given: dict[str, Any]) -> AnyHeuristic | None:
    """A heuristic with the settings given, which are those of pattern databases."""
    if name in ("pdb", "best"):
        return PatternDatabases(**given, landmarks=name == "best")
    if other := next((key for key, value in given.items() if value != getattr(PatternDatabases(), key)), None):
        raise UsageError(f"--pdb-{other.replace('_', '-')} is for pattern databases: give --heuristic pdb or best")
    return name


def _make_solver(name: str | None, own: dict[str, Any]) -> Solver | None:
    """A solver with those of the options that are its own; none, unless one is asked for."""
    if name is None:
        return None if own["epsilon"] == LRTDP().epsilon else LRTDP(epsilon=own["epsilon"])
    if name == SSiPP.name:
        return SSiPP(epsilon=own["epsilon"], steps=own["ssipp_steps"])
    if name == SoftFLARES.name:
        return SoftFLARES(epsilon=own["epsilon"], **{each: own[f"flares_{each}"] for each in _FLARES})
    return make_solver(name, own["epsilon"])


def training_options(defaults: RunSettings) -> Decorator:
    """How problems are solved to optimality, as ``settings``."""
    usual = defaults.first_solver

    def settings(
        solver: str,
        heuristic: HeuristicName,
        epsilon: float,
        dead_end_cost: float | None,
        seed: int,
        space_settings: SpaceSettings,
    ) -> RunSettings:
        chosen = replace(defaults, solver=make_solver(solver, epsilon), heuristic=heuristic)
        return replace(chosen, dead_end_cost=dead_end_cost, seed=seed, space=space_settings)

    return in_order(
        option("--solver", ["lrtdp", "ilao", "lao", "vi"], "How the problems are solved.", usual.name),
        option(
            "--heuristic", ADMISSIBLE, "What guides the solver; all of these are admissible.", str(defaults.heuristic)
        ),
        declared(LRTDP, "epsilon", epsilon=usual.epsilon),
        declared(RunSettings, "dead_end_cost"),
        cost_option,
        seed_option,
        space_options(),
        bundled("settings", settings),
    )


gpa_option = option("--gpa gpa_file", conventions.INPUT, "Act by this automaton.")


def _options(steps: int, decision_states: int, decision_work: int, **settings: Any) -> dict[str, Any]:
    return {"solver": SSiPP(steps=steps, max_states=decision_states), "work": decision_work, **settings}


actor_options = bundled(
    "options",
    _options,
    option("--steps", COUNT, "Look ahead this many steps.", 10),
    option("--decision-states", COUNT, "Look at this many states at most for a decision.", 1000),
    option(
        "--decision-work",
        COUNT,
        "Do this much work at most for a decision; 10 million take about a second.",
        100_000,
    ),
    declared(ActingSettings, "heuristic", "match"),
    declared(SpaceSettings, "symmetry", "max_outcomes"),
    declared(ActingSettings, "dead_end_cost", "seed"),
    also=("heuristic", "match", "symmetry", "max_outcomes", "dead_end_cost", "seed"),
)
"""How an actor decides, as ``options`` of `gpaplan.Actor`."""
