"""The newest lines of a run's diary, as its page shows them."""

from __future__ import annotations

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from apps.common.stored.sentences import said
from apps.common.templatetags.benchlab_format import when
from apps.runs.models import Run

DiaryLine = tuple[SafeString, SafeString]
"""When it was, and the words: a link where they are about a case."""


def diary_of(run: Run, most: int) -> tuple[list[DiaryLine], bool]:
    """At most so many lines, newest first, and whether there are older ones. One query."""
    rows = run.events.order_by("-pk").values_list("at", "text", "case_id")[: most + 1]
    # Asked once, not for each line.
    cases = reverse("case_detail", args=[0]).removesuffix("0/")
    lines = [(when(at), _words(said(text), case, cases)) for at, text, case in rows]
    return lines[:most], len(lines) > most


def _words(text: str, case: int | None, cases: str) -> SafeString:
    words = escape(text)
    return SafeString(words if case is None else f'<a href="{cases}{case}/">{words}</a>')
