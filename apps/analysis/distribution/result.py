"""Summed histograms of results, one per curve. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.common.domain.histograms import Histogram, Ints, merge, percentiles
from apps.tools.workloads.order import name_key

PROPERTIES = ("workload", "operation", "target", "tuning")
"""Parts of a curve's name, in order."""


@dataclass(frozen=True)
class DistributionResult:
    """Histogram of a measurement with the properties of PROPERTIES, "run" and "case"."""

    properties: Mapping[str, str]
    case: int
    histogram: Histogram


@dataclass(frozen=True)
class Merged:
    """Results whose histogram counts were summed; `case`: of the first result."""

    name: str
    results: int
    case: int
    bins: Ints
    counts: Ints

    @property
    def operations(self) -> int:
        """Return the number of measured operations."""
        return int(self.counts.sum())

    def at(self, names: Sequence[str]) -> list[int | None]:
        """Return ns at each of these percentiles."""
        return percentiles(self.bins, self.counts, [float(name) for name in names])


def merged(results: Sequence[DistributionResult], by: str) -> list[Merged]:
    """Return a curve for each value of `by`, sorted by name.

    `by`: a property, "differing" (all of PROPERTIES that differ) or "nothing". Operations are never
    merged.
    """
    names = _unique_names(results, by)
    groups: dict[tuple[str, ...], list[DistributionResult]] = {}
    for result in results:
        key = tuple(result.properties[name] for name in names)
        groups.setdefault(key, []).append(result)
    return [
        _merged(" · ".join(key), groups[key])
        for key in sorted(groups, key=lambda key: [name_key(part) for part in key])
    ]


def _unique_names(results: Iterable[DistributionResult], by: str) -> list[str]:
    rows = list(results)
    differing = [name for name in PROPERTIES if len({row.properties[name] for row in rows}) > 1]
    if by == "differing":
        return differing
    own = [] if by == "nothing" else [by]
    return [*own, *(["operation"] if "operation" in differing else [])]


def _merged(name: str, rows: Sequence[DistributionResult]) -> Merged:
    bins, counts = merge(row.histogram for row in rows)
    return Merged(name, len(rows), rows[0].case, bins, counts)
