"""Texts of people on pages: `{% load benchlab_prose %}`, then `{{ text|prose }}`."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from apps.common.prose import prose_html

register = template.Library()


@register.filter
def prose(text: str) -> SafeString:
    """Markdown as HTML."""
    return prose_html(text)
