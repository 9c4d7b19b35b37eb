"""Versions of results and names, for cache keys and ETags.

A service raises them as the last statement of its transaction. This row is the last one that a
transaction locks, because all committers wait for each other there: whoever waited for another row
after it could be part of a deadlock. Readers read them before the rows that they answer from.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection
from django.db.models import F

from apps.common.models import ResultsVersion

ONLY = 1
"""Key of the one row."""


class Versions(NamedTuple):
    results: int
    names: int
    epoch: str


def versions() -> Versions:
    """Return the present versions."""
    row, _created = ResultsVersion.objects.get_or_create(pk=ONLY)
    return Versions(row.results, row.names, str(row.epoch))


def results_touch() -> None:
    """Results changed."""
    _raise("results")


def names_touch() -> None:
    """Names, baselines or expectations changed."""
    _raise("names")


def _raise(name: str) -> None:
    connection.check_constraints()  # foreign keys lock their rows now, not at the commit
    if not ResultsVersion.objects.filter(pk=ONLY).update(**{name: F(name) + 1}):
        ResultsVersion.objects.create(pk=ONLY, **{name: 1})
