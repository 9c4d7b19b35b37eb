"""Figures and moments in the reader's units and zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.common.domain.charts import scale_for
from apps.common.domain.preferences import (
    Preferences,
    drawn,
    other_rate,
    preferred,
    rate,
    size,
    timestamp_text,
    zones,
)
from apps.common.templatetags.benchlab_format import bandwidth, when

BERLIN = Preferences(units="decimal", time_zone="Europe/Berlin")
MOMENT = datetime(2026, 7, 1, 23, 30, 5, tzinfo=UTC)


def test_rate_is_in_one_unit_with_the_other_on_hover() -> None:
    assert (rate(2**30), other_rate(2**30)) == ("1,024.0 MiB/s", "1,073.7 MB/s")
    with preferred(BERLIN):
        assert (rate(2**30), other_rate(2**30)) == ("1,073.7 MB/s", "1,024.0 MiB/s")
        assert 'title="1,024.0 MiB/s">1,073.7 MB/s<' in bandwidth(2**30)
        assert scale_for("bytes/s", [5e6]).unit == "MB/s"
        assert scale_for("ns", [5e6]).unit == "ms"
    assert scale_for("bytes/s", [5e6]).unit == "MiB/s"


@pytest.mark.parametrize(
    ("value", "binary", "decimal"),
    [
        (960_197_124_096, "894.3 GiB", "960.2 GB"),
        (7_681_501_126_656, "6.986 TiB", "7.682 TB"),
        (4096, "4 KiB", "4 KiB"),
        (10 * 2**30, "10 GiB", "10 GiB"),
        (300, "300 B", "300 B"),
        (1500, "1.465 KiB", "1.5 kB"),
    ],
)
def test_whole_binary_sizes_stay_binary(value: int, binary: str, decimal: str) -> None:
    assert size(value) == binary
    with preferred(BERLIN):
        assert size(value) == decimal


def test_moments_are_on_the_readers_clock() -> None:
    assert timestamp_text(MOMENT) == "2026-07-01 23:30 UTC"
    assert drawn(MOMENT) == "2026-07-01T23:30:05+00:00"
    with preferred(BERLIN):
        assert timestamp_text(MOMENT, seconds=True) == "2026-07-02 01:30:05 CEST"
        assert drawn(MOMENT) == "2026-07-02T01:30:05+02:00"
        # For programs that read the page it is the same moment.
        assert 'datetime="2026-07-01T23:30:05+00:00"' in when(MOMENT)
    with preferred(Preferences(time_zone="Gone/Away")):
        assert timestamp_text(MOMENT) == "2026-07-01 23:30 UTC"
    with pytest.raises(ValueError, match="zone"):
        timestamp_text(MOMENT.replace(tzinfo=None))


def test_zones_are_those_of_places() -> None:
    assert zones()[0] == "UTC"
    assert "Europe/Berlin" in zones()
    assert "Etc/GMT+3" not in zones()
