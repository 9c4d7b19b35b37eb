"""Disks of all hosts in one list, where chosen ones are tagged together."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.inventory.models import Disk
from apps.inventory.tests.factories import create_disk, create_disk_model

pytestmark = pytest.mark.django_db
LIST, PAGE = "/disks/", "/disks/bulk-edit/"


@pytest.fixture
def disks() -> list[Disk]:
    return [
        create_disk(serial=f"SN-{n}", model=create_disk_model("S4510"), tags=["old"])
        for n in range(2)
    ]


def test_chosen_disks_are_tagged_and_found(stranger_client: Client, disks: list[Disk]) -> None:
    keys = [disk.pk for disk in disks]
    page = stranger_client.get(PAGE, {"target": keys}).content.decode()
    assert all(f'name="target" value="{key}"' in page for key in keys)
    form = {"target": keys, "add": "batch-7, warm", "remove": "old"}
    answer = stranger_client.post(PAGE, form, follow=True)
    assert "2 disks have their tags." in answer.content.decode()
    assert [disk.tags for disk in Disk.objects.all()] == [["batch-7", "warm"]] * 2
    listed = stranger_client.get(LIST, {"tag": "warm"}).content.decode()
    assert "SN-0" in listed
    assert 'href="?tag=warm"' in listed
    assert "SN-0" not in stranger_client.get(LIST, {"tag": "old"}).content.decode()
    found = stranger_client.get("/api/v1/search/", {"q": "batch-7"}).json()
    assert "disks" in str(found)


def test_viewers_see_and_change_nothing(viewer_client: Client, disks: list[Disk]) -> None:
    page = viewer_client.get(LIST).content.decode()
    assert "SN-1" in page
    assert PAGE not in page
    assert viewer_client.post(PAGE, {"target": disks[0].pk, "add": "mine"}).status_code == 403
    tags = {"tags": ["mine"]}
    address = f"/api/v1/disks/{disks[0].pk}/"
    assert viewer_client.patch(address, tags, content_type="application/json").status_code == 403
    assert Disk.objects.filter(tags=["old"]).count() == 2


@pytest.mark.parametrize("form", [{}, {"add": "a b!"}])
def test_missing_or_wrong_value_is_an_error(
    stranger_client: Client, disks: list[Disk], form: dict[str, str]
) -> None:
    assert stranger_client.post(PAGE, {"target": disks[0].pk, **form}).status_code == 400


def test_removed_disk_is_listed_with_the_filter(viewer_client: Client, disks: list[Disk]) -> None:
    Disk.objects.filter(pk=disks[0].pk).update(device_path="")
    pages = {
        shown: viewer_client.get(LIST, {"present": shown}).content.decode()
        for shown in ("", "all", "false")
    }
    assert {shown: ("SN-0" in page, "SN-1" in page) for shown, page in pages.items()} == {
        "": (False, True), "all": (True, True), "false": (True, False),
    }  # fmt: skip


def test_words_and_a_host_narrow_the_list(viewer_client: Client, disks: list[Disk]) -> None:
    for asked in ({"q": "sn-1"}, {"host": disks[1].host.name}):
        page = viewer_client.get(LIST, asked).content.decode()
        assert ("SN-0" in page, "SN-1" in page) == (False, True)


def test_the_api_sets_tags_and_nothing_else(owner_client: Client, disks: list[Disk]) -> None:
    address = f"/api/v1/disks/{disks[0].pk}/"
    answer = owner_client.patch(address, {"tags": ["b", "a"]}, content_type="application/json")
    assert (answer.status_code, answer.json()["tags"]) == (200, ["a", "b"])
    (row,) = owner_client.get("/api/v1/disks/", {"tag": "a"}).json()["results"]
    assert row["id"] == disks[0].pk
    for wrong in ({"tags": ["no!"]}, {"colour": "red"}):
        answer = owner_client.patch(address, wrong, content_type="application/json")
        assert answer.status_code == 400
