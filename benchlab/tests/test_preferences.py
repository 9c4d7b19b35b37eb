"""Pages in their reader's units and time zone; programs and other readers get the usual form."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.runs.models import Run

ADDRESS = reverse("preferences")
WANTED = {"units": "decimal", "time_zone": "Asia/Tokyo", "density": "dense"}


@pytest.fixture
def run(owner: User) -> Run:
    start = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
    return create_measured_run(Setup(owner, start=start))


def test_a_reader_chooses_for_themselves(
    owner: User, viewer: User, viewer_client: Client, operator_client: Client
) -> None:
    page = viewer_client.post(ADDRESS, WANTED, follow=True).content.decode()
    assert 'data-units="decimal"' in page
    assert 'data-density="dense"' in page
    assert "Times are Asia/Tokyo" in page
    viewer.refresh_from_db()
    assert (viewer.units, viewer.time_zone, viewer.density) == tuple(WANTED.values())
    other = operator_client.get(ADDRESS).content.decode()
    assert ADDRESS in other  # the user's menu
    assert "Times are UTC" in other


@pytest.mark.parametrize(
    "wrong", [{"time_zone": "Mars/Olympus"}, {"units": "feet"}, {"density": ""}]
)
def test_what_there_is_not_is_refused(
    viewer: User, viewer_client: Client, wrong: dict[str, str]
) -> None:
    assert viewer_client.post(ADDRESS, WANTED | wrong).status_code == 400
    viewer.refresh_from_db()
    assert viewer.time_zone == "UTC"


def test_pages_follow_and_programs_do_not(
    run: Run, viewer_client: Client, operator_client: Client
) -> None:
    viewer_client.post(ADDRESS, WANTED)
    key = run.cases.select_related("workload")[0].workload.key
    address = f"{reverse('history')}?workload={key}&metric=bandwidth"

    def told(client: Client) -> str:
        return client.get(address).content.decode()

    # In turn, as answers are kept: nobody gets the other's.
    for _again in range(2):
        mine, other = told(viewer_client), told(operator_client)
        assert ("(MB/s)" in mine, "(MiB/s)" in mine) == (True, False)
        assert ("(MB/s)" in other, "(MiB/s)" in other) == (False, True)
        assert ("2026-03-02T05:" in mine, "2026-03-01T20:" in other) == (True, True)
        assert "2026-03-02" in mine
    asked = {"workload": key, "metric": "bandwidth"}
    data = [
        client.get("/api/v1/analysis/history/", asked).content
        for client in (viewer_client, operator_client)
    ]
    assert data[0] == data[1]
    compared = viewer_client.get(reverse("compare"), {"run": run.pk}).content.decode()
    assert "MB/s" in compared


def test_who_has_not_logged_in_gets_the_usual_form(client: Client, viewer_client: Client) -> None:
    viewer_client.post(ADDRESS, WANTED)
    assert "Times are UTC" in client.get(reverse("login")).content.decode()
