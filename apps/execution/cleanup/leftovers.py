"""Leftovers of ended attempts on a host: removing them, and noting that the host has forgotten
it.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.execution.runtime.database import run_until_available
from apps.inventory.models import Directory
from apps.inventory.schemas.host_facts import UnrestoredSettings
from apps.remote.client import Client
from apps.remote.errors import AgentRefusal
from apps.runs.models import FINAL_ATTEMPT, Attempt, AttemptJob, Claim, GivenUp, Member

log = logging.getLogger(__name__)

MOST = 200


def leftovers(host_id: int) -> list[str]:
    """The ids of jobs on a host whose attempts ended and that it was not told to forget. Also those
    of which the host never said a word: it may have begun one and lost power before it could
    answer. What was given up is left to its proof (apps.execution.cleanup.proof).
    """
    unproven = GivenUp.objects.filter(attempt=OuterRef("attempt"), ended_at__isnull=True)
    left = AttemptJob.objects.filter(
        ~Exists(unproven),
        host_id=host_id,
        cleared=False,
        attempt__state__in=FINAL_ATTEMPT,
        attempt__cleared_at__isnull=True,
    )
    return [str(pk) for pk in left.order_by("pk").values_list("pk", flat=True)[:MOST]]


def scratch_of(run_id: int, host_id: int) -> list[str]:
    """The scratch directories that a run's cases used on a host."""
    members = Member.objects.filter(run_target__run=run_id, host=host_id, kind="directory")
    return sorted(members.order_by().values_list("identity", flat=True).distinct())


def scratch_on(host_id: int) -> list[str]:
    """All scratch directories of a host."""
    paths = Directory.objects.filter(host_id=host_id).values_list("path", flat=True)
    return sorted(paths)


def is_claimed(host_id: int) -> bool:
    """Whether a run holds the host."""
    held = Claim.objects.filter(released_at__isnull=True, resource=f"host:{host_id}")
    return held.exists()


async def directories_cleared(client: Client, directories: Sequence[str]) -> bool:
    """Have the host remove benchlab's files from directories; False where one would not. Raises
    HostError when contact is lost.
    """
    done = True
    for directory in directories:
        try:
            await client.tidy(directory)
        except AgentRefusal as error:
            log.info("%s stays as it is for now: %s", directory, error)
            # One that is no place for tests any more holds nothing of them either.
            done &= error.error == "refused"
    return done


async def jobs_forgotten(client: Client, host_id: int) -> bool:
    """Have the host forget jobs whose attempts ended; False where it keeps one. Raises HostError
    when contact is lost.
    """
    done = True
    for job in await run_until_available(leftovers, host_id):
        try:
            await client.forget(job)
        except AgentRefusal as error:
            # What the host no longer knows is as good as forgotten.
            if error.error != "absent":
                log.info("job %s stays on its host for now: %s", job, error)
                done = False
                continue
        await run_until_available(leftover_cleared, job)
    return done


def loans_placed(loans: Sequence[UnrestoredSettings]) -> list[UnrestoredSettings]:
    """The loans with the `case` that each attempt was of, where it is known here."""
    return [{**loan, "case": _case_of(loan["attempt"])} for loan in loans]


def _case_of(job: str) -> int | None:
    """The case of a job's attempt."""
    try:
        rows = AttemptJob.objects.filter(pk=uuid.UUID(job))
    except ValueError:
        return None
    return rows.values_list("attempt__case_id", flat=True).first()


@transaction.atomic
def leftover_cleared(job: str) -> None:
    """A host has forgotten a job. Its attempt is final, so no fence is needed; it is cleared when
    all its jobs are.
    """
    attempt = Attempt.objects.select_for_update().get(jobs__pk=job)
    attempt.jobs.filter(pk=job).update(cleared=True)
    if not attempt.jobs.filter(cleared=False).exists():
        attempt.cleared_at = timezone.now()
        attempt.save(update_fields=["cleared_at"])
