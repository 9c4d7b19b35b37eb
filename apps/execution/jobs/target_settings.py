"""Settings of a case's tuning that a host lends, and the disks each belongs to there."""

from __future__ import annotations

from apps.execution.domain.effective_tuning import DEFAULT_SECTION, DIRECTORY
from apps.execution.jobs.participants import Participant
from apps.inventory.models import Pool
from apps.plans.schemas.plan import RUN_UNTUNED
from apps.remote.agent.tuning.irq_names import OF_DISKS
from apps.remote.settings import LentSetting
from apps.runs.models import Case
from apps.runs.models.jobs import LENDER
from apps.tools.messages import message
from apps.tools.registry import tool
from apps.tuning.domain.applicability import TuningScope, unreached
from apps.tuning.domain.settings import describe
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    CLIENTS,
    FILESYSTEM,
    GOVERNOR,
    IRQ,
    POOL,
    QUEUE,
    SERVERS,
    SYSCTL,
    Setting,
    makes_files,
)


def target_settings(case: Case, participant: Participant) -> list[LentSetting]:
    """Settings that the agent of one host is to lend: queue settings for each of its disks and
    directories, kernel settings for the host, Ceph's options once, on the lead. Nothing at all
    where not everything can be.
    """
    if inapplicable_reason(case):
        return []
    return [
        _lent(case, setting, identity)
        for setting in case.asked_tuning.settings
        for identity in _identities(setting, participant)
    ]


def _lent(case: Case, setting: Setting, identity: str) -> LentSetting:
    found = LentSetting(
        kind=setting.kind, identity=identity, name=setting.name, value=str(setting.value)
    )
    if setting.kind == CEPH_CONF and isinstance(case.target, Pool):
        found["restart"] = case.target.host.restart_command
    return found


def restarts_daemons(case: Case) -> bool:
    """Whether daemons of the case's cluster are restarted for its tuning."""
    return any(setting.kind == CEPH_CONF for setting in case.asked_tuning.settings)


def _may_restart(case: Case) -> bool:
    """Whether an admin allows that for the cluster, asked anew for each attempt."""
    return isinstance(case.target, Pool) and case.target.host.may_restart


def works_in_files(case: Case) -> bool:
    """Whether the case's tool works in a file system that is made on its disks, not on them."""
    return makes_files(case.asked_tuning.settings) and not inapplicable_reason(case)


def inapplicable_reason(case: Case) -> str:
    """Why the case's tuning cannot be in force on its target, whatever its hosts say; empty when it
    may.
    """
    asked = case.asked_tuning
    kinds = {member.kind for member in case.members if member.role != LENDER}
    behind = any(member.role == LENDER for member in case.members)
    restarts = restarts_daemons(case) and _may_restart(case)
    room = tool(case.tool)
    reach = TuningScope(kinds, room.pins, behind, restarts, "directory" in room.targets)
    left = unreached(asked.settings, reach)
    if not left:
        return ""
    return message(
        "%(settings)s of %(tuning)s reaches nothing of %(target)s, as benchlab knows its hosts and "
        "disks",
        settings=describe(left),
        tuning=asked.name,
        target=case.target_words,
    )


def runs_untuned(case: Case) -> bool:
    """Whether the plan's author wants a test as its hosts are found where its tuning cannot be in
    force.
    """
    return case.run.spec.on_tuning_unavailable == RUN_UNTUNED


def is_pinned(case: Case) -> bool:
    """Whether the tuning participants threads on the CPUs of hardware queues."""
    return any(setting.pins for setting in case.asked_tuning.settings)


def _identities(setting: Setting, participant: Participant) -> list[str]:
    """Identities that a setting is lent for on this host."""
    if setting.scope == POOL:
        return [participant.osds] if participant.osds else []
    if participant.role == LENDER or _is_elsewhere(setting, participant):
        return []
    if setting.kind in (QUEUE, FILESYSTEM) or setting.name == OF_DISKS:
        return [_of_member(member.kind, member.identity) for member in participant.members]
    if setting.kind in (SYSCTL, GOVERNOR, IRQ):
        return [""]
    if setting.kind == CEPH and participant.lead:
        return [setting.section or DEFAULT_SECTION]
    return []


def _is_elsewhere(setting: Setting, participant: Participant) -> bool:
    """Whether a setting is for the other end of a pair."""
    roles = {CLIENTS: "client", SERVERS: "server"}
    return setting.scope in roles and participant.role != roles[setting.scope]


def _of_member(kind: str, identity: str) -> str:
    return f"{DIRECTORY}{identity}" if kind == "directory" else identity
