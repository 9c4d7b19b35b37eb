"""Failed logins are remembered: the pauses count these rows."""

from __future__ import annotations

from apps.accounts.domain import FAILED_LOGIN, WRONG_TOKEN
from apps.accounts.models import AuditEntry
from apps.common.web.request import current_address


def login_failed(*, username: str, device: str) -> None:
    """Somebody gave a wrong password; `device` is the browser's, where it is known to the
    person.
    """
    AuditEntry.objects.create(
        username=username,
        address=current_address(),
        action=FAILED_LOGIN,
        object_type="user",
        detail={"device": device} if device else {},
    )


def wrong_token_presented() -> None:
    """Some program sent an API token that is none."""
    AuditEntry.objects.create(
        username="", address=current_address(), action=WRONG_TOKEN, object_type="apitoken"
    )
