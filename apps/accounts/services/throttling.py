"""Throttling of failed logins, refused sign-ons and wrong API tokens, counted in the audit log.

Callers: the login form (apps.accounts.forms), sign-on (apps.accounts.services.sign_on) and token
authentication (apps.accounts.authentication).
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from apps.accounts.models import AuditEntry
from apps.common.web.request import current_address

LOGIN = "log in"
FAILED_LOGIN = "fail to log in"
REFUSED_SIGN_ON = "fail to sign on"
WRONG_TOKEN = "present a wrong token"
"""Actions in the audit log."""

WINDOW = timedelta(minutes=15)
# A user mistypes a few times, a team behind one address more often; guessing needs thousands.
PER_BROWSER = PER_USER_AND_ADDRESS = 5
PER_ADDRESS = 30
PER_USER = 50
WRONG_TOKENS_PER_ADDRESS = 20
# Anybody can send a bad answer of the provider, so its entries are limited: by address, and by all
# addresses together, because an owner of an IPv6 network has any number of them.
REFUSAL_WINDOW = timedelta(minutes=1)
REFUSALS_PER_ADDRESS = 5
REFUSALS = 50
TRUSTED_ADDRESS_AGE = timedelta(days=30)
"""Addresses of a user's logins within this time are trusted."""


def is_login_throttled(*, username: str, address: str, device: str = "") -> bool:
    """Return True after too many failed logins within 15 minutes.

    Failures of others never lock out a user's own browser: a browser that logged in as this user
    before (`device`) is counted separately (OWASP, "Slow Down Online Guessing Attacks with Device
    Cookies"). Unknown browsers are counted by user and address together, and by either if the
    address is not one of the user's.
    """
    recent = AuditEntry.objects.filter(action=FAILED_LOGIN, timestamp__gt=timezone.now() - WINDOW)
    if device:
        return recent.filter(username=username, detail__device=device).count() >= PER_BROWSER
    user, same_address = Q(username=username), Q(address=address)
    counts = recent.exclude(detail__has_key="device").aggregate(
        by_both=Count("pk", filter=user & same_address),
        by_address=Count("pk", filter=same_address),
        by_user=Count("pk", filter=user),
    )
    if counts["by_both"] >= PER_USER_AND_ADDRESS:
        return True
    many = counts["by_address"] >= PER_ADDRESS or counts["by_user"] >= PER_USER
    return many and not _is_trusted_address(username, address)


def _is_trusted_address(username: str, address: str) -> bool:
    since = timezone.now() - TRUSTED_ADDRESS_AGE
    rows = AuditEntry.objects.filter(action=LOGIN, username=username, address=address)
    return rows.filter(timestamp__gt=since).exists()


def login_failed(*, username: str, device: str) -> None:
    """Record a wrong password. `device` is the browser's ID if the user logged in there before."""
    AuditEntry.objects.create(
        username=username,
        address=current_address(),
        action=FAILED_LOGIN,
        object_type="user",
        detail={"device": device} if device else {},
    )


def is_token_auth_throttled(*, address: str) -> bool:
    """Return True if the address sent too many wrong API tokens within 15 minutes."""
    since = timezone.now() - WINDOW
    rows = AuditEntry.objects.filter(action=WRONG_TOKEN, timestamp__gt=since, address=address)
    return rows.count() >= WRONG_TOKENS_PER_ADDRESS


def wrong_token_presented() -> None:
    """Record an unknown API token."""
    AuditEntry.objects.create(
        username="", address=current_address(), action=WRONG_TOKEN, object_type="apitoken"
    )


def is_refusal_throttled(*, username: str, address: str) -> bool:
    """Return True if enough refused sign-ons of the user are recorded for this minute."""
    since = timezone.now() - REFUSAL_WINDOW
    recent = AuditEntry.objects.filter(
        action=REFUSED_SIGN_ON, username=username, timestamp__gt=since
    )
    counts = recent.aggregate(by_all=Count("pk"), by_address=Count("pk", filter=Q(address=address)))
    return bool(counts["by_address"] >= REFUSALS_PER_ADDRESS or counts["by_all"] >= REFUSALS)
