"""Versions of results and names.

A service raises them as the last statement of its transaction. This row is the last one that a
transaction locks, because all committers wait for each other there: whoever waited for another row
after it could be part of a deadlock.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import F

from apps.common.models import ONLY, ResultsVersion


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
