"""Writes the tables of the paper's evaluation, docs/results/evaluation*.md, and their figure, from records.

    gpaplan bench paper --runs 3 --time-limit 1200 --memory-limit 8000 --output paper.sqlite
    python bench/write_results.py --records paper.sqlite     first copies the records to docs/results/records.csv.xz
    python bench/write_results.py                            anew from docs/results/records.csv.xz

It is the report of the records (`gpaplan report`) on several pages: one says what they say, and one for each domain has
its cells. The tests compare them with what the records say. What it means is said in docs/results.md.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from gpaplan.experiments.record import read_records, write_records
from gpaplan.experiments.report import write_report
from gpaplan.experiments.report.document import Chapter
from gpaplan.experiments.report.markdown import to_markdown

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
RECORDS = RESULTS / "records.csv.xz"
NAME = "evaluation"
MARK = "<!-- written by bench/write_results.py from records.csv.xz -->"


def pages(records: Path, folder: Path) -> dict[str, str]:
    """The text of each page by its name; the figure is left in the folder."""
    report = write_report(read_records(records), folder, "cpu").document
    results = next(block for block in report.blocks if isinstance(block, Chapter) and block.title == "Results")
    domains = [block for block in results.blocks if isinstance(block, Chapter)]
    names = {domain.title: f"{NAME}-{domain.title.lower().replace(' ', '-')}.md" for domain in domains}
    links = ", ".join(f"[{title}]({name})" for title, name in names.items())
    rest = [block for block in report.blocks if block is not results]
    title = "Results: the paper's evaluation"
    main = to_markdown(Chapter(title, rest)).replace("](figure.svg)", f"](../images/{NAME}.svg)")
    texts = {f"{NAME}.md": f"{MARK}\n\n{main}\n## All cells\n\n{links}\n"}
    for domain in domains:
        heading, tables = to_markdown(Chapter(f"{title}, {domain.title}", domain.blocks)).split("\n", 1)
        about = f"All cells; [here]({NAME}.md) is what they say, and how they are to be read."
        texts[names[domain.title]] = f"{MARK}\n\n{heading}\n\n{about}\n{tables}"
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, help="take these records over first")
    arguments = parser.parse_args()
    if arguments.records is not None:
        write_records(read_records(arguments.records), RECORDS)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages(RECORDS, Path(folder)).items():
            (RESULTS / name).write_text(text, encoding="utf-8")
            print(f"wrote {name}")
        for end in ("svg", "png"):
            (DOCS / "images" / f"{NAME}.{end}").write_bytes((Path(folder) / f"figure.{end}").read_bytes())


if __name__ == "__main__":
    main()
