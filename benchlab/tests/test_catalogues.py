"""The catalogues hold every text, translated, with the placeholders of the original."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

PROJECT = Path(__file__).parents[2]
CATALOGUES = sorted(PROJECT.glob("locale/*/LC_MESSAGES/django.po"))
PLACEHOLDERS = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}|</?\w+[^>]*>")


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDERS.findall(text))


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="there is no xgettext")
def test_catalogues_after_makemessages_are_complete(tmp_path: Path) -> None:
    copy = tmp_path / "project"
    tests = shutil.ignore_patterns("tests", "agent_tests", "__pycache__", "*.mo")
    for name in ("apps", "benchlab", "templates", "locale"):
        shutil.copytree(PROJECT / name, copy / name, ignore=tests)
    shutil.copy(PROJECT / "manage.py", copy)
    argv = [sys.executable, "manage.py", "makemessages"]
    subprocess.run(argv, cwd=copy, check=True, capture_output=True, text=True)
    for path in CATALOGUES:
        made = polib.pofile(str(copy / path.relative_to(PROJECT)))
        assert [entry.msgid for entry in made.untranslated_entries()] == []
        assert [entry.msgid for entry in made.fuzzy_entries()] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_catalogue_translations_have_the_placeholders_of_their_texts(path: Path) -> None:
    catalogue = polib.pofile(str(path))
    assert len(catalogue) > 3000
    unlike = [
        (entry.msgid, text)
        for entry in catalogue
        for text in entry.msgstr_plural.values() or [entry.msgstr]
        if placeholders(text) != placeholders(entry.msgid_plural or entry.msgid)
    ]
    assert unlike == []
