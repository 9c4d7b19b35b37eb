"""Reads about people: tokens and whether a login must wait."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import ApiToken, AuditEntry, Team, User

FAILED_LOGIN = "fail to log in"
WINDOW = timedelta(minutes=15)
# A person mistypes a few times, a team behind one address more often; a guesser needs thousands.
PER_PERSON_AND_ADDRESS = 5
PER_ADDRESS = 30
PER_PERSON = 50


def tokens_of(user: User) -> QuerySet[ApiToken]:
    rows: QuerySet[ApiToken] = ApiToken.objects.filter(user=user).order_by("-created")
    return rows


def users_with_teams() -> QuerySet[User]:
    return User.objects.prefetch_related("teams")


def teams_with_members() -> QuerySet[Team]:
    return Team.objects.annotate(member_count=Count("members")).order_by("name")


def login_must_wait(*, username: str, address: str) -> bool:
    """Whether too many logins failed in the last 15 minutes: of this person from this address, or
    of either."""
    recent = AuditEntry.objects.filter(verb=FAILED_LOGIN, at__gt=timezone.now() - WINDOW)
    person, place = Q(username=username), Q(address=address)
    counts = recent.aggregate(
        both=Count("pk", filter=person & place),
        place=Count("pk", filter=place),
        person=Count("pk", filter=person),
    )
    return bool(
        counts["both"] >= PER_PERSON_AND_ADDRESS
        or counts["place"] >= PER_ADDRESS
        or counts["person"] >= PER_PERSON
    )
