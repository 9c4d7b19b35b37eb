"""Whether a case's tuning was in force while it was measured: from what its hosts read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.execution.attempt.lent_settings import DIRECTORY, EVERYTHING, out_of_reach
from apps.execution.attempt.spec import is_tidying
from apps.remote.answers import told_settings
from apps.remote.settings import LentSetting, ToldSetting
from apps.results.selectors.jobs import DoneJob
from apps.runs.models import Case
from apps.tools.messages import message
from apps.tools.words import gettext_noop
from apps.tuning.schemas.settings import CEPH, CLIENTS, CPU, GOVERNOR, IRQ, POOL, SERVERS, Setting

OSDS = "osds:"
NOT_IN_FORCE = gettext_noop("ran as found: %(name)s was not in force, as %(why)s")
IN_PART = gettext_noop(
    "%(name)s was in force in part only (%(held)d of %(asked)d places), as %(why)s"
)
UNSAID = message("not every host could apply it")


@dataclass(frozen=True)
class EffectiveTuning:
    """In how many of the places that were asked for the settings were read back. `why` not all."""

    asked: int = 0
    held: int = 0
    why: str = ""

    @property
    def as_found(self) -> bool:
        """Whether nothing at all of the tuning was in force."""
        return self.asked > 0 and self.held == 0

    @property
    def in_part(self) -> bool:
        return 0 < self.held < self.asked


def effective_tuning(case: Case, jobs: Sequence[DoneJob]) -> EffectiveTuning:
    """The places in which the tuning that the case was planned under was in force."""
    measuring = [job for job in jobs if job.spec.get("commands") and not is_tidying(job.spec)]
    places = [held for one in case.asked_tuning.settings for held in _places(one, measuring)]
    if all(places):
        return EffectiveTuning(len(places), len(places))
    left_out = [text for job in measuring for text in _left_out(job)]
    told = " ".join(dict.fromkeys(left_out)).removeprefix("Tuning: ").rstrip(".")
    return EffectiveTuning(len(places), sum(places), out_of_reach(case) or told or UNSAID)


def as_found_text(case: Case, force: EffectiveTuning) -> str:
    """The remark on a result that was measured as its hosts were found."""
    return message(NOT_IN_FORCE, name=case.asked_tuning.name, why=force.why)


def in_part_text(case: Case, force: EffectiveTuning) -> str:
    """Why a result under half a tuning is not compared."""
    name = case.asked_tuning.name
    return message(IN_PART, name=name, held=force.held, asked=force.asked, why=force.why)


def _left_out(job: DoneJob) -> list[str]:
    tuned = job.exit.get("tuning") or {}
    return [f"{job.name}: {text}" if job.name else text for text in tuned.get("left_out") or ()]


def _places(setting: Setting, jobs: Sequence[DoneJob]) -> list[bool]:
    """Of each place that a setting was to be lent to, whether it was; one that it was not, where
    nobody was asked for it.
    """
    found = list(_pinned(jobs) if setting.kind == CPU else _lent(setting, jobs))
    return found or [False]


def _pinned(jobs: Sequence[DoneJob]) -> Iterator[bool]:
    for job in jobs:
        if "pin" in job.spec:
            yield bool(job.exit.get("cpus"))


def _lent(setting: Setting, jobs: Sequence[DoneJob]) -> Iterator[bool]:
    for job in jobs:
        told = told_settings(job.exit, "applied")
        for row in job.spec.get("tuning") or ():
            if _is_for(row, setting, job.role):
                yield any(_answers(one, row) for one in told)


def _is_for(row: LentSetting, setting: Setting, role: str) -> bool:
    """Whether a row asks for this setting, and not for one of its name elsewhere."""
    if row["identity"].startswith(OSDS) != (setting.scope == POOL):
        return False
    if setting.scope in (CLIENTS, SERVERS) and setting.scope != f"{role}s":
        return False
    if (row.get("kind", "queue"), row["name"]) != (setting.kind, setting.name):
        return False
    return setting.kind != CEPH or row["identity"] == (setting.section or EVERYTHING)


def _answers(told: ToldSetting, row: LentSetting) -> bool:
    """Whether an agent says that it applied this. Of a directory it names the disks, of CPUs and
    interrupts each; one of before named neither kind nor identity.
    """
    if told.get("name") != row["name"] or told.get("kind", row.get("kind")) != row.get("kind"):
        return False
    identity = row["identity"]
    if row.get("kind") in (GOVERNOR, IRQ):
        return True
    return identity.startswith((DIRECTORY, OSDS)) or told.get("identity", identity) == identity
