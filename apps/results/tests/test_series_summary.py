"""Least, mean, most and deviation over the intervals of a test: on the case's page, in the API."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.domain.chunks import CHUNK
from apps.results.models import Series
from apps.results.presenters.over_time import time_rows
from apps.results.tests.factories import create_results, series_store
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return create_results(create_attempt(create_run(owner=owner).cases.get()))


def stored(attempt: Attempt, values: tuple[float | None, ...]) -> Series:
    series_store(
        attempt=attempt,
        source=Series.Source.DEVICE,
        subject="sdb",
        series=[parse_result.Series("queue", values)],
    )
    return Series.objects.get(subject="sdb")


def test_many_chunks_are_as_one(attempt: Attempt) -> None:
    values = tuple(float(n * 7919 % 1009) + 1e5 for n in range(2 * CHUNK + 17))
    series = stored(attempt, values)
    assert series.value_count == len(values)
    assert (series.minimum, series.maximum) == (1e5, 1e5 + 1008)
    assert series.mean == pytest.approx(statistics.fmean(values), rel=1e-9)
    assert series.stddev == pytest.approx(statistics.stdev(values), rel=1e-6)


def test_intervals_without_a_value_do_not_count(attempt: Attempt) -> None:
    series = stored(attempt, (None, 4.0, None, 8.0))
    assert (series.value_count, series.minimum, series.mean, series.maximum) == (2, 4.0, 6.0, 8.0)
    assert series.stddev == pytest.approx(math.sqrt(8.0))


def test_a_single_interval_deviates_by_nothing(attempt: Attempt) -> None:
    assert stored(attempt, (4.0,)).stddev == 0.0


def test_a_series_without_a_value_has_no_row(attempt: Attempt, owner_client: Client) -> None:
    series = stored(attempt, (None, None))
    assert not time_rows([series])
    assert owner_client.get(reverse("case_detail", args=[attempt.case_id])).status_code == 200


def test_the_page_shows_tool_and_device(attempt: Attempt, owner_client: Client) -> None:
    stored(attempt, (0.79, 2.39))
    page = owner_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    card = page[page.index("Summary over time") :].split("</section>")[0]
    assert [card.index(name) for name in (">read<", ">loop7<", ">sdb<")]
    for text in ("Device queue length", "0.79", "1.59", "2.39", "Device utilisation", "4.5"):
        assert text in card
    assert "Standard deviation" in card


def test_scripts_ask_one_series(
    attempt: Attempt, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    series = stored(attempt, (None, 4.0, 8.0))
    client = api(viewer)
    told = client.get(f"/api/v1/series/{series.pk}/summary/").json()
    assert told == {
        "count": 2, "minimum": 4.0, "mean": 6.0, "maximum": 8.0, "stddev": pytest.approx(8**0.5),
    }  # fmt: skip
    empty = stored(attempt, (None,))
    told = client.get(f"/api/v1/series/{empty.pk}/summary/").json()
    assert told == {"count": 0, "minimum": None, "mean": None, "maximum": None, "stddev": None}
