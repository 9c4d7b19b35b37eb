"""The frame of pages is kept by what it shows: nobody sees another's name, menu, zone or token."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from apps.common.preferences import Preferences, preferred
from apps.common.templatetags import benchlab_kept, benchlab_nav
from apps.common.templatetags.benchlab_nav import ENTRIES, current_entry
from apps.common.tests.test_page_shell import page, shell_urls, user

__all__ = ["shell_urls"]  # a fixture of every test here


def named(name: str, **changes: object) -> SimpleNamespace:
    return user(get_username=lambda: name, **changes)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were rendered to be kept, in turn."""
    names: list[str] = []

    def render(name: str, shown: dict[str, Any]) -> str:
        names.append(name)
        return render_to_string(name, shown)

    monkeypatch.setattr(benchlab_kept, "render_to_string", render)
    benchlab_kept._forget()
    return names


def test_the_same_reader_s_frame_is_rendered_once(rendered: list[str]) -> None:
    first, second = page("/hosts/7/", user=user()), page("/hosts/8/", user=user())
    assert first == second
    assert sorted(rendered) == sorted(set(rendered))
    assert "components/navbar.html" in rendered


def test_each_person_has_their_own_menu() -> None:
    for _again in range(2):
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
    assert str(benchlab_nav.TOKEN) not in pages[1]


def test_a_name_that_says_the_mark_of_the_token_gets_none() -> None:
    html = page(user=named("<!-- token -->"), csrf_token="token-a")
    assert html.count("token-a") == 1
    assert html.index("&lt;!-- token --&gt;") < html.index("token-a")


def test_each_reader_has_the_foot_of_their_zone() -> None:
    usual = page(user=user())
    with preferred(Preferences(zone="Asia/Tokyo", density="dense")):
        other = page(user=user())
    again = page(user=user())
    assert ("Times are Asia/Tokyo" in other, 'data-density="dense"' in other) == (True, True)
    assert ("Times are UTC" in usual, usual) == (True, again)


def test_each_language_has_its_own_words(rendered: list[str]) -> None:
    english = page(user=user())
    with translation.override("de"):
        assert '<html lang="de"' in page(user=user())
    assert page(user=user()) == english
    assert rendered.count("components/navbar.html") == rendered.count("components/footer.html") == 2


def test_what_was_looked_for_stands_in_its_own_page_alone(rendered: list[str]) -> None:
    assert 'value="&lt;b&gt;"' in page(user=user(), searched="<b>")
    assert 'value=""' in page(user=user())
    assert rendered.count("components/navbar.html") == 1


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("/", "home"),
        ("/hosts/", "host_list"),
        ("/pools/3/", "host_list"),
        ("/groups/", "host_list"),
        ("/runs/7/", "run_list"),
        ("/tokens/", ""),
        ("/runs", ""),
    ],
)
def test_the_entry_of_a_page(path: str, entry: str) -> None:
    assert current_entry(path) == entry


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_of_the_menu_is_marked_on_its_own_page(name: str) -> None:
    address = reverse(name)
    html = page(address, user=user())
    assert html.count('aria-current="page"') == 1
    assert f'href="{address}" aria-current="page"' in html
