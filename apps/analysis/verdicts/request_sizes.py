"""Mean request size of the device at both sides of a comparison, which explains a bandwidth.

The kernel splits and merges requests (max_sectors_kb, schedulers); the size is never tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils.translation import gettext as _

from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.repeats.request_sizes import request_sizes_of
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.common.domain.value_format import format_metric

METRIC = "request_size"


@dataclass(frozen=True)
class RequestSizes:
    """Medians of the repeats' mean request sizes in bytes: of the baseline and of a level."""

    baseline: float
    own: float

    @property
    def text(self) -> str:
        """Return e.g. "Device requests: 512 KiB → 256 KiB on average"."""
        a, b = format_metric(METRIC, self.baseline), format_metric(METRIC, self.own)
        if a == b:
            return _("Device requests: {size} on average").format(size=a)
        return _("Device requests: {a} → {b} on average").format(a=a, b=b)


SizesByLevel = Mapping[tuple[str, str], RequestSizes]
"""Request sizes by slug of the workload and by level."""


def request_sizes(results: Sequence[ComparedResult]) -> SizesByLevel:
    """Return the request sizes of the pairs that have them on both sides; one query."""
    ids = {
        pk
        for result in results
        for pair in result.pairs
        for rows in (pair.a, pair.b)
        for pk in result.repeats.measurement[rows].tolist()
    }
    known = request_sizes_of(ids) if ids else {}
    sizes = {}
    for result in results if known else ():
        for pair in result.pairs:
            a, b = (_median(result.repeats, rows, known) for rows in (pair.a, pair.b))
            if a is not None and b is not None:
                sizes[result.group.slug, pair.level] = RequestSizes(a, b)
    return sizes


def _median(repeats: Repeats, rows: Ints, known: Mapping[int, float]) -> float | None:
    values = [known[pk] for pk in repeats.measurement[rows].tolist() if pk in known]
    return median(values) if values else None
