"""Expectations of a disk: said by a disk owner, shown to everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import DiskSpecification
from apps.inventory.services import disk_specification_set
from apps.inventory.tests.factories import create_disk

Api = Callable[[User | None], APIClient]


def test_the_form_takes_mib_and_the_page_shows_it(
    owner_client: Client, viewer_client: Client
) -> None:
    disk = create_disk()
    address = reverse("disk_specification", args=[disk.pk])
    assert viewer_client.get(address).status_code == 403
    assert owner_client.post(address, {"sla_iops": "6000", "sla_mib": "170"}).status_code == 302
    row = DiskSpecification.objects.get(disk=disk)
    assert (row.sla_iops, row.sla_bandwidth, row.seek_ms) == (6000, 170 * 1024**2, None)
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert "170.0 MiB/s" in page
    assert 'value="170.0"' in owner_client.get(address).content.decode()


def test_what_cannot_be_is_refused(owner: User, owner_client: Client, operator: User) -> None:
    disk = create_disk()
    address = reverse("disk_specification", args=[disk.pk])
    assert owner_client.post(address, {"sla_iops": "-1"}).status_code == 400
    with pytest.raises(ServiceError):
        disk_specification_set(disk=disk, user=owner, values={"seek_ms": 0.0})
    with pytest.raises(PermissionDenied):
        disk_specification_set(disk=disk, user=operator, values={})


def test_a_script_says_and_reads_it(api: Api, owner: User, viewer: User) -> None:
    disk = create_disk()
    address = f"/api/v1/disks/{disk.pk}/specification/"
    assert api(viewer).post(address, {"sla_iops": 1}, format="json").status_code == 403
    answer = api(owner).post(address, {"sla_iops": 6000, "seek_ms": 7}, format="json")
    assert answer.status_code == 200
    assert answer.json()["specification"]["seek_ms"] == 7
    assert api(viewer).get(f"/api/v1/disks/{disk.pk}/").json()["specification"]["sla_iops"] == 6000
