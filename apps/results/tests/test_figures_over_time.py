"""Figures over time are stored with their series and offered by comparisons and history."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.models import Series
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import series_store
from apps.runs.models import Run
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run
from apps.tools import parse_result

VALUES = (900.0, None, 1100.0, 1000.0)


def measured(owner: User, **shares: float) -> Run:
    """A run of one case whose devices were used so much, in percent on average."""
    run = create_run(owner=owner, target=create_disk(host=create_host(), owner=owner))
    attempt = create_attempt(run.cases.get())
    series = (parse_result.Series("iops", VALUES, 0.0, 1.0),)
    found = parse_result.Measurement("read", bandwidth=None, iops=1000.0, series=series)
    parsed = parse_result.Parsed("fio", "json", "3.33", (found,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    for device, share in shares.items():
        used = [parse_result.Series("utilisation", (share - 1, share + 1), 0.0, 1.0)]
        series_store(attempt=attempt, source=Series.Source.DEVICE, subject=device, series=used)
    return run


def test_a_series_is_written_with_its_extent(owner: User) -> None:
    measured(owner)
    row = Series.objects.get(metric="iops")
    assert (row.value_count, row.minimum, row.mean, row.maximum, row.stddev) == (
        3,
        900,
        1000,
        1100,
        100,
    )


def test_comparison_accepts_series_metrics(
    owner: User, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    one, other = measured(owner, sdb=79.0, sda=10.0), measured(owner, sdb=97.0)
    asked = "&metric=utilisation_mean_over_time&metric=iops_min_over_time"
    address = f"/api/v1/compare/?run={one.pk}&run={other.pk}&factor=run"
    (workload,) = api(viewer).get(address + asked).json()["workloads"]
    cells = {cell["metric"]: cell for cell in workload["cells"]}
    used = cells["utilisation_mean_over_time"]
    assert (used["baseline_values"], used["values"]) == ([79.0], [97.0]), "the busiest device's"
    assert cells["iops_min_over_time"]["values"] == [900.0]
    (workload,) = api(viewer).get(address).json()["workloads"]
    assert {cell["metric"] for cell in workload["cells"]} == {"iops"}, "only where asked for"


def test_history_offers_those_that_there_are(
    owner: User, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    run = measured(owner, sdb=79.0)
    case = run.cases.get()
    address = f"/api/v1/history/?workload={case.workload.key}&target={case.target.pk}"
    told = api(viewer).get(f"{address}&metric=utilisation_max_over_time").json()
    assert "iops_stddev_over_time" in told["metrics"]
    assert "queue_mean_over_time" not in told["metrics"]
    assert (told["metric"], told["unit"]) == ("utilisation_max_over_time", "%")
    assert [reading["value"] for reading in told["readings"]] == [80.0]
