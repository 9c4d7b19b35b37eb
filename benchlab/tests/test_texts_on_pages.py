"""Every text that a page takes from a catalogue is in the catalogue.

`makemessages` extracts literals; texts of tables, such as the labels of metrics, reach gettext as
variables.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from benchlab.tests.access import PAGES
from benchlab.tests.addresses import address
from benchlab.tests.api_world import create_world

LANGUAGE = "zh-hans"
WORD = re.compile(r"[a-z]{3}")
UNTRANSLATED = {"%(size)s", "exact", "rand", "seq"}
"""A placeholder alone, a lookup of django-filter that no page shows, operations of rados bench."""


def record_missing(patch: pytest.MonkeyPatch) -> set[str]:
    """Collect the texts that gettext has no translation of."""
    missing: set[str] = set()
    real = translation._trans  # type: ignore[attr-defined]  # not in the stubs
    gettext = real.gettext

    def recording(text: str) -> str:
        if translation.get_language() == LANGUAGE and WORD.search(str(text)):
            catalogue = trans_real.translation(LANGUAGE)._catalog  # type: ignore[attr-defined]
            if str(text) not in catalogue and gettext(text) == text:
                missing.add(str(text))
        return str(gettext(text))

    patch.setattr(real, "gettext", recording, raising=False)
    return missing


def test_pages_in_chinese_lack_no_translation(
    owner: User, admin: User, admin_client: Client, settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    world = create_world(owner)
    admin.language = LANGUAGE
    admin.save()
    missing = record_missing(monkeypatch)
    for name in PAGES:
        admin_client.get(address(name, world))
    assert sorted(missing - UNTRANSLATED) == []
