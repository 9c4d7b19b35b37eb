"""Every sentence on every page goes through gettext, with a filled database."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from benchlab.tests.access import PAGES
from benchlab.tests.addresses import address
from benchlab.tests.api_world import World, create_world
from benchlab.tests.pseudo import CLOSE, OPEN, known_words, marked, outside, speak, unsaid


@pytest.fixture
def world(owner: User, settings: Settings) -> World:
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    return create_world(owner)


def html_of(answer: HttpResponseBase) -> str:
    """The page of an answer; "" for what is none."""
    kind = answer.headers.get("Content-Type", "")
    is_page = kind.startswith("text/html") and answer.status_code in (200, 400, 409)
    return "" if answer.streaming or not is_page else answer.content.decode()  # type: ignore[attr-defined]  # not streaming


def test_no_page_shows_a_sentence_that_could_not_be_translated(
    world: World, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = known_words()
    speak(monkeypatch)
    found: dict[str, list[str]] = {}
    read = 0
    for name in PAGES:
        html = html_of(admin_client.get(address(name, world)))
        read += OPEN in html
        if texts := unsaid(html, data):
            found[name] = texts
    assert found == {}
    assert read > 40


def test_no_form_answers_with_a_sentence_that_could_not_be_translated(
    world: World, admin: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every form, sent empty."""
    data = known_words()
    speak(monkeypatch)
    found: dict[str, list[str]] = {}
    read = 0
    for name, (_get, post) in PAGES.items():
        if post is None:
            continue
        client.force_login(admin)  # one of the forms logs out
        with transaction.atomic():
            html = html_of(client.post(address(name, world), {}))
            transaction.set_rollback(True)
        read += OPEN in html
        if texts := unsaid(html, data):
            found[name] = texts
    assert found == {}
    assert read > 10


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>Nobody translated this.</p>", ["Nobody translated this."]),
        (f"<p>{marked('Translated.')}</p>", []),
        (f"<p>{marked('Of two:')} <b>one was not</b></p>", [f"{marked('Of two:')} one was not"]),
        ('<button title="Not this"></button>', ["Not this"]),
        (f'<p data-x="Not shown">{marked("A " + marked("part") + " inside")}</p>', []),
        ("<p>node7</p><script>not a text</script><code>ls -l /some/path</code>", []),
        (f"<td>8 KiB</td><td>node7 {marked('is away')}</td>", []),
    ],
)
def test_what_no_translator_sees_is_found(html: str, found: list[str]) -> None:
    assert unsaid(html, ["node7", "KiB"]) == found


def test_marks_end_where_they_begin() -> None:
    assert outside(f"a {OPEN}b {OPEN}c{CLOSE} d{CLOSE} e").split() == ["a", "e"]
