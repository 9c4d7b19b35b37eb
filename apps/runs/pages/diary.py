"""The newest lines of a run's diary, as its page shows them."""

from __future__ import annotations

from apps.runs.models import Run, RunEvent


def diary_of(run: Run, most: int) -> tuple[list[RunEvent], bool]:
    """At most so many lines, newest first, and whether there are older ones. One query."""
    lines = list(run.events.only("at", "text", "case").order_by("-pk")[: most + 1])
    return lines[:most], len(lines) > most
