"""The newest events of a run, as its page shows them."""

from __future__ import annotations

from apps.runs.models import Run, RunEvent


def newest_events(run: Run, limit: int) -> tuple[list[RunEvent], bool]:
    """Return at most `limit` events, newest first, and True if there are older ones."""
    events = list(run.events.only("occurred_at", "text", "case").order_by("-pk")[: limit + 1])
    return events[:limit], len(events) > limit
