"""Links from a case to a dashboard of its hosts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.results.presenters.host_dashboard import dashboard_links
from apps.runs.models import Attempt, Origin, RunTargetMember
from apps.runs.tests.factories import create_attempt, create_run

TEMPLATE = "https://grafana.lab/d/x?var-host={host}&from={from}&to={to}"


@pytest.fixture
def attempt(owner: User, settings: LazySettings) -> Attempt:
    settings.HOST_DASHBOARD = TEMPLATE
    start, end = (datetime(2026, 1, 31, 4, minute, tzinfo=UTC) for minute in (10, 20))
    return create_attempt(create_run(owner=owner).cases.get(), started_at=start, ended_at=end)


def test_link_has_host_and_time_with_a_margin(attempt: Attempt, owner_client: Client) -> None:
    page = owner_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    name = attempt.case.host.name
    start = 1_769_832_600_000
    url = f"https://grafana.lab/d/x?var-host={name}&amp;from={start - 60_000}"
    assert f'<a href="{url}&amp;to={start + 660_000}" rel="noreferrer">{name}</a>' in page


def test_name_of_a_host_stays_a_value(attempt: Attempt) -> None:
    RunTargetMember.objects.update(host_name='a&to=0"><b>')
    text = str(dashboard_links(Attempt.objects.get()))
    assert "var-host=a%26to%3D0%22%3E%3Cb%3E&amp;from=" in text
    assert "<b>" not in text


@pytest.mark.parametrize("absent", ["setting", "start", "imported"])
def test_without_what_it_needs_there_is_no_link(
    attempt: Attempt, settings: LazySettings, absent: str
) -> None:
    if absent == "setting":
        settings.HOST_DASHBOARD = ""
    elif absent == "start":
        attempt.started_at = None
    else:
        attempt.case.run.origin = Origin.IMPORTED
    assert dashboard_links(attempt) is None
