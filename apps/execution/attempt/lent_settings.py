"""Which of a case's tuning settings a host lends, and to what each belongs there."""

from __future__ import annotations

from apps.remote.settings import LentSetting
from apps.runs.models import Case
from apps.tuning.contract import CEPH, QUEUE, SYSCTL, Setting

# The section of Ceph's configuration a setting goes to when its author named none.
EVERYTHING = "global"


def lent_settings(case: Case, *, disks: list[str], lead: bool) -> list[LentSetting]:
    """What the agent of one host is to lend: queue settings for each of its `disks` (identities),
    kernel settings for the host, Ceph's options once, on the lead.
    """
    return [
        LentSetting(
            kind=setting.kind, identity=identity, name=setting.name, value=str(setting.value)
        )
        for setting in case.tuning_settings
        for identity in _identities(setting, disks, lead)
    ]


def is_pinned(case: Case) -> bool:
    """Whether the tuning participants threads on the CPUs of hardware queues."""
    return any(setting.pins for setting in case.tuning_settings)


def _identities(setting: Setting, disks: list[str], lead: bool) -> list[str]:
    """What a setting is lent for on this host."""
    if setting.kind == QUEUE:
        return disks
    if setting.kind == SYSCTL:
        return [""]
    if setting.kind == CEPH and lead:
        return [setting.section or EVERYTHING]
    return []
