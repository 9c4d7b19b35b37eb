"""Counters of devices and hosts during an attempt, from the logs of its jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.remote.responses import exit_timestamp
from apps.results.selectors.jobs import DoneJob, Files, job_rows, jobs_of
from apps.runs.models import Attempt
from apps.runs.selectors.start_skew import starts_of
from apps.tools.devices import hoststat
from apps.tools.devices.blockstat import Sample, read_log
from apps.tools.devices.hoststat import HostSample

LOG = "device.log"


def device_samples(attempt: Attempt, files: Files) -> Iterator[tuple[str, str, list[Sample]]]:
    """Yield (host, device, samples); the host is "" if there is only one.

    The stages of all hosts share one time axis. It starts with the first command of the first host.
    """
    result: dict[tuple[str, str], list[Sample]] = {}
    jobs = _observing(attempt)
    starts = starts_of(job_rows(attempt)).after
    for job in jobs:
        shift = float(starts.get(job.name, 0.0)) + _since_first(job, jobs)
        for device, samples in read_log(files.get(job.prefix + log_name(job, jobs), b"")).items():
            later = [Sample(sample.seconds + shift, sample.stat) for sample in samples]
            result.setdefault((job.name, device), []).extend(later)
    for (host, device), samples in result.items():
        yield host, device, samples


def host_samples(attempt: Attempt, files: Files) -> Iterator[tuple[str, list[HostSample]]]:
    """Yield (host, samples) on the same axis, with hosts that only apply settings."""
    result: dict[str, list[HostSample]] = {}
    jobs = _observing(attempt)
    starts = starts_of(job_rows(attempt)).after
    for job in jobs:
        shift = float(starts.get(job.name, 0.0)) + _since_first(job, jobs)
        data = files.get(job.prefix + log_name(job, jobs, hoststat.LOG), b"")
        later = [replace(one, seconds=one.seconds + shift) for one in hoststat.read_log(data)]
        result.setdefault(job.name, []).extend(later)
    yield from result.items()


def _observing(attempt: Attempt) -> list[DoneJob]:
    """Return the jobs that write logs of counters."""
    return [job for job in jobs_of(attempt) if not job.spans_stages]


def log_name(job: DoneJob, jobs: list[DoneJob], log: str = LOG) -> str:
    """Return the name of a stored log of the agent; later stages of a host prefix their number."""
    first = next(each for each in jobs if each.name == job.name and not each.spans_stages)
    return log if job.stage == first.stage else f"stage{job.stage}.{log}"


def _since_first(job: DoneJob, jobs: list[DoneJob]) -> float:
    """Return the seconds from the host's first job to this one, by the host's clock."""
    own = [_started(each) for each in jobs if each.name == job.name]
    known = [moment for moment in own if moment is not None]
    mine = _started(job)
    return mine - min(known) if mine is not None else 0.0


def _started(job: DoneJob) -> float | None:
    return exit_timestamp(job.exit, "started", "monotonic")
