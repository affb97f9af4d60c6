"""``gpaplan check`` of many files and folders, and ``--fix``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan.benchmarks import generate
from gpaplan.ppddl import write_domain, write_problem
from tests.commands import run

DOMAIN = """(define (domain lamps)
  (:requirements :typing)
  (:types lamp)
  (:predicates (lit ?l - lamp) (broken ?l - lamp))
  (:action light :parameters (?l - lamp) :precondition (not (broken ?l)) :effect (lit ?l)))
"""
PROBLEM = """(define (problem two) (:domain lamps) (:objects a b - lamp) (:goal (and (lit a) (lit b))))
"""


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Two domains with problems, each in a folder of its own."""
    for family, sizes in (("gripper", (1, 2)), ("cosanostra", (2,))):
        folder = tmp_path / family
        folder.mkdir()
        for size in sizes:
            benchmark = generate(family, size)
            (folder / "domain.ppddl").write_text(write_domain(benchmark.domain), encoding="utf-8")
            (folder / f"p{size}.ppddl").write_text(write_problem(benchmark.problem), encoding="utf-8")
    return tmp_path


def write(folder: Path, domain: str = DOMAIN, problem: str = PROBLEM) -> list[str]:
    (folder / "d.ppddl").write_text(domain, encoding="utf-8")
    (folder / "p.ppddl").write_text(problem, encoding="utf-8")
    return [str(folder / "d.ppddl"), str(folder / "p.ppddl")]


def test_a_folder_is_checked_as_a_whole(team: Path) -> None:
    code, out, _ = run("check", str(team), "--strict")
    assert code == 0
    assert out == "5 files: 0 with errors, 0 with something to look at\n"


def test_each_problem_is_checked_with_its_own_domain(team: Path) -> None:
    """The nearest domain of the name counts; another one of the same name may be wrong for it."""
    (team / "old").mkdir()
    (team / "old" / "domain.ppddl").write_text("(define (domain gripper) (:requirements :strips))", encoding="utf-8")
    code, out, _ = run("check", str(team))
    assert (code, out.splitlines()[-1]) == (0, "6 files: 0 with errors, 0 with something to look at")


def test_all_files_are_reported_in_one_run(team: Path) -> None:
    (team / "gripper" / "p1.ppddl").write_text("(define (problem p) (:domain gripper) (:goal (fly)))", encoding="utf-8")
    (team / "gripper" / "p3.ppddl").write_text("(define (problem p) (:domain nowhere))", encoding="utf-8")
    (team / "gripper" / "p4.ppddl").write_text("(define (problem", encoding="utf-8")
    code, out, _ = run("check", str(team))
    assert code == 30
    assert "p1.ppddl:1:47: unknown predicate 'fly'" in out
    assert "p3.ppddl: no domain 'nowhere' is among the files" in out
    assert "p4.ppddl:1:1: " in out
    assert out.splitlines()[-1] == "7 files: 3 with errors, 0 with something to look at"
    code, out, _ = run("check", str(team), "--json")
    record = json.loads(out)
    assert record["status"] == "errors"
    assert {Path(each["file"]).name for each in record["files"] if each["errors"]} == {
        "p1.ppddl",
        "p3.ppddl",
        "p4.ppddl",
    }


def test_what_is_unused_in_all_problems_is_something_to_look_at(tmp_path: Path) -> None:
    more = DOMAIN.replace("(:types lamp)", "(:types lamp crane)").replace(
        " :typing", " :typing :negative-preconditions"
    )
    files = write(tmp_path, more)
    never = PROBLEM.replace("(lit a)", "(broken a)")
    (tmp_path / "q.ppddl").write_text(never, encoding="utf-8")
    code, out, _ = run("check", str(tmp_path))
    assert code == 0
    assert "d.ppddl: type 'crane' is never used" in out
    assert "q.ppddl: the goal is never reached: (broken a)" in out
    assert run("check", str(tmp_path), "--strict")[0] == 38
    assert run("check", *files)[0] == 0, "one problem is shown as before"
    assert run("check", str(tmp_path), "--states")[0] == 31


def test_a_folder_without_ppddl_is_an_error(tmp_path: Path) -> None:
    code, _, err = run("check", str(tmp_path))
    assert code == 31
    assert "there is no .ppddl or .pddl file" in err


# --- mending ---


def test_missing_requirements_and_slips_are_mended(tmp_path: Path) -> None:
    domain = DOMAIN.replace("(not (broken ?l))", "(not (brokn ?l))").replace(":effect (lit", ":effect (ilt")
    files = write(tmp_path, domain, PROBLEM.replace("a b - lamp", "a b - lmap"))
    code, _, err = run("check", *files, "--strict", "--fix")
    assert code == 0
    for words in ("brokn -> broken", "ilt -> lit", "lmap -> lamp", "added -> :negative-preconditions"):
        assert words in err
    assert Path(files[0]).read_text() == DOMAIN.replace(":typing)", ":typing :negative-preconditions)")
    assert Path(files[1]).read_text() == PROBLEM


def test_a_domain_without_requirements_gets_them(tmp_path: Path) -> None:
    files = write(tmp_path, DOMAIN.replace("  (:requirements :typing)\n", ""))
    assert run("check", *files, "--strict")[0] == 38
    assert run("check", *files, "--strict", "--fix")[0] == 0
    assert "(:requirements :typing :negative-preconditions)" in Path(files[0]).read_text()


@pytest.mark.parametrize(
    ("old", "new"), [("(lit a)", "(lit c)"), ("(lit a)", "(shining a)"), ("(:domain lamps)", "(:domain lumps)")]
)
def test_what_has_more_than_one_answer_stays(tmp_path: Path, old: str, new: str) -> None:
    files = write(tmp_path, problem=PROBLEM.replace(old, new))
    before = Path(files[1]).read_text()
    assert run("check", *files, "--fix")[0] == 30
    assert Path(files[1]).read_text() == before


def test_other_encodings_are_left_alone(tmp_path: Path) -> None:
    files = write(tmp_path)
    data = DOMAIN.replace("(lit ?l)))", "(litt ?l))) ; für").encode("latin-1")
    Path(files[0]).write_bytes(data)
    code, _, err = run("check", *files, "--fix")
    assert code == 31
    assert "cannot be mended" in err
    assert Path(files[0]).read_bytes() == data


# --- what is said ---


def test_an_undeclared_type_is_said_once(tmp_path: Path) -> None:
    domain = DOMAIN.replace("  (:types lamp)\n", "  (:types bulb)\n")
    _, _, err = run("check", write(tmp_path, domain)[0])
    assert err.count("unknown type 'lamp'") == 1
    assert "declare it in :types" in err


def test_a_missing_functions_section_is_said(tmp_path: Path) -> None:
    change = "(and (lit ?l) (increase (total-cost) (watts ?l)))"
    domain = DOMAIN.replace(":effect (lit ?l)", f":effect {change}")
    _, _, err = run("check", write(tmp_path, domain)[0])
    assert "the domain has no ':functions'; declare it there: (:functions (watts ?x1))" in err
