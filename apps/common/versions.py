"""Versions of results and names, for cache keys and ETags.

A service raises them as the last statement of its transaction: the row's lock makes committers wait
for each other. Readers read them before the rows that they answer from.
"""

from __future__ import annotations

import uuid
from typing import NamedTuple

from django.db.models import F

from apps.common.models import ResultsVersion


class Versions(NamedTuple):
    results: int
    names: int
    epoch: str


def versions() -> Versions:
    """The present versions. One query."""
    row = ResultsVersion.objects.first() or ResultsVersion()
    return Versions(row.results, row.names, str(row.epoch))


def results_touch() -> None:
    """Results changed."""
    if not ResultsVersion.objects.update(results=F("results") + 1):
        ResultsVersion.objects.create(results=1)


def names_touch() -> None:
    """Names, baselines or expectations changed."""
    if not ResultsVersion.objects.update(names=F("names") + 1):
        ResultsVersion.objects.create(names=1)


def epoch_renew() -> None:
    """All answers given so far are invalid: after a restore, or a change by hand."""
    ResultsVersion.objects.update(epoch=uuid.uuid4())
