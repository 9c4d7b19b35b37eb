"""Bookings of hosts and pools, and maintenance windows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, OwnedModel, User
from apps.bookings.domain.occurrences import Window
from apps.common.fields.messages import MessageField
from apps.inventory.models import Host, Pool


class Booking(OwnedModel):
    """Time during which runs of others start no case on hosts and pools.

    A booking is for its owner and the members of its team. A maintenance window is for nobody's
    runs; only admins create it, and it may repeat each week. Running cases are not ended.
    `ended_at`: when it was ended early; no time after it is closed.
    `extends`: its end moves while nobody waits; `extended_from`: the end that a person chose, None
    before the first extension. `was_requested`: it began as soon as its hosts were free.
    """

    class Kind(models.TextChoices):
        BOOKING = "booking", _("booking")
        MAINTENANCE = "maintenance", _("maintenance window")

    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.BOOKING)
    hosts = models.ManyToManyField(
        Host, blank=True, related_name="bookings", verbose_name=_("hosts")
    )
    pools = models.ManyToManyField(
        Pool, blank=True, related_name="bookings", verbose_name=_("pools")
    )
    reason = models.CharField(_("reason"), max_length=200)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("to"))
    weekly = models.BooleanField(_("each week"), default=False)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    repeat_until = models.DateField(_("last day"), null=True, blank=True)
    ended_at = models.DateTimeField(null=True, editable=False)
    extends = models.BooleanField(_("extend while nobody waits"), default=False)
    extended_from = models.DateTimeField(null=True, editable=False)
    was_requested = models.BooleanField(default=False, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="check_booking_end_after_start"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["booking", "maintenance"]), name="check_booking_kind"
            ),
            models.CheckConstraint(
                condition=Q(weekly=False) | Q(kind="maintenance"),
                name="check_booking_weekly_is_maintenance",
            ),
            models.CheckConstraint(
                condition=Q(repeat_until__isnull=True) | Q(weekly=True),
                name="check_booking_repeat_until_is_weekly",
            ),
            models.CheckConstraint(
                condition=Q(extends=False) | Q(kind="booking"),
                name="check_booking_extends_is_no_maintenance",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ends_at"], name="bookings_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    def is_editable(self, user: AnyUser) -> bool:
        if self.kind == self.Kind.MAINTENANCE:
            return isinstance(user, User) and user.is_admin
        return super().is_editable(user)

    @property
    def is_maintenance(self) -> bool:
        return self.kind == self.Kind.MAINTENANCE

    @property
    def window(self) -> Window:
        """Return its time."""
        return Window(
            self.starts_at,
            self.ends_at,
            self.time_zone,
            self.weekly,
            self.repeat_until,
            self.ended_at,
        )

    def state_at(self, now: datetime) -> str:
        """Return "planned", "active" or "ended"; a weekly window stays active between weeks."""
        if self.ended_at is not None and self.ended_at <= now:
            return "ended"
        if self.starts_at > now:
            return "planned"
        if self.weekly:
            last = self.repeat_until
            length = self.ends_at - self.starts_at
            return "ended" if last is not None and last < (now - length).date() else "active"
        return "active" if self.ends_at > now else "ended"

    @property
    def state(self) -> str:
        """Return the present state for its badge."""
        return self.state_at(timezone.now())


class BookingRequest(OwnedModel):
    """Hosts and pools wanted for some hours, as soon as they are free together.

    It waits in the queue among the runs, with normal priority. When its turn has come it becomes a
    booking, and the row is deleted. `blocker`: why it waits.
    """

    hosts = models.ManyToManyField(Host, blank=True, related_name="+", verbose_name=_("hosts"))
    pools = models.ManyToManyField(Pool, blank=True, related_name="+", verbose_name=_("pools"))
    hours = models.PositiveSmallIntegerField(_("hours"))
    reason = models.CharField(_("reason"), max_length=200)
    waiting_since = models.DateTimeField(default=timezone.now, editable=False)
    blocker = MessageField(blank=True, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(hours__gte=1), name="check_booking_request_hours"),
        ]

    def __str__(self) -> str:
        return f"booking request {self.pk}"

    @property
    def length(self) -> timedelta:
        return timedelta(hours=self.hours)
