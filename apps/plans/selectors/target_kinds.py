"""Kinds of targets: one row of a table for each.

The members of a kind, its choices and labels are here; plans, runs and results do not depend on
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from apps.inventory.models import Directory, Disk, Host, HostPair, Pool, Target, TargetGroup
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors import target_labels as labels
from apps.plans.selectors import target_rows as data
from apps.plans.selectors.targets_offered import (
    directories_offered,
    disks_offered,
    groups_offered,
    pools_offered,
)


@dataclass(frozen=True)
class TargetKindEntry:
    """One kind of target. `name` is also the related name of the child row.

    `data`: converts a row for the expansion. `joined` and `prefetched`: what that reads beside the
    row. `offered`: the rows in the plan form, under the heading `title`, as `label`. `host`: the
    path to the host, which must not be of the archive; "" for none.
    """

    name: str
    model: type[Model]
    data: Callable[[Any], PlannedTarget]
    joined: tuple[str, ...] = ()
    prefetched: tuple[str, ...] = ()
    host: str = ""
    offered: Callable[[], Iterable[Any]] = tuple
    title: Callable[[Any], str] = str
    label: Callable[[Any], str] = str

    def named(self) -> QuerySet[Any]:
        """Return the rows that a plan may use, with what `data` reads."""
        rows = self.read()
        return (
            rows.exclude(**{f"{self.host}__kind": Host.Kind.IMPORTED_ONLY}) if self.host else rows
        )

    def read(self) -> QuerySet[Any]:
        """Return all rows, with what `data` reads."""
        rows: QuerySet[Any] = self.model._default_manager.all()
        rows = rows.select_related(*self.joined) if self.joined else rows
        return rows.prefetch_related(*self.prefetched)


_ENTRIES = (
    TargetKindEntry(
        "disk", Disk, data.disk_data, ("host__facts",), host="host",
        offered=disks_offered, title=lambda disk: _("Disks of %s") % disk.host.name,
        label=labels.disk_label,
    ),
    TargetKindEntry(
        "directory", Directory, data.directory_data, ("host__facts",), host="host",
        offered=directories_offered, title=lambda row: _("Directories of %s") % row.host.name,
        label=labels.directory_label,
    ),
    TargetKindEntry(
        "group", TargetGroup, data.group_data,
        prefetched=("disks__host__facts", "directories__host__facts"),
        offered=groups_offered, title=lambda _row: _("Groups, used all at once"),
        label=labels.group_label,
    ),
    TargetKindEntry(
        "pool", Pool, data.pool_data, ("host__facts",), ("clients__facts",), host="host",
        offered=pools_offered, title=lambda _row: _("Ceph pools"), label=labels.pool_label,
    ),
    # Every two hosts are a pair: the form offers hosts (apps.plans.selectors.target_choices).
    TargetKindEntry("pair", HostPair, data.pair_data, ("client__facts", "server__facts")),
)  # fmt: skip
KINDS: dict[str, TargetKindEntry] = {entry.name: entry for entry in _ENTRIES}


def kind_of(row: Model) -> TargetKindEntry:
    """Return the kind of a target row."""
    return next(kind for kind in KINDS.values() if isinstance(row, kind.model))


def target_data(row: Model) -> PlannedTarget:
    """Return a target row for the expansion."""
    return kind_of(row).data(row)


def rows_of(targets: Iterable[Target]) -> list[Any]:
    """Return the rows of these targets, in order, with what `data` reads.

    A query or two for each kind: one for all kinds would join twenty tables.
    """
    targets = list(targets)
    rows: dict[int, Any] = {}
    for kind in {target.kind for target in targets}:
        keys = [target.pk for target in targets if target.kind == kind]
        rows |= {row.target_id: row for row in KINDS[kind].read().filter(target__in=keys)}
    return [rows[target.pk] for target in targets]
