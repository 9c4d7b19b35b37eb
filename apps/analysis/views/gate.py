"""Page of a gate. All state is in the URL."""

from __future__ import annotations

from typing import TypedDict

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analysis.gate.forms import GateForm
from apps.analysis.gate.page_rows import RowsPage, rows_page
from apps.analysis.gate.query import LIMITS, parse_gate_query
from apps.analysis.gate.result import GateResult, compute_gate
from apps.analysis.gate.sentences import gate_sentence
from apps.common.errors import ServiceError


class GateContext(TypedDict, total=False):
    """Context of the page. `newer`, `older`: queries of the pages beside this one."""

    form: GateForm
    refused: ServiceError
    gate: GateResult
    sentence: str
    page: RowsPage
    newer: str
    older: str


@require_safe
@login_required
def gate(request: HttpRequest) -> HttpResponse:
    """Render the decisions of the query; only the form until a limit is given."""
    context: GateContext = {"form": GateForm(request.GET)}
    if not any(request.GET.get(name) for name in LIMITS):
        return render(request, "analysis/gate/gate.html", context)
    try:
        context |= _decided(request)
    except ServiceError as refused:
        context["refused"] = refused
        return render(request, "analysis/gate/gate.html", context, status=refused.status)
    return render(request, "analysis/gate/gate.html", context)


def _decided(request: HttpRequest) -> GateContext:
    data = request.GET.copy()
    text = "".join(data.pop("page", ["1"])[:1])
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
    query = parse_gate_query(data)
    result = compute_gate(query)
    page = rows_page(result, number)
    return {
        "gate": result,
        "sentence": gate_sentence(result),
        "page": page,
        "newer": _page_query(result, page.number - 1) if page.number > 1 else "",
        "older": _page_query(result, page.number + 1) if page.number < page.last else "",
    }


def _page_query(gate: GateResult, number: int) -> str:
    return f"?{gate.query.urlencode(('page', str(number)))}"
