"""``gpaplan generate``: problems of the benchmark domains."""

from __future__ import annotations

from pathlib import Path

from gpaplan.benchmarks import FAMILIES, Family, generate
from gpaplan.cli import conventions, options
from gpaplan.cli.conventions import DIRECTORY, answer
from gpaplan.cli.options import COUNT_OR_ZERO, argument, example, flag, option
from gpaplan.errors import UsageError


def _usage(family: Family) -> str:
    """A family with its parameters: ``keva PLANKS HEIGHT``."""
    return " ".join([family.name, *(parameter.upper().replace(" ", "-") for parameter in family.parameters)])


_EXAMPLES = example("gpaplan generate gripper 3", "gpaplan generate --list")
_FAMILIES = "\n".join(f"  {_usage(family)}: {family.description}" for family in FAMILIES.values())


@options.command(
    epilog=f"{_EXAMPLES}\n\n\b\nDomains and their parameters:\n{_FAMILIES}",
    context_settings={"ignore_unknown_options": True},  # so that a negative number is one
)
def command(
    domain: str | None = argument("DOMAIN", str, required=False),
    theta: tuple[int, ...] = argument("THETA...", int, nargs=-1),
    seed: int = option("--seed", COUNT_OR_ZERO, "Permutes the names of the objects.", 0),
    directory: Path = option(
        "-o --output",
        DIRECTORY,
        "Where to write; created if missing.  [default: the current directory]",
        Path(),
        metavar="DIR",
        show_default=False,
    ),
    list_families: bool = flag("--list", "List the domains and their parameters; write nothing."),
) -> None:
    """Write a problem of a benchmark domain: a domain file and a problem file.

    THETA are the domain's parameters. The seed permutes the names of the objects and changes nothing else.
    """
    if list_families:
        known = FAMILIES.values()
        families = [{"domain": e.name, "parameters": e.parameters, "description": e.description} for e in known]
        rows = [(_usage(family), family.description) for family in known]
        answer({"status": "ok", "families": families}, "Benchmark domains and their parameters", rows)
        return
    if domain is None:
        raise UsageError("which domain? 'gpaplan generate --list' shows them, with their parameters")
    benchmark = generate(domain, *theta, seed=seed)
    domain_path, problem_path = benchmark.write(directory)
    files = [str(domain_path), str(problem_path)]
    record = {"status": "ok", "domain": benchmark.name, "theta": list(benchmark.theta), "seed": seed, "files": files}
    conventions.say(record, "\n".join(files))
