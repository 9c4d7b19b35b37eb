"""Health of a Ceph cluster during an attempt, for its reason or its warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from apps.execution.domain.failures import Failure
from apps.remote.responses import exit_timestamp
from apps.results.selectors.jobs import DoneJob, Files
from apps.results.services.devices import log_name
from apps.runs.models import FailureCause
from apps.tools.devices.ceph_health import LOG, Health, appeared, read_log, worst
from apps.tools.messages import join_messages, message


def explained(failure: Failure, jobs: Sequence[DoneJob], files: Files) -> Failure:
    """Return the failure with the worst health of the cluster, if it was not healthy.

    A cluster that does not respond, or is full, is the host's fault, not the tool's.
    """
    result = worst(_seen(jobs, files))
    if result is None:
        return failure
    to_blame = result.stops and failure.failure_cause == FailureCause.TOOL
    return replace(
        failure,
        reason=join_messages(
            failure.reason, message("Ceph reported meanwhile: %(what)s", what=result.sentence())
        ),
        failure_cause=FailureCause.HOST if to_blame else failure.failure_cause,
        says_little=False,
    )


def health_warnings(jobs: Sequence[DoneJob], files: Files) -> list[str]:
    """Return warnings for health checks that appeared during the measurement."""
    began, ended = _timestamps(jobs, "started"), _timestamps(jobs, "ended")
    if not began or not ended:
        return []
    fresh = appeared(_seen(jobs, files), min(began), max(ended))
    return [
        message("Ceph reported during the test: %(what)s", what=health.sentence())
        for health in fresh
    ]


def _timestamps(jobs: Sequence[DoneJob], which: Literal["started", "ended"]) -> list[float]:
    """Return that time of the jobs that watched the cluster, by their hosts' clocks."""
    watching = [job for job in jobs if job.spec.get("ceph")]
    times = [exit_timestamp(job.exit, which, "monotonic") for job in watching]
    return [time for time in times if time is not None]


def _seen(jobs: Sequence[DoneJob], files: Files) -> list[Health]:
    """Return all health records, ordered by the watching host's clock."""
    watching = [job for job in jobs if job.spec.get("ceph")]
    names = [job.prefix + log_name(job, list(jobs), LOG) for job in watching]
    result = [health for name in names for health in read_log(files.get(name, b""))]
    return sorted(result, key=lambda health: health.timestamp)
