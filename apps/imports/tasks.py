"""Tasks: hints that carry an id, and the daily retention."""

from __future__ import annotations

from celery import shared_task

from apps.common.services import retention_apply
from apps.imports.services.retention import RETENTION
from apps.imports.services.subprocess import import_advance


@shared_task(name="imports.advance")
def advance(import_id: int) -> None:
    """Read or store this import, whichever is next, unless another worker does."""
    import_advance(import_id)


@shared_task(name="imports.retention")
def retention() -> None:
    """Apply the retention rules."""
    retention_apply(RETENTION)
