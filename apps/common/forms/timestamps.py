"""Fields of timestamps."""

from __future__ import annotations

import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django_filters.fields import IsoDateTimeField


class UtcDateTimeField(IsoDateTimeField):  # type: ignore[misc] # django-filter ships no types
    """ISO 8601 timestamp, converted to UTC.

    PostgreSQL accepts offsets below 16 hours only, Python those below 24.
    """

    def to_python(self, value: Any) -> datetime.datetime | None:
        """Convert to UTC. Raises: ValidationError, also outside the calendar in UTC."""
        moment: datetime.datetime | None = super().to_python(value)
        try:
            return moment and moment.astimezone(datetime.UTC)
        except OverflowError:
            raise ValidationError(_("This moment is out of range.")) from None
