"""A disturbance on a case's page: its phases, its figures, and the repeats over each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.templatetags.benchlab_format import bytes_, count, duration
from apps.plans.schemas.disturbance import MD_FAIL
from apps.results.schemas.disturbance import DisturbanceDocument, PhaseFigures
from apps.results.selectors.disturbances import DisturbedRepeat
from apps.tools.metrics import TAIL_LATENCY

PHASES = {
    "before": lazy("before"),
    "degraded": lazy("degraded"),
    "recovering": lazy("recovering"),
    "scrubbing": lazy("scrubbing"),
    "clean": lazy("clean, OSD out"),
    "returning": lazy("recovering, OSD in again"),
    "after": lazy("after"),
}
MARKS = ("disturbed", "clean", "restored", "returned")
OWN_WIDTH, OTHER_WIDTH = 2.5, 1.0
GAP = 0.06


@dataclass(frozen=True)
class PhaseRow:
    """A phase of the table; `share`: its IOPS in percent of those before; `tail`: latency."""

    label: str
    start: float
    seconds: float
    iops: float | None
    share: float | None
    tail: float | None


def phase_rows(document: DisturbanceDocument) -> list[PhaseRow]:
    """Return the phases, with times since the disturbance."""
    zero = _zero(document)
    before = next((one.iops for one in document.phases if one.name == "before"), None)
    return [
        PhaseRow(
            str(PHASES.get(one.name, one.name)),
            one.start - zero,
            one.end - one.start,
            one.iops,
            _share(one, before),
            one.latency_p99,
        )
        for one in document.phases
    ]


def _share(phase: PhaseFigures, before: float | None) -> float | None:
    return 100 * phase.iops / before if before and phase.iops is not None else None


def disturbance_facts(document: DisturbanceDocument) -> list[tuple[str, str]]:
    """Return the figures of the whole disturbance, by label."""
    return list(_facts(document))


def _facts(document: DisturbanceDocument) -> Iterator[tuple[str, str]]:
    yield _("Disturbance"), document.text
    if document.time_to_clean is not None:
        yield _("Time to clean"), duration(document.time_to_clean)
    if document.time_to_return is not None:
        yield _("Time to clean after the OSD is in again"), duration(document.time_to_return)
    if document.is_readded:
        yield _("Rebuild"), _("none: the array copied only what its bitmap names (re-add)")
    if document.recovered_bytes is not None:
        yield _("Bytes moved by the recovery"), bytes_(document.recovered_bytes)
    if document.worst_iops is not None:
        yield _("IOPS in the worst interval"), count(document.worst_iops)
    if document.below_seconds is not None:
        yield _("Time below the expected IOPS"), duration(document.below_seconds)
    if document.checks:
        yield _("Health checks meanwhile"), ", ".join(document.checks)


def disturbance_card(document: DisturbanceDocument) -> dict[str, object]:
    """Return the values of the card: facts, phases, and the label of the latency if it is known."""
    return {
        "facts": disturbance_facts(document),
        "phases": phase_rows(document),
        "tail_label": _(TAIL_LATENCY.head)
        if any(one.latency_p99 is not None for one in document.phases)
        else "",
    }


def disturbance_chart(repeats: Sequence[DisturbedRepeat]) -> ChartFigure:
    """Return IOPS, and objects not in their place, of all repeats, aligned at the disturbance.

    A tuning has a colour; the shown repeat is bold.
    """
    tunings = list(dict.fromkeys(one.tuning for one in repeats))
    data: list[ChartFigure] = []
    legends: set[str] = set()
    for one in sorted(repeats, key=lambda each: each.is_shown):
        index = tunings.index(one.tuning)
        data += _traces(one, index, one.tuning not in legends)
        legends.add(one.tuning)
    across = charts.axis(_("Time since the disturbance"), "s", anchor="y2")
    upper = charts.axis(_("IOPS"), rangemode="tozero", domain=[0.5 + GAP / 2, 1])
    lower = charts.axis(_lower_label(repeats), rangemode="tozero", domain=[0, 0.5 - GAP / 2])
    shown = next((one.document for one in repeats if one.is_shown), None)
    shape = charts.layout(
        "",
        hovermode="closest",
        xaxis=across,
        yaxis=upper,
        yaxis2=lower,
        shapes=_mark_lines(shown) if shown else [],
    )
    return {"data": data, "layout": shape}


def _lower_label(repeats: Sequence[DisturbedRepeat]) -> str:
    """Return what the lower half counts: KiB of the member of an array, or objects."""
    if any(one.document.kind == MD_FAIL for one in repeats):
        return _("KiB not rebuilt")
    return _("Objects degraded or misplaced")


def _traces(repeat: DisturbedRepeat, index: int, in_legend: bool) -> Iterator[ChartFigure]:
    document, zero = repeat.document, _zero(repeat.document)
    middles = (
        document.iops_start + (at + 0.5) * document.iops_interval - zero
        for at in range(len(document.iops))
    )
    line = {
        "color": charts.colour(index),
        "dash": charts.dash(index),
        "width": OWN_WIDTH if repeat.is_shown else OTHER_WIDTH,
    }
    name = _("%(tuning)s, repeat %(repeat)d") % {"tuning": repeat.tuning, "repeat": repeat.repeat}
    shared = {
        "type": "scatter", "mode": "lines", "name": repeat.tuning, "line": line,
        "legendgroup": repeat.tuning, "opacity": 1 if repeat.is_shown else 0.6,
        "hovertext": charts.escape_text(name),
    }  # fmt: skip
    yield {**shared, "x": list(middles), "y": list(document.iops), "showlegend": in_legend}
    moving = [a + b for a, b in zip(document.degraded, document.misplaced, strict=True)]
    seconds = [t - zero for t in document.seconds]
    yield {**shared, "x": seconds, "y": moving, "yaxis": "y2", "showlegend": False}


def _mark_lines(document: DisturbanceDocument) -> list[ChartFigure]:
    """Return dashed lines at the marks of the shown repeat."""
    zero = _zero(document)
    return [
        {
            "type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
            "x0": document.marks[name] - zero, "x1": document.marks[name] - zero,
            "line": {"color": charts.GREY, "dash": "dash", "width": 1},
        }
        for name in MARKS
        if name in document.marks
    ]  # fmt: skip


def _zero(document: DisturbanceDocument) -> float:
    """Return the second of the disturbance on the axis of the load."""
    return document.marks.get("disturbed", 0.0)
