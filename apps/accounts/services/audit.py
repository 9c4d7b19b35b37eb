"""Add audit entries."""

from __future__ import annotations

from typing import Any

from django.db import models

from apps.accounts.models import AuditEntry, User
from apps.common.web.request import current_address

BENCHLAB = "benchlab"
"""Name of who acts if no user does."""


def audit_record(
    *, user: User | None, action: str, subject: models.Model | str, address: str = "", **detail: Any
) -> AuditEntry:
    """Record an action. `subject` is the changed row, or an object type without a row.

    `address` defaults to the caller's. `detail` must be JSON without secrets.
    """
    row = subject if isinstance(subject, models.Model) else None
    return AuditEntry.objects.create(
        user=user,
        username=user.username if user else BENCHLAB,
        address=address or current_address(),
        action=action,
        object_type=row._meta.model_name or "" if row is not None else str(subject),
        object_id=str(row.pk)[:64] if row is not None else "",
        label=str(row)[:200] if row is not None else "",
        detail=detail,
    )
