"""Forms of bookings, maintenance windows and requested bookings."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms import team_field
from apps.accounts.models import Team, User
from apps.bookings.models import Booking
from apps.bookings.services.bookings import MAX_REASON, BookingDraft, booking_draft
from apps.bookings.services.requests import RequestDraft
from apps.common.domain.preferences import preferences, zone_choices
from apps.common.forms.timestamps import ZonedDateTimeField
from apps.inventory.models import Host, Pool
from apps.inventory.selectors.inventory import hosts_reachable, pools_for_list

USUAL_HOURS = 2


class EntriesForm(forms.Form):
    """Hosts and pools, and for whom they are."""

    hosts = forms.ModelMultipleChoiceField(
        label=_("Hosts"),
        queryset=Host.objects.none(),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=_("Their other entries and shared disks are closed with them."),
    )
    pools = forms.ModelMultipleChoiceField(
        label=_("Ceph pools"),
        queryset=Pool.objects.none(),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=_("The whole cluster is closed with a pool, as all pools share its OSDs."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        help_text=_("Shown to others whose runs wait for it."),
    )

    def __init__(self, data: Any = None, *, user: User, team: Team | None, initial: Any) -> None:
        super().__init__(data, initial=initial)
        self.fields["hosts"].queryset = hosts_reachable()  # type: ignore[attr-defined] # as declared above
        self.fields["pools"].queryset = pools_for_list()  # type: ignore[attr-defined] # as above
        self.fields["team"] = team_field(user, team)
        self.fields["team"].help_text = _("Its members may start runs in it, and change it.")


class BookingForm(EntriesForm):
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=Booking.Kind.choices,
        initial=Booking.Kind.BOOKING,
        widget=forms.RadioSelect,
        help_text=_("During maintenance no run starts a case, not even an admin's."),
    )
    starts_at = ZonedDateTimeField(label=_("Start"))
    ends_at = ZonedDateTimeField(label=_("End"))
    extends = forms.BooleanField(
        label=_("Extend while nobody waits"),
        required=False,
        help_text=_(
            "Ten minutes before its end it goes on for an hour, up to the longest time that is "
            "allowed, unless a run or request of others waits."
        ),
    )
    weekly = forms.BooleanField(label=_("Repeat each week at this time"), required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone of the repetition"),
        choices=zone_choices,
        required=False,
        help_text=_("The window stays at its hour when summer time begins or ends."),
    )
    repeat_until = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Empty: until it is ended."),
    )

    REPETITION = ("weekly", "time_zone", "repeat_until")

    def __init__(
        self,
        data: Any = None,
        *,
        user: User,
        booking: Booking | None = None,
        initial: dict[str, object] | None = None,
    ) -> None:
        super().__init__(
            data,
            user=user,
            team=booking.team if booking else None,
            initial=_initial(booking) if booking else _new(initial or {}),
        )
        zone = preferences().time_zone
        self.fields["starts_at"].help_text = gettext("In your time zone, %(zone)s.") % {
            "zone": zone
        }
        self.fields["ends_at"].help_text = gettext(
            "A booking lasts %(days)d days at most; you can end it earlier."
        ) % {"days": settings.BENCHLAB_BOOKING_MAX_DAYS}
        self.groups = [
            ("", "", ["kind", "hosts", "pools", "starts_at", "ends_at", "extends", "reason"]),
            (_("Repetition of a maintenance window"), "", list(self.REPETITION)),
            (_("Who else may use it"), "", ["team"]),
        ]
        if not user.is_admin:
            for name in ("kind", *self.REPETITION):
                del self.fields[name]
            self.groups = [
                ("", "", ["hosts", "pools", "starts_at", "ends_at", "extends", "reason", "team"]),
            ]

    def draft(self) -> BookingDraft:
        """Return the values for `booking_save`; an empty field has the draft's default."""
        values = {
            name: value for name, value in self.cleaned_data.items() if value not in (None, "")
        }
        for name in ("hosts", "pools"):
            values[name] = tuple(values[name])
        if not values.get("weekly"):
            values.pop("time_zone", None)
        return BookingDraft(**values)


class RequestForm(EntriesForm):
    """A booking that begins as soon as everything is free."""

    hours = forms.IntegerField(label=_("Hours"), min_value=1, initial=USUAL_HOURS)

    groups: ClassVar[list[tuple[object, object, list[str]]]] = [
        ("", "", ["hosts", "pools", "hours", "reason", "team"]),
    ]

    def __init__(
        self, data: Any = None, *, user: User, initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, user=user, team=None, initial=initial)
        most = settings.BENCHLAB_BOOKING_MAX_DAYS * 24
        self.fields["hours"].help_text = gettext("From 1 to %(hours)d.") % {"hours": most}

    def draft(self) -> RequestDraft:
        """Return the values for `request_create`."""
        return RequestDraft(**self.cleaned_data)


def _initial(booking: Booking) -> dict[str, object]:
    return vars(booking_draft(booking))


def _new(initial: dict[str, object]) -> dict[str, object]:
    now = timezone.now()
    start = _full_hour(now)
    usual: dict[str, object] = {
        "starts_at": start,
        "ends_at": start + timedelta(hours=USUAL_HOURS),
        "time_zone": preferences().time_zone,
    }
    return usual | initial


def _full_hour(timestamp: datetime) -> datetime:
    """Return the begin of the next hour."""
    return timestamp.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
