"""What opens benchlab: API tokens and sessions of browsers."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from apps.accounts.domain.browsers import browser_name
from apps.accounts.models.people import AnyUser, User


class ApiToken(AbstractAuthToken):  # type: ignore[misc] # knox ships no type information
    """API token. Only its digest is stored, so it is shown once. `name` describes its use."""

    class Scope(models.TextChoices):
        """URLs that a token opens: /api/v1/ in its user's name, or /metrics for Prometheus."""

        API = "api", _("the API")
        METRICS = "metrics", _("only /metrics, for Prometheus")

    expiry = models.DateTimeField(_("valid until"))
    reference = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=60, default="")
    read_only = models.BooleanField(_("read only"), default=False)
    scope = models.CharField(
        _("opens"), max_length=8, choices=Scope.choices, default=Scope.API, db_default=Scope.API
    )
    may_wipe = models.BooleanField(_("may wipe"), default=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(scope="api") | models.Q(scope="metrics", read_only=True),
                name="token_scope_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key[:8]}…)"

    @property
    def opens_metrics(self) -> bool:
        return self.scope == self.Scope.METRICS

    @property
    def is_expired(self) -> bool:
        return bool(self.expiry < timezone.now())

    def is_editable(self, user: AnyUser) -> bool:
        return isinstance(user, User) and (self.user_id == user.pk or user.is_admin)


class Session(AbstractBaseSession):
    """Login of a browser. The store (apps.accounts.sessions) copies the columns from its data.

    `reference`: ID in URLs, because the key opens the session. `provider_session`: `sid` of the
    OpenID Connect provider, which its logout names.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    # Not unique: `cycle_key` stores the data under a new key before it deletes the old row.
    reference = models.UUIDField(null=True, db_index=True)
    browser = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=64, blank=True)
    since = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)
    provider_session = models.CharField(max_length=255, blank=True, db_index=True)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @property
    def browser_name(self) -> str:
        return browser_name(self.browser)
