"""The form above a list that nobody has filtered: it looks the same for everybody, and every list
begins with it.
"""

from __future__ import annotations

from typing import Any

from django.utils.safestring import SafeString
from django_filters import FilterSet

from apps.common.forms import SteadyForm
from apps.common.templatetags.benchlab_kept import kept_part


def empty_bar(filters: type[FilterSet]) -> SafeString:
    """The form of these filters without an answer in it, kept: a set of filters copies each of
    them, which costs as much as a page's queries. TypeError where its form is not steady: rows may
    be among its choices.
    """
    if not issubclass(filters._meta.form, SteadyForm):
        raise TypeError(f"the form of {filters.__name__} is not steady")
    kind: Any = filters  # mypy does not know that classes are hashable
    return kept_part("components/filter_bar_empty.html", filters=kind)
