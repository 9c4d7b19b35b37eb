"""Results versions of runs, for the ETags of their pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F

from apps.common.services import results_touch
from apps.runs.models import Run


def runs_touch(runs: Iterable[int]) -> None:
    """Bump the results versions of runs (ids); call it last in a transaction."""
    Run.objects.filter(pk__in=list(runs)).update(results_version=F("results_version") + 1)
    results_touch()
