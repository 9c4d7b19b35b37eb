"""Store what a disturbance did: its record, and its figures as metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apps.results.domain.disturbance_figures import client_series, document_of
from apps.results.domain.disturbance_log import LOG, DisturbanceLog, read_log
from apps.results.models import DisturbanceRecord, Series
from apps.results.schemas.disturbance import DisturbanceDocument
from apps.results.services.write import NewSeries, series_replace
from apps.runs.models import Attempt, RunExpectation
from apps.tools.metrics import DISTURBED_PHASES
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.parse_result import Series as ParsedSeries


def log_of(files: Mapping[str, bytes]) -> DisturbanceLog:
    """Return the log of the attempt's host that carried out the disturbance."""
    names = [name for name in sorted(files) if name.rpartition("/")[2].endswith(LOG)]
    return read_log(b"\n".join(files[name] for name in names))


def disturbance_store(
    *, attempt: Attempt, parsed: Parsed | None, files: Mapping[str, bytes]
) -> None:
    """Replace the record of an attempt and its metrics; an attempt without one has neither."""
    wanted = attempt.case.run.spec.disturbance
    if not wanted or attempt.imported is not None:
        return
    results = _of_load(attempt, parsed)
    client = client_series(results)
    document = None
    if client is not None:
        expected = _expected_iops(attempt)
        document = document_of(log_of(files), wanted.kind, wanted.text, client, expected)
    DisturbanceRecord.objects.filter(attempt=attempt).delete()
    new: list[NewSeries] = []
    if document is not None:
        DisturbanceRecord.objects.create(attempt=attempt, document=document)
        figures = dict(_figures(document))
        new = [
            _series(attempt, one.operation, *pair) for one in results for pair in figures.items()
        ]
    series_replace([attempt], Series.Source.CLUSTER, new)


def _of_load(attempt: Attempt, parsed: Parsed | None) -> list[Measurement]:
    """Return the whole results of the load; of rados' operations the last one."""
    whole = [one for one in parsed.measurements if not one.component] if parsed else []
    last = max((one.call for one in whole), default=0)
    return [one for one in whole if one.call == last]


def _expected_iops(attempt: Attempt) -> float | None:
    """Return the highest expected minimum of the IOPS; None without one."""
    case = attempt.case
    rows = RunExpectation.objects.filter(
        run_target=case.run_target_id,
        workload=case.workload_id,
        step_name=case.step_name,
        metric="iops",
        direction=RunExpectation.Direction.LEAST,
    )
    return max((row.bound for row in rows), default=None)


def _figures(document: DisturbanceDocument) -> Iterator[tuple[str, float]]:
    """Yield the metrics that are known; the time of a re-added member is none of a rebuild."""
    values: list[tuple[str, float | None]] = [
        ("time_to_clean_seconds", None if document.is_readded else document.time_to_clean),
        ("time_to_return_seconds", document.time_to_return),
        ("recovered_bytes", document.recovered_bytes),
        ("iops_worst_second", document.worst_iops),
        ("seconds_below_expectation", document.below_seconds),
    ]
    for phase in document.phases:
        for name, value in zip(
            DISTURBED_PHASES.get(phase.name, ()), (phase.iops, phase.latency_p99), strict=False
        ):
            values.append((name, value))
    yield from ((name, float(value)) for name, value in values if value is not None)


def _series(attempt: Attempt, operation: str, name: str, value: float) -> NewSeries:
    found = ParsedSeries(name, (value,))
    return NewSeries(attempt, Series.Source.CLUSTER, operation, found)
