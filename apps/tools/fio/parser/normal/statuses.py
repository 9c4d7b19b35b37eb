"""Detection of status reports in fio's text (--status-interval) versus another call.

A pid does not identify a call: in containers every call may have the same pid.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.fio.parser.direction import Part

from .block import Block

# Dates are in whole seconds, and printing a report takes time.
_SLACK_SECONDS = 2.0
# Smallest share of a maximum latency that remains when it is printed in a larger unit.
_MIN_ROUNDED_SHARE = 0.98


def is_later_report(before: Sequence[Block], after: Sequence[Block], *, announced: bool) -> bool:
    """Return True if `after` is a later report of the jobs of `before`.

    `announced`: their call began between the two.
    """
    if {block.identity for block in before} != {block.identity for block in after}:
        return False
    if _counts(before) == _counts(after):
        return True  # the same report twice
    if announced:
        return False
    passed, ran = _passed(before, after), _seconds(after) - _seconds(before)
    if passed is None:
        return True
    if ran < 0:
        # The end of a ramp time resets the counters.
        return passed >= 0 and _seconds(after) <= passed + _SLACK_SECONDS
    return abs(passed - ran) <= _SLACK_SECONDS and _grew(before, after)


def _parts(blocks: Sequence[Block]) -> dict[tuple[object, ...], Part]:
    """Return the figures of each job, by job and operation; the last of several of one name."""
    each = ((block, name) for block in blocks for name in block.operations)
    return {(*block.identity, name): block.part(name) for block, name in each}


def _counts(blocks: Sequence[Block]) -> dict[tuple[object, ...], tuple[object, ...]]:
    return {
        key: (part.operations, part.transferred, part.runtime, part.total.latency)
        for key, part in _parts(blocks).items()
    }


def _grew(before: Sequence[Block], after: Sequence[Block]) -> bool:
    """Return True if no counter decreased."""
    old, new = _parts(before), _parts(after)
    return old.keys() <= new.keys() and all(_is_later(old[key], new[key]) for key in old)


def _is_later(old: Part, new: Part) -> bool:
    before, now = old.total.latency, new.total.latency
    return (
        new.operations >= old.operations
        and new.transferred >= old.transferred
        and new.runtime >= old.runtime
        and (now.min or 0) <= (before.min or 0)
        and (now.max or 0) >= (before.max or 0) * _MIN_ROUNDED_SHARE
    )


def _seconds(blocks: Sequence[Block]) -> float:
    return max(block.whole.seconds for block in blocks)


def _passed(before: Sequence[Block], after: Sequence[Block]) -> float | None:
    """Return the seconds by the host's clock; None if a report has no date."""
    dates = [max((b.printed_at or 0 for b in blocks), default=0) for blocks in (before, after)]
    return dates[1] - dates[0] if all(dates) else None
