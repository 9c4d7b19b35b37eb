"""Verdicts of comparisons, sweeps, histories, fleets and expectations.

The values are those of the API and the database; labels are in BADGES of `benchlab_badges`.
"""

from __future__ import annotations

from enum import StrEnum


class VerdictKind(StrEnum):
    """Verdict of a comparison with a baseline (the first six) or of an expectation.

    MET and MISSED: the whole interval is on that side of the limit. INCONCLUSIVE: the limit is
    inside. UNKNOWN: the metric has no valid measurement.
    """

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no_difference"
    TOO_FEW_REPEATS = "too_few_repeats"
    NOT_COMPARABLE = "not_comparable"
    NOT_TESTED = "not_tested"

    MET = "met"
    MISSED = "missed"
    INCONCLUSIVE = "inconclusive"
    UNKNOWN = "unknown"


COMPARISON_VERDICTS = (
    VerdictKind.BETTER, VerdictKind.WORSE, VerdictKind.NO_DIFFERENCE, VerdictKind.TOO_FEW_REPEATS,
    VerdictKind.NOT_COMPARABLE, VerdictKind.NOT_TESTED,
)  # fmt: skip
"""Verdicts of a comparison."""
DIFFERENCE_SHOWN = (VerdictKind.BETTER, VerdictKind.WORSE)
"""Verdicts that show a difference."""
EXPECTATION_VERDICTS = (
    VerdictKind.MET, VerdictKind.MISSED, VerdictKind.INCONCLUSIVE, VerdictKind.UNKNOWN,
)  # fmt: skip
"""Verdicts of an expectation."""
