"""Alerts, their incidents, and notifications."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.alerts.schemas import DELIVERED_TO, LINES, Way
from apps.analysis.queries.schemas import STORED_QUERY, StoredQuery
from apps.common.database.encryption import decrypt, encrypt
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.runs.models import Run

LAST_HOUR = MaxValueValidator(23)


class Alert(OwnedModel):
    """Rule that is evaluated after each run that touches its view, or after every run.

    `evaluated_until`: latest end of an evaluated run; `evaluated_runs`: those that ended shortly
    before it. The webhook's address and secret are encrypted and never shown again, because a Slack
    or Teams address is itself a secret.
    """

    class View(models.TextChoices):
        NONE = "", _("every run")
        HISTORY = "history", _("history")
        FLEET = "fleet", _("fleet")

    class Webhook(models.TextChoices):
        NONE = "", _("none")
        GENERIC = "generic", _("generic JSON, signed")
        SLACK = "slack", _("Slack")
        TEAMS = "teams", _("Microsoft Teams")

    name = models.CharField(_("name"), max_length=120)
    enabled = models.BooleanField(_("enabled"), default=True)
    stored_query: models.Field[StoredQuery | None, StoredQuery | None] = SchemaField(
        schema=STORED_QUERY, null=True, editable=False
    )
    on_change = models.BooleanField(_("a level changed, or an outlier appeared"), default=True)
    on_expectation_missed = models.BooleanField(_("an expectation was missed"), default=True)
    on_failed = models.BooleanField(_("a run failed or was lost"), default=True)
    on_unhealthy = models.BooleanField(_("a host is unhealthy"), default=False)
    mail = models.TextField(_("e-mail to"), blank=True)
    webhook = models.CharField(_("webhook"), max_length=8, choices=Webhook.choices, blank=True)
    webhook_address = models.BinaryField(editable=False, null=True)
    webhook_secret = models.BinaryField(editable=False, null=True)
    webhook_host = models.CharField(max_length=253, blank=True, editable=False)
    quiet_from = models.PositiveSmallIntegerField(
        _("quiet from hour"), null=True, blank=True, validators=[LAST_HOUR]
    )
    quiet_to = models.PositiveSmallIntegerField(
        _("quiet to hour"), null=True, blank=True, validators=[LAST_HOUR]
    )
    quiet_zone = models.CharField(_("time zone of quiet hours"), max_length=64, default="UTC")
    evaluated_until = models.DateTimeField(default=timezone.now, editable=False)
    evaluated_runs = ArrayField(models.BigIntegerField(), default=list, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def view(self) -> str:
        """Return the key of the view; empty for an alert on every run."""
        return self.stored_query.view if self.stored_query else ""

    @property
    def query(self) -> str:
        """Return the query string of the view."""
        return self.stored_query.urlencode() if self.stored_query else ""

    @property
    def view_label(self) -> str:
        return str(self.View(self.view).label)

    @property
    def addresses(self) -> list[str]:
        """Return the e-mail addresses."""
        return [part for part in self.mail.replace(",", " ").split() if part]

    def webhook_set(self, address: str, secret: str) -> None:
        """Encrypt an address and a secret for this row, which must have a primary key."""
        self.webhook_address = (
            encrypt(address, f"alert.webhook_address:{self.pk}") if address else None
        )
        self.webhook_secret = encrypt(secret, f"alert.webhook_secret:{self.pk}") if secret else None
        self.webhook_host = urlsplit(address).hostname or ""

    def webhook_credentials(self) -> tuple[str, str]:
        """Return the address and the secret. Raises: SecretUnreadable."""
        address = decrypt(self.webhook_address or b"", f"alert.webhook_address:{self.pk}")
        secret = self.webhook_secret
        return address, decrypt(secret, f"alert.webhook_secret:{self.pk}") if secret else ""

    def is_quiet(self, timestamp: datetime) -> bool:
        """Return True within the quiet hours."""
        if self.quiet_from is None or self.quiet_to is None or self.quiet_from == self.quiet_to:
            return False
        hour = timestamp.astimezone(ZoneInfo(self.quiet_zone)).hour
        if self.quiet_from < self.quiet_to:
            return self.quiet_from <= hour < self.quiet_to
        return hour >= self.quiet_from or hour < self.quiet_to


class AlertNotification(models.Model):
    """Message about the causes detected at once.

    `problem`: why the last attempt failed; `next_at`: no attempt before, also while one is in
    progress.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="notifications")
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    text_lines: models.Field[list[str], list[str]] = SchemaField(schema=LINES, default=list)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    delivered_to: models.Field[list[Way], list[Way]] = SchemaField(
        schema=DELIVERED_TO, default=list
    )
    problem = MessageField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(state="waiting"),
                name="notifications_waiting",
            )
        ]

    def __str__(self) -> str:
        return f"{self.alert}: {len(self.text_lines)}"


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
