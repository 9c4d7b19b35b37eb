"""Reads about tuning profiles, and what the lab's disks offer to tune."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as lazy

from apps.inventory.models import Disk, Host
from apps.tuning.domain.baseline import HOST_DEFAULTS
from apps.tuning.domain.setting_catalog import SETTINGS, SettingDefinition
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
WORDS = {
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
        lazy("Written to the ceph.conf of the OSDs behind a pool, which are restarted in turn."),
    ),
}


def tunings_visible() -> QuerySet[TuningProfile]:
    """Every profile with its owner and the number of plans that use it; everybody may see all."""
    plans = Count("plans", filter=Q(plans__archived_at=None), distinct=True)
    return TuningProfile.objects.select_related("owner", "team").annotate(plan_count=plans)


def tunings_current() -> QuerySet[TuningProfile]:
    """Tunings that a plan may choose: all that are not archived."""
    return TuningProfile.objects.filter(archived_at=None).order_by("name")


def host_defaults() -> list[TuningProfile]:
    """The built-in profile that changes nothing; none where it was never made or is archived."""
    return list(tunings_current().filter(name=HOST_DEFAULTS))


def schedulers_of(disk: Disk) -> tuple[str, ...]:
    """The I/O schedulers a disk offered when it was last seen; empty when nobody knows."""
    return disk.known.queue.schedulers


def schedulers_offered(disks: Iterable[Disk]) -> list[tuple[str, int]]:
    """Scheduler and how many of these disks offer it, the commonest first."""
    found = Counter(name for disk in disks for name in schedulers_of(disk))
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def lab_schedulers() -> list[tuple[str, int]]:
    """Schedulers of the disks that tests may use, for the form's suggestion."""
    return schedulers_offered(Disk.objects.filter(enrolled_at__isnull=False).only("facts"))


def free_name(name: str) -> str:
    """`name`, or "name (copy)", "name (copy 2)" ...: the first that no profile has."""
    stem = name[:60]
    rows = TuningProfile.objects.filter(name__startswith=stem)
    taken = set(rows.values_list("name", flat=True))
    tries = [stem, f"{stem} (copy)"]
    tries += [f"{stem} (copy {number})" for number in range(2, len(taken) + 3)]
    return next(candidate for candidate in tries if candidate not in taken)


def need_a_restart() -> frozenset[str]:
    """Options of OSDs that take effect only when they start, as any known cluster says it."""
    told = Host.objects.exclude(cluster_options=[]).values_list("cluster_options", flat=True)
    return frozenset(name for names in told for name in names)


def settings_shown(tuning: TuningProfile) -> list[tuple[SettingDefinition, str]]:
    """Each setting of a profile with its value and unit."""
    slow = need_a_restart() if any(one.kind == CEPH for one in tuning.settings) else frozenset()
    return [(_known(setting, slow), shown(setting)) for setting in tuning.settings]


class SettingDifference(NamedTuple):
    """A setting of two profiles with its value in each; an empty value: left as it is found."""

    setting: SettingDefinition
    first: str
    second: str

    @property
    def differs(self) -> bool:
        return self.first != self.second


def differences(first: TuningProfile, second: TuningProfile) -> list[SettingDifference]:
    """Every setting of either profile, what differs first."""
    sides = [{setting.key: setting for setting in one.settings} for one in (first, second)]
    rows = []
    for key in {**sides[0], **sides[1]}:
        here, there = (side.get(key) for side in sides)
        known = _known(here or sides[1][key])
        rows.append(SettingDifference(known, *(shown(one) if one else "" for one in (here, there))))
    return sorted(rows, key=lambda row: not row.differs)


def _known(setting: Setting, slow: frozenset[str] = frozenset()) -> SettingDefinition:
    """The known values of a setting; of a free one only its kind. `slow` are options of Ceph that
    need a restart.
    """
    if setting.kind == CEPH and setting.name in slow:
        return SettingDefinition(setting.key, lazy("Ceph"), TOO_LATE, kind=CEPH)
    if setting.scope and setting.kind != CEPH_CONF:
        return SettingDefinition(
            setting.key, lazy("Elsewhere"), ELSEWHERE[setting.scope], kind=setting.kind
        )
    if setting.kind in WORDS:
        label, help_text = WORDS[setting.kind]
        return SettingDefinition(setting.key, label, help_text, kind=setting.kind)
    return SETTINGS[setting.name]


class RunNamed(NamedTuple):
    """A run as a link needs it."""

    id: int
    name: str


def recent_runs(tuning: TuningProfile, *, most: int = 20) -> list[RunNamed]:
    """The newest runs that measured under this profile."""
    rows = tuning.in_runs.order_by("-run_id").values_list("run_id", "run__name")
    return [RunNamed(*row) for row in rows[:most]]
