"""Open and end sessions of browsers."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, login
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.fresh_login import FRESH, login_mark_fresh
from apps.accounts.models import Session, User
from apps.accounts.services.audit import audit_record
from apps.accounts.services.throttling import LOGIN as LOGGED_IN
from apps.accounts.sessions import LOGIN, USED, SessionStore, login_data
from apps.common.web.request import current_address

OLD_KEY_SECONDS = 30


def session_open(
    *,
    request: HttpRequest,
    user: User,
    fresh_at: float | None,
    provider_session: str = "",
    **detail: Any,
) -> None:
    """Log a user in, under a new session key, and record it.

    `fresh_at`: when the person proved their identity, in seconds since 1970; None if unknown.
    """
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    now = time.time()
    request.session[USED] = int(now)
    request.session[LOGIN] = login_data(
        browser=request.headers.get("User-Agent", ""),
        address=current_address(),
        now=now,
        provider_session=provider_session,
    )
    if fresh_at is not None:
        login_mark_fresh(request, fresh_at)
    audit_record(user=user, action=LOGGED_IN, subject=user, **detail)


@transaction.atomic
def session_confirm(*, request: HttpRequest, at: float | None = None) -> None:
    """Record a proof of identity, under a new session key: a copy of the cookie is not confirmed.

    The old key stays logged in for OLD_KEY_SECONDS, unconfirmed, for requests that are under way.
    """
    old = SessionStore(request.session.session_key)
    for name in (FRESH, LOGIN):
        old.pop(name, None)
    request.session.cycle_key()
    login_mark_fresh(request, at)
    old[USED] = int(time.time())
    old.set_expiry(timezone.now() + timedelta(seconds=OLD_KEY_SECONDS))
    old.save(must_create=True)


@transaction.atomic
def session_end(*, user: User, session: Session) -> None:
    """End one login of the user."""
    session.delete()
    audit_record(user=user, action="end login", subject=user, address_of_login=session.address)


@transaction.atomic
def user_sessions_end(*, user: User, by: User) -> int:
    """End all logins of a user. Return their number; API tokens stay."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    locked.session_epoch += 1
    locked.save(update_fields=["session_epoch"])
    count, _rows = Session.objects.filter(user=user).delete()
    audit_record(user=by, action="end logins", subject=user, logins=count)
    return count


@transaction.atomic
def other_sessions_end(*, request: HttpRequest, user: User) -> int:
    """End all logins but that of the request. Return their number.

    The epoch also ends sessions that are being saved at this moment.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    locked.session_epoch += 1
    locked.save(update_fields=["session_epoch"])
    request.session[HASH_SESSION_KEY] = locked.get_session_auth_hash()
    others = Session.objects.filter(user=user).exclude(pk=request.session.session_key)
    count, _rows = others.delete()
    audit_record(user=user, action="end other logins", subject=user, logins=count)
    return count
