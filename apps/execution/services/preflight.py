"""Check that attempts may start: permissions, hosts and enrolments as stored now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from apps.accounts.models import User
from apps.execution.jobs.participants import (
    Participant,
    background_participants_of,
    osd_hosts_of,
    participants_of,
    writes_to_disks,
)
from apps.inventory.models import Disk, Host
from apps.plans.schemas.disturbance import MD_FAIL, Disturbance
from apps.plans.selectors.failing_disks import member_disk
from apps.runs.models import Attempt, Run
from apps.tools.messages import message
from apps.tools.translation import gettext_noop


def refusal_reason(attempt: Attempt) -> str:
    """Return why this attempt may not start, or ""."""
    return refusal_reasons(attempt.case.run, [attempt]).get(attempt.pk, "")


def refusal_reasons(
    run: Run, attempts: Sequence[Attempt], known: Mapping[int, Host] | None = None
) -> dict[UUID, str]:
    """Return the reasons of the attempts of a run that may not start, by their id.

    `known`: hosts that the caller has just read.
    """
    if not attempts:
        return {}
    participants = {
        attempt.pk: [
            *participants_of(attempt.case),
            *osd_hosts_of(attempt.case),
            *background_participants_of(attempt.case),
        ]
        for attempt in attempts
    }
    hosts = dict(known or {})
    taking_part = {participant.host for own in participants.values() for participant in own}
    if missing := taking_part - hosts.keys():
        hosts |= Host.objects.in_bulk(missing)
    people = list(_people_refusals(run, any(map(_writes, attempts))))
    result = {a.pk: next(_refusals(a, participants[a.pk], hosts, people), "") for a in attempts}
    return {key: refusal for key, refusal in result.items() if refusal}


def _writes(attempt: Attempt) -> bool:
    return any(writes_to_disks(job.spec) for job in attempt.jobs.all())


def _people_refusals(run: Run, writes: bool) -> Iterator[tuple[bool, str]]:
    """Return lost permissions; True if one matters only to attempts that write to disks."""
    owner = User.objects.get(pk=run.owner_id)
    if not owner.is_operator:
        yield False, message("%(user)s may no longer launch runs", user=owner.username)
    if not writes:
        return
    wiper = User.objects.filter(pk=run.wipe_confirmed_by_id or 0).first()
    if wiper is not None and not wiper.is_disk_owner:
        words = gettext_noop("%(user)s, who confirmed the wipe, is no longer a disk owner")
        yield True, message(words, user=wiper.username)


def _refusals(
    attempt: Attempt,
    participants: Sequence[Participant],
    hosts: Mapping[int, Host],
    people: Sequence[tuple[bool, str]],
) -> Iterator[str]:
    yield from (text for disks_only, text in people if not disks_only)
    for participant in participants:
        if participant.host not in hosts or not hosts[participant.host].enabled:
            yield message("%(host)s is disabled in benchlab", host=participant.name)
    loads = background_participants_of(attempt.case)
    yield from _cluster_refusals([one for one in participants if one not in loads], hosts)
    yield from _cluster_refusals(loads, hosts)
    if attempt.case.run.spec.disturbance:
        yield from _disturbance_refusals(attempt.case.run.spec.disturbance, participants[0])
    if _writes(attempt):
        yield from _disk_refusals(_written(attempt))
        yield from (text for disks_only, text in people if disks_only)


def _cluster_refusals(
    participants: Sequence[Participant], hosts: Mapping[int, Host]
) -> Iterator[str]:
    """Refuse a pool with clients of several clusters: each would measure another one."""
    ids = [
        participant.host for participant in participants if participant.members[0].kind == "pool"
    ]
    clients = sorted((hosts[pk] for pk in ids if pk in hosts), key=lambda host: host.name)
    result = {host.cluster_id: host.name for host in clients if host.cluster_id}
    if len(result) > 1:
        words = gettext_noop(
            "%(hosts)s are clients of different Ceph clusters, so they share no pool"
        )
        yield message(words, hosts=", ".join(sorted(result.values())))


def _written(attempt: Attempt) -> list[Participant]:
    """Return the hosts whose disks the test or its background load writes."""
    case, jobs = attempt.case, list(attempt.jobs.all())
    result = []
    if any(writes_to_disks(job.spec) for job in jobs if not job.is_background):
        result += [*participants_of(case), *osd_hosts_of(case)]
    if any(writes_to_disks(job.spec) for job in jobs if job.is_background):
        result += background_participants_of(case)
    return result


def _disturbance_refusals(wanted: Disturbance, client: Participant) -> Iterator[str]:
    """Refuse a cluster that may no longer be disturbed, or a disk that may not be overwritten."""
    if wanted.kind == MD_FAIL:
        disk = member_disk(client.host, wanted.member)
        if disk is None or not disk.is_enrolled:
            name = str(disk or f"{client.name}: {wanted.member}")
            yield message("%(disk)s is no longer enrolled as expendable", disk=name)
        return
    host = Host.objects.select_related("cluster").get(pk=client.host)
    if host.cluster is None or host.cluster_changed:
        yield message("the Ceph cluster of %(host)s is not confirmed", host=client.name)
    elif not host.cluster.may_be_disturbed:
        words = gettext_noop("cluster %(fsid)s may no longer be disturbed")
        yield message(words, fsid=host.cluster.fsid)


def _disk_refusals(participants: Sequence[Participant]) -> Iterator[str]:
    for participant in participants:
        for member in participant.members:
            disk = Disk.objects.filter(target=member.target_id, identity=member.identity).first()
            if disk is None or not disk.is_enrolled:
                name = str(disk or f"{participant.name}: {member.label}")
                yield message("%(disk)s is no longer enrolled as expendable", disk=name)
