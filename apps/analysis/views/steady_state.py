"""Steady-state rounds of a run, as a fragment of its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from apps.analysis.steady_state.figures import rounds_chart
from apps.analysis.steady_state.report import report_tables
from apps.analysis.steady_state.selectors import Track, agings_of, tracks_of
from apps.common.domain.charts import ChartFigure, scale_for
from apps.runs.models import Run
from apps.runs.selectors.runs import runs_visible
from apps.stats.steady_state import MeasurementWindow
from apps.tools.metrics import METRICS


@dataclass(frozen=True)
class TrackedRounds:
    """Track with its summary, chart, and the verification of both criteria."""

    track: Track
    label: str
    chart: ChartFigure
    checks: list[tuple[str, str]]


@require_safe
@login_required
def run_steady_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Render each tracked metric over the rounds, with the window and both criteria."""
    run = get_object_or_404(runs_visible(), pk=pk)
    rounds = run.spec.steady_state
    context = {
        "run": run,
        "tracks": list(_tracked(run)),
        "tables": report_tables(run, rounds.metric) if rounds and run.is_final else [],
        "metric": _(METRICS[rounds.metric].label),
    }
    return render(request, "analysis/steady_state.html", context)


def _tracked(run: Run) -> Iterator[TrackedRounds]:
    text = {
        "round": _("Round"),
        "value": _("measured"),
        "average": _("average of the window"),
        "band": _("average ± 10 %"),
        "fit": _("best linear fit"),
    }
    for track in [*agings_of(run), *tracks_of(run)]:
        chart = rounds_chart(track, text)
        yield TrackedRounds(
            track, round_findings(track, ended=run.is_final), chart, _verification(track)
        )


def round_findings(track: Track, *, ended: bool) -> str:
    """Return whether the track is steady, as text."""
    done = len(track.values)
    if track.last is not None:
        return _("steady after round %(number)d") % {"number": track.last}
    if done >= track.max_rounds or ended:
        text = ngettext("not steady in %(n)d round", "not steady in %(n)d rounds", done)
        return text % {"n": done}
    return _("not steady yet: round %(done)d of at most %(most)d") % {
        "done": done,
        "most": track.max_rounds,
    }


def _verification(track: Track) -> list[tuple[str, str]]:
    window = track.window
    return [] if window is None else _criteria(window, METRICS[track.metric].unit)


def _criteria(window: MeasurementWindow, unit: str) -> list[tuple[str, str]]:
    """Return the verification of both criteria, as in a SNIA PTS report."""
    scale = scale_for(unit, window.values)

    def shown(value: float) -> str:
        return f"{value / scale.factor:,.4g} {scale.unit}"

    holds = {True: _("holds"), False: _("does not hold")}
    measured = _("%(value)s of %(most)s allowed: %(holds)s")
    slope, start = window.slope / scale.factor, window.fitted_first / scale.factor
    return [
        (_("Measurement window"), _("round %(first)d to %(last)d") % vars_of(window)),
        (_("Average"), shown(window.average)),
        (
            # xgettext:no-python-format
            _("Range (largest less smallest), at most 20 % of the average"),
            measured
            % {
                "value": shown(window.excursion),
                "most": shown(window.range_allowed),
                "holds": holds[window.range_holds],
            },
        ),
        (
            # xgettext:no-python-format
            _("Slope (excursion of the fit), at most 10 % of the average"),
            measured
            % {
                "value": shown(window.slope_excursion),
                "most": shown(window.slope_allowed),
                "holds": holds[window.slope_holds],
            },
        ),
        (
            _("Least squares linear fit"),
            f"{slope:,.4g} × R + {start - slope * window.first:,.4g} {scale.unit}",
        ),
    ]


def vars_of(window: MeasurementWindow) -> dict[str, int]:
    """Return the first and last round of the window."""
    return {"first": window.first, "last": window.last}
