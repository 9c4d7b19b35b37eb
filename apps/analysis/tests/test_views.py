"""Every room is complete: its page, its API and every export answer whatever there is to show."""

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


def of_nothing(owner: User) -> Run:
    return Run.objects.create(name="nothing", owner=owner, state=RunState.SUCCEEDED)


def of_one(owner: User) -> Run:
    return create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=1))


def of_many(owner: User) -> Run:
    points = [PARAMS | {"iodepth": 2**n, "bs": bs} for n in range(6) for bs in (4096, 65536)]
    gains = {"Scheduler none": 1.2}
    run = create_measured_run(Setup(owner, points=points, gains=gains, histograms=True))
    newest = Attempt.objects.filter(case__run=run).order_by("-started_at").first()
    assert newest is not None
    rates = parse_result.Series("iops", tuple(float(n) for n in range(60)))
    series_store(attempt=newest, source=Series.Source.TOOL, subject="read", series=[rates])
    return run


def of_crowd(owner: User) -> Run:
    """3,000 workloads."""
    points = [
        PARAMS | {"iodepth": n, "bs": bs} for n in range(1, 1001) for bs in (4096, 8192, 65536)
    ]
    return create_measured_run(Setup(owner, points=points, repeats=1))


SMALL = {"nothing": of_nothing, "one": of_one, "many": of_many}
WORLDS = SMALL | {"crowd": of_crowd}
everywhere = pytest.mark.parametrize("world", SMALL, indirect=True)
with_crowd = pytest.mark.parametrize("world", ["crowd"], indirect=True)
with_many = pytest.mark.parametrize("world", ["many"], indirect=True)
with_one = pytest.mark.parametrize("world", ["one"], indirect=True)
each_room = pytest.mark.parametrize("view", VIEW_KEYS)


@pytest.fixture(scope="module")
def world(
    module_owner: User, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[str]:
    """All there is while the tests of one world run, which only read it."""
    with django_db_blocker.unblock(), transaction.atomic():
        WORLDS[request.param](module_owner)
        connection.check_constraints()  # else each test checks all that was made
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # PostgreSQL's last look found these tables empty
        yield request.param
        transaction.set_rollback(True)


@pytest.fixture
def run(world: str, db: None) -> Run:
    return Run.objects.get()


def query_of(view: str, run: Run) -> dict[str, str]:
    """Parameters of a question about a run."""
    if view not in ("history", "fleet"):
        return {"run": str(run.pk)}
    case = run.cases.select_related("workload").order_by("sequence").first()
    return {"workload": case.workload.key} if case else {}


def exported(client: Client, view: str, run: Run, **query: str) -> bytes:
    page = client.get(reverse("analysis_export", args=[view]), query_of(view, run) | query)
    assert page.status_code == 200, page.content
    return page.getvalue()


def of_api(client: Client, view: str, run: Run, **query: str) -> Any:
    return client.get(f"/api/v1/analysis/{view}/", query_of(view, run) | query)


@each_room
@everywhere
def test_the_api_answers_with_the_promised_members(
    run: Run, viewer_client: Client, view: str, world: str
) -> None:
    answer = of_api(viewer_client, view, run)
    assert answer.status_code == 200
    data = answer.json()
    assert {"headline", "verdicts", "tables", "figures", "basis", "links"} <= set(data)
    shown = sum(len(table["rows"]) for table in data["tables"])
    assert bool(data["empty"]) == (shown == 0)
    assert world != "many" or shown or view in ("network", "bottleneck")
    for table in data["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
        assert len(table["cases"]) == len(table["rows"])


@each_room
@everywhere
@pytest.mark.parametrize("wanted", sorted(FORMATS))
def test_every_export_has_something_to_say(
    run: Run, viewer_client: Client, view: str, world: str, wanted: str
) -> None:
    data = exported(viewer_client, view, run, format=wanted)
    assert len(data) > (20 if world == "many" and view not in ("network", "bottleneck") else 0)
    if world != "nothing":
        of_program = of_api(viewer_client, view, run, format=wanted).getvalue()
        assert bool(data) == bool(of_program)


@each_room
@with_many
def test_excel_and_csv_show_the_figures_of_the_api(
    run: Run, viewer_client: Client, view: str
) -> None:
    """Every number of every table, read by other programs."""
    tables = of_api(viewer_client, view, run).json()["tables"]
    book = openpyxl.load_workbook(BytesIO(exported(viewer_client, view, run, format="xlsx")))
    assert len(book.sheetnames) == len(tables) + 1
    for table, name in zip(tables, book.sheetnames[1:], strict=True):
        sheet = book[name]
        for place, column in enumerate(table["columns"], 1):
            stored = [row[place - 1] for row in table["rows"]]
            shown = [sheet.cell(number, place).value for number in range(5, 5 + len(stored))]
            assert_same(column, stored, shown)
        text = exported(viewer_client, view, run, format="csv", table=table["key"]).decode()
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


OF_A_RUN = {"network": "run_mesh", "table": "run_grid", "medians": "run_report"}
ADDRESSES = OF_A_RUN | {"config-diff": "config_diff"}
"""Names of rooms' pages; of the others that of the room."""


def page_of(client: Client, view: str, run: Run) -> str:
    """The room's page about a run."""
    name = ADDRESSES.get(view, view)
    if view in OF_A_RUN:
        page = client.get(reverse(name, args=[run.pk]))
        fetched = re.findall(r'hx-get="([^"]+)"[^>]*data-deferred', str(page.content.decode()))
        page.content += b"".join(client.get(part).content for part in fetched)
    else:
        page = client.get(reverse(name), query_of(view, run), follow=True)
    assert page.status_code == 200
    return str(page.content.decode())


class PageTables(HTMLParser):
    """Tables, colours and sheets of a page: `loose`: tables that nothing lets
    scroll; `painted`: colours that no theme changes.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables, self.loose = 0, 0
        self.painted: list[str] = []
        self.sheets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "link" and known.get("rel") == "stylesheet":
            self.sheets.append(known["href"])
        if any(word in known.get("style", "") for word in ("color", "background", "#")):
            self.painted.append(known["style"])
        if tag == "table":
            self.tables += 1
            self.loose += "div.scrolls" not in self.open
        if tag == "div":
            scrolls = "table-responsive" in known.get("class", "").split()
            self.open.append("div.scrolls" if scrolls else "div")

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self.open:
            self.open.pop()


@each_room
@everywhere
def test_a_page_fits_phone_dark_screen_and_paper(
    run: Run, viewer_client: Client, view: str, world: str
) -> None:
    """Tables scroll inside their cards, nothing is painted but by the themes' style sheets, and a
    sheet for paper is there wherever something is shown.
    """
    html = page_of(viewer_client, view, run)
    assert '<meta name="viewport" content="width=device-width' in html
    shown = PageTables(html)
    assert shown.loose == 0
    assert shown.painted == []
    printed = ("answers", "compare", "report", "app")
    assert any(f"css/{sheet}" in href for sheet in printed for href in shown.sheets)
    assert world != "many" or shown.tables or view in ("network", "bottleneck")


@each_room
@with_crowd
def test_a_page_of_three_thousand_workloads_stays_one_that_opens(
    run: Run, viewer_client: Client, view: str
) -> None:
    """A browser has 4 MB to read at most, and whoever asks the API gets all of it."""
    assert len(page_of(viewer_client, view, run)) < 4_000_000
    answer = of_api(viewer_client, view, run)
    assert answer.status_code == 200
    assert any(table["rows"] for table in answer.json()["tables"]) or answer.json()["empty"]


@each_room
@with_one
def test_who_is_not_inside_sees_nothing(
    run: Run, client: Client, stranger_client: Client, view: str
) -> None:
    assert (
        client.get(reverse("analysis_export", args=[view]), query_of(view, run)).status_code == 302
    )
    assert of_api(client, view, run).status_code == 401
    assert of_api(stranger_client, view, run).status_code == 200


@each_room
@with_one
def test_invalid_query_is_an_error(run: Run, viewer_client: Client, view: str) -> None:
    assert of_api(viewer_client, view, run, colour="red").status_code == 400
    assert of_api(viewer_client, view, run, format="docx").status_code == 400
    assert of_api(viewer_client, view, run, format="csv", table="none").status_code == 400
    assert viewer_client.get("/api/v1/analysis/tea/").status_code == 404
