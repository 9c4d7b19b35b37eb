"""Form of an alert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms import team_field
from apps.accounts.models import Team, User
from apps.alerts.models import CONDITIONS, ENDED_STATES, Alert
from apps.common.domain.preferences import preferences, zone_choices
from apps.common.forms.autocomplete import AutocompleteField
from apps.plans.models import TestPlan
from apps.runs.models import Run

PAGES = (Alert.View.HISTORY.value, Alert.View.FLEET.value)
"""Views with pages of the same names."""
QUIET = ["quiet_from", "quiet_to", "quiet_zone"]


class AlertForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    """View, conditions and recipients of an alert. Encrypted values are never displayed."""

    webhook_address = forms.CharField(
        label=_("Address of the webhook"),
        required=False,
        max_length=2000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Stored encrypted and not shown again. Empty: the present one stays."),
    )
    webhook_secret = forms.CharField(
        label=_("Secret that messages are signed with"),
        required=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "For generic JSON, DingTalk and Feishu. Enter it again when the address changes."
        ),
    )
    query = forms.CharField(
        label=_("Page of a history or fleet"),
        required=False,
        help_text=_("Its address. “Alert me” on that page enters it here."),
    )
    plan = AutocompleteField(
        queryset=TestPlan.objects.all(), kind="plans", by="name", label=_("Plan"), required=False
    )
    run = AutocompleteField(
        queryset=Run.objects.all(), kind="runs", by="name", label=_("Run"), required=False
    )
    run_team = forms.ModelChoiceField(
        label=_("Team of the run"),
        queryset=Team.objects.all(),
        required=False,
        empty_label=_("any"),
    )
    on_ended = forms.MultipleChoiceField(
        label=_("Message when a run ended as"),
        choices=ENDED_STATES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "One message a run: state, duration, verdict, missed expectations and failures."
        ),
    )
    groups: ClassVar[list[tuple[object, object, list[str]]]] = [
        (_("Alert"), "", ["name", "enabled", "team"]),
        (
            _("Runs"),
            _("Choose one: a page, a plan, a run or a team. Without any, every run counts."),
            ["query", "plan", "run", "run_team"],
        ),
        (_("End of a run"), "", ["on_ended", "only_worse"]),
        (
            _("Conditions"),
            _(
                "Changes and outliers need a page of a history or fleet. Expectations, failures "
                "and approvals use the runs chosen above."
            ),
            list(CONDITIONS),
        ),
        (_("Recipients"), "", ["mail", "webhook", "webhook_address", "webhook_secret"]),
        (_("Quiet hours"), _("Messages wait until they are over."), QUIET),
    ]

    class Meta:
        model = Alert
        fields = (
            *("name", "enabled", "team", "plan", "run", "run_team", "on_ended", "only_worse"),
            *CONDITIONS,
            *("mail", "webhook", *QUIET),
        )
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "mail": forms.Textarea(attrs={"rows": 2}),
        }
        help_texts: ClassVar[dict[str, object]] = {
            "mail": _("Addresses with commas between them."),
            "on_acceptance": _("Your acceptances, and those of the alert's team."),
            "on_booking_begin": _("Made at least an hour before, by you or for the alert's team."),
            "on_booking_end": _("Your bookings, and those of the alert's team."),
            "on_unhealthy": _("It is not reachable, has warnings, or is on hold."),
            "only_worse": _(
                "Worse than a baseline, an expectation missed, or the run failed or was lost."
            ),
        }

    def __init__(self, data: Any = None, *, user: User, **options: Any) -> None:
        super().__init__(data, **options)
        if self.instance.pk:
            self.initial.update(view=self.instance.view, query=self.instance.query)
        self.initial["query"] = _page_address(self.initial)
        self.fields["team"] = team_field(user)
        self.fields["quiet_zone"].widget = forms.Select(choices=zone_choices())
        self.fields["quiet_zone"].required = False
        if self.instance.quiet_from is None:
            self.initial["quiet_zone"] = preferences().time_zone

    def clean_query(self) -> str:
        """Return the query of the address, and store its view with the other values."""
        text = _("This is not the address of a page of History or Fleet.")
        try:
            parts = urlsplit(self.cleaned_data["query"].strip())
        except ValueError:  # such as an open bracket in the host
            raise forms.ValidationError(text) from None
        pages = {"": "", **{reverse(name): name for name in PAGES}}
        if parts.path not in pages or (parts.query and not parts.path):
            raise forms.ValidationError(text)
        self.cleaned_data["view"] = pages[parts.path]
        return str(parts.query)

    def clean_quiet_zone(self) -> str:
        return str(self.cleaned_data["quiet_zone"] or self.instance.quiet_zone)


def _page_address(values: Mapping[str, Any]) -> str:
    """Return the address of the page of a view and its query; empty without one."""
    view, query = values.get("view"), values.get("query")
    return f"{reverse(view)}?{query}" if view in PAGES and query else ""
