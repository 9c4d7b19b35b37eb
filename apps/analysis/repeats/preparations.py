"""One pass with sprandom as the state of disks under test, also from an earlier run.

Tests without preconditioning meet the disk as its last preparation and the tests since left it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db.models import JSONField
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from apps.plans.schemas.preconditioning import NOTHING, SPRANDOM, Preconditioning
from apps.runs.models import Case, CaseState, Purpose, RunTarget, RunTargetMember

_PLANNED = KeyTransform("preconditioning", Cast("run__spec", JSONField()))
_PLANNED_OF_MEMBER = KeyTransform("preconditioning", Cast("run_target__run__spec", JSONField()))


@dataclass(frozen=True)
class _Preparation:
    """What a run planned for a disk. `run_target`: the disk, or a group of disks with it."""

    run_target: int
    started_at: datetime
    planned: Preconditioning


def preconditioning_texts(run_targets: Iterable[int]) -> dict[int, str]:
    """Return the one pass with sprandom by target of a run; others are as they were.

    It leaves another state than the fills, so results after it are not mixed with others unnoticed.
    Two queries, or four if a disk went through such a pass.
    """
    rows = RunTarget.objects.filter(pk__in=set(run_targets)).annotate(planned=_PLANNED).order_by()
    result: dict[int, str] = {}
    unprepared: dict[int, datetime] = {}
    for pk, started_at, raw in rows.values_list("pk", "run__started_at", "planned"):
        planned = _planned(raw)
        if planned.sprandom_over_provisioning is not None:
            result[pk] = _text(planned)
        elif not planned.kinds and started_at is not None:
            unprepared[pk] = started_at
    return result | _from_earlier(unprepared)


def _from_earlier(unprepared: dict[int, datetime]) -> dict[int, str]:
    """Return the text of each target with a disk whose last preparation was such a pass."""
    mine = RunTargetMember.objects.filter(run_target__in=unprepared).order_by()
    disks = {
        (run_target, target)
        for run_target, target in mine.values_list("run_target", "target")
        if target is not None
    }
    history = _history({target for _run_target, target in disks})
    if not any(one.planned.sprandom_over_provisioning for rows in history.values() for one in rows):
        return {}
    done = _done({one.run_target for rows in history.values() for one in rows})
    result = {}
    for run_target, target in sorted(disks):
        earlier = [
            one
            for one in history[target]
            if one.started_at < unprepared[run_target] and one.run_target in done
        ]
        last = max(earlier, key=lambda one: one.started_at, default=None)
        if last and done[last.run_target]:
            result[run_target] = _text(last.planned)
    return result


def _history(targets: Collection[int]) -> dict[int, list[_Preparation]]:
    """Return the planned preparations of each disk."""
    rows = RunTargetMember.objects.filter(
        target__in=targets, run_target__run__started_at__isnull=False
    )
    planned = rows.annotate(planned=_PLANNED_OF_MEMBER).filter(planned__isnull=False).order_by()
    history: dict[int, list[_Preparation]] = defaultdict(list)
    for target, run_target, started_at, raw in planned.values_list(
        "target", "run_target", "run_target__run__started_at", "planned"
    ):
        planned_then = _planned(raw)
        if started_at is not None and planned_then.kinds:
            history[target].append(_Preparation(run_target, started_at, planned_then))
    return history


def _done(run_targets: Collection[int]) -> dict[int, bool]:
    """Return the targets that were prepared at all; True if the pass with sprandom ended well."""
    cases = Case.objects.filter(
        run_target__in=run_targets, purpose=Purpose.PRECONDITION, state=CaseState.SUCCEEDED
    )
    done: dict[int, bool] = {}
    for run_target, params in cases.order_by().values_list("run_target", "workload__params"):
        done[run_target] = done.get(run_target, False) or bool(params.get(SPRANDOM))
    return done


def _planned(raw: object) -> Preconditioning:
    return msgspec.convert(raw, Preconditioning) if raw else NOTHING


def _text(planned: Preconditioning) -> str:
    share = planned.sprandom_over_provisioning
    return _("one pass with sprandom, over-provisioning {share}").format(share=share)
