"""Suites from TOML files, checked from the outside in: the first mistake is a `DataError` that says where it is.

    description = "My domain"
    runs = 3
    time_limit = 600

    [[domain]]
    file = "domain.ppddl"
    training = ["small-1.ppddl", "small-2.ppddl"]
    test = ["large-1.ppddl", "large-2.ppddl"]

The settings of the protocol may stand at the top, for all domains, and in a domain, for that one. docs/experiments.md
has all keys.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field

from gpaplan.benchmarks import family
from gpaplan.data import Checker, PositiveNumber, parse_toml, read_text, typed
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.experiments.suite import MOST_RUNS, DomainPlan, Protocol, Suite, SuiteInstance, from_files, generated
from gpaplan.files import STDIN, file_name
from gpaplan.ppddl import parse_domain
from gpaplan.settings import Declaration, declarations
from gpaplan.solving.solvers import SOLVERS

PACKAGED = Path(__file__).parent / "suites"

_MOST_BYTES = 2**20  # of a suite's file
_SEEN_FROM = "; paths are seen from the suite's file"
_NAME = re.compile(r"[\w.+-]+( [\w.+-]+)*")

# --- what a file may say ---

_solver: Any = Literal[tuple(SOLVERS)]
Solvers = Annotated[list[_solver], Meta(description=f"a list of some of {', '.join(SOLVERS)}")]
Text = Annotated[str, Meta(description="a text in quotes")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]


def _key_of(name: str, setting: Declaration) -> Any:
    """The key of a setting of the protocol: what it may be, or that it is not given."""
    kind: Any = type(setting.default)
    if setting.choices:
        kind = Literal[setting.choices]
    elif setting.is_whole:
        kind = Annotated[int, Meta(ge=setting.least, le=setting.most)]
    elif setting.above == 0:
        kind = PositiveNumber
    return name, kind | UnsetType, UNSET


_LISTS: list[Any] = [
    ("solvers", Solvers | UnsetType, UNSET),
    ("gpa", Annotated[list[bool] | bool, Meta(description="[false, true], [false] or [true]")] | UnsetType, UNSET),
    ("runs", Annotated[int, Meta(ge=1, le=MOST_RUNS)] | UnsetType, UNSET),
    (
        "seeds",
        Annotated[list[Seed], Meta(description="a list of whole numbers, one for each run")] | UnsetType,
        UNSET,
    ),
]
_SETTINGS = [_key_of(name, setting) for name, setting in declarations(Protocol).items()]
_Protocol: Any = defstruct("_Protocol", [*_LISTS, *_SETTINGS], forbid_unknown_fields=True, kw_only=True)
"""Settings that may stand at the top and in a domain."""


class _Domain(_Protocol):  # type: ignore[misc]
    name: Text = ""
    generator: Text = ""
    file: Text = ""
    training: list[Any] = field(default_factory=list)
    test: list[Any] = field(default_factory=list)


class _Suite(_Protocol):  # type: ignore[misc]
    name: Text = ""
    description: Text = ""
    include: Annotated[list[Text], Meta(description="a list of the names or files of suites")] = field(
        default_factory=list
    )
    domain: Annotated[list[_Domain], Meta(description="a list of tables, each under a line [[domain]]")] = field(
        default_factory=list
    )


class _Generated(Struct, forbid_unknown_fields=True):
    """A problem of a generator; one of θ alone may be written as that."""

    theta: Annotated[list[int], Meta(description="a list of whole numbers such as [1, 4]")]
    seed: Seed = 0


class _Filed(Struct, forbid_unknown_fields=True):
    """A problem in a file; one of a file alone may be written as that."""

    file: Text
    problem: Text = ""


PROTOCOL_KEYS = _Protocol.__struct_fields__
DOMAIN_KEYS = tuple(key for key in _Domain.__struct_fields__ if key not in PROTOCOL_KEYS)
SUITE_KEYS = tuple(key for key in _Suite.__struct_fields__ if key not in PROTOCOL_KEYS)

HINTS = {
    "problems": "'training' and 'test' list problems",
    "seed": "did you mean 'seeds', one for each run?",
    "solver": "did you mean 'solvers', a list?",
    "theta": "'training' and 'test' list θ: test = [[1], [2]]",
    "domains": "each domain is a table of its own, under a line [[domain]]",
    "timeout": "did you mean 'time_limit'?",
    "memory": "did you mean 'memory_limit'?",
}
"""For keys that people may look for elsewhere."""

# --- reading ---


def packaged_suites() -> dict[str, str]:
    """The suites that come with the package: what each is, by name; the small one first."""
    found = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in PACKAGED.glob("*.toml")}
    return {name: found[name]["description"] for name in sorted(found, key=lambda name: (name != "quick", name))}


def load_suite(name_or_path: str | os.PathLike[str]) -> Suite:
    """A suite that comes with the package, by name, or one from a file, or from standard input."""
    name = file_name(name_or_path, "a suite, or its name")
    return _load(Path(STDIN) if name == STDIN else _locate(name, Path()), ())


def _locate(name: str, folder: Path) -> Path:
    """The file of a suite: one of the package, or a path, seen from a folder."""
    if (PACKAGED / f"{name}.toml").is_file() and re.fullmatch(r"[\w-]+", name):
        return PACKAGED / f"{name}.toml"
    path = folder / name
    if path.is_file():
        return path
    if name.endswith(".toml") or os.sep in name:
        raise UsageError(f"there is no suite file '{path}'")
    known = packaged_suites()
    hint = did_you_mean(name, known) or f"there are {', '.join(known)}; or give the path of a file"
    raise UsageError(f"there is no suite '{name}';  {hint}")


def _load(path: Path, including: tuple[Path, ...]) -> Suite:
    shown = path.stem if path.parent == PACKAGED else os.fspath(path)
    text = read_text(path, shown, "a suite", _MOST_BYTES)
    record = typed(parse_toml(text, shown, "a suite"), _Suite, shown, hints=HINTS)
    return _Reader(path, shown, including).suite(record)


class _Reader(Checker):
    """Turns the data of one file into a suite."""

    def __init__(self, path: Path, file: str, including: tuple[Path, ...]) -> None:
        super().__init__(file)
        self.path, self.including = path, including

    def suite(self, record: _Suite) -> Suite:
        if not record.name and self.file == STDIN:
            self.fail("name", "a suite on standard input must have one, after which its results are called")
        name = self.name(record.name or self.path.stem, "name")
        protocol = self.protocol(record, Protocol(), "")
        plans = [plan for inner in self.included(record.include) for plan in inner.domains]
        if plans and not record.domain:
            for key in sorted(_given_settings(record)):
                message = "included suites keep their own settings; set this there, or use options of 'gpaplan bench'"
                self.fail(key, message)
        plans += [self.domain(table, protocol, name, f"domain[{number}]") for number, table in enumerate(record.domain)]
        if not plans:
            self.fail("", "no [[domain]] and nothing in 'include': there is nothing to run")
        known: dict[str, DomainPlan] = {}
        for plan in plans:  # each once; two of one name must be the same
            if known.setdefault(plan.name, plan) != plan:
                self.fail("domain", f"two domains are called '{plan.name}'; give one of them another name")
        return Suite(name, record.description, tuple(known.values()))

    def name(self, name: str, place: str) -> str:
        if not _NAME.fullmatch(name):
            self.fail(place, f"'{name}' is no name; use letters, digits, '-', '_', '.' and single spaces")
        return name

    def included(self, names: list[str]) -> list[Suite]:
        suites = []
        for number, name in enumerate(names):
            place = f"include[{number}]"
            try:
                path = _locate(name, self.path.parent)
            except UsageError as error:
                self.fail(place, str(error))
            chain = (*self.including, self.path.resolve())
            if path.resolve() in chain:
                self.fail(place, f"'{name}' includes itself")
            suites.append(_load(path, chain))
        return suites

    # --- a domain ---

    def domain(self, table: _Domain, base: Protocol, suite: str, place: str) -> DomainPlan:
        if bool(table.generator) == bool(table.file):
            what = "both are given" if table.file else "neither is given"
            message = f"a domain has either 'generator', a benchmark domain, or 'file', a PPDDL domain; {what}"
            self.fail(place, message)
        protocol = self.protocol(table, base, f"{place}.")
        name = self.source(table, place)
        found: dict[str, tuple[SuiteInstance, ...]] = {}
        for key, items in (("training", table.training), ("test", table.test)):
            found[key] = tuple(self.problem(each, table, f"{place}.{key}[{i}]") for i, each in enumerate(items))
            self.refuse_twins(found[key], f"{place}.{key}")
        if not table.test:
            self.fail(place, "'test' lists the problems to be solved; there are none")
        if True in protocol.gpa and not table.training:
            self.fail(place, "'training' lists the problems to learn from; there are none, so use gpa = [false]")
        protocol = self.with_costs(protocol, [*found["training"], *found["test"]], place)
        return DomainPlan(self.name(table.name or name, f"{place}.name"), suite, protocol, **found)

    def with_costs(self, protocol: Protocol, instances: Sequence[SuiteInstance], place: str) -> Protocol:
        """The protocol with the costs that ``auto`` means: one mode for all problems of a domain, which is recorded."""
        if protocol.cost != "auto":
            return protocol
        modes = {instance.cost_asked_for: instance.label for instance in instances}
        if len(modes) > 1:
            names = " and ".join(f"'{label}' {mode}" for mode, label in sorted(modes.items()))
            self.fail(place, f'by their metrics, the problems have different costs: {names};  state cost = "unit"')
        return replace(protocol, cost=next(iter(modes)))

    def source(self, table: _Domain, place: str) -> str:
        """The name of the generator, or of the PPDDL domain."""
        try:
            return family(table.generator).name if table.generator else parse_domain(self.path.parent / table.file).name
        except UsageError as error:
            key = "generator" if table.generator else "file"
            self.fail(f"{place}.{key}", f"{error}{_SEEN_FROM if table.file else ''}")

    def problem(self, item: Any, table: _Domain, place: str) -> SuiteInstance:
        """One entry of 'training' or 'test': θ or a file, or a table with that and more."""
        entry = item if isinstance(item, dict) else {"theta" if table.generator else "file": item}
        try:
            if table.generator:
                sized = typed(entry, _Generated, self.file, place)
                return generated(table.generator, sized.theta, sized.seed)
            filed = typed(entry, _Filed, self.file, place)
            folder = self.path.parent
            return from_files(folder / table.file, folder / filed.file, filed.problem or None)
        except UsageError as error:
            self.fail(place, f"{error}{_SEEN_FROM if table.file else ''}")

    def refuse_twins(self, instances: tuple[SuiteInstance, ...], place: str) -> None:
        first: dict[tuple[Any, ...], int] = {}
        labels: dict[str, int] = {}
        for number, instance in enumerate(instances):
            twin = first.setdefault(tuple(instance.identity), number)
            if twin != number:
                theta = instance.theta.replace(" ", ", ")
                hint = f"leave it out, or take other names of objects: {{ theta = [{theta}], seed = 1 }}"
                message = f"is the same problem as [{twin}];  {hint if theta else 'leave one of them out'}"
                self.fail(f"{place}[{number}]", message)
            if labels.setdefault(instance.label, number) != number:
                message = f"two problems are called '{instance.label}'; rename one of the files"
                self.fail(f"{place}[{number}]", message)

    # --- the protocol ---

    def protocol(self, table: Struct, base: Protocol, place: str) -> Protocol:
        """The settings of a table, on top of others."""
        values = _given_settings(table)
        if isinstance(values.get("gpa"), bool):
            values["gpa"] = [values["gpa"]]
        for key in [key for key in ("solvers", "seeds", "gpa") if key in values]:
            items = values[key] = tuple(values[key])
            if not items or len(set(items)) < len(items):
                self.fail(f"{place}{key}", "one of them occurs twice" if items else "is empty; name at least one")
        runs = values.pop("runs", None)
        if runs is not None and runs != len(values.setdefault("seeds", tuple(range(runs)))):
            count = len(values["seeds"])
            self.fail(f"{place}runs", f"is {runs}, and there are {count} seeds; leave one of both out")
        return replace(base, **values)


def _given_settings(table: Struct) -> dict[str, Any]:
    """The settings of the protocol that a table has."""
    return {key: value for key in PROTOCOL_KEYS if (value := getattr(table, key)) is not UNSET}
