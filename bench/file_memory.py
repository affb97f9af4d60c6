"""Memory: what `gpaplan show` takes for each byte of a file, by the kind of the file.

    python bench/file_memory.py

A policy for all states of Gripper(9), 2,000 trials of another, and the automaton of a policy for all states of
Keva(9,3) are written to a passing folder, and each is shown by a process of its own. "in all" is by how much the peak
of its resident memory is above that of showing a tiny automaton, divided by the bytes of the file; "parsing, at most"
is what `gpaplan.data.memory_to_parse` says before the file is parsed, divided likewise.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from gpaplan import Policy, StateSpace, learn, record_trials, solve
from gpaplan.benchmarks import generate
from gpaplan.data import memory_to_parse
from gpaplan.tasks.grounding import load
from gpaplan.tasks.task import GroundTask
from measuring import apart, command, generated, options, print_head, print_row, trained


def any_policy(task: GroundTask) -> Policy:
    """The first applicable action in every state."""
    space = StateSpace(task)
    space.explore()
    actions = {space.atoms(state): space.applicable(state) for state in range(len(space)) if not space.is_goal(state)}
    return Policy(task, {state: found[0] for state, found in actions.items() if found})


def write_files(folder: Path) -> dict[str, list[str]]:
    """For each kind of file the arguments of ``gpaplan show``."""
    domain, problem = generate("gripper", 9).write(folder)
    task = load(domain, problem)
    any_policy(task).write(folder / "policy.json")
    record_trials(task, solve(task).policy, trials=2000).write(folder / "trace.json")
    keva = generated("keva", (9, 3))
    learn(keva.domain, [any_policy(keva)]).write(folder / "automaton.json")
    trained("gripper", [(1,)]).write(folder / "tiny.json")
    files = {"policy": ["policy.json", domain.name, problem.name], "trace": ["trace.json"]}
    files |= {"automaton": ["automaton.json"], "tiny": ["tiny.json"]}
    return {kind: [str(folder / name) for name in names] for kind, names in files.items()}


def main() -> None:
    arguments = options(__doc__).parse_args()
    if arguments.measure:
        print(json.dumps(write_files(Path(*arguments.measure))))
        return
    print_head("<file", "MB", "in all", "parsing, at most")
    with tempfile.TemporaryDirectory() as folder:
        files = apart(folder)
        assert files is not None
        least = command("show", *files.pop("tiny")).megabytes
        for kind, names in files.items():
            text = Path(names[0]).read_text()
            size, most = len(text.encode()), memory_to_parse(text)
            del text
            shown = command("show", *names)
            assert shown.record["status"] == "ok", shown.record
            taken = (shown.megabytes - least) * 1e6
            print_row(kind, f"{size / 1e6:.1f}", f"{taken / size:.1f}", f"{most / size:.1f}")


if __name__ == "__main__":
    main()
