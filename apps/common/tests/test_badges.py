"""States and icons: never by colour alone, and every icon that is asked for exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from apps.common.templatetags.benchlab_badges import BADGES, get_badge, icon, status_badge

ROOT = Path(settings.BASE_DIR)
DRAWN = set(re.findall(r'<symbol id="(\w+)"', (ROOT / "static/img/icons.svg").read_text()))
ASKED = re.compile(r"""\{% icon (?:icon\|default:)?["'](\w+)["'] %\}""")


@pytest.mark.parametrize("state", BADGES)
def test_a_state_has_words_and_a_drawn_icon(state: str) -> None:
    html = status_badge(state)
    assert str(BADGES[state].label) in html
    assert f"#{BADGES[state].icon}" in html
    assert BADGES[state].icon in DRAWN


def test_the_words_of_the_states_differ() -> None:
    labels = [str(look.label) for look in BADGES.values()]
    assert len(set(labels)) == len(labels)


def test_a_state_nobody_listed_is_shown_by_its_name() -> None:
    assert get_badge("waiting_for_disk").label == "Waiting for disk"


def test_a_badge_escapes_what_it_shows() -> None:
    html = status_badge("<x>", '"><b>')
    assert "<x>" not in html
    assert "<b>" not in html


def test_every_tone_has_a_colour() -> None:
    css = (ROOT / "static/css/app.css").read_text()
    for look in BADGES.values():
        assert look.tone == "quiet" or f".state-{look.tone} " in css


def test_every_icon_in_a_template_is_drawn() -> None:
    asked = set()
    for template in (ROOT / "templates").rglob("*.html"):
        asked |= set(ASKED.findall(template.read_text()))
    assert asked
    assert asked <= DRAWN


def test_an_icon_is_hidden_from_screen_readers() -> None:
    assert 'aria-hidden="true"' in icon("check")
