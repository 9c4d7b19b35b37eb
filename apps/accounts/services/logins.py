"""Record failed logins and wrong tokens; throttling counts these rows."""

from __future__ import annotations

from apps.accounts.domain import FAILED_LOGIN, WRONG_TOKEN
from apps.accounts.models import AuditEntry
from apps.common.web.request import current_address


def login_failed(*, username: str, device: str) -> None:
    """Record a wrong password. `device` is the browser's ID if the user logged in there before."""
    AuditEntry.objects.create(
        username=username,
        address=current_address(),
        action=FAILED_LOGIN,
        object_type="user",
        detail={"device": device} if device else {},
    )


def wrong_token_presented() -> None:
    """Record an unknown API token."""
    AuditEntry.objects.create(
        username="", address=current_address(), action=WRONG_TOKEN, object_type="apitoken"
    )
