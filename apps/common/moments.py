"""Moments that people and scripts ask for."""

from __future__ import annotations

import datetime
from typing import Any

import django_filters as filters
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django_filters.fields import IsoDateTimeField


class MomentField(IsoDateTimeField):  # type: ignore[misc] # django-filter ships no types
    """A moment of ISO 8601, in UTC whatever its offset: PostgreSQL takes offsets below 16 hours
    only, Python those below 24.
    """

    def to_python(self, value: Any) -> datetime.datetime | None:
        """Raises ValidationError also for a moment that has no place in the calendar in UTC."""
        moment: datetime.datetime | None = super().to_python(value)
        try:
            return moment and moment.astimezone(datetime.UTC)
        except OverflowError:
            raise ValidationError(_("This moment is out of range.")) from None


class MomentFilter(filters.IsoDateTimeFilter):  # type: ignore[misc] # django-filter ships no types
    """Rows before or after a moment."""

    field_class = MomentField
