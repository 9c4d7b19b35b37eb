"""The form above a list that nobody has filtered: it looks the same for everybody, and every list
begins with it.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django_filters import FilterSet

from apps.common.forms import SteadyForm
from apps.common.preferences import preferences


def empty_bar(filters: type[FilterSet]) -> SafeString:
    """The form of these filters without an answer in it. Made once in a process for readers with
    one language and one way to write figures: a set of filters copies each of them, which costs as
    much as a page's queries. TypeError where its form is not steady: rows may be among its choices.
    """
    if not issubclass(filters._meta.form, SteadyForm):
        raise TypeError(f"the form of {filters.__name__} is not steady")
    if settings.DEBUG:  # templates are edited there
        return _rendered(filters)
    kind: Any = filters  # mypy does not know that classes are hashable
    return _kept(kind, get_language(), preferences().stamp)


def _rendered(filters: type[FilterSet]) -> SafeString:
    return SafeString(render_to_string("components/filter_bar.html", {"filter": filters()}))


@lru_cache(maxsize=256)
def _kept(filters: type[FilterSet], _language: str | None, _reader: Hashable) -> SafeString:
    return _rendered(filters)


@receiver(setting_changed)
def _forget(**_: Any) -> None:
    """Tests change the settings that widgets are rendered with."""
    _kept.cache_clear()
