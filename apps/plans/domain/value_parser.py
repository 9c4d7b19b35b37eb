"""Expected figures as text: "6000", "170 MB/s", "10 ms". Pure functions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from apps.common.domain import units
from apps.common.domain.typed_text import narrow
from apps.plans.schemas.expectations import Expectation
from apps.tools.metrics import COLUMNS, METRICS, Metric

EXPECTED = tuple(METRICS[key] for key in COLUMNS)
"""The metrics of which something may be expected."""
MOST = 8
"""Expectations of one step."""

# The first of each is what a number without a unit means, and what a stored value is shown in.
_UNITS: Mapping[str, Mapping[str, float]] = {
    "1/s": {"IOPS": 1.0, "kIOPS": 1e3},
    "bytes/s": {
        "MiB/s": 2.0**20, "MB/s": 1e6, "KiB/s": 2.0**10, "kB/s": 1e3, "GiB/s": 2.0**30,
        "GB/s": 1e9, "Gbit/s": 1.25e8, "Mbit/s": 1.25e5, "B/s": 1.0,
    },
    "ns": {"ms": 1e6, "µs": 1e3, "us": 1e3, "s": 1e9, "ns": 1.0},
}  # fmt: skip


class WrittenError(ValueError):
    """A text that is no figure of its metric; the message names a valid one."""


def units_of(metric: Metric) -> Mapping[str, float]:
    """Return the units of a metric: name to factor."""
    return _UNITS.get(metric.unit, {metric.unit: 1.0})


def read(metric: Metric, text: str) -> tuple[float, str]:
    """Return (value in the canonical unit, name of the unit).

    Raises: WrittenError.
    """
    known = units_of(metric)
    result = re.fullmatch(r"([0-9][0-9,]*(?:\.[0-9]+)?)\s*(\S*)", narrow(text).strip())
    unit = result[2] if result else ""
    named = {name.casefold(): name for name in known} | {"": next(iter(known))}
    value = float(result[1].replace(",", "")) if result else 0.0
    if unit.casefold() not in named or not value > 0 or not math.isfinite(value):
        words = _("Write a number above zero with one of these units: {units}.")
        raise WrittenError(words.format(units=", ".join(known)))
    name = named[unit.casefold()]
    return value * known[name], name


def value_text(metric: Metric, value: float, unit: str = "") -> str:
    """Return a figure in the unit that it was entered in, or a usual one: "170 MB/s"."""
    known = units_of(metric)
    unit = unit if unit in known else next(iter(known))
    text = units.significant(value / known[unit], digits=4)
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}".strip()


def words_of(expected: Expectation) -> str:
    """Return e.g. "IOPS at least 6,000 IOPS, 5 % tolerance", with the operation if it has one."""
    metric = METRICS[expected.metric]
    label = _(metric.label)
    if expected.operation:
        label = f"{expected.operation}: {label}"
    if expected.value is None:
        words = {
            "provider": _("{metric} as the provider of the disk promises"),
            "model": _("{metric} by the disk's model"),
        }[expected.source]
        text = words.format(metric=label)
    else:
        least = expected.direction == "least"
        words = _("{metric} at least {value}") if least else _("{metric} at most {value}")
        text = words.format(metric=label, value=value_text(metric, expected.value, expected.unit))
    if expected.tolerance:
        text = _("{text}, {percent} % tolerance").format(
            text=text, percent=f"{expected.tolerance:g}"
        )
    return text
