"""Series as bytes: what goes in comes out, missing values stay missing, no spike is lost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from apps.accounts.models import User
from apps.results.domain.chunks import CHUNK, FLOAT, TILE, decode, encode
from apps.results.models import Series
from apps.results.selectors import results as selectors
from apps.results.selectors.results import series_window
from apps.results.tests.factories import series_store
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools import parse_result


@pytest.mark.parametrize("length", [0, 1, TILE - 1, TILE, TILE + 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_values_come_back(length: int) -> None:
    values = np.arange(length, dtype=FLOAT)
    chunks = encode(values)
    assert [chunk.index for chunk in chunks] == list(range(math.ceil(length / CHUNK)))
    assert decode([chunk.values for chunk in chunks]).tolist() == values.tolist()


def test_missing_values_stay_missing() -> None:
    values = [1.0, None, math.nan, 4.0]
    (chunk,) = encode(values)
    back = decode([chunk.values])
    assert np.isnan(back).tolist() == [False, True, True, False]
    assert decode([chunk.tile_minima]).tolist() == [1.0]
    assert decode([chunk.tile_maxima]).tolist() == [4.0]


def test_a_tile_without_values_has_no_extremes() -> None:
    (chunk,) = encode([None] * (TILE + 1))
    assert np.isnan(decode([chunk.tile_minima])).all()
    assert len(decode([chunk.tile_maxima])) == 2


def stored(owner: User, values: list[float | None], interval: float = 1.0) -> Series:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    series_store(
        attempt=attempt,
        source=Series.Source.TOOL,
        subject="read",
        series=[parse_result.Series("iops", tuple(values), 0.0, interval)],
    )
    return attempt.series.get()


def test_window_has_exact_samples(owner: User) -> None:
    series = stored(owner, [float(n) for n in range(25_000)])
    times, values = series_window(series, start=9_995, end=10_005)
    assert values.tolist() == [float(n) for n in range(9_995, 10_005)]
    assert times.tolist() == [float(n) for n in range(9_996, 10_006)]


def test_the_whole_comes_without_a_window(owner: User) -> None:
    series = stored(owner, [1.0, None, 3.0], interval=0.5)
    times, values = series_window(series)
    assert times.tolist() == [0.5, 1.0, 1.5]
    assert np.isnan(values).tolist() == [False, True, False]


@pytest.mark.parametrize(("start", "end"), [(50, 60), (-9, -5), (2, 1), (3, 3)])
def test_window_outside_series_is_empty(start: float, end: float, owner: User) -> None:
    times, values = series_window(stored(owner, [1.0, 2.0, 3.0]), start=start, end=end)
    assert len(times) == len(values) == 0


def test_an_empty_series_is_empty(owner: User) -> None:
    times, values = series_window(stored(owner, []))
    assert len(times) == len(values) == 0


def test_a_long_window_keeps_every_spike(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "EXACT", 20_000)
    values: list[float | None] = [100.0] * 30_000
    values[17_123], values[29_999] = 0.0, 9_999.0
    times, shown = series_window(stored(owner, values))
    assert len(shown) == 2 * 30_000 / TILE
    assert (shown.min(), shown.max()) == (0.0, 9_999.0)
    assert abs(times[int(shown.argmin())] - 17_123) <= TILE
    assert (np.diff(times) > 0).all()
