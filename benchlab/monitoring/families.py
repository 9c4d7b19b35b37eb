"""Metric families as plain data, which the cache stores as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

PREFIX = "benchlab_"


class Sample(msgspec.Struct, frozen=True):
    """One value. None is infinite: JSON has no infinity."""

    labels: dict[str, str]
    value: float | None


class Family(msgspec.Struct, frozen=True):
    """Gauge of benchlab with the samples of all its labels. `text` is the help in /metrics."""

    name: str
    text: str
    samples: list[Sample]


def gauge(name: str, text: str, value: float | None) -> Family:
    """Return a gauge without labels."""
    return Family(PREFIX + name, text, [Sample({}, value)])


def gauges(
    name: str, text: str, labels: tuple[str, ...], values: Iterable[tuple[tuple[str, ...], float]]
) -> Family:
    """Return a gauge with labels; `values` has the values of the labels, then the number."""
    samples = [
        Sample(dict(zip(labels, parts, strict=True)), float(value)) for parts, value in values
    ]
    return Family(PREFIX + name, text, samples)


def by_state(name: str, text: str, states: Iterable[str], counts: Mapping[str, int]) -> Family:
    """Return the number of rows in each state, also of states without a row."""
    values = [((str(state),), float(counts.get(str(state), 0))) for state in states]
    return gauges(name, text, ("state",), values)


def seconds_since(moment: datetime | None, now: datetime) -> float | None:
    """Return the age in seconds, never negative; None without a time."""
    return max(0.0, (now - moment).total_seconds()) if moment else None
