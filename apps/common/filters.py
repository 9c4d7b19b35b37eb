"""Filters shared by several apps."""

from __future__ import annotations

import django_filters as filters

from apps.common.forms.autocomplete import AutocompleteField
from apps.common.forms.timestamps import UtcDateTimeField


class AutocompleteFilter(filters.ModelChoiceFilter):  # type: ignore[misc] # django-filter ships no types
    """Rows of one chosen row. `kind`: kind of choices; `by`: column of the name."""

    field_class = AutocompleteField


class UtcDateTimeFilter(filters.IsoDateTimeFilter):  # type: ignore[misc] # django-filter ships no types
    """Rows before or after a point in time."""

    field_class = UtcDateTimeField
