"""Markdown of users: `{% load benchlab_markdown %}`, then `{{ text|markdown }}`."""

from __future__ import annotations

from functools import cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """Render CommonMark with tables as HTML.

    HTML is escaped, script URLs are no links, and images are omitted, because a browser would load
    them from elsewhere.
    """
    html: SafeString = mark_safe(_parser().render(text))  # the parser escapes all other HTML
    return html


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
