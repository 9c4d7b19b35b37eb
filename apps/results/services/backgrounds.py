"""The figures of a background load, which are shown and never compared."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from apps.common.schemas.storable import cleaned
from apps.results.selectors.jobs import DoneJob, Files, jobs_of
from apps.runs.models import Attempt, RunBackground
from apps.runs.schemas import BackgroundFigures, BackgroundReport
from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import as_message
from apps.tools.parse_result import Measurement, Output
from apps.tools.registry import parse_output

log = logging.getLogger(__name__)
MAX_FIGURES = 100


def background_report(
    attempt: Attempt, files: Files, *, ahead_seconds: float | None, fault: str
) -> BackgroundReport:
    """Return what the background load of an attempt did, as far as its output tells."""
    load = attempt.case.background
    assert load is not None, "only a case with a load has a report of it"
    figures = [one for job in jobs_of(attempt) for one in _figures(load, job, files)]
    return BackgroundReport(ahead_seconds, as_message(cleaned(fault)), tuple(figures[:MAX_FIGURES]))


def _figures(load: RunBackground, job: DoneJob, files: Files) -> Iterator[BackgroundFigures]:
    serves = any(command.get("listens") for command in job.spec["commands"])
    if not job.is_background or serves:
        return
    own = {
        name.removeprefix(job.prefix): data
        for name, data in files.items()
        if name.startswith(job.prefix)
    }
    roles = {command.role: command.stdout for command in job.commands(files)}
    try:
        # Its exit code tells that benchlab ended it.
        parsed = parse_output(load.tool, Output(own, 0, load.params, roles))
    except (ToolError, OutputError) as error:
        log.info("background load of case %s: no figures: %s", job.name, error)
        return
    except Exception:
        # A load is ended in the middle of a line; its figures decide nothing.
        log.exception("background load of %s: its output could not be read", job.name)
        return
    for measurement in parsed.measurements:
        yield _shown(job.host_name, measurement)


def _shown(host: str, measurement: Measurement) -> BackgroundFigures:
    latency = measurement.latency
    return BackgroundFigures(
        host=host,
        operation=measurement.operation,
        bandwidth=measurement.bandwidth,
        iops=measurement.iops,
        latency_mean=latency.mean if latency else None,
        latency_p99=latency.percentiles.get("99") if latency else None,
    )
