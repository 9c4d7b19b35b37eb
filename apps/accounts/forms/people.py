"""Forms of users, teams, preferences and saved views."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.models import Team, User
from apps.accounts.selectors import is_confirmed_by_provider, teams_of
from apps.common.domain.preferences import DENSITIES, UNITS, zone_choices


class PreferencesForm(forms.Form):
    """Language, units, time zone and table density of a user's pages."""

    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("as in the browser")), *settings.LANGUAGES],
        required=False,
        help_text=_("The API, CSV files and logs are in English."),
    )
    units = forms.ChoiceField(label=_("Units of rates and sizes"), choices=UNITS)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Of times and filters on pages, of schedules and quiet hours."),
    )
    density = forms.ChoiceField(label=_("Tables"), choices=DENSITIES)


class UserForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    new_password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_(
            "At least 10 characters. Empty keeps the present one; a new one logs the user out "
            "everywhere and ends their API tokens."
        ),
    )

    class Meta:
        model = User
        fields = ["username", "email", "role", "teams", "is_active"]
        labels = {"is_active": _("May log in"), "username": _("Login name")}
        help_texts = {
            "username": "",
            "is_active": "",
            "role": _(
                "A viewer only reads. An operator also launches runs, a disk owner also enrols "
                "disks and approves runs, an admin also manages hosts and users."
            ),
            "teams": _("Members share what they own."),
        }
        widgets = {"teams": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_confirmed_by_provider(self.instance):
            self._leave_to_provider()
        if self.instance.pk is None:
            self.fields["new_password"].required = True
            self.fields["new_password"].help_text = _("At least 10 characters.")

    def _leave_to_provider(self) -> None:
        """Disable what groups of the provider set at every sign-on."""
        sign_on = cast("SignOn", settings.OIDC)
        for name, is_set in (("role", sign_on.roles), ("teams", sign_on.team_prefix)):
            if is_set:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("The groups at the provider set this.")

    def clean_new_password(self) -> str:
        password = str(self.cleaned_data["new_password"])
        if password:
            password_validation.validate_password(password, self.instance)
        return password


def team_field(user: User, now: Team | None = None) -> forms.ModelChoiceField[Team]:
    """Return the field that shares a row with one of the user's teams."""
    return forms.ModelChoiceField(
        queryset=teams_of(user, now),
        required=False,
        label=_("Team"),
        empty_label=gettext("private"),
        help_text=_("Its members may change this too."),
    )


class SavedViewForm(forms.Form):
    """Name of a view of a list, and who sees it."""

    page = forms.CharField(max_length=40, widget=forms.HiddenInput)
    query = forms.CharField(max_length=2000, required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name"), max_length=60)
    is_default = forms.BooleanField(label=_("Open the list with it"), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"] = forms.ModelChoiceField(
            queryset=teams_of(user),
            required=False,
            label=_("Team"),
            empty_label=gettext("only for me"),
        )


class TeamForm(forms.ModelForm):  # type: ignore[type-arg] # as above
    class Meta:
        model = Team
        fields = ["name", "raw_retention_months"]
