"""Sharing with a team: people choose among their own, an admin among all."""

from __future__ import annotations

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from .models import Team, User


def teams_of(user: User, now: Team | None = None) -> QuerySet[Team]:
    """The teams that a user may choose, with the one that a row has `now`."""
    if user.is_admin:
        return Team.objects.all()
    return Team.objects.filter(Q(members=user) | Q(pk=now.pk if now else None)).distinct()


def team_fault(team: Team | None, user: User) -> str:
    """The sentence for a team that is not this user's to choose; empty where it is."""
    if team is None or teams_of(user).filter(pk=team.pk).exists():
        return ""
    return _("Choose one of your own teams.")


def team_field(user: User, now: Team | None = None) -> forms.ModelChoiceField[Team]:
    """The field of a form in which a user shares something with a team."""
    return forms.ModelChoiceField(
        queryset=teams_of(user, now),
        required=False,
        label=lazy("Team"),
        empty_label=_("nobody else"),
        help_text=lazy("Its members may change this too."),
    )
