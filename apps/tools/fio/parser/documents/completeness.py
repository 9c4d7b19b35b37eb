"""Completeness of a result: distinguishes it from a status report of an unfinished test.

Both have the same form. fio prints a remaining time (`eta`), which is unknown (2^31 - 1) during the
first seconds. A timed run is complete if it lasted as long as requested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.text import number
from apps.tools.values import Decoded, Parameters

# fio measures in milliseconds, and a job may stop slightly before the others.
CLOCK_SLACK_SECONDS = 0.05
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
    """Return the completeness of a run, with the reasons if it is incomplete.

    `ended`: a signal ended it. `params`: benchlab's canonical parameters, empty for an import. An
    import that is shorter than its options is unknown if it was timed or has several documents;
    otherwise it is whole with a remark.
    """
    remaining = [number(job.get("eta")) or 0 for job in jobs]
    if any(0 < eta < ETA_UNKNOWN for eta in remaining):
        return "partial", [REPORT]
    duration = _duration(measurements)
    if params:
        return _planned_ending(duration, params)
    requested = max(number(each.params.get("runtime")) or 0 for each in measurements)
    if duration >= requested - CLOCK_SLACK_SECONDS or ended or _reached_steady_state(measurements):
        return "whole", []
    timed = any(each.params.get("time_based") for each in measurements)
    if timed or documents > 1:
        return "unknown", [SHORTER.format(duration, requested, EARLY)]
    return "whole", [SHORTER.format(duration, requested, DONE)]


def _reached_steady_state(measurements: Sequence[Measurement]) -> bool:
    """Return True if the run ended because it reached its steady state."""
    states = [each.values.get("steadystate") for each in measurements]
    return any(isinstance(state, Mapping) and state.get("attained") is True for state in states)


def _duration(measurements: Sequence[Measurement]) -> float:
    """Return the seconds of the longest operation.

    A test that writes and also reads is verifying: its passes run one after the other.
    """
    longest: dict[str, float] = defaultdict(float)
    for each in measurements:
        runtime = number(each.values["runtime"]) or 0.0
        longest[each.operation] = max(longest[each.operation], runtime)
    if {each.params.get("rw") for each in measurements} <= {"write", "randwrite"}:
        return max(longest["read"] + longest["write"], *longest.values())
    return max(longest.values())


def _planned_ending(duration: float, params: Parameters) -> tuple[Completeness, list[str]]:
    """Return the completeness of a run of benchlab, whose duration is known."""
    runtime = number(params.get("runtime"))
    if runtime and params.get("time_based") and duration < runtime - CLOCK_SLACK_SECONDS:
        return "partial", [
            message(
                "fio ran for %(lasted)s s instead of %(wanted)s s.",
                lasted=f"{duration:.3g}",
                wanted=runtime,
            )
        ]
    return "whole", []
