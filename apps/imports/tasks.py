"""Celery tasks: hints that carry an id. What is to be done stands in PostgreSQL."""

from __future__ import annotations

from celery import shared_task

from apps.imports.services.subprocess import import_advance


@shared_task(name="imports.advance")
def advance(import_id: int) -> None:
    """Read or store this import, whichever is next; nothing when somebody else does."""
    import_advance(import_id)
