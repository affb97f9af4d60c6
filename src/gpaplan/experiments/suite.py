"""Suites: what is to be run.

A suite has domains, each with training problems, test problems and a *protocol*: solvers, with and without the
automaton, heuristic, seeds, limits. Its runs are the product of these. `gpaplan.experiments.suite_file` reads one from
a TOML file or takes one that comes with the package.

A run's key is the hash of everything that determines it, and of nothing else: not of the suite's name, of the problem's
place in a list or of the number of runs. So a suite may grow, and what is recorded already stays good.

A problem is text, generated or read from PPDDL files: a run's process needs no files, and the hashes in its record are
those of the very text that was solved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gpaplan import _core
from gpaplan.benchmarks import family
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.learning.solving import TRAINING
from gpaplan.limits import Limits
from gpaplan.ppddl import parse_task
from gpaplan.ppddl.loading import read_source
from gpaplan.settings import Settings, declarations, same, setting, with_changes
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import LRTDP, SOLVERS
from gpaplan.spaces.state_space import SpaceSettings
from gpaplan.tasks.grounding import costs_asked_for
from gpaplan.traces.trials import TrialSettings


def sha256(text: str) -> str:
    """The hash of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class SuiteInstance:
    """A domain and a problem."""

    label: str
    theta: str
    domain_text: str
    problem_text: str
    problem_name: str | None = None
    """Which problem of the text, where it has several."""
    optimal: float | None = None
    """The least expected cost at 1 for each action, where it is known in closed form."""
    cost_asked_for: str = "unit"
    """What ``cost = "auto"`` means for it: ``unit`` or ``metric``."""

    @cached_property
    def domain_hash(self) -> str:
        return sha256(self.domain_text)

    @cached_property
    def problem_hash(self) -> str:
        return sha256(self.problem_text)

    @property
    def identity(self) -> list[str | None]:
        """What tells this problem from every other."""
        return [self.domain_hash, self.problem_hash, self.problem_name]


def generated(name: str, theta: Sequence[int], seed: int) -> SuiteInstance:
    """A problem of a benchmark domain."""
    generator = family(name)
    benchmark = generator.generate(*theta, seed=seed)
    label = f"{generator.name}({','.join(map(str, theta))})" + (f" seed {seed}" if seed else "")
    return SuiteInstance(
        label,
        " ".join(map(str, theta)),
        benchmark.domain_text,
        benchmark.problem_text,
        optimal=generator.optimal_cost(*theta),
    )


def from_files(domain: Path, problem: Path, problem_name: str | None) -> SuiteInstance:
    """A problem from files, which are read and checked now: a mistake in them should not show after hours of runs."""
    parsed = parse_task(domain, problem, problem_name)
    label = problem.stem if problem_name is None else f"{problem.stem}:{problem_name}"
    texts = read_source(domain).text, read_source(problem).text
    for path, text in zip((domain, problem), texts, strict=True):
        if "(" not in text:
            raise UsageError(f"{path} has no PPDDL text in it")
    mode = costs_asked_for(parsed.domain, parsed.problem).mode
    return SuiteInstance(label, "", *texts, problem_name=problem_name, cost_asked_for=mode)


GIBIBYTES_16 = 17_180.0
"""16 GiB in megabytes, rounded up."""
MOST_RUNS = 100_000
"""Of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol(Settings):
    """How the problems of a domain are run. The defaults are the protocol of the paper, but for symmetry, relevance,
    cost, and how automata are used: these are what `solve` does by itself. Every field is a key of the suite's file."""

    solvers: tuple[str, ...] = ("lrtdp", "soft-flares")
    gpa: tuple[bool, ...] = (False, True)
    heuristic: str = same(RunSettings, "heuristic", default="ff", default_in_words=None)
    epsilon: float = same(LRTDP, "epsilon")
    cost: str = same(SpaceSettings, "cost")
    symmetry: str = same(SpaceSettings, "symmetry")
    relevance: str = setting("on", "Drop what the goal cannot depend on.", choices=("off", "on"))
    seeds: tuple[int, ...] = tuple(range(10))
    trials: int = same(TrialSettings, "trials")
    horizon: int = same(TrialSettings, "horizon")
    time_limit: float = same(Limits, "seconds", default=7200.0, help="Limit of each run.")
    memory_limit: float = same(Limits, "megabytes", default=GIBIBYTES_16, help="Limit of each run.")
    match: str = same(RunSettings, "match", group="Options", is_rare=False)
    fallback: str = same(RunSettings, "fallback")
    ties: str = setting("harmonize", "Which of several optimal actions to learn from.", choices=_core.tie_names())
    goals: bool = setting(False, "Use features of the goal.")
    give_up_after: int = setting(
        0,
        "Do not run a solver without the automaton on a problem if it met a limit on N problems in a row before; 0: "
        "run it on all.",
        least=0,
        most=10**5,
        is_whole=True,
        metavar="N",
    )
    once_at_limit: bool = setting(False, "Run a problem once if the first run meets a limit.")

    def of_run(self, solver: str, seed: int, *, gpa: bool) -> dict[str, Any]:
        """What decides one run, by the names of the suite's file: jobs, keys and records have no other list of it."""
        values = {name: value for name, value in asdict(self).items() if name not in _OF_DOMAIN}
        heuristic = self.heuristic if SOLVERS[solver].uses_heuristic else None
        if not gpa:
            del values["match"], values["fallback"]
        return {**values, "solver": solver, "heuristic": heuristic, "seed": seed}

    def of_training(self) -> dict[str, Any]:
        """The same for the training problems, which are solved to optimality, as always."""
        solver = TRAINING.first_solver
        values = {"solver": solver.name, "epsilon": solver.epsilon, "heuristic": TRAINING.first_heuristic}
        usual = {"symmetry": "off", "relevance": "off"}  # old keys stay good
        others = {name: getattr(self, name) for name, value in usual.items() if getattr(self, name) != value}
        return {**values, "cost": self.cost, **others, "ties": self.ties, "goals": self.goals}


_OF_DOMAIN = ("solvers", "gpa", "seeds", "ties", "goals", "give_up_after", "once_at_limit")


_AS_RECORDED = {"cost": "cost_mode", "fallback": "fallback_mode"}
RECORDED = tuple(_AS_RECORDED.get(name, name) for name in declarations(Protocol) if name not in _OF_DOMAIN)
"""The columns of a record that are settings of the protocol."""


@dataclass(frozen=True)
class DomainPlan:
    """A domain of a suite: what is learned from, what is solved, and how."""

    name: str
    suite: str
    """The suite that has it; not the one that includes that suite."""
    protocol: Protocol
    training: tuple[SuiteInstance, ...]
    test: tuple[SuiteInstance, ...]

    @cached_property
    def training_key(self) -> str:
        """Of everything that determines the automaton."""
        problems = [instance.identity for instance in self.training]
        return _key({"format": 1, "problems": problems, **self.protocol.of_training()})


@dataclass(frozen=True)
class Run:
    """One problem, one solver, with or without the automaton, one seed."""

    plan: DomainPlan
    size: int
    solver: str
    gpa: bool
    index: int
    """Which of the runs of this problem and configuration it is, from 0."""

    @property
    def instance(self) -> SuiteInstance:
        """The problem."""
        return self.plan.test[self.size]

    @property
    def seed(self) -> int:
        """What its random numbers start from."""
        return self.plan.protocol.seeds[self.index]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """How the problem is solved, as plain data."""
        return self.plan.protocol.of_run(self.solver, self.seed, gpa=self.gpa)

    @cached_property
    def key(self) -> str:
        """What tells it from every other run: a digest of all that determines it."""
        usual = {"match": "strict", "fallback": "full", "relevance": "off"}  # all there once was: old keys stay good
        settings = {name: value for name, value in self.settings.items() if usual.get(name) != value}
        problem = {"domain": self.plan.name, "problem": self.instance.label, "identity": self.instance.identity}
        return _key({"format": 1, **problem, "gpa": self.plan.training_key if self.gpa else None, **settings})

    def described(self) -> dict[str, Any]:
        """The fields of the run's record that are known before it starts."""
        settings = {_AS_RECORDED.get(name, name): value for name, value in self.settings.items()}
        training = json.dumps([instance.label for instance in self.plan.training]) if self.gpa else None
        return {
            "key": self.key,
            "suite": self.plan.suite,
            "domain": self.plan.name,
            "problem": self.instance.label,
            "theta": self.instance.theta,
            "size": self.size,
            "gpa": int(self.gpa),
            "run": self.index,
            **settings,
            "optimal": self.instance.optimal if settings["cost_mode"] == "unit" else None,
            "training": training,
            "problem_hash": self.instance.problem_hash,
            "domain_hash": self.instance.domain_hash,
        }

    def __str__(self) -> str:
        return f"{self.instance.label} {self.solver}{' with automaton' if self.gpa else ''}, run {self.index}"


@dataclass(frozen=True)
class Suite:
    """What is to be run."""

    name: str
    description: str
    domains: tuple[DomainPlan, ...]

    def runs(self) -> list[Run]:
        """All runs: the first run of everything, then the second, so that a suite cut short has some of everything."""
        most = max((len(plan.protocol.seeds) for plan in self.domains), default=0)
        return [
            Run(plan, size, solver, gpa, index)
            for index in range(most)
            for plan in self.domains
            if index < len(plan.protocol.seeds)
            for size in range(len(plan.test))
            for solver in plan.protocol.solvers
            for gpa in plan.protocol.gpa
        ]

    def override(self, *, runs: int | None = None, **settings: Any) -> Suite:
        """The same suite with another number of runs, or other settings of the protocol, everywhere; None: as it is."""
        if runs is not None and runs > MOST_RUNS:
            raise UsageError(f"a suite has at most {MOST_RUNS:,} runs of each problem, not {runs:,}")
        given = {name: value for name, value in settings.items() if value is not None}
        limits = {name: float(given[name]) for name in ("time_limit", "memory_limit") if name in given}
        changes = given | limits  # a key tells 600 from 600.0
        domains = []
        for plan in self.domains:
            seeds = plan.protocol.seeds if runs is None else _seeds(plan, runs)
            domains.append(replace(plan, protocol=with_changes(plan.protocol, seeds=seeds, **changes)))
        return replace(self, domains=tuple(domains))

    def part(self, *, domains: Sequence[str] = (), solvers: Sequence[str] = ()) -> Suite:
        """The runs of these domains with these solvers; nothing named means all. They are recorded as the suite's."""
        _check_part("domain", domains, [plan.name for plan in self.domains], self.name)
        _check_part("solver", solvers, [name for plan in self.domains for name in plan.protocol.solvers], self.name)
        plans = []
        for plan in self.domains:
            kept = tuple(name for name in plan.protocol.solvers if not solvers or name in solvers)
            if kept and (not domains or plan.name in domains):
                plans.append(replace(plan, protocol=replace(plan.protocol, solvers=kept)))
        if not plans:
            raise UsageError(f"suite '{self.name}' has no runs of {', '.join(domains)} with {', '.join(solvers)}")
        return replace(self, domains=tuple(plans))


def _check_part(kind: str, names: Sequence[str], known: Sequence[str], suite: str) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(dict.fromkeys(known))}"
            raise UsageError(f"suite '{suite}' has no {kind} '{name}';  {hint}")


def _seeds(plan: DomainPlan, runs: int) -> tuple[int, ...]:
    """The first seeds of the suite; more of them go on where a row of consecutive numbers ends."""
    seeds = plan.protocol.seeds
    if runs <= len(seeds):
        return seeds[:runs]
    if seeds != tuple(range(seeds[0], seeds[0] + len(seeds))):
        raise UsageError(
            f"{runs} runs need {runs} seeds, and the suite '{plan.suite}' lists {len(seeds)} for {plan.name}; "
            "list more of them in the suite's file, or ask for fewer runs"
        )
    return tuple(range(seeds[0], seeds[0] + runs))


def _key(values: dict[str, Any]) -> str:
    return sha256(json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False))
