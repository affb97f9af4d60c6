"""Names come from files, and files from anybody: what they show on a terminal, or in a report, is all that they do."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import conventions, main
from gpaplan.display import harmless, harmless_json
from gpaplan.experiments.record import no_formula, read_records, write_records
from gpaplan.experiments.report import figure, write_report
from gpaplan.experiments.report.summary import summarize
from tests.examples import examples
from tests.experiments.samples import sample_record
from tests.paths import ROOT

REPRODUCERS = ROOT / "tests" / "regression" / "reproducers"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
COMMANDS = ROOT / "src" / "gpaplan" / "cli"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    for name in ("esc.gpa.json", "esc.csv"):
        shutil.copy(REPRODUCERS / name, tmp_path)
    with contextlib.chdir(tmp_path):
        yield tmp_path


def run(*arguments: str) -> None:
    with pytest.raises(SystemExit):
        main(list(arguments))


def test_what_each_character_becomes() -> None:
    assert harmless("a\x1b[2Jb\x7f\x9b\u202e\u2066\r") == r"a\x1b[2Jb\x7f\x9b\u202e\u2066\x0d"
    assert harmless("one\ttwo\nthree ä 中 😀") == "one\ttwo\nthree ä 中 😀"


@examples(100)
@given(st.text(st.characters(codec="utf-8")))
def test_nothing_harmful_is_left_and_json_stays_what_it_is(text: str) -> None:
    assert not HARMFUL.search(harmless(text))
    written = harmless_json(json.dumps(text, ensure_ascii=False))
    assert not HARMFUL.search(written)
    assert json.loads(written) == text


@examples(100)
@given(st.text(st.characters(codec="utf-8")))
def test_colours_are_the_only_control_characters(text: str) -> None:
    shown = conventions.rendered(conventions.bold(text))
    assert shown == f"\x1b[1m{harmless(text)}\x1b[0m"


@pytest.mark.parametrize(
    "command",
    [
        "show esc.gpa.json",
        "show esc.gpa.json --json",
        "show esc.gpa.json --format dot",
        "show esc.gpa.json --format svg",
        "show esc.gpa.json --format json",
        "show esc.gpa.json --format html",
        "merge esc.gpa.json esc.gpa.json -o -",
        "report esc.csv",
        "report esc.csv --json",
        "show \x1b]0;x\x07.json",
        "\x1b[2J",
    ],
)
def test_nothing_harmful_is_printed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(*command.split(" "))
    shown = capsys.readouterr()
    assert shown.out + shown.err
    assert not HARMFUL.search(shown.out + shown.err)


def test_what_is_shown_and_written_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("show", "esc.gpa.json")
    assert r"x\x1b]0;PWN\x07\x1b[31mred\x9b31m: 3 states" in capsys.readouterr().out
    automaton = PolicyAutomaton.read("esc.gpa.json")
    automaton.write("again.gpa.json")
    assert "\x9b" in automaton.training[1].problem
    assert not HARMFUL.search((folder / "again.gpa.json").read_text())
    assert PolicyAutomaton.read("again.gpa.json").training == automaton.training


def test_no_file_of_a_report_has_anything_harmful(folder: Path) -> None:
    run("report", "esc.csv")
    texts = [path for path in (folder / "report").iterdir() if path.suffix != ".png"]
    assert len(texts) == 3
    for path in texts:
        assert not HARMFUL.search(path.read_text(encoding="utf-8")), path.name


def test_all_output_goes_out_in_one_place() -> None:
    """What is for people goes through `echo`. What else is written is JSON, a file, or made harmless there."""
    direct = re.compile(r"(click\.(?:echo|secho|style)|sys\.std(?:out|err)\.write|(?<![\w.])print)\(")
    found = {path.name: len(direct.findall(path.read_text())) for path in COMMANDS.glob("*.py")}
    allowed = {
        "conventions.py": 3,
        "act.py": 1,
        "show.py": 1,
        "solve.py": 1,
    }
    assert {name: count for name, count in found.items() if count} == allowed


# --- reports ---

NAMES = [
    "[a](javascript:alert(1))",
    "![a](http://example.org/a.png)",
    "<img src=x onerror=alert(1)>",
    "http://example.org",
    "www.example.org",
    "me@example.org",
    "a|b",
    "# a",
    "$\\frac$",
    "$a$ $",
    '"><script>alert(1)</script>',
    "=1+1",
]


def test_names_are_inert_in_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        sample_record(number, domain=name, problem=name, theta=name, solver=name) for number, name in enumerate(NAMES)
    ]
    assert NAMES[8] in figure.draw(summarize(records[8:9])).svg, "no formula"
    monkeypatch.setattr(figure, "is_available", lambda: False)  # a panel for every pair of names takes its time
    write_report(records, tmp_path / "report")
    markdown = (tmp_path / "report" / "report.md").read_text()
    assert not re.search(r"(?<!\\)\]\((?!figure)", markdown), "links and images"
    assert not re.search(r"<(?!!-- -->)", markdown), "markup"
    assert not re.search(r"http://|www\.e|@e", markdown), "addresses"
    page = (tmp_path / "report" / "report.html").read_text()
    assert "<img" not in page
    assert "alert(1)</script>" not in page


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "-a", "'=1", "''@", "-", "+1_0"])
def test_a_formula_becomes_a_text(text: str, tmp_path: Path) -> None:
    assert no_formula(text) == f"'{text}"
    write_records([sample_record(problem=text)], tmp_path / "records.csv")
    with open(tmp_path / "records.csv", newline="") as file:
        assert next(csv.DictReader(file))["problem"] == f"'{text}"
    (record,) = read_records(tmp_path / "records.csv")
    assert record.problem == text


@pytest.mark.parametrize("text", ["-1", "+2.5e-3", "-1.", "a=1", "'a", "", "1-1", "gripper(3)"])
def test_what_is_no_formula_stays(text: str, tmp_path: Path) -> None:
    assert no_formula(text) == text
    write_records([sample_record(message=text)], tmp_path / "records.csv")
    assert read_records(tmp_path / "records.csv")[0].message == text
