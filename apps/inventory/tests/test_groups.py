"""Groups of disks or directories: what can be used at once, and what stays together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import GroupMember, TargetGroup
from apps.inventory.selectors.inventory import member_value, members_named
from apps.inventory.services import GroupDraft, directory_delete, group_save
from apps.inventory.tests.factories import (
    create_directory,
    create_disk,
    create_facts,
    create_group,
    create_host,
)

GROUPS = "/api/v1/groups/"
Api = Callable[[User | None], APIClient]


def refusal_of(user: User, *members: GroupMember) -> str:
    with pytest.raises(ServiceError) as refused:
        group_save(user=user, draft=GroupDraft("all", members))
    assert (refused.value.status, list(refused.value.fields)) == (400, ["members"])
    assert not TargetGroup.objects.exists()
    return refused.value.message


def test_disks_of_several_hosts_are_a_group(operator: User) -> None:
    one, two = create_disk(host=create_host(name="a")), create_disk(host=create_host(name="b"))
    group = group_save(user=operator, draft=GroupDraft("all", [two, one]))
    assert (group.members, group.member_kind) == ([one, two], "disk")


def test_directories_are_a_group(operator: User) -> None:
    host = create_host()
    rows = [create_directory(owner=operator, host=host, path=f"/srv/{name}") for name in "ab"]
    group = group_save(user=operator, draft=GroupDraft("all", rows))
    assert (group.members, group.member_kind) == (rows, "directory")


def test_one_member_is_none(operator: User) -> None:
    assert "at least two" in refusal_of(operator, create_disk())


def test_disks_and_directories_do_not_mix(operator: User) -> None:
    disk = create_disk()
    same = create_directory(owner=operator, host=disk.host)
    assert "not both" in refusal_of(operator, disk, same)
    assert "not both" in refusal_of(operator, disk, create_directory(owner=operator))


def test_a_device_that_two_hosts_see_is_used_once(operator: User) -> None:
    lun = "wwn:naa.600a0b80"
    one, two = create_disk(identity=lun), create_disk(identity=lun)
    assert "one and the same" in refusal_of(operator, create_disk(), one, two)


def test_a_machine_that_is_entered_twice_is_one(operator: User) -> None:
    rows = [create_directory(owner=operator, host=create_host()) for _number in range(2)]
    for row in rows:
        create_facts(row.host, machine_id="f00d")
    named = members_named([member_value(row) for row in rows])
    assert "one and the same" in refusal_of(operator, *named)


def test_a_name_is_taken_once(operator: User) -> None:
    draft = GroupDraft("all", create_group(owner=operator, name="all").members)
    with pytest.raises(ServiceError) as refused:
        group_save(user=operator, draft=draft)
    assert list(refused.value.fields) == ["name"]


def test_only_operators_make_and_owners_change(viewer: User, owner: User, stranger: User) -> None:
    group = create_group(owner=owner)
    draft = GroupDraft("other", group.members)
    with pytest.raises(PermissionDenied):
        group_save(user=viewer, draft=draft)
    with pytest.raises(PermissionDenied):
        group_save(group=group, user=stranger, draft=draft)


def test_a_directory_of_a_group_stays(operator: User) -> None:
    host = create_host()
    rows = [create_directory(owner=operator, host=host, path=f"/srv/{name}") for name in "ab"]
    create_group(owner=operator, directories=rows, name="both")
    with pytest.raises(ServiceError, match="group both"):
        directory_delete(directory=rows[0], user=operator)


def test_scripts_make_read_change_and_delete(api: Api, operator: User, viewer: User) -> None:
    host = create_host()
    values = sorted(f"disk:{create_disk(host=host).pk}" for _number in range(3))
    client = api(operator)
    row = client.post(GROUPS, {"name": "all", "members": values[:2]}).json()
    assert (row["member_kind"], sorted(row["members"]), row["owner"]) == (
        "disk",
        values[:2],
        "operator",
    )
    address = f"{GROUPS}{row['id']}/"
    assert sorted(client.patch(address, {"members": values}).json()["members"]) == values
    assert client.patch(address, {"name": "three"}).json()["name"] == "three"
    found = api(viewer).get(GROUPS, {"host": host.pk}).json()["results"]
    assert [row["name"] for row in found] == ["three"]
    assert client.delete(address).status_code == 204


@pytest.mark.parametrize(
    "members",
    [
        *(["disk:999999", "disk:999998"], ["disk:x", "disk:"], ["pool:1", "group:1"], ["", " "]),
        *([], ["disk:99999999999999999999", "disk:1"], "disk:1", [1, 2], None, ["x" * 41]),
    ],
)
def test_api_returns_errors_by_field(api: Api, operator: User, members: Any) -> None:
    answer = api(operator).post(GROUPS, {"name": "all", "members": members})
    assert answer.status_code == 400
    assert any(name.startswith("members") for name in answer.json()["error"]["fields"])


def test_the_pages_add_change_and_delete(
    operator_client: Client, stranger_client: Client, viewer_client: Client, owner: User
) -> None:
    host = create_host()
    disks = [
        create_disk(host=host, enrolled_by=owner),
        create_disk(host=host, device_path="/dev/vdx"),
    ]
    values = [member_value(disk) for disk in disks]
    assert viewer_client.get("/groups/add/").status_code == 403
    page = operator_client.get("/groups/add/").content.decode()
    assert "/dev/vdx · Test disk · 931.3 GiB · not enrolled: read tests only" in page
    one = operator_client.post("/groups/add/", {"name": "all", "members": values[:1]})
    assert "at least two" in one.content.decode()
    both = {"name": "all", "members": values}
    assert operator_client.post("/groups/add/", both).status_code == 302
    group = TargetGroup.objects.get()
    assert "not enrolled" in viewer_client.get("/groups/").content.decode()
    assert stranger_client.get(f"/groups/{group.pk}/edit/").status_code == 403
    renamed = both | {"name": "two"}
    assert operator_client.post(f"/groups/{group.pk}/edit/", renamed).status_code == 302
    assert TargetGroup.objects.get().name == "two"
    assert operator_client.post(f"/groups/{group.pk}/delete/").status_code == 302
    assert not TargetGroup.objects.exists()


def test_a_member_that_is_gone_is_still_offered(operator_client: Client, operator: User) -> None:
    host = create_host()
    disks = [create_disk(host=host, device_path=""), create_disk(host=host)]
    group = create_group(owner=operator, disks=disks)
    page = operator_client.get(f"/groups/{group.pk}/edit/").content.decode()
    assert f'value="{member_value(disks[0])}" selected' in page
    assert member_value(disks[0]) not in operator_client.get("/groups/add/").content.decode()


def test_an_empty_list_says_what_to_do(operator_client: Client, viewer_client: Client) -> None:
    assert "/groups/add/" in operator_client.get("/groups/").content.decode()
    page = viewer_client.get("/groups/").content.decode()
    assert "No groups yet" in page
    assert "/groups/add/" not in page


def test_the_list_costs_the_same_for_many_groups(
    viewer_client: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(10):
        create_group(owner=owner)
    with django_assert_max_num_queries(9):
        viewer_client.get("/groups/")
