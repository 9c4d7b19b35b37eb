"""Fields of timestamps."""

from __future__ import annotations

import contextlib
import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from django_filters.fields import IsoDateTimeField

from apps.common.domain.preferences import in_zone, preferences

MINUTE = "%Y-%m-%dT%H:%M"
"""The format of a date and time input of HTML."""


class UtcDateTimeField(IsoDateTimeField):  # type: ignore[misc] # django-filter ships no types
    """ISO 8601 timestamp, converted to UTC. Without an offset it is of the user's time zone.

    PostgreSQL accepts offsets below 16 hours only, Python those below 24.
    """

    widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "any"}, format=MINUTE)

    def prepare_value(self, value: Any) -> Any:
        """Return a moment of a link as the browser's input shows it; other text unchanged."""
        with contextlib.suppress(ValueError, OverflowError):
            moment = parse_datetime(value) if isinstance(value, str) else value
            if isinstance(moment, datetime.datetime):
                shown = in_zone(moment) if moment.tzinfo else moment
                return shown.replace(tzinfo=None).isoformat(
                    timespec="auto" if shown.second else "minutes"
                )
        return value

    def to_python(self, value: Any) -> datetime.datetime | None:
        """Convert to UTC. Raises: ValidationError, also outside the calendar in UTC."""
        with contextlib.suppress(ValueError):
            parsed = parse_datetime(value) if isinstance(value, str) else None
            if parsed is not None and parsed.tzinfo is None:
                value = parsed.replace(tzinfo=ZoneInfo(preferences().time_zone))
        moment: datetime.datetime | None = super().to_python(value)
        try:
            return moment and moment.astimezone(datetime.UTC)
        except OverflowError:
            raise ValidationError(_("This moment is out of range.")) from None


class ZonedDateTimeField(forms.DateTimeField):
    """Date and minute on the clock of the user's time zone, without an offset."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MINUTE)
    input_formats = (MINUTE, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M")

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime.datetime) and value.tzinfo is not None:
            return in_zone(value).replace(tzinfo=None)
        return value

    def to_python(self, value: Any) -> datetime.datetime | None:
        """Convert to UTC. Raises: ValidationError for a time that summer time skips."""
        if value in self.empty_values:
            return None
        plain = self._plain(value)
        zone = ZoneInfo(preferences().time_zone)
        try:
            result = plain.replace(tzinfo=zone).astimezone(datetime.UTC)
            is_skipped = result.astimezone(zone).replace(tzinfo=None) != plain
        except OverflowError:
            raise ValidationError(_("This moment is out of range.")) from None
        if is_skipped:
            raise ValidationError(_("The clocks skip this time: summer time begins."))
        return result

    def _plain(self, value: Any) -> datetime.datetime:
        if isinstance(value, datetime.datetime):
            return value
        for form in self.input_formats:
            with contextlib.suppress(ValueError):
                return datetime.datetime.strptime(str(value).strip(), form)
        raise ValidationError(_("Enter a date and a time, such as 2026-01-31 14:00."))
