"""Launch the two runs of an acceptance, as its owner, through plans like any other run."""

from __future__ import annotations

from collections.abc import Sequence

from apps.acceptance.domain.steps import fill_spec, measure_spec
from apps.acceptance.domain.waves import fill_sets, measure_sets
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.selectors.acceptances import position_of
from apps.inventory.models import Disk, TargetGroup
from apps.inventory.services.groups import GroupDraft, group_save
from apps.plans.schemas.plan import PlanSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import unused_name
from apps.plans.services.plans import plan_create
from apps.runs.models import Run
from apps.runs.services.runs import run_launch


def fill_launch(acceptance: Acceptance, disks: Sequence[Disk]) -> Run:
    """Launch the fill: all disks of a host at once. Raises: ServiceError, PermissionDenied."""
    sets = fill_sets(map(position_of, disks))
    spec = fill_spec(acceptance.profile, disks[0].size)
    return _launch(acceptance, "fill", spec, disks, sets)


def measure_launch(acceptance: Acceptance, rows: Sequence[AcceptedDisk]) -> Run:
    """Launch the tests: the disks of a set at once, and set after set on each host.

    Raises: ServiceError, PermissionDenied.
    """
    disks = [row.disk for row in rows]
    sets = measure_sets(map(position_of, disks))
    spec = measure_spec(acceptance.profile, disks[0].size)
    run = _launch(acceptance, "measure", spec, disks, sets)
    numbers = {pk: number for number, ids in enumerate(sets, 1) for pk in ids}
    for row in rows:
        row.set_number = numbers[row.disk_id]
    AcceptedDisk.objects.bulk_update(rows, ["set_number"])
    return run


def _launch(
    acceptance: Acceptance,
    stage: str,
    spec: PlanSpec,
    disks: Sequence[Disk],
    sets: Sequence[tuple[int, ...]],
) -> Run:
    by_id = {disk.pk: disk for disk in disks}
    title = f"{acceptance.name}: {stage}"
    draft = PlanDraft(
        name=unused_name(title),
        spec=spec,
        targets=[
            _target(acceptance, f"{stage} {number}", [by_id[pk] for pk in ids])
            for number, ids in enumerate(sets, 1)
        ],
        team=acceptance.team,
    )
    plan = plan_create(user=acceptance.owner, draft=draft)
    return run_launch(
        plan=plan,
        user=acceptance.owner,
        confirm_wipe=acceptance.wipe_confirmed and stage == "fill",
    )


def _target(acceptance: Acceptance, name: str, disks: Sequence[Disk]) -> Disk | TargetGroup:
    """Return the disk, or a group of several that belongs to the acceptance."""
    if len(disks) == 1:
        return disks[0]
    title = f"Acceptance {acceptance.pk}: {name}"
    draft = GroupDraft(name=title, members=disks, team=acceptance.team)
    return group_save(user=acceptance.owner, draft=draft)
