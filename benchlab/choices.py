"""Choices that pickers offer while somebody types: a few rows of one kind, found by number or
name.
"""

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
LONGEST = 100  # characters of a question that are looked at


@dataclass(frozen=True)
class Choices:
    """Rows in the order in which they are offered, and the column of their name."""

    rows: Callable[[], QuerySet[Any]]
    name: str = "name"

    def found(self, words: str) -> list[Model]:
        """The first of those whose name holds the words, or whose number they are."""
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
    """`?q=` part of a name, or a number; nothing: the first."""
    if kind not in KINDS:
        raise Http404(kind)
    words = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST]
    found = KINDS[kind].found(words)
    return JsonResponse({"choices": [{"value": str(row.pk), "text": str(row)} for row in found]})
