"""Forms of logins, passwords and second factors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.accounts.passkeys import MAX_BYTES, verified_assertion
from apps.accounts.selectors import (
    has_second_factor,
    is_confirmed_by_provider,
    is_password_login_permitted,
)
from apps.accounts.services import (
    code_verify,
    is_login_throttled,
    login_failed,
    passkey_mark_used,
)
from apps.accounts.trusted_browsers import browser_id
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
        if is_confirmed_by_provider(user):
            text = _("Your account is joined with the provider. Log in through the provider.")
            raise ValidationError(text, code="no_passwords")
        if not is_password_login_permitted(user):
            text = _("Only admins log in with a password. Log in through the provider.")
            raise ValidationError(text, code="no_passwords")


class OwnPasswordForm(PasswordChangeForm):
    end_tokens = forms.BooleanField(
        label=_("End my API tokens as well"),
        required=False,
        help_text=_("If somebody else may have the old password."),
    )

    def clean_old_password(self) -> str:
        """Throttle the guessing of the old password in a stolen session."""
        name = self.user.username
        if is_login_throttled(username=name, address=current_address(), device=""):
            raise ValidationError(_("Too many attempts. Wait 15 minutes."), code="throttled")
        try:
            return super().clean_old_password()
        except ValidationError:
            login_failed(username=name, device="")
            raise


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
    wrong_text = _("This code or passkey is not valid. Each code is valid once.")

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
            raise ValidationError(self.wrong_text, code="wrong")
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
            self.wrong_text = _("This password is not valid.")
        if not self.has_password:
            del self.fields["password"]

    def _method(self) -> str:
        if self.has_code:
            return super()._method()
        given = self.cleaned_data.get("password", "")
        return "password" if self.has_password and self.user.check_password(given) else ""


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
