"""Settings of a case's tuning for a host, and the disks they apply to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from apps.execution.domain.effective_tuning import DEFAULT_SECTION, DIRECTORY
from apps.execution.jobs.participants import Participant, daemons_of
from apps.inventory.models import Pool
from apps.plans.schemas.plan import RUN_UNTUNED
from apps.remote.agent.tuning.irq_names import OF_DISKS
from apps.remote.host_settings import SettingSpec
from apps.runs.models import Case
from apps.runs.models.jobs import OSD_HOST
from apps.tools.messages import message
from apps.tools.registry import tool
from apps.tuning.domain.applicability import TuningScope, inapplicable_settings
from apps.tuning.domain.settings import describe
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    CLIENTS,
    FILESYSTEM,
    GOVERNOR,
    IRQ,
    OSD_SECTION,
    POOL,
    QUEUE,
    SERVERS,
    SYSCTL,
    Setting,
    makes_files,
)


def target_settings(case: Case, participant: Participant) -> list[SettingSpec]:
    """Return the settings that one host applies; none if the tuning is inapplicable.

    Queue settings apply to each of its disks and directories, kernel settings to the host, Ceph
    options once, on the lead.
    """
    if inapplicable_reason(case):
        return []
    return [
        _target_setting(case, setting, identity)
        for setting in case.tuning_to_apply.settings
        for identity in _identities(setting, participant)
    ]


def needs_restart(setting: SettingSpec) -> bool:
    """Return True if daemons restart for the setting, so that cases in a row share it."""
    return setting.get("kind") == CEPH_CONF


def carry_key(case: Case, settings: Sequence[SettingSpec]) -> str:
    """Return the key under which a host's settings pass to the next case of the run.

    Equal settings on one target have equal keys. "" with a disturbance: its changes are restored
    with the settings.
    """
    if case.run.spec.disturbance:
        return ""
    text = json.dumps(settings, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    return f"{case.run_id}-{case.run_target_id}-{digest}"


def _target_setting(case: Case, setting: Setting, identity: str) -> SettingSpec:
    row = SettingSpec(
        kind=setting.kind, identity=identity, name=setting.name, value=str(setting.value)
    )
    if setting.kind == CEPH_CONF and isinstance(case.target, Pool):
        cluster = case.target.host.cluster
        row["restart"] = cluster.restart_command(daemon_kind(setting)) if cluster else []
    return row


def daemon_kind(setting: Setting) -> str:
    """Return the kind of daemons whose ceph.conf has a setting."""
    return setting.section or OSD_SECTION


def _restartable(case: Case) -> list[str]:
    """Return the kinds of daemons that an admin allows to restart; checked for each attempt."""
    if not isinstance(case.target, Pool):
        return []
    members = [kind for row in daemons_of(case).values() for kind in row]
    return [kind for kind in case.target.host.restartable_kinds if kind in members]


def works_in_files(case: Case) -> bool:
    """Return True if the tool runs in a new file system on the disks."""
    return makes_files(case.tuning_to_apply.settings) and not inapplicable_reason(case)


def inapplicable_reason(case: Case) -> str:
    """Return why the tuning cannot apply to the target, or ""."""
    tuning = case.tuning_to_apply
    kinds = {member.kind for member in case.members if member.role != OSD_HOST}
    osd_hosts = any("osd" in row for row in daemons_of(case).values())
    plugin = tool(case.tool)
    in_files = "directory" in plugin.targets
    reach = TuningScope(kinds, plugin.pins, osd_hosts, _restartable(case), in_files)
    left = inapplicable_settings(tuning.settings, reach)
    if not left:
        return ""
    return message(
        "%(settings)s of %(tuning)s reaches nothing of %(target)s, by the stored facts of its "
        "hosts and disks",
        settings=describe(left),
        tuning=tuning.name,
        target=case.target_words,
    )


def runs_untuned(case: Case) -> bool:
    """Return True if the plan runs a case untuned when its tuning cannot apply."""
    return case.run.spec.on_tuning_unavailable == RUN_UNTUNED


def is_pinned(case: Case) -> bool:
    """Return True if the tuning pins threads to the CPUs of hardware queues."""
    return any(setting.pins for setting in case.tuning_to_apply.settings)


def _identities(setting: Setting, participant: Participant) -> list[str]:
    """Return the identities that a setting applies to on this host."""
    if setting.scope == POOL:
        kind = daemon_kind(setting) if setting.kind == CEPH_CONF else OSD_SECTION
        return [participant.daemons[kind]] if kind in participant.daemons else []
    if participant.role == OSD_HOST or _is_elsewhere(setting, participant):
        return []
    if setting.kind in (QUEUE, FILESYSTEM) or setting.name == OF_DISKS:
        return [_of_member(member.kind, member.identity) for member in participant.members]
    if setting.kind in (SYSCTL, GOVERNOR, IRQ):
        return [""]
    if setting.kind == CEPH and participant.lead:
        return [setting.section or DEFAULT_SECTION]
    return []


def _is_elsewhere(setting: Setting, participant: Participant) -> bool:
    """Return True if a setting is for the other end of a pair."""
    roles = {CLIENTS: "client", SERVERS: "server"}
    return setting.scope in roles and participant.role != roles[setting.scope]


def _of_member(kind: str, identity: str) -> str:
    return f"{DIRECTORY}{identity}" if kind == "directory" else identity
