"""What ended attempts have left on a host, and noting that the host has forgotten it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from apps.execution.selectors import takes_part
from apps.runs.members import members_of
from apps.runs.models import FINAL_ATTEMPT, Attempt, Case

MOST = 200


@dataclass(frozen=True)
class Leftover:
    """One job that its host need not know any more. For an attempt on one host both ids are the
    same.
    """

    attempt: str
    job: str


def leftovers(host_id: int) -> list[Leftover]:
    """Jobs on a host whose attempts ended and that it was not told to forget."""
    ended = Attempt.objects.filter(
        case__in=Case.objects.filter(takes_part(host_id)),
        state__in=FINAL_ATTEMPT,
        cleared_at__isnull=True,
    ).exclude(contact_at__isnull=True)
    found: list[Leftover] = []
    for attempt in ended[:MOST]:
        own = [job for job in attempt.jobs if job["host"] == host_id and not job.get("cleared")]
        found += [Leftover(str(attempt.pk), job["job"]) for job in own]
        if not attempt.jobs:
            found.append(Leftover(str(attempt.pk), str(attempt.pk)))
    return found


def scratch_of(run_id: int, host_id: int) -> list[str]:
    """The scratch directories that a run's cases used on a host."""
    cases = Case.objects.filter(takes_part(host_id), run_id=run_id)
    places = cases.select_related("disk", "directory", "host")
    distinct = {place for case in places.iterator() for place in _directories(case, host_id)}
    return sorted(distinct)


def _directories(case: Case, host_id: int) -> list[str]:
    members = [member for member in members_of(case) if member.host == host_id]
    return [member.identity for member in members if member.kind == "directory"]


@transaction.atomic
def leftover_cleared(left: Leftover) -> None:
    """A host has forgotten a job. Its attempt is final, so no fence is needed; it is cleared when
    all its jobs are.
    """
    attempt = Attempt.objects.select_for_update().get(pk=left.attempt)
    for job in attempt.jobs:
        if job["job"] == left.job:
            job["cleared"] = True
    if all(job.get("cleared") or not job["launched"] for job in attempt.jobs):
        attempt.cleared_at = timezone.now()
    attempt.save(update_fields=["jobs", "cleared_at"])
