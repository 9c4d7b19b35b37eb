"""Write what attempts left on their disks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.execution.domain.preconditioning import NOTHING_LEFT, PreconditioningProgress
from apps.inventory.services import disk_content_refused, disk_written
from apps.remote.job_spec import DiskSpec, Fingerprint, JobSpec, targets_of
from apps.runs.models import Attempt, AttemptJob, JobState


def disk_contents_store(
    attempt: Attempt, reason: str, *, touched: bool, left: PreconditioningProgress = NOTHING_LEFT
) -> None:
    """Store the content of the disks of an attempt that ends.

    `touched`: a job may have been started on a host, if its end does not tell. `left`: the state
    of preconditioning it brought them into.
    """
    jobs = list(attempt.jobs.all())
    for job in jobs:
        if _may_have_written(job, jobs, touched):
            prints = _prints(job)
            for number, target in _written_to(job.spec):
                reported = prints[number] if number < len(prints) else None
                disk_written(
                    host_id=job.host_id,
                    identity=target["identity"],
                    reported=reported,
                    preconditioning=left.preconditioning,
                    behind=left.behind,
                )
    for job in jobs:
        disks = list(_written_to(job.spec))
        for _number, target in disks:
            name, alone = target["identity"], len(disks) == 1 and len(jobs) == 1
            disk_content_refused(host_id=job.host_id, identity=name, reason=reason, alone=alone)


def _written_to(spec: JobSpec) -> Iterator[tuple[int, DiskSpec]]:
    for number, target in enumerate(targets_of(spec)):
        if target["kind"] == "disk" and target["write"]:
            yield number, target


def _prints(job: AttemptJob) -> Sequence[Fingerprint | None]:
    result = job.exit or job.refusal or {}
    return result.get("fingerprints") or []


def _may_have_written(job: AttemptJob, jobs: Sequence[AttemptJob], touched: bool) -> bool:
    """Return True if a command of the job may have written.

    If the job's end does not tell: it was launched, or was being launched without a hold.
    """
    if job.state in (JobState.LOST, JobState.INVALID_RESPONSE):
        return True
    if job.state in (JobState.DONE, JobState.REFUSED):
        # A file system may have been made before the job failed.
        return bool(job.exit.get("started")) or bool(_prints(job))
    stage = next((each.stage for each in jobs if not each.launched), None)
    launching = job.state == JobState.OPEN and job.stage == stage and not job.is_held
    return touched and (job.launched or launching)
