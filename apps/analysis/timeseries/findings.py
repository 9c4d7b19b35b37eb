"""Findings and heat maps of time series. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.result import Chart
from apps.analysis.timeseries.heat import Heat, heat_maps, height_of
from apps.analysis.timeseries.slowest import SLOWNESS_METRICS, SlowWindow
from apps.common.domain.units import nanoseconds, significant
from apps.common.domain.value_format import format_metric
from apps.tools.metrics import METRICS

DEVICE_METRICS = ("utilisation", "queue", "read_await", "write_await")
"""Device metrics in the sentence about the slowest window."""


def window_text(one: SlowWindow) -> str:
    """Return a sentence about a slow window: test, latency, and device metrics."""
    largest = _(
        "Slowest: second {start} to {end} of {test}, where {operation} took up to {latency}"
        " ({times} times the usual)."
    )
    mean = _(
        "Slowest: second {start} to {end} of {test}, where {operation} took {latency} on average"
        " ({times} times the usual)."
    )
    text = (largest if one.metric == SLOWNESS_METRICS[0] else mean).format(
        start=f"{round(one.start, 3):g}",
        end=f"{round(one.end, 3):g}",
        test=one.test,
        operation=one.operation,
        latency=nanoseconds(one.latency),
        times=significant(one.times, digits=2) if one.times else "–",
    )
    devices = [
        f"{_(METRICS[key].label)} {format_metric(key, value)} ({device})"
        for key in DEVICE_METRICS
        if key in one.device_values
        for value, device in [one.device_values[key]]
    ]
    then = [_("Then: {devices}.").format(devices=", ".join(devices))] if devices else []
    return " ".join([text, *then])


def heat_charts(heats: Sequence[Heat]) -> list[Chart]:
    """Return the heat maps as one chart; empty without histograms."""
    if not heats:
        return []
    title = _("Latency heat map")
    label = _(
        "Share of each interval's operations by latency: bright where most of them were; the table"
        " of slowest windows has the same information"
    )
    return [Chart("heat", title, label, heat_maps(heats), height=height_of(len(heats)), zoom=True)]


def heat_notes(heats: Sequence[Heat], fewer: bool) -> list[str]:
    """Return notes on how to read the heat maps, or why there are none."""
    if not heats:
        return [
            _(
                "No heat map: none of these tests has latency histograms over time. Tests of fio"
                " do; older ones after an admin reparses their output."
            )
        ]
    notes = [
        _(
            "Heat map: each column is an interval of a test, each colour the share of its"
            " operations that took so long."
        )
    ]
    if fewer:
        notes.append(_("Maps of the first {n} are drawn.").format(n=len(heats)))
    return notes
