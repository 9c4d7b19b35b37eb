"""Which of a case's tuning settings a host lends, and to what each belongs there."""

from __future__ import annotations

from apps.runs.models import Case
from apps.tools.base import JSON
from apps.tuning.known import CPU, PINNING

# The section of Ceph's configuration a setting goes to when its author named none.
EVERYTHING = "global"


def loans(case: Case, *, disks: list[str], lead: bool) -> list[JSON]:
    """What the agent of one host is to lend: queue settings for each of its `disks` (identities),
    kernel settings for the host, Ceph's options once, on the lead.
    """
    asked: list[JSON] = []
    for setting in case.tuning_settings:
        asked += [_loan(setting, place) for place in _places(setting, disks, lead)]
    return asked


def is_pinned(case: Case) -> bool:
    """Whether the tuning places threads on the CPUs of hardware queues: nothing is lent for it."""
    return any(
        setting["kind"] == CPU and (setting["name"], setting["value"]) == (PINNING, "split")
        for setting in case.tuning_settings
    )


def _places(setting: JSON, disks: list[str], lead: bool) -> list[str]:
    """The identities a setting is lent for on this host."""
    if setting["kind"] == "queue":
        return disks
    if setting["kind"] == "sysctl":
        return [""]
    if setting["kind"] == "ceph" and lead:
        return [str(setting.get("section") or EVERYTHING)]
    return []


def _loan(setting: JSON, identity: str) -> JSON:
    kind, name, value = setting["kind"], setting["name"], str(setting["value"])
    return {"kind": kind, "identity": identity, "name": name, "value": value}
