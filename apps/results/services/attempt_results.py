"""Store the results of an attempt and its devices; rebuild them from raw output."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from apps.results.models import Series
from apps.results.services.costs import costs_store
from apps.results.services.devices import device_samples, host_samples
from apps.results.services.disturbances import disturbance_store
from apps.results.services.parse import attempt_parse
from apps.results.services.write import NewResult, NewSeries, results_write, series_replace
from apps.runs.models import Attempt
from apps.runs.services.artifacts import attempt_files
from apps.runs.services.versions import runs_touch
from apps.tools import parse_result
from apps.tools.devices import blockstat, hoststat
from apps.tools.registry import tool


def results_store(
    *, attempt: Attempt, parsed: parse_result.Parsed, parser_version: int, invalid_reason: str = ""
) -> list[int]:
    """Replace the results of an attempt."""
    return results_write([NewResult(attempt, parsed, parser_version, invalid_reason)])


def device_view_store(*, attempt: Attempt, files: Mapping[str, bytes]) -> None:
    """Replace the series of devices and hosts by those of the attempt's logs."""
    new = [
        NewSeries(attempt, Series.Source.DEVICE, subject, result, host)
        for host, subject, samples in device_samples(attempt, files)
        for result in blockstat.device_series(samples)
    ]
    series_replace([attempt], Series.Source.DEVICE, new)
    hosts = [
        NewSeries(attempt, Series.Source.HOST, subject, result, host)
        for host, samples in host_samples(attempt, files)
        for subject, result in hoststat.host_series(samples)
    ]
    series_replace([attempt], Series.Source.HOST, hosts)


@transaction.atomic
def attempt_reparse(*, attempt: Attempt) -> list[int]:
    """Rebuild the results of an attempt from its raw output with the current parser.

    Raises:
        ToolError, OutputError: the output cannot be parsed.
    """
    files = attempt_files(attempt)
    parsed = attempt_parse(attempt, files)
    device_view_store(attempt=attempt, files=files)
    costs_store(attempt=attempt, files=files, parsed=parsed)
    disturbance_store(attempt=attempt, parsed=parsed, files=files)
    keys = results_store(
        attempt=attempt,
        parsed=parsed,
        parser_version=tool(attempt.case.tool).parser_version,
        invalid_reason=attempt.invalid_reason,
    )
    runs_touch([attempt.case.run_id])
    return keys
