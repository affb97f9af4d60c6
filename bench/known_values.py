"""Known optimal values of competition problems, with every exact solver and admissible heuristic.

    python bench/known_values.py DIRECTORY [--solver vi --solver lrtdp …] [--time-limit 60] [--symmetry on]

DIRECTORY holds a tree of PPDDL files and a ``values.csv`` with the columns set, domain, problem, and
optimal_value_dead_end_cost_500 (unit cost, giving up costs 500). Each run is a process of its own. A row of the output
is a run that disagrees by more than 1e-3 or did not finish; the summary counts all of them.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from measuring import command, competition_files, options

RUNS = [("vi", "blind"), *((solver, h) for solver in ("lao", "ilao", "lrtdp") for h in ("blind", "hmax", "lmcut"))]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--solver", action="append", help="only this one; may be repeated")
    parser.add_argument("--symmetry", choices=["on", "off", "auto"], default="off")
    parser.add_argument("--all", action="store_true", help="a row for every run")
    arguments = parser.parse_args()
    outcomes: Counter[tuple[str, str, str]] = Counter()
    slowest: dict[tuple[str, str], float] = {}
    with open(arguments.directory / "values.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    runs = [each for each in RUNS if not arguments.solver or each[0] in arguments.solver]
    for row in rows:
        files = competition_files(arguments.directory / row["set"] / row["domain"], row["problem"])
        known = float(row["optimal_value_dead_end_cost_500"])
        for solver, heuristic in runs:
            method = ("--solver", solver, "--heuristic", heuristic, "--symmetry", arguments.symmetry)
            limits = ("--cost", "unit", "--time-limit", arguments.time_limit, "--memory-limit", 8000)
            record = command(
                "solve", *files, "--dead-end-cost", 500, *method, *limits, timeout=3 * arguments.time_limit
            ).record
            value = record.get("value")
            agrees = isinstance(value, int | float) and abs(value - known) <= 1e-3 * max(1.0, known)
            verdict = "agrees" if record["status"] == "solved" and agrees else str(record["status"])
            verdict = "DISAGREES" if verdict == "solved" else verdict
            outcomes[solver, heuristic, verdict] += 1
            total = float(record["seconds"]["total"]) if "seconds" in record else arguments.time_limit
            if verdict == "agrees":
                slowest[solver, heuristic] = max(slowest.get((solver, heuristic), 0), total)
            if verdict != "agrees" or arguments.all:
                name = f"{row['set']}/{row['domain']}/{row['problem']}"
                print(
                    f"{name:40} {solver:6} {heuristic:6} {verdict:12} known {known} found {value} "
                    f"{record.get('guarantee')} {total:.2f} s",
                    flush=True,
                )
    print(f"\n{len(rows)} problems, at most {arguments.time_limit:g} s each")
    for (solver, heuristic, verdict), count in sorted(outcomes.items()):
        print(
            f"  {solver:6} {heuristic:6} {verdict:14} {count:3}   slowest {slowest.get((solver, heuristic), 0):.2f} s"
        )


if __name__ == "__main__":
    main()
