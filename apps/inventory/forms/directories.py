"""The form of a scratch directory."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.inventory.models import DIRECTORY


class DirectoryForm(forms.Form):
    path = forms.CharField(
        label=_("Path"),
        max_length=255,
        validators=[DIRECTORY],
        widget=forms.TextInput(attrs={"placeholder": "/srv/bench"}),
        help_text=_("Tests make their files in its subfolder “benchlab” and delete them again."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"] = team_field(user)
