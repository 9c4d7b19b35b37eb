"""Autocomplete choices: a few rows of one kind, by number or name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.common.domain.keys import parse_key
from apps.inventory.models import Host
from apps.plans.models import TestPlan
from apps.runs.models import Run

MOST = 20
LONGEST = 100  # characters of the search text that are used


@dataclass(frozen=True)
class Choices:
    """Rows in display order, and the column of their name."""

    rows: Callable[[], QuerySet[Any]]
    name: str = "name"

    def found(self, words: str) -> list[Model]:
        """Return the first rows whose name contains the text, or whose number it is."""
        wanted = Q(**{f"{self.name}__icontains": words})
        if key := parse_key(words):
            wanted |= Q(pk=key)
        return list(self.rows().filter(wanted)[:MOST])


KINDS: Mapping[str, Choices] = {
    "hosts": Choices(lambda: Host.objects.order_by("name").only("name")),
    "people": Choices(lambda: User.objects.order_by("username").only("username"), "username"),
    "plans": Choices(lambda: TestPlan.objects.order_by("name", "pk").only("name")),
    "plans-launched": Choices(
        lambda: TestPlan.objects.filter(runs__isnull=False).distinct().order_by("name", "pk")
    ),
    "runs": Choices(lambda: Run.objects.filter(archived_at=None).order_by("-pk").only("name")),
}


@require_safe
@login_required
def choices(request: HttpRequest, kind: str) -> HttpResponse:
    """Return the choices for `?q=`, part of a name or a number; without it the first ones."""
    if kind not in KINDS:
        raise Http404(kind)
    words = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST]
    result = KINDS[kind].found(words)
    return JsonResponse({"choices": [{"value": str(row.pk), "text": str(row)} for row in result]})
