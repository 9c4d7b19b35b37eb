"""Each list is sorted by each of its columns."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.acceptance.filters import ACCEPTANCE_COLUMNS
from apps.accounts.filters import AUDIT_COLUMNS, TEAM_COLUMNS, USER_COLUMNS
from apps.accounts.models import Team, User
from apps.alerts.filters import ALERT_COLUMNS
from apps.bookings.filters import BOOKING_COLUMNS
from apps.common.web.lists import ListColumn
from apps.imports.filters import IMPORT_COLUMNS
from apps.inventory.filters import (
    DISK_COLUMNS,
    GROUP_COLUMNS,
    HOST_COLUMNS,
    KEY_COLUMNS,
    POOL_COLUMNS,
)
from apps.inventory.tests.factories import create_disk, create_host
from apps.plans.filters import PLAN_COLUMNS
from apps.reports.filters import REPORT_COLUMNS
from apps.results.filters.baselines import BASELINE_COLUMNS
from apps.runs.filters import APPROVAL_COLUMNS, POLICY_COLUMNS, RUN_COLUMNS
from apps.tuning.filters import TUNING_COLUMNS

pytestmark = pytest.mark.django_db

LISTS = {
    "/hosts/": HOST_COLUMNS,
    "/disks/": DISK_COLUMNS,
    "/runs/": RUN_COLUMNS,
    "/plans/": PLAN_COLUMNS,
    "/tunings/": TUNING_COLUMNS,
    "/imports/": IMPORT_COLUMNS,
    "/reports/": REPORT_COLUMNS,
    "/pools/": POOL_COLUMNS,
    "/acceptances/": ACCEPTANCE_COLUMNS,
    "/bookings/": BOOKING_COLUMNS,
    "/groups/": GROUP_COLUMNS,
    "/alerts/": ALERT_COLUMNS,
    "/approvals/": APPROVAL_COLUMNS,
    "/approvals/policies/": POLICY_COLUMNS,
    "/baselines/": BASELINE_COLUMNS,
    "/ssh-keys/": KEY_COLUMNS,
    "/users/": USER_COLUMNS,
    "/teams/": TEAM_COLUMNS,
    "/audit/": AUDIT_COLUMNS,
}
CASES = [
    (address, column)
    for address, columns in LISTS.items()
    for column in columns
    if column.sort is not None
]


@pytest.mark.parametrize(
    ("address", "column"), CASES, ids=[f"{address}{column.key}" for address, column in CASES]
)
def test_list_is_sorted_by_column(admin_client: Client, address: str, column: ListColumn) -> None:
    for sort in (column.key, f"-{column.key}"):
        response = admin_client.get(address, {"sort": sort, "after": "1"})
        assert response.status_code == 200


@pytest.mark.parametrize("address", LISTS)
def test_list_refuses_an_unknown_column(admin_client: Client, address: str) -> None:
    response = admin_client.get(address, {"sort": "colour"})

    assert response.status_code == 400
    assert "colour" in response.content.decode()


def test_disks_are_sorted_by_host_and_node(viewer_client: Client) -> None:
    for name in ("node10", "node2"):
        host = create_host(name=name)
        for path in ("/dev/loop10", "/dev/loop2"):
            create_disk(host=host, identity=f"{name}{path}", device_path=path)

    page = viewer_client.get("/disks/").context["page"]

    assert [(disk.host.name, disk.device_path) for disk in page.rows] == [
        ("node2", "/dev/loop2"),
        ("node2", "/dev/loop10"),
        ("node10", "/dev/loop2"),
        ("node10", "/dev/loop10"),
    ]


def test_teams_are_sorted_by_the_number_of_members(admin_client: Client, viewer: User) -> None:
    for name in ("team10", "team2"):
        Team.objects.create(name=name)
    Team.objects.get(name="team10").members.add(viewer)

    by_name = admin_client.get("/teams/").context["page"]
    by_members = admin_client.get("/teams/?sort=-members").context["page"]

    assert [team.name for team in by_name.rows] == ["team2", "team10"]
    assert [team.name for team in by_members.rows] == ["team10", "team2"]


def test_list_has_a_box_for_all_rows_and_a_head_for_each_column(viewer_client: Client) -> None:
    create_disk()

    html = viewer_client.get("/disks/?sort=-size&columns=disk,size").content.decode()

    assert html.count("data-select-all") == 1
    assert html.count("data-column=") == len(DISK_COLUMNS)
    assert html.count('aria-sort="descending"') == 1
    assert 'name="sort" value="-size"' in html
    assert 'name="columns" value="disk,size"' in html
