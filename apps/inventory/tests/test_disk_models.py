"""Figures of a disk model hold for its disks, unless a disk has its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Disk, DiskModel
from apps.inventory.selectors.specifications import specification_of, specifications_of
from apps.inventory.services import disk_model_update, disk_specification_set, disks_sync
from apps.inventory.tests.factories import create_disk, create_disk_model, create_host, small_disk

Api = Callable[[User | None], APIClient]
pytestmark = pytest.mark.django_db


def test_figures_of_the_model_hold_unless_the_disk_has_its_own(owner: User) -> None:
    disk, other = create_disk(), create_disk()
    assert disk.model is not None
    disk_model_update(model=disk.model, user=owner, values={"sla_iops": 6000, "seek_ms": 8})
    disk_specification_set(disk=disk, user=owner, values={"sla_iops": 5000})
    found = specifications_of([disk.pk, other.pk, create_disk(model=None).pk])
    assert (found[disk.pk].sla_iops, found[disk.pk].seek_ms) == (5000, 8)
    assert found[other.pk].sla_iops == 6000
    assert len(found) == 2


def test_disk_without_model_and_figures_has_no_specification() -> None:
    assert specification_of(create_disk(model=None)) is None


def test_disks_of_one_model_share_its_row() -> None:
    host = create_host()
    disks = [small_disk(identity=f"wwn:eui.{n}", model="S4510") for n in range(2)]
    disks_sync(host=host, facts={"disks": [*disks, small_disk(identity="wwn:eui.9", model=None)]})
    assert [row.name for row in DiskModel.objects.all()] == ["S4510"]
    assert Disk.objects.filter(model__name="S4510").count() == 2


def test_model_form_takes_mib_and_the_list_shows_them(
    owner_client: Client, stranger_client: Client, viewer_client: Client
) -> None:
    model = create_disk_model("S4510")
    address = reverse("disk_model_edit", args=[model.pk])
    for client in (viewer_client, stranger_client):
        assert client.post(address, {"sla_mib": "1"}).status_code == 403
    assert owner_client.post(address, {"sla_mib": "170", "vendor": "Intel"}).status_code == 302
    assert owner_client.post(address, {"sla_mib": "-1"}).status_code == 400
    page = viewer_client.get(reverse("disk_model_list")).content.decode()
    assert "Intel" in page
    assert "170.0 MiB/s" in page


def test_api_changes_figures_and_keeps_the_others(api: Api, owner: User, operator: User) -> None:
    model = create_disk_model("S4510", sla_iops=100)
    address = f"/api/v1/disk-models/{model.pk}/"
    assert api(operator).patch(address, {"seek_ms": 7}).status_code == 403
    changed = api(owner).patch(address, {"seek_ms": 7}).json()
    assert (changed["sla_iops"], changed["seek_ms"], changed["disk_count"]) == (100, 7, 0)
    assert api(owner).patch(address, {"seek_ms": 0}).status_code == 400
    with pytest.raises(PermissionDenied):
        disk_model_update(model=model, user=operator, values={})
