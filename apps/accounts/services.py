"""Writes about people: the audit record, the first admin, tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models, transaction

from apps.accounts.models import ApiToken, AuditEntry, Role, User


def audit_record(
    *, user: User | None, verb: str, subject: models.Model | str, address: str = "", **detail: Any
) -> AuditEntry:
    """Remember one act. `subject` is the row it was done to, or a noun where there is no row."""
    row = subject if isinstance(subject, models.Model) else None
    return AuditEntry.objects.create(
        user=user,
        username=user.username if user else "benchlab",
        address=address,
        verb=verb,
        noun=row._meta.model_name or "" if row is not None else str(subject),
        noun_id=str(row.pk) if row is not None else "",
        label=str(row)[:200] if row is not None else "",
        detail=detail,
    )


@transaction.atomic
def first_admin_create(*, username: str, password: str) -> tuple[User, bool]:
    """The first admin, made only while no admin exists. Returns the admin and whether it was made
    now."""
    admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
    if admin is not None:
        return admin, False
    admin = User(username=username, role=Role.ADMIN, is_staff=True, is_superuser=True)
    admin.set_password(password)
    admin.full_clean()
    admin.save()
    audit_record(user=None, verb="create", subject=admin)
    return admin, True


def token_create(
    *, user: User, name: str, read_only: bool = False, days: int | None = None
) -> tuple[ApiToken, str]:
    """A new API token and its secret, which can never be shown again. `days`: None means it does
    not expire."""
    expiry = timedelta(days=days) if days else None
    token, secret = ApiToken.objects.create(
        user=user, expiry=expiry, name=name, read_only=read_only
    )
    audit_record(user=user, verb="create", subject=token)
    return token, secret
