"""Old series are kept in fewer intervals; what they say of the whole test stays the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import numpy as np
import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.domain.chunks import CHUNK, FLOAT
from apps.results.models import Series
from apps.results.selectors.results import series_window
from apps.results.services.downsampling import MAX_VALUES, DownsampleReport, downsampled, due
from apps.results.tasks import retention
from apps.results.tests.factories import create_results, series_store
from apps.runs.models import Attempt, Run, RunState
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result

LONG = 2 * CHUNK + 500


def array(*values: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.asarray(values, dtype=FLOAT)


def test_downsampled_interval_is_mean_maximum_or_minimum() -> None:
    values = np.tile(array(1.0, 3.0, np.nan), MAX_VALUES)
    assert set(downsampled(values, "iops")) == {2.0}
    assert set(downsampled(values, "latency_max")) == {3.0}
    assert set(downsampled(values, "latency_min")) == {1.0}
    assert len(downsampled(values, "iops")) == MAX_VALUES


def test_nothing_known_stays_unknown_and_the_rest_of_a_group_counts() -> None:
    values = np.concatenate([np.full(MAX_VALUES, np.nan, dtype=FLOAT), array(7.0)])
    found = downsampled(values, "iops")
    assert len(found) == MAX_VALUES // 2 + 1
    assert np.isnan(found[:-1]).all()
    assert found[-1] == 7.0


def test_a_short_series_stays_as_it_is() -> None:
    values = np.arange(MAX_VALUES, dtype=FLOAT)
    assert (downsampled(values, "iops") == values).all()


@pytest.fixture
def attempt(owner: User, settings: Settings) -> Attempt:
    """Its run ended 400 days ago; it has a long series of rates and one of percentiles."""
    settings.DOWNSAMPLE_AFTER_MONTHS = 12
    attempt = create_results(create_attempt(create_run(owner=owner).cases.get()))
    values = tuple(float(n % 1009) for n in range(LONG))
    found = [
        parse_result.Series(metric, values, start=0.0, interval=1.0)
        for metric in ("iops", "latency_p99")
    ]
    series_store(attempt=attempt, source=Series.Source.TOOL, subject="write", series=found)
    ended(attempt, 400)
    return attempt


def ended(attempt: Attempt, days: int) -> None:
    then = timezone.now() - timedelta(days=days)
    run = Run.objects.filter(cases__attempts=attempt)
    run.update(state=RunState.SUCCEEDED, queued_at=then, finished_at=then)


def rates() -> Series:
    return Series.objects.get(subject="write", metric="iops")


def test_it_says_the_same_of_the_whole_test(attempt: Attempt) -> None:
    before = rates()
    retention()
    after = rates()
    columns = ("value_count", "minimum", "mean", "maximum", "stddev")
    assert [getattr(after, name) for name in columns] == [getattr(before, name) for name in columns]
    assert before.value_count == LONG
    assert after.downsampled_at is not None
    assert after.length <= MAX_VALUES < before.length
    assert after.length * after.interval == pytest.approx(LONG, abs=after.interval)
    times, values = series_window(after)
    assert len(values) == after.length == len(times)
    assert float(values.mean()) == pytest.approx(before.mean, rel=0.01)
    assert after.chunks.count() == 1


def test_only_long_ones_that_can_be_joined_are_thinned_once(attempt: Attempt) -> None:
    assert due() == DownsampleReport(1, (LONG - 977) * FLOAT.itemsize)  # 21 values become one
    retention()
    assert Series.objects.filter(downsampled_at__isnull=False).get() == rates()
    assert Series.objects.get(metric="latency_p99", subject="write").length == LONG
    assert due() == DownsampleReport()


@pytest.mark.parametrize(("days", "months"), [(300, 12), (400, 0)])
def test_without_a_rule_or_before_its_time_nothing_is_thinned(
    attempt: Attempt, settings: Settings, days: int, months: int
) -> None:
    settings.DOWNSAMPLE_AFTER_MONTHS = months
    ended(attempt, days)
    assert due() == DownsampleReport()
    retention()
    assert rates().length == LONG


def test_a_run_that_is_not_over_keeps_all(attempt: Attempt) -> None:
    Run.objects.update(state=RunState.RUNNING, finished_at=None)
    assert due() == DownsampleReport()


def test_writing_the_results_anew_brings_the_whole_series_back(attempt: Attempt) -> None:
    retention()
    found = [parse_result.Series("iops", tuple(range(LONG)), start=0.0, interval=1.0)]
    series_store(attempt=attempt, source=Series.Source.TOOL, subject="write", series=found)
    assert (rates().length, rates().downsampled_at, rates().value_count) == (LONG, None, LONG)


def test_retention_command_counts_first_and_downsamples_when_applied(
    attempt: Attempt, settings: Settings
) -> None:
    assert "1  with its run; downsampled" in retention_line()
    assert "(0.1 MB of values become free)" in retention_line()
    assert rates().length == LONG
    assert "1  with its run" in retention_line("--apply")
    assert rates().length <= MAX_VALUES
    settings.DOWNSAMPLE_AFTER_MONTHS = 0
    assert "0  with its run" in retention_line()


def retention_line(*options: str) -> str:
    out = StringIO()
    call_command("retention", *options, stdout=out)
    (line,) = (line for line in out.getvalue().splitlines() if line.startswith("results.Series "))
    return line


def test_the_api_says_since_when(
    attempt: Attempt, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    retention()
    row = api(viewer).get(f"/api/v1/series/{rates().pk}/").json()
    assert row["downsampled_at"]
    assert row["length"] <= MAX_VALUES
    summary = api(viewer).get(f"/api/v1/series/{rates().pk}/summary/").json()
    assert summary["count"] == LONG
