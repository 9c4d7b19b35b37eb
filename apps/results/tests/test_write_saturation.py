"""A test that writes its disk again and again, over what it has written."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.results.services.attempt_results import results_store
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run
from apps.tools import parse_result

pytestmark = pytest.mark.django_db
DISK = 64 * 1024**2
"""Bytes of the factory's disk."""


def measured(owner: User, operation: str, *rates: float | None) -> Attempt:
    """A test that moved so many bytes each second."""
    run = create_run(owner=owner, target=create_disk(host=create_host(), owner=owner))
    attempt = create_attempt(run.cases.get())
    iops = [None if rate is None else rate / 4096 for rate in rates]
    series = (parse_result.Series("bandwidth", rates), parse_result.Series("iops", iops))
    found = parse_result.Measurement(operation, bandwidth=1.0, iops=1.0, series=series)
    parsed = parse_result.Parsed("fio", "json", "3.33", (found,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    return attempt


def address(attempt: Attempt) -> str:
    return reverse("case_figure", args=[attempt.case_id, attempt.number, "written"])


def test_the_axis_is_disks_written(owner: User, viewer_client: Client) -> None:
    attempt = measured(owner, "write", DISK, DISK / 2, None, DISK / 4, DISK / 4)
    figure = viewer_client.get(address(attempt)).json()
    assert [trace["x"] for trace in figure["data"]] == [[1.0, 1.5, 1.5, 1.75, 2.0]] * 2
    assert "times the disks" in figure["layout"]["xaxis"]["title"]["text"]
    page = viewer_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    assert address(attempt) in page


@pytest.mark.parametrize(
    ("operation", "rates"), [("write", (DISK / 2, DISK / 4)), ("read", (DISK, DISK))]
)
def test_less_than_a_disk_and_reads_have_no_such_chart(
    owner: User, viewer_client: Client, operation: str, rates: tuple[float, ...]
) -> None:
    attempt = measured(owner, operation, *rates)
    assert viewer_client.get(address(attempt)).status_code == 404
    page = viewer_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    assert address(attempt) not in page
