"""Results of each member of a target by its key; other components have a text only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Disk, TargetGroup
from apps.results.models import Measurement, Series
from apps.results.selectors.members import named, own_results
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import (
    create_attempt,
    create_disk,
    create_host,
    create_run,
    target_of,
)
from apps.tools import parse_result

Api = Callable[[User | None], APIClient]


def test_labels_come_first_and_hosts_where_they_have_one_member() -> None:
    found = named([(1, "a vdb", "a"), (2, "a vdc", "a"), (3, "b vdb", "b")])
    assert found == {"a vdb": 1, "a vdc": 2, "b vdb": 3, "b": 3}


def test_a_text_that_names_two_names_none() -> None:
    assert named([(1, "x", "a"), (2, "x", "a")]) == {}
    # A disk that is called as another one's host.
    assert named([(1, "b", "a"), (2, "b vdb", "b")]) == {"b": 1, "b vdb": 2, "a": 1}


@pytest.fixture
def disks(owner: User) -> list[Disk]:
    """Two of node1 and one of node2."""
    hosts = [create_host(name=f"node{n}") for n in (1, 2)]
    return [
        create_disk(host=hosts[host], owner=owner, device_path=f"/dev/{node}")
        for host, node in ((0, "vdb"), (0, "vdc"), (1, "vdb"))
    ]


@pytest.fixture
def attempt(disks: list[Disk], owner: User) -> Attempt:
    """Of a group of all three disks."""
    group = TargetGroup.objects.create(owner=owner, name="all three")
    group.disks.set(disks)
    case = create_run(owner=owner, target=disks[0]).cases.get()
    Case.objects.filter(pk=case.pk).update(run_target=target_of(case.run, group))
    return create_attempt(Case.objects.get(pk=case.pk))


def components_store(attempt: Attempt, *components: str) -> None:
    rate = parse_result.Series("iops", (1.0, 2.0))
    found = tuple(
        parse_result.Measurement("read", 1.0, 2.0, component=component, series=(rate,))
        for component in components
    )
    results_store(
        attempt=attempt, parsed=parse_result.Parsed("fio", "json", "3.33", found), parser_version=1
    )


def of_members(attempt: Attempt) -> dict[str, str | None]:
    """The label of the member that each component is."""
    rows = Measurement.objects.filter(attempt=attempt).values_list("component", "member__label")
    assert set(rows) == set(
        attempt.series.filter(source="tool").values_list("component", "member__label")
    )
    return dict(rows)


def test_parts_name_their_members(attempt: Attempt) -> None:
    components_store(
        attempt, "", "node1", "node1 vdb", "node1 vdc", "node2", "node2 vdb", "stream 3"
    )
    assert of_members(attempt) == {
        "": None,
        "node1": None,
        "node1 vdb": "node1 vdb",
        "node1 vdc": "node1 vdc",
        "node2": "node2 vdb",
        "node2 vdb": "node2 vdb",
        "stream 3": None,
    }


def test_devices_name_the_disk_under_test(attempt: Attempt) -> None:
    for component, device in (("node1", "vdb"), ("node2", "vdz")):
        series = [parse_result.Series("utilisation", (1.0,))]
        series_store(
            attempt=attempt,
            source=Series.Source.DEVICE,
            subject=device,
            series=series,
            component=component,
        )
    rows = attempt.series.values_list("component", "subject", "member__label")
    assert set(rows) == {("node1", "vdb", "node1 vdb"), ("node2", "vdz", None)}


def test_what_an_import_calls_itself_is_no_member(attempt: Attempt, owner: User) -> None:
    attempt.case.run_target.members.update(kind="")
    components_store(attempt, "", "node1 vdb")
    assert of_members(attempt) == {"": None, "node1 vdb": None}


def test_a_disks_own_results(attempt: Attempt, disks: list[Disk], api: Api, owner: User) -> None:
    components_store(attempt, "", "node1 vdb", "node1 vdc", "node2 vdb")
    alone = create_attempt(create_run(owner=owner, target=disks[1]).cases.get())
    components_store(alone, "", "stream 1")
    for disk in disks:
        disk.refresh_from_db()
    found = [
        sorted(Measurement.objects.filter(own_results(disk)).values_list("attempt", "component"))
        for disk in disks
    ]
    assert found == [
        [(attempt.pk, "node1 vdb")],
        sorted([(attempt.pk, "node1 vdc"), (alone.pk, "")]),
        [(attempt.pk, "node2 vdb")],
    ]
    asked = {"of_disk": disks[1].pk}
    rows = api(owner).get("/api/v1/measurements/", asked).json()["results"]
    assert {row["component"] for row in rows} == {"", "node1 vdc"}
    members = {row["component"]: row["member"] for row in rows}
    assert members[""] is None
    assert members["node1 vdc"] == attempt.case.run_target.members.get(label="node1 vdc").pk


def test_a_disk_that_nothing_names_has_none(owner: User) -> None:
    unnamed = create_disk(host=create_host(), owner=owner)
    assert not Measurement.objects.filter(own_results(unnamed)).exists()


def test_a_list_reads_no_json_that_many_share(attempt: Attempt, api: Api, owner: User) -> None:
    """Of a thousand rows each would bring its run's plan and its tuning's settings again."""
    components_store(attempt, "")
    with CaptureQueriesContext(connection) as queries:
        assert len(api(owner).get("/api/v1/measurements/").json()["results"]) == 1
    asked = " ".join(query["sql"] for query in queries if "results_measurement" in query["sql"])
    assert "results_measurement" in asked
    for column in ('"runs_run"."spec"', '"runs_runtuning"."settings"', '"plans_workload"."params"'):
        assert column not in asked
