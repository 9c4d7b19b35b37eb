"""Versions of results and names, for cache keys and ETags; read before the rows."""

from __future__ import annotations

from typing import NamedTuple

from apps.common.models import ONLY, ResultsVersion


class Versions(NamedTuple):
    results: int
    names: int
    epoch: str


def versions() -> Versions:
    """Return the present versions; zeros before the first write."""
    row = ResultsVersion.objects.filter(pk=ONLY).first()
    return Versions(row.results, row.names, str(row.epoch)) if row else Versions(0, 0, "")
