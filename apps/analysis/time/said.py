"""Sentences and heat maps of an answer about time. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.compare.words import figure
from apps.analysis.result import Chart
from apps.analysis.time.heat import Heat, heat_maps, height_of
from apps.analysis.time.slowest import BY, SlowWindow
from apps.common.units import nanoseconds, significant
from apps.tools.metrics import METRICS

TOLD = ("utilisation", "queue", "read_await", "write_await")
"""Metrics of devices that the sentence about the slowest window names."""


def window_words(one: SlowWindow) -> str:
    """A sentence about a slow window: where, how slow, and what devices did."""
    largest = _(
        "Slowest: second {start} to {end} of {test}, where {operation} took up to {latency}"
        " ({times} times the usual)."
    )
    mean = _(
        "Slowest: second {start} to {end} of {test}, where {operation} took {latency} on average"
        " ({times} times the usual)."
    )
    words = (largest if one.metric == BY[0] else mean).format(
        start=f"{round(one.start, 3):g}",
        end=f"{round(one.end, 3):g}",
        test=one.test,
        operation=one.operation,
        latency=nanoseconds(one.latency),
        times=significant(one.times, digits=2) if one.times else "–",
    )
    told = [
        f"{_(METRICS[key].label)} {figure(key, one.said[key][0])} ({one.said[key][1]})"
        for key in TOLD
        if key in one.said
    ]
    return " ".join([words, *([_("Then: {told}.").format(told=", ".join(told))] if told else [])])


def heat_charts(heats: Sequence[Heat]) -> list[Chart]:
    """The heat maps as one chart; none where nothing is known."""
    if not heats:
        return []
    title = _("Latency heat map")
    label = _(
        "Share of each interval's operations by latency: bright where most of them were; the table"
        " of slowest windows says the same in words"
    )
    return [Chart("heat", title, label, heat_maps(heats), height=height_of(len(heats)), zoom=True)]


def heat_notes(heats: Sequence[Heat], fewer: bool) -> list[str]:
    """Notes about reading the heat maps, or about why there are none."""
    if not heats:
        return [
            _(
                "No heat map: none of these tests keeps latency histograms over time. Tests of fio"
                " do; older ones once they are read again (bin/manage reparse)."
            )
        ]
    said = [
        _(
            "Heat map: each column is an interval of a test, each colour the share of its"
            " operations that took so long."
        )
    ]
    if fewer:
        said.append(_("Maps of the first {n} are drawn.").format(n=len(heats)))
    return said
