"""Settings on a case's page: before, during and after the measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.inventory.models import Disk
from apps.results.selectors.jobs import job_rows
from apps.runs.models import Attempt, AttemptJob
from apps.runs.selectors.effective_settings import EffectiveSetting, effective_settings, group_equal

MAX_SCOPES = 4
WORDS: Mapping[str, str | Promise] = {
    "changed": lazy("did not keep its value during the test"),
    "conflicts": lazy("changed by another program; not restored"),
    "failed": lazy("could not be restored"),
}


@dataclass(frozen=True)
class SettingRow:
    """Setting with equal values in several scopes. `scopes`: empty if there is only one."""

    read: EffectiveSetting
    scopes: tuple[str, ...]
    more: int
    note: str

    @property
    def misses(self) -> bool:
        """Return True if the effective value differs from the requested one."""
        return None not in (self.read.requested, self.read.during) and (
            self.read.requested != self.read.during
        )


@dataclass(frozen=True)
class SettingRows:
    """Settings: `applied` were requested or changed with others, `unchanged` did not."""

    applied: list[SettingRow]
    unchanged: list[SettingRow]

    def __bool__(self) -> bool:
        return bool(self.applied or self.unchanged)


def settings_of(attempt: Attempt) -> SettingRows:
    """Return the settings of an attempt."""
    jobs = job_rows(attempt)
    rows = effective_settings(jobs)
    labels = _labels(attempt, jobs, rows) if len({(r.host, r.identity) for r in rows}) > 1 else {}
    applied = [row for row in rows if not row.is_unchanged]
    return SettingRows(
        [_row(same, labels) for same in group_equal(applied)],
        [_row(same, labels) for same in group_equal(row for row in rows if row.is_unchanged)],
    )


def _row(same: list[EffectiveSetting], labels: Mapping[tuple[int, str], str]) -> SettingRow:
    scopes = [labels[one.host, one.identity] for one in same] if labels else []
    note = "; ".join(str(WORDS[problem]) for problem in same[0].problems)
    if same[0].is_left_changed and not note:
        note = _("not as it was before")
    return SettingRow(same[0], tuple(scopes[:MAX_SCOPES]), len(scopes[MAX_SCOPES:]), note)


def _labels(
    attempt: Attempt, jobs: list[AttemptJob], rows: list[EffectiveSetting]
) -> dict[tuple[int, str], str]:
    """Return labels of (host, identity): the component's label, else the device path."""
    names = {job.host_id: job.host.name for job in jobs}
    disks = Disk.objects.filter(host__in=names, identity__in={row.identity for row in rows})
    nodes = {(disk.host_id, disk.identity): disk.device_path for disk in disks}
    members = {(one.host_id, one.identity): one.label for one in attempt.case.members}
    result = {}
    for row in rows:
        scope = (row.host, row.identity)
        node = nodes.get(scope, row.identity)
        result[scope] = members.get(scope) or f"{names[row.host]} {node}".strip()
    return result
