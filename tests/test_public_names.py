"""What `gpaplan` exports: each name once, documented, with every type that it speaks of, its arguments in one order."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import gpaplan
from tests.paths import ROOT
from tests.public_names import MODULES, REFERENCE, named

ENTRIES = [(page, entry) for page, entries in REFERENCE["entries"]().items() for entry in entries]
OWN = [entry for _, entry in ENTRIES if entry.name in MODULES]
PUBLIC = {entry.name for _, entry in ENTRIES}

PLAIN_FIELDS = ("syntax", "experiments")
"""Pages on which fields need no words: docs/ppddl-support.md and docs/experiments.md have them."""


MOST_NAMES = 60
"""So many a user can look through; what is needed rarely stays in its module, and in `BELOW` of the reference."""


def test_the_package_exports_few_names() -> None:
    assert len(gpaplan.__all__) <= MOST_NAMES


def test_each_name_is_listed_once_and_can_be_had() -> None:
    listed = dir(gpaplan)
    assert len(listed) == len(set(listed))
    assert set(gpaplan.__all__) <= set(listed)
    assert [name for name in listed if not name.startswith("__")] == sorted(gpaplan.__all__)
    for name in gpaplan.__all__:
        assert getattr(gpaplan, name) is not None


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        gpaplan.sovle  # noqa: B018


def test_type_checkers_see_the_names_that_are_there() -> None:
    """The table for the running program and the imports for type checkers are the same list."""
    imports = {
        alias.asname: (node.module or "").removeprefix("gpaplan.")
        for block in ast.parse((ROOT / "src" / "gpaplan" / "__init__.py").read_text(encoding="utf-8")).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imports == REFERENCE["exported"]()


def test_importing_the_package_loads_nothing_of_it() -> None:
    script = "import sys, gpaplan; print(*sorted(name for name in sys.modules if name.startswith('gpaplan')))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["gpaplan", "gpaplan.version"]


# --- documentation ---


@pytest.mark.parametrize(("page", "entry"), ENTRIES, ids=lambda each: getattr(each, "name", each))
def test_every_public_name_is_documented(page: str, entry: Any) -> None:
    assert entry.doc, f"{entry.name} has no docstring"
    for member in entry.members:
        mentioned = re.search(rf"\b{member.name}\b", entry.doc, re.IGNORECASE)
        plain = member.kind != "method" and (mentioned or (page in PLAIN_FIELDS and member.kind == "field"))
        assert member.doc or plain, f"{entry.name}.{member.name} has no docstring"


def test_the_reference_has_every_public_name() -> None:
    """`make docs` makes these pages; every link among them leads to a name."""
    pages = REFERENCE["pages"]()
    listed = REFERENCE["list_of_names"]()
    for page, entry in ENTRIES:
        assert f"\n## {entry.name}\n" in pages[f"reference/{page}.md"]
        assert f"[`{entry.name}`](reference/{page}.md#{entry.name.lower()})" in listed
    headings = {path: {name.lower() for name in re.findall(r"^## (.+)$", text, re.M)} for path, text in pages.items()}
    for path, text in pages.items():
        for page, anchor in re.findall(r"\]\((\w*(?:\.md)?)#(\w+)\)", text):
            assert anchor in headings[f"reference/{page}" if page else path], f"{path}: {page}#{anchor}"


def test_the_reference_speaks_of_what_is_there() -> None:
    """It is made from the source; what it says of parameters is what the running program has."""
    for entry in OWN:
        found = named(entry.name)
        if entry.kind == "function":
            assert re.findall(r"[(*, ](\w+):", f"({entry.signature}") == list(inspect.signature(found).parameters)
        elif entry.kind == "class":
            for member in (each for each in entry.members if each.kind in ("method", "property")):
                assert hasattr(found, member.name), f"{entry.name}.{member.name}"


# --- types ---


@cache
def package_types() -> set[str]:
    """All classes and aliases that the package defines, by name."""
    found = set()
    for path in [*(ROOT / "src" / "gpaplan").rglob("*.py"), ROOT / "src" / "gpaplan" / "_core.pyi"]:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                found.add(ast.unparse(node.target))
    return found


def spoken_of(entry: Any) -> Iterator[str]:
    """The names in the annotations of a public name and of its members."""
    for annotation in [*entry.annotations, *(each for member in entry.members for each in member.annotations)]:
        text = re.sub(r"\bLiteral\[[^\]]*\]", "", ast.unparse(annotation))  # of typing; `concepts` has another
        text = text.replace('"', "").replace("'", "")
        yield from re.findall(r"[A-Za-z_]\w*", text)


HIDDEN = {"AutomatonFilter", "CanonicalTable", "Literal", "PolicyReport", "RuleTaskFilter", "Task"}
"""The core's side of an abstraction, of a search and of a task: for the package itself; and the parts of rules, which
are made by parsing (gpaplan.concepts)."""


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: str(entry.name))
def test_every_type_that_is_spoken_of_is_public(entry: Any) -> None:
    hidden = {name for name in spoken_of(entry) if name in package_types() and not name.startswith("_")} - PUBLIC
    assert not hidden - HIDDEN, f"{entry.name} speaks of {', '.join(sorted(hidden))}, which cannot be had from gpaplan"


# --- the order of arguments ---


RANKS = {
    **dict.fromkeys(("domain", "domain_source", "domain_file"), 0),
    **dict.fromkeys(
        ("problem", "problem_source", "problem_files", "problem_name", "source", "task", "instances", "space"), 1
    ),
}
SETTINGS = {
    "abstraction", "cost", "dead_end_cost", "epsilon", "heuristic", "horizon", "keep", "limits", "max_actions",
    "max_outcomes", "on_step", "on_warning", "progress", "seed", "solving", "symmetry", "ties", "trials",
}  # fmt: skip


def callables() -> Iterator[tuple[str, list[inspect.Parameter]]]:
    """The functions of the package, and of its classes the constructors and methods: with what they take."""
    for name in MODULES:
        found = named(name)
        if inspect.isfunction(found):
            yield name, list(inspect.signature(found).parameters.values())
        elif (
            inspect.isclass(found) and found.__module__.startswith("gpaplan.") and not hasattr(found, "__match_args__")
        ):
            for member, method in vars(found).items():
                method = getattr(method, "__func__", method)
                if inspect.isfunction(method) and (member == "__init__" or not member.startswith("_")):
                    yield f"{name}.{member}", list(inspect.signature(method).parameters.values())[1:]


POSITIONAL = {
    "PolicyAutomaton.__init__": {"abstraction"},  # what it is made of
    "Policy.from_indices": {"cost", "dead_end_cost", "symmetry"},  # the core's form
    "GroundTask.__init__": {"cost"},
    "Permutation.__init__": {"symmetry"},
    "Limits.start": {"progress"},
}


@pytest.mark.parametrize(
    ("name", "parameters"), list(callables()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_arguments_come_in_one_order(name: str, parameters: list[inspect.Parameter]) -> None:
    """The domain, the problem or task, what is done with it; settings by keyword only."""
    positional = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    ranks = [RANKS.get(each, 2) for each in positional]
    assert ranks == sorted(ranks)
    assert not SETTINGS.intersection(positional) - POSITIONAL.get(name, set())
