"""Writing results: measurements with their histograms, series in chunks, and rebuilding both from
the raw output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from apps.inventory.facts import cleaned
from apps.results.chunk_rows import chunks_copy
from apps.results.chunks import encode
from apps.results.devices import device_samples
from apps.results.models import Histogram, Measurement, Series
from apps.results.reading import attempt_parse
from apps.runs.artifacts import attempt_files
from apps.runs.models import Attempt
from apps.tools import base, blockstat
from apps.tools.registry import tool
from apps.tools.stalls import slowest_window

# Ids of an attempt's series by part, subject and metric.
SeriesIds = dict[tuple[str, str, str], int]
NAMED = {"50": "p50", "95": "p95", "99": "p99", "99.9": "p999", "99.99": "p9999"}


@transaction.atomic
def results_store(
    *, attempt: Attempt, parsed: base.Parsed, parser_version: int, invalid_reason: str = ""
) -> list[Measurement]:
    """Replace the attempt's results by what was parsed. `invalid_reason` keeps them out of
    comparisons. What was there before keeps its id: links and the API's numbers stay good.
    """
    before = {(row.operation, row.part): row for row in attempt.measurements.all()}
    known = _series_known(attempt, Series.Source.TOOL)
    rows = []
    for found in parsed.measurements:
        row = measurement_row(attempt, found, parsed, parser_version, invalid_reason)
        _save_in_place(row, before.pop((row.operation, row.part), None))
        rows.append(row)
        if found.histogram is not None and found.histogram.bins:
            histogram_row(row, found.histogram).save()
        series_store(
            attempt=attempt,
            source=Series.Source.TOOL,
            subject=found.operation,
            series=found.series,
            part=found.part,
            known=known,
        )
    Measurement.objects.filter(pk__in=[row.pk for row in before.values()]).delete()
    Series.objects.filter(pk__in=known.values()).delete()
    return rows


def _save_in_place(row: Measurement, before: Measurement | None) -> None:
    if before is not None:
        row.pk, row.created_at = before.pk, before.created_at
        Histogram.objects.filter(measurement=before).delete()
    row.save(force_insert=before is None, force_update=before is not None)


def _series_known(attempt: Attempt, source: Series.Source) -> SeriesIds:
    rows = attempt.series.filter(source=source)
    return {(row.part, row.subject, row.metric): row.pk for row in rows}


def histogram_row(row: Measurement, found: base.Histogram) -> Histogram:
    """The row (not saved yet) of a measurement's latency distribution."""
    return Histogram(measurement=row, bins=list(found.bins), counts=list(found.counts))


def measurement_row(
    attempt: Attempt, found: base.Measurement, parsed: base.Parsed, version: int, invalid: str
) -> Measurement:
    """The row (not saved yet) of one operation or one part of it."""
    latency = found.latency
    named = {f"latency_{name}": latency.percentiles.get(percent) for percent, name in NAMED.items()}
    return Measurement(
        attempt=attempt,
        case_id=attempt.case_id,
        operation=cleaned(found.operation),
        part=cleaned(found.part),
        bandwidth=found.bandwidth,
        iops=found.iops,
        latency_min=latency.min,
        latency_mean=latency.mean,
        latency_max=latency.max,
        latency_stddev=latency.stddev,
        percentiles=dict(latency.percentiles),
        values=cleaned(found.values | slowest_window(found)),
        valid=not invalid,
        invalid_reason=invalid,
        parser_version=version,
        format=parsed.format,
        **named,
    )


def series_store(
    *,
    attempt: Attempt,
    source: Series.Source,
    subject: str,
    series: Iterable[base.Series],
    part: str = "",
    known: SeriesIds | None = None,
) -> None:
    """Store series of one subject (an operation, or a device), chunked. `part` as in the model. One
    that is `known` keeps its id and is taken out of there.
    """
    for found in series:
        pk = known.pop((part, subject, found.metric), None) if known else None
        row = Series(
            pk=pk,
            attempt=attempt,
            source=source,
            part=part,
            subject=subject,
            metric=found.metric,
            start=found.start,
            interval=found.interval,
            length=len(found.values),
        )
        row.save(force_insert=pk is None, force_update=pk is not None)
        if pk is not None:
            row.chunks.all().delete()
        chunks_copy(row.pk, encode(found.values))


@transaction.atomic
def device_view_store(*, attempt: Attempt, files: Mapping[str, bytes]) -> None:
    """Replace the devices' view of an attempt by what its device logs say, each host's on the
    attempt's own time axis.
    """
    known = _series_known(attempt, Series.Source.DEVICE)
    for host, subject, samples in device_samples(attempt, files):
        series_store(
            attempt=attempt,
            source=Series.Source.DEVICE,
            subject=subject,
            series=blockstat.device_series(samples),
            part=host,
            known=known,
        )
    Series.objects.filter(pk__in=known.values()).delete()


@transaction.atomic
def attempt_reparse(*, attempt: Attempt) -> list[Measurement]:
    """Rebuild an attempt's results from its stored raw output with today's parser. Raises
    ToolError, OutputError.
    """
    files = attempt_files(attempt)
    parsed = attempt_parse(attempt, files)
    device_view_store(attempt=attempt, files=files)
    return results_store(
        attempt=attempt,
        parsed=parsed,
        parser_version=tool(attempt.case.tool).parser_version,
        invalid_reason=attempt.invalid_reason,
    )
