"""Parsing again replaces figures and keeps what links and scripts know them by."""

from __future__ import annotations

from dataclasses import replace

from apps.accounts.models import User
from apps.results.models import Histogram, Measurement, Series
from apps.results.services.attempt_results import results_store
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result


def parsed(*operations: str, bandwidth: float) -> parse_result.Parsed:
    found = parse_result.Measurement(
        operation="read",
        bandwidth=bandwidth,
        iops=None,
        histogram=parse_result.Histogram(bins=(1000,), counts=(5,)),
        series=(
            parse_result.Series(metric="bandwidth", start=0.0, interval=1.0, values=(bandwidth,)),
        ),
    )
    rows = tuple(replace(found, operation=operation) for operation in operations)
    return parse_result.Parsed("fio", "json", "3.33", rows)


def test_ids_stay_and_figures_change(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    results_store(attempt=attempt, parsed=parsed("read", "write", bandwidth=1.0), parser_version=1)
    other = create_attempt(create_run(owner=owner).cases.get())
    results_store(attempt=other, parsed=parsed("read", bandwidth=5.0), parser_version=1)
    before = {row.operation: row for row in attempt.measurements.all()}
    series = {row.subject: row.pk for row in attempt.series.all()}

    results_store(attempt=attempt, parsed=parsed("write", "read", bandwidth=2.0), parser_version=2)

    after = {row.operation: row for row in attempt.measurements.all()}
    assert {name: row.pk for name, row in after.items()} == {n: r.pk for n, r in before.items()}
    assert {name: row.created_at for name, row in after.items()} == {
        name: row.created_at for name, row in before.items()
    }
    assert {(row.bandwidth, row.parser_version) for row in after.values()} == {(2.0, 2)}
    assert {row.subject: row.pk for row in attempt.series.all()} == series
    assert all(row.chunks.count() == 1 for row in attempt.series.all())
    assert Histogram.objects.filter(measurement__attempt=attempt).count() == 2
    assert other.measurements.get().bandwidth == 5.0


def test_what_is_no_longer_read_is_gone(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    results_store(attempt=attempt, parsed=parsed("read", "write", bandwidth=1.0), parser_version=1)
    results_store(attempt=attempt, parsed=parsed("read", bandwidth=1.0), parser_version=2)
    assert Measurement.objects.get().operation == "read"
    assert Series.objects.get().subject == "read"
