"""Every sentence of report files and scripts goes through gettext."""

from __future__ import annotations

import io
import re
from html import escape
from pathlib import Path

import openpyxl
import pytest
from django.conf import settings

from apps.accounts.models import User
from apps.analysis.report.document import DOCUMENT_MAKERS
from apps.reports.selectors.reports import rendered
from benchlab.tests.api_world import create_world
from benchlab.tests.pseudo import OPEN, known_words, speak, unsaid

SENTENCE = re.compile(r"""["'`]([A-Z][a-z]+ [^"'`]*)["'`]""")
SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
TRANSLATED_BY_PAGE = {"No connection since {time} UTC", "Arial, sans-serif"}
"""The first is the fallback of a translated attribute; the second names a font."""


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["html", "xlsx"])
def test_report_file_in_pseudo_locale_has_no_other_sentence(
    owner: User, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The PDF is printed from the HTML."""
    world = create_world(owner)
    data = [*known_words(), *(str(section.query) for section in world.report.sections.all())]
    speak(monkeypatch)
    _media, make = DOCUMENT_MAKERS[kind]
    content = make(rendered(world.report), "A4")
    html = _cells(content) if kind == "xlsx" else content.decode()
    assert OPEN in html
    assert unsaid(html, data) == []


def test_scripts_have_no_sentence_of_their_own() -> None:
    found = set()
    for file in Path(settings.BASE_DIR, "static", "js").rglob("*.js"):
        found |= set(SENTENCE.findall(SCRIPT_COMMENT.sub("", file.read_text())))
    assert found <= TRANSLATED_BY_PAGE


def _cells(workbook: bytes) -> str:
    """Return the names of the sheets and the texts of the cells as HTML."""
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    texts = [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
    return "".join(f"<td>{escape(text)}</td>" for text in texts if isinstance(text, str))
