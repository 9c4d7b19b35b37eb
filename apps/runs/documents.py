"""Runs as the API's list says them, straight from the columns: scripts ask it most, and serializers
cost more than all else of the request. `RunSerializer` says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypedDict, cast

from django.db.models import QuerySet

from apps.runs.models import Run, RunState
from apps.runs.processes.pulses import engine_is_alive

COLUMNS = {
    "id": "id", "name": "name", "plan": "plan_id", "origin": "origin", "note": "note",
    "tags": "tags",
    "state": "state", "reason": "reason", "owner": "owner__username", "team": "team__name",
    "case_count": "case_count", "expected_seconds": "expected_seconds", "queued_at": "queued_at",
    "started_at": "started_at", "finished_at": "finished_at",
    "cancel_requested_at": "cancel_requested_at", "archived_at": "archived_at",
}  # fmt: skip
"""By the document's names, where each stands."""
MOMENTS = frozenset(name for name in COLUMNS if name.endswith("_at"))


RunRow = Mapping[str, Any]
"""A row of `runs_told`, by its columns' names."""


def runs_told() -> QuerySet[Any]:
    """Every run as a row of what the list says."""
    rows = Run.objects.annotate(engine_alive=engine_is_alive())
    told: QuerySet[Any] = rows.values(*COLUMNS.values(), "engine_alive")
    return told


class RunDocument(TypedDict):
    """A run as RunSerializer describes it; moments in ISO 8601."""

    id: int
    name: str
    plan: int | None
    origin: str
    note: str
    tags: list[str]
    state: str
    reason: str
    owner: str
    team: str | None
    case_count: int
    expected_seconds: float
    queued_at: str
    started_at: str | None
    finished_at: str | None
    cancel_requested_at: str | None
    archived_at: str | None


def run_documents(rows: Iterable[RunRow]) -> list[RunDocument]:
    """Rows of `runs_told` as documents."""
    return [_document(row) for row in rows]


def _document(row: RunRow) -> RunDocument:
    told = {
        name: _moment(row[column]) if name in MOMENTS else row[column]
        for name, column in COLUMNS.items()
    }
    return cast(RunDocument, told | _reason(row))


def _moment(at: datetime | None) -> str | None:
    """As REST framework writes it."""
    return at.isoformat().replace("+00:00", "Z") if at is not None else None


def _reason(row: RunRow) -> dict[str, str]:
    """Of a queued run also what its row cannot know."""
    if row["state"] != RunState.QUEUED:
        return {}
    run: Any = Run(state=row["state"], reason=row["reason"])
    run.engine_alive = row["engine_alive"]
    return {"reason": str(run.reason_now)}
