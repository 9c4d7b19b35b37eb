"""Celery tasks: hints that carry an id. What is to be done stands in PostgreSQL."""

from __future__ import annotations

from celery import shared_task

from apps.imports.services import import_read, import_write


@shared_task(name="imports.advance")
def advance(import_id: int) -> None:
    """Read or store this import, whichever is next; nothing when somebody else does."""
    import_read(import_id=import_id)
    import_write(import_id=import_id)
