"""Metrics that are expensive to compute: sizes, and expectations of the whole archive."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.db.models import Sum

from apps.blobs.models import Blob, BlobStore
from apps.common.domain.verdicts import VerdictKind
from apps.results.models import ResultSummary
from benchlab.monitoring.families import Family, gauge, gauges


def storage_families() -> Iterator[Family]:
    """Yield sizes in bytes and the number of missed expectations."""
    stored = dict(Blob.objects.order_by().values_list("store").annotate(Sum("compressed_bytes")))
    yield gauges(
        "store_bytes",
        "Compressed bytes of raw output by store.",
        ("store",),
        [((str(store),), float(stored.get(store.value, 0))) for store in BlobStore],
    )
    yield gauge("database_bytes", "Size of the database.", _database_bytes())
    missed = ResultSummary.objects.filter(expectation_verdict=VerdictKind.MISSED.value)
    yield gauge("expectations_missed", "Results that missed an expectation.", missed.count())


def _database_bytes() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return float(cursor.fetchone()[0])
