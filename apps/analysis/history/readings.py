"""Parts of a history: results, medians of runs, and configuration changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

PROPERTIES = {
    "kernel": _("kernel"),
    "firmware": _("disk firmware"),
    "slot": _("slot of the disk"),
    "tool": _("tool version"),
    "distribution": _("distribution"),
    "queue": _("queue settings before the test"),
}
"""Properties whose changes are marked, with labels."""


@dataclass(frozen=True)
class HistoryPoint:
    """Result of one case.

    `value` in the metric's unit; `level`: effective tuning, and the target if there are several;
    `target`: host and target; `properties`: known ones of PROPERTIES. `timed`: `at` is the time of
    measurement, not of import.
    """

    measurement: int
    case: int
    run: int
    at: datetime
    timed: bool
    operation: str
    value: float
    level: str
    target: str
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RunPoint:
    """Median of a run's results. `timed`: `at` is the time of measurement."""

    run: int
    at: datetime
    value: float
    repeats: int
    timed: bool = True


@dataclass(frozen=True)
class ConfigChange:
    """Property of a host or disk that changed between two results.

    `at`: first result with the new value; `what`: a key of PROPERTIES.
    """

    at: datetime
    target: str
    what: str
    before: str
    after: str
    run: int
