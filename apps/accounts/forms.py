"""Forms of users and teams."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.models import ApiToken, Team, User
from apps.accounts.passkeys import MAX_BYTES, verified_assertion
from apps.accounts.selectors import has_second_factor, teams_of
from apps.accounts.services import (
    code_verify,
    is_login_throttled,
    login_failed,
    passkey_mark_used,
)
from apps.accounts.trusted_browsers import browser_id
from apps.common.domain.preferences import DENSITIES, UNITS, zone_choices
from apps.common.forms import Cleaned
from apps.common.web.request import current_address


class LoginForm(AuthenticationForm):
    """Login form that is throttled after wrong passwords (apps.accounts.services.throttling)."""

    time_zone = forms.CharField(
        required=False, widget=forms.HiddenInput(attrs={"data-browser-zone": ""})
    )

    def clean(self) -> Cleaned:
        username = str(self.cleaned_data.get("username", ""))[:150]
        device = browser_id(self.request, username)
        if is_login_throttled(username=username, address=current_address(), device=device):
            text = _(
                "Too many logins failed. Wait 15 minutes, or use a browser with which you have "
                "logged in before."
            )
            raise ValidationError(text, code="throttled")
        if settings.BENCHLAB_PASSWORD_LOGIN == "nobody":
            raise ValidationError(_("Log in through the provider."), code="no_passwords")
        try:
            return super().clean()
        except ValidationError:
            if username:
                login_failed(username=username, device=device)
            raise

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if settings.BENCHLAB_PASSWORD_LOGIN == "admins" and not user.is_admin:
            text = _("Only admins log in with a password. Log in through the provider.")
            raise ValidationError(text, code="no_passwords")


class OwnPasswordForm(PasswordChangeForm):
    end_tokens = forms.BooleanField(
        label=_("End my API tokens as well"),
        required=False,
        help_text=_("If somebody else may know the old password."),
    )


class SecondStepForm(forms.Form):
    """A code of the app, a recovery code, or the answer of a passkey; throttled like passwords."""

    code = forms.CharField(
        label=_("Code of your app, or a recovery code"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
    )
    credential = forms.CharField(
        required=False,
        max_length=MAX_BYTES,
        widget=forms.HiddenInput(attrs={"data-credential": ""}),
    )
    method = ""

    def __init__(self, *args: Any, user: User, device: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user, self.device = user, device

    def clean(self) -> Cleaned:
        name = self.user.username
        if is_login_throttled(username=name, address=current_address(), device=self.device):
            raise ValidationError(_("Too many attempts. Wait 15 minutes."), code="throttled")
        self.method = self._method()
        if not self.method:
            login_failed(username=name, device=self.device)
            raise ValidationError(_("That is not right."), code="wrong")
        return self.cleaned_data

    def _method(self) -> str:
        """Return how the identity is proved; "" if it is not."""
        if credential := self.cleaned_data.get("credential"):
            passkey = verified_assertion(self.user, credential)
            if passkey is not None:
                passkey_mark_used(passkey=passkey)
            return "passkey" if passkey is not None else ""
        return code_verify(user=self.user, code=str(self.cleaned_data.get("code", "")))


class ConfirmForm(SecondStepForm):
    """Proof of identity: the second factor of users who have one, else the password.

    Users of a provider prove theirs there; while it is configured, only there.
    """

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user=user, prefix="confirm-login", **kwargs)
        is_local = not is_confirmed_by_provider(user)
        self.has_code = is_local and has_second_factor(user)
        self.has_password = is_local and not self.has_code and user.has_usable_password()
        if not self.has_code:
            del self.fields["code"], self.fields["credential"]
        if not self.has_password:
            del self.fields["password"]

    def _method(self) -> str:
        if self.has_code:
            return super()._method()
        given = self.cleaned_data.get("password", "")
        return "password" if self.has_password and self.user.check_password(given) else ""


def is_confirmed_by_provider(user: User) -> bool:
    """Return True if the provider confirms this user's identity."""
    return user.is_external and settings.OIDC is not None


class TotpForm(forms.Form):
    code = forms.CharField(
        label=_("Code that the app shows"),
        max_length=12,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class PasskeyForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"placeholder": _("laptop")}),
    )
    credential = forms.CharField(
        max_length=MAX_BYTES, widget=forms.HiddenInput(attrs={"data-credential": ""})
    )


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
        help_text=_("Of times on pages, of schedules and quiet hours. Filters by date are UTC."),
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
        help_texts = {"username": "", "is_active": "", "teams": _("Members share what they own.")}
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
        empty_label=gettext("nobody else"),
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


def token_term() -> int:
    """Return the default validity of a token in days."""
    return min(settings.BENCHLAB_TOKEN_DAYS, settings.BENCHLAB_TOKEN_MAX_DAYS)


def token_terms() -> list[tuple[int, str]]:
    """Return the validity choices, the shortest first."""
    most: int = settings.BENCHLAB_TOKEN_MAX_DAYS
    terms = {7, 30, 90, 365, token_term(), most}
    return [(days, _("%(days)d days") % {"days": days}) for days in sorted(terms) if days <= most]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What it is for"),
        max_length=60,
        widget=forms.TextInput(attrs={"placeholder": _("nightly report")}),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"), coerce=int, choices=token_terms, initial=token_term
    )
    read_only = forms.BooleanField(
        label=_("May only read"), required=False, help_text=_("Refuses everything that changes.")
    )
    may_wipe = forms.BooleanField(
        label=_("May wipe"),
        required=False,
        help_text=_(
            "For scripts that wipe or enrol disks, abandon attempts, or make tokens and keys."
        ),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if user.is_admin:
            self.fields["scope"] = forms.ChoiceField(
                label=_("Opens"),
                choices=ApiToken.Scope.choices,
                initial=ApiToken.Scope.API,
                help_text=_("A token for /metrics reads benchlab's state, no results."),
            )

    def clean(self) -> Cleaned:
        given = super().clean() or {}
        if given.get("read_only") and given.get("may_wipe"):
            self.add_error("may_wipe", _("A token that may only read cannot wipe."))
        if given.get("scope") == ApiToken.Scope.METRICS and given.get("may_wipe"):
            self.add_error("may_wipe", _("A token for /metrics cannot wipe."))
        return given
