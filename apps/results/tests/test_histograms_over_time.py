"""Histograms over time are kept with the measurement, and read as they were."""

from __future__ import annotations

import dataclasses

import pytest

from apps.accounts.models import User
from apps.results.models import HistogramSeries
from apps.results.services.attempt_results import results_store
from apps.results.services.buckets import counts_of
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result

FOUND = parse_result.HistogramSeries((960, 8192), ((5, 0), (0, 2**33)), 1.0, 0.5)
"""The second interval has more than 32 bits hold."""


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return create_attempt(create_run(owner=owner).cases.get())


def stored(attempt: Attempt, over_time: parse_result.HistogramSeries | None) -> None:
    found = parse_result.Measurement("read", 1.0, 1.0, over_time=over_time)
    parsed = parse_result.Parsed("fio", "json+", "3.33", (found,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)


def test_they_come_back_as_they_were_written(attempt: Attempt) -> None:
    stored(attempt, FOUND)
    row = HistogramSeries.objects.get(measurement__attempt=attempt)
    assert (row.start, row.interval, row.length, row.lows) == (1.0, 0.5, 2, [960, 8192])
    assert counts_of(row).tolist() == [[5, 0], [0, 2**32 - 1]]


def test_reading_again_replaces_them(attempt: Attempt) -> None:
    stored(attempt, FOUND)
    stored(attempt, dataclasses.replace(FOUND, start=3.0))
    assert HistogramSeries.objects.get(measurement__attempt=attempt).start == 3.0
    stored(attempt, None)
    assert not HistogramSeries.objects.filter(measurement__attempt=attempt).exists()
