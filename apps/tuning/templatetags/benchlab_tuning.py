"""Filters of `{% load benchlab_tuning %}`: `settings|settings_text`, `name|tuning_label`."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from apps.tuning.domain import baseline
from apps.tuning.domain.settings import describe
from apps.tuning.schemas.settings import Setting

register = template.Library()


@register.filter
def settings_text(settings: Iterable[Setting]) -> str:
    """Format a profile's settings in a line; "host defaults" without settings."""
    return describe(settings)


@register.filter
def tuning_label(name: str) -> str:
    """Return the stored name of a profile in the reader's language."""
    return baseline.tuning_label(name)


@register.filter
def description_label(text: str) -> str:
    """Return the stored description of a profile in the reader's language."""
    return baseline.description_label(text)
