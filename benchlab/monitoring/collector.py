"""All metrics, from the cache or the database, as a collector of prometheus-client."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.db import connection
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from apps.common.cache import cached_for
from benchlab.monitoring.broker import queue_length
from benchlab.monitoring.families import Family, gauge
from benchlab.monitoring.hosts import host_families, result_families
from benchlab.monitoring.storage import storage_families
from benchlab.monitoring.work import work_families

STATE_SECONDS, SLOW_SECONDS = 10, 300
"""Lifetimes in the cache: several Prometheus servers cost one set of queries."""


class BenchlabCollector(Collector):
    """State of benchlab."""

    def describe(self) -> Iterator[Metric]:
        """Return no names: prometheus-client would query the database to learn them."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("benchlab_build", "Version.", {"version": settings.VERSION})
        for family in families():
            metric = GaugeMetricFamily(family.name, family.text)
            for sample in family.samples:
                value = float("inf") if sample.value is None else sample.value
                metric.add_sample(family.name, sample.labels, value)
            yield metric


def families() -> Iterator[Family]:
    """Yield all metrics. Without the broker there is no cache but the memory of the process."""
    length = queue_length()
    yield gauge("broker_up", "1 if the broker answers, else 0.", float(length is not None))
    if length is not None:
        yield gauge("queue_length", "Hints that wait for a worker.", length)
        yield from cached_for("metrics-state", STATE_SECONDS, list[Family], _state)
        yield from cached_for("metrics-slow", SLOW_SECONDS, list[Family], _slow)
    else:
        yield from _state()
        yield from slow_in_memory(int(time.monotonic() // SLOW_SECONDS))


def _state() -> list[Family]:
    now = database_time()
    return [*work_families(now), *host_families(now)]


def _slow() -> list[Family]:
    return [*result_families(database_time()), *storage_families()]


@lru_cache(maxsize=1)
def slow_in_memory(_period: int) -> list[Family]:
    """Return the slow metrics of a period of SLOW_SECONDS."""
    return _slow()


def database_time() -> datetime:
    """Return the database's time: the clocks of machines may differ."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
