"""Rows with an owner and a team."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models.people import AnyUser, Team, User
from apps.common.models import Timestamped


class OwnedModel(Timestamped):
    """Row with an owner and an optional team.

    Every user may read it. The owner, members of the team and admins may change it, if their role
    permits writing.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("owner"),
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("team"),
    )

    class Meta(Timestamped.Meta):
        abstract = True

    def is_editable(self, user: AnyUser) -> bool:
        if not isinstance(user, User) or not user.is_operator:
            return False
        if self.owner_id == user.pk or user.is_admin:
            return True
        return self.team_id is not None and user.teams.filter(pk=self.team_id).exists()
