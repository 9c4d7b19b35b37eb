"""A workload's history: its page, its API, and what both read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.queries import workloads
from apps.analysis.tests.compare.factories import START, Setup, create_measured_run, create_target
from apps.inventory.models import Disk
from apps.plans.models import Workload
from apps.results.models import Measurement, ResultSummary
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run, RunTarget, RunTuning
from apps.runs.tests.factories import create_disk, create_host
from apps.tuning.schemas.settings import Setting
from tests.harness.documents import Changes

Api = Callable[[User | None], APIClient]
NEW_KERNEL = {"kernel": "6.1.0-22"}


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_target(owner, "node1")


@pytest.fixture
def runs(owner: User, disk: Disk) -> list[Run]:
    """Three runs of one workload a week apart, two tunings, three repeats; a kernel in between."""
    setup = Setup(owner=owner, disk=disk, repeats=3)
    made = [
        create_measured_run(
            replace(setup, seed=n, start=START + timedelta(weeks=n), facts=NEW_KERNEL if n else {})
        )
        for n in range(3)
    ]
    disk.refresh_from_db()
    return made


def params(disk: Disk, **more: Any) -> Changes:
    return {"workload": Workload.objects.get().key, "target": disk.pk} | more


def test_the_api_answers_five_years_in_one_call(
    runs: list[Run], disk: Disk, api: Api, viewer: User
) -> None:
    answer = api(viewer).get("/api/v1/history/", params(disk)).json()
    assert (answer["operation"], answer["operations"]) == ("read", ["read"])
    assert (answer["metric"], answer["unit"], answer["more"]) == ("latency_p99", "ns", False)
    assert len(answer["readings"]) == 18
    first = answer["readings"][0]
    measured = Measurement.objects.get(pk=first["measurement"])
    assert first["value"] == measured.latency_p99
    assert (first["case"], first["run"]) == (measured.case_id, runs[0].pk)
    assert datetime.fromisoformat(first["measured_at"]) == START
    assert {row["tuning"] for row in answer["readings"]} == {"Host defaults", "Scheduler none"}
    (change,) = answer["changes"]
    assert (change["what"], change["before"], change["after"]) == ("kernel", "6.1.0-18", "6.1.0-22")
    assert change["run"] == runs[1].pk
    assert [level["tuning"] for level in answer["levels"]] == ["Host defaults", "Scheduler none"]
    for level in answer["levels"]:
        assert (level["runs"], level["has_changed"]) == (level["runs_since"], False)
        assert level["median_interval"] is None  # of fewer than six runs


def test_it_is_narrowed(runs: list[Run], disk: Disk, api: Api, viewer: User) -> None:
    def number(**more: Any) -> int:
        answer = api(viewer).get("/api/v1/history/", params(disk, **more))
        assert answer.status_code == 200, answer.json()
        return len(answer.json()["readings"])

    week = (START + timedelta(weeks=1)).isoformat()
    assert number(after=week) == 12
    assert number(before=week) == 6
    assert number(host=disk.host_id) == 18
    assert number(host=create_host().pk) == 0
    assert number(operation="read", metric="iops") == 18
    assert number(operation="write") == 0
    # What was not measured has no history.
    assert number(metric="latency_stddev") == 0


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"workload": "no such key"}, "workload"),
        ({"workload": ""}, "workload"),
        ({"metric": "speed"}, "metric"),
        ({"after": "yesterday"}, "after"),
        ({"disc": "1"}, "disc"),
        ({"host": "-1"}, "host"),
    ],
)
def test_what_makes_no_sense_is_refused(
    runs: list[Run], disk: Disk, api: Api, viewer: User, more: dict[str, str], wrong: str
) -> None:
    answer = api(viewer).get("/api/v1/history/", params(disk) | more)
    assert answer.status_code == 400
    assert list(answer.json()["error"]["fields"]) == [wrong]


def test_only_what_counts_is_history(runs: list[Run], disk: Disk, api: Api, viewer: User) -> None:
    attempt = Attempt.objects.filter(case__run=runs[0]).first()
    assert attempt is not None
    attempt.valid = False
    attempt.save(update_fields=["valid"])
    summaries_rebuild()
    answer = api(viewer).get("/api/v1/history/", params(disk)).json()
    assert len(answer["readings"]) == 17


def test_a_disk_that_nothing_ran_on_has_none(
    runs: list[Run], disk: Disk, owner: User, api: Api, viewer: User
) -> None:
    other = create_disk(host=create_host(), owner=owner)
    assert api(viewer).get("/api/v1/history/", params(other)).json()["readings"] == []


def test_settings_in_force_make_a_tuning_and_not_its_name(
    runs: list[Run], disk: Disk, api: Api, viewer: User
) -> None:
    """Renamed it is the same, under its newest name; changed it is another."""
    RunTuning.objects.filter(run=runs[2], name="Scheduler none").update(name="Fast")
    answer = api(viewer).get("/api/v1/history/", params(disk)).json()
    assert {row["tuning"] for row in answer["readings"]} == {"Host defaults", "Fast"}
    changed = RunTuning.objects.get(run=runs[2], name="Fast")
    changed.settings = (Setting("queue", "scheduler", "bfq"),)
    changed.save()
    summaries_rebuild()
    answer = api(viewer).get("/api/v1/history/", params(disk)).json()
    assert {row["tuning"] for row in answer["readings"]} == {
        "Host defaults",
        "Scheduler none",
        "Fast",
    }
    RunTuning.objects.filter(name="Scheduler none").update(name="Fast")
    answer = api(viewer).get("/api/v1/history/", params(disk)).json()
    assert {row["tuning"] for row in answer["readings"]} == {
        "Host defaults", "Fast (scheduler none)", "Fast (scheduler bfq)",
    }  # fmt: skip


def test_several_targets_have_levels_of_their_own(
    runs: list[Run], disk: Disk, owner: User, api: Api, viewer: User
) -> None:
    create_measured_run(Setup(owner=owner, disk=create_target(owner, "node2"), repeats=1))
    answer = api(viewer).get("/api/v1/history/", {"workload": Workload.objects.get().key}).json()
    names = set(RunTarget.objects.values_list("name", flat=True))
    assert {row["target"] for row in answer["readings"]} == names
    assert {row["tuning"] for row in answer["readings"]} == {
        f"{name} · {tuning}" for name in names for tuning in ("Host defaults", "Scheduler none")
    }


def test_the_page_shows_what_the_api_says(
    runs: list[Run], disk: Disk, viewer_client: Client
) -> None:
    page = viewer_client.get(reverse("history"), params(disk))
    html = page.content.decode()
    assert page.status_code == 200
    assert "18 results of read, 2026-03-01 to 2026-03-15." in html
    assert "6.1.0-18" in html
    assert "6.1.0-22" in html
    assert [row.label for row in page.context["shown"].levels] == [
        "Host defaults",
        "Scheduler none",
    ]
    assert [(row.results, row.runs) for row in page.context["shown"].levels] == [(9, 3), (9, 3)]


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_it(
    runs: list[Run], disk: Disk, who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    assert seen.get(reverse("history"), params(disk)).status_code == 200
    assert client.get(reverse("history"), params(disk)).status_code == 302


def test_without_a_workload_it_offers_those_that_there_are(
    runs: list[Run], disk: Disk, viewer_client: Client
) -> None:
    workload = Workload.objects.get()
    for about in ({"target": disk.pk}, {"host": disk.host_id}):
        page = viewer_client.get(reverse("history"), about)
        assert [(row.workload, row.results) for row in page.context["workloads"]] == [
            (workload, 18)
        ]
        name = next(iter(about))
        link = f"?workload={workload.key}&amp;{name}={about[name]}"
        assert link in page.content.decode()


def test_without_a_place_the_latest_workloads_are_offered(
    runs: list[Run], viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu leads here. Of a large archive only the newest results are looked at."""
    case = runs[0].cases.first()
    assert case is not None
    html = viewer_client.get(reverse("history")).content.decode()
    assert "Workloads of the latest" in html
    assert f'href="?workload={case.workload.key}"' in html
    monkeypatch.setattr(workloads, "MAX_LATEST", 3)
    (row,) = viewer_client.get(reverse("history")).context["workloads"]
    assert row.results == 3


def test_empty_pages_say_what_to_do(disk: Disk, viewer_client: Client) -> None:
    def texts(**query: Any) -> str:
        return viewer_client.get(reverse("history"), query).content.decode()

    assert "Nothing was measured yet" in texts()
    assert "Nothing was measured here yet" in texts(target=disk.pk)
    Workload.objects.create(key="k", tool="fio", params={}, label="4 KiB")
    assert "No results" in texts(workload="k", target=disk.pk)
    assert viewer_client.get(reverse("history"), {"workload": "none"}).status_code == 400


def test_pages_lead_to_it(runs: list[Run], disk: Disk, viewer_client: Client) -> None:
    case = runs[0].cases.first()
    assert case is not None
    html = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
    assert f"?workload={case.workload.key}&amp;target={disk.pk}" in html
    html = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert f"/history/?target={disk.pk}" in html
    html = viewer_client.get(reverse("host_detail", args=[disk.host_id])).content.decode()
    assert f"/history/?host={disk.host_id}" in html


def test_more_results_take_no_more_queries(
    runs: list[Run], disk: Disk, owner: User, api: Api, viewer: User
) -> None:
    client = api(viewer)
    client.get("/api/v1/history/", params(disk))
    with CaptureQueriesContext(connection) as few:
        client.get("/api/v1/history/", params(disk))
    for n in range(3, 8):
        start = START + timedelta(weeks=n)
        create_measured_run(Setup(owner=owner, disk=disk, repeats=9, seed=n, start=start))
    with CaptureQueriesContext(connection) as many:
        client.get("/api/v1/history/", params(disk))
    assert len(many) == len(few) <= 14


def test_it_is_read_by_its_index(runs: list[Run], disk: Disk) -> None:
    rows = ResultSummary.objects.filter(
        workload=Workload.objects.get(), target=disk.target_id, is_comparable=True
    ).order_by("-measured_at", "-pk")
    with connection.cursor() as cursor:
        # In a table of a few rows other indexes cost the same. This one and those of a target or a
        # workload have the order as well, and a large table has both beside each other.
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        cursor.execute("DROP INDEX summaries_by_target; DROP INDEX summaries_by_time")
    assert "summaries_over_time" in rows.explain()
