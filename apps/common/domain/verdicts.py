"""The one vocabulary of verdicts: of comparisons, sweeps, histories, fleets and expectations.

The values are what the API answers and the database keeps; what people read is in BADGES of
`benchlab_badges`, by the same values.
"""

from __future__ import annotations

from enum import StrEnum


class VerdictKind(StrEnum):
    """The first six are of a comparison with a baseline, the others of an expectation. MET and
    MISSED: the whole interval is on that side of the limit. INCONCLUSIVE: the limit is inside.
    UNKNOWN: nothing valid was measured of the metric.
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
"""Verdicts that a comparison may give."""
DIFFERENCE_SHOWN = (VerdictKind.BETTER, VerdictKind.WORSE)
"""Those of them that say a difference."""
EXPECTATION_VERDICTS = (
    VerdictKind.MET, VerdictKind.MISSED, VerdictKind.INCONCLUSIVE, VerdictKind.UNKNOWN,
)  # fmt: skip
"""Verdicts on an expectation."""
