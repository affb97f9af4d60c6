"""What docs/results says of the records of the paper's suites, and their figures.

    gpaplan bench paper --runs 3 --time-limit 600 --memory-limit 8000 --give-up-after 2 --once-at-limit
    python bench/write_results.py evaluation=paper.sqlite    first copies these records to docs/results
    python bench/write_results.py                            anew from the records in docs/results

There are three sets of records: `evaluation` is the suite `paper`, `by-itself` the suite `paper-best`, and
`first-encodings` the suite `paper-first-encodings`. The report of each (`gpaplan report`), with all cells, is made with
the site (`make docs`) and not kept; this script draws its figure. bench/speed_ups.py writes the page that compares with
the paper, and docs/results.md says what it means.

docs/results/encodings.md has coarse matching next to strict between two marks, from records of their own, `matching`:

    gpaplan bench paper-first-encodings --solver lrtdp --match coarse --runs 3 --time-limit 120 --memory-limit 4000 \\
        --give-up-after 2 --once-at-limit --jobs 1 -o matching.sqlite
    the same with --match strict
    python bench/write_results.py matching=matching.sqlite
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from gpaplan.display import counted
from gpaplan.experiments.record import read_records, write_records
from gpaplan.experiments.report import contents, write_report
from gpaplan.experiments.report.checks import findings
from gpaplan.experiments.report.document import Block, Chapter, Entry, Paragraph, Piece, ReportTable, TableColumn
from gpaplan.experiments.report.markdown import to_markdown
from gpaplan.experiments.report.reading import read_series
from gpaplan.experiments.report.summary import Cell, Row, Section, Series, summarize

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
ENCODINGS = RESULTS / "encodings.md"
TITLES = {
    "evaluation": "The paper's evaluation",
    "by-itself": "The paper's problems with symmetry, coarse matching and turns",
    "first-encodings": "The paper's evaluation with the encodings that were written first",
}
"""Of each set of records."""
MATCHING = "first-encodings-matching"
"""The set of LRTDP with strict and with coarse matching."""
_BLOCK = re.compile(r"(<!-- strict and coarse: bench/write_results.py -->\n).*?(<!-- end -->)", re.DOTALL)


def records_of(name: str) -> Path:
    """Where the records of a set are."""
    return RESULTS / f"records-{name}.csv.xz"


def reports(name: str) -> dict[str, str]:
    """The report of a set, page by page: one says what the records say, and one for each domain has its cells."""
    summary = summarize(read_records(records_of(name)), "cpu")
    figure = (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8")
    report = contents.report(summary, tuple(findings(summary)), figure)
    results = next(block for block in report.blocks if isinstance(block, Chapter) and block.title == "Results")
    domains = [block for block in results.blocks if isinstance(block, Chapter)]
    names = {domain.title: f"report-{name}-{_slug(domain.title)}.md" for domain in domains}
    links = ", ".join(f"[{domain}]({page})" for domain, page in names.items())
    rest: list[Block] = [block for block in report.blocks if block is not results]
    main = to_markdown(Chapter(TITLES[name], rest)).replace("](figure.svg)", f"](../images/{name}.svg)")
    texts = {f"report-{name}.md": f"{main}\n## All cells\n\n{links}\n"}
    for domain in domains:
        heading, tables = to_markdown(Chapter(f"{TITLES[name]}, {domain.title}", domain.blocks)).split("\n", 1)
        about = f"All cells; [here](report-{name}.md) is what they say, and how they are to be read."
        texts[names[domain.title]] = f"{heading}\n\n{about}\n{tables}"
    return texts


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# --- coarse matching next to strict -----------------------------------------------------------------------------------

ABOUT_MATCHING = (
    "LRTDP with the automata of the paper's training problems, which are compared with states exactly "
    "(strict), and as coarsely as it takes (coarse). The whole problem is searched after a failure. All runs were "
    "made with one version of gpaplan, one at a time on two cores, next to other work: gpaplan bench "
    "paper-first-encodings --solver lrtdp --match coarse --runs 3 --time-limit 120 --memory-limit 4000 "
    "--give-up-after 2 --once-at-limit --jobs 1, and then the same with --match strict. States are those expanded, "
    "times processor seconds, costs the exact ones of the policies; all are means over runs. ≥: a run met the limit "
    "of 120 s, which is one of the clock, and had got so much of the processor by then."
)


def matching() -> Chapter:
    """Coarse matching next to strict, domain by domain."""
    summary = summarize(read_records(records_of(MATCHING)), "cpu")
    made = summary.settings
    stated = f"Version {', '.join(made['version'])}, {', '.join(made['machine'])}, {' to '.join(made['started'])}."
    domains = [
        Chapter(f"{section.title}, strict and coarse", [Paragraph(in_words(section)), _matching_table(section)])
        for section in summary.sections
    ]
    return Chapter("Strict and coarse matching", [Paragraph(f"{ABOUT_MATCHING} {stated}"), *domains])


def encodings_page(text: str) -> str:
    """The page of encodings, with what belongs between its marks."""
    return _BLOCK.sub(lambda found: f"{found[1]}\n{to_markdown(matching(), level=2)}\n{found[2]}", text)


def by_matching(section: Section) -> dict[str, Series]:
    """The series of strict and of coarse matching."""
    return {way: next(each for each in section.series if way in each.variant) for way in ("strict", "coarse")}


def in_words(section: Section) -> str:
    """In how many runs the automaton did not suffice, and what it is worth on the last problem with both."""
    parts = []
    for way, series in by_matching(section).items():
        found = read_series(series)
        last = found.ratios[-1]
        some = f"did not suffice in {found.fallbacks} of {counted(found.decided, 'run')}"
        said = some if found.fallbacks else f"sufficed in all {counted(found.decided, 'run')}"
        parts.append(f"With {way} matching the automaton {said}; its speed-up on {last.row.problem} is {last}")
    return f"{'. '.join(parts)}."


def _matching_table(section: Section) -> ReportTable:
    columns = [TableColumn("problem", text=True)]
    columns += [TableColumn(title, "states") for title in ("without", "strict", "coarse")]
    columns += [TableColumn(title, "time, s") for title in ("without", "strict", "coarse")]
    columns += [TableColumn(title, "fell back") for title in ("strict", "coarse")]
    columns += [TableColumn("strict", "cost"), TableColumn("coarse", "cost"), TableColumn("optimum", "cost")]
    strict, coarse = by_matching(section).values()
    rows = [_matching_row(one, other) for one, other in zip(strict.rows, coarse.rows, strict=True)]
    return ReportTable(columns, [[Entry([[Piece(text)]] if text else []) for text in row] for row in rows])


def _matching_row(strict: Row, coarse: Row) -> list[str]:
    cells = (strict.baseline, strict.gpa, coarse.gpa)
    texts = [strict.problem]
    texts += ["" if cell is None or cell.expanded is None else f"{cell.expanded.mean:,.0f}" for cell in cells]
    texts += [_seconds(cell) for cell in cells]
    texts += ["" if cell is None or not cell.decided else f"{cell.fallbacks} of {cell.decided}" for cell in cells[1:]]
    texts += ["" if cell is None or cell.value is None else f"{cell.value.mean:.4f}" for cell in cells[1:]]
    return [*texts, "" if strict.optimal is None else f"{strict.optimal:.4f}"]


def _seconds(cell: Cell | None) -> str:
    if cell is None:
        return "not run"
    if cell.time is None:
        return ", ".join(cell.failures)
    return f"{'≥ ' if cell.stopped else ''}{cell.time.mean:.3g}"


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
    sets = {**{name: name for name in TITLES}, "matching": MATCHING}
    for name, file in given.items():
        if name not in sets:
            parser.error(f"there is no set '{name}'; there are {', '.join(sets)}")
        write_records(read_records(Path(file)), records_of(sets[name]))
    for name in given or sets:
        if name == "matching":
            ENCODINGS.write_text(encodings_page(ENCODINGS.read_text(encoding="utf-8")), encoding="utf-8")
            print(f"wrote {ENCODINGS.name}")
        else:
            draw(name)


if __name__ == "__main__":
    main()
