"""Interim analyses of runs: when results are tested, and how much of the error is spent by then.

Each launch and each addition of repeats is a stage. The first stage may spend four fifths of the
error, each later one half of the rest. A stage has one analysis, at its end. With a precision rule
it has one after each block, and the stage's part is spent along them (`stats.alpha_spending`),
whether the result is viewed or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.runs.models import RunExtension
from apps.stats.alpha_spending import FIRST_LOOK_SHARE, Looks, alpha_spent

LAST = 2**62
"""Block after any other."""


@dataclass(frozen=True, slots=True)
class InterimAnalysis:
    """Analysis after the block of this label; `part` is the spent share of the stage's error.

    `stage`: (run, position).
    """

    block: int
    stage: tuple[int, int]
    part: float = 1.0


def block_label(run: int, block: int) -> int:
    """Return a block's name, unique among all runs and increasing with both."""
    return (run << 32) + block


def interim_analyses(runs: Sequence[int]) -> tuple[InterimAnalysis, ...]:
    """Return the analyses of these runs, ascending: one query."""
    stages: dict[int, list[RunExtension]] = defaultdict(list)
    for row in RunExtension.objects.filter(run__in=runs).exclude(kind=RunExtension.Kind.RULE):
        stages[row.run_id].append(row)
    looks = [look for rows in stages.values() for look in _run_analyses(rows)]
    return tuple(sorted(looks, key=lambda look: look.block))


def _run_analyses(rows: Sequence[RunExtension]) -> Iterator[InterimAnalysis]:
    """Yield the analyses of a run with these stages, ascending. Cases without blocks have none."""
    run = rows[0].run_id
    launch = next((row for row in rows if row.position == 0), None)
    added = [row for row in rows if row.position > 0 and row.first_block > 0]
    for row, after in zip([launch, *added], [*added, None], strict=True):
        stage = (run, row.position if row else 0)
        end = after.first_block - 1 if after else None
        if row is not None and row.kind == RunExtension.Kind.UNTIL:
            count = row.last_block - row.first_block + 1
            for done in range(1, count + 1):
                block = row.first_block + done - 1
                if end is None or block <= end:
                    yield InterimAnalysis(block_label(run, block), stage, alpha_spent(done, count))
        elif end is not None:
            yield InterimAnalysis(block_label(run, end), stage)


def interim_between(looks: Sequence[InterimAnalysis], first: int, last: int) -> Looks:
    """Return the analyses at these blocks with the shares of the error spent by then.

    The last one is the present analysis.
    """
    if not looks:
        return _ONE_LOOK
    used = [look for look in looks if first <= look.block < last]
    now = next((look for look in looks if look.block == last), InterimAnalysis(last, (LAST, 0)))
    stages = list(dict.fromkeys(look.stage for look in [*used, now]))
    blocks = [*(look.block for look in used), LAST]
    return tuple(
        (block, _share_spent(stages.index(look.stage), look.part))
        for block, look in zip(blocks, [*used, now], strict=True)
    )


_ONE_LOOK: Looks = ((LAST, FIRST_LOOK_SHARE),)


def _share_spent(stage: int, part: float) -> float:
    before, after = _stage_share_spent(stage - 1), _stage_share_spent(stage)
    return before + (after - before) * part


def _stage_share_spent(stage: int) -> float:
    return 0.0 if stage < 0 else 1 - (1 - FIRST_LOOK_SHARE) / 2**stage
