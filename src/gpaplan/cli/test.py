"""``gpaplan test``: whether what is expected of domains holds."""

from __future__ import annotations

from pathlib import Path

from gpaplan.cli import conventions, options
from gpaplan.cli.options import argument
from gpaplan.display import counted
from gpaplan.expectations import Finding, check_expectations, junit_xml, read_expectations
from gpaplan.files import write_text
from gpaplan.limits import Limits


@options.command("gpaplan test plants/tests.toml --junit results.xml")
def command(
    files: tuple[Path, ...] = argument("FILE...", nargs=-1, required=True),
    junit: Path | None = options.output_option("the results, as JUnit XML,", "--junit", required=False),
    limits: Limits = options.limits_options,
) -> int:
    """Check what is expected of domains: policies, their costs, acting.

    FILE holds expectations, in TOML. 'gpaplan new' writes one to begin with. A limit holds for each of them.
    """
    findings: list[Finding] = []
    for file in files:
        for found in check_expectations(read_expectations(file), file.parent, limits):
            findings.append(found)
            if not conventions.wants_json():
                mark, rest = ("ok    ", "") if found.holds else ("FAILED", f": {found.found}")
                conventions.echo(f"{mark}  {found.name}: {found.expected}{rest}")
    failed = sum(not each.holds for each in findings)
    if junit is not None:
        write_text(junit, junit_xml(findings))
    record = {"status": "failed" if failed else "ok", "failed": failed, "findings": findings}
    return conventions.say(record, f"{counted(len(findings), 'expectation')}, {failed} not met")
