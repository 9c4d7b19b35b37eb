"""Texts that people write, in Markdown (CommonMark with tables), as HTML.

HTML in the text stays text, an address that is a script is no link, and pictures are left out: they
would be loaded from elsewhere.
"""

from __future__ import annotations

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt


def prose_html(text: str) -> SafeString:
    """Markdown as HTML that a page may hold."""
    made: SafeString = mark_safe(_reader().render(text))  # the reader escapes what is not its own
    return made


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
