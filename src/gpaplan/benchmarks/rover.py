"""Rover(rovers, waypoints, samples, objectives): rovers bring samples to a dock and take images of objectives.

One waypoint is the dock, the others are field sites f0, f1, …; between any two there is a path. Rover i starts at,
sample i lies at, and objective i is visible from the site f(i mod (waypoints − 1)). A rover carries one sample at a
time; collecting one fails with probability 0.4 and may be tried again.

With one rover, two objectives at two different sites and so at least three waypoints, a sample costs two ways, 1/0.6
collects and one drop. The first way is spared, since the rover starts at a site, and each objective costs an image;
only if there is a single sample must the rover go to the second site for its image alone: 14 s/3 + 1 + [s = 1].
"""

from __future__ import annotations

from fractions import Fraction

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, rovers: int, waypoints: int, samples: int, objectives: int) -> ProblemParts:
    """A dock and field sites, joined by paths; rovers, samples and objectives are dealt out to the sites in turn."""
    rover_names = names.number("rover", rovers)
    dock, *sites = waypoint_names = names.number("waypoint", waypoints)
    sample_names = names.number("sample", samples)
    objective_names = names.number("objective", objectives)

    def dealt(objects: list[str]) -> list[str]:
        return [f"{name} {sites[index % len(sites)]}" for index, name in enumerate(objects)]

    return ProblemParts(
        f"Rover({rovers}, {waypoints}, {samples}, {objectives}): "
        f"the dock is {dock}, the other waypoints are field sites.",
        {"rover": rover_names, "waypoint": waypoint_names, "sample": sample_names, "objective": objective_names},
        [
            atoms("at", dealt(rover_names)),
            atoms("empty", rover_names),
            f"(dock {dock})",
            atoms("sample-at", dealt(sample_names)),
            atoms("visible-from", dealt(objective_names)),
            *(atoms("path", (f"{start} {end}" for end in waypoint_names if end != start)) for start in waypoint_names),
        ],
        [atoms("delivered", sample_names), atoms("imaged", objective_names)],
    )


def _cost(rovers: int, waypoints: int, samples: int, objectives: int) -> Fraction | None:
    if rovers != 1 or waypoints < 3 or objectives != 2:
        return None
    return Fraction(14, 3) * samples + 1 + (samples == 1)


FAMILY = Family(
    name="rover",
    least={"rovers": 1, "waypoints": 2, "samples": 1, "objectives": 1},
    description="rovers bring samples to a dock, one at a time, and take images of objectives",
    write_problem=write_problem,
    closed_form_cost=_cost,
)
