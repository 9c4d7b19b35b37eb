"""Pages that change something answer by a service's result."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from apps.common.errors import Refused
from apps.common.forms import add_refusal


def saved(form: forms.BaseForm, save: Callable[[], object]) -> bool:
    """Whether the form was sent, is right, and `save` took it; else the form says what is wrong."""
    if not form.is_valid():
        return False
    try:
        save()
    except Refused as refused:
        add_refusal(form, refused)
        return False
    return True


def acted(request: HttpRequest, act: Callable[[], object], done: str) -> None:
    """Do it and say `done`, or say why it was refused."""
    try:
        act()
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
