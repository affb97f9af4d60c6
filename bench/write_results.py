"""What docs/results says of the records of the paper's suites, and their figures.

    gpaplan bench paper --runs 3 --time-limit 600 --memory-limit 8000 --give-up-after 2 --once-at-limit
    python bench/write_results.py evaluation=paper.csv    first copies these records to docs/results
    python bench/write_results.py                            anew from the records in docs/results

There are two sets of records: `evaluation` is the suite `paper`, `by-itself` the suite `paper-best`. The report of each
(`gpaplan report`), with all cells, is made with the site (`make docs`) and not kept; this script draws its figure.
bench/speed_ups.py writes the page that compares with the paper, and docs/results.md says what it means.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from gpaplan.experiments.record import read_records, write_records
from gpaplan.experiments.report import contents, write_report
from gpaplan.experiments.report.contents import Heading, to_markdown
from gpaplan.experiments.report.summary import summarize

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
TITLES = {
    "evaluation": "The paper's evaluation",
    "by-itself": "The paper's problems with symmetry, coarse matching and turns",
}
"""Of each set of records."""


def records_of(name: str) -> Path:
    """Where the records of a set are."""
    return RESULTS / f"records-{name}.csv.xz"


def reports(name: str) -> dict[str, str]:
    """The report of a set, page by page: one says what the records say, and one for each domain has its cells."""
    summary = summarize(read_records(records_of(name)), "cpu")
    figure = (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8")
    blocks = contents.report(summary, [figure])[1:]
    tables = [block for section in summary.sections for block in contents.results(section)]
    main = to_markdown([Heading(1, TITLES[name]), *(block for block in blocks if block not in tables)])
    names = {section.title: f"report-{name}-{_slug(section.title)}.md" for section in summary.sections}
    links = ", ".join(f"[{domain}]({page})" for domain, page in names.items())
    main = main.replace("](figure.svg)", f"](../images/{name}.svg)")
    texts = {f"report-{name}.md": f"{main}\n## All cells\n\n{links}\n"}
    for section in summary.sections:
        about = f"\nAll cells; [here](report-{name}.md) is what they say, and how they are to be read.\n\n"
        heading = to_markdown([Heading(1, f"{TITLES[name]}, {section.title}")])
        texts[names[section.title]] = heading + about + to_markdown(contents.results(section)[1:])
    return texts


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# --- all of it --------------------------------------------------------------------------------------------------------


def draw(name: str) -> None:
    """The figure of a set."""
    with tempfile.TemporaryDirectory() as folder:
        write_report(read_records(records_of(name)), folder, "cpu")
        for end in ("svg", "png"):
            (DOCS / "images" / f"{name}.{end}").write_bytes((Path(folder) / f"figure.{end}").read_bytes())
            print(f"wrote {name}.{end}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", metavar="SET=FILE", help="take these records over first")
    given = dict(each.partition("=")[::2] for each in parser.parse_args().records)
    for name, file in given.items():
        if name not in TITLES:
            parser.error(f"there is no set '{name}'; there are {', '.join(TITLES)}")
        write_records(read_records(Path(file)), records_of(name))
    for name in given or TITLES:
        draw(name)


if __name__ == "__main__":
    main()
