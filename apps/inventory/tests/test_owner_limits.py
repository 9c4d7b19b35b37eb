"""The limits of a host's owner on the host's page, whatever the host reports."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.inventory.models import Host
from apps.inventory.presenters import owner_limit_rows
from apps.inventory.tests.factories import create_facts, create_host

pytestmark = pytest.mark.django_db


def reporting(limits: Any, **more: Any) -> Host:
    host = create_host()
    create_facts(host, owner_limits={"limits": limits, "error": "", "is_stopped": False} | more)
    return Host.objects.select_related("facts").get()


def test_the_page_shows_the_limits(viewer_client: Client) -> None:
    hours = {"from": "22:00", "to": "06:00", "zone": "Asia/Shanghai"}
    document = {"tools": ["fio"], "settings": [], "hours": hours, "seconds": 60, "note": "<b>Li"}
    host = reporting(document, is_stopped=True)
    page = viewer_client.get(f"/hosts/{host.pk}/").content.decode()
    for text in (
        "Limits of the host&#x27;s owner",
        "22:00 to 06:00 (Asia/Shanghai)",
        "&lt;b&gt;Li",
    ):
        assert text in page or text.replace("&#x27;", "'") in page
    assert "stop file exists" in page
    assert [label for label, _value in owner_limit_rows(host)][1:] == [
        *("Tools", "Settings", "Hours", "Longest test", "Note", "Meaning"),
    ]


def test_without_limits_there_is_no_card(viewer_client: Client) -> None:
    host = reporting(None)
    assert owner_limit_rows(host) == []
    assert "owner" not in viewer_client.get(f"/hosts/{host.pk}/body/").content.decode().lower()


@pytest.mark.parametrize(
    "limits",
    [
        [],
        "x",
        {"tools": "fio", "hours": [], "seconds": "x", "bytes_a_day": {}, "note": 7},
        {"a": 1},
    ],
)
def test_a_host_that_lies_breaks_no_page(viewer_client: Client, limits: Any) -> None:
    host = reporting(limits)
    assert viewer_client.get(f"/hosts/{host.pk}/").status_code == 200
