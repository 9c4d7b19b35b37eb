"""Latencies of which only wide buckets are known: rows for a case's page. They are no histogram:
nothing is computed from them, and they are never compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from apps.results.presenters.case import OperationFigures
from apps.results.schemas.values import told_value

Bucket = tuple[float | None, float | None, float]
"""From (ns), below (ns; None: open), share in percent."""


class CoarseLatencies(TypedDict):
    """Wide buckets as fio's parser stores them (apps.tools.fio.parser.tables): bounds in ns,
    shares in percent, by percentile the bound below which it lies.
    """

    bounds: list[float | None]
    shares: list[float]
    below: dict[str, float | None]


def coarse_rows(
    figures: Iterable[OperationFigures],
) -> list[tuple[str, list[Bucket], list[tuple[str, float | None]]]]:
    """(operation, its buckets, the bound below which each percentile lies) for each operation that
    has buckets and no histogram; no bounds where the tool said the percentiles themselves.
    """
    found = []
    for each in figures:
        told = told_value(each.row.values, "coarse", CoarseLatencies)
        if told and not each.has_histogram:
            bounds = told["bounds"]
            buckets: list[Bucket] = list(zip([None, *bounds], bounds, told["shares"], strict=False))
            below = [] if each.percentiles else list(told["below"].items())
            found.append((each.row.operation, buckets, below))
    return found
