"""``gpaplan generate``: problems of the benchmark domains."""

from __future__ import annotations

from pathlib import Path

import click

from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.cli.conventions import json_option, print_json, seed_option

_FAMILIES = "\n".join(
    f"  {name} {' '.join(parameter.upper().replace(' ', '-') for parameter in family.parameters)}: {family.description}"
    for name, family in FAMILIES.items()
)


@click.command(
    context_settings={"ignore_unknown_options": True},  # so that a negative number is one
    epilog="\b\nDomains and their parameters:\n" + _FAMILIES,
)
@click.argument("domain", metavar="DOMAIN")
@click.argument("theta", metavar="THETA...", type=int, nargs=-1, required=True)
@seed_option
@click.option(
    "-o",
    "--output",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Where to write; made if it is not there. Default: the current directory.",
)
@json_option
def command(domain: str, theta: tuple[int, ...], seed: int, directory: Path, as_json: bool) -> None:
    """Write a problem of a benchmark domain: a domain file and a problem file.

    THETA are the domain's parameters. The seed permutes the names of the objects and nothing else.
    """
    benchmark = generate(domain, *theta, seed=seed)
    domain_path, problem_path = benchmark.write(directory)
    files = [str(domain_path), str(problem_path)]
    if as_json:
        record = {"status": "ok", "domain": benchmark.name, "theta": list(benchmark.theta)}
        print_json({**record, "seed": seed, "files": files})
    else:
        click.echo("\n".join(files))
