"""Saved views of lists."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models.people import AnyUser, Team, User
from apps.common.models import Timestamped


class SavedView(Timestamped):
    """Filter, order and columns of a list under a name; of its owner, or shared with a team.

    `page`: URL name of the list; `query`: query string of its URL.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("team"),
    )
    page = models.CharField(max_length=40)
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=2000)

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["owner", "page", "name"],
                name="uniq_saved_view_name",
                violation_error_message=_("You have a view of this name. Choose another name."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and self.owner_id == user.pk


class DefaultView(models.Model):
    """View with which a list opens for a user."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    page = models.CharField(max_length=40)
    view = models.ForeignKey(SavedView, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "page"], name="uniq_default_view_of_list")
        ]

    def __str__(self) -> str:
        return f"{self.page}: {self.view_id}"
