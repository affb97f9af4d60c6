"""What a newcomer gets by default, in twelve domains of the literature and six more: `learn`, `simulate`, `solve`.

    python bench/newcomer.py RECORDS [NAME...] [--parts abc] [--print]

a  `learn` from one large problem, then 20 trials of `simulate` on it, and on another one of about its size.
b  The same, but `learn` from five small problems.
c  `solve` on the large problem.

Every command runs as a process of its own, and is interrupted as by Ctrl-C when it has used up its processor seconds:
150 to learn, 30 for trials, 20 to solve. RECORDS is a folder: what is measured is kept there, and not measured again,
so that a run may be stopped and continued. Then a table of each part is printed; with ``--print`` nothing else is done.

The cost of acting is that of the trials that reach the goal. The share that is decided by the automaton includes states
where it leaves several actions, and looking ahead chooses among them. *Useful* is as in `self_taught.py`: all trials on
both problems reach the goal, on the first at no more than 1.3 times the least cost that any part came to.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import later_domains
import literature_domains
from measuring import options, print_head, print_row

Record = dict[str, Any]
DOMAINS = {**literature_domains.DOMAINS, **later_domains.DOMAINS}
LIMITS = {"learn": 150, "simulate": 30, "solve": 20}
"""Processor seconds: twice and more of what learning's budget of 60 s of work takes, and what acting by rules needs."""
GRACE = 30
"""Processor seconds after an interrupt."""
TICKS = os.sysconf("SC_CLK_TCK")


def seconds_used(process: int) -> float:
    """The processor time of a process that runs."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / TICKS


def run(*arguments: object) -> Record:
    """What a command of gpaplan prints with ``--json``, its exit code, and its processor seconds."""
    command = [sys.executable, "-m", "gpaplan", *map(str, arguments), "--json"]
    limit, used, stopped = LIMITS[str(arguments[0])], 0.0, False
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while process.poll() is None and used < limit + GRACE:
            time.sleep(0.2)
            used = seconds_used(process.pid)
            if used > limit and not stopped:
                process.send_signal(signal.SIGINT)
                stopped = True
        process.kill()
        assert process.stdout is not None
        text = process.stdout.read()
    return {
        **(json.loads(text) if text else {}),
        "processor_seconds": used,
        "stopped": stopped,
        "code": process.returncode,
    }


def measure(folder: Path, name: str, part: str) -> None:
    """Keep what a part of a domain comes to in the folder."""
    files = folder / name
    literature_domains.write(folder, name, DOMAINS[name])
    domain, large = files / "domain.ppddl", [files / f"large{i}.ppddl" for i in (1, 2)]
    if part == "c":
        found = {"solve": run("solve", domain, large[0])}
    else:
        given = large[:1] if part == "a" else [files / f"small{i}.ppddl" for i in range(1, 6)]
        learned = files / f"{part}.gpa.json"
        found = {"learn": run("learn", domain, *given, "-o", learned)}
        for number, problem in enumerate(large, 1):
            if learned.exists():
                found[f"act{number}"] = run("simulate", domain, problem, "--gpa", learned, "--trials", 20)
    (files / f"{part}.json").write_text(json.dumps(found))


def acted(record: Record | None) -> str:
    """The trials in a few words."""
    if record is None:
        return "nothing written"
    if not record.get("trials"):
        return "no trial ended"
    decided, number = record["sources"].get("automaton", 0), record["decisions"] or 1
    cost = "" if record["goal_cost"] is None else f" at {record['goal_cost']:.1f}"
    return f"{record['goal_rate']:.0%}{cost}, {decided / number:.0%}"


def is_useful(found: Record, least: float) -> bool:
    """Whether acting reaches the goal each time, and not dearly."""
    both = [found.get("act1"), found.get("act2")]
    reached = all(each is not None and each.get("goal_rate") == 1 for each in both)
    return reached and found["act1"]["goal_cost"] <= 1.3 * least


def print_tables(folder: Path, names: list[str], parts: str) -> None:
    """What is in the folder."""
    known = {
        (n, p): json.loads(f.read_text()) for n in names for p in "abc" if (f := folder / n / f"{p}.json").exists()
    }

    def least(name: str) -> float:
        acts = [known[name, part]["act1"] for part in "ab" if "act1" in known.get((name, part), ())]
        costs = [record["goal_cost"] for record in acts if record.get("goal_rate") == 1]
        value = known.get((name, "c"), {"solve": {}})["solve"].get("value")
        return min([*costs, *([value] if value is not None else [])], default=float("inf"))

    for part in parts:
        rows = [(name, known[name, part]) for name in names if (name, part) in known]
        if part == "c":
            print_head("<domain", "expected cost", "least possible", "<guarantee", "s")
            for name, found in rows:
                solved = found["solve"]
                cost, bound = (solved.get(key) for key in ("value", "lower_bound"))
                shown = ["-" if number is None else f"{number:.1f}" for number in (cost, bound)]
                print_row(
                    name, *shown, solved.get("guarantee") or solved.get("status"), f"{solved['processor_seconds']:.1f}"
                )
        else:
            print_head("<domain", "<taken", "s", "<first: goal, cost, by the automaton", "<second", "<useful")
            useful = [is_useful(found, least(name)) for name, found in rows]
            for (name, found), good in zip(rows, useful, strict=True):
                learned, trials = found["learn"], (acted(found.get("act1")), acted(found.get("act2")))
                size = f"{learned['rules']} rules" if learned.get("rules") else f"{learned.get('edges')} edges"
                print_row(name, size, f"{learned['processor_seconds']:.1f}", *trials, "yes" if good else "no")
            print(f"\nuseful in {sum(useful)} of {len(useful)}\n", flush=True)


def main() -> None:
    """Measure what is not in the folder yet, and print all of it."""
    parser = options(__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("names", nargs="*", default=list(DOMAINS))
    parser.add_argument("--parts", default="abc")
    parser.add_argument("--print", action="store_true", dest="only")
    asked = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes those that run beside it deaf to it
    for part in "" if asked.only else asked.parts:
        for name in asked.names:
            if not (asked.records / name / f"{part}.json").exists():
                measure(asked.records, name, part)
    print_tables(asked.records, asked.names, asked.parts)


if __name__ == "__main__":
    main()
