"""Reports of records whose means are known: tables, checks, reading, figure and page, and damaged input."""

from __future__ import annotations

import json
import lzma
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import run
from gpaplan.errors import UsageError
from gpaplan.experiments.record import Record, read_records, write_records
from gpaplan.experiments.report import figure, write_report
from gpaplan.experiments.report.contents import (
    Block,
    Heading,
    ReportTable,
    cost_cell,
    report,
    time_cell,
    to_html,
    to_markdown,
    warnings,
)
from gpaplan.experiments.report.paper import Sample, paper_cell
from gpaplan.experiments.report.summary import Cell, Reading, Row, Summary, amount, better, factor, summarize
from tests.experiment_records import paper_like, record

HOSTILE = '</script><b onclick="alert(1)">&100%_$x$ #{~^\\|`*[y]'


def runs(times: Sequence[float], **changes: Any) -> list[Record]:
    """A run for each of the times."""
    return [record(run=index, seconds=seconds, **changes) for index, seconds in enumerate(times)]


def only_row(summary: Summary) -> Row:
    ((section,),) = (summary.sections,)
    (series,) = section.series
    (row,) = series.rows
    return row


def only_cell(records: Sequence[Record], clock: Any = "wall") -> Cell:
    return only_row(summarize(records, clock)).baseline


def document(records: Sequence[Record], *drawings: str) -> list[Block]:
    return report(summarize(records), drawings)


def markdown(records: Sequence[Record]) -> str:
    """Without the line breaks in paragraphs."""
    return re.sub(r"(?<=\w|,|;)\n(?=\w)", " ", to_markdown(document(records)))


def time_text(cell: Cell) -> str:
    return time_cell(cell, cell).text


def cost_text(cell: Cell) -> str:
    return cost_cell(cell, cell).text


# --- cells ---


def test_means_and_population_standard_deviations_are_over_runs() -> None:
    cell = only_cell(runs([1.0, 2.0, 6.0], value=9.75, mean_cost=9.5))
    assert cell.time == Sample(3, 3.0, math.sqrt(14 / 3), 1.0, 6.0)
    assert cell.cost is not None
    assert (cell.cost.count, cell.cost.mean, cell.cost.sd) == (3, 9.5, 0.0)
    assert (cell.runs, cell.solved, cell.stopped) == (3, 3, 0)
    assert time_text(cell) == "3.00 ± 2.16 (3)"
    assert cost_text(cell) == "9.50 ± 0.00 (3)"


def test_processor_time_on_request() -> None:
    cell = only_cell([record(seconds=5.0, seconds_cpu=2.0)], "cpu")
    assert cell.time is not None
    assert cell.time.mean == 2.0


def test_a_single_run_has_no_standard_deviation() -> None:
    assert time_text(only_cell([record(seconds=0.25)])) == "0.250 (1)"


def test_runs_at_the_time_limit_count_with_it_and_make_a_bound() -> None:
    records = [record(seconds=300.0), record(run=1, status="time-limit", seconds=601.0)]
    cell = only_cell(records)
    assert cell.time is not None
    assert cell.time.mean == 450.0
    assert time_text(cell) == "≥ 450.0 ± 150.0 (2); 1 of 2 runs: time-limit 600 s"
    all_stopped = only_cell([record(run=run, status="time-limit") for run in range(3)])
    assert time_text(all_stopped) == "3 of 3 runs: time-limit 600 s"
    assert cost_text(all_stopped) == "–"


def test_of_a_run_at_the_limit_no_more_processor_time_is_claimed_than_it_had() -> None:
    """On a busy machine the clock runs faster than the work."""
    busy = only_cell([record(status="time-limit", seconds=601.0, seconds_cpu=380.0)], "cpu")
    assert busy.time is not None
    assert busy.time.mean == 380.0
    alone = only_cell([record(status="time-limit", seconds=601.0, seconds_cpu=600.9)], "cpu")
    assert alone.time is not None
    assert alone.time.mean == 600.0


def spared() -> list[Record]:
    """Three problems with and without automaton; without it the first two meet the limit, once each."""
    found = []
    for size in range(3):
        common = {"size": size, "problem": f"gripper({size + 3})", "theta": str(size + 3)}
        found += [record(gpa=1, run=index, **common) for index in range(3)]
        reason = "the first run met the limit" if size < 2 else "two problems in a row before this one met the limit"
        for index in range(3):
            limit = {"status": "time-limit"} if index == 0 and size < 2 else {"status": "not-run", "message": reason}
            found.append(record(run=index, **common, **limit))
    return found


def test_runs_that_were_spared_count_nowhere_and_are_stated() -> None:
    summary = summarize(spared())
    (series,) = summary.sections[0].series
    first, _, last = series.rows
    assert (first.baseline.runs, first.baseline.stopped, first.not_run) == (1, 1, "")
    assert time_text(first.baseline) == "1 of 1 runs: time-limit 600 s; 2 more not run"
    assert last.baseline.runs == 0
    assert (summary.records, summary.statuses) == (11, {"solved": 9, "time-limit": 2, "not-run": 7})
    assert len(summary.sections[0].automata) == 1
    reading = Reading(series)
    assert (reading.pairs, len(reading.faster)) == (2, 2), "nothing is claimed of the last problem"

    text = markdown(spared())
    assert "11 runs of 3 problems from 1 domain with 1 solver: 9 solved, 2 time-limit, 7 not-run" in text
    assert "| not run: two problems in a row before this one met the limit | 1.00 ± 0.00 (3) |" in text


def test_a_problem_that_was_only_spared_is_in_the_table() -> None:
    text = markdown([each for each in spared() if not each.gpa])
    assert "| gripper(5) | 2 | LRTDP | not run: two problems in a row before this one met the limit |" in text


def test_other_encodings_stand_next_to_the_papers_numbers() -> None:
    assert paper_cell("schedule-ippc", "1 9", 7, "lrtdp", True) == paper_cell("schedule", "1 9", 7, "lrtdp", True)
    assert (
        paper_cell("Keva Shah", "29 4", 3, "lrtdp", False) == paper_cell("keva", "29 4", 3, "lrtdp", False) is not None
    )
    changes = {"theta": "4", "problem": "x", "optimal": 9.6}
    domains = ["rover", "delicate-can", "keva-shah", "delicate-can-shah"]
    summary = summarize([record(domain=domain, **changes) for domain in domains])
    titles = [section.title for section in summary.sections]
    assert titles == ["Keva Shah", "Rover", "Delicate Can", "Delicate Can Shah"]


def test_other_ends_count_in_no_mean() -> None:
    ends = ["memory-limit", "crashed", "error", "no-proper-policy"]
    records = [record(seconds=2.0), *(record(run=run, status=end) for run, end in enumerate(ends, 1))]
    cell = only_cell(records)
    assert cell.time is not None
    assert (cell.time.count, cell.time.mean) == (1, 2.0)
    assert list(cell.failures.values()) == [
        "1 of 5 runs: memory-limit 8000 MB",
        "1 of 5 runs: no-proper-policy",
        "1 of 5 runs: crashed",
        "1 of 5 runs: error",
    ]


def test_costs_of_unfinished_policies_stand_apart() -> None:
    cell = only_cell([record(mean_cost=10.0), record(run=1, status="time-limit", mean_cost=80.0)])
    assert cost_text(cell) == "10.00 (1); [80.00 (1)]"


def test_nothing_depends_on_the_order_of_the_records() -> None:
    records = paper_like(("gripper",), runs=2)
    assert summarize(records) == summarize(records[::-1])
    assert document(records) == document(records[::-1])


def test_better_is_at_least_five_per_cent_better() -> None:
    def pair(ours: float, theirs: float) -> bool:
        row = only_row(summarize([record(seconds=theirs), record(gpa=1, seconds=ours)]))
        assert not (better(row.gpa, row.baseline, "time") and better(row.baseline, row.gpa, "time"))
        return better(row.gpa, row.baseline, "time")

    assert pair(0.95, 1.0)
    assert pair(0.0, 0.01)
    assert not pair(0.951, 1.0)
    assert not pair(0.0, 0.0)


def test_solving_fewer_runs_is_never_better() -> None:
    fast = [record(gpa=1, seconds=0.1), record(gpa=1, run=1, status="crashed")]
    row = only_row(summarize([*fast, *runs([1.0, 1.0])]))
    assert not better(row.gpa, row.baseline, "time")
    unsolved = only_row(summarize([record(status="memory-limit"), record(gpa=1, seconds=500.0)]))
    assert better(unsolved.gpa, unsolved.baseline, "time")
    assert not better(unsolved.gpa, unsolved.baseline, "cost")


def test_settings_that_differ_are_never_mixed() -> None:
    records = [record(), record(heuristic="hmax", seconds=9.0), record(solver="vi", heuristic=None)]
    (section,) = summarize(records).sections
    assert [(series.solver, series.variant) for series in section.series] == [
        ("lrtdp", "heuristic ff"),
        ("lrtdp", "heuristic hmax"),
        ("vi", ""),
    ]


def test_the_ways_in_which_an_automaton_was_used_are_never_mixed() -> None:
    coarse = record(gpa=1, match="coarse", fallback_mode="full", seconds=0.5, key="coarse")
    records = [record(seconds=4.0), record(gpa=1, seconds=2.0), coarse]
    (section,) = summarize(records).sections
    assert [series.title for series in section.series] == ["LRTDP (match coarse)", "LRTDP (match strict)"]
    ratios = [ratio for series in section.series for ratio in Reading(series).ratios]
    assert [ratio.value for ratio in ratios] == [8.0, 2.0], "both with the runs without it"
    assert "- match: coarse, strict\n- fallback mode: full\n" in markdown(records)
    assert [series.title for series in summarize(records[:2]).sections[0].series] == ["LRTDP"]


def test_relevance_is_stated() -> None:
    assert "- relevance: off\n" in markdown([record()])
    records = [record(relevance="on"), record(relevance="off", key="off")]
    assert "- relevance: off, on\n" in markdown(records)
    (section,) = summarize(records).sections
    assert [series.variant for series in section.series] == ["relevance off", "relevance on"]


def test_a_domain_of_two_suites_is_two_sections() -> None:
    text = markdown([record(), record(suite="other", seconds=9.0)])
    assert "### Gripper (suite other)" in text
    assert "### Gripper (suite test)" in text


def test_sections_come_in_the_order_of_the_paper_then_alphabetically() -> None:
    names_ = ["zoo", "gripper", "ant", "delicate-can", "keva"]
    summary = summarize([record(domain=name, problem=name, theta="") for name in names_])
    assert [section.domain for section in summary.sections] == ["keva", "delicate-can", "gripper", "ant", "zoo"]


# --- the paper, the closed forms ---


def test_the_papers_numbers() -> None:
    cell = paper_cell("rover", "1 4 13 2", 25, "soft-flares", True)
    assert cell is not None
    assert (cell.time.count, cell.time.mean, cell.time.sd) == (10, 4710.61, 855.90)
    assert (cell.cost.count, cell.cost.mean, cell.cost.sd) == (10, 61.83, 0.37)
    assert paper_cell("Delicate Can", "12", 10, "lrtdp", False) != paper_cell("delicate-can", "12", 11, "lrtdp", False)
    assert paper_cell("delicate_can", " 12 ", 3, "lrtdp", False) == paper_cell("delicate-can", "12", 10, "lrtdp", False)
    assert paper_cell("gripper", "12", 0, "vi", False) is None
    assert paper_cell("gripper", "13", 0, "lrtdp", False) is None


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, "9.7500 (1)"),
        ({"value": 9.7500001}, "9.7500 (1)"),
        ({"value": 10.0}, "10.0000 (1), +2.56%"),
        ({"value": 9.7}, "9.7000 (1), -0.51%"),
        ({"value": 10.0, "optimal": None}, "10.0000 (1)"),
        ({"status": "time-limit"}, "–"),
    ],
)
def test_exact_costs_stand_next_to_the_optimum(changes: dict[str, Any], shown: str) -> None:
    text = markdown([record(**changes)])
    assert f"| {'–' if 'optimal' in changes else '9.7500'} | {shown} | – |" in text
    assert "0.10 ± 0.02 (10)" in text, "the paper's time"


# --- the reading ---


def growing(ratios: Sequence[float], **changes: Any) -> list[Record]:
    """For each ratio a problem that takes this many times as long without the automaton."""
    records = []
    for size, ratio in enumerate(ratios):
        common = {"size": size, "problem": f"p{size}", "domain": "ant", "theta": "", **changes}
        records += [
            record(**common, seconds=ratio, expanded=10**size),
            record(**common, gpa=1, seconds=1.0, expanded=1),
        ]
    return records


def test_ratios_their_mean_and_their_growth() -> None:
    (section,) = summarize(growing([2, 4, 8, 16])).sections
    reading = Reading(section.series[0])
    assert [ratio.value for ratio in reading.ratios] == [2, 4, 8, 16]
    assert reading.geometric_mean == pytest.approx(2**2.5)
    assert reading.growth == pytest.approx(2.0)
    assert reading.exponent == pytest.approx(math.log10(2))
    assert (len(reading.faster), reading.slower, reading.similar, reading.open) == (4, (), (), ())


def test_bounds_enter_no_mean() -> None:
    common = {"size": 2, "problem": "p2", "domain": "ant", "theta": ""}
    late = [record(**common, status="time-limit"), record(**common, gpa=1, seconds=2.0)]
    (section,) = summarize([*growing([2, 4]), *late]).sections
    reading = Reading(section.series[0])
    assert [str(ratio) for ratio in reading.ratios] == ["2.00", "4.00", "≥ 300"]
    assert reading.geometric_mean == pytest.approx(math.sqrt(8))
    assert reading.growth is None, "two points are no line"


def guided(statuses: Sequence[str], fallback: int, size: int = 0, mode: str = "turns") -> list[Record]:
    """A problem solved without the automaton, and runs with it that end so; a run at a limit says ``fallback`` too."""
    common = {"size": size, "problem": f"p{size}", "domain": "ant", "theta": ""}
    changes = {**common, "gpa": 1, "fallback": fallback, "fallback_mode": mode}
    return [record(**common), *(record(**changes, run=run, status=status) for run, status in enumerate(statuses))]


@pytest.mark.parametrize("fallback", [0, 1])
@pytest.mark.parametrize("limit", ["time-limit", "memory-limit"])
def test_of_a_run_at_a_limit_it_is_not_known_whether_the_automaton_suffices(limit: str, fallback: int) -> None:
    """What such a record calls a fallback is which search was under way, or had more to show."""
    (section,) = summarize(guided([limit] * 3, fallback)).sections
    (series,) = section.series
    cell = series.rows[0].gpa
    assert cell is not None
    assert (cell.fallbacks, cell.decided, cell.runs) == (0, 0, 3)
    table = next(each for each in tables(document(guided([limit], fallback))) if each.columns[-1] == "fell back")
    assert table.rows[0][-1].text == "–"


def test_a_whole_problem_that_comes_after_a_failure_tells_of_it_at_a_limit_too() -> None:
    (section,) = summarize(guided(["memory-limit", "memory-limit"], 1, mode="full")).sections
    reading = Reading(section.series[0])
    assert (reading.fallbacks, reading.decided) == (2, 2)
    (section,) = summarize(guided(["memory-limit"], 0, mode="full")).sections
    assert Reading(section.series[0]).decided == 0


def test_an_automaton_that_leaves_no_proper_policy_did_not_suffice() -> None:
    (section,) = summarize(guided(["no-proper-policy"], 0)).sections
    assert Reading(section.series[0]).fallbacks == 1


def test_numbers_are_written_with_enough_digits() -> None:
    shown = [amount(x) for x in (1234.5, 100, 12.3, 1, 0.5, 0.05, 0.005, 0.0005, 0.0)]
    assert [len(text.partition(".")[2]) for text in shown] == [1, 1, 2, 2, 3, 4, 5, 6, 3]
    assert [factor(x) for x in (0.5, 9.994, 12.34, 1234.5)] == ["0.50", "9.99", "12.3", "1,234"]


def test_what_makes_numbers_less_comparable_is_said() -> None:
    records = [
        record(machine="one"),
        record(run=1, machine="two", gpa=1, automaton_hash="a"),
        record(run=2, gpa=1, automaton_hash="b"),
        record(run=3, status="crashed", message="Traceback\nkilled by signal 9"),
        record(run=4, status="crashed", message=""),
    ]
    assert list(warnings(summarize(records))) == [
        "the runs come from 3 machines, so their times may not be comparable",
        "Gripper: runs used 2 different automata",
        "2 runs ended with status 'crashed' (killed by signal 9)",
    ]


# --- the document and its writers ---


def tables(blocks: Sequence[Block]) -> list[ReportTable]:
    """All tables of a document."""
    return [block for block in blocks if isinstance(block, ReportTable)]


def test_every_row_of_every_table_has_a_cell_for_each_column() -> None:
    records = [*paper_like(("gripper",), runs=1), record(domain="ant", problem="p", theta="")]
    found = tables(document(records))
    assert len(found) == 5
    for table in found:
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_the_same_document_in_two_formats() -> None:
    """Every text and every cell of the document is in both."""
    records = [
        *runs([1.0, 2.0]),
        record(gpa=1, seconds=0.5, value=10.0, mean_cost=10.0),
        record(run=7, status="crashed"),
    ]
    whole = document(records)
    page, text = Page(to_html(whole)), to_markdown(whole).replace("\\", "")
    for block in whole:
        match block:
            case Heading():
                shown = [block.title]
            case ReportTable():
                shown = [*block.columns, *(cell.text for row in block.rows for cell in row)]
            case str():
                shown = [block]
            case _:
                shown = list(map(str, block))
        for each in shown:
            assert each in page.text
            assert each in text.replace("\n", " ")
    rows = [line for line in text.splitlines() if line.startswith("| gripper(3) |")]
    assert len(rows) == 2, "times and costs"
    assert "**0.500 (1)**" in rows[0]
    assert "<b>0.500 (1)</b>" in to_html(whole)


# --- the figure ---


def test_the_figure_has_a_bar_for_each_cell() -> None:
    records = [
        *runs([1.0, 2.0]),
        *runs([0.1, 0.2], gpa=1),
        record(size=1, problem="gripper(4)", theta="4", status="time-limit"),
        record(size=1, problem="gripper(4)", theta="4", gpa=1, seconds=1.5),
        record(size=2, problem="gripper(5)", theta="5", status="memory-limit"),
        record(size=2, problem="gripper(5)", theta="5", gpa=1, status="crashed"),
    ]
    drawn = figure.draw(summarize(records))
    texts = "".join(ElementTree.fromstring(drawn.svg).itertext())
    for wanted in ("Gripper, LRTDP", "balls", "time limit met: lower bound"):
        assert wanted in texts
    assert drawn.png.startswith(b"\x89PNG")
    for colour in ("#7fb8dc", "#f2b44c"):  # one in the legend, and one for each cell that has a time and is solved
        assert len(re.findall(f"fill: {colour}", drawn.svg)) == 2 + (colour == "#f2b44c")
    assert "fill: url(#h" in drawn.svg, "the time-out is hatched"


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    records = [*runs([1.0, 2.0]), *runs([0.1, 0.2], gpa=1)]
    one = write_report(records, tmp_path / "one")
    other = write_report(records[::-1], tmp_path / "other")
    assert [path.name for path in one.files] == [path.name for path in other.files]
    for first, second in zip(one.files, other.files, strict=True):
        assert first.read_bytes() == second.read_bytes(), first.name


def test_unknown_domains_with_long_names_and_one_solver_are_drawn() -> None:
    files = [record(domain=HOSTILE, problem=f"{HOSTILE}{size}.ppddl", theta="", size=size) for size in range(3)]
    ElementTree.fromstring(figure.draw(summarize(files)).svg)
    ElementTree.fromstring(figure.draw(summarize([record(status="crashed")])).svg)


# --- the page ---


class Page(HTMLParser):
    """The elements of a page, and whether they are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_shows_names_and_runs_none_of_them() -> None:
    records = [record(domain=HOSTILE, problem=HOSTILE, theta="", solver=HOSTILE, suite=HOSTILE, machine=HOSTILE)]
    text = to_html(document(records, figure.draw(summarize(records)).svg))
    page = Page(text)
    assert page.open == []
    assert HOSTILE not in text
    assert sum(tag == "script" for tag, _ in page.found) == 1
    for tag, attributes in page.found:
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        assert str(attributes.get("src", "data:")).startswith("data:")
        assert not any(name == "href" and not str(value).startswith("#") for name, value in attributes.items())
    assert "http-equiv" in str(page.found)
    assert "There is no figure" in to_html(document(records))


# --- files and the command ---


def call(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        run(gpaplan, list(arguments))
    printed = capsys.readouterr()
    return int(str(end.value.code)), printed.out, printed.err


def test_the_command_writes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [*runs([1.0, 2.0]), *runs([0.1, 0.2], gpa=1)]
    write_records(records, tmp_path / "records.csv.xz")
    output = tmp_path / "deep" / "report"
    code, out, err = call(["report", str(tmp_path / "records.csv.xz"), "-o", str(output), "--json"], capsys)
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert (answer["status"], answer["records"], answer["statuses"]) == ("ok", 4, {"solved": 4})
    assert answer["series"][0]["ratio"] == pytest.approx(10.0)
    assert answer["warnings"] == []
    wanted = [
        "report.md",
        "report.html",
        "figure.svg",
        "figure.png",
    ]
    assert [Path(file).name for file in answer["files"]] == wanted
    assert sorted(path.name for path in output.iterdir()) == sorted(wanted)
    code, out, _ = call(["report", str(tmp_path / "records.csv.xz"), "-o", str(output), "--time", "cpu"], capsys)
    assert code == 0
    assert "faster with the automaton on 0 of 1" in out, "processor times are all the same here"


def test_without_matplotlib_there_is_everything_but_the_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure, "is_available", lambda: False)
    write_records([record()], tmp_path / "records.csv")
    code, out, err = call(["report", str(tmp_path / "records.csv"), "-o", str(tmp_path / "report"), "--json"], capsys)
    assert code == 0
    assert "matplotlib is not installed;  pip install 'gpaplan[plots]'" in err
    assert json.loads(out)["figure"] is False
    assert not (tmp_path / "report" / "figure.svg").exists()
    assert "figure.svg" not in (tmp_path / "report" / "report.md").read_text()


def test_records_survive_the_way_through_a_file(tmp_path: Path) -> None:
    records = paper_like(("gripper",), runs=1)
    for name in ("records.csv", "records.csv.xz"):
        write_records(records, tmp_path / name)
        assert read_records(tmp_path / name) == records


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seconds": -1.0}, 'line 3.seconds: must be a finite number from 0 or null, not "-1.0"'),
        ({"seconds": None}, "line 3: seconds is empty, and a run that was solved must have its time"),
        ({"gpa": 2}, 'line 3.gpa: must be a whole number from 0 to 1, not "2"'),
        ({"goal_rate": 1.5}, 'line 3.goal_rate: must be a number from 0 to 1 or null, not "1.5"'),
        ({"domain": ""}, "line 3.domain: must be a text that is not empty"),
        ({"expanded": -3}, 'line 3.expanded: must be a whole number from 0 or null, not "-3"'),
    ],
)
def test_values_that_cannot_be_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], message: str
) -> None:
    write_records([record(), record(run=7, **changes)], tmp_path / "records.csv")
    code, _, err = call(["report", str(tmp_path / "records.csv"), "-o", str(tmp_path / "report")], capsys)
    assert code == 35
    assert message in err
    assert not (tmp_path / "report").exists()


def test_damaged_files_are_refused_with_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = tmp_path / "records.csv"
    write_records([record(), record(run=1)], whole)
    text = whole.read_bytes()
    packed = lzma.compress(text)
    damaged = {
        "empty.csv": (b"", "this is no file of records"),
        "cut.csv": (text[:-40], "was the file cut short?"),
        "end.csv": (text[:-3], "was the file cut short?"),
        "cut.csv.xz": (packed[:-30], "damaged or cut short"),
        "twice.csv": (text + text.splitlines(keepends=True)[-1], "is the same run as line"),
        "header.csv": (text.replace(b"solver", b"solwer", 1), "did you mean 'solver'?"),
        "other.csv": (b"a,b\n1,2\n", "this is no file of records"),
        "binary.csv": (b"\xff\xfe\x00\x01" * 100, "is not UTF-8 text"),
        "fields.csv": (text + b"a,b\n", "2 fields where"),
        "quote.csv": (text + b'"a"b,c\n', "not CSV"),
        "none.csv": (text.splitlines(keepends=True)[0], "there are no records in it"),
        "half.csv": (b"SQLite format 3\x00" + b"\x00" * 50, "is a results file of gpaplan 0.1"),
    }
    for name, (data, message) in damaged.items():
        (tmp_path / name).write_bytes(data)
        code, out, err = call(["report", str(tmp_path / name), "-o", str(tmp_path / "out"), "--json"], capsys)
        assert code == 35, (name, err)
        assert message in err, name
        assert name in err
        assert "Traceback" not in err
        assert json.loads(out)["status"] == "error"
    assert not (tmp_path / "out").exists()


def test_wrong_arguments_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["report", str(tmp_path / "nowhere.csv")], capsys)[0] == 31
    assert call(["report", str(tmp_path)], capsys)[0] == 31
    write_records([record()], tmp_path / "records.csv")
    (tmp_path / "file").write_text("")
    code, _, err = call(["report", str(tmp_path / "records.csv"), "-o", str(tmp_path / "file")], capsys)
    assert code == 31
    assert "is a file" in err
    with pytest.raises(UsageError):
        write_report([], tmp_path)


def test_the_page_begins_with_a_sentence_and_a_picture_for_each_domain(tmp_path: Path) -> None:
    records = [record(), record(gpa=True), record(domain="rover"), record(domain="rover", gpa=True)]
    write_report(records, tmp_path)
    page = (tmp_path / "report.html").read_text()
    opening = page[page.index("<h1>") : page.index("<h2>")]
    assert re.findall(r"<li>(\w+)|<img class=\"(figure)\"", opening) == [
        ("Rover", ""),
        ("", "figure"),
        ("Gripper", ""),
        ("", "figure"),
    ]
