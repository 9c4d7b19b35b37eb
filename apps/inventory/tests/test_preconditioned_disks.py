"""A disk is known to be prepared until anything else was written to it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from apps.inventory.models import Disk, Host
from apps.inventory.schemas.preconditioning import PreconditioningOp, PreconditioningState
from apps.inventory.services import disk_content_seen, disk_written

pytestmark = pytest.mark.django_db
LEFT = {"version": 1, "size": 4096, "blocks": "0a1b2c3d", "written": True}
DISCARD, FILL = (
    PreconditioningOp("blkdiscard", "discard", "a"),
    PreconditioningOp("fio", "write", "b"),
)


def after(*acts: PreconditioningOp) -> PreconditioningState:
    return PreconditioningState(acts, datetime(2026, 11, 22, tzinfo=UTC), 7)


def write(
    disk: Disk, preconditioning: PreconditioningState | None = None, reported: object = LEFT
) -> PreconditioningState | None:
    behind = len(preconditioning.acts) - 1 if preconditioning else 0
    disk_written(
        host_id=disk.host_id,
        identity=disk.identity,
        reported=reported,
        preconditioning=preconditioning,
        behind=behind,
    )
    return Disk.objects.get(pk=disk.pk).preconditioning


@pytest.fixture
def disk() -> Disk:
    host = Host.objects.create(name="node1", address="10.0.0.1")
    return Disk.objects.create(
        host=host, identity="wwn:1", size=4096, enrolled_at=datetime.now(UTC)
    )


def test_operations_are_stored_in_order(disk: Disk) -> None:
    assert write(disk, after(DISCARD)) == after(DISCARD)
    assert write(disk, after(DISCARD, FILL)) == after(DISCARD, FILL)


def test_a_test_that_writes_takes_the_state_away(disk: Disk) -> None:
    write(disk, after(DISCARD))
    assert write(disk) is None
    assert write(disk, after(DISCARD, FILL)) is None, "the act before it is not the last write"


def test_what_did_not_say_what_it_left_is_not_known(disk: Disk) -> None:
    assert write(disk, after(DISCARD), reported=None) is None


def test_content_that_is_not_as_it_was_left_takes_it_away(disk: Disk) -> None:
    write(disk, after(DISCARD))
    row = Disk.objects.get(pk=disk.pk)
    disk_content_seen(
        disk=row, before=row.fingerprint, reported=LEFT, reasons=["Content: changed."]
    )
    assert Disk.objects.get(pk=disk.pk).preconditioning is None


def test_the_page_says_since_when(disk: Disk, viewer_client: Client) -> None:
    write(disk, after(DISCARD))
    html = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert re.search(r"blkdiscard discard; since <time [^>]*>2026-11-22 00:00:00 UTC</time>", html)


def test_only_the_same_acts_need_not_be_done_again() -> None:
    plan = (DISCARD, FILL, FILL)
    assert after(*plan).has(plan, 1)
    assert after(*plan).has(plan, 3)
    assert after(DISCARD, FILL).has(plan, 2)
    assert not after(DISCARD, FILL).has(plan, 3)
    assert not after(FILL).has(plan, 1)
    assert not after(*plan, FILL).has(plan, 1), "one fill more is another state"
