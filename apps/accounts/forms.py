"""What people may type about people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AuditEntry, Team, User
from apps.accounts.selectors import FAILED_LOGIN, login_must_wait
from apps.common.request import current_address


class LoginForm(AuthenticationForm):
    """Django's, with a pause after too many wrong passwords (apps.accounts.selectors says how
    many)."""

    def clean(self) -> dict[str, Any]:
        username = str(self.cleaned_data.get("username", ""))[:150]
        address = current_address()
        if login_must_wait(username=username, address=address):
            raise ValidationError(
                _("Too many logins failed. Wait 15 minutes, or ask an admin for a new password."),
                code="throttled",
            )
        try:
            return super().clean()
        except ValidationError:
            if username:
                AuditEntry.objects.create(
                    username=username, address=address, verb=FAILED_LOGIN, noun="user"
                )
            raise


class UserForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms take no type at run time
    new_password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 10 characters. Empty keeps the present one."),
    )

    class Meta:
        model = User
        fields = ["username", "email", "role", "teams", "is_active"]
        labels = {"is_active": _("May log in"), "username": _("Login name")}
        help_texts = {"username": "", "is_active": "", "teams": _("Members share what they own.")}
        widgets = {"teams": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None:
            self.fields["new_password"].required = True
            self.fields["new_password"].help_text = _("At least 10 characters.")

    def clean_new_password(self) -> str:
        password = str(self.cleaned_data["new_password"])
        if password:
            password_validation.validate_password(password, self.instance)
        return password


class TeamForm(forms.ModelForm):  # type: ignore[type-arg] # as above
    class Meta:
        model = Team
        fields = ["name"]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What it is for"),
        max_length=60,
        widget=forms.TextInput(attrs={"placeholder": _("nightly report")}),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("1 year")), (0, _("ever"))],
        initial=90,
    )
    read_only = forms.BooleanField(
        label=_("May only read"), required=False, help_text=_("Refuses everything that changes.")
    )
