"""Fingerprints of disks: the one that an attempt expects, and the one it leaves behind."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.execution.cleanup.leftovers import is_claimed
from apps.execution.runtime.database import run_until_available
from apps.inventory.domain.fingerprints import unknown_content
from apps.inventory.models import Disk
from apps.inventory.schemas.preconditioning import PreconditioningState
from apps.inventory.services import disk_content_refused, disk_content_seen, disk_written
from apps.remote.client import Client
from apps.remote.errors import AgentRefusal, BadAnswer
from apps.remote.job_spec import DiskSpec, Fingerprint, JobSpec, targets_of
from apps.runs.models import Attempt, AttemptJob, JobState, Member


@dataclass(frozen=True)
class Left:
    """The state a preparation brought its disks into, and how many of its acts were done before."""

    preconditioning: PreconditioningState | None = None
    behind: int = 0


NOTHING_LEFT = Left()
log = logging.getLogger(__name__)


def expected_content(member: Member) -> Fingerprint | None:
    """The fingerprint that a disk must have when a test begins to write to it; None: nothing is
    known.
    """
    rows = Disk.objects.filter(target=member.target_id, identity=member.identity)
    known: Fingerprint | None = rows.values_list("fingerprint", flat=True).first()
    return known


def under_way(spec: JobSpec) -> None:
    """Mark the disks of a later job of a host: the one before may have written already."""
    for target in targets_of(spec):
        if target["kind"] == "disk":
            target["fingerprint"] = unknown_content(target.get("fingerprint"), target["size"] or 0)


def contents_note(
    attempt: Attempt, reason: str, *, touched: bool, left: Left = NOTHING_LEFT
) -> None:
    """Keep what an attempt that ends now left on its disks. `touched`: something of it may have
    been started on a host, as far as nothing else says so. `left`: the state it brought them
    into.
    """
    jobs = list(attempt.jobs.all())
    for job in jobs:
        if _may_have_written(job, jobs, touched):
            prints = _prints(job)
            for number, target in _written_to(job.spec):
                told = prints[number] if number < len(prints) else None
                disk_written(
                    host_id=job.host_id,
                    identity=target["identity"],
                    told=told,
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
    told = job.exit or job.refused or {}
    return told.get("fingerprints") or []


def _may_have_written(job: AttemptJob, jobs: Sequence[AttemptJob], touched: bool) -> bool:
    """Whether anything was started. Where the host's last word does not say so: it was launched, or
    was being launched and waits for no release.
    """
    if job.state in (JobState.LOST, JobState.BAD):
        return True
    if job.state in (JobState.DONE, JobState.REFUSED):
        # A file system may have been made, and then something else stood in the way.
        return bool(job.exit.get("started")) or bool(_prints(job))
    act = next((each.act for each in jobs if not each.launched), None)
    launching = job.state == JobState.OPEN and job.act == act and not job.is_held
    return touched and (job.launched or launching)


async def contents_seen(client: Client, host_id: int) -> None:
    """Look at what the enrolled disks of a host hold, unless a run is on it. Raises
    HostError when contact is lost.
    """
    if await run_until_available(is_claimed, host_id):
        return
    for disk in await run_until_available(_enrolled, host_id):
        before = disk.fingerprint
        try:
            seen = await client.inspect(disk.identity, write=False, fingerprint=before)
        except (AgentRefusal, BadAnswer) as error:
            log.warning("%s could not be looked at: %s", disk, error)
            continue
        if await run_until_available(is_claimed, host_id):
            return
        await run_until_available(
            disk_content_seen,
            disk=disk,
            before=before,
            told=seen.fingerprint,
            reasons=seen.content,
        )


def _enrolled(host_id: int) -> list[Disk]:
    rows = Disk.objects.filter(host_id=host_id, enrolled_at__isnull=False)
    return list(rows.exclude(device_path="").select_related("host"))
