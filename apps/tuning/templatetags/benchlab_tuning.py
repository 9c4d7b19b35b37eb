"""Settings as people read them: `{% load benchlab_tuning %}`, then `{{ rows|settings_text }}`."""

from __future__ import annotations

from typing import Any

from django import template

from apps.tuning.settings import describe

register = template.Library()


@register.filter
def settings_text(rows: list[dict[str, Any]]) -> str:
    """A profile's settings in a line; "as found" for none."""
    return describe(rows)
