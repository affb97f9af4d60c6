"""The API reference, from the docstrings of the package; the site has it below docs/reference.md.

Everything is read from the source, nothing is run: a name's signature, its docstring, and for fields and constants the
string below them. So the pages are the same wherever they are made. What is public is what `gpaplan` exports, what
`BELOW` names, and what the modules of `ALSO` list in ``__all__``.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "gpaplan"

ALSO = (
    "ppddl.syntax",
    "ppddl",
    "pictures",
    "benchmarks",
    "spaces.export",
    "gym",
    "interop.unified_planning",
    "experiments",
    "testing",
)
"""Modules that are public as a whole; what comes first has the names that are in several."""

BELOW = {
    "_core": "Search Stop",
    "acting.actor": "DecisionSource",
    "acting.trials": "ActingSimulation simulate_acting",
    "acting.view": "ActingSettings",
    "automata.automaton": "Edge",
    "automata.canonical": "AbstractAction Abstraction AbstractState ActionLabel AnyAbstraction Counts Extents "
    "Fact Role StateLabel",
    "automata.explanation": "Difference Explanation Nearness PrunedAction",
    "automata.filters": "ActionFilter AnyFilter Match RelaxedMatch Relevance TaskFilter Acceptance "
    "TrainingExample TransitionFilter",
    "automata.rules": "AnyRules NamedRule RulePolicy RuleUse",
    "briefing": "Briefing",
    "concepts.rules": "Rule RuleList",
    "errors": "ContradictionError Diagnostic Fix GoalReachedError NoActionError OutOfRangeError StopReason",
    "learning.counterexamples": "Counterexample",
    "learning.growth": "Growth GrowthStep TriedProblem Validation",
    "learning.edges": "Ties",
    "learning.loop": "AnyProblem",
    "learning.pruning": "Checked Pruning",
    "learning.rules.recording": "recorded_rules",
    "learning.rules.closure": "Closure Trajectory",
    "learning.rules.scoring": "Trials",
    "learning.rules.learner": "RuleEffort",
    "learning.rules.outcome": "RuleLearning TrainingProblem",
    "learning.shrinking": "SmallProblem shrink",
    "limits": "AnyLimits",
    "policies.evaluation": "Verification",
    "policies.explanation": "ActionValue OutcomeWords PolicyExplanation",
    "policies.policy": "AnyPolicy Decisions HasPolicy State",
    "solving.heuristics": "AnyHeuristic Heuristic HeuristicName",
    "solving.reasons": "Reason ReasonKind",
    "solving.run": "Progress SoFar solve_with",
    "solving.settings": "Effort Fallback",
    "solving.solution": "Matching",
    "solving.solvers": "AnySolver Solver SolverName WeightedLAOStar",
    "source": "SourceText Span",
    "spaces.dead_ends": "DeadEnds",
    "spaces.state_space": "AnySymmetry Exploration Outcome Permutation Symmetry SymmetryMode Transition",
    "statuses": "Guarantee",
    "tasks.goal": "GoalPart goal_parts",
    "tasks.grounding": "AnyDomain AnyTask CostMode Costs Pair TaskCost",
    "tasks.task": "AnyAction AnyAtom",
    "tasks.variables": "StateVariable",
    "traces.trace": "Trial TrialEnd TrialStep",
    "traces.trials": "TrialResult",
}
"""Names of other modules that are public too: what the names of `gpaplan` take and give, and what is needed rarely."""

PAGES = {
    "tasks": "Reading and grounding problems",
    "spaces": "State spaces and symmetry",
    "policies": "Policies and what they are worth",
    "solving": "Solving",
    "automata": "Abstraction and automata",
    "acting": "Acting",
    "traces": "Traces of trials",
    "learning": "Learning, growing and pruning automata",
    "gym": "Environments for agents",
    "interop": "Problems of other libraries",
    "errors": "Errors and limits",
    "syntax": "The syntax of PPDDL",
    "benchmarks": "Benchmark domains",
    "experiments": "Experiments",
    "testing": "Checks for extensions of your own",
}
_PAGE_OF = {
    "ppddl": "tasks",
    "pictures": "tasks",
    "ppddl.syntax": "syntax",
    "limits": "errors",
    "source": "errors",
    "statuses": "solving",
    "briefing": "solving",
    "_core": "solving",
    "concepts.rules": "automata",
}

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AnnAssign | ast.Assign


@dataclass
class Entry:
    """A public name, or a public member of a class."""

    name: str
    signature: str
    doc: str
    kind: str
    """``class``, ``function``, ``alias``, ``constant``; of members ``method``, ``property``, ``field``."""
    annotations: list[ast.expr] = field(default_factory=list)
    """What it takes, gives, or holds."""
    members: list[Entry] = field(default_factory=list)
    node: ast.AST | None = None


# --- reading the source ---


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module, given by its name below ``gpaplan``; the core's is that of its stub."""
    path = PACKAGE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".pyi" if module == "_core" else ".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def exported() -> dict[str, str]:
    """The names of the package, each with its module."""
    tables = [node.value for node in parsed("").body if isinstance(node, ast.Assign) and _names(node) == ["_NAMES"]]
    return _modules(ast.literal_eval(tables[0]))


def public() -> dict[str, str]:
    """The names of the package and of `BELOW`, each with its module."""
    return exported() | _modules(BELOW)


def _modules(table: dict[str, str]) -> dict[str, str]:
    return {name: module for module, names in table.items() for name in names.split()}


def listed(module: str) -> list[str]:
    """The names in ``__all__`` of a module; all public definitions where it has none."""
    for node in parsed(module).body:
        if isinstance(node, ast.Assign) and _names(node) == ["__all__"]:
            return list(ast.literal_eval(node.value))
    definitions = (node for node in parsed(module).body if isinstance(node, Definition))
    return [name for node in definitions for name in _names(node) if not name.startswith("_")]


def _names(node: Definition) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def find(module: str, name: str) -> tuple[str, Definition, str]:
    """The module that defines a name, its definition, and for what is assigned the string below it."""
    body = parsed(module).body
    found: tuple[str, Definition, str] | None = None
    for place, node in enumerate(body):
        if isinstance(node, Definition) and name in _names(node):
            found = module, node, _string(body, place + 1)  # the last one: overloads come before
        for each in node.body if isinstance(node, ast.If) else [node]:  # imports for type checkers count too
            if isinstance(each, ast.ImportFrom) and any(name == (one.asname or one.name) for one in each.names):
                return find((each.module or "").removeprefix("gpaplan."), name)
    assert found is not None, f"gpaplan.{module} has no {name}"
    return found


def _string(body: list[ast.stmt], place: int) -> str:
    node = body[place] if place < len(body) else None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return textwrap.dedent(node.value.value).strip()
    return ""


# --- from definitions to entries ---


def entry(module: str, name: str) -> Entry:
    """What is to be said of a public name."""
    module, node, below = find(module, name)
    if isinstance(node, ast.FunctionDef):
        return _function(node, "function")
    if isinstance(node, ast.ClassDef):
        return _class(module, node)
    value = ast.unparse(node.value) if node.value is not None else ""
    is_alias = isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    shown = f"{name} = {value}" if is_alias or isinstance(node.value, ast.Constant) else name
    annotations = [node.value] if is_alias and node.value is not None else []
    return Entry(name, shown, below, "alias" if is_alias else "constant", annotations)


def _function(node: ast.FunctionDef, kind: str) -> Entry:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    annotations = [each.annotation for each in every if each is not None and each.annotation is not None]
    gives = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    arguments = ast.unparse(given)
    if kind != "function" and not _is(node, "staticmethod"):
        arguments = re.sub(r"^(self|cls)(, /)?(, )?", "", arguments)
    if kind == "property":
        arguments, gives = "", gives.replace(" -> ", ": ")
    text = f"{node.name}{gives}" if kind == "property" else _laid_out(node.name, arguments, gives)
    doc = ast.get_docstring(node) or ""
    return Entry(node.name, text, doc, kind, [*annotations, *([node.returns] if node.returns else [])], node=node)


def _laid_out(name: str, arguments: str, gives: str) -> str:
    """A signature; one that is long has a line for each argument."""
    parts = [re.sub(r"^(\w+: [^=]*)=", r"\1 = ", part) for part in re.split(r", (?=\*?\*?\w+:|\*,)", arguments)]
    if len(name) + len(arguments) + len(gives) < 110:
        return f"{name}({', '.join(parts)}){gives}"
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){gives}"])


def _is(node: ast.FunctionDef, *decorators: str) -> bool:
    return any(ast.unparse(each).split(".")[-1].split("(")[0] in decorators for each in node.decorator_list)


def _class(module: str, node: ast.ClassDef) -> Entry:
    bases = [ast.unparse(base) for base in node.bases]
    shown = [base for base in bases if not base.startswith("_") and base != "Protocol"]
    members: dict[str, Entry] = {}
    for member in _members(module, node):
        inherited = members.get(member.name)
        member.doc = member.doc or (inherited.doc if inherited is not None else "")
        members[member.name] = member
    made = members.pop("__init__", None)
    text = f"class {node.name}" + (f"({', '.join(shown)})" if shown else "")
    doc = ast.get_docstring(node) or ""
    if made is not None:
        text += f"\n{node.name}{made.signature.removeprefix('__init__').removesuffix(' -> None')}"
        doc = f"{doc}\n\n{made.doc}".strip()
    annotations = made.annotations if made is not None else []
    return Entry(node.name, text, doc, "class", annotations, list(members.values()), node=node)


def _members(module: str, node: ast.ClassDef) -> Iterator[Entry]:
    """The public members of a class, and its constructor; those of private bases are its own."""
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id.startswith("_"):
            private = find(module, base.id)[1]
            assert isinstance(private, ast.ClassDef)
            yield from _members(module, private)
    for place, each in enumerate(node.body):
        if isinstance(each, ast.FunctionDef) and each.name == "__init__" and not _is(each, "overload"):
            yield _function(each, "method")
            yield from _attributes(each)
        elif isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            yield _function(each, "property" if _is(each, "property", "cached_property") else "method")
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id[0] != "_":
            name, held = each.target.id, ast.unparse(each.annotation)
            value, words = _declared(each.value)
            default = f" = {ast.unparse(value)}" if value is not None else ""
            default = "" if "field(" in default or "_span()" in default else default
            doc = _string(node.body, place + 1) or words
            yield Entry(name, f"{name}: {held}{default}", doc, "field", [each.annotation])


def _declared(value: ast.expr | None) -> tuple[ast.expr | None, str]:
    """The default of a field and, if it is a setting (`gpaplan.settings`), what is said of it."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return value, ""
    given = [ast.literal_eval(each) if isinstance(each, ast.Constant) else ast.unparse(each) for each in value.args]
    if value.func.id == "setting":
        return value.args[0], str(given[1])
    return (None, f"As `{given[0]}.{given[1]}`.") if value.func.id == "same" else (value, "")


def _attributes(init: ast.FunctionDef) -> Iterator[Entry]:
    """The attributes that a constructor documents."""
    for place, each in enumerate(init.body):
        target = each.targets[0] if isinstance(each, ast.Assign) else getattr(each, "target", None)
        doc = _string(init.body, place + 1)
        if doc and isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            held = f": {ast.unparse(each.annotation)}" if isinstance(each, ast.AnnAssign) else ""
            yield Entry(target.attr, f"{target.attr}{held}", doc, "field")


def entries() -> dict[str, list[Entry]]:
    """Everything public, by page."""
    found: dict[str, list[Entry]] = {page: [] for page in PAGES}
    exports, own = exported(), public()
    seen: set[tuple[str, str]] = set()
    also = [(module, name) for module in ALSO for name in listed(module)]
    for module, name in [*((own[name], name) for name in sorted(own)), *also]:
        place = find(module, name)[0], name
        if place not in seen:
            seen.add(place)
            made = entry(module, name)
            if exports.get(name) != module:
                made.doc = f"{made.doc}\n\n*In `gpaplan.{module}`.*" if made.doc else ""
            found[_PAGE_OF.get(module, module.partition(".")[0])].append(made)
    for page in found.values():
        page.sort(key=lambda each: (each.kind != "function", each.kind in ("alias", "constant"), each.name.lower()))
    return found


# --- writing pages ---


def linked(text: str, here: str, places: dict[str, str]) -> str:
    """The text with the public names in it as links, except in blocks of code."""

    def link(match: re.Match[str]) -> str:
        name = match[1].removesuffix("()")
        page = places.get(name.split(".")[0])
        target = f"#{name.split('.')[0].lower()}" if page == here else f"{page}.md#{name.split('.')[0].lower()}"
        return match[0] if page is None else f"[`{match[1]}`]({target})"

    lines = text.splitlines()
    return "\n".join(
        line if line.startswith("    ") else re.sub(r"(?<!`)`([A-Za-z_][\w.]*(?:\(\))?)`(?!`)", link, line)
        for line in lines
    )


def render(page: str, found: list[Entry], places: dict[str, str]) -> str:
    """A page of the reference."""
    parts = [f"# {PAGES[page]}", "[All names](../reference.md), from the docstrings."]
    for each in found:
        parts += [f"## {each.name}", f"```\n{each.signature}\n```", linked(each.doc, page, places)]
        fields = [member for member in each.members if member.kind in ("field", "property")]
        if fields:
            parts.append("\n".join(_item(member, page, places) for member in fields))
        for member in each.members:
            if member.kind == "method":
                parts += [f"**`{_on_one_line(member.signature)}`**", linked(member.doc, page, places)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _on_one_line(signature: str) -> str:
    return signature.replace("(\n    ", "(").replace(",\n    ", ", ").replace(",\n)", ")")


def _item(member: Entry, page: str, places: dict[str, str]) -> str:
    doc = linked(member.doc, page, places).replace("\n\n", "\n").replace("\n", "\n  ")
    return f"- `{member.signature}`" + (f": {doc}" if doc else "")


def pages() -> dict[str, str]:
    """The text of each page, by its place below docs/."""
    found = entries()
    places = {each.name: page for page, names in found.items() for each in names}
    return {f"reference/{page}.md": render(page, names, places) for page, names in found.items()}


def list_of_names() -> str:
    """All public names with links to their pages, as the page docs/reference.md has them on the site."""
    found = entries()
    lines = ["## All names", ""]
    for page, title in PAGES.items():
        names = ", ".join(f"[`{each.name}`](reference/{page}.md#{each.name.lower()})" for each in found[page])
        lines += [f"**[{title}](reference/{page}.md)**: {names}", ""]
    return "\n".join(lines)
