"""Rows of RunExtension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Max

from apps.accounts.models import User
from apps.plans.schemas.stopping import PrecisionLimits
from apps.runs.models import Case, Run, RunExtension


def launch_record(
    run: Run, cases: Sequence[Case], limits: PrecisionLimits | None, user: User
) -> RunExtension:
    """Create the row of the launch, with the limits of its blocks if it has any."""
    row = RunExtension(run=run, position=0, kind=RunExtension.Kind.LAUNCH, by=user)
    row.cases = len(cases)
    row.repeats = run.spec.repeats
    row.first_block = min((case.block for case in cases), default=0)
    row.last_block = max((case.block for case in cases), default=0)
    if limits is not None:
        row.kind = RunExtension.Kind.UNTIL
        row.precision_percent, row.max_hours = limits.precision_percent, limits.max_hours
        row.factor = limits.factor
        row.first_block, row.last_block = 1, limits.max_blocks
    row.save()
    return row


def extension_create(run: Run, kind: RunExtension.Kind, **fields: Any) -> RunExtension:
    """Append a row after the launch. The caller holds the run locked."""
    last = run.extensions.aggregate(last=Max("position"))["last"] or 0
    return RunExtension.objects.create(run=run, position=last + 1, kind=kind, **fields)
