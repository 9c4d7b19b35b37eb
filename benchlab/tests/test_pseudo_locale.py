"""Every sentence on every page goes through gettext, with a filled database."""

from __future__ import annotations

from html import unescape

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.imports.models import Import, ImportFile
from apps.inventory.models import Host
from apps.remote.errors import host_error
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run
from apps.tools.messages import TranslatableMessage, as_message, message
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


def test_sentences_of_the_engine_are_translated_when_they_are_shown(
    world: World, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences stored in English when it happened: of a case, a run, an import and a host."""
    held = message("host %(name)s", name="node7")
    no_answer = message("no answer in %(seconds)d s", seconds=10)
    stored = {
        "doubt": message("the host's clock jumped by %(step)s s during the run", step="2.1"),
        "warning": message("%(host)s started %(after)s ms after the first host",
                            host="node7", after="61"),
        "blocker": message("waits for %(what)s, which run %(run)d holds", what=held, run=3),
        "refusal": message("fio ended with exit code %(code)d and no message.", code=1),
        "health": as_message(host_error("unreachable", "node7", no_answer).message),
        "broken": message("%(user)s may no longer import results.", user="node7"),
    }  # fmt: skip
    attempts = Attempt.objects.filter(case=world.case)
    attempts.update(valid=False, invalid_reason=stored["doubt"], warnings=[stored["warning"]])
    world.case.measurements.update(valid=False, invalid_reason=stored["doubt"])
    summaries_rebuild()
    Run.objects.filter(pk=world.run.pk).update(state="queued", reason=stored["blocker"])
    files = ImportFile.objects.filter(batch=world.imported, number=1)
    files.update(state="failed", parse_error=stored["refusal"], warnings=[stored["warning"]])
    Host.objects.filter(pk=world.host.pk).update(health="unreachable", health_text=stored["health"])
    Import.objects.filter(pk=world.imported.pk).update(reason=stored["broken"])
    data = known_words()
    assert not any(str(text) in data for text in stored.values())
    speak(monkeypatch)
    pages = {
        "case_detail": ("doubt", "warning"),
        "run_detail": ("blocker",),
        "import_detail": ("refusal", "broken"),
        "host_detail": ("health",),
    }
    for name, keys in pages.items():
        html = html_of(admin_client.get(address(name, world)))
        assert unsaid(html, data) == []
        for key in keys:
            assert marked(stored[key].message) % _in_marks(stored[key]) in unescape(html)


def _in_marks(text: TranslatableMessage) -> dict[str, object]:
    """The values of a sentence's parts, those that are sentences in marks themselves."""
    return {
        name: marked(value.message) % _in_marks(value)
        if isinstance(value, TranslatableMessage)
        else value
        for name, value in text.values.items()
    }


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
