"""Disks that a host no longer has: what nobody used is not offered and is deleted after a week."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import Disk, Host
from apps.inventory.services.disks import UNUSED, disks_sync
from apps.inventory.tests.factories import small_disk, small_facts
from apps.plans.selectors.targets_offered import disks_offered
from apps.runs.tests.factories import create_host, create_run

pytestmark = pytest.mark.django_db


def _gone(host: Host, **fields: object) -> Disk:
    long_ago = timezone.now() - UNUSED - timedelta(hours=1)
    values = {"identity": "wwn:gone", "device_path": "", "last_seen_at": long_ago} | fields
    return Disk.objects.create(host=host, **values)


def _check(host: Host) -> None:
    disks_sync(host=host, facts=small_facts(disks=[small_disk()]))


def test_unused_disk_is_not_offered_and_deleted() -> None:
    host = create_host()
    disk = _gone(host)
    assert disk not in disks_offered()
    _check(host)
    assert not Disk.objects.filter(pk=disk.pk).exists()
    assert disks_offered().filter(host=host).count() == 1


def test_recently_seen_disk_is_not_deleted() -> None:
    host = create_host()
    disk = _gone(host, last_seen_at=timezone.now())
    _check(host)
    assert Disk.objects.filter(pk=disk.pk).exists()


def test_enrolled_tagged_or_measured_disk_is_not_deleted(owner: User) -> None:
    host = create_host()
    enrolled = _gone(host, identity="wwn:1", enrolled_by=owner, enrolled_at=timezone.now())
    tagged = _gone(host, identity="wwn:2", tags=["spare"])
    measured = _gone(host, identity="wwn:3", enrolled_by=owner, enrolled_at=timezone.now())
    create_run(owner=owner, target=measured)
    Disk.objects.filter(pk=measured.pk).update(enrolled_by=None, enrolled_at=None)
    _check(host)
    assert set(host.disks.exclude(identity=small_disk()["identity"])) == {
        enrolled,
        tagged,
        measured,
    }
    assert measured in disks_offered()
