"""Writes the part of docs/results.md that is made from records, and its figure.

    gpaplan bench paper --runs 3 --time-limit 1200 --memory-limit 8000 --output paper.sqlite
    python bench/write_results.py --records paper.sqlite     first copies the records to docs/results/records.csv.xz
    python bench/write_results.py                            anew from docs/results/records.csv.xz

The text between the two marks is the report of the records (`gpaplan report`), its headings one level down. The tests
compare it with what the records say.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from gpaplan.experiments.record import read_records, write_records
from gpaplan.experiments.report import write_report

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "results.md"
RECORDS = DOCS / "results" / "records.csv.xz"
BEGIN = "<!-- the report of results/records.csv.xz: python bench/write_results.py -->"
END = "<!-- the end of the report -->"


def section(report: str) -> str:
    """The report as a part of another page."""
    body = report.split("\n", 1)[1].strip()
    body = re.sub(r"^(#+) ", r"#\1 ", body, flags=re.MULTILINE)
    return body.replace("](figure.svg)", "](results/figure.svg)")


def split_page(text: str) -> tuple[str, str, str]:
    """What is before the report, the report, and what is after it."""
    before, rest = text.split(BEGIN, 1)
    inside, after = rest.split(END, 1)
    return before, inside.strip(), after


def written_report(records: Path, folder: Path, clock: str = "cpu") -> str:
    """The section for these records; the figure is left in the folder."""
    write_report(read_records(records), folder, "cpu" if clock == "cpu" else "wall")
    return section((folder / "report.md").read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, help="take these records over first")
    arguments = parser.parse_args()
    if arguments.records is not None:
        RECORDS.parent.mkdir(exist_ok=True)
        write_records(read_records(arguments.records), RECORDS)
    with tempfile.TemporaryDirectory() as folder:
        text = written_report(RECORDS, Path(folder))
        for name in ("figure.svg", "figure.png"):
            (RECORDS.parent / name).write_bytes((Path(folder) / name).read_bytes())
    before, _, after = split_page(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
