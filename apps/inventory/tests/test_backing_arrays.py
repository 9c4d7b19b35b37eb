"""The array behind a disk: entered by a disk owner, by form and API, and used by plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.inventory.schemas.backing_arrays import BackingArray, Level
from apps.inventory.services import disk_backing_set
from apps.inventory.tests.factories import create_disk

ENTERED = {
    "level": "raid5", "disks": "12", "disk_model": "ST4000", "chunk_kib": "64",
    "cache_mib": "2048", "write_policy": "write_back", "battery": "yes",
}  # fmt: skip


@pytest.mark.parametrize(
    ("level", "disks", "data", "parity"),
    [("raid0", 12, 12, 0), ("raid1", 2, 1, 1), ("raid5", 12, 11, 1), ("raid6", 12, 10, 2),
     ("raid10", 12, 6, 6)],
)  # fmt: skip
def test_array_divides_disks_into_data_and_parity(
    level: Level, disks: int, data: int, parity: int
) -> None:
    array = BackingArray(level, disks, chunk_bytes=65536)
    assert (array.data_disks, array.parity_disks) == (data, parity)
    assert array.stripe_bytes == 65536 * data


def test_form_stores_array_and_page_shows_it(owner_client: Client, viewer_client: Client) -> None:
    disk = create_disk()
    address = reverse("disk_backing", args=[disk.pk])
    assert viewer_client.get(address).status_code == 403
    assert owner_client.post(address, ENTERED).status_code == 302
    disk.refresh_from_db()
    assert disk.backing == BackingArray(
        "raid5", 12, "ST4000", 64 * 1024, 2 * 1024**3, "write_back", True
    )
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert "RAID 5 of 12" in page
    assert "704 KiB" in page
    assert 'value="2048"' in owner_client.get(address).content.decode()
    assert owner_client.post(address, {"level": ""}).status_code == 302
    assert Disk.objects.get(pk=disk.pk).backing is None


@pytest.mark.parametrize(
    "sent",
    [{"level": "raid5", "disks": "2"}, {"level": "raid10", "disks": "5"}, {"level": "raid5"},
     {"level": "", "disks": "4"}, {"level": "raid50", "disks": "8"}],
)  # fmt: skip
def test_form_refuses_impossible_array(owner_client: Client, sent: dict[str, str]) -> None:
    disk = create_disk()
    assert owner_client.post(reverse("disk_backing", args=[disk.pk]), sent).status_code == 400
    assert Disk.objects.get(pk=disk.pk).backing is None


def test_service_refuses_operator_and_unknown_values(owner: User, operator: User) -> None:
    disk = create_disk()
    with pytest.raises(PermissionDenied):
        disk_backing_set(disk=disk, user=operator, values={"level": "raid0", "disks": 1})
    with pytest.raises(ServiceError):
        disk_backing_set(disk=disk, user=owner, values={"level": "raid0", "disks": 0})
    with pytest.raises(ServiceError):
        disk_backing_set(disk=disk, user=owner, values={"level": "raid0"})


def test_api_sets_and_removes_array(
    api: Callable[[User | None], APIClient], owner: User, viewer: User
) -> None:
    disk = create_disk()
    address, array = f"/api/v1/disks/{disk.pk}/backing/", {"level": "raid6", "disks": 8}
    assert api(viewer).post(address, array, format="json").status_code == 403
    answer = api(owner).post(address, array, format="json")
    assert answer.status_code == 200
    assert answer.json()["backing"]["disks"] == 8
    assert api(owner).post(address, {"level": "raid6"}, format="json").status_code == 400
    answer = api(owner).post(address, {"level": ""}, format="json")
    assert answer.json()["backing"] is None
