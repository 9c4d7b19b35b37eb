"""The shell of every page: navigation, user menu, messages, and the error pages without a user."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from pytest_django.fixtures import Settings


@pytest.fixture(autouse=True)
def shell_urls(settings: Settings) -> None:
    settings.ROOT_URLCONF = "apps.common.tests.urls_shell"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def user(**changes: object) -> SimpleNamespace:
    facts: dict[str, object] = {
        "is_authenticated": True,
        "is_admin": False,
        "get_username": lambda: "<wen>",
        "get_role_display": lambda: "Operator",
    }
    return SimpleNamespace(**{**facts, **changes})


def page(path: str = "/", **values: object) -> str:
    request: HttpRequest = RequestFactory().get(path)
    context = {"request": request, "csrf_token": "token", **values}
    return render_to_string("base.html", context)


def test_the_navigation_marks_where_the_page_is() -> None:
    html = page("/hosts/7/", user=user())
    assert html.count('aria-current="page"') == 1
    assert 'href="/hosts/" aria-current="page"' in html


def test_home_is_marked_on_the_home_page_only() -> None:
    assert 'href="/" aria-current="page"' in page("/", user=user())
    assert 'href="/" aria-current="page"' not in page("/runs/", user=user())


def test_the_user_menu_has_role_tokens_and_a_posted_logout() -> None:
    html = page(user=user())
    assert "&lt;wen&gt;" in html
    assert "Operator" in html
    assert 'href="/tokens/"' in html
    assert 'method="post" action="/logout/"' in html


def test_only_admins_see_the_administration() -> None:
    assert "/users/" not in page(user=user())
    assert 'href="/users/"' in page(user=user(is_admin=True))


def test_without_a_user_there_is_no_menu() -> None:
    html = page()
    assert "/hosts/" not in html
    assert "Log out" not in html


def test_messages_are_alerts() -> None:
    class Message(SimpleNamespace):
        def __str__(self) -> str:
            return "Nothing <b>was</b> written."

    html = page(messages=[Message(level_tag="error")])
    assert "alert-danger" in html
    assert "Nothing &lt;b&gt;was&lt;/b&gt; written." in html


def test_a_page_says_its_language_zone_and_the_way_to_the_content() -> None:
    html = page()
    assert '<html lang="en"' in html
    assert "Times are UTC" in html
    assert 'class="skip-link" href="#content"' in html
    assert "&quot;allowEval&quot;" in html or '"allowEval": false' in html


@pytest.mark.parametrize("code", ["400", "403", "403_csrf", "404", "500"])
def test_error_pages_need_no_context(code: str) -> None:
    html = render_to_string(f"errors/{code}.html")
    assert code[:3] in html
    assert html.count("<h1") == 1
    assert 'href="/"' in html
