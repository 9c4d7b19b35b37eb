"""Queries of users, teams and tokens, and throttling of logins."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.domain import (
    FAILED_LOGIN,
    LOGIN,
    OWN_ADDRESS,
    PER_ADDRESS,
    PER_DEVICE,
    PER_PERSON,
    PER_PERSON_AND_ADDRESS,
    WINDOW,
    WRONG_TOKEN,
    WRONG_TOKENS,
)
from apps.accounts.models import ApiToken, AuditEntry, Team, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    rows: QuerySet[ApiToken] = ApiToken.objects.filter(user=user).order_by("-created")
    return rows


def users_with_teams() -> QuerySet[User]:
    return User.objects.prefetch_related("teams")


def teams_with_members() -> QuerySet[Team]:
    return Team.objects.annotate(member_count=Count("members")).order_by("name")


def teams_of(user: User, now: Team | None = None) -> QuerySet[Team]:
    """Return the teams that a user may choose, and the row's present team `now`."""
    if user.is_admin:
        return Team.objects.all()
    return Team.objects.filter(Q(members=user) | Q(pk=now.pk if now else None)).distinct()


def team_fault(team: Team | None, user: User) -> str:
    """Return why a user may not choose a team; empty if they may."""
    if team is None or teams_of(user).filter(pk=team.pk).exists():
        return ""
    return _("Choose one of your own teams.")


def is_login_throttled(*, username: str, address: str, device: str = "") -> bool:
    """Return True after too many failed logins within 15 minutes.

    Failures of others never lock out a user's own browser: a browser that logged in as this user
    before (`device`) is counted separately (OWASP, "Slow Down Online Guessing Attacks with Device
    Cookies"). Unknown browsers are counted by user and address together, and by either if the
    address is not one of the user's.
    """
    recent = AuditEntry.objects.filter(action=FAILED_LOGIN, timestamp__gt=timezone.now() - WINDOW)
    if device:
        return recent.filter(username=username, detail__device=device).count() >= PER_DEVICE
    person, place = Q(username=username), Q(address=address)
    counts = recent.exclude(detail__has_key="device").aggregate(
        both=Count("pk", filter=person & place),
        place=Count("pk", filter=place),
        person=Count("pk", filter=person),
    )
    if counts["both"] >= PER_PERSON_AND_ADDRESS:
        return True
    many = counts["place"] >= PER_ADDRESS or counts["person"] >= PER_PERSON
    return many and not _is_own_address(username, address)


def _is_own_address(username: str, address: str) -> bool:
    since = timezone.now() - OWN_ADDRESS
    rows = AuditEntry.objects.filter(action=LOGIN, username=username, address=address)
    return rows.filter(timestamp__gt=since).exists()


def is_token_auth_throttled(*, address: str) -> bool:
    """Return True if the address sent too many wrong API tokens within 15 minutes."""
    since = timezone.now() - WINDOW
    rows = AuditEntry.objects.filter(action=WRONG_TOKEN, timestamp__gt=since, address=address)
    return rows.count() >= WRONG_TOKENS
