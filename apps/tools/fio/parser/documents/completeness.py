"""Is the last document fio's result, or a status report of a test that never ended?

Both look alike. fio gives a time to go (`eta`), which is unknown (2^31 - 1) during its first
seconds; a timed run is over when it lasted as long as it was asked to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.text import number
from apps.tools.values import Decoded, Parameters

# fio measures in milliseconds, and a job may stop a little before the others.
CLOCK_SLACK = 0.05
ETA_UNKNOWN = 2**31 - 1
SHORTER = "fio ran for {:.3g} s of the {:g} s that it was asked for: {}."
EARLY = "it ended before its run time was over, or the output is incomplete"
DONE = "its work was done, or it ended early; fio does not state which"
REPORT = "The last document is a status report of a running test; the result is missing."


def ending(
    measurements: Sequence[Measurement],
    jobs: Sequence[Decoded],
    documents: int,
    params: Parameters,
    *,
    ended: bool = False,
) -> tuple[Completeness, list[str]]:
    """Whether the run came to its end, and why not. `ended`: a signal ended it.

    `params`: benchlab's canonical parameters, empty for an import; without them a run that is
    shorter than its options say is open where it was timed or has several documents, and remarked
    on elsewhere.
    """
    remaining = [number(job.get("eta")) or 0 for job in jobs]
    if any(0 < left < ETA_UNKNOWN for left in remaining):
        return "partial", [REPORT]
    lasted = _lasted(measurements)
    if params:
        return _as_asked(lasted, params)
    asked = max(number(each.params.get("runtime")) or 0 for each in measurements)
    if lasted >= asked - CLOCK_SLACK or ended or _is_steady(measurements):
        return "whole", []
    timed = any(each.params.get("time_based") for each in measurements)
    if timed or documents > 1:
        return "unknown", [SHORTER.format(lasted, asked, EARLY)]
    return "whole", [SHORTER.format(lasted, asked, DONE)]


def _is_steady(measurements: Sequence[Measurement]) -> bool:
    """Whether the run ended because it reached its steady state."""
    states = [each.values.get("steadystate") for each in measurements]
    return any(isinstance(state, Mapping) and state.get("attained") is True for state in states)


def _lasted(measurements: Sequence[Measurement]) -> float:
    """Seconds of the longest operation. A test that writes and also has reads is one that verifies:
    it does one after the other, pass after pass.
    """
    longest: dict[str, float] = defaultdict(float)
    for each in measurements:
        runtime = number(each.values["runtime"]) or 0.0
        longest[each.operation] = max(longest[each.operation], runtime)
    if {each.params.get("rw") for each in measurements} <= {"write", "randwrite"}:
        return max(longest["read"] + longest["write"], *longest.values())
    return max(longest.values())


def _as_asked(lasted: float, params: Parameters) -> tuple[Completeness, list[str]]:
    """A run of benchlab's own: a timed one lasts as long as it was asked to."""
    wanted = number(params.get("runtime"))
    if wanted and params.get("time_based") and lasted < wanted - CLOCK_SLACK:
        return "partial", [
            message(
                "fio ran for %(lasted)s s instead of %(wanted)s s.",
                lasted=f"{lasted:.3g}",
                wanted=wanted,
            )
        ]
    return "whole", []
