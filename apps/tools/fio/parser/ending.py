"""Is the last JSON document fio's result, or a status report of a test that never ended?

Both look alike. fio gives a time to go (`eta`), which is unknown (2^31 - 1) during its first
seconds; a timed run is over when it lasted as long as it was asked to.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.base import JSON, Completeness, Measurement
from apps.tools.text import number

# fio measures in milliseconds, and a job may stop a little before the others.
CLOCK_SLACK = 0.05
ETA_UNKNOWN = 2**31 - 1
REPORT = "The last document is a status report of a running test; the result is missing."


def ending(
    measurements: Sequence[Measurement], jobs: Sequence[JSON], documents: int, params: JSON
) -> tuple[Completeness, list[str]]:
    """Whether the run came to its end, and why not.

    `params`: benchlab's canonical parameters, empty for an import; without them several documents
    of a run that is shorter than its options say leave the question open.
    """
    remaining = [number(job.get("eta")) or 0 for job in jobs]
    if any(0 < left < ETA_UNKNOWN for left in remaining):
        return "partial", [REPORT]
    lasted = max(float(each.values["runtime"]) for each in measurements)
    wanted = number(params.get("runtime"))
    if wanted and params.get("time_based"):
        if lasted < wanted - CLOCK_SLACK:
            return "partial", [f"fio ran for {lasted:.3g} s instead of {wanted} s."]
        return "whole", []
    asked = [number(each.params.get("runtime")) or 0 for each in measurements]
    if not params and documents > 1 and lasted < max(asked) - CLOCK_SLACK:
        return "unknown", ["fio ended before its run time was over, or the output is incomplete."]
    return "whole", []
