"""Records of runs that never took place, for the tests of reports: made from formulas, the same every time."""

from __future__ import annotations

import math
import random
from typing import Any

from gpaplan.benchmarks import DOMAINS
from gpaplan.experiments.record import Record

PAPER: dict[str, list[tuple[int, ...]]] = {
    "keva": [(29, h) for h in range(1, 15)],
    "rover": [(1, w, s, 2) for s in range(1, 14) for w in (3, 4)],
    "schedule": [(1, p) for p in range(2, 16)],
    "delicate-can": [(c,) for c in (*range(2, 13), 12)],
    "gripper": [(b,) for b in range(1, 13)],
}


def record(**changes: Any) -> Record:
    """A solved run of gripper(3) with LRTDP, changed as asked for; its key follows from what makes it unique."""
    values: dict[str, Any] = {
        "suite": "test",
        "domain": "gripper",
        "problem": "gripper(3)",
        "theta": "3",
        "size": 0,
        "solver": "lrtdp",
        "gpa": 0,
        "run": 0,
        "seed": 0,
        "heuristic": "ff",
        "epsilon": 1e-5,
        "cost_mode": "unit",
        "symmetry": "off",
        "time_limit": 600.0,
        "memory_limit": 8000.0,
        "trials": 100,
        "horizon": 100,
        "relevance": "off",
        "status": "solved",
        "message": "",
        "value": 9.75,
        "estimate": 9.75,
        "goal_probability": 1.0,
        "guarantee": "none",
        "mean_cost": 9.75,
        "sd_cost": 0.97,
        "goal_rate": 1.0,
        "expanded": 100,
        "generated": 120,
        "seconds": 1.0,
        "seconds_parse": 0.001,
        "seconds_ground": 0.001,
        "seconds_search": 0.9,
        "seconds_verify": 0.1,
        "seconds_total": 1.2,
        "seconds_cpu": 0.8,
        "peak_mb": 50.0,
        "optimal": 9.75,
        "problem_hash": "p",
        "domain_hash": "d",
        "version": "0.1.0",
        "python": "3.11.9",
        "platform": "Linux",
        "machine": "2 cores",
        "started": "2026-01-02T03:04:05+00:00",
    }
    values |= changes
    if values["gpa"]:
        learned = {"training": '["gripper(1)", "gripper(2)"]', "vertices": 7, "edges": 9, "learn_seconds": 0.05}
        used = {"match": "strict", "fallback_mode": "full"}
        values = {"fallback": 0, "automaton_hash": "a", **used, **learned} | values
    if values["status"] != "solved":
        nothing = (
            "value",
            "estimate",
            "goal_probability",
            "mean_cost",
            "sd_cost",
            "goal_rate",
            "expanded",
            "generated",
        )
        values |= {name: None for name in (*nothing, "seconds", "seconds_cpu") if name not in changes}
    parts = ("suite", "domain", "problem", "size", "solver", "gpa", "run", "heuristic", "symmetry", "time_limit")
    values.setdefault("key", "|".join(str(values[name]) for name in parts))
    return Record(**values)


def paper_like(domains: tuple[str, ...] = tuple(PAPER), runs: int = 3, limit: float = 600.0) -> list[Record]:
    """All test problems of the paper with three solvers; times grow as powers of the number of states."""
    noise = random.Random(7)
    records = []
    for domain in domains:
        for size, theta in enumerate(PAPER[domain]):
            states = 40 * 3**size
            for solver, speed in (("lrtdp", 6e-6), ("soft-flares", 7e-6), ("vi", 1.5e-6)):
                for gpa in (0, 1):
                    power = {"gripper": 0.97, "keva": 0.4}.get(domain, 0.72)
                    expanded = states**power if gpa else float(states)
                    for run in range(runs):
                        seconds = (0.0005 + speed * (1.4 if gpa else 1.0) * expanded) * math.exp(noise.gauss(0, 0.08))
                        records.append(
                            _run(domain, theta, size, solver, gpa, run, seconds, int(expanded), limit, noise)
                        )
    return records


def _run(
    domain: str,
    theta: tuple[int, ...],
    size: int,
    solver: str,
    gpa: int,
    run: int,
    seconds: float,
    expanded: int,
    limit: float,
    noise: random.Random,
) -> Record:
    text = " ".join(map(str, theta))
    optimal = DOMAINS[domain].optimal_cost(*theta)
    assert optimal is not None
    off = 1.06 if solver == "soft-flares" and domain == "delicate-can" and size > 4 and gpa else 1.0
    spread = 0.1 * math.sqrt(optimal)
    common = {
        "suite": f"paper-{domain}",
        "domain": domain,
        "problem": f"{domain}({', '.join(map(str, theta))})",
        "theta": text,
        "size": size,
        "solver": solver,
        "heuristic": None if solver == "vi" else "ff",
        "gpa": gpa,
        "run": run,
        "seed": run,
        "time_limit": limit,
        "optimal": optimal,
    }
    if solver == "vi" and expanded > 10**8:
        return record(**common, status="memory-limit", message="the memory limit")
    if seconds > limit:
        return record(**common, status="time-limit", message="the time limit", seconds=limit + 0.2, seconds_cpu=limit)
    return record(
        **common,
        seconds=seconds,
        seconds_cpu=seconds * 0.98,
        expanded=expanded,
        generated=expanded,
        value=optimal * off,
        mean_cost=optimal * off + noise.gauss(0, spread / 10),
        sd_cost=spread,
        fallback=(1 if domain == "schedule" and size == 3 else 0) if gpa else None,
    )
