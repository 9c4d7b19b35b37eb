"""The background load of a case on its page."""

from __future__ import annotations

from dataclasses import dataclass

from apps.runs.models import Attempt, Case
from apps.runs.schemas import BackgroundReport


@dataclass(frozen=True)
class BackgroundCard:
    """Background load of a case; `report`: what it did beside the shown attempt."""

    label: str
    tool: str
    target: str
    settle_seconds: float
    report: BackgroundReport | None


def background_card(case: Case, attempt: Attempt | None) -> BackgroundCard | None:
    """Return the background load of a case; None without one."""
    load, target = case.background, case.background_target
    if load is None or target is None:
        return None
    report = attempt.background if attempt else None
    return BackgroundCard(load.label, load.tool, target.name, load.settle_seconds, report)
