"""Parts of a history: readings, the medians of runs, and what changed between them."""

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
"""Properties whose changes are marked, by their labels."""


@dataclass(frozen=True)
class HistoryPoint:
    """A metric of one case. `value` in the metric's unit; `level`: the tuning in force, and the
    target where there are several; `place`: the host and target, whose properties are followed;
    `properties`: those of PROPERTIES that are known. `timed`: `at` is when it was measured, not
    when it was imported.
    """

    measurement: int
    case: int
    run: int
    at: datetime
    timed: bool
    operation: str
    value: float
    level: str
    place: str
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RunPoint:
    """The median of a run's readings. `timed`: its moment is when it was measured."""

    run: int
    at: datetime
    value: float
    repeats: int
    timed: bool = True


@dataclass(frozen=True)
class ConfigChange:
    """A property of a host or disk that changed between two readings: `at` is the first one under
    the new value. `what` is one of PROPERTIES.
    """

    at: datetime
    place: str
    what: str
    before: str
    after: str
    run: int
