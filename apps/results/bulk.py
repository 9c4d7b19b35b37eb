"""Many new attempts' results at once: a statement for each kind of row, not for each row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from apps.results.chunks import encode
from apps.results.models import Histogram, Measurement, Series, SeriesChunk
from apps.results.services import histogram_row, measurement_row
from apps.runs.models import Attempt
from apps.tools import base

BATCH = 500
CHUNKS = 50


@dataclass(frozen=True)
class NewResult:
    """What a new attempt measured, as `results_store` takes it."""

    attempt: Attempt
    parsed: base.Parsed
    parser_version: int
    invalid_reason: str = ""


@transaction.atomic
def results_add(results: Sequence[NewResult]) -> None:
    """Store the results of attempts that have none yet."""
    pairs = [(result, found) for result in results for found in result.parsed.measurements]
    rows = Measurement.objects.bulk_create(
        [
            measurement_row(
                result.attempt, found, result.parsed, result.parser_version, result.invalid_reason
            )
            for result, found in pairs
        ],
        batch_size=BATCH,
    )
    bins = zip(rows, (found.histogram for _result, found in pairs), strict=True)
    Histogram.objects.bulk_create(
        [histogram_row(row, histogram) for row, histogram in bins if histogram and histogram.bins],
        batch_size=BATCH,
    )
    _series_add(pairs)


def _series_add(pairs: Iterable[tuple[NewResult, base.Measurement]]) -> None:
    series = [(result.attempt, found, each) for result, found in pairs for each in found.series]
    rows = Series.objects.bulk_create(
        [
            Series(
                attempt=attempt,
                source=Series.Source.TOOL,
                part=found.part,
                subject=found.operation,
                metric=each.metric,
                start=each.start,
                interval=each.interval,
                length=len(each.values),
            )
            for attempt, found, each in series
        ],
        batch_size=BATCH,
    )
    SeriesChunk.objects.bulk_create(
        (
            SeriesChunk(
                series=row,
                index=chunk.index,
                values=chunk.values,
                tile_minima=chunk.tile_minima,
                tile_maxima=chunk.tile_maxima,
            )
            for row, (_attempt, _found, each) in zip(rows, series, strict=True)
            for chunk in encode(each.values)
        ),
        batch_size=CHUNKS,
    )
