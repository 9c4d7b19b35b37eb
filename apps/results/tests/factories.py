"""Results for tests."""

from __future__ import annotations

from collections.abc import Iterable

from apps.results.models import Series
from apps.results.services.attempt_results import results_store
from apps.results.services.write import NewSeries, series_write
from apps.runs.models import Attempt
from apps.runs.services.artifacts import artifact_of
from apps.tools import parse_result
from apps.tools.values import Values

BINS, COUNTS = (1_000, 2_000, 400_000), (90, 9, 1)


def series_store(
    *,
    attempt: Attempt,
    source: Series.Source,
    subject: str,
    series: Iterable[parse_result.Series],
    component: str = "",
) -> None:
    """Store series of one subject (an operation, or a device) beside the others."""
    series_write([NewSeries(attempt, source, subject, found, component) for found in series])


def create_results(attempt: Attempt, *, invalid_reason: str = "") -> Attempt:
    """Reads with a histogram, ten seconds of the tool's and the device's figures, raw files."""
    values: Values = {
        "total_ios": 100,
        "jobs": [{"name": "benchlab", "iops": 123.5}],
        "modes": [1, 2],
    }
    measurement = parse_result.Measurement(
        operation="read",
        bandwidth=128 * 2.0**20,
        iops=32_768.0,
        latency=parse_result.Latency(
            min=900.0, mean=1_500.0, max=400_100.0, stddev=12.5,
            percentiles={"50": 1_000.0, "99": 2_000.0, "99.9": 400_000.0},
        ),
        values=values,
        series=[
            parse_result.Series(metric, tuple(100.0 + n for n in range(10)))
            for metric in ("iops", "bandwidth", "latency_mean")
        ],
        histogram=parse_result.Histogram(BINS, COUNTS),
    )  # fmt: skip
    parsed = parse_result.Parsed("fio", "json+", "3.33", (measurement,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1, invalid_reason=invalid_reason)
    series_store(
        attempt=attempt,
        source=Series.Source.DEVICE,
        subject="loop7",
        series=[parse_result.Series("utilisation", tuple(range(10)))],
    )
    for name, content in (("result.json", b'{"fio": 1}'), ("stderr", b"fio: a warning\n")):
        artifact_of(attempt, name, content).save()
    return attempt
