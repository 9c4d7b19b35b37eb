"""Memory of the hosts of attempts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from apps.runs.models import Attempt


def memory_by_attempt(attempts: Collection[Any]) -> dict[object, int]:
    """Return the bytes of memory of the attempts' hosts (ids), as far as known."""
    if not attempts:
        return {}
    rows = Attempt.objects.filter(pk__in=attempts, facts__isnull=False).select_related("facts")
    known = {one.pk: one.facts.known.memory for one in rows if one.facts is not None}
    return {attempt: memory for attempt, memory in known.items() if memory is not None}
