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

import math
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from gpaplan.errors import DataError, UsageError, did_you_mean
from gpaplan.experiments.instance import Instance, from_files, generated
from gpaplan.experiments.suite import DomainPlan, Protocol, Suite
from gpaplan.solving.heuristics import HEURISTICS
from gpaplan.solving.solvers import SOLVERS

__all__ = ["DOMAIN_KEYS", "PROTOCOL_KEYS", "SUITE_KEYS", "load", "packaged"]

PACKAGED = Path(__file__).parent / "suites"

PROTOCOL_KEYS = (
    "solvers",
    "gpa",
    "heuristic",
    "epsilon",
    "cost",
    "symmetry",
    "runs",
    "seeds",
    "trials",
    "horizon",
    "time_limit",
    "memory_limit",
    "ties",
    "goals",
)
DOMAIN_KEYS = ("name", "generator", "file", "training", "test")
SUITE_KEYS = ("name", "description", "include", "domain")
PROBLEM_KEYS = {"generator": ("theta", "seed"), "file": ("file", "problem")}

_MOST_BYTES = 1_000_000
_NAME = re.compile(r"[\w.+-]+( [\w.+-]+)*")


def packaged() -> dict[str, str]:
    """What each suite of the package is, by name; the small one first."""
    found = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in PACKAGED.glob("*.toml")}
    return {name: found[name]["description"] for name in sorted(found, key=lambda name: (name != "quick", name))}


def load(name_or_path: str) -> Suite:
    """A suite of the package by name, or one from a file."""
    return _load(_locate(name_or_path, Path()), ())


def _locate(name: str, folder: Path) -> Path:
    """The file of a suite: one of the package, or a path, seen from a folder."""
    if (PACKAGED / f"{name}.toml").is_file() and re.fullmatch(r"[\w-]+", name):
        return PACKAGED / f"{name}.toml"
    path = folder / name
    if path.is_file():
        return path
    if name.endswith(".toml") or os.sep in name:
        raise UsageError(f"there is no suite file '{path}'")
    hint = did_you_mean(name, packaged()) or f"there are {', '.join(packaged())}; or give the path of a file"
    raise UsageError(f"there is no suite '{name}';  {hint}")


def _load(path: Path, including: tuple[Path, ...]) -> Suite:
    shown = path.stem if path.parent == PACKAGED else os.fspath(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the suite '{path}': {error.strerror or error}") from None
    if len(data) > _MOST_BYTES:
        raise DataError(f"larger than {_MOST_BYTES:,} bytes; this is not a suite", shown)
    try:
        text = data.decode("utf-8-sig")
        record = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start}); a suite is a TOML file", shown) from None
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(error, text, shown) from None
    except RecursionError:
        raise DataError("nested too deeply; this is not a suite", shown) from None
    return _Reader(path, shown, including).suite(record, text)


def _not_toml(error: tomllib.TOMLDecodeError, text: str, file: str) -> DataError:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if found is None:
        return DataError(f"not TOML: {error}", file)
    last = text.count("\n") + 1
    line, column = (int(found[2]), int(found[3])) if found[2] else (last, len(text) - text.rfind("\n"))
    return DataError(f"not TOML: {found[1]}", file, line=line, column=column)


@dataclass
class _Reader:
    """Turns the data of one file into a suite."""

    path: Path
    file: str
    including: tuple[Path, ...]

    def fail(self, place: str, message: str) -> NoReturn:
        raise DataError(message, self.file, place)

    def suite(self, record: dict[str, Any], text: str) -> Suite:
        self.check_keys(record, (*SUITE_KEYS, *PROTOCOL_KEYS), "", _misplaced(record))
        name = self.text(record.get("name", self.path.stem), "name")
        if not _NAME.fullmatch(name):
            self.fail("name", f"'{name}' is no name; use letters, digits, '-', '_', '.' and single spaces")
        description = self.text(record.get("description", ""), "description")
        protocol = self.protocol(record, Protocol(), "")
        tables = record.get("domain", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.fail("domain", "each domain is a table of its own, under a line [[domain]]")
        texts: dict[str, str] = {}
        plans: list[DomainPlan] = []
        for place, inner in self.included(record.get("include", [])):
            plans += inner.domains
            for inner_name, inner_text in inner.texts.items():
                if texts.setdefault(inner_name, inner_text) != inner_text or inner_name == name:
                    self.fail(place, f"two suites are called '{inner_name}'; give one of them another name")
        if plans and set(record) & set(PROTOCOL_KEYS) and not tables:
            key = min(set(record) & set(PROTOCOL_KEYS))
            self.fail(key, "included suites keep their own settings; set this there, or use options of 'gpaplan bench'")
        plans += [self.domain(table, protocol, name, f"domain[{number}]") for number, table in enumerate(tables)]
        if not plans:
            self.fail("", "no [[domain]] and nothing in 'include': there is nothing to run")
        return Suite(name, description, self.distinct(plans), {**texts, name: text})

    def included(self, names: Any) -> list[tuple[str, Suite]]:
        suites = []
        for number, name in enumerate(self.items(names, "include", "the names or files of suites")):
            place = f"include[{number}]"
            try:
                path = _locate(self.text(name, place), self.path.parent)
            except UsageError as error:
                self.fail(place, str(error))
            chain = (*self.including, self.path.resolve())
            if path.resolve() in chain:
                self.fail(place, f"'{name}' includes itself")
            suites.append((place, _load(path, chain)))
        return suites

    def distinct(self, plans: list[DomainPlan]) -> tuple[DomainPlan, ...]:
        """The domains, each once; two of one name must be the same."""
        known: dict[str, DomainPlan] = {}
        for plan in plans:
            if known.setdefault(plan.name, plan) != plan:
                self.fail("domain", f"two domains are called '{plan.name}'; give one of them another name")
        return tuple(known.values())

    # --- a domain ---

    def domain(self, table: dict[str, Any], protocol: Protocol, suite: str, place: str) -> DomainPlan:
        self.check_keys(table, (*DOMAIN_KEYS, *PROTOCOL_KEYS), place, _misplaced(table))
        kinds = [kind for kind in ("generator", "file") if kind in table]
        if len(kinds) != 1:
            what = "both are given" if kinds else "neither is given"
            message = f"a domain has either 'generator', a benchmark domain, or 'file', a PPDDL domain; {what}"
            self.fail(place, message)
        kind = kinds[0]
        source = self.text(table[kind], f"{place}.{kind}")
        protocol = self.protocol(table, protocol, f"{place}.")
        make = self.generator(source, place) if kind == "generator" else self.files(source, place)
        problems: dict[str, tuple[Instance, ...]] = {}
        for key in ("training", "test"):
            items = self.items(table.get(key, []), f"{place}.{key}", "problems")
            found = [self.problem(item, kind, make, f"{place}.{key}[{n}]") for n, item in enumerate(items)]
            self.refuse_twins(found, f"{place}.{key}")
            problems[key] = tuple(found)
        if not problems["test"]:
            self.fail(place, "'test' lists the problems to be solved; there are none")
        if True in protocol.gpa and not problems["training"]:
            self.fail(place, "'training' lists the problems to learn from; there are none, so use gpa = [false]")
        name = self.text(table.get("name", make(None).label), f"{place}.name")
        if not _NAME.fullmatch(name):
            self.fail(f"{place}.name", f"'{name}' is no name; use letters, digits, '-', '_', '.' and single spaces")
        return DomainPlan(name, suite, protocol, **problems)

    def generator(self, name: str, place: str) -> Callable[[dict[str, Any] | None], Instance]:
        from gpaplan.benchmarks import family

        try:
            known = family(name)
        except UsageError as error:
            self.fail(f"{place}.generator", str(error))

        def make(problem: dict[str, Any] | None) -> Instance:
            if problem is None:
                return Instance(known.name, "", "", "")
            return generated(known.name, problem["theta"], problem.get("seed", 0))

        return make

    def files(self, name: str, place: str) -> Callable[[dict[str, Any] | None], Instance]:
        from gpaplan.ppddl import parse_domain

        folder = self.path.parent
        try:
            domain = parse_domain(folder / name)
        except UsageError as error:
            self.fail(f"{place}.file", f"{error}; paths are seen from the suite's file")

        def make(problem: dict[str, Any] | None) -> Instance:
            if problem is None:
                return Instance(domain.name, "", "", "")
            return from_files(folder / name, folder / problem["file"], problem.get("problem"))

        return make

    def problem(self, item: Any, kind: str, make: Callable[[dict[str, Any] | None], Instance], place: str) -> Instance:
        """One entry of 'training' or 'test': θ or a file, or a table with that and more."""
        main = "theta" if kind == "generator" else "file"
        table = item if isinstance(item, dict) else {main: item}
        self.check_keys(table, PROBLEM_KEYS[kind], place, {})
        if main not in table:
            self.fail(place, f"'{main}' is missing")
        if kind == "generator":
            theta = table["theta"]
            if not isinstance(theta, list) or not theta or not all(type(number) is int for number in theta):
                self.fail(place, f"θ is a list of whole numbers, such as [1, 4], not {_show(theta)}")
            self.integer(table.get("seed", 0), f"{place}.seed", 0, 2**63 - 1)
        else:
            for key in table:
                self.text(table[key], f"{place}.{key}" if isinstance(item, dict) else place)
        try:
            return make(table)
        except UsageError as error:
            self.fail(place, f"{error}" + ("; paths are seen from the suite's file" if kind == "file" else ""))

    def refuse_twins(self, instances: list[Instance], place: str) -> None:
        first: dict[tuple[Any, ...], int] = {}
        labels: dict[str, int] = {}
        for number, instance in enumerate(instances):
            twin = first.setdefault(tuple(instance.identity), number)
            if twin != number:
                hint = f"leave it out, or take other names of objects: {{ theta = {_theta(instance)}, seed = 1 }}"
                message = f"is the same problem as [{twin}];  {hint if instance.theta else 'leave one of them out'}"
                self.fail(f"{place}[{number}]", message)
            if labels.setdefault(instance.label, number) != number:
                message = f"two problems are called '{instance.label}'; rename one of the files"
                self.fail(f"{place}[{number}]", message)

    # --- the protocol ---

    def protocol(self, table: dict[str, Any], base: Protocol, place: str) -> Protocol:
        """The settings of a table, on top of others."""
        values: dict[str, Any] = {}
        for key, check in self.checks().items():
            if key in table:
                values[key] = check(table[key], f"{place}{key}")
        seeds = self.seeds(table, f"{place}seeds", f"{place}runs")
        if seeds is not None:
            values["seeds"] = seeds
        return replace(base, **values)

    def checks(self) -> dict[str, Callable[[Any, str], Any]]:
        return {
            "solvers": lambda v, p: self.choices(v, p, list(SOLVERS)),
            "gpa": self.gpa,
            "heuristic": lambda v, p: self.choice(v, p, list(HEURISTICS)),
            "epsilon": self.positive,
            "cost": lambda v, p: self.choice(v, p, ["unit", "metric"]),
            "symmetry": lambda v, p: self.choice(v, p, ["off", "on", "auto"]),
            "trials": lambda v, p: self.integer(v, p, 1, 2**31),
            "horizon": lambda v, p: self.integer(v, p, 1, 2**32 - 1),
            "time_limit": self.positive,
            "memory_limit": self.positive,
            "ties": lambda v, p: self.choice(v, p, ["first", "harmonize", "all"]),
            "goals": self.boolean,
        }

    def seeds(self, table: dict[str, Any], place: str, runs_place: str) -> tuple[int, ...] | None:
        if "seeds" not in table:
            runs = table.get("runs")
            return None if runs is None else tuple(range(self.integer(runs, runs_place, 1, 100_000)))
        seeds = self.items(table["seeds"], place, "whole numbers, one for each run")
        for number, seed in enumerate(seeds):
            self.integer(seed, f"{place}[{number}]", 0, 2**63 - 1)
        if not seeds or len(set(seeds)) < len(seeds):
            self.fail(
                place, "a seed occurs twice; each run needs its own" if seeds else "is empty; list one for each run"
            )
        if "runs" in table and table["runs"] != len(seeds):
            self.fail(runs_place, f"is {_show(table['runs'])}, and there are {len(seeds)} seeds; leave one of both out")
        return tuple(seeds)

    def gpa(self, value: Any, place: str) -> tuple[bool, ...]:
        values = [value] if isinstance(value, bool) else value
        if values not in ([False], [True], [False, True], [True, False]):
            self.fail(place, f"must be [false, true], [false] or [true], not {_show(value)}")
        return tuple(values)

    # --- plain values ---

    def check_keys(self, table: dict[str, Any], keys: tuple[str, ...], place: str, hints: dict[str, str]) -> None:
        for key in table:
            if key not in keys:
                hint = hints.get(key) or did_you_mean(key, keys) or f"there are {', '.join(keys)}"
                self.fail(place, f"unknown key '{key}';  {hint}")

    def text(self, value: Any, place: str) -> str:
        if not isinstance(value, str):
            self.fail(place, f"must be a text in quotes, not {_show(value)}")
        return value

    def items(self, value: Any, place: str, what: str) -> list[Any]:
        if not isinstance(value, list):
            self.fail(place, f"must be a list of {what}, not {_show(value)}")
        return value

    def boolean(self, value: Any, place: str) -> bool:
        if not isinstance(value, bool):
            self.fail(place, f"must be true or false, not {_show(value)}")
        return value

    def integer(self, value: Any, place: str, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            self.fail(place, f"must be a whole number from {least} to {most}, not {_show(value)}")
        return value

    def positive(self, value: Any, place: str) -> float:
        if type(value) not in (int, float) or not value > 0 or not math.isfinite(value):
            self.fail(place, f"must be a positive number, not {_show(value)}")
        return float(value)

    def choice(self, value: Any, place: str, known: list[str]) -> str:
        if value not in known:
            hint = isinstance(value, str) and did_you_mean(value, known)
            self.fail(place, f"{_show(value)} is not known here;  {hint or 'there are ' + ', '.join(known)}")
        return str(value)

    def choices(self, value: Any, place: str, known: list[str]) -> tuple[str, ...]:
        items = self.items(value, place, f"some of {', '.join(known)}")
        found = tuple(self.choice(item, f"{place}[{number}]", known) for number, item in enumerate(items))
        if not found or len(set(found)) < len(found):
            self.fail(place, "one of them occurs twice" if found else "is empty; name at least one")
        return found


def _misplaced(table: dict[str, Any]) -> dict[str, str]:
    """Hints for keys that people may look for elsewhere."""
    hints = {
        "problems": "'training' and 'test' list problems",
        "seed": "did you mean 'seeds', one for each run?",
        "solver": "did you mean 'solvers', a list?",
        "theta": "'training' and 'test' list θ: test = [[1], [2]]",
        "domains": "each domain is a table of its own, under a line [[domain]]",
        "timeout": "did you mean 'time_limit'?",
        "memory": "did you mean 'memory_limit'?",
    }
    return {key: hint for key, hint in hints.items() if key in table}


def _theta(instance: Instance) -> str:
    return f"[{instance.theta.replace(' ', ', ')}]"


def _show(value: object, most: int = 60) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= most else f"{text[:most]} …"
