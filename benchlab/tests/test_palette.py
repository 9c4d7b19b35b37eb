"""The command palette offers what its user may open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.common.domain.navigation import ACTIONS, PAGES, NavEntry
from benchlab.tests.access import ADMIN, ENROL, OPERATE, READ
from benchlab.tests.access import PAGES as PAGE_RULES

RULES = {"": READ, "is_operator": OPERATE, "is_disk_owner": ENROL, "is_admin": ADMIN}
OWN_RULES = [entry for entry in (*PAGES, *ACTIONS) if entry.url_name in PAGE_RULES]


@pytest.mark.parametrize("entry", OWN_RULES, ids=lambda entry: entry.url_name)
def test_entry_requires_the_right_of_its_page(entry: NavEntry) -> None:
    assert PAGE_RULES[entry.url_name][0] == RULES[entry.right]


def test_entries_have_different_addresses() -> None:
    addresses = [reverse(entry.url_name) for entry in (*PAGES, *ACTIONS)]
    assert len(addresses) == len(set(addresses))


@pytest.mark.django_db
def test_viewer_sees_no_action_in_the_palette(viewer_client: Client) -> None:
    page = viewer_client.get("/").content.decode()
    offered = {entry.url_name for entry in ACTIONS if f'href="{reverse(entry.url_name)}"' in page}
    assert offered == set()
    assert 'id="palette-pages"' in page


@pytest.mark.django_db
def test_operator_sees_own_actions_in_the_palette(operator_client: Client) -> None:
    page = operator_client.get("/").content.decode()
    missing = {
        entry.url_name
        for entry in ACTIONS
        if entry.right == "is_operator" and f'href="{reverse(entry.url_name)}"' not in page
    }
    assert missing == set()
    assert f'href="{reverse("host_add")}"' not in page
