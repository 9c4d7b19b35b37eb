"""One formatter serves template filters and sentences."""

from __future__ import annotations

import pytest

from apps.common.domain.value_format import (
    format_change,
    format_detail,
    format_difference,
    format_metric,
    format_value,
)
from apps.common.templatetags.benchlab_format import figure


@pytest.mark.parametrize(
    ("metric", "value", "network", "text"),
    [
        ("bandwidth", 2**30, False, "1,024.0 MiB/s"),
        ("bandwidth", 1.25e9, True, "10.00 Gbit/s"),
        ("iops", 131072, False, "131,072 IOPS"),
        ("latency_p99", 97_213, False, "97.21 µs"),
        ("utilisation", 12.5, False, "12.50 %"),
        ("iops", None, False, "–"),
        ("iops", float("inf"), False, "–"),
    ],
)
def test_metric_has_its_display_unit(
    metric: str, value: float | None, network: bool, text: str
) -> None:
    assert format_metric(metric, value, network=network) == text


@pytest.mark.parametrize("unit", ["bytes/s", "1/s", "ns", "bytes", "s", "1", "%", "°C"])
def test_filter_prints_the_text_of_the_formatter(unit: str) -> None:
    html = figure(1500.5, unit)

    assert f">{format_value(1500.5, unit)}</span>" in html
    detail = format_detail(1500.5, unit)
    assert (f'title="{detail}"' in html) == bool(detail)


def test_change_without_ratio_is_a_dash() -> None:
    assert format_change(None) == format_change(float("nan")) == "–"
    assert format_change(1.032) == "+3.2 %"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1.032, "+3.2 %"),
        (2.0, "+100.0 %"),
        (3.14, "3.1 times as high"),
        (1024.0, "1,024.0 times as high"),
        (float("inf"), "–"),
        (None, "–"),
    ],
)
def test_a_large_change_is_a_multiple_in_sentences(ratio: float | None, text: str) -> None:
    assert format_difference(ratio) == text
