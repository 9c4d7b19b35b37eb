"""Analysis results as files."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
)
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from apps.analysis.presenters.downloads import FORMAT_PARAMETERS, file_response
from apps.analysis.presenters.formats import file_of
from apps.analysis.queries.run_query import without
from apps.analysis.registry import VIEWS
from apps.common.database.statements import long_statements
from apps.common.errors import ServiceError


@require_safe
@login_required
def export(request: HttpRequest, view: str) -> HttpResponseBase:
    """Return a result as a file (`?format=`); of CSV and Parquet one table (`?table=`)."""
    if view not in VIEWS:
        raise Http404(view)
    try:
        with long_statements():
            result = VIEWS[view].analyse(without(request.GET, *FORMAT_PARAMETERS))
        file = file_of(result, request.GET.get("format", "json"), request.GET.get("table", ""))
    except ServiceError as error:
        text = "; ".join([error.message, *_fields(error)])
        return HttpResponse(text, status=error.status, content_type="text/plain; charset=utf-8")
    return file_response(file)


ZOOM = {"from": "start", "to": "end"}
"""Parameters of a chart's zoom, and those of the query."""


@require_safe
@login_required
def figure(request: HttpRequest, view: str, name: str) -> HttpResponseBase:
    """Return a chart of a result, for zooming (`?from=&to=`, on the chart's axis)."""
    if view not in VIEWS:
        raise Http404(view)
    params = without(request.GET, *ZOOM)
    for own, its in ZOOM.items():
        if own in request.GET:
            params[its] = request.GET[own]
    try:
        result = VIEWS[view].analyse(params)
    except ServiceError as error:
        return JsonResponse({"error": error.message}, status=error.status)
    drawn = next((chart.figure for chart in result.charts if chart.key == name), None)
    if drawn is None:
        raise Http404(name)
    return JsonResponse(drawn)


def _fields(error: ServiceError) -> list[str]:
    return [f"{name}: {texts}" for name, texts in error.fields.items()]
