"""A pasted list: `step=preview` shows what it would do, another step does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpRequest, HttpResponse

from apps.common.errors import ServiceError
from apps.common.forms import add_refusal
from apps.inventory.forms.pasted_list import PastedListForm

Plan = TypeVar("Plan")


def list_step(
    form: PastedListForm,
    request: HttpRequest,
    step: str,
    *,
    act: Callable[[], HttpResponse],
    plan: Callable[[], Plan],
) -> HttpResponse | Plan | None:
    """Return the response of `act` if the step is requested, else the plan of a valid list.

    After a refusal, whose reason the form shows, the plan is that of the list if it can be read.
    """
    try:
        if not form.is_valid():
            return None
        return act() if request.POST.get("step") == step else plan()
    except ServiceError as refused:
        add_refusal(form, refused)
    try:
        return plan() if hasattr(form, "cleaned_data") else None
    except (ServiceError, KeyError):
        return None
