"""Read what ended attempts left on a host."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from apps.inventory.models import Directory
from apps.inventory.schemas.unrestored_settings import UnrestoredSettings
from apps.runs.models import FINAL_ATTEMPT, AbandonedAttempt, AttemptJob, Claim, RunTargetMember

MAX_JOBS = 200


def leftovers(host_id: int) -> list[str]:
    """Return the ids of jobs of ended attempts that are not deleted on a host yet.

    Includes jobs that the host never reported: it may have started one and lost power before its
    answer. Abandoned jobs are excluded: apps.execution.cleanup.confirm_end ends them.
    """
    unconfirmed = AbandonedAttempt.objects.filter(
        attempt=OuterRef("attempt"), ended_at__isnull=True
    )
    left = AttemptJob.objects.filter(
        ~Exists(unconfirmed),
        host_id=host_id,
        removed_from_host=False,
        attempt__state__in=FINAL_ATTEMPT,
        attempt__host_files_removed_at__isnull=True,
    )
    return [str(pk) for pk in left.order_by("pk").values_list("pk", flat=True)[:MAX_JOBS]]


def scratch_of(run_id: int, host_id: int) -> list[str]:
    """Return the scratch directories that a run used on a host."""
    members = RunTargetMember.objects.filter(run_target__run=run_id, host=host_id, kind="directory")
    return sorted(members.order_by().values_list("identity", flat=True).distinct())


def scratch_on(host_id: int) -> list[str]:
    """Return all scratch directories of a host."""
    paths = Directory.objects.filter(host_id=host_id).values_list("path", flat=True)
    return sorted(paths)


def is_claimed(host_id: int) -> bool:
    """Return True if a run claims the host."""
    held = Claim.objects.filter(released_at__isnull=True, resource=f"host:{host_id}")
    return held.exists()


def settings_with_cases(rows: Sequence[UnrestoredSettings]) -> list[UnrestoredSettings]:
    """Return unrestored settings with the id of the case that applied them, if known."""
    return [{**row, "case": _case_of(row["attempt"])} for row in rows]


def _case_of(job: str) -> int | None:
    """Return the case of a job's attempt."""
    try:
        rows = AttemptJob.objects.filter(pk=uuid.UUID(job))
    except ValueError:
        return None
    return rows.values_list("attempt__case_id", flat=True).first()
