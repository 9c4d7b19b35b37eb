"""The form of a new acceptance."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.acceptance.schemas import FULL, SAMPLE, AcceptanceProfile
from apps.acceptance.selectors.acceptances import disks_offered
from apps.acceptance.selectors.serials import MAX_LIST_LENGTH, disks_of_list
from apps.acceptance.services.acceptances import AcceptanceDraft
from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk, Host
from apps.inventory.selectors.inventory import hosts_reachable

USUAL = AcceptanceProfile()
PROFILE_FIELDS = AcceptanceProfile.__struct_fields__


class AcceptanceForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=60)
    disks = forms.ModelMultipleChoiceField(
        label=_("Disks"),
        queryset=Disk.objects.none(),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=_("Disks that are enrolled as expendable."),
    )
    serials = forms.CharField(
        label=_("Or a list of serials"),
        required=False,
        max_length=MAX_LIST_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("One a line, or CSV whose first line names the columns host and serial."),
    )
    hosts = forms.ModelMultipleChoiceField(
        label=_("Only on these hosts"),
        queryset=Host.objects.none(),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=_("For a list of serials without hosts. Empty: all hosts."),
    )
    coverage = forms.ChoiceField(
        label=_("Fill and verify"),
        choices=[(FULL, _("every block")), (SAMPLE, _("a sample: 1 % at 100 offsets"))],
        initial=USUAL.coverage,
        widget=forms.RadioSelect,
        help_text=_("The tests of a sample use the same blocks only."),
    )
    discard = forms.BooleanField(
        label=_("Discard all blocks first"), required=False, initial=USUAL.discard
    )
    repeats = forms.IntegerField(
        label=_("Repeats of each test"), min_value=1, max_value=20, initial=USUAL.repeats
    )
    seconds = forms.IntegerField(
        label=_("Seconds of a test"), min_value=1, max_value=3600, initial=USUAL.seconds
    )
    outlier_percent = forms.FloatField(
        label=_("Slower than its siblings, percent"),
        min_value=1,
        max_value=95,
        initial=USUAL.outlier_percent,
        help_text=_(
            "A disk is slow if it is an outlier among disks of its model and so far below their "
            "median. That needs six disks."
        ),
    )
    model_percent = forms.FloatField(
        label=_("Below the maker's figure, percent"),
        min_value=0,
        max_value=95,
        initial=USUAL.model_percent,
        help_text=_("Of disks in the catalogue of disk models."),
    )
    max_degrees = forms.IntegerField(
        label=_("Highest temperature, °C"), min_value=20, max_value=120, initial=USUAL.max_degrees
    )
    max_hours = forms.IntegerField(
        label=_("Power-on hours of a new disk, at most"),
        min_value=0,
        max_value=100_000,
        initial=USUAL.max_hours,
    )
    full_link = forms.BooleanField(
        label=_("The link runs at the highest speed of the disk"),
        required=False,
        initial=USUAL.full_link,
    )
    confirm_wipe = forms.BooleanField(
        label=_("File systems on the disks may be destroyed"), required=False
    )

    def __init__(self, data: Any = None, *, user: User, initial: dict[str, object]) -> None:
        super().__init__(data, initial=initial)
        self.fields["disks"].queryset = disks_offered()  # type: ignore[attr-defined] # as declared
        self.fields["hosts"].queryset = hosts_reachable()  # type: ignore[attr-defined] # as declared
        self.fields["team"] = team_field(user, None)
        self.groups = [
            ("", "", ["name", "disks", "serials", "hosts"]),
            (_("What is done"), "", ["coverage", "discard", "repeats", "seconds"]),
            (
                _("What is accepted"),
                "",
                ["outlier_percent", "model_percent", "max_degrees", "max_hours", "full_link"],
            ),
            (_("Start"), "", ["team", "confirm_wipe"]),
        ]

    def clean(self) -> dict[str, Any]:
        """Add the disks of the list to the chosen ones; without a disk there is no cost to show."""
        data = super().clean() or {}
        disks = list(data.get("disks") or ())
        if text := (data.get("serials") or "").strip():
            try:
                disks += disks_of_list(text, list(data.get("hosts") or ()))
            except ServiceError as error:
                self.add_error("serials", error.message)
        data["all_disks"] = list({disk.pk: disk for disk in disks}.values())
        if not data["all_disks"] and not {"disks", "serials"} & self.errors.keys():
            self.add_error("disks", _("Choose at least one disk."))
        return data

    def draft(self) -> AcceptanceDraft:
        """Return the values for `acceptance_start`."""
        data = self.cleaned_data
        return AcceptanceDraft(
            name=data["name"],
            disks=data["all_disks"],
            profile=AcceptanceProfile(**{name: data[name] for name in PROFILE_FIELDS}),
            team=data["team"],
            confirm_wipe=data["confirm_wipe"],
        )
