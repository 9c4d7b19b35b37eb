"""Retention of audit entries, API tokens and logins."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import ApiToken, AuditEntry, Session
from apps.common.domain.months import months_before
from apps.common.services import Due, RetentionRule, due_rows

TOKEN_RETENTION = timedelta(days=90)
MIN_AUDIT_MONTHS = 12
"""Minimum that accounts_audit_prune() (migration 0002_sql) enforces."""


def _audit_before() -> datetime | None:
    months = settings.AUDIT_RETENTION_MONTHS
    # A day more than the database requires, because its clock may differ.
    now = timezone.now() - timedelta(days=1)
    return months_before(now, max(months, MIN_AUDIT_MONTHS)) if months else None


def _audit_due() -> Due:
    before = _audit_before()
    return Due(AuditEntry.objects.filter(timestamp__lt=before).count()) if before else Due()


def audit_prune() -> Due:
    """Delete audit entries older than the setting; an entry of its own records how many.

    The database refuses any other deletion, and that of entries younger than 12 months.
    """
    before = _audit_before()
    if before is None:
        return Due()
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_audit_prune(%s)", [before])
        row = cursor.fetchone()
    return Due(row[0] if row else 0)


def tokens_due() -> QuerySet[ApiToken]:
    """Return API tokens that expired long enough ago."""
    rows: QuerySet[ApiToken] = ApiToken.objects.filter(expiry__lt=timezone.now() - TOKEN_RETENTION)
    return rows


def sessions_due() -> QuerySet[Session]:
    """Return logins that have ended."""
    return Session.objects.filter(expire_date__lt=timezone.now())


RETENTION = [
    RetentionRule(
        model=AuditEntry,
        period="forever, or the setting's months, at least 12",
        task="accounts.retention",
        setting="BENCHLAB_AUDIT_RETENTION_MONTHS",
        due=_audit_due,
        apply=audit_prune,
    ),
    due_rows(
        ApiToken,
        "90 days after it expired; a revoked token is deleted at once",
        tokens_due,
        task="accounts.retention",
    ),
    due_rows(Session, "until the login ends", sessions_due, task="accounts.retention"),
]
