"""Runs as the API's list says them, straight from the columns: scripts ask it most, and serializers
cost more than all else of the request. `RunSerializer` says the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypedDict, cast

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from apps.common.stored.sentences import read
from apps.runs.models import Run, RunState
from apps.runs.processes.pulses import engine_is_alive

COLUMNS = {
    "id": "id", "name": "name", "plan": "plan_id", "origin": "origin", "note": "note",
    "tags": "tags",
    "state": "state", "reason": "stored_reason", "owner": "owner__username", "team": "team__name",
    "case_count": "case_count", "expected_seconds": "expected_seconds", "queued_at": "queued_at",
    "started_at": "started_at", "finished_at": "finished_at",
    "cancel_requested_at": "cancel_requested_at", "archived_at": "archived_at",
}  # fmt: skip
"""By the document's names, where each stands."""
MOMENTS = tuple(name for name in COLUMNS if name.endswith("_at"))


RunRow = tuple[Any, ...]
"""A row of `runs_told`: COLUMNS in their order, and whether an engine is alive."""


def runs_told() -> QuerySet[Any]:
    """Every run as a row of what the list says."""
    rows = Run.objects.annotate(
        engine_alive=engine_is_alive(), stored_reason=Cast("reason", TextField())
    )
    told: QuerySet[Any] = rows.values_list(*COLUMNS.values(), "engine_alive", named=True)
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
    # The names are fewer by one than the row: whether an engine is alive is no member.
    told: dict[str, Any] = dict(zip(COLUMNS, row, strict=False))
    for name in MOMENTS:
        told[name] = _moment(told[name])
    told["reason"] = _reason(told["state"], told["reason"], row[-1])
    return cast(RunDocument, told)


def _moment(at: datetime | None) -> str | None:
    """As REST framework writes it."""
    return at.isoformat().replace("+00:00", "Z") if at is not None else None


def _reason(state: str, stored: str, engine_alive: bool) -> str:
    """Of a queued run also what its row cannot know."""
    if state != RunState.QUEUED:
        return _in_english(stored)
    run: Any = Run(state=state, reason=read(stored))
    run.engine_alive = engine_alive
    return str(run.reason_now)


@lru_cache(maxsize=1_024)
def _in_english(stored: str) -> str:
    """The words of a column: runs end for few reasons."""
    return str(read(stored))
