"""Links to the runs of a result."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from apps.analysis.result import Link
from apps.runs.models import Run


def run_links(runs: Iterable[Run]) -> tuple[Link, ...]:
    """Return a link per run."""
    return tuple(Link(str(run), reverse("run_detail", args=[run.pk])) for run in runs)
