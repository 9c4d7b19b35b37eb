"""Read attempts."""

from __future__ import annotations

from uuid import UUID

from apps.runs.models import Attempt


def attempt_with_case(attempt_id: UUID | str) -> Attempt:
    """Return an attempt with its case."""
    return Attempt.objects.select_related("case").get(pk=attempt_id)
