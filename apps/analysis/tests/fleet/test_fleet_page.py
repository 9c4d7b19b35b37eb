"""One workload on many disks: its page, its API, and the queries of both."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import START, Setup, create_measured_run, create_target
from apps.common.services import results_touch
from apps.inventory.models import Disk
from apps.inventory.tests.factories import create_disk_model
from apps.plans.models import Workload
from tests.harness.documents import Changes

Api = Callable[[User | None], APIClient]
FOUND = "Host defaults"


def measure(owner: User, disk: Disk, **more: Any) -> None:
    """A run of three repeats on a disk."""
    known: Changes = {"tunings": (FOUND,), "repeats": 3, "noise": 0.01}
    create_measured_run(Setup(owner=owner, disk=disk, **known | more))


@pytest.fixture
def disks(owner: User) -> list[Disk]:
    """Eight disks of one model, the last a quarter slower."""
    found = [create_target(owner, f"node{number}") for number in range(1, 9)]
    for number, disk in enumerate(found, 1):
        measure(owner, disk, seed=number, gains={FOUND: 0.75} if number == 8 else {})
    return found


def params(**more: Any) -> Changes:
    return {"workload": Workload.objects.get().key, "metric": "iops"} | more


def table(data: Any, key: str) -> list[dict[str, Any]]:
    """A table's rows by their columns' keys."""
    found = next(one for one in data["tables"] if one["key"] == key)
    names = [column["key"] for column in found["columns"]]
    return [dict(zip(names, row, strict=True)) for row in found["rows"]]


def test_the_slow_disk_is_named_with_its_siblings(
    disks: list[Disk], api: Api, viewer: User
) -> None:
    data = api(viewer).get("/api/v1/analysis/fleet/", params()).json()
    (texts,) = data["verdicts"]
    assert texts["verdict"] == "worse"
    assert texts["text"].startswith("node8: ")
    assert texts["text"].endswith("% lower than that of its 7 peers.")
    (far,) = table(data, "outliers")
    assert 0.73 < far["change"] < 0.77
    assert (far["model"], far["firmware"], far["host"]) == ("S4510", "XC11", "node8")
    ranking = table(data, "ranking")
    assert [row["rank"] for row in ranking] == list(range(1, 9))
    assert ranking[-1]["name"] == far["name"]
    assert [row["median"] for row in ranking] == sorted(
        (row["median"] for row in ranking), reverse=True
    )


def test_of_latency_the_lowest_stands_first(disks: list[Disk], api: Api, viewer: User) -> None:
    data = api(viewer).get("/api/v1/analysis/fleet/", params(metric="latency_mean")).json()
    medians = [row["median"] for row in table(data, "ranking")]
    assert medians == sorted(medians)
    assert "higher than that of its 7 peers" in data["headline"]


def test_only_the_newest_run_of_a_disk_counts(
    owner: User, disks: list[Disk], api: Api, viewer: User
) -> None:
    disks[7].refresh_from_db()
    measure(owner, disks[7], start=START + timedelta(days=9))
    data = api(viewer).get("/api/v1/analysis/fleet/", params()).json()
    assert data["verdicts"] == []
    assert len(table(data, "ranking")) == 8
    assert {row["repeats"] for row in table(data, "ranking")} == {3}
    before = params(before=(START + timedelta(days=9)).isoformat())
    data = api(viewer).get("/api/v1/analysis/fleet/", before).json()
    assert len(table(data, "outliers")) == 1


def test_siblings_are_of_one_model_host_or_all(
    disks: list[Disk], owner: User, api: Api, viewer: User
) -> None:
    def groups(**more: str) -> list[tuple[str, int]]:
        data = api(viewer).get("/api/v1/analysis/fleet/", params(**more)).json()
        keys = [one["key"] for one in data["tables"]]
        rows = table(data, "groups") if "groups" in keys else []
        return [(row["group"], row["targets"]) for row in rows]

    assert groups() == []
    assert groups(by="host") == [(f"node{number}", 1) for number in range(1, 9)]
    Disk.objects.filter(pk=disks[0].pk).update(model=create_disk_model("S4510"))
    data = api(viewer).get("/api/v1/analysis/fleet/", params(model="S4510")).json()
    assert len(table(data, "ranking")) == 1


def test_siblings_are_in_the_same_slot_of_their_servers(
    owner: User, api: Api, viewer: User
) -> None:
    """The same bays of six servers; one disk in a third bay is slow."""
    for node in range(1, 7):
        for bay in (1, 2, 3):
            disk = create_target(owner, f"node{node}-{bay}")
            row = {"identity": disk.identity, "model": "S4510", "size": disk.size}
            row |= {"slot": f"Slot {bay}", "enclosure": "SMC SC846P"}
            gains = {FOUND: 0.6} if (node, bay) == (6, 3) else {}
            measure(owner, disk, seed=node * 10 + bay, gains=gains, facts={"disks": [row]})
    data = api(viewer).get("/api/v1/analysis/fleet/", params(by="slot")).json()
    groups = [(row["group"], row["targets"]) for row in table(data, "groups")]
    assert groups == [(f"SMC SC846P Slot {bay}", 6) for bay in (1, 2, 3)]
    (far,) = table(data, "outliers")
    assert (far["host"], far["slot"]) == ("node6-3", "SMC SC846P Slot 3")
    (texts,) = data["verdicts"]
    assert "(SMC SC846P Slot 3): " in texts["text"]
    assert texts["text"].endswith("than that of its 5 peers.")


def test_another_tuning_is_listed_and_not_mixed(
    disks: list[Disk], owner: User, api: Api, viewer: User
) -> None:
    disks[0].refresh_from_db()
    measure(owner, disks[0], tunings=("Scheduler none",))
    data = api(viewer).get("/api/v1/analysis/fleet/", params()).json()
    assert FOUND in data["subject"]
    assert len(table(data, "ranking")) == 8
    assert any("Scheduler none" in note for note in data["notes"])


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_the_page(
    disks: list[Disk], who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    page = seen.get(reverse("fleet"), params())
    assert page.status_code == 200
    assert "node8" in page.content.decode()
    assert client.get(reverse("fleet"), params()).status_code == 302


def test_the_form_shows_what_is_shown(disks: list[Disk], viewer_client: Client) -> None:
    for address in ("fleet", "history"):
        html = viewer_client.get(reverse(address), params()).content.decode()
        assert re.search(r'<option value="iops"[^>]* selected', html), address


def test_chosen_disks_are_compared(disks: list[Disk], viewer_client: Client) -> None:
    chosen: Changes = {"target": [disks[0].pk, disks[7].pk], "metric": "iops"}
    offered = viewer_client.get(reverse("fleet"), chosen)
    (row,) = offered.context["workloads"]
    assert row.results == 6
    links = re.findall(r'href="(\?workload=[^"]+)"', offered.content.decode())
    address = links[0].replace("&amp;", "&")
    assert address.endswith(f"target={disks[0].pk}&target={disks[7].pk}")
    page = viewer_client.get(f"{reverse('fleet')}{address}").content.decode()
    assert ("node1: " in page, "node8: " in page, "node2: " in page) == (True, True, False)
    host = viewer_client.get(reverse("host_detail", args=[disks[0].host_id])).content.decode()
    disk = Disk.objects.get(pk=disks[0].pk)
    assert f'form="chosen-disks" name="target" value="{disk.pk}"' in host
    assert viewer_client.get(reverse("fleet"), {"target": "x"}).status_code == 400


def test_the_page_says_what_is_missing_or_wrong(disks: list[Disk], viewer_client: Client) -> None:
    empty = viewer_client.get(reverse("fleet"))
    assert f'href="?workload={params()["workload"]}"' in empty.content.decode()
    none = viewer_client.get(reverse("fleet"), params(operation="write"))
    assert "No comparable result" in none.content.decode()
    assert viewer_client.get(reverse("fleet"), params(by="colour")).status_code == 400


def test_pages_lead_to_it(disks: list[Disk], viewer_client: Client) -> None:
    link = f"/analysis/fleet/?workload={params()['workload']}"
    assert link in viewer_client.get(reverse("history"), params()).content.decode()


def test_more_disks_take_no_more_queries(
    disks: list[Disk], owner: User, api: Api, viewer: User
) -> None:
    client = api(viewer)
    client.get("/api/v1/analysis/fleet/", params() | {"by": "host"})
    results_touch()
    with CaptureQueriesContext(connection) as few:
        client.get("/api/v1/analysis/fleet/", params())
    for number in range(20, 25):
        measure(owner, create_target(owner, f"node{number}"))
    results_touch()
    with CaptureQueriesContext(connection) as many:
        client.get("/api/v1/analysis/fleet/", params())
    assert len(many) == len(few) <= 14
