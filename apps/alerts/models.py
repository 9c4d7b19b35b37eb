"""Alerts, their incidents, and notifications."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel, Team, User
from apps.alerts.schemas import DELIVERED_TO, LINES, Way
from apps.analysis.queries.schemas import STORED_QUERY, StoredQuery
from apps.common.database.encryption import decrypt, encrypt
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.plans.models import TestPlan
from apps.runs.models import FINAL_RUN, Run

LAST_HOUR = MaxValueValidator(23)
ENDED_STATES = [(state.value, state.label) for state in FINAL_RUN]


def _no_two(*names: str) -> models.Q:
    """Return the condition that at most one of these columns has a value."""
    condition = models.Q()
    for name in names:
        others = {f"{other}__isnull": True for other in names if other != name}
        condition |= models.Q(**others)
    return condition


class Alert(OwnedModel):
    """Rule that is evaluated after each run in its scope.

    The scope is a view, a plan, a run, the runs of a team (`run_team`), or every run.
    `on_ended`: states whose end is notified; with `only_worse` only of a run with a worse result.
    `evaluated_until`: latest end of an evaluated run; `evaluated_ends`: those shortly before it, as
    `end_mark`. The webhook's address and secret are encrypted and never shown again, because an
    address of Slack, Teams, DingTalk, WeCom or Feishu is itself a secret.
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
        DINGTALK = "dingtalk", _("DingTalk")
        WECOM = "wecom", _("WeCom")
        FEISHU = "feishu", _("Feishu, Lark")

    name = models.CharField(_("name"), max_length=120)
    enabled = models.BooleanField(_("enabled"), default=True)
    stored_query: models.Field[StoredQuery | None, StoredQuery | None] = SchemaField(
        schema=STORED_QUERY, null=True, editable=False
    )
    plan = models.ForeignKey(
        TestPlan,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("plan"),
    )
    run = models.ForeignKey(
        Run,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("run"),
    )
    run_team = models.ForeignKey(
        Team,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("runs of the team"),
    )
    on_ended = ArrayField(
        models.CharField(max_length=12, choices=ENDED_STATES),
        default=list,
        blank=True,
        verbose_name=_("a run ended"),
    )
    only_worse = models.BooleanField(_("only if something is worse"), default=False)
    on_change = models.BooleanField(_("a level changed, or an outlier appeared"), default=True)
    on_expectation_missed = models.BooleanField(_("an expectation was missed"), default=True)
    on_failed = models.BooleanField(_("a run failed or was lost"), default=True)
    on_unhealthy = models.BooleanField(_("a host is unhealthy"), default=False)
    on_booking_begin = models.BooleanField(_("a booking begins"), default=False)
    on_booking_end = models.BooleanField(_("a booking ends within a day"), default=False)
    on_acceptance = models.BooleanField(_("an acceptance of drives ended"), default=False)
    on_approval = models.BooleanField(_("a run waits for an approval"), default=False)
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
    evaluated_ends = ArrayField(
        models.CharField(max_length=60), default=list, blank=True, editable=False
    )

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=_no_two("stored_query", "plan", "run", "run_team"),
                name="alert_has_one_scope",
            )
        ]

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
    def ended_labels(self) -> list[str]:
        """Return the labels of the states whose end is notified."""
        return [str(label) for value, label in ENDED_STATES if value in self.on_ended]

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
