"""The array that a host reports: shown as read, and second to what a user entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Disk
from apps.inventory.schemas.backing_arrays import BackingArray
from apps.inventory.services import disk_backing_set
from apps.inventory.services.disks import disks_sync
from apps.inventory.tests.factories import create_host, small_disk

pytestmark = pytest.mark.django_db

Api = Callable[[User | None], APIClient]

REPORTED = {
    "level": "raid5", "disks": 5, "disk_model": "ST4000NM0025", "chunk_bytes": 65536,
    "cache_bytes": 2 * 1024**3, "write_policy": "write_back", "battery": True, "degraded": True,
}  # fmt: skip


def create_reported(**changes: Any) -> Disk:
    """Return a disk of a host that reports an array."""
    host = create_host()
    disks_sync(host=host, facts={"disks": [small_disk(**changes)]})
    return host.disks.get()


def test_array_of_host_is_shown_as_read(
    viewer_client: Client,
    owner_client: Client,
    api: Callable[[User | None], APIClient],
    owner: User,
) -> None:
    paths = [{"name": "sdb", "state": "running"}, {"name": "sdc", "state": "offline"}]
    disk = create_reported(array=REPORTED, paths=paths)
    assert disk.array == BackingArray(
        "raid5", 5, "ST4000NM0025", 65536, 2 * 1024**3, "write_back", True, True, "host"
    )
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    for text in ("RAID 5 of 5", "256 KiB", "degraded", "read from the host", "sdc offline"):
        assert text in page
    row = api(owner).get(f"/api/v1/disks/{disk.pk}/").json()
    assert (row["backing"], row["array"]["source"], row["array"]["disks"]) == (None, "host", 5)
    form = owner_client.get(reverse("disk_backing", args=[disk.pk])).content.decode()
    assert 'value="ST4000NM0025"' in form


def test_entered_array_goes_before_the_one_read(owner: User, viewer_client: Client) -> None:
    disk = create_reported(array=REPORTED)
    disk_backing_set(disk=disk, user=owner, values={"level": "raid0", "disks": 1})
    disk = Disk.objects.get(pk=disk.pk)
    assert disk.array == BackingArray("raid0", 1)
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert "read from the host" not in page
    assert "entered" in page
    disk_backing_set(disk=disk, user=owner, values=None)
    array = Disk.objects.get(pk=disk.pk).array
    assert array is not None
    assert array.source == "host"


@pytest.mark.parametrize(
    "reported",
    [None, [], "raid5", {}, {"level": "raid50", "disks": 8}, {"level": "raid5", "disks": 2},
     {"level": "raid10", "disks": 5}, {"level": "raid0", "disks": 0},
     {"level": "raid0", "disks": 1, "chunk_bytes": -4}],
)  # fmt: skip
def test_impossible_reported_array_is_ignored(reported: Any) -> None:
    assert create_reported(array=reported).array is None
