"""Extents of series that are older than their columns: read from the chunks, and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.results.models import Series, SeriesChunk
from apps.results.series.chunks import decode
from apps.results.series.extents import Extent, columns_of_extent, extent_of, together

BATCH = 1_000
COLUMNS = ("known", "minimum", "mean", "maximum", "stddev")


def extents_read(series: Sequence[Series]) -> dict[int, Extent]:
    """By series, where it has a value: one chunk after the other, however many there are."""
    rows = SeriesChunk.objects.filter(series__in=series).order_by("series", "index")
    found: dict[int, Extent] = {}
    for pk, values in rows.values_list("series", "values").iterator(chunk_size=50):
        part = extent_of(decode([bytes(values)]))
        if part is not None:
            found[pk] = together(found[pk], part) if pk in found else part
    return found


def extents_missing() -> int:
    """The number of series whose columns are not filled yet."""
    return Series.objects.filter(known__isnull=True).count()


def extents_fill() -> Iterator[int]:
    """Fill the columns of series that are older than they are, BATCH at a time. Yields how many
    each time; may be stopped and started again.
    """
    while batch := list(Series.objects.filter(known__isnull=True).order_by("pk")[:BATCH]):
        found = extents_read(batch)
        for row in batch:
            told = columns_of_extent(found.get(row.pk))
            for name, value in zip(COLUMNS, told, strict=True):
                setattr(row, name, value)
        Series.objects.bulk_update(batch, COLUMNS)
        yield len(batch)
