"""Add audit entries."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.db import models
from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.common.web.request import current_address

log = logging.getLogger(__name__)
BENCHLAB = "benchlab"
"""Name of who acts if no user does."""
REFUSED_REQUEST = "attempt"
REFUSED_REQUESTS = 10
"""Refused requests of a user that are recorded in a minute: a program that goes on fills no table.
"""


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


def refusal_record(*, user: User, method: str, path: str, reason: str = "") -> None:
    """Record a request that the user has no right to; above the limit a minute only in the log."""
    since = timezone.now() - timedelta(minutes=1)
    recent = AuditEntry.objects.filter(
        action=REFUSED_REQUEST, username=user.username, timestamp__gt=since
    )
    if recent.count() >= REFUSED_REQUESTS:
        log.warning("refused %s %s of %s", method, path, user.username)
        return
    detail = {"method": method, "path": path[:200]} | ({"reason": reason[:200]} if reason else {})
    audit_record(user=user, action=REFUSED_REQUEST, subject="request", **detail)
