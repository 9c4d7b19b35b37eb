"""Latencies in coarse buckets: shown on a case's page, never compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from apps.results.presenters.case import OperationFigures
from apps.results.schemas.values import typed_value

Bucket = tuple[float | None, float | None, float]
"""From (ns), below (ns; None: open), share in percent."""


class CoarseLatencies(TypedDict):
    """Buckets from fio's parser (`apps.tools.fio.parser.tables`).

    Bounds in ns, shares in percent, and for each percentile the bound above it.
    """

    bounds: list[float | None]
    shares: list[float]
    below: dict[str, float | None]


def coarse_rows(
    figures: Iterable[OperationFigures],
) -> list[tuple[str, list[Bucket], list[tuple[str, float | None]]]]:
    """Return (operation, buckets, bounds of percentiles) of operations without a histogram.

    No bounds if the tool reports percentiles.
    """
    result = []
    for each in figures:
        coarse = typed_value(each.row.values, "coarse", CoarseLatencies)
        if coarse and not each.has_histogram:
            bounds = coarse["bounds"]
            buckets: list[Bucket] = list(
                zip([None, *bounds], bounds, coarse["shares"], strict=False)
            )
            below = [] if each.percentiles else list(coarse["below"].items())
            result.append((each.row.operation, buckets, below))
    return result
