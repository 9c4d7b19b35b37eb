"""Expected figures as people write them."""

from __future__ import annotations

import pytest

from apps.plans.domain.value_parser import EXPECTED, WrittenError, read, value_text, words_of
from apps.plans.schemas.expectations import Expectation
from apps.tools.metrics import METRICS


@pytest.mark.parametrize(
    ("metric", "text", "value", "unit"),
    [
        ("iops", "6000", 6000.0, "IOPS"),
        ("iops", "6,000 iops", 6000.0, "IOPS"),
        ("iops", "1.2 kIOPS", 1200.0, "kIOPS"),
        ("bandwidth", "170 MB/s", 170e6, "MB/s"),
        ("bandwidth", "170MiB/s", 170 * 2.0**20, "MiB/s"),
        ("bandwidth", "170", 170 * 2.0**20, "MiB/s"),
        ("bandwidth", "10 Gbit/s", 1.25e9, "Gbit/s"),
        ("latency_p99", "10 ms", 1e7, "ms"),
        ("latency_p99", "350 µs", 350e3, "µs"),
        ("latency_p99", "10", 1e7, "ms"),
    ],
)
def test_values_have_units(metric: str, text: str, value: float, unit: str) -> None:
    assert read(METRICS[metric], text) == (value, unit)


@pytest.mark.parametrize("text", ["", "fast", "-3", "0", "10 MB/s", "1e400", "1" * 400])
def test_what_is_no_latency(text: str) -> None:
    with pytest.raises(WrittenError, match="ms, µs"):
        read(METRICS["latency_p99"], text)


@pytest.mark.parametrize("metric", [metric.key for metric in EXPECTED])
def test_what_is_shown_can_be_written(metric: str) -> None:
    text = value_text(METRICS[metric], 123456.0)
    assert value_text(METRICS[metric], *read(METRICS[metric], text)) == text


def test_sentences() -> None:
    assert words_of(Expectation("iops", "least", 6000.0, "IOPS", 5.0)) == (
        "IOPS at least 6,000 IOPS, 5 % tolerance"
    )
    most = Expectation("latency_p99", "most", 1e7, "ms", operation="read")
    assert words_of(most) == "read: Latency, 99th percentile at most 10 ms"
    promised = Expectation("bandwidth", source="provider")
    assert words_of(promised) == "Bandwidth as the provider of the disk promises"
