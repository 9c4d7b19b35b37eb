"""Records of disturbances, and those of a case's repeats."""

from __future__ import annotations

from dataclasses import dataclass

from apps.results.models import DisturbanceRecord
from apps.results.schemas.disturbance import DisturbanceDocument
from apps.runs.models import Attempt, Case

MAX_REPEATS = 60


@dataclass(frozen=True)
class DisturbedRepeat:
    """The record of a repeat; `is_shown`: of the page's own attempt."""

    repeat: int
    tuning: str
    document: DisturbanceDocument
    is_shown: bool


def disturbance_of(attempt: Attempt) -> DisturbanceDocument | None:
    """Return the record of an attempt; None without one."""
    row = DisturbanceRecord.objects.filter(attempt=attempt).first()
    return row.document if row is not None else None


def disturbed_repeats(case: Case, shown: Attempt) -> list[DisturbedRepeat]:
    """Return the records of the same test on the same target in the run, under every tuning.

    The shown attempt, and of other cases the last valid one.
    """
    rows = (
        DisturbanceRecord.objects.filter(
            attempt__case__run=case.run_id,
            attempt__case__workload=case.workload_id,
            attempt__case__run_target=case.run_target_id,
        )
        .select_related("attempt__case__run_tuning")
        .order_by("attempt__case__sequence", "attempt__number")
    )
    latest: dict[int, DisturbanceRecord] = {}
    for row in rows:
        attempt = row.attempt
        if attempt.pk == shown.pk or (attempt.valid and attempt.case_id != case.pk):
            latest[attempt.case_id] = row
    return [
        DisturbedRepeat(
            row.attempt.case.repeat,
            row.attempt.case.tuning_name,
            row.document,
            row.attempt_id == shown.pk,
        )
        for row in list(latest.values())[:MAX_REPEATS]
    ]
