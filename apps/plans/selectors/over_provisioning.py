"""Over-provisioning that the catalogue states for the disks that a plan prepares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from apps.inventory.models import Disk
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of
from apps.plans.domain.preconditioning import prepared_targets, share_text
from apps.plans.schemas.planned import PlannedPlan, Preview, Problem

FIELD = "preconditioning.sprandom_over_provisioning"


@dataclass(frozen=True)
class StatedShare:
    """`share`: as fio reads it, "0.07"; `is_planned`: the plan has it. `disks`: their labels."""

    share: str
    disks: tuple[str, ...]
    pattern: str
    source: str
    is_planned: bool = False


def stated_shares(plan: PlannedPlan) -> list[StatedShare]:
    """Return what the catalogue states, an entry with its disks each; empty if it states nothing.

    A query for the disks and one for the catalogue; none for a plan without steps on disks.
    """
    ids = [part.id for target in prepared_targets(plan) for part in target.parts]
    if not ids:
        return []
    rows = Disk.objects.filter(pk__in=ids).select_related("model", "host").order_by("host", "pk")
    entries = catalogue_entries()
    planned = plan.spec.preconditioning.sprandom_over_provisioning
    found: dict[int, StatedShare] = {}
    for disk in rows:
        entry = entry_of(disk, entries)
        if entry is None or not entry.spr_op:
            continue
        share = share_text(entry.spr_op)
        is_planned = planned is not None and share_text(planned) == share
        own = StatedShare(share, (), entry.pattern, entry.source, is_planned)
        known = found.get(entry.pk, own)
        found[entry.pk] = replace(known, disks=(*known.disks, str(disk)))
    return list(found.values())


def with_stated_shares(preview: Preview, plan: PlannedPlan) -> Preview:
    """Return the preview with a warning for each entry that states another share than the plan."""
    planned = plan.spec.preconditioning.sprandom_over_provisioning
    if planned is None:
        return preview
    others = [one for one in stated_shares(plan) if not one.is_planned]
    return replace(preview, warnings=(*preview.warnings, *_warnings(others, share_text(planned))))


def _warnings(others: Sequence[StatedShare], planned: str) -> list[Problem]:
    text = _(
        "%(disks)s: the plan has an over-provisioning of %(planned)s, the catalogue of disk models "
        "states %(share)s (%(pattern)s; %(source)s)."
    )
    return [
        Problem(
            text
            % {
                "disks": ", ".join(one.disks),
                "planned": planned,
                "share": one.share,
                "pattern": one.pattern,
                "source": one.source,
            },
            field=FIELD,
        )
        for one in others
    ]
