"""The newest lines of a run's diary, as its page shows them."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from functools import lru_cache
from html import escape

from django.db.models import TextField
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from apps.common.preferences import preferences
from apps.common.stored.sentences import read, said
from apps.common.templatetags.benchlab_format import relative, since_html
from apps.runs.models import Run

MOST = 4_096
"""Lines that a process keeps."""


def diary_of(run: Run, most: int) -> tuple[SafeString, bool]:
    """At most so many lines as items of a list, newest first, and whether there are older ones. One
    query.
    """
    rows = run.events.order_by("-pk").values_list("at", Cast("text", TextField()), "case_id")
    # Asked once, not for each line.
    cases = reverse("case_detail", args=[0]).removesuffix("0/")
    reader = (get_language(), preferences().stamp)
    lines = [_line(*row, relative(row[0]), cases, reader) for row in rows[: most + 1]]
    return SafeString("".join(lines[:most])), len(lines) > most


@lru_cache(maxsize=MOST)
def _line(
    at: datetime, stored: str, case: int | None, passed: str, cases: str, _reader: Hashable
) -> str:
    """When it was, and the words, as a link where they are about a case. A line stays as it was
    written, so it is made once in a process for readers with one language and one way to write
    figures, and for each word of how long ago it was.
    """
    words = escape(said(read(stored)))
    shown = words if case is None else f'<a href="{cases}{case}/">{words}</a>'
    when = since_html(at, passed)
    return f'    <li><span class="diary-time">{when}</span> <span>{shown}</span></li>\n'
