"""Figures and times: `{% load benchlab_format %}`, then `{{ row.bandwidth|bandwidth }}`.

Every filter gives HTML: a `<span class="figure">` that never wraps, with the other unit or the
exact value as its title. A value that is None or not finite becomes the "no figure" dash.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.common.domain import messages, preferences, units
from apps.tools import metrics
from apps.tools.metrics import Metric, View
from apps.tools.registry import measures_network

register = template.Library()
Formatter = Callable[[float], str]
FigureFilter = Callable[[float | None], SafeString]


@register.simple_tag(name="missing")
def missing(reason: str = "") -> SafeString:
    """A dash that says why there is no figure, also to a screen reader."""
    words = reason or _("no figure")
    return format_html(
        '<span class="missing" title="{}"><span aria-hidden="true">–</span>'
        '<span class="visually-hidden">{}</span></span>',
        words,
        words,
    )


def figure_html(value: Any, shown: Formatter, title: Formatter | None = None) -> SafeString:
    """`value` through `shown`, with `title` on hover; the dash where there is no finite value."""
    if value is None or value == "" or not math.isfinite(value):
        return missing()
    hint = format_html(' title="{}"', title(value)) if title is not None else ""
    return format_html('<span class="figure"{}>{}</span>', hint, shown(value))


@register.filter
def localize_message(text: str) -> str:
    """A stored sentence in the reader's language; other text as it is."""
    return messages.localize_message(text)


@register.filter
def bandwidth(value: float | None) -> SafeString:
    """Bytes per second as MiB/s, with MB/s on hover, or as the reader prefers."""
    return figure_html(value, preferences.rate, preferences.other_rate)


@register.filter
def bandwidth_both(value: float | None) -> SafeString:
    """Bytes per second as `1,024.0 MiB/s (1,073.7 MB/s)`: for pages with room for both."""
    return figure_html(value, lambda v: f"{preferences.rate(v)} ({preferences.other_rate(v)})")


@register.filter
def network(value: float | None) -> SafeString:
    """Bytes per second as `9.412 Gbit/s (1,176.5 MB/s)`, to be set beside a disk's bandwidth."""
    return figure_html(value, lambda v: f"{units.gbit_per_second(v)} ({units.mb_per_second(v)})")


@register.filter
def bandwidth_of(value: float | None, tool: str) -> SafeString:
    """Bytes per second as people read them of this tool: MiB/s and MB/s, of a network Gbit/s and
    MB/s.
    """
    return network(value) if measures_network(tool) else bandwidth_both(value)


@register.filter
def bandwidth_short(value: float | None, tool: str) -> SafeString:
    """The same where there is room for one unit only; the other is there on hover."""
    if measures_network(tool):
        return figure_html(value, units.gbit_per_second, units.mb_per_second)
    return bandwidth(value)


@register.filter
def iops(value: float | None) -> SafeString:
    """Operations per second."""
    return figure_html(value, units.operations_per_second)


@register.filter
def latency(value: float | None) -> SafeString:
    """Nanoseconds as ns, µs, ms or s, with the whole nanoseconds on hover."""
    return figure_html(value, units.nanoseconds, lambda v: f"{units.whole(v)} ns")


@register.filter(name="bytes")
def bytes_(value: float | None) -> SafeString:
    """Bytes with the reader's prefixes, the exact number on hover."""
    return figure_html(value, preferences.size, units.exact_bytes)


@register.filter
def duration(value: float | None) -> SafeString:
    """Seconds as `5 min 3 s`, the exact seconds on hover."""
    return figure_html(value, units.seconds, lambda v: f"{v:,.3f} s")


@register.filter
def count(value: float | None) -> SafeString:
    """A whole number with thousands separated."""
    return figure_html(value, units.whole)


@register.filter
def ratio(value: float | None) -> SafeString:
    """A ratio as a change in percent, the ratio itself on hover: 1.032 is `+3.2 %`."""
    return figure_html(value, units.change, lambda v: f"× {v:.4g}")


@register.filter
def share(value: float | None) -> SafeString:
    """A fraction of one as a percentage: 0.97 is `97.0 %`."""
    return figure_html(value, units.share)


_BY_UNIT: dict[str, FigureFilter] = {
    "B/s": bandwidth,
    "bytes/s": bandwidth,
    "network": network,
    "bytes": bytes_,
    "1/s": iops,
    "ns": latency,
    "B": bytes_,
    "s": duration,
    "1": count,
}


@register.filter
def figure(value: float | None, unit: str) -> SafeString:
    """`value` by its stored unit (B/s, 1/s, ns, B, s, 1); other units are shown as they are."""
    if unit in _BY_UNIT:
        return _BY_UNIT[unit](value)
    return figure_html(value, lambda v: f"{units.significant(v)} {unit}")


@register.simple_tag
def metrics_on(view: View) -> tuple[Metric, ...]:
    """The metrics that a view of few figures shows: `{% metrics_on "cases" as metrics %}`."""
    return metrics.metrics_on(view)


@register.simple_tag
def metric_value(metric: Metric, holder: Any, tool: str = "", *, both: bool = False) -> SafeString:
    """A metric's value in a measurement, or in figures by metric; a rate as people read it of this
    tool, in both its units where there is room.
    """
    found = holder.get(metric.key) if isinstance(holder, Mapping) else holder.value_of(metric)
    return value_html(metric, found, tool, both=both)


@register.simple_tag(name="metric_figure")
def value_html(
    metric: Metric, found: float | None, tool: str = "", *, both: bool = False
) -> SafeString:
    """A metric's value; a rate as people read it of this tool."""
    if metric.unit == "bytes/s":
        return bandwidth_of(found, tool) if both else bandwidth_short(found, tool)
    return figure(found, metric.unit)


@register.filter
def when(moment: datetime | None, absent: str = "") -> SafeString:
    """An aware time as `2026-11-21 03:22:13 UTC`, or in the reader's zone; the browser adds how
    long ago it was on hover. `absent`: why there is none, else "not yet".
    """
    if moment is None:
        return missing(absent or _("not yet"))
    return _time_html(moment, "title")


@register.filter
def day(moment: datetime) -> str:
    """The day of an aware time in the reader's zone: `2026-11-21`."""
    return f"{preferences.in_zone(moment):%Y-%m-%d}"


@register.simple_tag
def preferred(name: str) -> str:
    """A preference of the reader: "units", "time_zone" or "density"."""
    return str(getattr(preferences.preferences(), name))


@register.filter
def ago(moment: datetime | None) -> SafeString:
    """An aware time, which the browser shows as `5 min. ago`, the time itself on hover."""
    return missing(_("never")) if moment is None else _time_html(moment, "text")


def _time_html(moment: datetime, place: str) -> SafeString:
    """`place`: where the browser writes how long ago it was (js/lib/ages.js)."""
    shown = preferences.moment_text(moment, seconds=True)
    return format_html(
        '<time class="figure" datetime="{}"{} data-ago="{}">{}</time>',
        moment.astimezone(UTC).isoformat(timespec="seconds"),
        format_html(' title="{}"', shown) if place == "text" else "",
        place,
        shown,
    )


@register.simple_tag
def product_version() -> str:
    """The version that runs, for the footer; error pages have no context processors to ask."""
    return str(settings.VERSION)
