"""A thousand objects: the largest problems, with a grown automaton and up to symmetry of interchangeable objects.

    python bench/thousand_objects.py
    python bench/thousand_objects.py --prove --time-limit 60
    python bench/thousand_objects.py --domain gripper --time-limit 30 --memory-limit 4000
    python bench/thousand_objects.py --growth --solver vi

For each domain an automaton is grown from the smallest problems on; then the problem is solved by `gpaplan solve --gpa`
in a process of its own; with --prove it goes on until its policy is proven optimal. Printed are the policy's cost next
to the optimal one in closed form, the states expanded, what is proven and by what, the seconds of the whole command by
the clock and by the processor, and its peak memory, as Markdown.

With --growth there is no automaton, and problems of several sizes are solved one after the other: printed are the
processor seconds and the memory of each, and the exponents with which they have grown since the first one.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpaplan.benchmarks import DOMAINS, generate
from measuring import SOURCES, command, label, options, print_head, print_row

TARGETS: dict[str, tuple[int, ...]] = {
    "gripper": (1000,),
    "schedule": (1, 500),
    "delicate-can": (200,),
    "rover": (1, 4, 100, 2),
    "keva": (401, 200),
}


GROWTH: dict[str, tuple[tuple[int, ...], ...]] = {
    "gripper": tuple((balls,) for balls in (1000, 2000, 5000, 10_000)),
    "schedule": tuple((1, packets) for packets in (500, 1000, 2000, 5000)),
}
"""The last parameter is the size."""


def growth(domains: Sequence[str], *settings: object) -> None:
    """How time and memory grow with size."""
    print_head("<problem", "<status", "cost", "states", "CPU s", "grows as", "peak MB", "grows as")
    with tempfile.TemporaryDirectory() as folder:
        for name in domains:
            first: tuple[float, float, float] | None = None
            for theta in GROWTH[name]:
                found, _, cpu, peak = command("solve", *generate(name, *theta).write(folder), *settings)
                first = first or (theta[-1], cpu, peak)
                larger = math.log(theta[-1] / first[0]) or math.inf
                time, memory = (
                    f"n^{math.log(now / then) / larger:.2f}" for now, then in zip((cpu, peak), first[1:], strict=True)
                )
                cost = "" if found["value"] is None else f"{found['value']:.4f}"
                cells = found["status"], cost, f"{found['expanded']:,}", f"{cpu:.2f}", time, f"{peak:.0f}", memory
                print_row(label(name, theta), *cells)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--growth", action="store_true", help="several sizes, without an automaton")
    parser.add_argument("--solver", help="with --growth: by this one, and not by what solve does without options")
    parser.add_argument("--domain", action="append", choices=list(TARGETS), help="only this one; may be repeated")
    parser.add_argument("--prove", action="store_true", help="prove the policies optimal")
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--memory-limit", type=float, default=4000, help="megabytes")
    arguments = parser.parse_args()
    if arguments.growth:
        domains = [name for name in GROWTH if name in (arguments.domain or GROWTH)]
        solver = ("--solver", arguments.solver) if arguments.solver else ()
        growth(domains, "--time-limit", arguments.time_limit, "--memory-limit", arguments.memory_limit, *solver)
        return
    print_head("<problem", "<automaton", "cost", "optimal", "states", "<guarantee", "s", "CPU s", "peak MB")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.domain or TARGETS:
            theta = TARGETS[name]
            file = Path(folder) / f"{name}.gpa.json"
            settings = "--time-limit", 60, "--relevance", "off"
            grown = command("grow", name, *SOURCES[name].split(), *settings, "-o", file)
            learned = len(grown.record["training"])
            automaton = f"{grown.record['edges']} edges from {learned} problems in {grown.seconds:.1f} s"
            limits = "--time-limit", arguments.time_limit, "--memory-limit", arguments.memory_limit
            files = generate(name, *theta).write(folder)
            found, seconds, cpu, peak = command("solve", *files, "--gpa", file, *limits, *["--prove"] * arguments.prove)
            cost = found["status"] if found["value"] is None else f"{found['value']:.4f}"
            if found["gpa"]["fallback"]:
                cost += " (fallback)"
            optimal = DOMAINS[name].optimal_cost(*theta)
            print_row(
                label(name, theta),
                automaton,
                cost,
                f"{optimal:.4f}",
                f"{found['expanded']:,}",
                f"{found['guarantee']}: at least {found['lower_bound']:.4f}, from {found['bound_by']}",
                f"{seconds:.2f}",
                f"{cpu:.2f}",
                f"{peak:.0f}",
            )


if __name__ == "__main__":
    main()
