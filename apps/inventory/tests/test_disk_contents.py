"""The content an enrolled disk must have: kept, followed, shown, and confirmed anew by a disk
owner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.inventory.domain.fingerprints import (
    content_sentence,
    content_status,
    fingerprint_of,
    unknown_content,
)
from apps.inventory.models import Disk, Host
from apps.inventory.services import (
    disk_content_refused,
    disk_content_seen,
    disk_withdraw,
    disk_written,
)
from apps.inventory.tests.factories import create_disk, create_host

Api = Callable[[User | None], APIClient]
BACKING = {"inode": 12, "birth": "1.000000002", "generation": 7}
TOLD = {
    "version": 1,
    "size": 10**12,
    "blocks": "0123abcd" * 3,
    "backing": BACKING,
    "written": False,
    "discarded": False,
}
WHY = "Content: /dev/x is not as it was when enrolled; look whose it is."


def seen(disk: Disk, told: Any = TOLD, *reasons: str, before: Any = None) -> Disk:
    """The disk after a check looked at it."""
    disk_content_seen(disk=disk, before=before, reported=told, reasons=reasons)
    return Disk.objects.get(pk=disk.pk)


@pytest.mark.parametrize(
    "told",
    [
        None,
        "x",
        {},
        TOLD | {"blocks": None},
        TOLD | {"blocks": "g" * 8},
        TOLD | {"blocks": "0" * 8 * 500},
        TOLD | {"size": "1"},
        TOLD | {"size": True},
    ],
)
def test_what_is_no_fingerprint_is_none(told: Any) -> None:
    assert fingerprint_of(told) is None


def test_a_fingerprint_keeps_what_is_known_and_nothing_else() -> None:
    strange: dict[str, object] = {**TOLD, "backing": {"inode": "9" * 99}}
    without: dict[str, object] = {**TOLD, "backing": None}
    assert fingerprint_of(strange) == without
    assert fingerprint_of(TOLD | {"more": 1}) == TOLD


def test_the_first_look_is_what_was_enrolled(owner: User) -> None:
    disk = seen(create_disk(enrolled_by=owner))
    assert (disk.fingerprint, content_status(disk.fingerprint)) == (TOLD, "enrolment")


def test_a_look_that_a_test_overtook_says_nothing(owner: User) -> None:
    disk = create_disk(enrolled_by=owner)
    disk_written(host_id=disk.host_id, identity=disk.identity, reported=TOLD | {"written": True})
    disk = seen(disk, TOLD, WHY)
    assert (content_status(disk.fingerprint), disk.content_changed) == ("test", "")


def test_content_of_unenrolled_disk_is_not_stored(db: None) -> None:
    assert seen(create_disk(), TOLD).fingerprint is None


def test_a_test_that_did_not_end_leaves_anything_on_the_same_file(owner: User) -> None:
    disk = seen(create_disk(enrolled_by=owner))
    disk_written(host_id=disk.host_id, identity=disk.identity, reported=None)
    disk.refresh_from_db()
    assert content_status(disk.fingerprint) == "unfinished"
    assert disk.fingerprint == TOLD | {"blocks": None, "written": True}
    assert content_status(unknown_content(None, 5)) == "unfinished"


def test_other_hosts_entries_of_the_same_device_follow(owner: User) -> None:
    name = "wwn:naa.600"
    one, two = (create_disk(enrolled_by=owner, identity=name) for _number in range(2))
    other = create_disk(enrolled_by=owner, identity=name, is_distinct_device=True)
    disk_written(host_id=one.host_id, identity=name, reported=TOLD | {"written": True})
    for disk in (one, two, other):
        disk.refresh_from_db()
    assert [content_status(d.fingerprint) for d in (one, two, other)] == ["test", "test", ""]


def test_a_refusal_names_the_disk_it_is_about(owner: User) -> None:
    host = create_host()
    one, two = (create_disk(host=host, enrolled_by=owner) for _number in range(2))
    reason = f"Open: x. Content: {one.device_path} is not as it was when enrolled."
    for disk in (one, two):
        disk_content_refused(host_id=host.pk, identity=disk.identity, reason=reason, alone=False)
    one.refresh_from_db()
    two.refresh_from_db()
    assert one.content_changed == f"Content: {one.device_path} is not as it was when enrolled."
    assert two.content_changed == ""
    assert content_sentence("Signatures: ext4.") == ""


def test_the_page_asks_a_disk_owner_to_confirm(
    owner: User, owner_client: Client, viewer_client: Client, operator_client: Client
) -> None:
    disk = seen(create_disk(enrolled_by=owner), TOLD)
    page = f"/disks/{disk.pk}/"
    assert "Confirm again" not in owner_client.get(page).content.decode()
    disk = seen(disk, TOLD, WHY, before=TOLD)
    told = owner_client.get(page).content.decode()
    assert WHY in told
    assert "Confirm again" in told
    assert "Confirm again" not in viewer_client.get(page).content.decode()
    assert operator_client.post(f"{page}enrol/", {"confirm": disk.identity}).status_code == 403
    owner_client.post(f"{page}enrol/", {"confirm": "no"})
    assert Disk.objects.get(pk=disk.pk).content_changed == WHY
    owner_client.post(f"{page}enrol/", {"confirm": disk.identity})
    disk.refresh_from_db()
    assert (disk.content_changed, disk.fingerprint) == ("", None)
    assert Host.objects.get(pk=disk.host_id).is_being_checked
    assert AuditEntry.objects.filter(action="enrol").count() == 1


def test_the_api_says_it_and_takes_the_confirmation(api: Api, owner: User, viewer: User) -> None:
    disk = seen(create_disk(enrolled_by=owner), TOLD)
    disk = seen(disk, TOLD, WHY, before=TOLD)
    told = api(viewer).get(f"/api/v1/disks/{disk.pk}/").json()
    assert (told["content"], told["content_changed"]) == ("enrolment", WHY)
    done = api(owner).post(f"/api/v1/disks/{disk.pk}/enrol/", {"confirm": disk.identity}).json()
    assert (done["content"], done["content_changed"]) == ("", "")


def test_withdrawing_forgets_it(owner: User) -> None:
    disk = seen(create_disk(enrolled_by=owner))
    assert disk_withdraw(disk=disk, user=owner).fingerprint is None
