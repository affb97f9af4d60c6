"""The recipes in containers/ and packaging/: what they call exists. Images are not built: that takes a registry."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.solving.solvers import SOLVERS
from tests.paths import ROOT

DOCKERFILE = (ROOT / "containers" / "Dockerfile").read_text(encoding="utf-8")
DEFINITION = (ROOT / "containers" / "gpaplan.def").read_text(encoding="utf-8")
COMMANDS = gpaplan.list_commands(click.Context(gpaplan))
PLANUTILS = ROOT / "packaging" / "planutils" / "gpaplan"


def commands(text: str) -> list[list[str]]:
    """What is called as ``gpaplan …`` in a text."""
    return [shlex.split(line) for line in re.findall(rf"\bgpaplan ((?:{'|'.join(COMMANDS)}) .*)$", text, re.MULTILINE)]


def test_both_images_take_the_wheel_that_fits_their_python_and_the_page_says_how_to_make_it() -> None:
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    for text in (DOCKERFILE, DEFINITION):
        base = re.search(r"^(?:FROM|From:) python:(\d\.\d+)-slim$", text, re.MULTILINE)
        assert base
        assert re.search(r"dist/gpaplan-\*\.whl", text)
        assert "pip install --no-cache-dir --no-index --no-deps --find-links /tmp/wheels gpaplan" in text
        assert f"make wheel ALSO=python{base[1]}" in text
        assert f"make wheel ALSO=python{base[1]}" in page


def test_the_sections_of_the_definition() -> None:
    sections = re.findall(r"^%(\w+)$", DEFINITION, re.MULTILINE)
    assert sections == ["setup", "post", "environment", "runscript", "test", "help"]


@pytest.mark.parametrize("name", ["Dockerfile", "gpaplan.def", "installing.md"])
def test_the_commands_exist(name: str) -> None:
    page = ROOT / "docs" / name
    text = (
        page.read_text(encoding="utf-8") if name.endswith(".md") else {"Dockerfile": DOCKERFILE}.get(name, DEFINITION)
    )
    found = commands(text)
    assert found
    for words in found:
        command = gpaplan.get_command(click.Context(gpaplan), words[0])
        assert command is not None
        arguments = [word for word in words[1:] if word not in ("<", ">")]
        command.make_context("gpaplan", arguments[: arguments.index("-") + 1] if "-" in arguments else arguments)


def test_the_manifest_of_planutils() -> None:
    manifest = json.loads((PLANUTILS / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest) == {"name", "description", "install-size", "dependencies", "endpoint"}
    service = manifest["endpoint"]["services"]["solve"]
    (solver,) = service["args"]  # those of the template, domain and problem, come before it
    assert {choice["value"] for choice in solver["choices"]} <= set(SOLVERS)
    assert solver["default"] in SOLVERS
    for name in ("install", "run", "uninstall"):
        assert os.access(PLANUTILS / name, os.X_OK)


def test_the_service_of_planutils_runs(tmp_path: Path) -> None:
    """Its call, with what ``install`` would have made."""
    package = tmp_path / "gpaplan"
    shutil.copytree(PLANUTILS, package)
    (package / "environment" / "bin").mkdir(parents=True)
    (package / "environment" / "bin" / "gpaplan").symlink_to(Path(sys.executable).parent / "gpaplan")
    domain, problem = generate("gripper", 2).write(tmp_path)
    service = json.loads((package / "manifest.json").read_text(encoding="utf-8"))["endpoint"]["services"]["solve"]
    values = {"package_name": package / "run", "domain": domain, "problem": problem, "solver": "ilao"}
    subprocess.run(shlex.split(service["call"].format(**values)), cwd=tmp_path, check=True, timeout=60)
    policy = json.loads((tmp_path / service["return"]["files"]).read_text(encoding="utf-8"))
    assert policy["format"] == "gpaplan policy"
    subprocess.run(["./uninstall"], cwd=package, check=True, timeout=60)
    assert not (package / "environment").exists()


def test_scripts_are_free_of_what_shellcheck_finds() -> None:
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run([program, *(PLANUTILS / name for name in ("install", "run", "uninstall"))], check=True, timeout=60)
