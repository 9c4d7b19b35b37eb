"""Read which attempts share settings that restart daemons, and which left them in force."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from apps.runs.models import (
    FINAL_ATTEMPT,
    AbandonedAttempt,
    Attempt,
    AttemptJob,
    Case,
    CaseState,
    JobState,
    RunTargetMember,
)
from apps.runs.models.jobs import SETTINGS
from apps.runs.selectors.participation import hosts_of_targets


@dataclass(frozen=True)
class CarriedSettings:
    """A job whose settings may still be in force on its host.

    `confirmed`: its host reported its end, so that it can be deleted.
    """

    job: str
    host_id: int
    host_name: str
    confirmed: bool


@dataclass(frozen=True)
class CarriedBefore:
    """Settings that earlier attempts of the run left.

    `foreign`: this attempt does not take them over. `taken_over`: jobs with its own settings, of
    each host all but the newest; each of them passed its settings to the next one.
    """

    foreign: list[CarriedSettings]
    taken_over: list[CarriedSettings]


def next_shares_settings(attempt: Attempt) -> bool:
    """Return True if the next case on the attempt's hosts has the same target and tuning."""
    case = attempt.case
    if case.run.spec.disturbance:
        return False
    hosts = hosts_of_targets(case.run_id)
    mine = set(hosts[case.run_target_id])
    rows = Case.objects.filter(
        run=case.run_id,
        run__cancel_requested_at=None,
        state=CaseState.PENDING,
        sequence__gt=case.sequence,
    ).order_by("sequence")
    for target, planned, tuning in rows.values_list(
        "run_target_id", "requested_tuning_id", "run_tuning_id"
    ).iterator(chunk_size=100):
        if mine & set(hosts[target]):
            same_tuning = (planned or tuning) == case.tuning_to_apply.pk
            return bool(target == case.run_target_id and same_tuning)
    return False


def carried_before(attempt: Attempt) -> CarriedBefore:
    """Return what earlier attempts of the run left on the hosts of this one's target.

    Cases without a common host run concurrently, so that other hosts are not its concern.
    """
    left = _left(attempt.case.run_id, before=attempt)
    own = _own_keys(attempt) if left else set()
    result = CarriedBefore([], [])
    newest: set[int] = set()
    for row in left:
        if (row.host_id, row.spec.get("carry")) not in own:
            result.foreign.append(_carried(row))
        elif row.state == JobState.DONE:
            if row.host_id in newest:
                result.taken_over.append(_carried(row))
            newest.add(row.host_id)
    return result


def _own_keys(attempt: Attempt) -> set[tuple[int, str | None]]:
    return {(job.host_id, job.spec.get("carry")) for job in attempt.jobs.all() if job.spans_stages}


def hosts_left_changed(run_id: int) -> list[int]:
    """Return the ids of hosts on which ended attempts of the run may have left settings."""
    return sorted({row.host_id for row in _left(run_id)})


def _left(run_id: int, before: Attempt | None = None) -> list[AttemptJob]:
    """Return jobs of ended attempts of the run that may have left settings, the newest first.

    Also lost jobs and those with invalid answers: only their hosts know if settings are restored.
    Abandoned jobs are excluded: they claim their hosts until these confirm the end.
    """
    unconfirmed = AbandonedAttempt.objects.filter(
        attempt=OuterRef("attempt"), host=OuterRef("host"), ended_at__isnull=True
    )
    members = RunTargetMember.objects.filter(run_target__run=run_id)
    if before is not None:
        members = members.filter(run_target=before.case.run_target_id)
    rows = AttemptJob.objects.filter(
        ~Exists(unconfirmed),
        host__in=members.values("host"),
        removed_from_host=False,
        role=SETTINGS,
        attempt__case__run=run_id,
        attempt__state__in=FINAL_ATTEMPT,
    )
    if before is not None:
        rows = rows.exclude(attempt=before)
    ordered = rows.select_related("host").order_by("-attempt__created_at", "pk")
    return [row for row in ordered if not _was_restored(row)]


def _was_restored(job: AttemptJob) -> bool:
    """Return True if the host reported at the end of the job that it restored the settings."""
    tuning = job.exit.get("tuning") or {}
    return bool(tuning.get("restored")) and not tuning.get("failed")


def _carried(job: AttemptJob) -> CarriedSettings:
    confirmed = job.state == JobState.DONE
    return CarriedSettings(str(job.pk), job.host_id, job.host.name, confirmed)
