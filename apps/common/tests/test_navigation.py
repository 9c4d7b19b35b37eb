"""The frame of pages: each reader has their own name, menu, zone and token."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import translation

from apps.common.domain.navigation import MENU
from apps.common.domain.preferences import Preferences, preferred
from apps.common.templatetags.benchlab_nav import entry_of
from apps.common.tests.test_page_shell import page, shell_urls, user

__all__ = ["shell_urls"]  # a fixture of every test here


def named(name: str, **changes: object) -> SimpleNamespace:
    return user(get_username=lambda: name, **changes)


def test_each_person_has_their_own_menu() -> None:
    admin = page(user=named("ada", is_admin=True, get_role_display=lambda: "Admin"))
    viewer = page(user=named("vera", get_role_display=lambda: "Viewer"))
    nobody = page()
    assert ("ada" in admin, "vera" in admin, 'href="/users/"' in admin) == (True, False, True)
    assert ("ada" in viewer, "vera" in viewer, "/users/" in viewer) == (False, True, False)
    assert ("Admin" in admin, "Viewer" in viewer) == (True, True)
    assert not [word for word in ("ada", "vera", "/logout/", "/users/") if word in nobody]


def test_who_is_no_longer_an_admin_has_no_menu_of_admins() -> None:
    assert 'href="/users/"' in page(user=named("ada", is_admin=True))
    assert "/users/" not in page(user=named("ada"))


def test_each_page_has_its_own_token() -> None:
    pages = [page(user=user(), csrf_token=token) for token in ("token-a", "token-b")]
    assert 'name="csrfmiddlewaretoken" value="token-a"' in pages[0]
    assert "token-a" not in pages[1]
    assert pages[0].replace("token-a", "token-b") == pages[1]


def test_each_reader_has_the_foot_of_their_zone() -> None:
    usual = page(user=user())
    with preferred(Preferences(time_zone="Asia/Tokyo", density="dense")):
        other = page(user=user())
    again = page(user=user())
    assert ("Times are Asia/Tokyo" in other, 'data-density="dense"' in other) == (True, True)
    assert ("Times are UTC" in usual, usual) == (True, again)


def test_each_language_has_its_own_words() -> None:
    english = page(user=user())
    with translation.override("de"):
        assert '<html lang="de"' in page(user=user())
    assert page(user=user()) == english


def test_what_was_looked_for_stands_in_its_own_page_alone() -> None:
    assert 'value="&lt;b&gt;"' in page(user=user(), searched="<b>")
    assert 'value=""' in page(user=user())


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("/", "home"),
        ("/hosts/", "host_list"),
        ("/pools/3/", "host_list"),
        ("/groups/", "host_list"),
        ("/runs/7/", "run_list"),
        ("/approvals/policies/", "run_list"),
        ("/tokens/", ""),
        ("/runs", ""),
    ],
)
def test_the_entry_of_a_page(path: str, entry: str) -> None:
    assert entry_of(path) == entry


@pytest.mark.parametrize("name", [entry.url_name for entry in MENU])
def test_every_entry_of_the_menu_is_marked_on_its_own_page(name: str) -> None:
    address = reverse(name)
    html = page(address, user=user())
    assert html.count('aria-current="page"') == 1
    assert f'href="{address}" aria-current="page"' in html


def test_palette_of_viewer_lists_pages_without_actions() -> None:
    html = page(user=user())
    assert 'href="/queue/"' in html
    assert not [address for address in ("/plans/new/", "/hosts/add/") if address in html]


def test_palette_of_operator_lists_own_actions() -> None:
    html = page(user=user(is_operator=True))
    assert 'href="/plans/new/"' in html
    assert 'href="/hosts/add/"' not in html


def test_palette_of_nobody_is_not_rendered() -> None:
    assert "data-palette" not in page()
