"""Experiments: many problems, several solvers, with and without an automaton, and a record of every run.

A *suite* (`gpaplan.experiments.suite`) is a TOML file that says what is run. A *run* is one problem solved once, by one
solver with one seed; it is a process of its own (`one_run`, watched by `child`), so that whatever becomes of it is a
result and not the end of the suite. Its *record* is a line of a CSV file (`record`) under a key that is made of
everything that determines the run: what is recorded is never run again. `runner` brings these together, on this
machine; `cluster` has the runs done by the workers of a Dask cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpaplan.experiments.record import Record, Results, read_records
    from gpaplan.experiments.runner import run_suite
    from gpaplan.experiments.suite import Run, Suite
    from gpaplan.experiments.suite_file import load_suite

__all__ = ["Record", "Results", "Run", "Suite", "load_suite", "read_records", "run_suite"]

_NAMES = {
    "record": "Record Results read_records",
    "runner": "run_suite",
    "suite": "Run Suite",
    "suite_file": "load_suite",
}


def __getattr__(name: str) -> object:
    import importlib

    module = next((each for each, names in _NAMES.items() if name in names.split()), None)
    if module is None:
        raise AttributeError(f"module 'gpaplan.experiments' has no attribute '{name}'")
    return getattr(importlib.import_module(f"gpaplan.experiments.{module}"), name)
