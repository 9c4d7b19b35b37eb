"""Runs that may interfere: their hosts report a shared machine or device without proof.

An unproven report claims nothing (docs/adr/0007-claims-need-proof.md); the results of both runs
get a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from apps.inventory.models import Disk, Host
from apps.inventory.selectors.host_identity import WWN, machines_of
from apps.runs.models import Claim, Run
from apps.tools.messages import TranslatableMessage, message

KIND = "interference"
SAME_MACHINE = gettext_noop(
    "hosts %(ours)s and %(other)s give the same machine id, and their SSH keys differ"
)
SAME_DISK = gettext_noop("both use a disk that shows the identity %(identity)s")


def interfering_runs(run: Run, resources: Sequence[str]) -> list[tuple[int, TranslatableMessage]]:
    """Return the runs that hold claims and may disturb this one, each with the reason, once."""
    others = Claim.objects.filter(released_at__isnull=True).exclude(run=run)
    return list(dict.fromkeys([*_machines(resources, others), *_disks(resources, others)]))


def interference_warnings(run: Run) -> list[str]:
    """Return the interference warnings of a run."""
    return list(run.events.filter(kind=KIND).values_list("text", flat=True))


def _machines(
    held: Sequence[str], others: QuerySet[Claim]
) -> Iterator[tuple[int, TranslatableMessage]]:
    """Yield runs on hosts that report the machine id of one of these hosts."""
    mine = {int(name.removeprefix("host:")) for name in held if name.startswith("host:")}
    rows = others.filter(resource__startswith="host:").values_list("resource", "run")
    theirs = {int(resource.removeprefix("host:")): run for resource, run in rows}
    if not theirs:
        return
    hosts = Host.objects.filter(pk__in=mine | theirs.keys()).exclude(facts__isnull=True)
    hosts_by_id = {
        row[0]: row for row in hosts.values_list("pk", "name", "facts__facts__machine_id")
    }
    proven = machines_of(hosts_by_id)
    for ours in (hosts_by_id[pk] for pk in mine & hosts_by_id.keys() if hosts_by_id[pk][2]):
        for other in (hosts_by_id[pk] for pk in theirs.keys() & hosts_by_id.keys()):
            if ours[2] == other[2] and not proven[ours[0]] & proven[other[0]]:
                yield theirs[other[0]], message(SAME_MACHINE, ours=ours[1], other=other[1])


def _disks(
    held: Sequence[str], others: QuerySet[Claim]
) -> Iterator[tuple[int, TranslatableMessage]]:
    """Yield runs on disks with the world-wide name of one of these disks.

    Disks that an admin marked as distinct devices are skipped.
    """
    start = f"disk:{WWN}"
    for name in (name.removeprefix("disk:") for name in held if name.startswith(start)):
        identity, _, own = name.rpartition("@") if _is_scoped(name) else (name, "", "")
        apart = Disk.objects.filter(identity=identity, is_distinct_device=True)
        if own and apart.filter(host_id=int(own)).exists():
            continue
        same = Q(resource=f"disk:{identity}") | Q(resource__startswith=f"disk:{identity}@")
        for claim in others.filter(same):
            other = claim.resource.rpartition("@")[2] if _is_scoped(claim.resource) else ""
            if not (other and apart.filter(host_id=int(other)).exists()):
                yield claim.run_id, message(SAME_DISK, identity=identity)


def _is_scoped(name: str) -> bool:
    """Return True if the claim ends with a host's id, see `Disk.claim`."""
    return name.rpartition("@")[2].isdigit() and "@" in name
