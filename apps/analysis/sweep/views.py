"""The page of a run's figures over one parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.sweep.curve import Asked, Curve, Point, curves_of, utilisations
from apps.analysis.sweep.figures import curve_panels, panel_height
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.queueing import expected_iops
from apps.analysis.table.grid import Result, axes_of, run_results
from apps.inventory.models import DiskExpectation
from apps.runs.models import Run
from apps.runs.selectors import runs_visible
from apps.tools.registry import accesses_at_random


@dataclass(frozen=True)
class Row:
    """A point in the table. `kept`: whether what was promised is kept, None where nothing was."""

    x: str
    point: Point
    is_knee: bool
    kept: bool | None


@require_safe
@login_required
def run_curve(request: HttpRequest, pk: int) -> HttpResponse:
    """Curves of every tuning, and a table of all points."""
    run = get_object_or_404(runs_visible(), pk=pk)
    results = run_results(run)
    context: dict[str, Any] = {"run": run, "axes": axes_of(results)}
    status = 200
    if context["axes"]:
        form = CurveForm(request.GET.dict(), results)
        context["form"] = form
        if form.is_valid():
            context |= _shown(run, form)
        else:
            status = 400
    return render(request, "analysis/sweep.html", context, status=status)


def _shown(run: Run, form: CurveForm) -> dict[str, Any]:
    asked = form.asked()
    here = form.results
    curves = curves_of(here, asked, utilisations(run, (row.case for row in here)))
    expected = _expected(here)
    sla = _promised(expected)
    return {
        "curves": [(curve, _rows(curve, form, sla)) for curve in curves],
        "label": form.labels[asked.x],
        "figure": curve_panels(
            curves,
            label=form.labels[asked.x],
            words=lambda x: form.words(asked.x, x),
            sla=sla,
        ),
        "height": panel_height(curves),
        "sla": sla,
        "model": _model(expected, here, asked),
        "knees": [(c, form.words(asked.x, c.knee)) for c in curves if c.knee is not None],
    }


def _rows(curve: Curve, form: CurveForm, sla: Mapping[str, float]) -> list[Row]:
    name = form.asked().x
    return [
        Row(form.words(name, point.x), point, point.x == curve.knee, _kept(point, sla))
        for point in curve.points
    ]


def _kept(point: Point, sla: Mapping[str, float]) -> bool | None:
    """A promise of so many IOPS *or* so many bytes is a cap of each: one of them reached is all
    that a point can do."""
    reached = [
        value >= promised
        for metric, promised in sla.items()
        if (value := point.medians.get(metric)) is not None
    ]
    return any(reached) if reached else None


def _expected(results: Sequence[Result]) -> DiskExpectation | None:
    cases = {row.case for row in results}
    rows = DiskExpectation.objects.filter(disk__target__run_targets__cases__in=cases).distinct()[:2]
    return rows[0] if len(rows) == 1 else None


def _promised(expected: DiskExpectation | None) -> dict[str, float]:
    if expected is None:
        return {}
    found = {"iops": expected.sla_iops, "bandwidth": expected.sla_bandwidth}
    return {metric: value for metric, value in found.items() if value is not None}


def _model(
    expected: DiskExpectation | None, results: Sequence[Result], asked: Asked
) -> float | None:
    """The random IOPS of a spinning disk, where its parts are known and the test is random."""
    if expected is None or expected.seek_ms is None or expected.rotation_ms is None:
        return None
    if not asked.x or not any(accesses_at_random(row.tool, row.params) for row in results):
        return None
    return expected_iops(expected.seek_ms, expected.rotation_ms, expected.transfer_ms or 0.0)
