"""Pages of rooms whose questions are filters of figures: the form, and the answer. Everything is
GET: the address is the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_filters import FilterSet

from apps.analysis.history.chosen import Chosen, chosen_of
from apps.analysis.history.filters import HistoryFilter
from apps.analysis.history.selectors import LATEST, Measured, workloads_lately, workloads_of
from apps.analysis.of_figures import OfFigures
from apps.analysis.result import AnalysisResult
from apps.analysis.rooms import ViewRoom
from apps.common.errors import Refused
from apps.plans.models import Workload
from apps.results.selectors.results import figures_that_count
from apps.tools.metrics import METRICS

LISTED = 100
"""Workloads offered where none is named."""


class RoomContext(TypedDict, total=False):
    """Names that analysis/room.html reads. `rest`: of the address, beside the workload."""

    room: ViewRoom
    refused: Refused
    filter: FilterSet
    answer: AnalysisResult
    workload: Workload | None
    workloads: list[Measured]
    latest: int
    rest: str
    clear_url: str


def room_page(request: HttpRequest, room: ViewRoom, kept: tuple[str, ...]) -> HttpResponse:
    """The page of a question; names of `kept` stay when the form is cleared."""
    context: RoomContext = {"room": room}
    try:
        asked: OfFigures[HistoryFilter] = room.question(request.GET)
        return _page(request, room, kept, asked)
    except Refused as refused:
        context["refused"] = refused
        return render(request, "analysis/room.html", context, status=refused.status)


def _page(
    request: HttpRequest,
    room: ViewRoom,
    kept: tuple[str, ...],
    asked: OfFigures[HistoryFilter],
) -> HttpResponse:
    context: RoomContext = {"room": room, "answer": room.answer_to(asked)}
    workload: Workload | None = getattr(asked.asked, "workload_asked", None)
    shown = "metric" in asked.asked.filters
    if workload is not None and shown and (chosen := chosen_of(asked.asked, workload)):
        offer(asked.asked, chosen)
    pairs = [(name, value) for name in kept for value in request.GET.getlist(name) if value]
    offers = "workload" in kept and "operation" in asked.asked.filters
    if offers and workload is None and context["answer"].empty:
        context |= _offered(asked.asked, pairs)
    context |= {
        "filter": asked.asked,
        "workload": workload,
        "clear_url": f"?{urlencode(pairs)}",
    }
    return render(request, "analysis/room.html", context)


def _offered(asked: HistoryFilter, pairs: Sequence[tuple[str, str]]) -> RoomContext:
    """Workloads to choose from: of the targets that are asked for, else the latest."""
    if pairs:
        return {"workloads": workloads_of(asked.qs, None, LISTED), "rest": urlencode(pairs)}
    return {"workloads": workloads_lately(figures_that_count(), LISTED), "latest": LATEST}


def offer(asked: HistoryFilter, chosen: Chosen) -> None:
    """The form shows what is shown, and offers what was measured."""
    form = asked.form
    form.data = form.data.copy()
    form.data["metric"], form.data["operation"] = chosen.metric, chosen.operation
    form.fields["metric"].choices = [(key, METRICS[key].label) for key in chosen.metrics]
    form.fields["operation"].widget = forms.Select(choices=[(o, o) for o in chosen.operations])
