"""Queries of users, teams and tokens."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, Team, User


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
