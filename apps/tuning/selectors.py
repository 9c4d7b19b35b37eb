"""Selectors of tuning profiles, and of the values that the lab's disks offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as lazy

from apps.inventory.models import CephCluster, Disk
from apps.tuning.domain.baseline import HOST_DEFAULTS
from apps.tuning.domain.cluster_options import ClusterFit, cluster_fit, has_ceph_options
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.domain.setting_definition import SettingDefinition
from apps.tuning.domain.settings import shown
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    CLIENTS,
    IRQ,
    POOL,
    SERVERS,
    SYSCTL,
    Setting,
)

ELSEWHERE = {
    CLIENTS: lazy("Set on the hosts that send load."),
    SERVERS: lazy("Set on the other end of a pair of hosts."),
    POOL: lazy("Set on the hosts behind a pool, or on the disks of their OSDs."),
}
TOO_LATE = lazy(
    "Refused: it takes effect only when daemons are restarted. Write it below the Ceph options "
    "that need a restart."
)
KIND_LABELS = {
    SYSCTL: (lazy("Kernel"), lazy("Set on every host of the test.")),
    IRQ: (
        lazy("Interrupts"),
        lazy("The CPUs that serve them: these, or one CPU each in turn (spread)."),
    ),
    CEPH: (
        lazy("Ceph"),
        lazy("Set in the running cluster (ceph config set), without a restart."),
    ),
    CEPH_CONF: (
        lazy("Ceph, with a restart"),
        lazy("Written to the ceph.conf of the daemons behind a pool, which restart in turn."),
    ),
}


def tunings_visible() -> QuerySet[TuningProfile]:
    """Return every profile with its owner and the number of its plans; all users see all."""
    plans = Count("plans", filter=Q(plans__archived_at=None), distinct=True)
    return TuningProfile.objects.select_related("owner", "team").annotate(plan_count=plans)


def tunings_current() -> QuerySet[TuningProfile]:
    """Return the profiles that a plan may use: all that are not archived."""
    return TuningProfile.objects.filter(archived_at=None).order_by("name")


def host_defaults() -> list[TuningProfile]:
    """Return the built-in profile without settings; empty if it is missing or archived."""
    return list(tunings_current().filter(name=HOST_DEFAULTS))


def schedulers_of(disk: Disk) -> tuple[str, ...]:
    """Return the I/O schedulers of a disk at its last check; empty if unknown."""
    return disk.known.queue.schedulers


def schedulers_offered(disks: Iterable[Disk]) -> list[tuple[str, int]]:
    """Return schedulers and the number of these disks that offer each, the most frequent first."""
    counts = Counter(name for disk in disks for name in schedulers_of(disk))
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def lab_schedulers() -> list[tuple[str, int]]:
    """Return the schedulers of enrolled disks, for the form's suggestions."""
    return schedulers_offered(Disk.objects.filter(enrolled_at__isnull=False).only("facts"))


def unused_name(name: str) -> str:
    """Return `name`, or the first unused one of "name (copy)", "name (copy 2)" ..."""
    stem = name[:60]
    rows = TuningProfile.objects.filter(name__startswith=stem)
    taken = set(rows.values_list("name", flat=True))
    tries = [stem, f"{stem} (copy)"]
    tries += [f"{stem} (copy {number})" for number in range(2, len(taken) + 3)]
    return next(candidate for candidate in tries if candidate not in taken)


def restart_options() -> dict[str, tuple[str, ...]]:
    """Return the options that need a restart in any known cluster, with the daemons that do."""
    result: dict[str, tuple[str, ...]] = {}
    for cluster in CephCluster.objects.order_by("pk"):
        for name, kinds in cluster.restart_daemons.items():
            result[name] = tuple(dict.fromkeys((*result.get(name, ()), *kinds)))
    return result


class ClusterRow(NamedTuple):
    """A known cluster and how it takes a profile's options; `pools` and `hosts` are names."""

    cluster: CephCluster
    pools: tuple[str, ...]
    hosts: tuple[str, ...]
    fit: ClusterFit


def cluster_rows(tuning: TuningProfile) -> list[ClusterRow]:
    """Return the clusters whose options a check has read; none for a profile without options."""
    if not has_ceph_options(tuning.settings):
        return []
    clusters = CephCluster.objects.exclude(option_names=[]).prefetch_related("hosts", "pools")
    return [
        ClusterRow(
            cluster,
            tuple(sorted({pool.name for pool in cluster.pools.all()})),
            tuple(sorted(host.name for host in cluster.hosts.all())),
            cluster_fit(tuning.settings, cluster.option_names, cluster.restart_daemons),
        )
        for cluster in clusters
    ]


def settings_display(tuning: TuningProfile) -> list[tuple[SettingDefinition, str]]:
    """Return each setting of a profile with its value and unit."""
    slow = restart_options() if any(one.kind == CEPH for one in tuning.settings) else {}
    return [(_definition(setting, slow), shown(setting)) for setting in tuning.settings]


class SettingDifference(NamedTuple):
    """A setting of two profiles with its value in each; empty if not set."""

    setting: SettingDefinition
    first: str
    second: str

    @property
    def differs(self) -> bool:
        return self.first != self.second


def differences(first: TuningProfile, second: TuningProfile) -> list[SettingDifference]:
    """Return every setting of either profile, those with different values first."""
    sides = [{setting.key: setting for setting in one.settings} for one in (first, second)]
    rows = []
    for key in {**sides[0], **sides[1]}:
        first_setting, second_setting = (side.get(key) for side in sides)
        definition = _definition(first_setting or sides[1][key])
        rows.append(
            SettingDifference(
                definition, *(shown(one) if one else "" for one in (first_setting, second_setting))
            )
        )
    return sorted(rows, key=lambda row: not row.differs)


def _definition(setting: Setting, slow: Collection[str] = ()) -> SettingDefinition:
    """Return the definition of a setting; of a custom one only its kind.

    `slow`: options of Ceph that need a restart.
    """
    if setting.kind == CEPH and setting.name in slow:
        return SettingDefinition(setting.key, lazy("Ceph"), TOO_LATE, kind=CEPH)
    if setting.scope and setting.kind != CEPH_CONF:
        return SettingDefinition(
            setting.key, lazy("Elsewhere"), ELSEWHERE[setting.scope], kind=setting.kind
        )
    if setting.kind in KIND_LABELS:
        label, help_text = KIND_LABELS[setting.kind]
        return SettingDefinition(setting.key, label, help_text, kind=setting.kind)
    return SETTINGS[setting.name]


class RunNamed(NamedTuple):
    """Id and name of a run, for a link."""

    id: int
    name: str


def recent_runs(tuning: TuningProfile, *, limit: int = 20) -> list[RunNamed]:
    """Return the newest runs with this profile."""
    rows = tuning.in_runs.order_by("-run_id").values_list("run_id", "run__name")
    return [RunNamed(*row) for row in rows[:limit]]
