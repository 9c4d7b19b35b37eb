"""A disk becomes expendable only by the typed identity of a disk owner, and never while in use."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.inventory.services import disk_enrol, disk_withdraw
from apps.inventory.tests.factories import create_disk
from tests.harness.documents import Changes

Api = Callable[[User | None], APIClient]


def test_the_typed_identity_enrols(owner: User) -> None:
    disk = create_disk()
    disk = disk_enrol(disk=disk, user=owner, confirmation=disk.identity)
    assert (disk.enrolled_by, disk.enrolled_size) == (owner, disk.size)
    assert AuditEntry.objects.get(action="enrol").detail["identity"] == disk.identity
    assert not disk_withdraw(disk=disk, user=owner).is_enrolled


def test_the_end_of_the_identity_that_one_disk_has_enrols_it(
    owner_client: Client, viewer_client: Client, stranger_client: Client
) -> None:
    disk = create_disk(identity="wwn:0x5000c500a1b2c3d4")
    page, address = f"/disks/{disk.pk}/", f"/disks/{disk.pk}/enrol/"
    assert 'data-confirm-short="a1b2c3d4"' in owner_client.get(page).content.decode()
    assert "a1b2c3d4</code>" not in viewer_client.get(page).content.decode()
    assert viewer_client.post(address, {"confirm": "a1b2c3d4"}).status_code == 403
    assert stranger_client.post(address, {"confirm": "a1b2c3d4"}).status_code == 403
    assert not Disk.objects.get().is_enrolled
    owner_client.post(address, {"confirm": "a1b2c3d4"})
    assert Disk.objects.get().is_enrolled


def test_the_end_of_two_identities_of_a_host_enrols_neither(
    owner: User, owner_client: Client
) -> None:
    disk = create_disk(identity="wwn:0x5000c500a1b2c3d4")
    create_disk(host=disk.host, identity="wwn:0x5000c501a1b2c3d4", device_path="/dev/sdz")
    assert "data-confirm-short" not in owner_client.get(f"/disks/{disk.pk}/").content.decode()
    with pytest.raises(ServiceError) as refused:
        disk_enrol(disk=disk, user=owner, confirmation="a1b2c3d4")
    assert refused.value.status == 400


@pytest.mark.parametrize("typed", ["a1b2c3d", "1a1b2c3d4", "wwn:0x50"])
def test_another_part_of_the_identity_does_not_enrol(owner: User, typed: str) -> None:
    disk = create_disk(identity="wwn:0x5000c500a1b2c3d4")
    with pytest.raises(ServiceError):
        disk_enrol(disk=disk, user=owner, confirmation=typed)


@pytest.mark.parametrize("typed", ["", "yes", "/dev/nvme1n1", "WWN"])
def test_anything_else_does_not(owner: User, typed: str) -> None:
    disk = create_disk()
    with pytest.raises(ServiceError) as refused:
        disk_enrol(disk=disk, user=owner, confirmation=typed)
    assert refused.value.status == 400
    assert not Disk.objects.get().is_enrolled


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"identity": "none:abc:sda"}, "no identity"),
        ({"facts": {"system": True}}, "runs from it"),
        ({"facts": {"mounts": ["/home"]}}, "mounted"),
        ({"facts": {"holders": ["dm-0"]}}, "LVM"),
        ({"facts": {"swap": True}}, "swap"),
        ({"facts": {"read_only": True}}, "read-only"),
        ({"facts": {"ambiguous": True}}, "same identity"),
        ({"device_path": ""}, "not there"),
    ],
)
def test_a_disk_in_use_is_refused(owner: User, fields: Changes, why: str) -> None:
    disk = create_disk(**fields)
    with pytest.raises(ServiceError, match=why):
        disk_enrol(disk=disk, user=owner, confirmation=disk.identity)


def test_an_operator_may_not(operator: User, stranger_client: Client, api: Api) -> None:
    disk = create_disk()
    with pytest.raises(PermissionDenied, match="Disk owner"):
        disk_enrol(disk=disk, user=operator, confirmation=disk.identity)
    confirm = {"confirm": disk.identity}
    assert stranger_client.post(f"/disks/{disk.pk}/enrol/", confirm).status_code == 403
    assert api(operator).post(f"/api/v1/disks/{disk.pk}/enrol/", confirm).status_code == 403
    assert not Disk.objects.get().is_enrolled


def test_the_page_asks_for_the_identity(owner_client: Client, viewer_client: Client) -> None:
    disk = create_disk()
    page = owner_client.get(f"/disks/{disk.pk}/").content.decode()
    assert f'data-confirm-word="{disk.identity}"' in page
    assert "data-confirm-word" not in viewer_client.get(f"/disks/{disk.pk}/").content.decode()
    owner_client.post(f"/disks/{disk.pk}/enrol/", {"confirm": disk.identity})
    assert Disk.objects.get().is_enrolled
    owner_client.post(f"/disks/{disk.pk}/withdraw/")
    assert not Disk.objects.get().is_enrolled


def test_the_api_enrols_and_withdraws(api: Api, owner: User, viewer: User) -> None:
    disk = create_disk()
    address = f"/api/v1/disks/{disk.pk}/"
    answer = api(owner).post(f"{address}enrol/", {"confirm": disk.identity})
    assert answer.json()["enrolled_by"] == "owner"
    found = api(viewer).get("/api/v1/disks/", {"enrolled": "true"}).json()["results"]
    assert [row["id"] for row in found] == [disk.pk]
    assert api(viewer).get("/api/v1/disks/", {"enrolled": "false"}).json()["results"] == []
    assert api(owner).post(f"{address}withdraw/").json()["enrolled"] is False
