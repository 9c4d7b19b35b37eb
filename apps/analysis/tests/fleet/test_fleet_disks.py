"""The page of all disks at the standard tests."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.fleet.overview import fleet_overview, standard_tests
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.plans.models import Workload

FOUND = "Host defaults"


def measure_fleet(owner: User, *, slow: int = 8) -> None:
    """Measure eight disks of one model at random reads; one of them is a quarter slower."""
    for number in range(1, 9):
        gains = {FOUND: 0.75} if number == slow else {}
        create_measured_run(
            Setup(
                owner=owner, disk=create_target(owner, f"node{number}"), tunings=(FOUND,),
                repeats=3, seed=number, gains=gains,
            )
        )  # fmt: skip


def test_standard_tests_are_those_of_the_plan_by_access_and_block_size() -> None:
    patterns = [(pattern, metrics) for _name, pattern, metrics in standard_tests()]

    assert patterns == [
        ({"rw": "randwrite", "bs": 4096}, ("iops", "latency_p99")),
        ({"rw": "randread", "bs": 4096}, ("iops", "latency_p99")),
        ({"rw": "write", "bs": 4 * 1024**2}, ("bandwidth",)),
        ({"rw": "read", "bs": 4 * 1024**2}, ("bandwidth",)),
    ]


@pytest.mark.django_db
def test_slow_disk_comes_first_and_is_marked(owner: User) -> None:
    measure_fleet(owner)

    fleet = fleet_overview()

    assert [column.metric for column in fleet.columns] == ["iops", "latency_p99"]
    assert len(fleet.rows) == 8
    assert "node8" in fleet.rows[0].name
    assert fleet.rows[0].cells[fleet.columns[0].key].kind == "worse"
    assert not any(cell.kind == "worse" for row in fleet.rows[1:] for cell in row.cells.values())


@pytest.mark.django_db
def test_several_workloads_show_that_of_the_majority(owner: User) -> None:
    measure_fleet(owner)
    other = PARAMS | {"iodepth": 1}
    create_measured_run(
        Setup(owner=owner, disk=create_target(owner, "node9"), tunings=(FOUND,), points=(other,))
    )

    fleet = fleet_overview()

    keys = {column.workload for column in fleet.columns}
    assert [row.params["iodepth"] for row in Workload.objects.filter(key__in=keys)] == [32]
    assert len(fleet.rows) == 8


@pytest.mark.django_db
def test_page_links_each_disk_and_ranking(owner: User, viewer_client: Client) -> None:
    measure_fleet(owner)

    html = viewer_client.get("/fleet/").content.decode()

    assert html.count("/disks/") >= 8
    assert "/analysis/fleet/?workload=" in html
    assert 'data-state="worse"' in html


@pytest.mark.django_db
def test_page_without_results_names_the_way_to_some(viewer_client: Client) -> None:
    response = viewer_client.get("/fleet/")

    assert response.status_code == 200
    assert response.context["fleet"].rows == []
