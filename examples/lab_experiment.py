"""gpaplan in an experiment of Downward Lab: the same problems with two heuristics, and a table of the results.

    pip install gpaplan lab
    python examples/lab_experiment.py DIRECTORY --all

Lab writes a directory a run, starts the runs on this machine (or on a cluster), parses what they printed, and reports.
``gpaplan solve --json`` prints one JSON object, which the parser below takes as it is; its exit codes are not those of
Fast Downward, so lab's own parsers of them are of no use here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from downward.reports.absolute import AbsoluteReport
from lab.environments import LocalEnvironment
from lab.experiment import Experiment
from lab.parser import Parser
from lab.reports import Attribute

from gpaplan.benchmarks import generate

ATTRIBUTES = [
    Attribute("coverage", absolute=True, min_wins=False),
    Attribute("cost", min_wins=True),
    Attribute("expanded", min_wins=True),
]


def take_record(content: str, properties: dict[str, Any]) -> None:
    """The fields of the JSON object that are wanted in reports."""
    record = json.loads(content)
    properties["coverage"] = int(record["status"] == "solved")
    properties["cost"] = record["value"]
    properties["expanded"] = record["expanded"]


def experiment(folder: Path) -> Experiment:
    result = Experiment(str(folder / "runs"), environment=LocalEnvironment(processes=1))
    parser = Parser()
    parser.add_function(take_record, file="run.log")
    result.add_parser(parser)
    for balls in (2, 3):
        generate("gripper", balls).write(folder / "tasks")
        for heuristic in ("hmax", "lmcut"):
            run = result.add_run()
            run.add_resource("domain", str(folder / "tasks" / "domain.ppddl"))
            run.add_resource("problem", str(folder / "tasks" / f"gripper-{balls}.ppddl"))
            command = [sys.executable, "-m", "gpaplan", "solve", "{domain}", "{problem}", "--json"]
            run.add_command("planner", [*command, "--heuristic", heuristic], time_limit=60, memory_limit=2000)
            run.set_property("id", ["gripper", str(balls), heuristic])
            run.set_property("domain", "gripper")
            run.set_property("problem", str(balls))
            run.set_property("algorithm", heuristic)
    result.add_step("build", result.build)
    result.add_step("start", result.start_runs)
    result.add_step("parse", result.parse)
    result.add_fetcher(name="fetch")
    result.add_report(AbsoluteReport(attributes=ATTRIBUTES, format="txt"), outfile="report.txt")
    return result


if __name__ == "__main__":
    directory = Path(sys.argv.pop(1)).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    experiment(directory).run_steps()
