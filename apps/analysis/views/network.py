"""Page of a run's network: a matrix of host pairs, and every case."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.analysis.network.delta import mesh_delta
from apps.analysis.network.figures import mesh_height, mesh_map
from apps.analysis.network.forms import MeshForm
from apps.analysis.network.mesh import MeshLink, mesh_of, run_mesh_links
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.run_query import run_page_query
from apps.runs.models import Run
from apps.runs.selectors.runs import runs_visible
from apps.tools.metrics import METRICS, shown_unit


@require_safe
@login_required
def run_mesh(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the matrix of one metric (`?figure=`) of one workload under one tuning."""
    run = get_object_or_404(runs_visible(), pk=pk)
    links = run_mesh_links(run)
    form = MeshForm(request.GET.dict(), links)
    context: dict[str, object] = {"run": run, "links": links, "form": form}
    if not form.is_valid():
        return render(request, "analysis/network.html", context, status=400)
    context |= _mesh_context(run, links, form) | {"exported": run_page_query(request.GET, run.pk)}
    return render(request, "analysis/network.html", context)


def _mesh_context(run: Run, links: list[MeshLink], form: MeshForm) -> dict[str, object]:
    chosen, base = form.chosen(), form.base
    metric = METRICS[chosen["figure"]]
    pair_links = [
        link
        for link in links
        if (link.workload, link.tuning) == (chosen.get("workload"), chosen.get("tuning"))
    ]
    mesh = mesh_of(pair_links, metric.key)
    query = ComparisonQuery(runs=(run.pk,))
    ranked = mesh.extremes(metric.higher_is_better is not False)
    return {
        "chosen": chosen,
        "metric": metric,
        "unit": shown_unit(metric.key, network=True) or "1",
        "mesh": mesh,
        "delta": mesh_delta(query, base, mesh, pair_links, chosen["tuning"]) if base else None,
        "rows": pair_links,
        "worst": ranked[0] if ranked else None,
        "best": ranked[-1] if len(ranked) > 1 else None,
        "figure": mesh_map(mesh, {"client": _("Client"), "server": _("Server")}),
        "height": mesh_height(mesh),
    }
