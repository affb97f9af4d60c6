"""Writes the tables of the paper's evaluation, docs/results/, and their figures, from records.

    gpaplan bench paper --runs 3 --time-limit 600 --memory-limit 8000 --give-up-after 2 --once-at-limit
    python bench/write_results.py evaluation=paper.sqlite    first copies these records to docs/results
    python bench/write_results.py                            anew from the records in docs/results

There are three sets of records: `evaluation` is the suite `paper`, `by-itself` the suite `paper-best`, and
`first-encodings` the suite `paper-first-encodings`. Of each it is the report (`gpaplan report`) on several pages: one
says what the records say, and one for each domain has its cells. The tests compare them with what the records say. What
it means is said in docs/results.md; bench/speed_ups.py writes the page that compares with the paper.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from gpaplan.experiments.record import read_records, write_records
from gpaplan.experiments.report import write_report
from gpaplan.experiments.report.document import Chapter
from gpaplan.experiments.report.markdown import to_markdown

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
TITLES = {
    "evaluation": "Results: the paper's evaluation",
    "by-itself": "Results: the paper's problems with symmetry, coarse matching and turns",
    "first-encodings": "Results: the paper's evaluation with the encodings that were written first",
}
"""Of each set of records."""


def records_of(name: str) -> Path:
    """Where the records of a set are."""
    return RESULTS / f"records-{name}.csv.xz"


def pages(name: str, folder: Path) -> dict[str, str]:
    """The text of each page of a set by its name; the figure is left in the folder."""
    title, mark = TITLES[name], f"<!-- written by bench/write_results.py from {records_of(name).name} -->"
    report = write_report(read_records(records_of(name)), folder, "cpu").document
    results = next(block for block in report.blocks if isinstance(block, Chapter) and block.title == "Results")
    domains = [block for block in results.blocks if isinstance(block, Chapter)]
    names = {domain.title: f"{name}-{_slug(domain.title)}.md" for domain in domains}
    links = ", ".join(f"[{domain}]({page})" for domain, page in names.items())
    rest = [block for block in report.blocks if block is not results]
    main = to_markdown(Chapter(title, rest)).replace("](figure.svg)", f"](../images/{name}.svg)")
    texts = {f"{name}.md": f"{mark}\n\n{main}\n## All cells\n\n{links}\n"}
    for domain in domains:
        heading, tables = to_markdown(Chapter(f"{title}, {domain.title}", domain.blocks)).split("\n", 1)
        about = f"All cells; [here]({name}.md) is what they say, and how they are to be read."
        texts[names[domain.title]] = f"{mark}\n\n{heading}\n\n{about}\n{tables}"
    return texts


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def write(names: Iterable[str]) -> None:
    """Write the pages and figures of these sets."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for page, text in pages(name, Path(folder)).items():
                (RESULTS / page).write_text(text, encoding="utf-8")
                print(f"wrote {page}")
            for end in ("svg", "png"):
                (DOCS / "images" / f"{name}.{end}").write_bytes((Path(folder) / f"figure.{end}").read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", metavar="SET=FILE", help="take these records over first")
    given = dict(each.partition("=")[::2] for each in parser.parse_args().records)
    for name, file in given.items():
        if name not in TITLES:
            parser.error(f"there is no set '{name}'; there are {', '.join(TITLES)}")
        write_records(read_records(Path(file)), records_of(name))
    write(given or [name for name in TITLES if records_of(name).exists()])


if __name__ == "__main__":
    main()
