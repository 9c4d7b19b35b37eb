"""Forms of API tokens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import ApiToken, User
from apps.common.forms import Cleaned


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
                label=_("Gives access to"),
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
