"""Page, API and exports of each analysis view, for archives of all sizes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.presenters.formats import FORMATS
from apps.analysis.registry import VIEWS
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.results.models import Series
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, Run, RunState
from apps.tools import parse_result
from tests.harness.documents import Document

VIEW_KEYS = sorted(VIEWS)


def create_empty_run(owner: User) -> Run:
    return Run.objects.create(name="nothing", owner=owner, state=RunState.SUCCEEDED)


def create_single_case_run(owner: User) -> Run:
    return create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=1))


def create_sweep_run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": 2**n, "bs": bs} for n in range(6) for bs in (4096, 65536)]
    gains = {"Scheduler none": 1.2}
    run = create_measured_run(Setup(owner, points=points, gains=gains, histograms=True))
    newest = Attempt.objects.filter(case__run=run).order_by("-started_at").first()
    assert newest is not None
    rates = parse_result.Series("iops", tuple(float(n) for n in range(60)))
    series_store(attempt=newest, source=Series.Source.TOOL, subject="read", series=[rates])
    return run


def create_large_run(owner: User) -> Run:
    """3,000 workloads."""
    points = [
        PARAMS | {"iodepth": n, "bs": bs} for n in range(1, 1001) for bs in (4096, 8192, 65536)
    ]
    return create_measured_run(Setup(owner, points=points, repeats=1))


SMALL_ARCHIVES = {
    "empty": create_empty_run,
    "single": create_single_case_run,
    "sweep": create_sweep_run,
}
ARCHIVES = SMALL_ARCHIVES | {"large": create_large_run}
each_small_archive = pytest.mark.parametrize("archive", SMALL_ARCHIVES, indirect=True)
large_archive = pytest.mark.parametrize("archive", ["large"], indirect=True)
sweep_archive = pytest.mark.parametrize("archive", ["sweep"], indirect=True)
single_archive = pytest.mark.parametrize("archive", ["single"], indirect=True)
each_view = pytest.mark.parametrize("view", VIEW_KEYS)


@pytest.fixture(scope="module")
def archive(
    module_owner: User, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[str]:
    """Create the rows of an archive once for the tests that read it."""
    with django_db_blocker.unblock(), transaction.atomic():
        ARCHIVES[request.param](module_owner)
        connection.check_constraints()  # once, not after each test
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # statistics of the tables are those of empty ones
        yield request.param
        transaction.set_rollback(True)


@pytest.fixture
def run(archive: str, db: None) -> Run:
    return Run.objects.get()


def query_params(view: str, run: Run) -> dict[str, str]:
    """Return the query parameters of a view of the run."""
    if view not in ("history", "fleet"):
        return {"run": str(run.pk)}
    case = run.cases.select_related("workload").order_by("sequence").first()
    return {"workload": case.workload.key} if case else {}


def export(client: Client, view: str, run: Run, **query: str) -> bytes:
    page = client.get(reverse("analysis_export", args=[view]), query_params(view, run) | query)
    assert page.status_code == 200, page.content
    return page.getvalue()


def api_get(client: Client, view: str, run: Run, **query: str) -> Any:
    return client.get(f"/api/v1/analysis/{view}/", query_params(view, run) | query)


@each_view
@each_small_archive
def test_api_of_each_archive_has_all_members(
    run: Run, viewer_client: Client, view: str, archive: str
) -> None:
    response = api_get(viewer_client, view, run)
    assert response.status_code == 200
    data = response.json()
    assert {"headline", "verdicts", "tables", "figures", "basis", "links"} <= set(data)
    shown = sum(len(table["rows"]) for table in data["tables"])
    assert bool(data["empty"]) == (shown == 0)
    assert archive != "sweep" or shown or view in ("network", "bottleneck")
    for table in data["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
        assert len(table["cases"]) == len(table["rows"])


@each_view
@each_small_archive
@pytest.mark.parametrize("export_format", sorted(FORMATS))
def test_export_of_each_format_has_content_where_the_api_has(
    run: Run, viewer_client: Client, view: str, archive: str, export_format: str
) -> None:
    data = export(viewer_client, view, run, format=export_format)
    assert len(data) > (20 if archive == "sweep" and view not in ("network", "bottleneck") else 0)
    if archive != "empty":
        from_api = api_get(viewer_client, view, run, format=export_format).getvalue()
        assert bool(data) == bool(from_api)


@each_view
@sweep_archive
def test_excel_and_csv_have_the_figures_of_the_api(
    run: Run, viewer_client: Client, view: str
) -> None:
    tables = api_get(viewer_client, view, run).json()["tables"]
    book = openpyxl.load_workbook(BytesIO(export(viewer_client, view, run, format="xlsx")))
    assert len(book.sheetnames) == len(tables) + 1
    for table, name in zip(tables, book.sheetnames[1:], strict=True):
        sheet = book[name]
        for number, column in enumerate(table["columns"], 1):
            stored = [row[number - 1] for row in table["rows"]]
            cells = [sheet.cell(line, number).value for line in range(5, 5 + len(stored))]
            assert_same(column, stored, cells)
        text = export(viewer_client, view, run, format="csv", table=table["key"]).decode()
        lines = list(csv.reader(io.StringIO(text)))[1:]
        assert [[_text(cell) for cell in row] for row in table["rows"]] == lines


def assert_same(column: Document, stored: list[Any], shown: list[Any]) -> None:
    """A column of a sheet has its values in one unit; changes in percent."""
    pairs = [(a, b) for a, b in zip(stored, shown, strict=True) if isinstance(a, int | float)]
    if column["kind"] == "ratio":
        assert [b for _a, b in pairs] == pytest.approx([(a - 1) * 100 for a, _b in pairs])
        return
    factors = [a / b for a, b in pairs if b]
    assert factors == pytest.approx([factors[0]] * len(factors)) if factors else True
    assert all(isinstance(b, int | float) for _a, b in pairs)


def _text(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(("=", "+", "-", "@")) else text


RUN_PAGES = {"network": "run_mesh", "table": "run_grid", "medians": "run_report"}
PAGE_NAMES = RUN_PAGES | {"config-diff": "config_diff"}
"""URL names of pages; a view without an entry uses its own key."""


def page_html(client: Client, view: str, run: Run) -> str:
    """Return the HTML of the view's page about a run, with its deferred parts."""
    name = PAGE_NAMES.get(view, view)
    if view in RUN_PAGES:
        page = client.get(reverse(name, args=[run.pk]))
        fetched = re.findall(r'hx-get="([^"]+)"[^>]*data-deferred', str(page.content.decode()))
        page.content += b"".join(client.get(part).content for part in fetched)
    else:
        page = client.get(reverse(name), query_params(view, run), follow=True)
    assert page.status_code == 200
    return str(page.content.decode())


class PageTables(HTMLParser):
    """Tables, colours and style sheets of a page.

    `unscrollable`: number of tables outside a scrolling element. `inline_colors`: colours of
    style attributes, which no theme changes.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables, self.unscrollable = 0, 0
        self.inline_colors: list[str] = []
        self.sheets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "link" and known.get("rel") == "stylesheet":
            self.sheets.append(known["href"])
        if any(word in known.get("style", "") for word in ("color", "background", "#")):
            self.inline_colors.append(known["style"])
        if tag == "table":
            self.tables += 1
            self.unscrollable += "div.scrolls" not in self.open
        if tag == "div":
            scrolls = "table-responsive" in known.get("class", "").split()
            self.open.append("div.scrolls" if scrolls else "div")

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self.open:
            self.open.pop()


@each_view
@each_small_archive
def test_page_has_scrolling_tables_theme_colors_and_print_sheet(
    run: Run, viewer_client: Client, view: str, archive: str
) -> None:
    html = page_html(viewer_client, view, run)
    assert '<meta name="viewport" content="width=device-width' in html
    tables = PageTables(html)
    assert tables.unscrollable == 0
    assert tables.inline_colors == []
    print_sheets = ("answers", "compare", "report", "app")
    assert any(f"css/{sheet}" in href for sheet in print_sheets for href in tables.sheets)
    assert archive != "sweep" or tables.tables or view in ("network", "bottleneck")


@each_view
@large_archive
def test_page_of_3000_workloads_is_below_4_mb(run: Run, viewer_client: Client, view: str) -> None:
    assert len(page_html(viewer_client, view, run)) < 4_000_000
    response = api_get(viewer_client, view, run)
    assert response.status_code == 200
    assert any(table["rows"] for table in response.json()["tables"]) or response.json()["empty"]


@each_view
@single_archive
def test_anonymous_request_is_refused(
    run: Run, client: Client, stranger_client: Client, view: str
) -> None:
    url = reverse("analysis_export", args=[view])
    assert client.get(url, query_params(view, run)).status_code == 302
    assert api_get(client, view, run).status_code == 401
    assert api_get(stranger_client, view, run).status_code == 200


@each_view
@single_archive
def test_invalid_query_is_status_4xx(run: Run, viewer_client: Client, view: str) -> None:
    assert api_get(viewer_client, view, run, colour="red").status_code == 400
    assert api_get(viewer_client, view, run, format="docx").status_code == 400
    assert api_get(viewer_client, view, run, format="csv", table="none").status_code == 400
    assert viewer_client.get("/api/v1/analysis/unknown/").status_code == 404
