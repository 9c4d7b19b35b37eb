"""One reading of a history: a figure with all that explains why it may differ from the one
before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

PROPERTIES = {
    "kernel": _("kernel"),
    "firmware": _("disk firmware"),
    "tool": _("tool version"),
    "distribution": _("distribution"),
    "queue": _("queue settings as found"),
}
"""Properties whose changes are marked, by their labels."""


@dataclass(frozen=True)
class Reading:
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
