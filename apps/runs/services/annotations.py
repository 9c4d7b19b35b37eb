"""Tags and notes of runs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.domain.tags import tagged
from apps.runs.models import Run
from apps.runs.services.versions import runs_touch


@transaction.atomic
def run_tag(*, run: Run, user: User, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Run:
    """Add and remove tags of a run.

    Raises:
        PermissionDenied: for users who may not edit the run.
    """
    run = lock_editable(run, user)
    run.tags = tagged(run.tags, add, remove)
    run.full_clean()
    run.save(update_fields=["tags", "updated_at"])
    audit_record(user=user, action="tag", subject=run, tags=run.tags)
    runs_touch([run.pk])
    return run


@transaction.atomic
def run_annotate(*, run: Run, user: User, note: str, tags: Sequence[str] | None = None) -> Run:
    """Change the note of a run, and its tags if given.

    Raises:
        PermissionDenied: for users who may not edit the run.
    """
    run = lock_editable(run, user)
    run.note = note
    if tags is not None:
        run.tags = sorted(set(tags))
    run.full_clean()
    run.save(update_fields=["note", "tags", "updated_at"])
    audit_record(user=user, action="annotate", subject=run)
    runs_touch([run.pk])
    return run
