"""Alerts that people set, the causes they found, and the messages about them."""

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
from apps.alerts.schemas import DONE, LINES, Way
from apps.analysis.queries.schemas import STORED_QUERY, StoredQuery
from apps.common.database.encryption import decrypt, encrypt
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.runs.models import Run

LAST_HOUR = MaxValueValidator(23)


class Alert(OwnedModel):
    """A view that is judged after each run that touches it, and what is told of it to whom. Without
    a view every run touches it. `judged_to`: the latest end of a run that was judged;
    `judged_runs`: those that ended not long before it.

    The hook's address and secret are encrypted and never shown again: an address of Slack or Teams
    is itself a secret.
    """

    class View(models.TextChoices):
        NONE = "", _("every run")
        HISTORY = "history", _("history")
        FLEET = "fleet", _("fleet")

    class Hook(models.TextChoices):
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
    on_missed = models.BooleanField(_("a promise was missed"), default=True)
    on_failed = models.BooleanField(_("a run failed or was lost"), default=True)
    on_unhealthy = models.BooleanField(_("a host is unhealthy"), default=False)
    mail = models.TextField(_("e-mail to"), blank=True)
    hook = models.CharField(_("web hook"), max_length=8, choices=Hook.choices, blank=True)
    hook_address = models.BinaryField(editable=False, null=True)
    hook_secret = models.BinaryField(editable=False, null=True)
    hook_host = models.CharField(max_length=253, blank=True, editable=False)
    quiet_from = models.PositiveSmallIntegerField(
        _("quiet from hour"), null=True, blank=True, validators=[LAST_HOUR]
    )
    quiet_to = models.PositiveSmallIntegerField(
        _("quiet to hour"), null=True, blank=True, validators=[LAST_HOUR]
    )
    quiet_zone = models.CharField(_("time zone of quiet hours"), max_length=64, default="UTC")
    judged_to = models.DateTimeField(default=timezone.now, editable=False)
    judged_runs = ArrayField(models.BigIntegerField(), default=list, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def view(self) -> str:
        """The key of the view; empty for an alert on every run."""
        return self.stored_query.view if self.stored_query else ""

    @property
    def query(self) -> str:
        """The query string of the view."""
        return self.stored_query.urlencode() if self.stored_query else ""

    @property
    def view_label(self) -> str:
        return str(self.View(self.view).label)

    @property
    def addresses(self) -> list[str]:
        """The addresses that get e-mail."""
        return [part for part in self.mail.replace(",", " ").split() if part]

    def hook_set(self, address: str, secret: str) -> None:
        """Seal an address and a secret for this row, which must have its number."""
        self.hook_address = encrypt(address, f"alert.hook_address:{self.pk}") if address else None
        self.hook_secret = encrypt(secret, f"alert.hook_secret:{self.pk}") if secret else None
        self.hook_host = urlsplit(address).hostname or ""

    def hook_told(self) -> tuple[str, str]:
        """The address and secret. Raises SecretUnreadable."""
        address = decrypt(self.hook_address or b"", f"alert.hook_address:{self.pk}")
        secret = self.hook_secret
        return address, decrypt(secret, f"alert.hook_secret:{self.pk}") if secret else ""

    def is_quiet(self, moment: datetime) -> bool:
        """Whether messages wait at this moment."""
        if self.quiet_from is None or self.quiet_to is None or self.quiet_from == self.quiet_to:
            return False
        hour = moment.astimezone(ZoneInfo(self.quiet_zone)).hour
        if self.quiet_from < self.quiet_to:
            return self.quiet_from <= hour < self.quiet_to
        return hour >= self.quiet_from or hour < self.quiet_to


class AlertMessage(models.Model):
    """A message about causes that were found at once. `problem`: why it could not be sent last;
    `next_at`: nobody tries before, neither while somebody is at it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="messages")
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    lines: models.Field[list[str], list[str]] = SchemaField(schema=LINES, default=list)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    made_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    done: models.Field[list[Way], list[Way]] = SchemaField(schema=DONE, default=list)
    problem = MessageField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(state="waiting"),
                name="messages_that_wait",
            )
        ]

    def __str__(self) -> str:
        return f"{self.alert}: {len(self.lines)}"


class AlertCause(models.Model):
    """A cause that an alert has told of; while it lasts it is not told again. `over_at`: it was
    gone, so it is told when it comes back.
    """

    alert = models.ForeignKey(
        Alert, on_delete=models.CASCADE, related_name="causes", db_index=False
    )
    key = models.CharField(max_length=300)
    since = models.DateTimeField(default=timezone.now)
    over_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["alert", "key"], name="one_row_for_one_cause")
        ]

    def __str__(self) -> str:
        return self.key
