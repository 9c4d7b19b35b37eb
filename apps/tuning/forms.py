"""The form of a tuning profile: one typed field per setting, blank for "leave as found"."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.models import Team, User
from apps.common.errors import Refused

from .models import TuningProfile
from .selectors import lab_schedulers
from .services import LONGEST_SETTLE, TuningDraft
from .settings import SETTINGS, Setting

_PREFIX = "settings."


def team_field(user: User) -> forms.ModelChoiceField[Team]:
    """The teams a user may share something with: their own, for an admin all."""
    rows = Team.objects.all() if user.is_admin else user.teams.all()
    return forms.ModelChoiceField(
        queryset=rows,
        required=False,
        label=lazy("Team"),
        empty_label=_("nobody else"),
        help_text=lazy("Its members may change this too."),
    )


class TuningForm(forms.Form):
    name = forms.CharField(label=lazy("Name"), max_length=80)
    description = forms.CharField(
        label=lazy("Description"), required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip
    settle = forms.FloatField(
        label=lazy("Settle time (seconds)"),
        min_value=0,
        max_value=LONGEST_SETTLE,
        initial=0,
        help_text=lazy("How long to wait after the last change before the test starts."),
    )

    def __init__(
        self, data: Any = None, *, user: User, tuning: TuningProfile | None = None
    ) -> None:
        super().__init__(data, initial=_initial(tuning) if tuning else None)
        self.fields["team"] = team_field(user)
        for setting in SETTINGS.values():
            self.fields[setting.name] = _setting_field(setting)
        names = list(SETTINGS)
        queue_help = _("For every disk of the test. Blank leaves a setting as it is found.")
        self.groups = [
            ("", "", ["name", "description", "team", "settle"]),
            (_("Block queue"), queue_help, names),
        ]

    def draft(self) -> TuningDraft:
        """What was typed, for the services."""
        data = self.cleaned_data
        settings = [
            {"kind": setting.kind, "name": name, "value": data[name]}
            for name, setting in SETTINGS.items()
            if data[name] not in (None, "")
        ]
        return TuningDraft(
            data["name"], data["description"], settings, data["settle"], data["team"]
        )

    def add_refusal(self, refused: Refused) -> None:
        """A service's sentences beside the fields they are about."""
        for name, texts in (refused.fields or {"": [refused.message]}).items():
            field = name.removeprefix(_PREFIX)
            self.add_error(field if field in self.fields else None, texts)


def _initial(tuning: TuningProfile) -> dict[str, Any]:
    values = {row["name"]: row["value"] for row in tuning.settings}
    return {
        "name": tuning.name,
        "description": tuning.description,
        "settle": tuning.settle,
        "team": tuning.team_id,
        **values,
    }


def _setting_field(setting: Setting) -> forms.Field:
    label = f"{setting.label} ({setting.unit})" if setting.unit else str(setting.label)
    if not setting.choices:
        return forms.IntegerField(
            label=label,
            required=False,
            min_value=setting.minimum,
            max_value=setting.maximum,
            help_text=_range_help(setting),
        )
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=[("", _("leave as found")), *_choices(setting)],
        help_text=str(setting.help),
    )


def _range_help(setting: Setting) -> str:
    limits = {"low": f"{setting.minimum:,}", "high": f"{setting.maximum:,}", "unit": setting.unit}
    return f"{setting.help} {_('From %(low)s to %(high)s %(unit)s.') % limits}"


def _choices(setting: Setting) -> list[tuple[str, str]]:
    """The choices; for schedulers with the number of enrolled disks that offer each."""
    if setting.name != "scheduler":
        return [(value, str(label)) for value, label in setting.choices]
    offered = dict(lab_schedulers())
    words = _("{} · offered by {} of the enrolled disks")
    return [
        (value, words.format(value, offered[value]) if value in offered else value)
        for value, _label in setting.choices
    ]
