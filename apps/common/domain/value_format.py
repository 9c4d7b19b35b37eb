"""Format a stored value with its display unit.

The template filters (`benchlab_format`), the sentences of analysis results, reports and exports all
round and print through `format_value`; `units` holds one formatter per unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from django.utils.translation import gettext as _

from apps.common.domain import units
from apps.common.domain.preferences import other_rate, rate, size
from apps.tools.metrics import NETWORK, shown_unit

MISSING = "–"
_DOUBLE = 2
"""Ratio above which a multiple is easier to read than a percentage."""

_FORMATTERS: dict[str, Callable[[float], str]] = {
    "bytes/s": rate,
    "B/s": rate,
    NETWORK: units.gbit_per_second,
    "1/s": units.operations_per_second,
    "ns": units.nanoseconds,
    "bytes": size,
    "B": size,
    "s": units.seconds,
    "1": units.whole,
}
_DETAIL_FORMATTERS: dict[str, Callable[[float], str]] = {
    "bytes/s": other_rate,
    "B/s": other_rate,
    NETWORK: units.mb_per_second,
    "ns": lambda value: f"{units.whole(value)} ns",
    "bytes": units.exact_bytes,
    "B": units.exact_bytes,
    "s": lambda value: f"{value:,.3f} s",
}


def format_value(value: float | None, unit: str) -> str:
    """Format a value of a stored unit: "1,024.0 MiB/s" for bytes/s, "97.21 µs" for ns.

    Rates and sizes have the user's prefixes; units without a formatter keep their name. A dash for
    None and values that are not finite.
    """
    if value is None or not math.isfinite(value):
        return MISSING
    formatter = _FORMATTERS.get(unit)
    if formatter:
        return formatter(value)
    return f"{units.significant(value)} {_(unit)}" if unit else units.significant(value)


def format_detail(value: float | None, unit: str) -> str:
    """Format a value in its other unit (MB/s, exact bytes, whole ns); empty without one."""
    formatter = _DETAIL_FORMATTERS.get(unit)
    if value is None or formatter is None or not math.isfinite(value):
        return ""
    return formatter(value)


def format_metric(metric: str, value: float | None, *, network: bool = False) -> str:
    """Format a metric's value; rates of network tools are in Gbit/s."""
    return format_value(value, shown_unit(metric, network=network))


def format_change(ratio: float | None) -> str:
    """Format a ratio as a change: "+3.2 %"; a dash as `format_value`.

    For columns, charts and shares, whose values have one unit.
    """
    if ratio is None or not math.isfinite(ratio):
        return MISSING
    return units.change(ratio)


def is_multiple(ratio: float | None) -> bool:
    """Return True for a ratio that sentences name as a multiple: above +100 %."""
    return ratio is not None and math.isfinite(ratio) and ratio > _DOUBLE


def format_multiple(ratio: float) -> str:
    """Format a ratio as a multiple: "3.1 times as high"."""
    return _("{multiple} times as high").format(multiple=units.multiple(ratio))


def format_difference(ratio: float | None) -> str:
    """Format a ratio for a sentence: "+3.2 %", above +100 % "3.1 times as high"."""
    if ratio is not None and is_multiple(ratio):
        return format_multiple(ratio)
    return format_change(ratio)
