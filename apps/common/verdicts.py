"""The one vocabulary of verdicts: of comparisons, sweeps, histories, fleets and expectations.

The values are what the API answers and the database keeps; what people read is in LOOKS of
`benchlab_badges`, by the same values.
"""

from __future__ import annotations

from enum import StrEnum


class VerdictKind(StrEnum):
    """The first six are of a comparison with a baseline, the others of an expectation. MET and
    MISSED: the whole interval is on that side of the limit. STRADDLES: the limit is inside.
    UNKNOWN: nothing valid was measured of the metric.
    """

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no_difference"
    TOO_FEW = "too_few"
    NOT_COMPARABLE = "not_comparable"
    NOT_TESTED = "not_tested"

    MET = "met"
    MISSED = "missed"
    STRADDLES = "straddles"
    UNKNOWN = "unknown"


COMPARISON_VERDICTS = (
    VerdictKind.BETTER, VerdictKind.WORSE, VerdictKind.NO_DIFFERENCE, VerdictKind.TOO_FEW,
    VerdictKind.NOT_COMPARABLE, VerdictKind.NOT_TESTED,
)  # fmt: skip
"""Verdicts that a comparison may give."""
DECIDED = (VerdictKind.BETTER, VerdictKind.WORSE)
"""Those of them that say a difference."""
EXPECTATION_VERDICTS = (
    VerdictKind.MET, VerdictKind.MISSED, VerdictKind.STRADDLES, VerdictKind.UNKNOWN,
)  # fmt: skip
"""Verdicts on an expectation."""
