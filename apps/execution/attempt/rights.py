"""Whether an attempt may start now: rights, hosts and enrolments are those of this moment, not of
the launch.
"""

from __future__ import annotations

from collections.abc import Iterator

from apps.accounts.models import User
from apps.execution.attempt.participants import Participant, participants_of, writes_to_disks
from apps.inventory.models import Disk, Host
from apps.runs.models import Attempt, Run


def refusal_now(attempt: Attempt) -> str:
    """Why this attempt may not start after all; empty when it may."""
    return next(_refusals(attempt), "")


def _refusals(attempt: Attempt) -> Iterator[str]:
    run, participants = attempt.case.run, participants_of(attempt.case)
    owner = User.objects.get(pk=run.owner_id)
    if not owner.is_operator:
        yield f"{owner.username} may no longer launch runs"
    enabled = set(
        Host.objects.filter(pk__in=[p.host for p in participants], enabled=True).values_list(
            "pk", flat=True
        )
    )
    for participant in participants:
        if participant.host not in enabled:
            yield f"{participant.name} is disabled in benchlab"
    yield from _cluster_refusals(participants)
    if any(writes_to_disks(job.spec) for job in attempt.jobs.all()):
        yield from _disk_refusals(run, participants)


def _cluster_refusals(participants: list[Participant]) -> Iterator[str]:
    """A pool of two clusters at once: each host would measure another one."""
    ids = [
        participant.host for participant in participants if participant.members[0].kind == "pool"
    ]
    known = Host.objects.filter(pk__in=ids).exclude(cluster_fsid="").order_by("name")
    found = {host.cluster_fsid: host.name for host in known}
    if len(found) > 1:
        names = " and ".join(sorted(found.values()))
        yield f"{names} are clients of different Ceph clusters, so they share no pool"


def _disk_refusals(run: Run, participants: list[Participant]) -> Iterator[str]:
    for participant in participants:
        for member in participant.members:
            disk = Disk.objects.filter(target=member.target_id, identity=member.identity).first()
            if disk is None or not disk.is_enrolled:
                name = disk or f"{participant.name}: {member.label}"
                yield f"{name} is no longer enrolled as expendable"
    wiper = User.objects.filter(pk=run.wipe_confirmed_by_id or 0).first()
    if wiper is not None and not wiper.is_disk_owner:
        yield f"{wiper.username}, who confirmed the wipe, is no longer a disk owner"
