"""Window lengths of series metrics.

Minimum, maximum and deviation depend on the window length, so sides with other windows are not
comparable in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from apps.analysis.repeats.confounders import Difference
from apps.analysis.repeats.repeats import Floats, Ints, Repeats
from apps.tools.metrics import METRICS, WINDOWED, WINDOWED_SERIES

IncomparableWindows = Mapping[str, Difference]


def incomparable_windows(repeats: Repeats, a: Ints, b: Ints) -> IncomparableWindows:
    """Return the metrics whose windows differ between two sides (rows), with the difference."""
    result: dict[str, Difference] = {}
    for metric in WINDOWED:
        column = repeats.windows[:, WINDOWED_SERIES.index(METRICS[metric].series)]
        finite = np.isfinite(repeats.metric(metric))
        mine, theirs = _lengths(column[a], finite[a]), _lengths(column[b], finite[b])
        if mine and theirs and len({*mine, *theirs}) > 1:
            result[metric] = Difference("windows", _window_text(mine), _window_text(theirs))
    return result


def _lengths(
    column: Floats, finite: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> list[float]:
    lengths: list[float] = np.unique(column[finite & np.isfinite(column)]).tolist()
    return lengths


def _window_text(lengths: Sequence[float]) -> str:
    return " / ".join(f"{length:g} s" for length in lengths)
