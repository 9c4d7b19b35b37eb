"""A part of a page is kept by what it shows, and by what its reader's language and units are."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.template import Context, Template
from django.utils import translation

from apps.common.preferences import Preferences, Units, preferred
from apps.common.templatetags import benchlab_kept

TAG = '{% load benchlab_kept %}{% kept_part "part.html" one=one %}'


@dataclass(frozen=True)
class One:
    name: str


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what was rendered, in turn."""
    names: list[str] = []

    def render(_template: str, shown: dict[str, One]) -> str:
        names.append(shown["one"].name)
        return f"<b>{shown['one'].name}</b>"

    monkeypatch.setattr(benchlab_kept, "render_to_string", render)
    benchlab_kept._forget()
    return names


def page(name: str) -> str:
    return Template(TAG).render(Context({"one": One(name)}))


def test_what_shows_the_same_is_rendered_once(rendered: list[str]) -> None:
    assert [page("a"), page("a"), page("b")] == ["<b>a</b>", "<b>a</b>", "<b>b</b>"]
    assert rendered == ["a", "b"]


def test_readers_who_would_see_something_else_have_their_own(rendered: list[str]) -> None:
    page("a")
    with translation.override("de"):
        page("a")
    with preferred(Preferences(units=Units.DECIMAL.value)):
        page("a")
    with preferred(Preferences(zone="Europe/Berlin")):
        page("a")
    assert rendered == ["a"] * 4
