"""Check for stuck runs and jobs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from apps.runs.models import (
    FINAL_ATTEMPT,
    FINAL_RUN,
    AbandonedAttempt,
    Attempt,
    AttemptJob,
    Claim,
    Run,
    RunState,
)
from benchlab.ops.findings import Finding, note, or_ok, wrong

LONG = timedelta(minutes=2)
VERY_LONG = timedelta(days=1)


def runs() -> list[Finding]:
    """Check for runs that are stuck or orphaned."""
    result = [*_unowned(), *_without_contact(), *_orphaned(), *_claims(), *_leftovers()]
    return or_ok(result, "no run is stuck and nothing is left behind")


def _unowned() -> Iterator[Finding]:
    since = timezone.now() - LONG
    for run in Run.objects.filter(state=RunState.RUNNING, lease_until__lt=since).order_by("pk"):
        todo = "start a worker; its log says why it does not take the run"
        yield wrong(f"run {run.pk} has had no worker since {run.lease_until:%H:%M:%S} UTC", todo)


def _without_contact() -> Iterator[Finding]:
    since = timezone.now() - LONG
    lost = Attempt.objects.exclude(state__in=FINAL_ATTEMPT).filter(contact_lost_since__lt=since)
    for attempt in lost.select_related("case__run").order_by("created_at"):
        when = f"{attempt.contact_lost_since:%Y-%m-%d %H:%M} UTC"
        todo = "bring its host back, or cancel the run"
        yield wrong(f"run {attempt.case.run_id}: no contact to its host since {when}", todo)


def _orphaned() -> Iterator[Finding]:
    jobs = Attempt.objects.exclude(state__in=FINAL_ATTEMPT).filter(case__run__state__in=FINAL_RUN)
    for attempt in jobs.select_related("case__run").order_by("created_at"):
        text = f"attempt {attempt.pk} is open although run {attempt.case.run_id} has ended"
        yield wrong(text, "look on its host for a process with this id; please report it")


def _claims() -> Iterator[Finding]:
    unconfirmed = list(
        AbandonedAttempt.objects.filter(ended_at__isnull=True).select_related("host", "attempt")
    )
    for row in unconfirmed:
        text = f"attempt {row.attempt_id} was abandoned on host {row.host.name}, unconfirmed"
        yield wrong(text, "bring the host back, or say on the run's page that the test has ended")
    waiting = {resource for row in unconfirmed for resource in row.resources}
    held = Claim.objects.filter(released_at__isnull=True, run__state__in=FINAL_RUN)
    for claim in held.exclude(resource__in=waiting).order_by("pk"):
        text = f"{claim.resource} is still held by run {claim.run_id}, which has ended"
        yield wrong(text, "please report it")


def _leftovers() -> Iterator[Finding]:
    since = timezone.now() - VERY_LONG
    left = AttemptJob.objects.filter(
        removed_from_host=False,
        attempt__state__in=FINAL_ATTEMPT,
        attempt__host_files_removed_at__isnull=True,
        attempt__contact_at__isnull=False,
        attempt__ended_at__lt=since,
    )
    for row in left.values("host__name").annotate(jobs=Count("pk")).order_by("-jobs"):
        text = f"host {row['host__name']}: {row['jobs']} job folders of ended tests are left"
        yield note(text, "they go with the next run there, once it has room and can be written")
