"""Answers as files, for the pages of all rooms."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from apps.analysis.of_runs import without
from apps.analysis.renderings.formats import File, file_of
from apps.analysis.rooms import ROOMS
from apps.common.database.statements import long_statements
from apps.common.errors import Refused

OWN = ("format", "table")
"""Names of a query that say how an answer is sent, not what is asked."""


@require_safe
@login_required
def export(request: HttpRequest, view: str) -> HttpResponseBase:
    """An answer as a file (`?format=`); of CSV the table of this name (`?table=`)."""
    if view not in ROOMS:
        raise Http404(view)
    try:
        with long_statements():
            answer = ROOMS[view].asked(without(request.GET, *OWN))
        found = file_of(answer, request.GET.get("format", "json"), request.GET.get("table", ""))
    except Refused as refused:
        text = "; ".join([refused.message, *_fields(refused)])
        return HttpResponse(text, status=refused.status, content_type="text/plain; charset=utf-8")
    return sent(found)


ZOOM = {"from": "start", "to": "end"}
"""A chart's names of the part that is zoomed to, and those of the question."""


@require_safe
@login_required
def figure(request: HttpRequest, view: str, name: str) -> HttpResponseBase:
    """A chart of an answer, for a page that zooms (`?from=&to=`, on the chart's own axis)."""
    if view not in ROOMS:
        raise Http404(view)
    asked = without(request.GET, *ZOOM)
    for own, its in ZOOM.items():
        if own in request.GET:
            asked[its] = request.GET[own]
    try:
        answer = ROOMS[view].asked(asked)
    except Refused as refused:
        return JsonResponse({"error": refused.message}, status=refused.status)
    found = next((chart.figure for chart in answer.charts if chart.key == name), None)
    if found is None:
        raise Http404(name)
    return JsonResponse(found)


def sent(found: File) -> StreamingHttpResponse:
    """A file as an answer, piece by piece."""
    response = StreamingHttpResponse(found.pieces, content_type=found.media_type)
    response["Content-Disposition"] = f'attachment; filename="{found.name}"'
    return response


def _fields(refused: Refused) -> list[str]:
    return [f"{name}: {texts}" for name, texts in refused.fields.items()]
