"""Fields and widgets that several forms of this app have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Team, User
from apps.common.forms import Context


def team_field(user: User, now: Team | None = None) -> forms.ModelChoiceField[Team]:
    """The teams this user may share something with: their own, the one it has `now`, for an admin
    all."""
    own = Q(members=user) | Q(pk=now.pk if now else None)
    return forms.ModelChoiceField(
        label=_("Team"),
        queryset=Team.objects.all() if user.is_admin else Team.objects.filter(own).distinct(),
        required=False,
        empty_label=_("nobody else"),
        help_text=_("Everybody in the team may change and delete the entry too."),
    )


class Suggesting(forms.TextInput):
    """A text input that offers some values; others may be typed."""

    def __init__(self, suggestions: Iterable[str], attrs: Context | None = None) -> None:
        super().__init__(attrs)
        self.suggestions = list(suggestions)

    def render(
        self, name: str, value: Any, attrs: Context | None = None, renderer: Any = None
    ) -> SafeString:
        place = f"{name}-suggestions"
        shown = super().render(name, value, {**(attrs or {}), "list": place}, renderer)
        options = format_html_join("", '<option value="{}">', ((one,) for one in self.suggestions))
        return format_html('{}<datalist id="{}">{}</datalist>', shown, place, options)
