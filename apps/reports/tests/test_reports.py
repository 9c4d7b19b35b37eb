"""Reports that people put together: what they say, in which order, as pages and files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.analysis.queries.schemas import StoredQuery
from apps.analysis.registry import VIEWS
from apps.common.errors import ServiceError
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import rendered
from apps.reports.services import ReportDraft, SectionDraft, report_create, report_update
from apps.reports.tests.factories import create_report, create_sweep_run
from apps.runs.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(owner: User) -> Run:
    return create_sweep_run(owner)


def test_texts_and_answers_stand_in_their_order(owner: User, run: Run) -> None:
    content = rendered(create_report(owner, run))
    assert [part.title for part in content.parts[:1]] == ["Summary"]
    assert [part.result.view for part in content.parts if part.result] == ["compare", "sweep"]
    assert content.reading, "figures come with how to read them"


@pytest.mark.parametrize("view", [view for view in VIEWS if view not in ("history", "fleet")])
def test_every_view_can_be_a_section(owner: User, run: Run, view: str) -> None:
    report = create_report(owner, run, view)
    section = report.sections.get(stored_query__view=view)
    assert rendered(report).results[0].query == section.query


def test_everybody_reads_it_and_the_owner_changes_it(
    owner: User, viewer: User, stranger: User, run: Run, page_client: Callable[[User], Client]
) -> None:
    report = create_report(owner, run)
    for user, may in ((owner, True), (viewer, False), (stranger, False)):
        text = page_client(user).get(reverse("report_detail", args=[report.pk])).content.decode()
        assert "The scheduler <strong>matters</strong>." in text
        assert (reverse("report_edit", args=[report.pk]) in text) is may


def test_result_is_added_from_its_page(owner: User, owner_client: Client, run: Run) -> None:
    page = owner_client.get(f"/analysis/parameter/?run={run.pk}").content.decode()
    assert "/reports/add-section/?view=sweep&amp;query=" in page
    params = {"view": "sweep", "query": f"run={run.pk}", "new": "Depths", "title": "By depth"}
    answer = owner_client.post("/reports/add-section/", params)
    report = SavedReport.objects.get()
    assert answer["Location"] == reverse("report_detail", args=[report.pk])
    assert (report.title, report.owner) == ("Depths", owner)
    more = {"view": "compare", "query": f"run={run.pk}", "report": report.pk}
    owner_client.post("/reports/add-section/", more)
    assert [one.view for one in report.sections.all()] == ["sweep", "compare"]


def test_a_stranger_adds_nothing_to_it(owner: User, stranger_client: Client, run: Run) -> None:
    report = create_report(owner, run)
    params = {"view": "sweep", "query": f"run={run.pk}", "report": report.pk}
    assert stranger_client.post("/reports/add-section/", params).status_code == 400
    assert report.sections.count() == 3


def test_invalid_query_is_not_added(owner_client: Client, run: Run) -> None:
    for params in ({"view": "no"}, {"view": "sweep", "query": "nothing=1"}, {"view": ""}):
        assert owner_client.post("/reports/add-section/", params | {"new": "x"}).status_code == 400
    assert not SavedReport.objects.exists()


def test_sections_move_and_go(owner: User, owner_client: Client, run: Run) -> None:
    report = create_report(owner, run)
    where = [reverse("section_move", args=[report.pk, position]) for position in range(3)]
    owner_client.post(where[2], {"to": "up"})
    assert [one.view for one in report.sections.all()] == ["", "sweep", "compare"]
    owner_client.post(where[0], {"to": "up"})
    assert [one.view for one in report.sections.all()] == ["", "sweep", "compare"]
    owner_client.post(where[0], {"to": "out"})
    assert [one.view for one in report.sections.all()] == ["sweep", "compare"]


def test_texts_are_changed_and_added(owner: User, owner_client: Client, run: Run) -> None:
    report = create_report(owner, run)
    words = {"title": "Method", "text": "Six repeats."}
    owner_client.post(reverse("section_edit", args=[report.pk, 3]), words)
    compared = {"view": "compare", "query": f"run={run.pk}", "text": "Look at p99."}
    owner_client.post(reverse("section_edit", args=[report.pk, 1]), compared)
    assert [(one.view, one.text) for one in report.sections.all()] == [
        ("", "The scheduler **matters**."), ("compare", "Look at p99."), ("sweep", ""),
        ("", "Six repeats."),
    ]  # fmt: skip
    empty = owner_client.post(reverse("section_edit", args=[report.pk, 4]), {"title": "x"})
    assert empty.status_code == 400
    assert "A section needs a text or a view." in empty.content.decode()


def test_files_say_what_the_page_says(owner: User, viewer_client: Client, run: Run) -> None:
    where = reverse("report_detail", args=[create_report(owner, run).pk])
    markdown = viewer_client.get(f"{where}?format=md").content.decode()
    assert markdown.index("The scheduler **matters**.") < markdown.index("## Comparison")
    page = viewer_client.get(f"{where}?format=html").content.decode()
    assert "The scheduler <strong>matters</strong>." in page
    book = openpyxl.load_workbook(BytesIO(viewer_client.get(f"{where}?format=xlsx").content))
    texts = [str(row[1].value) for row in book.worksheets[0].iter_rows()]
    assert "The scheduler **matters**." in texts
    assert len(book.worksheets) > 3
    wrong = viewer_client.get(f"{where}?format=doc")
    assert wrong.status_code == 400
    assert "There are: html, pdf, xlsx, md." in wrong.content.decode()


def test_html_in_texts_is_escaped(owner: User, viewer_client: Client) -> None:
    draft = ReportDraft(
        "<i>x</i>", "<script>alert(1)</script>", sections=[SectionDraft("<b>", "a")]
    )
    report = report_create(user=owner, draft=draft)
    where = reverse("report_detail", args=[report.pk])
    for text in (viewer_client.get(where), viewer_client.get(f"{where}?format=html")):
        page = text.content.decode()
        assert "<script>alert" not in page
        assert "<i>x" not in page
        assert "<h2><b>" not in page


def test_section_with_an_unknown_filter_is_shown_with_the_reason(owner: User, run: Run) -> None:
    report = create_report(owner, run, "sweep")
    gone = StoredQuery("sweep", options={"gone": ("1",)})
    report.sections.filter(stored_query__view="sweep").update(stored_query=gone)
    part = rendered(report).parts[1]
    assert part.result is None
    assert "gone" in part.error


def test_a_dashboard_of_a_team_needs_one(owner: User) -> None:
    draft = ReportDraft("x", dashboard_scope="team")
    with pytest.raises(ServiceError, match="Choose a team as well"):
        report_create(user=owner, draft=draft)
    with pytest.raises(ServiceError, match="one of your own teams"):
        report_create(
            user=owner, draft=ReportDraft("x", dashboard_scope="team", team=create_team())
        )


def test_the_form_says_that_a_team_is_missing(owner_client: Client) -> None:
    answer = owner_client.post("/reports/new/", {"title": "x", "dashboard_scope": "team"})
    assert answer.status_code == 400
    assert "Choose a team as well." in answer.content.decode()


def test_more_than_50_sections_are_rejected(owner: User) -> None:
    draft = ReportDraft("x", sections=[SectionDraft(text="a")] * 51)
    with pytest.raises(ServiceError, match="at most 50 sections"):
        report_create(user=owner, draft=draft)


def test_stored_query_is_not_analysed_again_on_update(
    owner: User, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = create_report(owner, run)
    monkeypatch.setattr("apps.reports.services.section_analysis", None)
    rows = [SectionDraft(view=one.view, query=one.query, text="x") for one in report.sections.all()]
    report_update(report=report, user=owner, draft=ReportDraft("Other", sections=rows))
    assert [one.view for one in report.sections.all()] == ["", "compare", "sweep"]


def test_the_home_page_shows_dashboards(
    owner: User, viewer: User, stranger: User, run: Run, page_client: Callable[[User], Client]
) -> None:
    team = create_team()
    owner.teams.add(team)
    viewer.teams.add(team)
    create_report(owner, run, dashboard_scope="owner", title="My desk")
    create_report(owner, run, dashboard_scope="team", title="Team wall", team=team)
    create_report(owner, run, title="Elsewhere")
    shown = {
        user: page_client(user).get("/").content.decode() for user in (owner, viewer, stranger)
    }
    found = {
        user: [title for title in ("My desk", "Team wall", "Elsewhere") if title in text]
        for user, text in shown.items()
    }
    assert found == {owner: ["My desk", "Team wall"], viewer: ["Team wall"], stranger: []}


def test_an_alert_begins_below_a_history(
    owner: User, viewer_client: Client, owner_client: Client, run: Run
) -> None:
    case = run.cases.select_related("workload").order_by("pk")[0]
    kept = SectionDraft("Depth 1", view="history", query=f"workload={case.workload.key}")
    report = report_create(user=owner, draft=ReportDraft("Kept", sections=(kept,)))
    link = f"/alerts/new/?view=history&amp;query=workload%3D{case.workload.key}&amp;name=Depth%201"
    section = reverse("section_result", args=[report.pk, 0])
    assert link in owner_client.get(section).content.decode()
    assert "/alerts/new/" not in viewer_client.get(section).content.decode()


def test_run_report_is_saved_as_a_report(
    owner: User, owner_client: Client, viewer_client: Client, run: Run
) -> None:
    address = reverse("run_report_save", args=[run.pk])
    assert address in owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    page = owner_client.post(address, follow=True).content.decode()
    report = SavedReport.objects.get()
    assert [one.view for one in report.sections.all()] == ["compare", "sweep", "medians"]
    assert reverse("report_share", args=[report.pk]) in page
    assert address not in viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert viewer_client.post(address).status_code == 403


def test_run_report_saved_again_opens_the_live_report_with_share_form_first(
    owner_client: Client, run: Run
) -> None:
    address = reverse("run_report_save", args=[run.pk])
    first = owner_client.post(address)
    report = SavedReport.objects.get()
    assert owner_client.post(address)["Location"] == first["Location"]
    page = owner_client.get(first["Location"]).content.decode()
    share = reverse("report_share", args=[report.pk])
    assert page.count(share) == 1
    assert page.index(share) < page.index(reverse("section_result", args=[report.pk, 0]))
    SavedReport.objects.update(frozen_at=timezone.now())
    owner_client.post(address)
    assert SavedReport.objects.count() == 2
