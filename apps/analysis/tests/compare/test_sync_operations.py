"""Syncs are compared like any other operation: rate and latency, never a bandwidth."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run

Api = Callable[[User | None], APIClient]


@pytest.fixture
def run(owner: User) -> Run:
    """Writes with an fdatasync after each, whose p99 one tuning doubles."""
    run = create_measured_run(Setup(owner, points=[PARAMS | {"rw": "write"}]))
    slow = {"Host defaults": 1.0, "Scheduler none": 2.0}
    Measurement.objects.bulk_create(
        Measurement(
            attempt=row.attempt,
            case=row.case,
            workload=row.workload,
            operation="sync",
            iops=row.iops,
            latency_mean=1e6,
            latency_p99=2e6 * slow[row.case.tuning_name] + row.case.sequence,
            parser_version=1,
        )
        for row in Measurement.objects.filter(case__run=run).select_related(
            "case", "attempt", "workload"
        )
    )
    summaries_rebuild()
    return run


def test_the_99th_percentile_of_syncs_is_judged(run: Run) -> None:
    found = compare_runs(runs=[run.pk], metrics=["latency_p99"])
    assert found.choices.operations == ("write", "sync")
    sync = next(result for result in found.results if result.group.operation == "sync")
    assert {line.metric for line in sync.lines} == {"iops", "latency_mean", "latency_p99"}
    line = sync.line("latency_p99")
    assert line is not None
    assert line.entries[0].verdict is not None
    assert line.entries[0].verdict.kind == "worse"
    assert line.entries[0].effect.ratio == pytest.approx(2, rel=0.01)


def test_page_exports_and_api_show_them(
    run: Run, owner: User, viewer: User, viewer_client: Client, api: Api
) -> None:
    assert viewer_client.get(f"/compare/?run={run.pk}&operation=sync").status_code == 200
    answer = viewer_client.get(f"/compare/?run={run.pk}&operation=sync&format=csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {row["operation"] for row in rows} == {"sync"}
    assert "bandwidth" not in {row["metric"] for row in rows}
    found = api(viewer).get(f"/api/v1/compare/?run={run.pk}&operation=sync").json()
    assert {each["operation"] for each in found["workloads"]} == {"sync"}
    measured = api(viewer).get("/api/v1/measurements/", {"operation": "sync"}).json()
    assert len(measured["results"]) == 12
    assert {row["bandwidth"] for row in measured["results"]} == {None}
