"""Query of the mean request sizes that block devices received during tests."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Max

from apps.results.models import Measurement, Series

METRIC = "request_size"


def request_sizes_of(measurements: Collection[int]) -> dict[int, float]:
    """Return the mean request size in bytes of those measurements (ids) that have a device series.

    Of several disks that with the largest requests.
    """
    rows = Measurement.objects.filter(
        pk__in=measurements,
        attempt__series__source=Series.Source.DEVICE,
        attempt__series__metric=METRIC,
        attempt__series__mean__isnull=False,
    ).order_by()
    return dict(rows.annotate(size=Max("attempt__series__mean")).values_list("pk", "size"))
