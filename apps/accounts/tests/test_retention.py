"""Retention of audit entries and API tokens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from apps.accounts.models import ApiToken, AuditEntry, User
from apps.accounts.services import audit_record, token_create
from apps.accounts.tasks import retention


def entry(days: int) -> AuditEntry:
    row = audit_record(user=None, action="wipe", subject="disk", days=days)
    then = timezone.now() - timedelta(days=days)
    AuditEntry.objects.filter(pk=row.pk).update(timestamp=then)  # as the superuser of the tests
    return row


@pytest.mark.django_db
@pytest.mark.parametrize(("months", "kept"), [(0, [800, 500, 10]), (24, [500, 10]), (1, [10])])
def test_audit_entries_older_than_the_setting_and_12_months_are_deleted(
    settings: Settings, months: int, kept: list[int]
) -> None:
    settings.AUDIT_RETENTION_MONTHS = months
    for days in (800, 500, 10):
        entry(days)

    retention()

    rows = AuditEntry.objects.filter(action="wipe").order_by("pk")
    assert [row.detail["days"] for row in rows] == kept


@pytest.mark.django_db
def test_deletion_of_audit_entries_is_recorded(settings: Settings) -> None:
    settings.AUDIT_RETENTION_MONTHS = 24
    entry(800)
    retention()
    row = AuditEntry.objects.get()
    assert (row.action, row.username, row.object_type) == ("prune", "benchlab", "audit record")
    assert row.detail["entries"] == 1
    retention()
    assert AuditEntry.objects.count() == 1


@pytest.mark.django_db
def test_database_refuses_to_prune_audit_entries_younger_than_12_months() -> None:
    entry(300)
    with pytest.raises(DatabaseError, match="at least 12 months"), transaction.atomic():
        connection.cursor().execute("SELECT accounts_audit_prune(now() - interval '11 months')")
    assert AuditEntry.objects.count() == 1


def test_api_tokens_are_deleted_90_days_after_they_expired(operator: User) -> None:
    for days in (91, 89, -9):
        token, _secret = token_create(user=operator, name=str(days))
        ApiToken.objects.filter(pk=token.pk).update(expiry=timezone.now() - timedelta(days=days))
    retention()
    assert set(ApiToken.objects.values_list("name", flat=True)) == {"89", "-9"}
