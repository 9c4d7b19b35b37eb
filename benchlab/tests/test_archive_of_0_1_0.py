"""An archive that version 0.1.0 made says the same after the upgrade (archives/README.md)."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.figure_table import figures_difference
from apps.runs.models import Attempt, AttemptJob
from benchlab.tests.upgrade import empty_database, migrated_to_today
from tests.harness.documents import Document

ARCHIVES = Path(__file__).parent / "archives"
pytestmark = pytest.mark.xdist_group("archive of 0.1.0")
# What a list said then and says with the same words today, row by row.
SAME = {
    "runs": (
        "name", "plan", "note", "state", "reason", "owner", "team", "case_count", "queued_at",
        "started_at", "finished_at", "cancel_requested_at",
    ),
    "cases": (
        "run", "position", "block", "repeat", "workload", "tool", "params", "host",
        "disk", "directory", "target", "tuning", "tuning_name", "state", "reason", "fault",
    ),
    "measurements": (
        "run", "case", "attempt", "workload", "host", "tuning_name", "repeat",
        "operation", "bandwidth", "iops", "latency_min", "latency_mean", "latency_max",
        "latency_stddev", "latency_p50", "latency_p95", "latency_p99", "latency_p999",
        "latency_p9999", "percentiles", "values", "valid", "invalid_reason", "created_at",
    ),
    "series": ("case", "attempt", "source", "subject", "metric", "start", "interval", "length"),
    "hosts": ("name", "kind", "address", "tags", "enabled"),
    "disks": ("host", "identity", "size"),
    "tunings": ("name", "description", "settle", "owner"),
    "plans": ("name", "description", "repeats", "owner"),
}  # fmt: skip


@pytest.fixture(scope="module")
def said() -> Document:
    """The answers of the API of 0.1.0."""
    told: Document = json.loads(gzip.decompress((ARCHIVES / "0.1.0.json.gz").read_bytes()))
    return told


@pytest.fixture(scope="module")
def upgraded(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Today's database, from that archive."""
    dump = gzip.decompress((ARCHIVES / "0.1.0.sql.gz").read_bytes()).decode()
    # Lines of psql alone.
    script = "\n".join(line for line in dump.splitlines() if not line.startswith("\\"))
    with django_db_blocker.unblock(), empty_database():
        with connection.cursor() as cursor:
            cursor.execute(script)
        connection.close()  # with what the dump has set
        migrated_to_today()
        yield


@pytest.fixture
def asking(upgraded: None, django_db_blocker: Any) -> Iterator[APIClient]:
    with django_db_blocker.unblock():
        client = APIClient()
        client.force_authenticate(User.objects.get(username="owner"))
        yield client


def rows_of(client: APIClient, noun: str, **query: Any) -> list[Document]:
    answer = client.get(f"/api/v1/{noun}/", {"page_size": 500, **query})
    assert answer.status_code == 200, answer.content
    found: list[Document] = answer.json()["results"]
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("noun", SAME)
def test_lists_say_the_same(noun: str, said: Document, asking: APIClient) -> None:
    now = {row["id"]: row for row in rows_of(asking, noun)}
    assert len(said[noun]) == len(now) > 0
    for then in said[noun]:
        names = [name for name in SAME[noun] if name in then]
        row = now[then["id"]]
        assert {name: row[name] for name in names} == {name: then[name] for name in names}


@pytest.mark.django_db
def test_histograms_and_series_say_the_same(said: Document, asking: APIClient) -> None:
    assert sum(1 for row in said["histograms"] if row["histogram"]) > 20
    for row in said["histograms"]:
        answer = asking.get(f"/api/v1/measurements/{row['id']}/").json()
        assert answer["histogram"] == row["histogram"]
    for row in said["series_data"]:
        answer = asking.get(f"/api/v1/series/{row['id']}/data/").json()
        assert {"id": row["id"], **answer} == row


@pytest.mark.django_db
def test_raw_files_are_there_byte_for_byte(said: Document, asking: APIClient) -> None:
    assert len(said["artifacts"]) > 10
    for case, number, name, sha256, size in said["artifacts"]:
        answer = asking.get(f"/api/v1/cases/{case}/attempts/{number}/artifacts/{name}/")
        content = b"".join(answer.streaming_content)  # type: ignore[attr-defined] # of a download
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (sha256, size)


@pytest.mark.django_db
def test_attempts_are_there_with_what_was_asked(said: Document, asking: APIClient) -> None:
    for then in said["case_details"]:
        now = asking.get(f"/api/v1/cases/{then['id']}/").json()
        assert [(a["id"], a["number"], a["state"], a["reason"]) for a in now["attempts"]] == [
            (a["id"], a["number"], a["state"], a["reason"]) for a in then["attempts"]
        ]
    # Of the others, made in bulk, no host was asked anything.
    asked = Attempt.objects.filter(case__run=1)
    assert AttemptJob.objects.count() == asked.count() == 9
    assert AttemptJob.objects.filter(exit__codes=[0]).exists()


BEHIND = {("too_few", "not_tested"), ("no_difference", "not_tested")}
"""Then and now: since 0.1.0 a metric is tested only behind a main one that differs."""


def _typical(effect: Document) -> float | None:
    """The estimated ratio of a pair of repeats, which 0.1.0 called `ratio`."""
    ratio = effect.get("typical", effect["ratio"])
    return ratio and round(ratio, 9)


def cells(told: Document) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """The comparison's cells by workload, level and metric."""
    return {
        (workload["workload"], workload["operation"], cell["level"], cell["metric"]): (
            sorted(map(str, cell["baseline_values"])), sorted(map(str, cell["values"])),
            _typical(cell["effect"]), cell["verdict"],
        )
        for workload in told["workloads"]
        for cell in workload["cells"]
    }  # fmt: skip


@pytest.mark.django_db
def test_comparisons_say_the_same(said: Document, asking: APIClient) -> None:
    for run, then in said["compare"].items():
        now = asking.get("/api/v1/compare/", {"run": run}).json()
        assert (now["factor"], now["baseline"], now["levels"], now["results_used"]) == (
            then["factor"], then["baseline"], then["levels"], then["results_used"],
        )  # fmt: skip
        old, new = cells(then), cells(now)
        assert {key: new[key][:-1] for key in old} == {key: old[key][:-1] for key in old}
        verdicts = {(old[key][-1], new[key][-1]) for key in old}
        assert {pair for pair in verdicts if pair[0] != pair[1]} <= BEHIND
    assert not figures_difference()


@pytest.mark.django_db
def test_pages_show_it(said: Document, asking: APIClient) -> None:
    browser = Client()
    browser.force_login(User.objects.get(username="owner"))
    places = [f"/runs/{row['id']}/" for row in said["runs"]]
    places += [f"/cases/{row['id']}/" for row in said["case_details"]]
    places += ["/runs/", "/plans/", "/hosts/", "/tunings/", "/compare/?run=4"]
    for place in places:
        assert browser.get(place, follow=True).status_code == 200, place
