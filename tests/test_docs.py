"""The documentation does what it says: its examples are run, its links and lists are compared with the code.

In README.md and docs/*.md the fenced blocks of one file are one session, run from top to bottom in an empty directory:

- ``ppddl`` with a first line ``; file: NAME``, and ``toml`` with ``# file: NAME``, is written to NAME;
- ``python`` is executed, all blocks of a file in one namespace;
- ``text`` right after ``python`` is what that block prints;
- ``console`` holds commands (``$ gpaplan …``), each followed by what it prints.

Times (a number before " s") may differ; everything else is compared to the letter. A page whose first line is
``<!-- needs: PACKAGE … -->`` is run where these packages are installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from building import option_tables
from building.pages import blocks, commands, without_times
from gpaplan import errors
from gpaplan.benchmarks import FAMILIES
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import EXIT_CODES, NOT_STRICT, run
from gpaplan.experiments.record import COLUMNS, STATUSES, write_records
from gpaplan.experiments.suite import Protocol
from gpaplan.experiments.suite_file import DOMAIN_KEYS, PROTOCOL_KEYS, SUITE_KEYS
from gpaplan.ppddl import MAX_INPUT_BYTES
from gpaplan.ppddl.lexer import MAX_ERRORS, MAX_NESTING, MAX_TOKENS
from gpaplan.ppddl.parser import UNSUPPORTED_SECTIONS
from gpaplan.proofs.certificates import NotProven
from gpaplan.spaces.state_space import MAX_OUTCOMES
from gpaplan.tasks.grounding import MAX_ACTIONS
from tests import experiment_records
from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "bench" / "README.md"]
LINKED += [ROOT / "SECURITY.md", ROOT / "CODE_OF_CONDUCT.md"]
COMMANDS = gpaplan.list_commands(click.Context(gpaplan))


def run_command(command: str) -> str:
    """What a ``gpaplan`` command prints, on either stream."""
    program, *arguments = shlex.split(command)
    assert program == "gpaplan", f"'{command}': only gpaplan is run here"
    with capture() as output, contextlib.suppress(SystemExit):
        run(gpaplan, arguments)
    return output.getvalue()


@contextlib.contextmanager
def capture() -> Iterator[io.StringIO]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        yield output


def needed(page: str) -> list[str]:
    """The packages that a page says its examples need."""
    found = re.match(r"<!-- needs: (.*?) -->\n", page)
    return found[1].split() if found else []


def replay(page: str) -> Iterator[tuple[str, str, str]]:
    """Run the session of a page in the current directory: (what was run, what is shown, what it printed)."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed: str | None = None
    for block in blocks(page):
        if block.language in ("ppddl", "toml"):
            name = re.match(r"[;#] file: (\S+)\n", block.text)
            if name is not None:
                Path(name[1]).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, shown in commands(block):
                yield command, shown, run_command(command)
        elif block.language == "text" and printed is not None:
            yield f"the python block above line {block.line}", block.text, printed
        printed = None
        if block.language == "python":
            with capture() as output:
                exec(compile("\n" * block.line + block.text, "<documentation>", "exec"), namespace)
            printed = output.getvalue()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_do_what_is_shown(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = path.read_text(encoding="utf-8")
    missing = [name for name in needed(page) if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    monkeypatch.chdir(tmp_path)
    for what, shown, printed in replay(page):
        assert without_times(printed) == without_times(shown), what


def test_a_wrong_example_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.chdir(tmp_path)
    page = "```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n```console\n$ gpaplan --version\ngpaplan 1.0 in 5 s\n```\n"
    found = [(without_times(shown), without_times(printed)) for _, shown, printed in replay(page)]
    assert [shown == printed for shown, printed in found] == [False, False]


@pytest.mark.parametrize("name", ["README.md", "docs/tutorial.md"])
def test_the_first_pages_have_examples_of_both_kinds(name: str) -> None:
    languages = {block.language for block in blocks((ROOT / name).read_text(encoding="utf-8"))}
    assert {"python", "console"} <= languages


@pytest.mark.parametrize("path", LINKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            found = path if not file else path.parent / file
            assert found.exists(), f"{path.name} links to {target}"
            if anchor:
                assert anchor in anchors(found), f"{path.name} links to {target}"


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, made as hosts of Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_page_is_on_the_map() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for path in PAGES[1:]:
        if path.name != "index.md":
            assert f"({path.relative_to(ROOT / 'docs')})" in index


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for path in LINKED:
        for target in re.findall(r"(?:`|^)make ([\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert target in targets, f"{path.name} speaks of 'make {target}'"


# --- docs/command-line.md ---


def command_section(name: str) -> str:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = re.search(rf"^## `gpaplan {name}`$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert section is not None, f"command-line.md has no section about 'gpaplan {name}'"
    return section[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_listed(name: str) -> None:
    section = command_section(name)
    command = gpaplan.get_command(click.Context(gpaplan), name)
    assert command is not None
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f"`{option}" in section, f"'gpaplan {name}': {option} is not described"


def test_the_tables_of_options_are_what_the_commands_declare() -> None:
    page = option_tables.PAGE.read_text(encoding="utf-8")
    assert option_tables.filled(page) == page, "python -m building.option_tables brings the tables up to date"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("act", "serve")])
def test_every_json_field_is_listed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    calls = {
        "run": "run domain.ppddl gripper-2.ppddl --json",
        "new": "new here --json",
        "test": "test here/tests.toml --json",
        "compare": "compare gripper.gpa.json gripper.gpa.json domain.ppddl gripper-2.ppddl --json",
        "rules": "rules check domain.ppddl gripper.rules gripper-2.ppddl --json",
        "generate": "generate gripper 2 --json",
        "check": "check domain.ppddl gripper-2.ppddl --states --json",
        "solve": "solve domain.ppddl gripper-2.ppddl --output policy.json --json",
        "evaluate": "evaluate domain.ppddl gripper-2.ppddl --policy policy.json --json",
        "simulate": "simulate domain.ppddl gripper-2.ppddl --online --json",
        "explain": "explain domain.ppddl gripper-2.ppddl --policy policy.json --gpa gripper.gpa.json --json",
        "learn": "learn domain.ppddl gripper-2.ppddl -o gripper.gpa.json --json",
        "grow": "grow gripper 1..2 -o grown.gpa.json --json",
        "prune": "prune gripper.gpa.json gripper 2 -o pruned.gpa.json --json",
        "merge": "merge gripper.gpa.json gripper.gpa.json -o merged.gpa.json --json",
        "show": "show gripper.gpa.json --json",
        "bench": "bench tiny.toml --quiet --json",
        "report": "report records.csv --json",
        "verify": "verify domain.ppddl gripper.rules gripper-2.ppddl --up-to ball=2 --json",
        "certify": f"certify domain.ppddl {ROOT}/docs/results/certificates/gripper.json gripper-2.ppddl --json",
        "certificate": f"certificate check domain.ppddl {ROOT}/docs/results/certificates/gripper.json --json",
        "shrink": "shrink domain.ppddl gripper-2.ppddl -n 1 -o small --json",
        "export": "export domain.ppddl gripper-2.ppddl --format drn -o gripper.drn --json",
    }
    run_command("gpaplan generate gripper 2")
    Path("gripper.rules").write_text("pick: (is ?b !ball-in/1)\ndrop: (is ?r @ball-in/2)\nmove:\n")
    settings = 'runs = 1\nmemory_limit = 500\ngpa = [false]\nsolvers = ["vi"]\n'
    Path("tiny.toml").write_text(f'{settings}[[domain]]\ngenerator = "gripper"\ntest = [[1]]\n')
    run_command(f"gpaplan {calls['solve']}")
    run_command(f"gpaplan {calls['learn']}")
    if name == "test":
        run_command("gpaplan new here")
    write_records([experiment_records.record(), experiment_records.record(gpa=1)], "records.csv")
    record = json.loads(run_command(f"gpaplan {calls[name]}"))
    assert record["status"] in ("ok", "solved")
    for key in record:
        assert f"`{key}`" in command_section(name), f"'gpaplan {name} --json': {key} is not described"


def test_every_exit_code_is_listed() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    codes = {each.exit_code for each in classes if issubclass(each, errors.GpaplanError) and each.exit_code != 1}
    codes |= {reason.exit_code for reason in errors.STOP_REASONS.values()}
    codes |= {*EXIT_CODES.values(), NOT_STRICT, NotProven.exit_code}
    assert listed == {0, *codes}


# --- docs/experiments.md ---


def test_keys_of_suites_columns_of_records_and_statuses_are_listed() -> None:
    page = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    rows = "\n".join(re.findall(r"^\| (.*?) \|", page, re.MULTILINE))
    for key in (*SUITE_KEYS, *DOMAIN_KEYS, *PROTOCOL_KEYS, *COLUMNS, *STATUSES):
        assert key == "domain" or f"`{key}`" in rows, f"'{key}' is not described"
    defaults = Protocol()
    for key, value in (("time_limit", "7200"), ("memory_limit", "17180"), ("runs", "10"), ("epsilon", "1e-5")):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{key}`"))
        assert f"| `{value}`" in row
        assert float(value) == (len(defaults.seeds) if key == "runs" else getattr(defaults, key))


# --- docs/ppddl-support.md and docs/benchmarks.md ---


def test_limits_are_the_ones_in_the_code() -> None:
    page = (ROOT / "docs" / "ppddl-support.md").read_text(encoding="utf-8")
    for value in (MAX_ACTIONS, MAX_OUTCOMES, MAX_TOKENS, MAX_NESTING, MAX_ERRORS, errors.MAX_SHOWN):
        assert f"| {value:,} |" in page
    assert f"| {MAX_INPUT_BYTES // 2**20} MiB |" in page


def test_unsupported_sections_are_listed() -> None:
    page = (ROOT / "docs" / "ppddl-support.md").read_text(encoding="utf-8")
    for section in UNSUPPORTED_SECTIONS:
        assert f"`{section}`" in page


def test_every_benchmark_domain_is_described() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name, family in FAMILIES.items():
        assert f"`{name} {' '.join(parameter.upper().replace(' ', '-') for parameter in family.parameters)}`" in page


def test_the_first_pages_count_the_benchmark_domains() -> None:
    """The paper's five, three of them a second time, and the others."""
    others = len(FAMILIES) - 5 - 3
    words = ("eight", "nine", "ten", "eleven", "twelve", "thirteen")
    readme, tutorial = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/tutorial.md"))
    assert (
        f"the paper's five domains, three of them in their sources' vocabularies too, and {words[others - 8]} more"
        in readme
    )
    assert f"{len(FAMILIES)} domains with a generator" in tutorial


def test_the_documentation_stays_small() -> None:
    """What is made from docstrings and records is no page of the repository; a changelog is for users."""
    assert len(PAGES) - 1 <= 65
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130
    current = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    assert len(current.splitlines()) <= 100


def test_the_first_pages_begin_with_an_example_and_say_the_way_without_a_checkout() -> None:
    readme, index = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/index.md"))
    first = next(blocks(readme))
    assert [line.split(" #")[0].strip() for line in first.text.splitlines()] == ["make demo", "make test"]
    assert "`python -m gpaplan.demo`" in readme.split("```")[2].split("\n\n")[1]
    assert next(blocks(index)).text.startswith("$ gpaplan new ")
    assert "`python -m gpaplan.demo`" in index.partition("\n| ")[0]
    assert index.index("```console") < index.index("landing.svg"), "an example before any plot"


# --- docs/paper.md ---


def test_whatever_the_page_of_the_paper_names_is_there() -> None:
    page = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|bench)/[\w/.-]+)(?:::(\w+))?`", page)
    assert len(named) > 80
    for file, function in named:
        assert (ROOT / file).is_file(), file
        if function:
            assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{function}"


@pytest.mark.parametrize(
    "part",
    [
        *(f"Definition 3.{number}" for number in (1, 2, 3)),
        *(f"\n| {line} |" for line in ("1–8", "9", "10", "11–12", "14", "15")),
        *("Theorem 3.1", "Theorem 3.2", "Corollary 3.1", "Theorem 3.3", "7200 s, 16 GiB, 10 runs", "min(2, n)"),
    ],
)
def test_the_page_of_the_paper_has_every_part_of_it(part: str) -> None:
    assert part in (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
