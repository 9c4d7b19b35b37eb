"""The report of a run: as a page, and as files that other programs read."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections import Counter
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.registry import AnalysisView
from apps.analysis.report import pdf
from apps.analysis.report.content import RUN_REPORT_VIEWS, Report, report_of_run, summary_of_run
from apps.analysis.report.document import html, make_document
from apps.analysis.result import AnalysisResult
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.headlines import headlines
from apps.common.errors import ServiceError
from apps.runs.models import Run, RunState

needs_chromium = pytest.mark.skipif(pdf.chromium() is None, reason="there is no Chromium")


@pytest.fixture
def run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 4, 16)]
    found = create_measured_run(Setup(owner, points=points, gains={"Scheduler none": 1.3}))
    found.note = "Ordered <b>for</b> the new rack."
    found.save()
    return found


def figures(report: Report) -> list[str]:
    """Every cell of the tables that are on paper, as people read it."""
    return [
        cell_text(column, value)
        for answer in report.results
        for table in answer.tables
        if not table.folded
        for row in table.rows
        for column, value in zip(table.columns, row.cells, strict=True)
        if column.is_number and value is not None
    ]


def words_of(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\N{NO-BREAK SPACE}", " "))


def part_of(run: Run, view: str) -> str:
    return reverse("run_report_part", args=[run.pk, view])


def address(run: Run, query: str = "") -> str:
    return reverse("run_report", args=[run.pk]) + query


def test_the_report_has_every_view_that_has_anything_to_show(run: Run) -> None:
    report = report_of_run(run)
    assert [answer.view for answer in report.results] == ["compare", "sweep", "medians"]
    facts = dict(report.facts)
    assert facts["Run"] == f"#{run.pk} {run.name}"
    assert facts["Tunings"] or facts["Targets"]
    assert report.results[0].headline[0].kind == "better"


def test_everybody_inside_reads_it(
    run: Run, owner_client: Client, viewer_client: Client, stranger_client: Client, client: Client
) -> None:
    for visitor in (owner_client, viewer_client, stranger_client):
        assert visitor.get(address(run)).status_code == 200
        part = visitor.get(part_of(run, "compare"))
        assert 'data-state="better"' in part.content.decode()
        assert visitor.get(address(run, "?format=md")).status_code == 200
    assert client.get(address(run, "?format=html")).status_code == 302
    assert client.get(part_of(run, "compare")).status_code == 302


def test_the_page_asks_nothing_and_fetches_its_answers_in_order(
    run: Run, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(view: AnalysisView, data: QueryDict) -> AnalysisResult:
        raise AssertionError(f"{view.key} was asked")

    monkeypatch.setattr(AnalysisView, "analyse", forbidden)
    page = viewer_client.get(address(run)).content.decode()
    assert "Ordered &lt;b&gt;for&lt;/b&gt; the new rack." in page
    assert "How to read this" in page
    waits = re.findall(r'hx-get="(/runs/[^"]+)" hx-trigger="([^"]+)"', page)
    assert [url for url, _trigger in waits] == [
        part_of(run, view) for view in ("top", *RUN_REPORT_VIEWS)
    ]
    after = [re.search(r"from:#(\S+)", trigger) for _url, trigger in waits]
    assert [found and found[1] for found in after] == [
        None, "report-top", "report-top", "section-compare", "section-sweep", "section-table",
    ]  # fmt: skip


def test_a_view_without_anything_to_show_leaves_nothing(run: Run, viewer_client: Client) -> None:
    found = {view: viewer_client.get(part_of(run, view)) for view in RUN_REPORT_VIEWS}
    assert {view for view, part in found.items() if not part.content} == {"table", "network"}
    assert {part.status_code for part in found.values()} == {200}
    assert viewer_client.get(part_of(run, "history")).status_code == 404


def test_top_and_parts_compute_each_view_once_and_the_first_twice(
    run: Run, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse, computed = AnalysisView.analyse, Counter[str]()

    def counted(view: AnalysisView, data: QueryDict) -> AnalysisResult:
        computed[view.key] += 1
        return analyse(view, data)

    monkeypatch.setattr(AnalysisView, "analyse", counted)
    for view in ("top", *RUN_REPORT_VIEWS):
        viewer_client.get(part_of(run, view))
    assert computed == dict.fromkeys(RUN_REPORT_VIEWS, 1) | {"compare": 2}


def test_only_the_first_answer_is_without_its_headline(run: Run, viewer_client: Client) -> None:
    """The top of the page has it; also if a part is loaded without the top."""
    shown = {
        view: "result-headline" in viewer_client.get(part_of(run, view)).content.decode()
        for view in ("sweep", "compare", "top")
    }
    assert shown == {"sweep": True, "compare": False, "top": True}


def test_a_view_that_cannot_be_answered_says_so_alone(
    run: Run, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(view: AnalysisView, data: QueryDict) -> AnalysisResult:
        raise ServiceError("There are too many results.")

    monkeypatch.setattr(AnalysisView, "analyse", refusing)
    part = viewer_client.get(part_of(run, "sweep"))
    assert part.status_code == 200
    assert "There are too many results." in part.content.decode()


def test_the_html_file_needs_nothing_else_and_runs_nothing_of_others(run: Run) -> None:
    text = html(report_of_run(run))
    own = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    assert not re.search(r"""(src|href|action)\s*=|url\(""", own)
    assert "default-src 'none'" in own
    assert "&lt;b&gt;for&lt;/b&gt;" in own
    assert "<b>for</b>" not in own
    shown = words_of(own)
    for figure in figures(report_of_run(run)):
        assert words_of(figure) in shown


def test_the_excel_file_has_the_figures_as_numbers(run: Run) -> None:
    report = report_of_run(run)
    book = openpyxl.load_workbook(BytesIO(make_document(report, "xlsx").data))
    tables = [table for answer in report.results for table in answer.tables]
    assert len(book.sheetnames) == len(tables) + 1
    medians = book[book.sheetnames[-1]]
    heads = [cell.value for cell in medians[4]]
    assert heads[5:7] == ["IOPS (operations/s)", "Bandwidth (MiB/s)"]
    stored = tables[-1].column("iops")
    shown = [medians.cell(row, 6).value for row in range(5, 5 + len(stored))]
    assert shown == pytest.approx(stored)


def test_text_of_people_is_no_formula(run: Run) -> None:
    run.note = '=HYPERLINK("http://evil.example")'
    run.save()
    book = openpyxl.load_workbook(BytesIO(make_document(report_of_run(run), "xlsx").data))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert run.note in [cell.value for cell in cells]
    assert {cell.data_type for cell in cells} <= {"s", "n"}


def test_markdown_has_a_table_for_each_table(run: Run) -> None:
    text = make_document(report_of_run(run), "md").data.decode()
    assert text.startswith(f"# {run.name} \\#{run.pk}\n")
    for figure in figures(report_of_run(run)):
        assert figure in text


@needs_chromium
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext")
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_the_pdf_shows_the_figures_of_the_page(run: Run, tmp_path: Path, paper: str) -> None:
    report = report_of_run(run)
    target = tmp_path / "report.pdf"
    target.write_bytes(make_document(report, "pdf", paper).data)
    texts = subprocess.run(
        ["pdftotext", "-layout", str(target), "-"], capture_output=True, check=True
    )
    shown = words_of(texts.stdout.decode())
    for figure in figures(report):
        assert words_of(figure) in shown


@needs_chromium
def test_the_command_writes_a_pdf(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.pdf"
    call_command("report", str(run.pk), str(target))
    assert target.read_bytes().startswith(b"%PDF-")


def test_the_command_says_what_is_wrong(run: Run, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no run"):
        call_command("report", "99999999", str(tmp_path / "a.html"))
    with pytest.raises(CommandError, match="no such format"):
        call_command("report", str(run.pk), str(tmp_path / "a.docx"))


def test_without_chromium_pdf_is_an_error(
    run: Run, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "chromium", lambda: None)
    page = viewer_client.get(address(run, "?format=pdf"))
    assert page.status_code == 501
    assert "There is no Chromium on this machine" in page.content.decode()


def _stand_in(tmp_path: Path, text: str) -> str:
    path = tmp_path / "chromium"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("bound", "value", "words"),
    [("SECONDS", 0.5, "too long"), ("MAX_MEMORY_BYTES", 1, "much memory")],
)
def test_a_chromium_that_takes_too_much_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, value: float, words: str
) -> None:
    program = _stand_in(tmp_path, f"echo $$ > {tmp_path}/pid; sleep 300 & wait")
    monkeypatch.setattr(pdf, "chromium", lambda: program)
    monkeypatch.setattr(pdf, bound, value)
    with pytest.raises(ServiceError, match=words):
        pdf.pdf_of("<p>")
    # On a busy machine it is ended before it wrote anything.
    written = (tmp_path / "pid").read_text() if (tmp_path / "pid").exists() else ""
    until = time.monotonic() + 60  # a killed child of the stand-in takes a moment to be gone
    while written.strip() and pdf.memory_of(int(written)):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_run_without_results_has_an_empty_report(owner: User, owner_client: Client) -> None:
    run = Run.objects.create(name="new", owner=owner, state=RunState.SUCCEEDED)
    assert "Nothing to report yet" in owner_client.get(address(run)).content.decode()
    assert make_document(report_of_run(run), "html").data


def test_a_finished_runs_page_says_it_first(run: Run, viewer_client: Client) -> None:
    page = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    fragment = reverse("run_findings", args=[run.pk])
    assert f'hx-get="{fragment}"' in page
    assert address(run) in page
    texts = viewer_client.get(fragment).content.decode()
    for line in headlines(compare_runs(runs=[run.pk])):
        assert line.text in texts
    assert "run-findings-chart" in texts
    medians = report_of_run(run).results[-1].tables[0]
    for shown in medians.column("iops"):
        assert cell_text(medians.columns[5], shown) in texts


def test_a_small_chart_has_the_first_panel_alone(run: Run) -> None:
    chart = summary_of_run(run).chart
    assert chart is not None
    assert {trace["yaxis"] for trace in chart.figure["data"]} == {"y"}
    assert not [key for key in chart.figure["layout"] if key.startswith("yaxis") and key != "yaxis"]


def test_small_lying_bars_keep_their_names(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.3}))
    chart = summary_of_run(run).chart
    assert chart is not None
    assert chart.figure["data"][0]["orientation"] == "h"
    assert [one["text"] for one in chart.figure["layout"]["annotations"]] != []
    assert chart.height == chart.figure["layout"]["height"] <= 420


def test_small_lying_bars_keep_every_panel(owner: User) -> None:
    """Each is of other workloads: small blocks by IOPS, large ones by bandwidth."""
    points = [PARAMS, PARAMS | {"bs": 2**20, "rw": "read"}]
    run = create_measured_run(Setup(owner, points=points, gains={"Scheduler none": 1.3}))
    chart = summary_of_run(run).chart
    assert chart is not None
    assert {trace["yaxis"] for trace in chart.figure["data"]} == {"y", "y2"}
    assert {"xaxis", "xaxis2", "yaxis", "yaxis2"} <= set(chart.figure["layout"])
