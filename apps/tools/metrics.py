"""Every metric benchlab shows: its unit, its label, which direction is better. Charts, tables and
docs read this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Unit = Literal["bytes/s", "1/s", "ns", "bytes", "%", "requests", "s", ""]
Scale = Literal["linear", "log"]


@dataclass(frozen=True)
class Metric:
    """`unit` is the canonical one (figures are stored in it); `higher_is_better` None: neither is
    better.

    `scale`: how an axis shows it best. Latency spans orders of magnitude between median and
    maximum.
    """

    key: str
    unit: Unit
    label: str
    higher_is_better: bool | None
    scale: Scale = "linear"


_LATENCIES = {
    "latency_min": "Latency, minimum",
    "latency_mean": "Latency, mean",
    "latency_p50": "Latency, median",
    "latency_p95": "Latency, 95th percentile",
    "latency_p99": "Latency, 99th percentile",
    "latency_p999": "Latency, 99.9th percentile",
    "latency_p9999": "Latency, 99.99th percentile",
    "latency_max": "Latency, maximum",
    "latency_stddev": "Latency, standard deviation",
}

_METRICS = (
    Metric("bandwidth", "bytes/s", "Bandwidth", True),
    Metric("iops", "1/s", "IOPS", True),
    *(Metric(key, "ns", label, False, "log") for key, label in _LATENCIES.items()),
    Metric("utilisation", "%", "Device utilisation", None),
    Metric("queue", "requests", "Device queue length", None),
    Metric("await", "ns", "Device wait", False, "log"),
    Metric("read_await", "ns", "Device wait, reads", False, "log"),
    Metric("write_await", "ns", "Device wait, writes", False, "log"),
    Metric("request_size", "bytes", "Device request size", None),
    Metric("read_bandwidth", "bytes/s", "Device bandwidth, reads", True),
    Metric("write_bandwidth", "bytes/s", "Device bandwidth, writes", True),
    Metric("reads", "1/s", "Device reads", True),
    Metric("writes", "1/s", "Device writes", True),
    Metric("retransmits", "", "Retransmitted segments", False),
    Metric("jitter", "ns", "Jitter", False, "log"),
    Metric("loss", "%", "Lost datagrams", False),
    Metric("round_trip", "ns", "TCP round trip", False, "log"),
    Metric("congestion_window", "bytes", "TCP congestion window", None),
    Metric("cpu_user", "%", "CPU, user", None),
    Metric("cpu_system", "%", "CPU, system", None),
    Metric("duration", "s", "Duration", None),
)

METRICS: Mapping[str, Metric] = {metric.key: metric for metric in _METRICS}
# How a network's rate is shown: Gbit/s with MB/s beside it. It is stored in bytes/s like any other.
NETWORK = "network"
PERCENTILE_KEYS: Mapping[str, str] = {
    "50": "latency_p50",
    "95": "latency_p95",
    "99": "latency_p99",
    "99.9": "latency_p999",
    "99.99": "latency_p9999",
}


def shown_unit(key: str, *, network: bool = False) -> str:
    """The unit that formatters and charts know a metric by: its own, or NETWORK for the rate of a
    tool that measures one (`registry.measures_network`)."""
    unit = METRICS[key].unit
    return NETWORK if network and unit == "bytes/s" else unit
