"""Parts of pages that stay the same as long as what they show does: `{% load benchlab_kept %}`."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from apps.common.preferences import preferences

register = template.Library()
MOST = 4_096
"""Parts that a process keeps: rows of tables, of about a kilobyte."""


@register.simple_tag
def kept_part(name: str, **shown: Hashable) -> SafeString:
    """The template `name` with these values and nothing else: it may ask for no request, clock or
    row. Rendered once in a process for equal values and readers with one language and one way to
    write figures, so that it is never older than what it shows.
    """
    if settings.DEBUG:  # templates are edited there
        return SafeString(render_to_string(name, shown))
    return _part(name, get_language(), preferences().stamp, tuple(shown.items()))


@lru_cache(maxsize=MOST)
def _part(
    name: str, _language: str | None, _reader: Hashable, shown: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    return SafeString(render_to_string(name, dict(shown)))


@receiver(setting_changed)
def _forget(**_: Any) -> None:
    """Addresses of static files change with the settings of tests."""
    _part.cache_clear()
