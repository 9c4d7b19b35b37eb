"""The device's mean request size beside the bandwidth of a comparison."""

from __future__ import annotations

import csv
import io

from django.test import Client

from apps.accounts.models import User
from apps.analysis.presenters.comparison_csv import comparison_csv
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.request_sizes import RequestSizes, request_sizes
from apps.results.models import Series
from apps.runs.models import Attempt, Run

KIB = 1024


def create_run_with_sizes(owner: User, **sizes: float) -> Run:
    """Return a run whose devices received requests of these KiB: `own` of the second tuning."""
    run = create_measured_run(Setup(owner))
    for attempt in Attempt.objects.filter(case__run=run).select_related("case__run_tuning"):
        is_own = attempt.case.run_tuning.name == "Scheduler none"
        size = sizes.get("own" if is_own else "baseline")
        if size is None:
            continue
        # Of two disks the one with the larger requests counts.
        for disk, share in (("sda", 1.0), ("sdb", 0.5)):
            Series.objects.create(
                attempt=attempt, run=run, source=Series.Source.DEVICE, subject=disk,
                metric="request_size", start=0, interval=1, length=10, value_count=10,
                mean=size * KIB * share,
            )  # fmt: skip
    return run


def test_request_sizes_of_both_sides_are_shown_without_being_chosen(
    owner: User, client: Client
) -> None:
    run = create_run_with_sizes(owner, baseline=512, own=256)
    comparison = compare_runs(runs=[run.pk])
    (size,) = request_sizes(comparison.results).values()
    assert size == RequestSizes(512 * KIB, 256 * KIB)
    client.force_login(owner)
    page = client.get(f"/compare/?run={run.pk}").content.decode()
    assert "512 KiB → 256 KiB" in page
    row = next(iter(csv.DictReader(io.StringIO(comparison_csv(comparison)))))
    assert (float(row["baseline_request_size"]), float(row["request_size"])) == (524288, 262144)
    document = client.get(f"/api/v1/compare/?run={run.pk}").json()
    (level,) = document["workloads"][0]["request_sizes"]
    assert (level["baseline"], level["value"]) == (524288, 262144)
    table = client.get(f"/api/v1/analysis/compare/?run={run.pk}").json()["tables"][0]
    assert "baseline_request_size" in {column["key"] for column in table["columns"]}


def test_equal_request_sizes_are_shown_once(owner: User) -> None:
    run = create_run_with_sizes(owner, baseline=4, own=4)
    (size,) = request_sizes(compare_runs(runs=[run.pk]).results).values()
    assert "→" not in size.text


def test_side_without_device_series_has_no_request_size(owner: User) -> None:
    run = create_run_with_sizes(owner, baseline=512)
    comparison = compare_runs(runs=[run.pk])
    assert request_sizes(comparison.results) == {}
    assert next(csv.DictReader(io.StringIO(comparison_csv(comparison))))["request_size"] == ""
