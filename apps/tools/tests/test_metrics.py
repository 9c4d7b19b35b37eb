"""The table of metrics and its page."""

from pathlib import Path

import pytest

from apps.tools.metrics import METRICS, PERCENTILE_KEYS, Metric

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.key)
def test_every_metric_is_documented_with_its_unit(metric: Metric) -> None:
    assert f"| `{metric.key}` | {metric.unit or 'count'} | {metric.label} |" in PAGE.read_text()


def test_latency_is_in_nanoseconds_and_less_is_better() -> None:
    latencies = [metric for key, metric in METRICS.items() if key.startswith("latency_")]
    assert len(latencies) == 9
    assert all(m.unit == "ns" and m.higher_is_better is False for m in latencies)
    assert set(PERCENTILE_KEYS.values()) <= set(METRICS)


def test_bandwidth_and_iops_are_better_when_higher() -> None:
    assert METRICS["bandwidth"].higher_is_better
    assert METRICS["iops"].higher_is_better
    assert METRICS["queue"].higher_is_better is None
