"""Create and revoke API tokens, and set their lifetime.

The authentication checks the lifetime (apps.accounts.authentication).
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services.audit import audit_record
from apps.common.errors import ServiceError

LAST_USED_INTERVAL = timedelta(minutes=1)


@transaction.atomic
def token_create(
    *,
    user: User,
    name: str,
    read_only: bool = False,
    scope: str = ApiToken.Scope.API,
    may_wipe: bool = False,
    days: int | None = None,
) -> tuple[ApiToken, str]:
    """Create an API token. Return it and its secret, which is never shown again.

    `may_wipe`: for wipes, enrolments, keys and tokens, as far as the role permits them. `days`
    defaults to BENCHLAB_TOKEN_DAYS. A token for /metrics is read-only. Raises: ServiceError (400)
    above BENCHLAB_TOKEN_MAX_DAYS, and for a token that only reads and may wipe; PermissionDenied
    for /metrics unless the user is an admin.
    """
    if scope == ApiToken.Scope.METRICS:
        require_role(user, Role.ADMIN)
        read_only = True
    if read_only and may_wipe:
        text = _("A token that may only read cannot wipe.")
        raise ServiceError(text, {"may_wipe": text}, status=400)
    max_days: int = settings.BENCHLAB_TOKEN_MAX_DAYS
    days = min(settings.BENCHLAB_TOKEN_DAYS, max_days) if days is None else days
    if not 1 <= days <= max_days:
        text = _("A token is valid for 1 to %(days)d days.") % {"days": max_days}
        raise ServiceError(text, {"days": text}, status=400)
    token, secret = ApiToken.objects.create(
        user=user,
        expiry=timedelta(days=days),
        name=name,
        read_only=read_only,
        scope=scope,
        may_wipe=may_wipe,
    )
    audit_record(
        user=user, action="create", subject=token,
        read_only=read_only, scope=str(scope), may_wipe=may_wipe, days=days,
    )  # fmt: skip
    return token, secret


@transaction.atomic
def token_revoke(*, token: ApiToken, by: User | None) -> None:
    """Delete a token."""
    audit_record(user=by, action="revoke", subject=token, owner=token.user.username)
    token.delete()


def tokens_end(*, user: User, by: User | None) -> int:
    """Revoke every token of a user. Return their number."""
    tokens = list(ApiToken.objects.filter(user=user).select_related("user"))
    for token in tokens:
        token_revoke(token=token, by=by)
    return len(tokens)


def token_mark_used(*, token: ApiToken) -> None:
    """Record the last use, at most once a minute over all processes."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - LAST_USED_INTERVAL:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USED_INTERVAL)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
