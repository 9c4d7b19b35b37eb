"""Settings in effect during a measurement, from the values that the hosts read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.execution.domain.cleanup_jobs import is_cleanup
from apps.remote.agent.ceph.daemon_names import PREFIXES, names_of
from apps.remote.host_settings import ReportedSetting, SettingSpec
from apps.remote.responses import reported_settings
from apps.results.selectors.jobs import DoneJob
from apps.tools.messages import message
from apps.tools.translation import gettext_noop
from apps.tuning.schemas.settings import (
    CEPH,
    CEPH_CONF,
    CLIENTS,
    CPU,
    GOVERNOR,
    IRQ,
    OSD_SECTION,
    POOL,
    SERVERS,
    Setting,
)

OSDS = PREFIXES["osd"]
# The section of Ceph's configuration of a setting without a section.
DEFAULT_SECTION = "global"
# Prefix of the identity of all disks under a directory; only the host can list them.
DIRECTORY = "directory:"
NOT_IN_FORCE = gettext_noop("ran untuned: %(name)s was not in effect, as %(why)s")
IN_PART = gettext_noop(
    "%(name)s was only partly effective (%(held)d of %(requested)d values), as %(why)s"
)
NOT_EVERY_HOST = message("not every host could apply it")


@dataclass(frozen=True)
class EffectiveTuning:
    """Number of settings, counted per scope, that were requested and that were applied.

    `why`: the reason if some were not.
    """

    requested: int = 0
    applied: int = 0
    why: str = ""

    @property
    def is_untuned(self) -> bool:
        """Return True if no setting of the tuning was in effect."""
        return self.requested > 0 and self.applied == 0

    @property
    def is_partial(self) -> bool:
        """Return True if only some settings were in effect."""
        return 0 < self.applied < self.requested


def effective_tuning(settings: Sequence[Setting], jobs: Sequence[DoneJob]) -> EffectiveTuning:
    """Compare the settings of a tuning with what the jobs applied."""
    measuring = [job for job in jobs if job.spec.get("commands") and not is_cleanup(job.spec)]
    applied = [flag for one in settings for flag in _applied_by_scope(one, measuring)]
    if all(applied):
        return EffectiveTuning(len(applied), len(applied))
    left_out = [text for job in measuring for text in _left_out(job)]
    reported = " ".join(dict.fromkeys(left_out)).removeprefix("Tuning: ").rstrip(".")
    return EffectiveTuning(len(applied), sum(applied), reported or NOT_EVERY_HOST)


def untuned_text(tuning: str, effective: EffectiveTuning) -> str:
    """Return the warning on a result that was measured without its tuning."""
    return message(NOT_IN_FORCE, name=tuning, why=effective.why)


def partial_text(tuning: str, effective: EffectiveTuning) -> str:
    """Return the reason why a result under a part of its tuning is invalid."""
    return message(
        IN_PART,
        name=tuning,
        held=effective.applied,
        requested=effective.requested,
        why=effective.why,
    )


def _left_out(job: DoneJob) -> list[str]:
    tuned = job.exit.get("tuning") or {}
    return [f"{job.name}: {text}" if job.name else text for text in tuned.get("unavailable") or ()]


def _applied_by_scope(setting: Setting, jobs: Sequence[DoneJob]) -> list[bool]:
    """Return for each scope of a setting if it was applied; [False] if no job requests it."""
    result = list(_pinned(jobs) if setting.kind == CPU else _applied(setting, jobs))
    return result or [False]


def _pinned(jobs: Sequence[DoneJob]) -> Iterator[bool]:
    for job in jobs:
        if "pin" in job.spec:
            yield bool(job.exit.get("cpus"))


def _applied(setting: Setting, jobs: Sequence[DoneJob]) -> Iterator[bool]:
    for job in jobs:
        reported = reported_settings(job.exit, "applied")
        for row in job.spec.get("tuning") or ():
            if _is_for(row, setting, job.role):
                yield any(_answers(one, row) for one in reported)


def _is_for(row: SettingSpec, setting: Setting, role: str) -> bool:
    """Return True if a row requests this setting, not one of the same name elsewhere."""
    if bool(names_of(row["identity"])) != (setting.scope == POOL):
        return False
    if setting.scope in (CLIENTS, SERVERS) and setting.scope != f"{role}s":
        return False
    if (row.get("kind", "queue"), row["name"]) != (setting.kind, setting.name):
        return False
    if setting.kind == CEPH_CONF:
        return row["identity"].startswith(PREFIXES[setting.section or OSD_SECTION])
    return setting.kind != CEPH or row["identity"] == (setting.section or DEFAULT_SECTION)


def _answers(reported: ReportedSetting, row: SettingSpec) -> bool:
    """Return True if an agent reports that it applied the setting.

    It reports the disks of a directory, and every single CPU and interrupt. Old agents report
    neither kind nor identity.
    """
    if reported.get("name") != row["name"] or reported.get("kind", row.get("kind")) != row.get(
        "kind"
    ):
        return False
    identity = row["identity"]
    if row.get("kind") in (GOVERNOR, IRQ):
        return True
    if identity.startswith(DIRECTORY) or reported.get("identity", identity) == identity:
        return True
    if row.get("kind") == CEPH_CONF:
        return reported.get("identity") in names_of(identity)
    return identity.startswith(OSDS)
