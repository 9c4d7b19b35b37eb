"""The one way in which results get into the database: measurements with their histograms, and
series in chunks, of one attempt or of many, new ones or in place of what was there. A statement for
each kind of row, not for each row.

What is written again keeps its id (an upsert by what is unique): links and the API's numbers stay
good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from apps.inventory.facts import cleaned
from apps.results.chunk_rows import chunks_copy
from apps.results.chunks import Chunk, encode
from apps.results.members import members_named
from apps.results.models import Histogram, Measurement, Series, SeriesChunk
from apps.runs.models import Attempt
from apps.tools import base
from apps.tools.metrics import COLUMNS, columns_of
from apps.tools.stalls import slowest_window

BATCH = 500
_FIGURES = (
    *("case", "member", *COLUMNS, "percentiles", "values", "valid", "invalid_reason"),
    *("parser_version", "format"),
)


@dataclass(frozen=True)
class NewResult:
    """What an attempt measured. `invalid_reason` keeps it out of comparisons."""

    attempt: Attempt
    parsed: base.Parsed
    parser_version: int
    invalid_reason: str = ""


@dataclass(frozen=True)
class NewSeries:
    """A series of one subject (an operation, or a device) of an attempt. `part` as in the model."""

    attempt: Attempt
    source: Series.Source
    subject: str
    found: base.Series
    part: str = ""


@transaction.atomic
def results_write(results: Sequence[NewResult]) -> list[Measurement]:
    """Store what these attempts measured in place of what they had."""
    pairs = [(result, found) for result in results for found in result.parsed.measurements]
    attempts = [result.attempt for result in results]
    before = _ids(Measurement.objects.filter(attempt__in=attempts))
    members = _members([(result.attempt, found.part) for result, found in pairs])
    rows = Measurement.objects.bulk_create(
        [
            _measurement(result, found, member)
            for (result, found), member in zip(pairs, members, strict=True)
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["attempt", "operation", "part"],
        update_fields=_FIGURES,
    )
    Measurement.objects.filter(pk__in=before - {row.pk for row in rows}).delete()
    _histograms_write(rows, [found.histogram for _result, found in pairs])
    series = [
        NewSeries(result.attempt, Series.Source.TOOL, found.operation, each, found.part)
        for result, found in pairs
        for each in found.series
    ]
    series_replace(attempts, Series.Source.TOOL, series)
    return rows


@transaction.atomic
def series_replace(
    attempts: Sequence[Attempt], source: Series.Source, new: Sequence[NewSeries]
) -> None:
    """Store these series in place of those that the attempts had from the source."""
    before = _ids(Series.objects.filter(attempt__in=attempts, source=source))
    kept = {row.pk for row in series_write(new)}
    Series.objects.filter(pk__in=before - kept).delete()


@transaction.atomic
def series_write(new: Sequence[NewSeries]) -> list[Series]:
    """Store these series, each in place of the same one, beside whatever else there is."""
    if not new:
        return []
    members = _members([(each.attempt, _place(each)) for each in new])
    rows = Series.objects.bulk_create(
        [_series(each, member) for each, member in zip(new, members, strict=True)],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["attempt", "source", "part", "subject", "metric"],
        update_fields=["member", "start", "interval", "length"],
    )
    SeriesChunk.objects.filter(series__in=rows).delete()
    chunks_copy(_chunks(rows, new))
    return rows


def _members(parts: Sequence[tuple[Attempt, str]]) -> list[int | None]:
    """The member that each part of an attempt's results is; None for the whole. One query, none
    without parts.
    """
    known = members_named({attempt for attempt, part in parts if part})
    return [known.get(attempt.pk, {}).get(part) if part else None for attempt, part in parts]


def _place(new: NewSeries) -> str:
    """The part that a series is of, as members are called: a device by its own name."""
    device = new.source == Series.Source.DEVICE
    return f"{new.part} {new.subject}".strip() if device else new.part


def _chunks(rows: Iterable[Series], new: Iterable[NewSeries]) -> Iterator[tuple[int, Chunk]]:
    """Encoded one series at a time: a log's millions of values are in memory once."""
    for row, each in zip(rows, new, strict=True):
        for chunk in encode(each.found.values):
            yield row.pk, chunk


def _histograms_write(rows: Sequence[Measurement], found: Sequence[base.Histogram | None]) -> None:
    Histogram.objects.filter(measurement__in=rows).delete()
    Histogram.objects.bulk_create(
        [
            Histogram(measurement=row, bins=list(each.bins), counts=list(each.counts))
            for row, each in zip(rows, found, strict=True)
            if each is not None and each.bins
        ],
        batch_size=BATCH,
    )


def _measurement(result: NewResult, found: base.Measurement, member: int | None) -> Measurement:
    return Measurement(
        attempt=result.attempt,
        case_id=result.attempt.case_id,
        operation=cleaned(found.operation),
        part=cleaned(found.part),
        member_id=member,
        percentiles=dict(found.latency.percentiles),
        values=cleaned(found.values | slowest_window(found)),
        valid=not result.invalid_reason,
        invalid_reason=result.invalid_reason,
        parser_version=result.parser_version,
        format=result.parsed.format,
        **columns_of(found),
    )


def _series(new: NewSeries, member: int | None) -> Series:
    return Series(
        attempt=new.attempt,
        source=new.source,
        part=new.part,
        member_id=member,
        subject=new.subject,
        metric=new.found.metric,
        start=new.found.start,
        interval=new.found.interval,
        length=len(new.found.values),
    )


def _ids(rows: models.QuerySet[Any]) -> set[int]:
    return set(rows.order_by().values_list("pk", flat=True))
