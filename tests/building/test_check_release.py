"""Each check of a release finds what it is for: a tree, an archive or a licence with one thing wrong."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from building import check_release
from building.check_release import (
    closure,
    files_of_the_package,
    is_permissive,
    relative_links,
    wrong_addresses,
    wrong_licences,
    wrong_source,
    wrong_versions,
    wrong_wheel,
)
from tests.paths import ROOT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src" / "gpaplan").mkdir(parents=True)
    (tmp_path / "src" / "gpaplan" / "version.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.3] - 2026-01-31\n\n## [1.2.2] - 2025-12-01\n")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\n")
    return tmp_path


def test_one_version_everywhere(tree: Path) -> None:
    assert list(wrong_versions(tree, ["v1.2.3"])) == []


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("CHANGELOG.md", "## [1.2.2] - 2025-12-01\n", "CHANGELOG.md begins with 1.2.2, not with 1.2.3"),
        ("CHANGELOG.md", "## [Unreleased]\n", "CHANGELOG.md begins with no version, not with 1.2.3"),
        (
            "CHANGELOG.md",
            "## [1.2.3] - unreleased\n",
            "CHANGELOG.md has no date for 1.2.3, and a tag makes it a release",
        ),
        ("CITATION.cff", "cff-version: 1.2.0\n", "CITATION.cff has no version, not 1.2.3"),
        ("CITATION.cff", 'version: "1.2.2"\n', "CITATION.cff has 1.2.2, not 1.2.3"),
        ("src/gpaplan/version.py", '__version__ = "1.2.3rc1"\n', "the tag is v1.2.3, not v1.2.3rc1"),
    ],
)
def test_another_version_somewhere(tree: Path, file: str, text: str, wrong: str) -> None:
    (tree / file).write_text(text)
    assert wrong in list(wrong_versions(tree, ["v1.2.3"]))


def test_a_version_without_a_date_may_be_worked_on(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text("## [1.2.3] - unreleased\n")
    assert list(wrong_versions(tree, [])) == []


def write_source(folder: Path, names: list[str]) -> None:
    with tarfile.open(folder / "gpaplan-1.tar.gz", "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"gpaplan-1/{name}"), io.BytesIO())


def test_a_source_distribution_with_all_that_it_needs(tmp_path: Path) -> None:
    write_source(tmp_path, [*check_release._NEEDED, "tests/test_new.py", "PKG-INFO"])
    assert list(wrong_source(tmp_path, ["tests/test_new.py", ".gitignore"])) == []


def test_what_is_missing_in_a_source_distribution(tmp_path: Path) -> None:
    write_source(tmp_path, [name for name in check_release._NEEDED if name != "LICENSE"])
    assert list(wrong_source(tmp_path, ["tests/test_new.py"])) == ["LICENSE is missing", "tests/test_new.py is missing"]


@pytest.mark.parametrize(
    "name",
    [
        *("build/Release/a.txt", ".venv-asan/bin/python", "tests/.hypothesis/examples/1", "paper.sqlite", "x/core.so"),
        *(".env", "docs/.pypirc", "server.key", "src/gpaplan/__pycache__/a.pyc", "src/gpaplan/_core.pyi"),
    ],
)
def test_what_should_not_be_in_a_source_distribution(tmp_path: Path, name: str) -> None:
    write_source(tmp_path, [*check_release._NEEDED, name])
    assert list(wrong_source(tmp_path, [])) == [f"{name} should not be there"]


def test_no_file_of_ours_is_taken_for_a_foreign_one() -> None:
    assert [name for name in check_release.tracked(ROOT) if check_release._FOREIGN.search(name)] == []


def test_no_distribution_is_not_a_good_one(tmp_path: Path) -> None:
    assert list(wrong_source(tmp_path, [])) == [f"0 source distributions in {tmp_path.name}/, not one; run make wheel"]
    assert list(wrong_wheel(tmp_path)) == [f"no wheel in {tmp_path.name}/; run make wheel"]


def write_wheel(folder: Path, *, less: str = "", more: str = "", tag: str = "manylinux_2_35_x86_64") -> None:
    names = [path.relative_to(ROOT / "src").as_posix() for path in files_of_the_package()]
    names += ["gpaplan/_core.abi3.so", "gpaplan/_core.pyi", "gpaplan-1.dist-info/licenses/LICENSE"]
    with zipfile.ZipFile(folder / f"gpaplan-1-cp312-abi3-{tag}.whl", "w") as archive:
        for name in [*names, more]:
            if name and name != less:
                archive.writestr(name, "")


def test_a_whole_wheel(tmp_path: Path) -> None:
    write_wheel(tmp_path)
    assert list(wrong_wheel(tmp_path)) == []


@pytest.mark.parametrize(
    ("less", "message"),
    [
        ("gpaplan/_core.abi3.so", "the core is missing"),
        ("gpaplan/_core.pyi", "gpaplan/_core.pyi is missing"),
        ("gpaplan/pages/graph.css", "gpaplan/pages/graph.css is missing"),
        ("gpaplan-1.dist-info/licenses/LICENSE", "the licence is missing"),
    ],
)
def test_what_is_missing_in_a_wheel(tmp_path: Path, less: str, message: str) -> None:
    write_wheel(tmp_path, less=less)
    (problem,) = wrong_wheel(tmp_path)
    assert problem.endswith(message)


def test_what_should_not_be_in_a_wheel(tmp_path: Path) -> None:
    write_wheel(tmp_path, more="tests/test_files.py")
    (problem,) = wrong_wheel(tmp_path)
    assert problem.endswith("tests/test_files.py should not be there")


def test_a_wheel_for_this_machine_only(tmp_path: Path) -> None:
    write_wheel(tmp_path, tag="linux_x86_64")
    (problem,) = wrong_wheel(tmp_path)
    assert "this machine only" in problem


ADDRESS = "Project-URL: Source, https://example.org/gpaplan\n"


@pytest.mark.parametrize(
    ("head", "page", "wrong"),
    [
        (ADDRESS, "See [the guide](https://example.org/guide) and [below](#below).", []),
        ("", "Nothing.", ["fill in [project.urls] of pyproject.toml"]),
        (ADDRESS, "See [a](docs/a.md), [b](LICENSE).", ["2 links of the project's page are relative, docs/a.md say"]),
    ],
)
def test_a_released_page_leads_somewhere(tmp_path: Path, head: str, page: str, wrong: list[str]) -> None:
    data = f"Metadata-Version: 2.4\nName: gpaplan\n{head}\n{page}\n".encode()
    with tarfile.open(tmp_path / "gpaplan-1.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("gpaplan-1/PKG-INFO")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    found = list(wrong_addresses(tmp_path, released=True))
    assert len(found) == len(wrong)
    assert all(words in message for words, message in zip(wrong, found, strict=True))
    assert list(wrong_addresses(tmp_path, released=False)) == []


def test_links_within_code_are_none() -> None:
    assert relative_links("[a](b.md)\n```text\n[c](d.md)\n```\n[e](mailto:x) [f](#g)\n") == ["b.md"]


def test_the_licences_of_what_is_installed_here() -> None:
    assert list(wrong_licences(ROOT)) == []
    assert {"click", "msgspec"} <= closure(["click>=8.1", "msgspec"])


@pytest.mark.parametrize(
    ("name", "licence", "permissive"),
    [
        ("click", "BSD-3-Clause", True),
        ("packaging", "Apache-2.0 OR BSD-2-Clause", True),
        ("hypothesis", "MPL-2.0", True),
        ("another", "MPL-2.0", False),
        ("stormpy", "License :: OSI Approved :: GNU General Public License v3 (GPLv3)", False),
        ("stormpy", "GPL-3.0-or-later", False),
        ("some", "LGPL-2.1", False),
        ("some", "", False),
    ],
)
def test_which_licences_are_permissive(name: str, licence: str, permissive: bool) -> None:
    assert is_permissive(name, licence) == permissive
