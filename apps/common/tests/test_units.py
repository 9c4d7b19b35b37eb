"""Figures as text: the right prefix, four digits kept, signs and edges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.common.domain import units

EVERY_FORMAT = [
    units.mib_per_second,
    units.mb_per_second,
    units.gbit_per_second,
    units.operations_per_second,
    units.nanoseconds,
    units.binary_bytes,
    units.exact_bytes,
    units.seconds,
    units.whole,
    units.change,
    units.share,
]


@pytest.mark.parametrize(
    ("value", "binary", "decimal"),
    [
        (1024 * 2**20, "1,024.0 MiB/s", "1,073.7 MB/s"),
        (0, "0.0 MiB/s", "0.0 MB/s"),
        (68e6, "64.85 MiB/s", "68.00 MB/s"),
        (170 * 2**20, "170.0 MiB/s", "178.3 MB/s"),
        (4096, "4.000 KiB/s", "4.096 kB/s"),
        (0.5 * 2**20, "0.5000 MiB/s", "0.5243 MB/s"),
        (12, "12.00 B/s", "12.00 B/s"),
        (1e12, "953,674.3 MiB/s", "1,000,000.0 MB/s"),
        (-(2**20), "−1.000 MiB/s", "−1.049 MB/s"),
        (99.9999 * 2**20, "100.0 MiB/s", "104.9 MB/s"),
    ],
)
def test_bandwidth_in_binary_and_decimal(value: float, binary: str, decimal: str) -> None:
    assert units.mib_per_second(value) == binary
    assert units.mb_per_second(value) == decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.25e9, "10.00 Gbit/s"),
        (9.412e9 / 8, "9.412 Gbit/s"),
        (1.25e6, "10.00 Mbit/s"),
        (0, "0 Gbit/s"),
    ],
)
def test_network_in_bits(value: float, text: str) -> None:
    assert units.gbit_per_second(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 IOPS"), (0.5, "0.5000 IOPS"), (93.4, "93.40 IOPS"), (131072.4, "131,072 IOPS")],
)
def test_operations(value: float, text: str) -> None:
    assert units.operations_per_second(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 ns"),
        (1, "1 ns"),
        (512, "512 ns"),
        (512.25, "512.2 ns"),
        (0.25, "0.2500 ns"),
        (999, "999 ns"),
        (999.96, "1.000 µs"),
        (1000, "1.000 µs"),
        (1234, "1.234 µs"),
        (97_213.7, "97.21 µs"),
        (999_999, "1.000 ms"),
        (12_345_678, "12.35 ms"),
        (999_949_999, "999.9 ms"),
        (999_950_001, "1.000 s"),
        (17_112_760_320, "17.11 s"),
        (1.2345e13, "12,345 s"),
        (-1500, "−1.500 µs"),
    ],
)
def test_latency_picks_the_unit_after_rounding(value: float, text: str) -> None:
    assert units.nanoseconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 B"),
        (512, "512 B"),
        (1023, "1,023 B"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (2**30, "1 GiB"),
        (1024**2 - 1, "1 MiB"),
        (960197124096, "894.3 GiB"),
        (5 * 2**70, "5,120 EiB"),
        (-4096, "−4 KiB"),
    ],
)
def test_bytes_with_binary_prefixes(value: float, text: str) -> None:
    assert units.binary_bytes(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 s"),
        (0.0001, "0.1 ms"),
        (0.35, "350 ms"),
        (0.9996, "1 s"),
        (12.5, "12.5 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (303, "5 min 3 s"),
        (3599.6, "1 h 0 min"),
        (7500, "2 h 5 min"),
        (86_399, "1 d 0 h"),
        (273_600, "3 d 4 h"),
        (86_400 * 4000, "4,000 d 0 h"),
        (-303, "−5 min 3 s"),
    ],
)
def test_durations_by_their_two_largest_parts(value: float, text: str) -> None:
    assert units.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.032, "+3.2 %"),
        (0.95, "−5.0 %"),
        (1, "0.0 %"),
        (1.0004, "0.0 %"),
        (2, "+100.0 %"),
        (0, "−100.0 %"),
        (11, "+1,000.0 %"),
    ],
)
def test_a_ratio_is_shown_as_the_change(value: float, text: str) -> None:
    assert units.change(value) == text


def test_counts_shares_and_exact_bytes() -> None:
    assert units.whole(1_234_567) == "1,234,567"
    assert units.whole(-0.2) == "0"
    assert units.share(0.97) == "97.0 %"
    assert units.exact_bytes(1536) == "1,536 bytes"


@pytest.mark.parametrize("form", EVERY_FORMAT)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_refused(form: Callable[[float], str], value: float) -> None:
    with pytest.raises(ValueError, match="not a finite figure"):
        form(value)


@pytest.mark.parametrize("form", EVERY_FORMAT)
@pytest.mark.parametrize("value", [5e-324, 1e-9, 1e18, 1e300, -1e300])
def test_extremes_still_give_one_line_with_a_digit(
    form: Callable[[float], str], value: float
) -> None:
    text = form(value)
    assert "\n" not in text
    assert any(letter.isdigit() for letter in text)
