"""The page of a run that has ended is kept until any of its results changes."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.common.web.kept_pages import PAGES
from apps.results.models import Measurement
from apps.results.tests.factories import create_results
from apps.runs.models import Run
from apps.runs.stamps import FirstSeen
from apps.runs.tests.factories import create_attempt, create_run, end_run

TOKEN = re.compile(r'csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def run(owner: User, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(FirstSeen, "is_settled", lambda *_: True)
    PAGES.clear()
    run = create_run(owner=owner)
    create_results(create_attempt(run.cases.get()))
    return end_run(run)


def text(client: Client, run: Run) -> str:
    """The run's page without its token."""
    return TOKEN.sub("", client.get(f"/runs/{run.pk}/").text)


def test_results_that_change_are_shown_at_once(run: Run, viewer_client: Client) -> None:
    results = Measurement.objects.filter(case__run=run)
    told = [text(viewer_client, run)]
    assert text(viewer_client, run) == told[0]
    for change in ({"iops": 1_234_000.0}, {"valid": False, "invalid_reason": "it was cold"}):
        results.update(**change)
        told.append(text(viewer_client, run))
    results.all().delete()
    told.append(text(viewer_client, run))
    assert len(set(told)) == 4
    assert "1,234,000" in told[1]
    assert "not valid" in told[2]
