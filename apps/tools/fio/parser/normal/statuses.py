"""Whether a report in fio's text goes on with the one before it (--status-interval), or another
call of fio printed it. A pid does not tell: in containers every call may have the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.fio.parser.direction import Part

from .block import Block

_SLACK = 2.0  # seconds: dates are whole ones, and a report takes its time
_CUT = 0.98  # what is left at least of a longest latency when its unit becomes a larger one


def goes_on(before: Sequence[Block], after: Sequence[Block], *, announced: bool) -> bool:
    """Whether `after` is a later report of the jobs of `before`. `announced`: their call began
    between the two.
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
        return passed >= 0 and _seconds(after) <= passed + _SLACK  # a ramp sets the counters back
    return abs(passed - ran) <= _SLACK and _grew(before, after)


def _parts(blocks: Sequence[Block]) -> dict[tuple[object, ...], Part]:
    """Figures of each job, by job and operation; of several of one name the last."""
    each = ((block, name) for block in blocks for name in block.operations)
    return {(*block.identity, name): block.part(name) for block, name in each}


def _counts(blocks: Sequence[Block]) -> dict[tuple[object, ...], tuple[object, ...]]:
    return {
        place: (part.operations, part.transferred, part.runtime, part.total.latency)
        for place, part in _parts(blocks).items()
    }


def _grew(before: Sequence[Block], after: Sequence[Block]) -> bool:
    """Whether all counters of before are as large now or larger."""
    old, new = _parts(before), _parts(after)
    return old.keys() <= new.keys() and all(_went_on(old[place], new[place]) for place in old)


def _went_on(old: Part, new: Part) -> bool:
    before, now = old.total.latency, new.total.latency
    return (
        new.operations >= old.operations
        and new.transferred >= old.transferred
        and new.runtime >= old.runtime
        and (now.min or 0) <= (before.min or 0)
        and (now.max or 0) >= (before.max or 0) * _CUT
    )


def _seconds(blocks: Sequence[Block]) -> float:
    return max(block.whole.seconds for block in blocks)


def _passed(before: Sequence[Block], after: Sequence[Block]) -> float | None:
    """Seconds by the host's clock; None where a report has no date."""
    dates = [max((b.printed_at or 0 for b in blocks), default=0) for blocks in (before, after)]
    return dates[1] - dates[0] if all(dates) else None
