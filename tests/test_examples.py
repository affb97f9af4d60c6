"""The examples run, and show what they say they show."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

EXAMPLES = ROOT / "examples"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_storm_is_accelerated_by_an_automaton() -> None:
    pytest.importorskip("stormpy")
    (cost, states, _), (guided_cost, guided_states, _) = load("storm_with_automaton").main(6)
    assert cost == pytest.approx(18 / 0.94, rel=1e-6)
    assert guided_cost == pytest.approx(cost, rel=1e-6)
    assert guided_states * 5 < states


def test_a_robot_talks_in_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    load("robot").main()
    assert "goal after" in capsys.readouterr().out


def test_a_shell_talks_in_lines_of_json() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [bash, EXAMPLES / "act.sh"], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["action"] == "(pick ball0 room-a left)"
    assert second["action"] == "(move room-b room-a)"


def test_agents_pay_what_policies_cost() -> None:
    value, (mean, error), learned = load("gymnasium_agents").main(2)
    assert value == pytest.approx(5.5)
    assert abs(mean - value) < 1.5 * error  # four standard errors
    assert learned == pytest.approx(value, rel=0.05)


def test_states_become_graphs() -> None:
    assert len(load("graph_observations").main().nodes) == 16
