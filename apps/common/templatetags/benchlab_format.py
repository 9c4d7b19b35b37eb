"""Format values and times: `{% load benchlab_format %}`, then `{{ row.bandwidth|bandwidth }}`.

Every filter returns HTML: a `<span class="figure">` that never wraps, with the other unit or the
exact value as its title. None and values that are not finite become a dash.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.common.domain import messages, preferences, units
from apps.common.domain.value_format import format_change, format_detail, format_value
from apps.tools import metrics
from apps.tools.metrics import Metric, View
from apps.tools.registry import measures_network

register = template.Library()
Formatter = Callable[[float], str]
FigureFilter = Callable[[float | None], SafeString]


@register.simple_tag(name="missing")
def missing(reason: str = "") -> SafeString:
    """Render a dash with the reason why there is no value, also for screen readers."""
    words = reason or _("no figure")
    return format_html(
        '<span class="missing" title="{}"><span aria-hidden="true">–</span>'
        '<span class="visually-hidden">{}</span></span>',
        words,
        words,
    )


def figure_html(value: Any, display: Formatter, title: Formatter | None = None) -> SafeString:
    """Render `value` formatted by `display`, with `title` on hover; a dash without a number."""
    if value is None or value == "" or not math.isfinite(value):
        return missing()
    detail = title(value) if title else ""
    hint = format_html(' title="{}"', detail) if detail else ""
    return format_html('<span class="figure"{}>{}</span>', hint, display(value))


@register.filter
def figure(value: float | None, unit: str) -> SafeString:
    """Render `value` by its stored unit (bytes/s, 1/s, ns, bytes, s, 1), the other unit on hover.

    Rates of network tools (`network`) show both units.
    """
    if unit == metrics.NETWORK:
        return network(value)
    return figure_html(value, partial(format_value, unit=unit), partial(format_detail, unit=unit))


@register.filter
def localize_message(text: str) -> str:
    """Return a stored message in the user's language; other text unchanged."""
    return messages.localize_message(text)


@register.filter
def bandwidth(value: float | None) -> SafeString:
    """Render bytes/s as MiB/s, with MB/s on hover, or as the user prefers."""
    return figure(value, "bytes/s")


@register.filter
def bandwidth_both(value: float | None) -> SafeString:
    """Render bytes/s as `1,024.0 MiB/s (1,073.7 MB/s)`."""
    return figure_html(value, lambda v: _both_units(v, "bytes/s"))


@register.filter
def network(value: float | None) -> SafeString:
    """Render bytes/s as `9.412 Gbit/s (1,176.5 MB/s)`."""
    return figure_html(value, lambda v: _both_units(v, metrics.NETWORK))


@register.filter
def bandwidth_of(value: float | None, tool: str) -> SafeString:
    """Render bytes/s as usual for the tool: MiB/s and MB/s, for networks Gbit/s and MB/s."""
    return network(value) if measures_network(tool) else bandwidth_both(value)


@register.filter
def bandwidth_short(value: float | None, tool: str) -> SafeString:
    """Render bytes/s in one unit of the tool, with the other on hover."""
    unit = metrics.NETWORK if measures_network(tool) else "bytes/s"
    return figure_html(value, partial(format_value, unit=unit), partial(format_detail, unit=unit))


def _both_units(value: float, unit: str) -> str:
    return f"{format_value(value, unit)} ({format_detail(value, unit)})"


@register.filter
def iops(value: float | None) -> SafeString:
    """Render operations/s."""
    return figure(value, "1/s")


@register.filter
def latency(value: float | None) -> SafeString:
    """Render ns as ns, µs, ms or s, with whole ns on hover."""
    return figure(value, "ns")


@register.filter(name="bytes")
def bytes_(value: float | None) -> SafeString:
    """Render bytes with the user's prefixes, the exact number on hover."""
    return figure(value, "bytes")


@register.filter
def duration(value: float | None) -> SafeString:
    """Render seconds as `5 min 3 s`, the exact seconds on hover."""
    return figure(value, "s")


@register.filter
def count(value: float | None) -> SafeString:
    """Render a whole number with thousands separators."""
    return figure(value, "1")


@register.filter
def ratio(value: float | None) -> SafeString:
    """Render a ratio as a change in percent, the ratio on hover: 1.032 is `+3.2 %`."""
    return figure_html(value, format_change, lambda v: f"× {v:.4g}")


@register.filter
def share(value: float | None) -> SafeString:
    """Render a fraction of one as a percentage: 0.97 is `97.0 %`."""
    return figure_html(value, units.share)


@register.simple_tag
def metrics_on(view: View) -> tuple[Metric, ...]:
    """Return the metrics of a view: `{% metrics_on "cases" as metrics %}`."""
    return metrics.metrics_on(view)


@register.simple_tag
def metric_value(metric: Metric, holder: Any, tool: str = "", *, both: bool = False) -> SafeString:
    """Render a metric of a measurement or of values by metric.

    A rate has the tool's units; `both` shows both of them.
    """
    result = holder.get(metric.key) if isinstance(holder, Mapping) else holder.value_of(metric)
    return value_html(metric, result, tool, both=both)


@register.simple_tag(name="metric_figure")
def value_html(
    metric: Metric, result: float | None, tool: str = "", *, both: bool = False
) -> SafeString:
    """Render a metric's value; a rate in the tool's units."""
    if metric.unit == "bytes/s":
        return bandwidth_of(result, tool) if both else bandwidth_short(result, tool)
    return figure(result, metric.unit)


@register.filter
def when(timestamp: datetime | None, absent: str = "") -> SafeString:
    """Render an aware timestamp as `2026-11-21 03:22:13 UTC`, or in the user's zone.

    The browser adds the relative time on hover. `absent`: text without a timestamp, default "not
    yet".
    """
    if timestamp is None:
        return missing(absent or _("not yet"))
    return _time_html(timestamp, "title")


@register.filter
def minute(timestamp: datetime | None, absent: str = "") -> SafeString:
    """Render an aware timestamp as `when` does, without seconds: `2026-11-21 03:22 UTC`."""
    if timestamp is None:
        return missing(absent or _("not yet"))
    return _time_html(timestamp, "title", seconds=False)


@register.filter
def day(timestamp: datetime) -> str:
    """Return the date of an aware timestamp in the user's zone: `2026-11-21`."""
    return f"{preferences.in_zone(timestamp):%Y-%m-%d}"


@register.simple_tag
def preferred(name: str) -> str:
    """Return a preference of the user: "units", "time_zone" or "density"."""
    return str(getattr(preferences.preferences(), name))


@register.filter
def ago(timestamp: datetime | None) -> SafeString:
    """Render an aware timestamp, which the browser shows as `5 min. ago`."""
    return missing(_("never")) if timestamp is None else _time_html(timestamp, "text")


def _time_html(timestamp: datetime, relative_in: str, *, seconds: bool = True) -> SafeString:
    """Render a time element. `place`: where js/lib/ages.js writes the relative time."""
    shown = preferences.timestamp_text(timestamp, seconds=seconds)
    return format_html(
        '<time class="figure" datetime="{}"{} data-ago="{}">{}</time>',
        timestamp.astimezone(UTC).isoformat(timespec="seconds"),
        format_html(' title="{}"', shown) if relative_in == "text" else "",
        relative_in,
        shown,
    )


@register.simple_tag
def product_version() -> str:
    """Return the running version; error pages have no context processors."""
    return str(settings.VERSION)
