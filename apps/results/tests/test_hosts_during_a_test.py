"""Hosts during a test: on the case's page, and as figures of comparisons and history."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.models import Series
from apps.results.services.attempt_results import device_view_store
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run


def log() -> bytes:
    """Three seconds of a host with two cores: the generator used 0.5, 0.75 and 1 core."""
    tool = (0.0, 0.5, 1.25, 2.25)
    rows = [
        {
            "t": second,
            "host": {
                "cpu": [100 * second, 0, 0, 100 * second, 0, 0, 0, 0],
                "cores": [50, 25 * second],
                "switches": 1000 * second,
                "used": 1 << 30,
                "tool": tool[second],
                "net": {"eth0": [0, 1_000_000 * second]},
            },
        }
        for second in range(4)
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.fixture
def attempt(owner: User) -> Attempt:
    done = create_attempt(create_run(owner=owner).cases.get(), exit={"codes": [0]}, spec={})
    found = create_results(done)
    device_view_store(attempt=found, files={"host.log": log()})
    return found


def test_they_are_series_of_the_attempt(attempt: Attempt) -> None:
    rows = Series.objects.filter(attempt=attempt, source=Series.Source.HOST)
    found = {(row.subject, row.metric): (row.minimum, row.mean, row.maximum) for row in rows}
    assert found["host", "generator_cpu"] == (50.0, 75.0, 100.0)
    assert found["host", "host_cpu"] == (50.0, 50.0, 50.0)
    least, mean, most = found["host", "busiest_core"]
    assert (least, most) == (50.0, 75.0)
    assert mean == pytest.approx(58.3333, abs=1e-3)
    assert found["cpu1", "core_cpu"][2] == 75.0
    assert found["eth0", "network_sent"][1] == 1_000_000.0
    device_view_store(attempt=attempt, files={"host.log": log()})
    assert rows.count() == len(found)


def test_the_page_shows_them_folded_with_a_chart(attempt: Attempt, viewer_client: Client) -> None:
    text = viewer_client.get(reverse("case_detail", args=[attempt.case_id])).content.decode()
    assert "Hosts during the test" in text
    assert "CPU of the load generator, of one core" in text
    address = reverse("case_figure", args=[attempt.case_id, attempt.number, "hosts"])
    figure = viewer_client.get(address).json()
    names = {trace["name"] for trace in figure["data"]}
    assert {"host", "cpu0", "cpu1", "eth0"} <= names


def test_history_offers_the_generators_cpu(
    attempt: Attempt, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    case = attempt.case
    address = f"/api/v1/history/?workload={case.workload.key}&target={case.target.pk}"
    told = api(viewer).get(f"{address}&metric=generator_cpu_max_over_time").json()
    assert [reading["value"] for reading in told["readings"]] == [100.0]
    assert "power_mean_over_time" not in told["metrics"]
