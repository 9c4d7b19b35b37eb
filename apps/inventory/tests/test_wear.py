"""Wear of a disk on its page, and as it was at the end of a test on the case's page."""

from __future__ import annotations

from django.test import Client

from apps.accounts.models import User
from apps.inventory.domain.facts import stable_part
from apps.inventory.models import Host
from apps.inventory.presenters import smart_rows, wear_words
from apps.inventory.schemas.host_facts import Smart

WORN = {
    "passed": True, "used": 5, "by": "percentage_used", "spare": 100, "hours": 41951,
    "written": 335366573568000, "media_errors": 0, "degrees": 28,
}  # fmt: skip


def test_words() -> None:
    rows = dict(smart_rows(Smart(**WORN)))  # type: ignore[arg-type]  # values of a JSON document
    assert rows["Wear"] == "5 % used, 100 % spare (percentage_used)"
    assert (rows["Powered on"], rows["Temperature"]) == ("41951 h", "28 °C")
    assert rows["Media errors"] == 0
    assert smart_rows(Smart()) == []
    failing = wear_words(Smart(passed=False))
    assert failing == "the disk reports that it is failing"


def test_a_disks_page_shows_its_wear(owner: User, viewer_client: Client) -> None:
    disk = Host.objects.create(name="h", kind=Host.Kind.LOCAL).disks.create(
        identity="wwn:a", device_path="/dev/sda", size=2**40
    )
    disk.facts = {**disk.facts, "smart": WORN}
    disk.save()
    text = viewer_client.get(f"/disks/{disk.pk}/").content.decode()
    assert "5 % used, 100 % spare (percentage_used)" in text


def test_wear_makes_no_new_facts_of_a_host() -> None:
    facts = {"disks": [{"identity": "wwn:a", "smart": WORN}]}
    older = {"disks": [{"identity": "wwn:a", "smart": WORN | {"used": 4}}]}
    assert stable_part(facts) == stable_part(older)
