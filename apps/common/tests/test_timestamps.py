"""Moments in any offset are read as UTC, or refused with a sentence."""

from __future__ import annotations

import datetime

import pytest
from django.core.exceptions import ValidationError

from apps.common.domain.preferences import Preferences, preferred
from apps.common.forms.timestamps import UtcDateTimeField


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-03-01T12:00:00Z", 12),
        ("2026-03-01T12:00:00+02:00", 10),
        ("2026-03-01T02:00:00-21:56", 23),
    ],
)
def test_any_offset_becomes_utc(text: str, hour: int) -> None:
    moment = UtcDateTimeField().clean(text)
    assert moment.utcoffset() == datetime.timedelta()
    assert moment.hour == hour


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+12:00", "9999-12-31T23:00:00-12:00"])
def test_what_has_no_place_in_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="out of range"):
        UtcDateTimeField().clean(text)


@pytest.mark.parametrize("text", ["tomorrow", "99999-01-01"])
def test_invalid_timestamp_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        UtcDateTimeField().clean(text)


def test_timestamp_without_offset_is_of_the_users_zone() -> None:
    """A link has an offset: its moment stays the same, and the input shows it in the zone."""
    field = UtcDateTimeField()
    assert field.clean("2026-03-01T08:00") == datetime.datetime(2026, 3, 1, 8, tzinfo=datetime.UTC)
    with preferred(Preferences(time_zone="Asia/Shanghai")):
        assert field.clean("2026-03-01T08:00") == datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
        assert field.clean("2026-03-01T08:00:00Z") == datetime.datetime(
            2026, 3, 1, 8, tzinfo=datetime.UTC
        )
        assert field.prepare_value("2026-03-01T08:00:00Z") == "2026-03-01T16:00"
        assert field.prepare_value("2026-03-01T08:00") == "2026-03-01T08:00"
        assert field.prepare_value("soon") == "soon"
