"""Filter for settings: `{% load benchlab_tuning %}`, then `{{ settings|settings_text }}`."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from apps.tuning.domain.settings import describe
from apps.tuning.schemas.settings import Setting

register = template.Library()


@register.filter
def settings_text(settings: Iterable[Setting]) -> str:
    """Format a profile's settings in a line; "host defaults" without settings."""
    return describe(settings)
