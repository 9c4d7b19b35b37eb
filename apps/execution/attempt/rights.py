"""Whether an attempt may start now: rights, hosts and enrolments are those of this moment, not of
the launch.
"""

from __future__ import annotations

from collections.abc import Iterator

from apps.accounts.models import User
from apps.execution.attempt.places import Place, places_of, writes_to_disks
from apps.inventory.models import Disk, Host
from apps.runs.models import Attempt, Run


def refusal_now(attempt: Attempt) -> str:
    """Why this attempt may not start after all; empty when it may."""
    return next(_refusals(attempt), "")


def _refusals(attempt: Attempt) -> Iterator[str]:
    run, places = attempt.case.run, places_of(attempt.case)
    owner = User.objects.get(pk=run.owner_id)
    if not owner.is_operator:
        yield f"{owner.username} may no longer launch runs"
    enabled = set(
        Host.objects.filter(pk__in=[p.host for p in places], enabled=True).values_list(
            "pk", flat=True
        )
    )
    for place in places:
        if place.host not in enabled:
            yield f"{place.name} is disabled in benchlab"
    yield from _cluster_refusals(places)
    if any(writes_to_disks(job.spec) for job in attempt.jobs.all()):
        yield from _disk_refusals(run, places)


def _cluster_refusals(places: list[Place]) -> Iterator[str]:
    """A pool of two clusters at once: each host would measure another one."""
    ids = [place.host for place in places if place.members[0].kind == "pool"]
    known = Host.objects.filter(pk__in=ids).exclude(cluster_fsid="").order_by("name")
    found = {host.cluster_fsid: host.name for host in known}
    if len(found) > 1:
        names = " and ".join(sorted(found.values()))
        yield f"{names} are clients of different Ceph clusters, so they share no pool"


def _disk_refusals(run: Run, places: list[Place]) -> Iterator[str]:
    for place in places:
        for member in place.members:
            disk = Disk.objects.filter(target=member.target_id, identity=member.identity).first()
            if disk is None or not disk.is_enrolled:
                name = disk or f"{place.name}: {member.label}"
                yield f"{name} is no longer enrolled as expendable"
    wiper = User.objects.filter(pk=run.wipe_confirmed_by_id or 0).first()
    if wiper is not None and not wiper.is_disk_owner:
        yield f"{wiper.username}, who confirmed the wipe, is no longer a disk owner"
