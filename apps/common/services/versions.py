"""Versions of results and names.

Services raise them in the last statement of a transaction. This row is the last one that a
transaction locks, because all committers wait for it; another lock after it could deadlock.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import F

from apps.common.models import ONLY, ResultsVersion


def results_touch() -> None:
    """Raise the version of results."""
    _raise("results")


def names_touch() -> None:
    """Raise the version of names, after a change of names, baselines or expectations."""
    _raise("names")


def _raise(name: str) -> None:
    connection.check_constraints()  # deferred foreign keys lock their rows now, not at the commit
    if not ResultsVersion.objects.filter(pk=ONLY).update(**{name: F(name) + 1}):
        ResultsVersion.objects.create(pk=ONLY, **{name: 1})
