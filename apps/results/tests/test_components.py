"""A case of several disks or hosts: its page, its charts and the API keep the whole and its
components apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Disk, HostPair, TargetGroup
from apps.results.models import Measurement, Series
from apps.results.presenters.applied_settings import settings_of
from apps.results.presenters.charts import histogram_chart, shown_series
from apps.results.presenters.participants import host_rows, starts_words
from apps.results.presenters.shares import share_rows
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import (
    create_attempt,
    create_disk,
    create_host,
    create_run,
    target_of,
)

Api = Callable[[User | None], APIClient]
LABELS = ("node1 vdb", "node1 vdc", "node2 vdb")


@pytest.fixture
def case(owner: User) -> Case:
    """Two disks of one host and one of another, used at once."""
    one, two = (create_host(name=f"node{n}") for n in (1, 2))
    disks = [
        create_disk(
            host=host, owner=owner, device_path=f"/dev/{name}", identity=f"wwn:{host.name}{name}"
        )
        for host, name in ((one, "vdb"), (one, "vdc"), (two, "vdb"))
    ]
    group = TargetGroup.objects.create(owner=owner, name="all three")
    group.disks.set(disks)
    return about(create_run(owner=owner, target=disks[0]).cases.get(), group)


def about(case: Case, thing: Any) -> Case:
    Case.objects.filter(pk=case.pk).update(run_target=target_of(case.run, thing))
    return Case.objects.get(pk=case.pk)


@pytest.fixture
def attempt(case: Case) -> Attempt:
    """Jobs on both hosts: pinned, started 2.5 ms apart; figures of the whole and of each disk."""
    hosts = {host: f"node{n}" for n, host in enumerate(case.host_ids, 1)}
    queue = {"kind": "queue", "name": "scheduler", "value": "none"}
    cpus = {"node1": [["0", "2"], ["1", "3"]], "node2": [["5"]]}
    clocks = {"node1": (90.0, 0.0, 100.0), "node2": (5000.0, 0.0004, 5010.0025)}
    row = {"identity": "wwn:node2vdb", "name": "scheduler"}
    tuning = {"node2": {"applied": [row | {"value": "none"}], "restored": [row | {"value": "bfq"}]}}
    jobs = [
        {
            "host_id": host, "name": name,
            "clock_offset": clocks[name][0], "clock_uncertainty": clocks[name][1],
            "spec": {"commands": [], "tuning": [queue | {"identity": f"wwn:{name}vdb"}]},
            "exit": {
                "cpus": cpus[name], "started": {"monotonic": clocks[name][2]},
                "tuning": tuning.get(name, {}),
            },
        }
        for host, name in hosts.items()
    ]  # fmt: skip
    made = create_results(create_attempt(case, jobs=jobs))
    for label in reversed(LABELS):
        share_of(made, label)
    return made


def share_of(attempt: Attempt, label: str) -> None:
    whole = attempt.measurements.get(component="")
    share = Measurement.objects.get(pk=whole.pk)
    share.pk, share.component, share.bandwidth, share.iops = None, label, 32 * 2.0**20, 8_192.0
    share.member = attempt.case.run_target.members.get(label=label)
    share.save()
    Series.objects.create(
        attempt=attempt, run=attempt.case.run, source="tool", component=label, member=share.member,
        subject="read", metric="iops", start=0, interval=1, length=0,
    )  # fmt: skip


def test_the_whole_stands_first_and_its_parts_in_the_members_order(attempt: Attempt) -> None:
    ((operation, rows),) = share_rows(attempt)
    assert operation == "read"
    assert [row.component for row in rows] == ["", *LABELS]
    assert [row.share for row in rows] == [1.0, 0.25, 0.25, 0.25]


def test_the_page_shows_hosts_cpus_and_starts(
    attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    html = viewer_client.get(f"/cases/{case.pk}/").content.decode()
    for text in (*LABELS, "read by component", "2 hosts took part", "all three: node1 vdb"):
        assert text in html
    assert "All hosts started within 2.5 ms of each other, measured to ± 0.4 ms." in html
    assert html.count("32,768 IOPS") == 2, "the figures, and the whole in the table of components"
    assert html.count("8,192 IOPS") == 3
    assert html.count('id="chart-histogram-read"') == 1


def test_who_sees_it(
    attempt: Attempt,
    case: Case,
    owner_client: Client,
    viewer_client: Client,
    stranger_client: Client,
    client: Client,
) -> None:
    for person in (owner_client, viewer_client, stranger_client):
        assert "2 hosts took part" in person.get(f"/cases/{case.pk}/").content.decode()
    assert client.get(f"/cases/{case.pk}/").status_code == 302


def test_cpus_are_those_of_each_disk(attempt: Attempt, case: Case) -> None:
    rows = host_rows(case, attempt)
    assert [row.name for row in rows] == ["node1", "node2"]
    assert [row.late for row in rows] == pytest.approx([0.0, 0.0025])
    assert [part.cpus for row in rows for part in row.parts] == ["0, 2", "1, 3", "5"]


def test_a_plain_disk_needs_no_such_table_unless_it_is_pinned(owner: User) -> None:
    case = create_run(owner=owner).cases.get()
    plain = create_attempt(case)
    assert host_rows(case, plain) == []
    assert starts_words(plain) == ""
    plain.jobs.update(exit={"cpus": [["0", "4"]]})
    plain = Attempt.objects.get(pk=plain.pk)
    ((part,),) = [row.parts for row in host_rows(case, plain)]
    assert part.cpus == "0, 4"


def test_a_pair_says_which_end_is_which(owner: User, viewer_client: Client) -> None:
    one, two = (create_host(name=f"node{n}", address=f"10.0.0.{n}") for n in (1, 2))
    pair = HostPair.objects.create(client=one, server=two)
    case = about(create_run(owner=owner).cases.get(), pair)
    assert [part.role for row in host_rows(case, None) for part in row.parts] == [
        "client",
        "server",
    ]
    html = viewer_client.get(f"/cases/{case.pk}/").content.decode()
    assert "node1 → node2" in html
    assert "10.0.0.2" in html


def test_charts_are_of_the_whole(attempt: Attempt) -> None:
    chart = histogram_chart(attempt, "read")
    assert chart is not None
    tool = [series for series in shown_series(attempt) if series.source == Series.Source.TOOL]
    assert {series.component for series in tool} == {""}


def test_devices_are_shown_each_for_itself(attempt: Attempt) -> None:
    device = attempt.series.get(source=Series.Source.DEVICE)
    attempt.series.filter(pk=device.pk).update(component="node1")
    device.pk, device.component = None, "node2"
    device.save()
    shown = [s.component for s in shown_series(attempt) if s.source == Series.Source.DEVICE]
    assert shown == ["node1", "node2"]


def test_setting_shows_its_scope(attempt: Attempt) -> None:
    first, second = settings_of(attempt).applied
    assert (first.scopes, first.read.during) == (("node1 vdb",), None)
    read = second.read
    assert (second.scopes, read.during, read.after) == (("node2 vdb",), "none", "bfq")


def test_a_setting_in_one_place_needs_no_place(owner: User) -> None:
    disk: Disk = create_disk(host=create_host(), owner=owner)
    spec = {"tuning": [{"name": "scheduler", "value": "none", "identity": disk.identity}]}
    told = {"tuning": {"applied": [{"name": "scheduler", "value": "none"}]}}
    case = create_run(owner=owner, target=disk).cases.get()
    attempt = create_attempt(case, spec=spec, exit=told)
    (setting,) = settings_of(attempt).applied
    assert (setting.scopes, setting.read.during) == ((), "none")


def test_a_runs_table_has_wholes_only(attempt: Attempt, case: Case, viewer_client: Client) -> None:
    html = viewer_client.get(f"/runs/{case.run_id}/").content.decode()
    assert "32,768 IOPS" in html
    assert "8,192 IOPS" not in html


def test_the_api_tells_parts_from_wholes(attempt: Attempt, api: Api, viewer: User) -> None:
    rows = api(viewer).get("/api/v1/measurements/").json()["results"]
    assert [row["component"] for row in rows] == [""]
    assert rows[0]["target_name"].startswith("all three: ")
    rows = api(viewer).get("/api/v1/measurements/", {"components": "true"}).json()["results"]
    assert {row["component"] for row in rows} == {"", *LABELS}


def test_measurements_are_found_by_any_host(attempt: Attempt, api: Api, viewer: User) -> None:
    for host in attempt.case.host_ids:
        rows = api(viewer).get("/api/v1/measurements/", {"host": host}).json()["results"]
        assert len(rows) == 1
    rows = api(viewer).get("/api/v1/measurements/", {"target_name": "three"}).json()["results"]
    assert len(rows) == 1
