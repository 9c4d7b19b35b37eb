"""Launched, imported and read again: all results are written by one function, many at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.models import Histogram, Measurement, Series, SeriesChunk
from apps.results.services.write import NewResult, results_write
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempts(owner: User) -> list[Attempt]:
    return [create_attempt(create_run(owner=owner).cases.get()) for _ in range(3)]


def result(attempt: Attempt, *operations: str, iops: float = 1.0) -> NewResult:
    found = tuple(
        parse_result.Measurement(
            operation,
            bandwidth=None,
            iops=iops,
            series=(parse_result.Series("iops", (iops, None, iops)),),
            histogram=parse_result.Histogram((10, 20), (1, 2)),
        )
        for operation in operations
    )
    return NewResult(attempt, parse_result.Parsed("fio", "json", "3.33", found), 1)


def test_many_attempts_take_as_many_statements_as_one(attempts: list[Attempt]) -> None:
    with CaptureQueriesContext(
        connection,
    ) as one:
        results_write([result(attempts[0], "read")])
    with CaptureQueriesContext(connection) as many:
        results_write([result(attempt, "read", "write") for attempt in attempts[1:]])
    assert len(one) == len(many)
    assert Measurement.objects.count() == 5
    assert SeriesChunk.objects.count() == Series.objects.count() == Histogram.objects.count() == 5


def test_written_again_rows_keep_their_ids_and_others_go(attempts: list[Attempt]) -> None:
    first, second = attempts[:2]
    before = results_write([result(first, "read", "write"), result(second, "read")])
    days = Measurement.objects.in_bulk(before)
    series = set(Series.objects.filter(subject="read").values_list("pk", flat=True))
    after = results_write([result(first, "read", iops=5.0), result(second, "read", iops=6.0)])
    assert after == [before[0], before[2]]
    stored = Measurement.objects.order_by("pk")
    assert [(row.iops, row.created_at) for row in stored] == [
        (5.0, days[before[0]].created_at),
        (6.0, days[before[2]].created_at),
    ]
    assert set(Series.objects.values_list("pk", flat=True)) == series
    assert SeriesChunk.objects.count() == Histogram.objects.count() == 2


def test_other_attempts_and_devices_are_left_alone(attempts: list[Attempt]) -> None:
    results_write([result(attempt, "read") for attempt in attempts])
    Series.objects.filter(attempt=attempts[0]).update(source=Series.Source.DEVICE)
    results_write([result(attempts[0])])
    assert set(Measurement.objects.values_list("attempt_id", flat=True)) == {
        attempts[1].pk,
        attempts[2].pk,
    }
    assert Series.objects.filter(attempt=attempts[0]).count() == 1


def test_series_name_the_run_of_their_attempt(attempts: list[Attempt]) -> None:
    results_write([result(attempt, "read") for attempt in attempts])
    results_write([result(attempts[1], "read", "write")])
    told = set(Series.objects.values_list("attempt_id", "run_id"))
    assert told == {(attempt.pk, attempt.case.run_id) for attempt in attempts}


def test_the_series_of_a_run_are_found_without_its_attempts(
    attempts: list[Attempt], api: Callable[[User], APIClient], viewer: User
) -> None:
    results_write([result(attempt, "read") for attempt in attempts])
    run = attempts[1].case.run_id
    with CaptureQueriesContext(connection) as queries:
        shown = api(viewer).get("/api/v1/series/", {"run": run}).json()["results"]
    assert [row["attempt"] for row in shown] == [str(attempts[1].pk)]
    keys = [each["sql"] for each in queries if '"results_series"."run_id" =' in each["sql"]]
    assert keys
    assert not any("runs_case" in sql for sql in keys)


@pytest.mark.parametrize("figure", [-1.0, float("inf"), float("nan")])
def test_results_write_impossible_figure_is_left_out_and_invalid(
    attempts: list[Attempt], figure: float
) -> None:
    latency = parse_result.Latency(mean=2.0, max=figure, percentiles={"50": 1.0, "99": figure})
    found = parse_result.Measurement(
        "read", 5.0, figure, latency, values={"other": figure, "named": "x"}
    )
    parsed = parse_result.Parsed("fio", "json", "3.33", (found,))
    results_write([NewResult(attempts[0], parsed, 1)])
    stored = Measurement.objects.get()
    assert (stored.iops, stored.latency_max, stored.percentiles) == (None, None, {"50": 1.0})
    assert (stored.bandwidth, stored.latency_mean) == (5.0, 2.0)
    assert not stored.valid
    assert "iops" in stored.invalid_reason
    assert stored.values["named"] == "x"
