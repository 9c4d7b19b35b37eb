"""A Ceph cluster's health while an attempt ran, for its reason or beside its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from apps.execution.domain.failures import Failure
from apps.remote.answers import moment_of
from apps.results.selectors.jobs import DoneJob, Files
from apps.results.services.devices import log_name
from apps.runs.models import Fault
from apps.tools.devices.ceph_health import LOG, Health, appeared, read_log, worst
from apps.tools.messages import join_messages, message


def explained(failure: Failure, jobs: Sequence[DoneJob], files: Files) -> Failure:
    """The failure with what the cluster said meanwhile, if that was not healthy.

    A tool that waits for a cluster that cannot answer, or that is full, is not to blame.
    """
    found = worst(_seen(jobs, files))
    if found is None:
        return failure
    to_blame = found.stops and failure.fault == Fault.TOOL
    return replace(
        failure,
        reason=join_messages(
            failure.reason, message("Ceph said meanwhile: %(what)s", what=found.sentence())
        ),
        fault=Fault.HOST if to_blame else failure.fault,
        says_little=False,
    )


def health_warnings(jobs: Sequence[DoneJob], files: Files) -> list[str]:
    """Complaints of the cluster that began while it was measured."""
    began, ended = _moments(jobs, "started"), _moments(jobs, "ended")
    if not began or not ended:
        return []
    fresh = appeared(_seen(jobs, files), min(began), max(ended))
    return [
        message("Ceph said during the test: %(what)s", what=health.sentence()) for health in fresh
    ]


def _moments(jobs: Sequence[DoneJob], which: Literal["started", "ended"]) -> list[float]:
    """That moment of the jobs that watched the cluster: hosts' clocks differ."""
    watching = [job for job in jobs if job.spec.get("ceph")]
    told = [moment_of(job.exit, which, "monotonic") for job in watching]
    return [moment for moment in told if moment is not None]


def _seen(jobs: Sequence[DoneJob], files: Files) -> list[Health]:
    """All that was seen, in the watching host's own time."""
    watching = [job for job in jobs if job.spec.get("ceph")]
    names = [job.prefix + log_name(job, list(jobs), LOG) for job in watching]
    found = [health for name in names for health in read_log(files.get(name, b""))]
    return sorted(found, key=lambda health: health.moment)
