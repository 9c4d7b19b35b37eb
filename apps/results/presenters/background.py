"""The background load of a case on its page."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.plans.domain.workload_labels import Labelled, parts_of
from apps.runs.models import Attempt, Case, RunBackground
from apps.runs.schemas import BackgroundFigures, BackgroundReport
from apps.tools.metrics import TAIL_LATENCY
from apps.tools.registry import tool
from apps.tools.workload_naming import joined


@dataclass(frozen=True)
class BackgroundCard:
    """Background load of a case; `report`: what it did beside the shown attempt.

    `rows`: its figures, each with its tail latency in ns; `tail_label`: of which percentile.
    """

    label: str
    tool: str
    target: str
    settle_seconds: float
    report: BackgroundReport | None
    rows: tuple[tuple[BackgroundFigures, float | None], ...] = ()
    tail_label: str = ""


def background_card(case: Case, attempt: Attempt | None) -> BackgroundCard | None:
    """Return the background load of a case; None without one."""
    load, target = case.background, case.background_target
    if load is None or target is None:
        return None
    report = attempt.background if attempt else None
    rows = tuple((row, getattr(row, TAIL_LATENCY.key)) for row in report.figures) if report else ()
    return BackgroundCard(
        _label(load), load.tool, target.name, load.settle_seconds, report, rows,
        _(TAIL_LATENCY.head),
    )  # fmt: skip


def _label(load: RunBackground) -> str:
    """Return what the load does in the reader's language; the stored label is English."""
    parts = joined(parts_of(Labelled(load.tool, load.params, load.label)), localize_message)
    return parts if parts.startswith(load.tool) else f"{tool(load.tool).label} {parts}"
