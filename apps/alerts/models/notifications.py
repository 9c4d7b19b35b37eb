"""Notifications of alerts, reported causes, and the rate of webhooks."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.alerts.models.alerts import Alert
from apps.alerts.schemas import DELIVERED_TO, LINES, Way
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.runs.models import Run


class AlertNotification(models.Model):
    """Message about the causes detected at once, or about the end of a run.

    A notice has a `user` instead of an alert; `key` is what it is about, `path` the page of that.
    `problem`: why the last attempt failed; `next_at`: no attempt before, also while one is in
    progress. `refusal`: why the webhook's receiver refused it for good. `excluded_mail`,
    `excludes_webhook`: recipients of the alert that do not get this one.
    """

    class Kind(models.TextChoices):
        CAUSES = "causes", _("causes")
        ENDED = "ended", _("end of a run")
        NOTICE = "notice", _("notice to a user")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")

    alert = models.ForeignKey(
        Alert, on_delete=models.CASCADE, related_name="notifications", null=True
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True
    )
    key = models.CharField(max_length=120, blank=True)
    path = models.CharField(max_length=200, blank=True)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.CAUSES)
    text_lines: models.Field[list[str], list[str]] = SchemaField(schema=LINES, default=list)
    excluded_mail = ArrayField(models.CharField(max_length=320), default=list, blank=True)
    excludes_webhook = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    delivered_to: models.Field[list[Way], list[Way]] = SchemaField(
        schema=DELIVERED_TO, default=list
    )
    problem = MessageField(blank=True)
    refusal = MessageField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(alert__isnull=False, user__isnull=True)
                | models.Q(alert__isnull=True, user__isnull=False),
                name="notification_is_of_an_alert_or_for_a_user",
            ),
            models.UniqueConstraint(
                fields=["user", "key"],
                condition=models.Q(user__isnull=False),
                name="one_notice_per_user_and_key",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(state="waiting"),
                name="notifications_waiting",
            )
        ]

    def __str__(self) -> str:
        return f"{self.alert or self.user}: {len(self.text_lines)}"

    @property
    def reader(self) -> User:
        """Return whose language, units and time zone the text has."""
        owner = self.alert.owner if self.alert else self.user
        assert owner is not None, "a notification has an alert or a user"
        return owner

    @property
    def addresses(self) -> list[str]:
        """Return the e-mail addresses that get this notification."""
        if self.alert is None:
            return [self.reader.email] if self.reader.email else []
        return [one for one in self.alert.addresses if one not in self.excluded_mail]

    @property
    def has_webhook(self) -> bool:
        """Return True if the alert's webhook gets this notification."""
        return bool(self.alert and self.alert.webhook) and not self.excludes_webhook


class AlertIncident(models.Model):
    """Reported cause; not reported again until it is resolved and returns."""

    alert = models.ForeignKey(
        Alert, on_delete=models.CASCADE, related_name="incidents", db_index=False
    )
    key = models.CharField(max_length=300)
    firing_since = models.DateTimeField(default=timezone.now)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["alert", "key"], name="uniq_incident_per_alert")
        ]

    def __str__(self) -> str:
        return self.key


class WebhookRate(models.Model):
    """Messages of the last minute to one webhook address, of all alerts.

    `digest`: of the address, keyed, because an address is a secret.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    sent_at = ArrayField(models.DateTimeField(), default=list)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.digest[:8]}: {len(self.sent_at)}"
