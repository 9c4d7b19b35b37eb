"""The record of a disturbance: stored with metrics that comparisons read, and shown."""

from __future__ import annotations

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.schemas.disturbance import Disturbance
from apps.results.models import DisturbanceRecord, ResultSummary, Series
from apps.results.selectors.metric_columns import extent_value
from apps.results.services.attempt_results import results_store
from apps.results.services.disturbances import disturbance_store
from apps.results.tests.test_disturbance_figures import client as client_figures
from apps.results.tests.test_disturbance_figures import log_text
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.parse_result import Series as ParsedSeries


@pytest.fixture
def attempt(owner: User) -> Attempt:
    """A disturbed attempt. Its plan is of a disk, as the page does not look at the target."""
    case = create_run(owner=owner).cases.select_related("run").get()
    wanted = Disturbance("osd_out", osd=1)
    case.run.spec = msgspec.structs.replace(case.run.spec, disturbance=wanted)
    case.run.save()
    attempt = create_attempt(case)
    values = tuple(client_figures().values.tolist())
    found = Measurement("read", 1e6, 100.0, series=[ParsedSeries("iops", values)])
    parsed = Parsed("fio", "json+", "3.33", (found,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    files = {"disturbance.log": log_text()}
    disturbance_store(attempt=attempt, parsed=parsed, files=files)
    disturbance_store(attempt=attempt, parsed=parsed, files=files)
    return attempt


def test_figures_are_metrics(attempt: Attempt) -> None:
    assert DisturbanceRecord.objects.get().document.time_to_clean == 31.0
    names = {"time_to_clean_seconds", "iops_recovering", "iops_worst_second", "recovered_bytes"}
    rows = Series.objects.filter(source=Series.Source.CLUSTER)
    assert names <= set(rows.values_list("metric", flat=True))
    summaries = ResultSummary.objects.annotate(x=extent_value("time_to_clean_seconds"))
    assert [row.x for row in summaries] == [31.0]


def test_page_has_phases_and_the_repeats(attempt: Attempt, viewer_client: Client) -> None:
    text = viewer_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    for word in ("osd.1 out, 60 s before", "recovering, OSD in again", "31.0 s"):
        assert word in text
    address = reverse("case_figure", args=[attempt.case_id, 1, "disturbance"])
    figure = viewer_client.get(address).json()
    assert len(figure["data"]) == 2
    shown = viewer_client.get(f"/api/v1/cases/{attempt.case_id}/").json()["attempts"][0]
    assert [one["name"] for one in shown["disturbance"]["phases"]][:2] == ["before", "degraded"]
